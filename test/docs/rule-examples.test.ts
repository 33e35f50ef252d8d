import type { PlanDocument } from '../../src/core/plan-document';
import type { Finding, Severity } from '../../src/core/finding';
import { collectFindings } from '../../src/core/plan-document';
import { ALL_RULES } from '../../src/change/all-rules';
import { exampleFiles, linkOf, makeLink } from './example-files';
import { rolloutkit } from '../cli/command-line';
import { expectValidPlan } from '../plan-schema';

/** The options of the command that an example may begin with: `# rolloutkit plan --versions kserve=0.20 model.yaml`. */
function optionsOf(yaml: string): readonly string[] {
  const words = /^# rolloutkit plan (.*)/.exec(yaml)?.[1]?.split(' ') ?? [];
  return words.filter((word, index) => word.startsWith('--') || words[index - 1]?.startsWith('--'));
}

/** The file that an example of a change names as NEW: `# rolloutkit plan --from old.yaml new.yaml`. */
function newFileOf(yaml: string): string | undefined {
  return /^# rolloutkit plan --from \S+ (\S+)$/m.exec(yaml)?.[1];
}

const WORST_FIRST: readonly Severity[] = ['error', 'warning', 'info'];

/** The findings that a user sees, in a plan that the schema describes, who copies an example out of its page. An example of a fleet.yaml has no apiVersion. */
async function findingsOf(yaml: string): Promise<Finding[]> {
  const several = exampleFiles(yaml) ?? (linkOf(yaml) && {});
  const file = /^(?:# )?apiVersion:/m.test(yaml) ? 'example.yaml' : 'fleet.yaml';
  const [path, files] = several ? [newFileOf(yaml) ?? '.', several] : [file, { [file]: yaml }];
  const { stdout, stderr } = await rolloutkit(['plan', ...optionsOf(yaml), '--format', 'json', path], {
    files,
    prepare: (folder) => makeLink(yaml, folder),
  });
  // A program that is run is named there.
  expect(stderr.replaceAll(/^rolloutkit: ran .*\n/gm, '')).toBe('');
  return collectFindings(expectValidPlan(JSON.parse(stdout) as PlanDocument));
}

/** Said of every RollingSync whose Applications are known. */
const OF_EVERY_SYNC = 'argo-cd/contents-not-checked';

/** The nodes of one model are replaced as a whole, which costs room for all of them, as a warning of its own says. */
const COST_ROOM: readonly string[] = ['kserve/multinode-strategy-escapes-override', 'kserve/no-workers-in-knative'];

describe.each(ALL_RULES.map((rule) => [rule.code, rule] as const))('%s', (code, { example, fixedExample }) => {
  test('fires for the example of its page', async () => {
    expect((await findingsOf(example)).map((finding) => finding.code)).toContain(code);
  });

  test('is silent for the example made right, which has nothing else as bad', async () => {
    const before = await findingsOf(example);
    const ranks = before.filter((finding) => finding.code === code).map(({ severity }) => WORST_FIRST.indexOf(severity));
    const after = await findingsOf(fixedExample);
    const known = new Set([
      ...before.map((finding) => finding.code),
      ...(code.startsWith('argo-cd/') ? [OF_EVERY_SYNC] : []),
      ...(COST_ROOM.includes(code) ? ['kubernetes/surge-needs-headroom'] : []),
    ]);
    const further = after.filter((finding) => !known.has(finding.code) && WORST_FIRST.indexOf(finding.severity) <= Math.min(...ranks));

    expect(after.map((finding) => finding.code)).not.toContain(code);
    expect(further.map((finding) => `${finding.severity} ${finding.code}`)).toEqual([]);
  });
});

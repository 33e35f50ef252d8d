import type { PlanDocument } from '../../src/core/plan-document';
import type { Finding, Severity } from '../../src/core/finding';
import { collectFindings } from '../../src/core/plan-document';
import { ALL_RULES } from '../../src/change/all-rules';
import { exampleFiles, linkOf, makeLink } from './example-files';
import { rolloutkit } from '../cli/command-line';
import { expectValidPlan } from '../plan-schema';

/** Returns the options of the command in the first line of an example: `# rolloutkit plan --versions kserve=0.20 model.yaml`. */
function optionsOf(yaml: string): readonly string[] {
  const commandWords = /^# rolloutkit plan (.*)/.exec(yaml)?.[1]?.split(' ') ?? [];
  return commandWords.filter((word, index) => word.startsWith('--') || commandWords[index - 1]?.startsWith('--'));
}

/** Returns the NEW file of an example of a change: `# rolloutkit plan --from old.yaml new.yaml`. */
function newFileOf(yaml: string): string | undefined {
  return /^# rolloutkit plan --from \S+ (\S+)$/m.exec(yaml)?.[1];
}

const WORST_FIRST: readonly Severity[] = ['error', 'warning', 'info'];

/** Returns the findings for an example copied from its page, after checking the plan against the schema. An example of a fleet.yaml has no apiVersion. */
async function findingsOf(yaml: string): Promise<Finding[]> {
  const exampleFolder = exampleFiles(yaml) ?? (linkOf(yaml) && {});
  const file = /^(?:# )?apiVersion:/m.test(yaml) ? 'example.yaml' : 'fleet.yaml';
  const [path, files] = exampleFolder ? [newFileOf(yaml) ?? '.', exampleFolder] : [file, { [file]: yaml }];
  const { stdout, stderr } = await rolloutkit(['plan', ...optionsOf(yaml), '--format', 'json', path], {
    files,
    prepare: (folder) => makeLink(yaml, folder),
  });
  // rolloutkit lists the programs that it runs there.
  expect(stderr.replaceAll(/^rolloutkit: ran .*\n/gm, '')).toBe('');
  return collectFindings(expectValidPlan(JSON.parse(stdout) as PlanDocument));
}

/** Reported for every RollingSync with known Applications. */
const ROLLING_SYNC_INFO = 'argo-cd/contents-not-checked';

/** Rules about one model on several nodes. All its nodes are replaced together, so a separate warning reports the needed headroom. */
const NEED_HEADROOM: readonly string[] = ['kserve/multinode-strategy-escapes-override', 'kserve/no-workers-in-knative'];

describe.each(ALL_RULES.map((rule) => [rule.code, rule] as const))('%s', (code, { example, fixedExample }) => {
  test('fires for the example of its page', async () => {
    expect((await findingsOf(example)).map((finding) => finding.code)).toContain(code);
  });

  test('does not fire for the fixed example, which has no other finding of the same severity', async () => {
    const before = await findingsOf(example);
    const ranks = before.filter((finding) => finding.code === code).map(({ severity }) => WORST_FIRST.indexOf(severity));
    const after = await findingsOf(fixedExample);
    const known = new Set([
      ...before.map((finding) => finding.code),
      ...(code.startsWith('argo-cd/') ? [ROLLING_SYNC_INFO] : []),
      ...(NEED_HEADROOM.includes(code) ? ['kubernetes/surge-needs-headroom'] : []),
    ]);
    const otherFindings = after.filter(
      (finding) => !known.has(finding.code) && WORST_FIRST.indexOf(finding.severity) <= Math.min(...ranks),
    );

    expect(after.map((finding) => finding.code)).not.toContain(code);
    expect(otherFindings.map((finding) => `${finding.severity} ${finding.code}`)).toEqual([]);
  });
});

import type { PlanDocument } from '../../src/core/plan-document';
import { allFindings } from '../../src/core/plan-document';
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

/** The codes that a user sees, in a plan that the schema describes, who copies an example out of its page. An example of a fleet.yaml has no apiVersion. */
async function codesOf(yaml: string): Promise<string[]> {
  const several = exampleFiles(yaml) ?? (linkOf(yaml) && {});
  const file = /^(?:# )?apiVersion:/m.test(yaml) ? 'example.yaml' : 'fleet.yaml';
  const [path, files] = several ? [newFileOf(yaml) ?? '.', several] : [file, { [file]: yaml }];
  const { stdout, stderr } = await rolloutkit(['plan', ...optionsOf(yaml), '--format', 'json', path], {
    files,
    prepare: (folder) => makeLink(yaml, folder),
  });
  // A program that is run is named there.
  expect(stderr.replaceAll(/^rolloutkit: ran .*\n/gm, '')).toBe('');
  return allFindings(expectValidPlan(JSON.parse(stdout) as PlanDocument)).map(({ code }) => code);
}

describe.each(ALL_RULES.map((rule) => [rule.code, rule] as const))('%s', (code, { example, fixed }) => {
  test('fires for the example of its page', async () => {
    expect(await codesOf(example)).toContain(code);
  });

  test('is silent for the example made right', async () => {
    expect(await codesOf(fixed)).not.toContain(code);
  });
});

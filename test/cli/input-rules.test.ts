import { collectFindings } from '../../src/core/document/plan-document';
import type { PlanDocument } from '../../src/core/document/plan-document';
import { INPUT_RULES } from '../../src/core/rules';
import { exampleFiles, linkOf, makeLink } from '../docs/example-files';
import { rolloutkit } from './command-line';

/** Plans the YAML of a rule with the command in its first line, or as web.yaml. */
async function codesOf(yaml: string): Promise<string[]> {
  const link = linkOf(yaml);
  const command = /^# rolloutkit (.*)/.exec(yaml)?.[1] ?? (link ? 'plan .' : 'plan web.yaml');
  const files = exampleFiles(yaml) ?? (link ? {} : { [/\S+\.yaml/.exec(command)![0]]: yaml });
  const { stdout } = await rolloutkit(`${command} --format json`, { files, prepare: (folder) => makeLink(yaml, folder) });
  // The output of check has no rollouts: all of its findings are in one list.
  const { rollouts = [], findings } = JSON.parse(stdout) as Partial<PlanDocument> & Pick<PlanDocument, 'findings'>;
  return collectFindings({ rollouts, findings }).map(({ code }) => code);
}

describe('each rule about the input fires on its example, and is silent for the fixed example', () => {
  test.each(INPUT_RULES.map((rule) => [rule.code, rule] as const))('%s', async (code, { example, fixedExample }) => {
    expect(await codesOf(example)).toContain(code);
    expect(await codesOf(fixedExample)).not.toContain(code);
  });
});

import { allFindings } from '../../src/core/plan-document';
import type { PlanDocument } from '../../src/core/plan-document';
import { INPUT_RULES } from '../../src/core/rules';
import { exampleFiles } from '../docs/example-files';
import { rolloutkit } from './command-line';

/** Plans the YAML of a rule as its first line says, else as web.yaml. */
async function codesOf(yaml: string): Promise<string[]> {
  const command = /^# rolloutkit (.*)/.exec(yaml)?.[1] ?? 'plan web.yaml';
  const files = exampleFiles(yaml) ?? { [/\S+\.yaml/.exec(command)![0]]: yaml };
  const { stdout } = await rolloutkit(`${command} --format json`, { files });
  return allFindings(JSON.parse(stdout) as PlanDocument).map(({ code }) => code);
}

describe('the example of each rule about the input makes it fire, and its mended form is silent', () => {
  test.each(INPUT_RULES.map((rule) => [rule.code, rule] as const))('%s', async (code, { example, fixed }) => {
    expect(await codesOf(example)).toContain(code);
    expect(await codesOf(fixed)).not.toContain(code);
  });
});

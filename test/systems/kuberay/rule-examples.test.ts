import { parseAllDocuments } from 'yaml';
import { allFindings } from '../../../src/core/plan-document';
import { planManifests } from '../../../src/headless';
import { KUBERAY_RULES } from '../../../src/systems/kuberay/rules';

/** The version that an example is for, where its first line names one: `# rolloutkit plan --versions kuberay=1.6 llm.yaml`. */
function versionIn(text: string): string {
  return /--versions kuberay=(\S+)/.exec(text)?.[1] ?? '1.7';
}

function codesOf(text: string): string[] {
  const objects = parseAllDocuments(text).map((document) => document.toJS() as unknown);
  return allFindings(planManifests(objects, { versions: { kuberay: versionIn(text) } })).map(({ code }) => code);
}

/** Of what KubeRay says under the codes of others, their own examples are run. */
const OWN = KUBERAY_RULES.filter(({ isPart }) => !isPart);

describe.each(OWN)('$code', ({ code, example, fixed }) => {
  test('its example makes it fire, and nothing else', () => {
    expect(codesOf(example)).toEqual([code]);
  });

  test('the same made right has no finding', () => {
    expect(codesOf(fixed)).toEqual([]);
  });
});

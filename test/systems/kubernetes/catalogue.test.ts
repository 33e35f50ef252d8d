import { parseAllDocuments } from 'yaml';
import { allFindings } from '../../../src/core/plan-document';
import { planManifests } from '../../../src/plan';
import { KUBERNETES_CATALOGUE } from '../../../src/systems/kubernetes/catalogue';
import { SURROUNDINGS_CATALOGUE } from '../../../src/systems/kubernetes/surroundings-catalogue';

/** The value of an option in the command that an example begins with: `# rolloutkit plan --startup-seconds 900 model.yaml`. */
function optionOf(yaml: string, option: string): string | undefined {
  return new RegExp(`^# rolloutkit plan.* ${option} (\\S+)`).exec(yaml)?.[1];
}

/** The codes that a plan of this YAML raises. */
function codesOf(yaml: string): string[] {
  const objects = parseAllDocuments(yaml).map((document) => document.toJS() as object);
  const kubernetes = optionOf(yaml, '--versions')?.replace('kubernetes=', '');
  const startupSeconds = Number(optionOf(yaml, '--startup-seconds') ?? 0);
  return allFindings(planManifests(objects, { versions: { kubernetes }, startupSeconds })).map((finding) => finding.code);
}

const RULES = Object.entries({ ...KUBERNETES_CATALOGUE, ...SURROUNDINGS_CATALOGUE });

test.each(RULES)('the example of %s raises it, and the repaired one does not', (code, rule) => {
  expect(codesOf(rule.example)).toContain(code);
  expect(codesOf(rule.fixed)).not.toContain(code);
});

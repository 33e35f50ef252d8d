import { parseAllDocuments } from 'yaml';
import { collectFindings } from '../../../src/core/plan-document';
import { planManifests } from '../../../src/headless';
import { FLEET_RULES } from '../../../src/systems/fleet/rules';

function codesOf(yaml: string): string[] {
  const objects = parseAllDocuments(yaml).map((document) => document.toJS() as object);
  return collectFindings(planManifests(objects)).map((finding) => finding.code);
}

/** Of what Fleet says under the codes of others, their own examples are run. */
const OWN = FLEET_RULES.filter(({ code }) => code.startsWith('fleet/'));

describe.each(OWN)('$code', ({ code, example, fixedExample }) => {
  test('its example raises it and nothing else', () => {
    expect(codesOf(example)).toEqual([code]);
  });

  test('the repaired one raises nothing', () => {
    expect(codesOf(fixedExample)).toEqual([]);
  });
});

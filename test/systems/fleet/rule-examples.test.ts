import { parseAllDocuments } from 'yaml';
import { allFindings } from '../../../src/core/plan-document';
import { planManifests } from '../../../src/headless';
import { FLEET_RULES } from '../../../src/systems/fleet/rules';

function codesOf(yaml: string): string[] {
  const objects = parseAllDocuments(yaml).map((document) => document.toJS() as object);
  return allFindings(planManifests(objects)).map((finding) => finding.code);
}

describe.each(FLEET_RULES)('$code', ({ code, example, fixed }) => {
  test('its example raises it and nothing else', () => {
    expect(codesOf(example)).toEqual([code]);
  });

  test('the repaired one raises nothing', () => {
    expect(codesOf(fixed)).toEqual([]);
  });
});

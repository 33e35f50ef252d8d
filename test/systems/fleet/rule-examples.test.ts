import { parseAllDocuments } from 'yaml';
import { collectFindings } from '../../../src/core/document/plan-document';
import { planManifests } from '../../../src/headless';
import { FLEET_RULES } from '../../../src/systems/fleet/rules';

function codesOf(yaml: string): string[] {
  const objects = parseAllDocuments(yaml).map((document) => document.toJS() as object);
  return collectFindings(planManifests(objects)).map((finding) => finding.code);
}

/** Rules of this system. Rules that extend a shared rule are tested with the example of the shared rule. */
const OWN = FLEET_RULES.filter(({ code }) => code.startsWith('fleet/'));

describe.each(OWN)('$code', ({ code, example, fixedExample }) => {
  test('its example triggers only this rule', () => {
    expect(codesOf(example)).toEqual([code]);
  });

  test('its fixed example has no finding', () => {
    expect(codesOf(fixedExample)).toEqual([]);
  });
});

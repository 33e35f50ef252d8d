import { parseAllDocuments } from 'yaml';
import { allFindings } from '../../../src/core/plan-document';
import { planManifests } from '../../../src/headless';
import { FLEET_CATALOGUE } from '../../../src/systems/fleet/catalogue';

function codesOf(yaml: string): string[] {
  const objects = parseAllDocuments(yaml).map((document) => document.toJS() as object);
  return allFindings(planManifests(objects)).map((finding) => finding.code);
}

test.each(Object.entries(FLEET_CATALOGUE))(
  'the example of %s raises it and nothing else, and the repaired one raises nothing',
  (code, rule) => {
    expect(codesOf(rule.example)).toEqual([code]);
    expect(codesOf(rule.fixed)).toEqual([]);
  },
);

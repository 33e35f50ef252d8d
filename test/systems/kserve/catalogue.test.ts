import { parseAllDocuments } from 'yaml';
import type { Manifest } from '../../../src/core/manifest';
import { allFindings } from '../../../src/core/plan-document';
import { KSERVE_CATALOGUE } from '../../../src/systems/kserve/catalogue';
import { plan } from './plan';

/** The codes that YAML raises, planned for the version that a comment in it names. */
function codesOf(yaml: string): string[] {
  const version = /--versions kserve=([0-9.]+)/.exec(yaml)?.[1];
  const objects = parseAllDocuments(yaml).map((document) => document.toJS() as Manifest);
  return allFindings(plan(objects, version)).map(({ code }) => code);
}

describe.each(Object.entries(KSERVE_CATALOGUE))('%s', (code, { example, fixed }) => {
  test('fires for its example', () => {
    expect(codesOf(example)).toContain(code);
  });

  test('is silent once the example is made right, and nothing there is refused', () => {
    expect(codesOf(fixed)).not.toContain(code);
    expect(codesOf(fixed).filter((found) => found in KSERVE_CATALOGUE && found !== 'kserve/no-platform-config')).toEqual([]);
  });
});

import type { Manifest } from '../../src/core/manifest/manifest';
import { checkCustomResources } from '../../src/crds/check-custom-resources';
import { CrdRegistry } from '../../src/crds/crd-registry';

/** Evaluates a rule for an object with a timestamp. Returns the messages of the findings. */
function evaluate(rule: string, t: string): string[] {
  const spec = { type: 'object', properties: { t: { type: 'string', format: 'date-time' } }, 'x-kubernetes-validations': [{ rule }] };
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'boxes.shop.example' },
    spec: {
      group: 'shop.example',
      names: { kind: 'Box' },
      versions: [{ name: 'v1', served: true, schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } }],
    },
  } as Manifest;
  const box = { apiVersion: 'shop.example/v1', kind: 'Box', metadata: { name: 'a' }, spec: { t } };
  return checkCustomResources([box], new CrdRegistry([crd]), () => undefined, false, 60).map(({ message }) => message);
}

/** The functions that compute in the time zone of the machine. */
const LOCAL = ['getFullYear', 'getMonth', 'getDate', 'getDay', 'getHours', 'getMinutes', 'getSeconds', 'getMilliseconds'] as const;

describe('a rule reads the parts of a timestamp without the time zone of the machine', () => {
  beforeEach(() => {
    for (const name of LOCAL)
      jest.spyOn(Date.prototype, name).mockImplementation(() => {
        throw new Error(`${name} is local`);
      });
  });
  afterEach(() => jest.restoreAllMocks());

  test.each([
    ['2021-07-01T00:30:00Z', 'self.t.getDayOfYear() == 181'],
    ['2020-12-31T23:59:59Z', 'self.t.getDayOfYear() == 365 && self.t.getFullYear() == 2020'],
    ['0099-01-01T00:00:00Z', 'self.t.getDayOfYear() == 0 && self.t.getFullYear() == 99'],
    ['2021-03-14T02:30:04.567Z', 'self.t.getHours() == 2 && self.t.getMinutes() == 30 && self.t.getSeconds() == 4'],
    ['2021-03-14T02:30:04.567Z', 'self.t.getMilliseconds() == 567 && self.t.getDayOfWeek() == 0'],
    ['2021-03-14T02:30:00Z', 'self.t.getMonth() == 2 && self.t.getDate() == 14 && self.t.getDayOfMonth() == 13'],
    ['2021-03-14T02:30:00Z', "self.t.getHours('America/New_York') == 21 && self.t.getDate('America/New_York') == 13"],
    ['2021-07-01T23:30:00Z', "self.t.getHours('+02:15') == 1 && self.t.getMinutes('+02:15') == 45 && self.t.getDate('02:15') == 2"],
    ['2021-01-01T00:30:00Z', "self.t.getFullYear('-01:00') == 2020 && self.t.getDayOfYear('-01:00') == 365"],
  ])('of %s: %s', (timestamp, rule) => {
    expect(evaluate(rule, timestamp)).toEqual([]);
    expect(evaluate(`!(${rule})`, timestamp)).toHaveLength(1);
  });

  test('an unknown time zone is an error of the rule', () => {
    expect(evaluate("self.t.getHours('Mars/Olympus') >= 0", '2021-07-01T00:30:00Z')).toHaveLength(1);
  });
});

import { planManifests } from '../../src/headless';

/** Returns whether an object fulfills a rule of its CRD, or why the rule cannot be evaluated. */
function evaluate(rule: string): string {
  const schema = { type: 'object', properties: { spec: { type: 'object', 'x-kubernetes-validations': [{ rule }] } } };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
  const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w', namespace: 'shop' }, spec: {} };
  const { findings } = planManifests([definition, widget]);
  const found = findings.find(({ code }) => code === 'crds/invalid-object');
  return found ? (/fails with "([^"]*)"/.exec(found.message)?.[1] ?? 'false') : 'true';
}

test.each([
  ['int("5") == 5 && int("-5") == -5 && int("+5") == 5 && int("017") == 17', 'true'],
  ['int("") == 0', "type conversion error from 'string' to 'int'"],
  ['int(" 5") == 5', "type conversion error from 'string' to 'int'"],
  ['int("0x10") == 16', "type conversion error from 'string' to 'int'"],
  ['int("9223372036854775808") > 0', "type conversion error from 'string' to 'int'"],
  ['uint("18446744073709551615") > 0u', 'true'],
  ['uint("5 ") == 5u', "type conversion error from 'string' to 'uint'"],
  ['double("1e3") == 1000.0 && double("Inf") > 0.0 && double("-inf") < 0.0', 'true'],
  ['double("NaN") != double("NaN")', 'true'],
  ['double("") == 0.0', "type conversion error from 'string' to 'double'"],
  ['double("1e400") > 0.0', "type conversion error from 'string' to 'double'"],
  ['bool("T") && !bool("F")', 'true'],
  ['bool("yes")', "type conversion error from 'string' to 'bool'"],
])('%s of a text: %s, as Go reads it', (rule, result) => {
  expect(evaluate(rule)).toBe(result);
});

test.each([
  ['timestamp("2024-02-29T23:59:59Z") < timestamp("2024-03-01T00:00:00Z")', 'true'],
  ['timestamp("2023-02-29T00:00:00Z") != timestamp(0)', 'no timestamp'],
  ['timestamp("2024-01-01T24:00:00Z") != timestamp(0)', 'no timestamp'],
  ['duration("") == duration("0s")', 'no duration'],
  ['timestamp(1700000000).getFullYear() == 2023', 'true'],
  ['int(duration("1s")) == 1000000000 && int(duration("-1.5s")) == -1500000000', 'true'],
  ['duration(1000000000) == duration("1s")', 'true'],
])('%s: %s, since numbers are nanoseconds of durations and seconds of timestamps', (rule, result) => {
  expect(evaluate(rule)).toBe(result);
});

test.each([
  ['matches("shop-1", "^[a-z]+-[0-9]$") && "shop-1".matches("^[a-z]+")', 'true'],
  ['matches("shop", "^(o|p)")', 'false'],
])('%s: %s, since a pattern is searched by a function as well as by a method', (rule, result) => {
  expect(evaluate(rule)).toBe(result);
});

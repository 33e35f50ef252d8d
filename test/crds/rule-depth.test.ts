/** Rules of CRDs with many levels, of which the API server reads a limited number. */
import { rolloutkit } from '../cli/command-line';

function definition(rule: string): object {
  const spec = { type: 'object', properties: { size: { type: 'string', maxLength: 9 } }, 'x-kubernetes-validations': [{ rule }] };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'caches.shop.example' },
    spec: {
      group: 'shop.example',
      scope: 'Namespaced',
      names: { plural: 'caches', singular: 'cache', kind: 'Cache', listKind: 'CacheList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } }],
    },
  };
}

const CACHE = { apiVersion: 'shop.example/v1', kind: 'Cache', metadata: { name: 'front' }, spec: { size: '1Gi' } };

async function check(rule: string): Promise<string> {
  const files = { 'in/a.json': JSON.stringify(definition(rule)), 'in/b.json': JSON.stringify(CACHE) };
  const { stdout } = await rolloutkit('check --no-config --require-planned in', { files });
  return stdout;
}

/** Writes texts around another one, some times. */
function surround(times: number, before: string, inner: string, after: string): string {
  return before.repeat(times) + inner + after.repeat(times);
}

const FALSE = "self.size == 'x'";

test('a rule that the API server evaluates refuses an object, and one more level makes it refuse the CRD', async () => {
  expect(await check(surround(249, '(', FALSE, ')'))).toContain('error  crds/invalid-object  in/b.json:1:76  spec');
  expect((await check(surround(250, '(', FALSE, ')'))).replaceAll(/\({9,}/g, '((…')).toMatchInlineSnapshot(`
"no rollouts on Kubernetes 1.36 (assumed): 1 error

error  kubernetes/refused-object  in/a.json:1:1
  The API server refuses CustomResourceDefinition caches.shop.example: spec.versions[0].schema.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule nests its brackets and conditions 250 levels deep, and the API server reads only 249: ((…… (516 characters).
  fix: Write what the API server requires.

explain a code: rolloutkit rules CODE · silence a finding: docs/pipeline.md#suppression
"
`);
});

// cel-go 0.26 was run with each of these texts: the first of the two numbers is read, and the second is not.
test.each<readonly [what: string, passes: number, rule: (levels: number) => string]>([
  ['parentheses', 249, (levels) => surround(levels, '(', FALSE, ')')],
  ['parentheses of which one is in a text', 248, (levels) => surround(levels, '(', `'(' == self.size && ${FALSE}`, ')')],
  ['negations', 248, (levels) => surround(levels, '!(', FALSE, ')')],
  ['calls', 248, (levels) => `${surround(levels, 'string(', 'self.size', ')')} == 'x'`],
  ['lists', 249, (levels) => `${surround(levels, '[', 'self.size', ']')} == []`],
  ['maps', 249, (levels) => `${surround(levels, '{1: ', 'self.size', '}')} == {}`],
  ['conditions', 249, (levels) => surround(levels, "self.size == 'y' ? true : ", FALSE, '')],
  ['conditions in lists', 248, (levels) => `${surround(levels / 2, 'self.size == "y" ? [] : [', 'self.size', ']')} == []`],
  ['macros', 248, (levels) => surround(levels, "['a'].all(x, ", FALSE, ')')],
])('%s: %d levels are evaluated, and the API server refuses the CRD because of 250', async (_, passes, rule) => {
  expect(await check(rule(passes))).toContain('crds/invalid-object');
  expect(await check(rule(250))).toContain('kubernetes/refused-object');
});

test.each([
  ['a list of 300 conditions', `[${surround(300, 'self.size == "y" ? 1 : 2, ', '3]', '')}`],
  ['300 brackets next to each other', surround(300, '[self.size] != [] && ', FALSE, '')],
  ['a map with 300 conditions as its keys', `{${surround(300, 'self.size == "y" ? 1 : 2: 3, ', '3: 4', '')}} == {}`],
])('%s is not nested', async (_, rule) => {
  expect(await check(rule)).not.toContain('kubernetes/refused-object');
});

test.each([
  ['method calls', `${surround(17_000, '', 'self.size', '.trim()')} == 'x'`],
  ['operators', surround(501, '', 'self.size', " + 'a'")],
  ['macros with two variables that are sorted', `${surround(240, "['a'].sortBy(x, ", 'self.size', ')[0]')} == 'x'`],
])('too many %s are a rule that is not evaluated', async (_, rule) => {
  expect(await check(rule)).toContain(
    'is not evaluated: it is longer than 100,000 characters, or has 250 levels of brackets and conditions or more than 500 of operators',
  );
});

test('the levels of the schema around a rule do not count', async () => {
  const spec = (inner: object, levels: number): object => (levels === 0 ? inner : { a: spec(inner, levels - 1) });
  const { versions } = (definition(surround(249, '(', FALSE, ')')) as { spec: { versions: { schema: object }[] } }).spec;
  const [version] = versions as [{ schema: { openAPIV3Schema: { properties: { spec: object } } } }];
  const { openAPIV3Schema } = version.schema;
  for (let level = 0; level < 400; level++)
    openAPIV3Schema.properties.spec = { type: 'object', properties: { a: openAPIV3Schema.properties.spec } };
  const crd = { ...definition(''), spec: { ...(definition('') as { spec: object }).spec, versions } };
  const files = { 'in/a.json': JSON.stringify(crd), 'in/b.json': JSON.stringify({ ...CACHE, spec: spec(CACHE.spec, 400) }) };
  const { stdout } = await rolloutkit('check --no-config --require-planned in', { files });
  expect(stdout).toContain('error  crds/invalid-object');
});

import { parse } from 'yaml';
import { planChange, planManifests, planSources } from '../../src/headless';
import { nameOf } from '../../src/core/manifest/manifest';
import type { Manifest } from '../../src/core/manifest/manifest';
import { checkCustomResources } from '../../src/crds/check-custom-resources';
import { CrdRegistry } from '../../src/crds/crd-registry';
import { factsOf } from '../facts';
import { rolloutkit } from '../cli/command-line';

function definition(size: string): string {
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: lamps.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { kind: Lamp, plural: lamps, singular: lamp }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, properties: { spec: { type: object, properties: { ${size} } } } } }
`;
}

const ANY_SIZE = definition('size: { type: integer }');
const SMALL = definition('size: { type: integer, x-kubernetes-validations: [{ rule: "self < 3", message: too large }] }');
const NO_SIZE = definition('color: { type: string }');

function lamp(size: number): string {
  return `apiVersion: example.com/v1
kind: Lamp
metadata: { name: a, namespace: shop }
spec: { size: ${size} }
`;
}

async function check(
  args: string,
  files: Readonly<Record<string, string>>,
): Promise<readonly [exitCode: number, findings: readonly string[]]> {
  const { exitCode, stdout } = await rolloutkit(`check ${args}`, { files });
  return [exitCode, [...stdout.matchAll(/^(?:error|warning|info) {2}.*/gm)].map(([line]) => line.replaceAll(/ {2,}/g, ' '))];
}

describe('the CRDs that come with a change decide about its custom resources', () => {
  test('one whose rule refuses the object', async () => {
    expect(await check('new', { 'new/crd.yaml': ANY_SIZE, 'new/lamp.yaml': lamp(5) })).toEqual([0, []]);
    expect(await check('new', { 'new/crd.yaml': SMALL, 'new/lamp.yaml': lamp(5) })).toEqual([
      1,
      ['error crds/invalid-object new/lamp.yaml:4:9 spec.size'],
    ]);
    const old = { 'old/crd.yaml': ANY_SIZE, 'old/lamp.yaml': lamp(2) };
    expect(await check('--from old new', { ...old, 'new/crd.yaml': SMALL, 'new/lamp.yaml': lamp(5) })).toEqual([
      1,
      ['error change/refused new/lamp.yaml:4:9 spec.size'],
    ]);
    expect(await check('--from old new', { ...old, 'new/crd.yaml': SMALL, 'new/lamp.yaml': lamp(1) })).toEqual([0, []]);
  });

  test('a limit that excludes its own value is named as such', async () => {
    const limits = 'size: { type: integer, minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true }';
    const messageOf = async (size: number) => {
      const { stdout } = await rolloutkit('check new', { files: { 'new/crd.yaml': definition(limits), 'new/lamp.yaml': lamp(size) } });
      return stdout
        .split('\n')
        .find((line) => line.includes('requires'))
        ?.trim();
    };
    const text = (size: number, limit: string) =>
      `${size} is not a number ${limit}, as lamps.example.com requires: the API server refuses the object.`;
    expect([await messageOf(0), await messageOf(9), await messageOf(5)]).toEqual([text(0, 'above 0'), text(9, 'below 9'), undefined]);
  });

  test('one that drops a field of an object that does not change', async () => {
    const files = {
      'old/crd.yaml': ANY_SIZE,
      'old/lamp.yaml': lamp(5),
      'new/crd.yaml': NO_SIZE,
      'new/lamp.yaml': lamp(5),
    };
    expect(await check('--from old new', files)).toEqual([0, ['warning input/unknown-field new/lamp.yaml:4:9 spec.size']]);
  });

  test('next to those of --crds, which it does not replace', async () => {
    const files = { 'crds.yaml': SMALL, 'new/crd.yaml': ANY_SIZE, 'new/lamp.yaml': lamp(5) };
    expect(await check('new --crds crds.yaml', files)).toEqual([1, ['error crds/invalid-object new/lamp.yaml:4:9 spec.size']]);
    expect(await check('new --crds crds.yaml', { ...files, 'new/crd.yaml': SMALL })).toEqual([
      1,
      ['error crds/invalid-object new/lamp.yaml:4:9 spec.size'],
    ]);
  });

  test('of several that differ, the one of the unit of the object', async () => {
    const files = {
      'new/a/kustomization.yaml': 'resources: [crd.yaml, lamp.yaml]\n',
      'new/a/crd.yaml': ANY_SIZE,
      'new/a/lamp.yaml': lamp(5),
      'new/b/kustomization.yaml': 'resources: [crd.yaml, lamp.yaml]\n',
      'new/b/crd.yaml': SMALL,
      'new/b/lamp.yaml': lamp(5),
    };
    expect(await check('new', files)).toEqual([1, ['error crds/invalid-object new/b/lamp.yaml:4:9 spec.size']]);
  });
});

describe('every entry reads the CRDs of its input', () => {
  const objects = [SMALL, lamp(5)].map((text) => parse(text) as object);
  const codes = (findings: readonly { readonly code: string; readonly path: string }[]) =>
    findings.map(({ code, path }) => `${code} ${path}`);

  test('the library', () => {
    expect(codes(planManifests(objects).findings)).toEqual(['crds/invalid-object spec.size']);
    expect(codes(planSources([{ path: 'a/all.yaml', text: `${SMALL}---\n${lamp(5)}` }]).findings)).toEqual([
      'crds/invalid-object spec.size',
    ]);
    const old = [ANY_SIZE, lamp(2)].map((text) => parse(text) as object);
    expect(codes(planChange(old, objects).findings)).toEqual(['change/refused spec.size']);
  });

  test('fix, which knows the fields of a CRD', async () => {
    const { stdout } = await rolloutkit('fix new --dry-run', {
      files: { 'new/crd.yaml': ANY_SIZE, 'new/lamp.yaml': lamp(5).replace('size', 'sise') },
    });
    expect(stdout).toContain('sise');
  });
});

describe('a CRD with a schema that the API server refuses', () => {
  const INVALID = definition('size: { type: integer, minLength: two }');
  const message =
    'spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[size].minLength is "two", which is not a whole number';

  test('is an error, since it does not decide about its custom resources', async () => {
    const { exitCode, stdout } = await rolloutkit('check new', { files: { 'new/crd.yaml': INVALID, 'new/lamp.yaml': lamp(5) } });
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining(message)]);
  });

  test('is one in a change, once', async () => {
    const old = { 'old/crd.yaml': ANY_SIZE, 'old/lamp.yaml': lamp(5) };
    const { exitCode, stdout } = await rolloutkit('check --from old new', {
      files: { ...old, 'new/crd.yaml': INVALID, 'new/lamp.yaml': lamp(6) },
    });
    expect([exitCode, stdout.split(`refused`).length > 1, stdout.split(message).length]).toEqual([1, true, 2]);
  });
});

test.each([
  ['required: [5]', 'required[0] is 5, which is not a string'],
  [
    'x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [size, { a: 1 }]',
    'x-kubernetes-list-map-keys[1] is a map, which is not a string',
  ],
])('a schema with %s is refused, and the rules that read its length end nothing', (keyword, expected) => {
  const items = `{ type: object, ${keyword}, properties: { size: { type: integer } } }`;
  const crd = definition(
    `list: { type: array, items: ${items} }, all: { type: array, x-kubernetes-validations: [{ rule: "self.all(x, x.size > 0)" }], items: ${items} }`,
  );
  const { findings } = planManifests([parse(crd), parse(lamp(5))]);
  expect(findings.map(({ code, message }) => [code, message])).toEqual([['kubernetes/refused-object', expect.stringContaining(expected)]]);
});

// Compared with apiextensions-apiserver v0.34.4, whose decoder makes null an empty text.
test('a schema that requires null is accepted, and no object has such a field', () => {
  const list = `{ type: array, items: { type: object, required: [null], properties: { size: { type: integer } } }, x-kubernetes-validations: [{ rule: "self.all(x, x.size > 0)" }] }`;
  const lampWith = (spec: object) => ({ ...(parse(lamp(5)) as object), spec });
  const findingsAbout = (spec: object) => planManifests([parse(definition(`list: ${list}`)), lampWith(spec)]).findings;
  expect(findingsAbout({ list: [] })).toEqual([]);
  expect(findingsAbout({ list: [{ size: 1 }] }).map(({ code, path }) => [code, path])).toEqual([
    ['crds/invalid-object', 'spec.list[0][""]'],
  ]);
});

test('an object on which its validation fails is one finding, and the others are validated', () => {
  class BrittleRegistry extends CrdRegistry {
    override get(object: Manifest) {
      if (nameOf(object) === 'brittle') throw new TypeError('no text');
      return super.get(object);
    }
  }
  const registry = new BrittleRegistry([parse(SMALL) as Manifest]);
  const lamps = ['brittle', 'a'].map((name): Manifest => ({ ...(parse(lamp(5)) as Manifest), metadata: { name, namespace: 'shop' } }));
  expect(factsOf(checkCustomResources(lamps, registry, () => ({ file: 'lamps.yaml', line: 1 })))).toMatchObject([
    {
      code: 'input/unreadable',
      severity: 'error',
      messageId: 'failed',
      data: { resource: 'Lamp shop/brittle', error: 'no text' },
      source: { file: 'lamps.yaml', line: 1 },
    },
    { code: 'crds/invalid-object', path: 'spec.size' },
  ]);
});

describe('a CRD with a rule that the API server does not compile is refused', () => {
  const FIELDS =
    'i: { type: integer }, num: { type: number }, s: { type: string }, b: { type: boolean }, t: { type: string, format: date-time }, l: { type: array, items: { type: string } }';
  const withRule = (rule: string) =>
    definition(FIELDS).replace(`${FIELDS} }`, `${FIELDS} }, x-kubernetes-validations: [{ rule: ${JSON.stringify(rule)} }]`);
  const findProblem = async (rule: string) => {
    const { stdout } = await rolloutkit('check crd.yaml', { files: { 'crd.yaml': withRule(rule) } });
    return /x-kubernetes-validations\[0\]\.rule (.*?): /.exec(stdout)?.[1];
  };

  test.each([
    ['1 == 1.0', 'compares the types int and double with =='],
    ['self.num == 1', 'compares the types double and int with =='],
    ['self.s != 5', 'compares the types string and int with !='],
    ["self.b == 'true'", 'compares the types bool and string with =='],
    ['self.i > 0 && size(self.s) == 1.0', 'compares the types int and double with =='],
    ['self.l[0] == 1', 'compares the types string and int with =='],
    ['9223372036854775808 > self.i', 'has the number 9223372036854775808, which does not fit into 64 bits'],
    ['self.s', 'is of the type string instead of bool'],
  ])('%s', async (rule, problem) => {
    expect(await findProblem(rule)).toBe(problem);
  });

  test.each([
    '1 < 1.0',
    'self.num == 1.0',
    'self.i < 1.5',
    "self.s == 'a'",
    '-9223372036854775808 < self.i',
    'self.l.all(self, self == "a")',
    'self.b',
  ])('but not for %s', async (rule) => {
    expect(await findProblem(rule)).toBeUndefined();
  });
});

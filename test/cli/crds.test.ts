import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Finding } from '../../src/core/findings/finding';
import { expectValidCheck } from '../plan-schema';
import type { PlannedChange } from '../../src/core/document/change';
import type { PlanDocument } from '../../src/core/document/plan-document';
import { SOUND } from '../crds/mutated-objects';
import { VAULT } from '../crds/mutated-vaults';
import { rolloutkit } from './command-line';
import { WEB } from './manifests';

const CRD = readFileSync(path.join(__dirname, '../fixtures/crds/own-v1/cache.yaml'), 'utf8');

function cache(spec: object, more: object = {}): string {
  return JSON.stringify({ ...SOUND, ...more, spec: { ...(SOUND.spec as object), ...spec } });
}

async function checked(args: string, files: Readonly<Record<string, string>>) {
  const { exitCode, stdout, stderr } = await rolloutkit(`check ${args} --format json`, { files });
  const findings = exitCode === 2 ? [] : expectValidCheck(JSON.parse(stdout) as { findings: readonly Finding[] }).findings;
  return {
    exitCode,
    stderr,
    findings: findings.map(({ severity, code, messageId, path: at, data, source }) => ({
      severity,
      code,
      messageId,
      path: at,
      data,
      line: source?.line,
    })),
  };
}

test('an object that is valid for its CRD has no finding', async () => {
  expect(await checked('cache.json --crds crds', { 'cache.json': cache({}), 'crds/cache.yaml': CRD })).toEqual({
    exitCode: 0,
    stderr: '',
    findings: [],
  });
});

test('a rule that an object breaks is reported in the words of the CRD, with its field and line', async () => {
  const yaml = `apiVersion: shop.example/v1
kind: Cache
metadata: {name: front}
spec:
  size: 4
  mode: Large
  zones: [a]
  sise: 3
`;
  const { exitCode, findings } = await checked('. --crds crds/cache.yaml --exclude crds', { 'cache.yaml': yaml, 'crds/cache.yaml': CRD });
  const crd = 'caches.shop.example';
  expect(exitCode).toBe(1);
  expect(findings.map(({ data, ...finding }) => ({ ...finding, data: { ...data, knownFields: undefined } }))).toEqual([
    {
      severity: 'error',
      code: 'crds/invalid-object',
      messageId: 'rule',
      path: 'spec',
      data: { crd, value: { described: 'a map' }, errorMessage: 'a large one has 8, not 4' },
      line: 4,
    },
    {
      severity: 'error',
      code: 'crds/invalid-object',
      messageId: 'rule',
      path: 'spec.zones',
      data: { crd, value: { described: 'a map' }, errorMessage: 'zones begin with zone-' },
      line: 7,
    },
    {
      severity: 'warning',
      code: 'input/unknown-field',
      messageId: 'unknown',
      path: 'spec.sise',
      data: { parentPath: 'spec', field: 'sise', reader: 'the API server', nearest: 'size' },
      line: 8,
    },
  ]);
});

test('a rule that is not evaluated is reported once', async () => {
  const rules = [
    'self == oldSelf',
    'format.uri().validate(self.name).value().size() > 0',
    "self.`name` != ''",
    "!isSemver(self.?name.orValue(''))",
  ];
  const crd = CRD.replace(
    'x-kubernetes-validations:\n                - ',
    `x-kubernetes-validations:\n${rules.map((rule) => `                - {rule: ${JSON.stringify(rule)}}\n`).join('')}                - `,
  );
  const twice = `${cache({})}\n${cache({}, { metadata: { name: 'back' } })}`;
  const { exitCode, findings } = await checked('cache.json --crds crds --versions kubernetes=1.32', {
    'cache.json': twice,
    'crds/cache.yaml': crd.replace('                - {rule: "self.number', '                - {rule: "self.number'),
  });
  const about = { crd: 'caches.shop.example', apiVersion: 'shop.example/v1' };
  expect(exitCode).toBe(0);
  expect(findings.map(({ severity, code, data }) => ({ severity, code, data }))).toEqual(
    [
      { rule: rules[1], reason: { why: 'functions', names: ['format.uri'] } },
      { rule: rules[2], reason: { why: 'syntax' } },
      { rule: rules[3], reason: { why: 'newer', names: ['isSemver'], since: '1.33', version: '1.32' } },
      { rule: rules[0], reason: { why: 'transition' } },
    ].map((data) => ({ severity: 'info', code: 'crds/rule-not-evaluated', data: { ...about, ...data } })),
  );
});

test('a version that the CRD does not serve is an error', async () => {
  const { findings } = await checked('cache.json --crds crds', {
    'cache.json': cache({}, { apiVersion: 'shop.example/v2' }),
    'crds/cache.yaml': CRD,
  });
  expect(findings).toMatchObject([
    { code: 'crds/not-served', path: 'apiVersion', data: { apiVersion: 'shop.example/v2', kind: 'Cache', served: ['shop.example/v1'] } },
  ]);
});

test.each([
  ['crds', { 'crds/web.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n' }, 'contains no CustomResourceDefinition'],
  ['crds', { 'crds/web.yaml': 'a: [\n' }, '--crds: crds/web.yaml:'],
  ['nowhere', {}, 'rolloutkit: --crds: cannot read nowhere: no such file or folder\n'],
  [
    'crds.yaml --budget total-megabytes=1',
    { 'crds.yaml': `# ${'x'.repeat(1_100_000)}\n` },
    'rolloutkit: --crds: crds.yaml:1: The file crds.yaml cannot be read: it and the files before it are larger than 1 megabyte. Raise the budget with --budget total-megabytes=2, if you trust this input.\n',
  ],
])('--crds %s with %j cannot run', async (crds, files, message) => {
  const { exitCode, stderr } = await checked(`cache.json --crds ${crds}`, { 'cache.json': cache({}), ...files });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
});

describe('a CRD with an invalid schema is refused with its name and the field', () => {
  const TEXT = { type: 'string' };
  const object = (properties: object) => ({ type: 'object', properties });

  test('a number or a text may name its types', async () => {
    const intOrString = { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }], pattern: '^[0-9]+%$' };
    const versions = [
      { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: object({ spec: object({ n: intOrString }) }) } },
    ];
    const spec = { group: 'example.com', scope: 'Namespaced', names: { kind: 'Widget', plural: 'widgets' }, versions };
    const crd = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
      spec,
    };
    expect(await checked('cache.json --crds crd.json', { 'cache.json': cache({}), 'crd.json': JSON.stringify(crd) })).toMatchObject({
      stderr: '',
    });
  });

  test.each<[string, unknown, string]>([
    ['a list of rules that is a number', { 'x-kubernetes-validations': -0.1 }, '.x-kubernetes-validations is -0.1, which is not a list'],
    ['a rule without its text', { 'x-kubernetes-validations': [{ message: 'no' }] }, '.x-kubernetes-validations[0] has no rule'],
    [
      'a rule that is a map',
      { 'x-kubernetes-validations': [{ rule: {} }] },
      '.x-kubernetes-validations[0].rule is {}, which is not a string',
    ],
    [
      'a field without a schema',
      { properties: { spec: { items: { required: 7 } } } },
      '.properties[spec].items.required is 7, which is not a list',
    ],
    ['an alternative that is null', { anyOf: [{}, null] }, '.anyOf[1] is null, which is not a map'],
    ['no map', [], ' is [], which is not a map'],
    ['no type', { properties: {} }, '.type is missing'],
    ['a list without items', object({ l: { type: 'array' } }), '.properties[l].items is missing'],
    [
      'a pattern that Go cannot compile',
      object({ s: { type: 'string', pattern: '(?=a)' } }),
      '.properties[s].pattern is not a regular expression that Go can compile',
    ],
    [
      'a list of unique items',
      object({ l: { type: 'array', items: TEXT, uniqueItems: true } }),
      '.properties[l].uniqueItems cannot be true',
    ],
    [
      'a type that no schema has',
      object({ s: { type: 'strange' } }),
      '.properties[s].type is none of array, boolean, integer, number, object, string',
    ],
    [
      'unknown fields that are not kept',
      object({ m: { type: 'object', 'x-kubernetes-preserve-unknown-fields': false } }),
      '.properties[m].x-kubernetes-preserve-unknown-fields is false; it must be true or left out',
    ],
    [
      'properties and additionalProperties',
      object({ m: { type: 'object', properties: { a: TEXT }, additionalProperties: false } }),
      '.properties[m].additionalProperties and properties exclude each other',
    ],
    ['a reference', object({ r: { $ref: '#/definitions/r' } }), '.properties[r].$ref is not supported'],
    ['a type in an alternative', object({ s: { ...TEXT, allOf: [TEXT] } }), '.properties[s].allOf[0].type must be empty there'],
    [
      'a list that is a map without keys',
      object({ l: { type: 'array', items: object({}), 'x-kubernetes-list-type': 'map' } }),
      '.properties[l].x-kubernetes-list-map-keys is empty, although the list type is map',
    ],
  ])('%s', async (_, openAPIV3Schema, message) => {
    const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }];
    const spec = { group: 'shop.example', scope: 'Namespaced', names: { kind: 'Cache', plural: 'caches' }, versions };
    const crd = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'caches.shop.example' },
      spec,
    };
    expect(await checked('cache.json --crds crd.json', { 'cache.json': cache({}), 'crd.json': JSON.stringify(crd) })).toEqual({
      exitCode: 2,
      stderr: `rolloutkit: --crds: the CustomResourceDefinition caches.shop.example cannot be used: spec.versions[0].schema.openAPIV3Schema${message}\n`,
      findings: [],
    });
  });
});

test('an integer has at most 64 bits, also without a format', async () => {
  const schema = { type: 'object', properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } } };
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }];
  const names = { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' };
  const spec = { group: 'example.com', scope: 'Namespaced', names, versions };
  const crd = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: 'widgets.example.com' }, spec };
  const exitCodeFor = async (size: string) => {
    const widget = `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w, namespace: shop}\nspec: {size: ${size}}\n`;
    return (await checked('widget.yaml --crds crd.json', { 'widget.yaml': widget, 'crd.json': JSON.stringify(crd) })).exitCode;
  };
  expect([await exitCodeFor('9223372036854775807'), await exitCodeFor('1e19')]).toEqual([0, 1]);
});

describe('with OLD', () => {
  const VAULTS = readFileSync(path.join(__dirname, '../fixtures/crds/own-v1/vault.yaml'), 'utf8');

  async function changed(old: object, next: object, more = '') {
    const files = { 'crds/vault.yaml': VAULTS, 'old.json': JSON.stringify(old), 'new.json': JSON.stringify(next) };
    const { stdout } = await rolloutkit(`plan --from old.json new.json --crds crds ${more}--format json`, { files });
    const { change, findings } = JSON.parse(stdout) as PlanDocument & { readonly change: PlannedChange };
    const [object] = change.objects;
    return { effect: object!.effect, refusal: object!.refusal, findings: findings.map(({ code, path: at }) => [code, at]) };
  }

  test('a change that a transition rule of the CRD forbids is refused, in the words of the rule', async () => {
    expect(await changed(VAULT, { ...VAULT, spec: { ...(VAULT.spec as object), zone: 'west' } })).toEqual({
      effect: 'refused',
      refusal: { path: 'spec.zone', message: 'Invalid value: zone is immutable' },
      findings: [['change/refused', 'spec.zone']],
    });
  });

  test('a change that every rule allows is not refused, and every rule is evaluated', async () => {
    expect(await changed(VAULT, { ...VAULT, spec: { ...(VAULT.spec as object), replicas: 4 } })).toEqual({
      effect: 'unknown',
      refusal: undefined,
      findings: [],
    });
  });

  test.each([
    ['1.34', 'unknown'],
    ['1.29', 'refused'],
  ])('a rule that was broken before passes from 1.30 on: with %s the change is %s', async (version, effect) => {
    const broken = { ...VAULT, spec: { ...(VAULT.spec as object), mode: 'ajar' } };
    const next = { ...broken, spec: { ...broken.spec, replicas: 4 } };
    expect((await changed(broken, next, `--versions kubernetes=${version} `)).effect).toBe(effect);
  });

  test('a new object is validated against the rules that are not transition rules', async () => {
    const other = { ...VAULT, metadata: { name: 'other' } };
    expect((await changed(other, { ...VAULT, spec: { ...(VAULT.spec as object), zone: 'w' } })).refusal).toEqual({
      path: 'spec.zone',
      message: 'Invalid value: "w": should be at least this many characters long: 2 (and 1 further error: spec.ports[1].number)',
    });
  });

  test.each<readonly [what: string, rules: readonly object[], further: string]>([
    ['none is listed', [{ rule: 'self.size > 1' }, { rule: 'self.size > 2' }], '(and 1 further error)'],
    [
      'that of a field is listed',
      [{ rule: 'self.size > 1' }, { rule: 'self.size > 2', fieldPath: '.size' }],
      '(and 1 further error: size)',
    ],
  ])('errors about the whole object have no path: %s', async (_, rules, further) => {
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'boxes.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'boxes', kind: 'Box' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: { type: 'object', properties: { size: { type: 'integer' } }, 'x-kubernetes-validations': rules },
            },
          },
        ],
      },
    };
    const box = (name: string) => ({ apiVersion: 'example.com/v1', kind: 'Box', metadata: { name }, size: 1 });
    const files = {
      'crds/boxes.json': JSON.stringify(definition),
      'old.json': JSON.stringify(box('a')),
      'new.json': JSON.stringify(box('b')),
    };
    const { stdout } = await rolloutkit('plan --from old.json new.json --crds crds --format json', { files });
    const { change } = JSON.parse(stdout) as PlanDocument & { readonly change: PlannedChange };
    const [message] = change.objects.flatMap(({ refusal }) => refusal?.message ?? []);
    expect(message?.slice(message.indexOf(' (and') + 1)).toBe(further);
  });
});

describe('a fault of a field that another rule reports is not reported again with the CRD of --crds', () => {
  const crd = (group: string, kind: string, version: string, spec: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${kind.toLowerCase()}s.${group}}
spec:
  group: ${group}
  names: {kind: ${kind}, plural: ${kind.toLowerCase()}s}
  scope: Namespaced
  versions:
    - name: ${version}
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {${spec}}}}}}
`;
  const TERM =
    '{type: object, required: [key, operator], properties: {key: {type: string}, operator: {type: string}, values: {type: array, items: {type: string}}}}';
  const GROUP_CRD = crd(
    'fleet.cattle.io',
    'ClusterGroup',
    'v1alpha1',
    `selector: {type: object, properties: {matchExpressions: {type: array, items: ${TERM}}}}`,
  );
  const PREDICTOR =
    'predictor: {type: object, properties: {minReplicas: {type: integer}, model: {type: object, x-kubernetes-preserve-unknown-fields: true}}}';
  const SERVICE_CRD = crd('serving.kserve.io', 'InferenceService', 'v1beta1', PREDICTOR);
  const SERVICE = `apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: {name: m, namespace: models}
spec:
  predictor: {minReplica: 3, logger: {mode: all}, model: {modelFormat: {name: sklearn}}}
`;
  const group = (annotations: string) => `apiVersion: fleet.cattle.io/v1alpha1
kind: ClusterGroup
metadata: {name: live, annotations: {${annotations}}}
spec: {selector: {matchExpressions: [{operator: In, values: [prod]}]}}
`;

  /** Returns the findings about fields, with or without a rollout. */
  async function reportedBy(args: string, object: string, definition: string): Promise<string[]> {
    const files = { 'a.yaml': object, 'crds/crd.yaml': definition, 'old.yaml': WEB };
    const { stdout } = await rolloutkit(`${args} a.yaml --format json`, { files });
    const { findings, rollouts = [] } = JSON.parse(stdout) as Partial<PlanDocument> & Pick<PlanDocument, 'findings'>;
    return [...findings, ...rollouts.flatMap((rollout) => rollout.findings)]
      .filter(({ code }) => ['crds/invalid-object', 'fleet/invalid-selector', 'input/unknown-field'].includes(code))
      .map(({ code, path: at, suppressed }) => `${code} ${at}${suppressed ? ', suppressed' : ''}`)
      .toSorted();
  }

  test.each(['plan', 'plan --from old.yaml', 'check'])(
    'an unknown field of a rollout, unlike one that only the CRD lacks, in %s',
    async (command) => {
      const fields = ['input/unknown-field spec.predictor.logger', 'input/unknown-field spec.predictor.minReplica'];
      expect(await reportedBy(`${command} --crds crds`, SERVICE, SERVICE_CRD)).toEqual(fields);
      expect(await reportedBy(command, SERVICE, SERVICE_CRD)).toEqual(fields.slice(1));
    },
  );

  test('a broken selector, also with the CRD among the paths', async () => {
    const expected = ['fleet/invalid-selector spec.selector.matchExpressions[0].key'];
    expect(await reportedBy('check --crds crds', group(''), GROUP_CRD)).toEqual(expected);
    expect(await reportedBy('check crds', group(''), GROUP_CRD)).toEqual(expected);
  });

  test('but an error of the CRD is, if the other one is suppressed', async () => {
    const [annotation, place] = ['rolloutkit/ignore: "fleet/invalid-selector: known"', 'spec.selector.matchExpressions[0].key'];
    expect(await reportedBy('check --crds crds', group(annotation), GROUP_CRD)).toEqual([
      `crds/invalid-object ${place}`,
      `fleet/invalid-selector ${place}, suppressed`,
    ]);
  });
});

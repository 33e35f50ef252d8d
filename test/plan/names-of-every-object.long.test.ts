import { planChange } from '../../src/change/plan-change';
import { collectFindings } from '../../src/core/document/plan-document';
import type { PlanDocument } from '../../src/core/document/plan-document';
import type { Manifest } from '../../src/core/manifest/manifest';
import { readFiles } from '../../src/input/read';
import { planManifests } from '../../src/plan/plan';
import { PLAN_READING } from '../../src/plan/registry';
import { RULES } from '../../src/plan/rules';
import { buildPlanPage } from '../../src/render/html/page';
import { renderPlanText } from '../../src/render/text/plan';
import { sampleOf } from '../setup/recording-step';

/** Names that every JavaScript object inherits: constructor is a function, and __proto__ an object. */
const NAMES = ['constructor', '__proto__'];

interface Place {
  readonly path: string;
  readonly value: unknown;
  readonly put: (other: unknown) => unknown;
}

function withField(map: object, name: string, value: unknown): object {
  return Object.defineProperty({ ...map }, name, { value, enumerable: true, configurable: true, writable: true });
}

function placesIn(value: unknown, path: string, put: Place['put']): Place[] {
  const here = { path, value, put };
  if (Array.isArray(value))
    return [here, ...value.flatMap((item: unknown, index) => placesIn(item, `${path}[]`, (other) => put(value.with(index, other))))];
  if (typeof value !== 'object' || value === null) return [here];
  return [
    here,
    ...Object.entries(value).flatMap(([name, inner]) => placesIn(inner, `${path}.${name}`, (other) => put(withField(value, name, other)))),
  ];
}

/** Puts a name at a position: in place of a text or a number, as a field of a map, or as a further item of a list. */
function named(value: unknown, name: string): unknown[] {
  if (Array.isArray(value)) return [[...(value as unknown[]), name]];
  if (typeof value !== 'object' || value === null) return [name];
  return [withField(value, name, Object.values(value)[0] ?? name)];
}

interface Named {
  readonly path: string;
  readonly before: readonly Manifest[];
  readonly after: readonly Manifest[];
}

/** Each position of the rules' examples once, with each name there. */
function corpus(): Named[] {
  const places = new Map<string, readonly [before: readonly Manifest[], at: number, place: Place]>();
  for (const { example } of RULES) {
    const { objects } = readFiles([{ file: 'example.yaml', content: example }], PLAN_READING);
    objects.forEach((object, at) => {
      for (const place of placesIn(object, object.kind, (other) => other)) {
        const key = `${place.path} ${typeof place.value}`;
        if (!places.has(key)) places.set(key, [objects, at, place]);
      }
    });
  }
  return [...places.values()].flatMap(([before, at, { path, value, put }]) =>
    NAMES.flatMap((name) =>
      named(value, name).map((other) => ({ path: `${path}: ${name}`, before, after: before.with(at, put(other) as Manifest) })),
    ),
  );
}

/** The functions in a plan, which JSON would omit. */
function functionsIn(value: unknown, path: string): string[] {
  if (typeof value === 'function') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => functionsIn(inner, `${path}.${name}`));
}

function problemsOf(plan: PlanDocument): string[] {
  const failed = collectFindings(plan).filter(
    ({ messageId, data }) => messageId === 'failed' || JSON.stringify(data).includes('"kind":"failed"'),
  );
  const isShown = /native code|\[object \w+\]/.test(renderPlanText(plan));
  return [...functionsIn(plan, 'plan'), ...failed.map(({ message }) => message), ...(isShown ? ['a function is shown'] : [])];
}

test('a name that every JavaScript object inherits is a name like any other, at any position', () => {
  const compared = sampleOf(corpus());
  const found = compared.flatMap(({ path, before, after }) =>
    [planManifests(after), planChange(before, after), planChange(after, before)]
      .flatMap(problemsOf)
      .map((problem) => `${path}: ${problem}`),
  );
  expect(found).toEqual([]);
});

test('a group and a kind with such a name are unknown', () => {
  const kinds = ['name', 'length', 'prototype', 'constructor'];
  const plan = planManifests(kinds.map((kind) => ({ apiVersion: 'constructor/v1', kind, metadata: { name: 'web' } })));
  expect([plan.findings, plan.rollouts, plan.notPlanned]).toEqual([[], [], []]);
});

test('a KServe metric whose target has the type constructor is treated like any other unknown type', () => {
  const service = (type: string) => ({
    apiVersion: 'serving.kserve.io/v1beta1',
    kind: 'InferenceService',
    metadata: {
      name: 'chat',
      annotations: { 'serving.kserve.io/deploymentMode': 'Standard', 'serving.kserve.io/autoscalerClass': 'keda' },
    },
    spec: {
      predictor: {
        maxReplicas: 3,
        model: { modelFormat: { name: 'sklearn' } },
        autoScaling: { metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type } } }] },
      },
    },
  });
  const messages = (type: string) => collectFindings(planManifests([service(type)])).map(({ message }) => message);
  expect(messages('constructor')).toEqual(messages('another'));
  expect(messages('constructor').join('\n')).toContain('target value type should be Utilization');
});

test('a page has a selection of namespaces even if one is named constructor', () => {
  const deployments = ['constructor', 'shop'].map((namespace) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
    },
  }));
  expect(buildPlanPage(planManifests(deployments))).toContain(
    '<select name="namespace"><option value="">all</option><option value="constructor">constructor</option><option value="shop">shop</option></select>',
  );
});

test('a kubectl apply keeps the fields that it does not name, whatever their names', () => {
  const configMap = (data: object) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data });
  const proto = JSON.parse('{"__proto__": "1", "constructor": "1"}') as object;
  const other = JSON.parse('{"__proto__": "2", "toString": "2"}') as object;
  expect(planChange([configMap(proto)], [configMap(other)]).change.objects.map(({ because }) => because)).toEqual([
    [
      { path: 'data[__proto__]', old: '1', new: '2' },
      { path: 'data[constructor]', old: '1' },
      { path: 'data[toString]', new: '2' },
    ],
  ]);
});

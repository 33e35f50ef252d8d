import type { ValueProblem, ObjectProblem } from '../../src/core/findings/input-problem';
import { diffPlans, planManifests } from '../../src/headless';
import { readFiles } from '../../src/input/read';
import { factsOf } from '../facts';
import { expectValidPlan } from '../plan-schema';
import { sound } from '../sound-workload';

const WEB = sound({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: { replicas: 2 } });

function custom(spec: unknown, name = 'baw') {
  return { apiVersion: 'icp4a.ibm.com/v1', kind: 'ICP4ACluster', metadata: { name }, spec };
}

/** Returns `{x: {x: … {}}}` with a number of levels. */
function nested(levels: number): object {
  let value: object = {};
  for (let level = 1; level < levels; level++) value = { x: value };
  return value;
}

const loop: Record<string, unknown> = { a: {} };
(loop.a as Record<string, unknown>).b = loop;
const listOfItself = { apiVersion: 'v1', kind: 'List', items: [] as unknown[] };
listOfItself.items.push(listOfItself);

describe('a value of a program that a file cannot contain is one finding, and the rest is planned', () => {
  const tooDeep: ObjectProblem = { kind: 'too-deep', levels: 1_000 };
  const baw = 'ICP4ACluster baw';
  test.each<[string, unknown, ObjectProblem, path: string, resource: string | undefined]>([
    ['an object that contains itself', custom(loop), tooDeep, 'spec.a.b', baw],
    ['a list that contains itself', listOfItself, tooDeep, 'items[0]', undefined],
    ['20,000 levels', custom(nested(20_000)), tooDeep, 'spec.x.x.x.x.x', baw],
    [
      'a bigint',
      custom({ strategy: { rolling_update: { max_surge: 1n } } }),
      { kind: 'bigint' },
      'spec.strategy.rolling_update.max_surge',
      baw,
    ],
    ['a bigint in an object with an invalid name', custom(1n, 'x'.repeat(400)), { kind: 'bigint' }, 'spec', undefined],
  ])('%s', (_, object, problem, path, resource) => {
    const { rollouts, findings } = expectValidPlan(planManifests([object, WEB]));
    expect(rollouts.map((rollout) => rollout.resource.name)).toEqual(['web']);
    expect(factsOf(findings)).toEqual([
      {
        code: 'input/unreadable',
        severity: 'error',
        messageId: 'object',
        data: { position: 1, problem, ...(resource !== undefined && { resource }) },
        path,
      },
    ]);
  });

  test.each<[unknown, 'error' | 'info', ValueProblem]>([
    [null, 'info', { kind: 'nothing' }],
    [undefined, 'info', { kind: 'nothing' }],
    [3, 'error', { kind: 'not-a-map', value: 3 }],
    ['kind: Deployment', 'error', { kind: 'not-a-map', value: 'kind: Deployment' }],
    [[WEB], 'error', { kind: 'not-a-map', value: { described: 'a list' } }],
    [{ kind: 'Deployment', spec: {} }, 'error', { kind: 'no-object', missing: ['apiVersion'] }],
    [planManifests([]), 'error', { kind: 'plan-document' }],
  ])('%p, which is not an object', (value, severity, problem) => {
    const { rollouts, findings } = expectValidPlan(planManifests([WEB, value]));
    expect(rollouts.map(({ resource }) => resource.name)).toEqual(['web']);
    expect(factsOf(findings)).toEqual([
      { code: 'input/unreadable', severity, messageId: 'object', data: { position: 2, problem }, path: '' },
    ]);
  });

  test('it does not make a comparison throw', () => {
    const ray = { apiVersion: 'ray.io/v1', kind: 'RayService', metadata: { name: 'llm' }, spec: loop };
    expect(diffPlans(planManifests([ray]), planManifests([ray])).changed).toEqual([]);
  });

  test('a function or a symbol is a value of the wrong type', () => {
    const { rollouts } = planManifests([{ ...WEB, spec: { replicas: () => 2, paused: Symbol('no') } }]);
    expect(factsOf(rollouts[0]!.findings)).toMatchInlineSnapshot(`
[
  {
    "code": "input/wrong-type",
    "data": {
      "expectedType": "a whole number",
      "field": "replicas",
      "value": {
        "described": "a function",
      },
    },
    "messageId": "field",
    "path": "spec.replicas",
    "severity": "error",
  },
  {
    "code": "input/wrong-type",
    "data": {
      "expectedType": "true or false",
      "field": "paused",
      "value": {
        "described": "a symbol",
      },
    },
    "messageId": "field",
    "path": "spec.paused",
    "severity": "error",
  },
]
`);
  });
});

test.each([
  [1_000, 0],
  [1_001, 1],
])('an object of %d levels is read in the same way from a program and from a file', (levels, unreadable) => {
  const object = custom(nested(levels - 1));
  expect(planManifests([object]).findings).toHaveLength(unreadable);
  expect(readFiles([{ file: 'cr.json', content: JSON.stringify(object) }]).findings).toHaveLength(unreadable);
});

test('a repeated part does not contain itself', () => {
  const labels = { app: 'web' };
  expect(planManifests([custom({ a: labels, b: [labels, labels] })]).findings).toEqual([]);
});

describe('planManifests does not throw if reading an object fails', () => {
  const throwing = new Proxy(
    { apiVersion: 'apps/v1', kind: 'Deployment' },
    {
      ownKeys: () => {
        throw new Error('no keys for you');
      },
    },
  );
  const throwingAtOnce = new Proxy(
    {},
    {
      get: () => {
        throw new Error('no fields for you');
      },
    },
  );
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const getter = {
    ...WEB,
    get spec(): object {
      throw new Error('no spec for you');
    },
  };
  const throwingOddly = {
    ...WEB,
    get spec(): object {
      // oxlint-disable-next-line no-throw-literal, typescript/only-throw-error
      throw {
        toString: () => {
          throw new Error('no message');
        },
      };
    },
  };
  test.each<[string, unknown, string, path: string | undefined]>([
    ['a Proxy whose keys cannot be listed', throwing, 'no keys for you', undefined],
    ['a Proxy that throws at every field', throwingAtOnce, 'no fields for you', undefined],
    ['a Proxy that was revoked', revoked.proxy, "Cannot perform 'IsArray' on a proxy that has been revoked", undefined],
    ['a getter that throws', getter, 'no spec for you', 'spec'],
    ['a getter that throws a value whose text throws', throwingOddly, 'an error without a message', 'spec'],
  ])('%s', (_, object, said, path) => {
    const { rollouts, findings } = expectValidPlan(planManifests([object, WEB]));
    expect(rollouts.map(({ resource }) => resource.name)).toEqual(['web']);
    const data = { position: 1, problem: { kind: 'throws', said }, ...(path !== undefined && { resource: 'Deployment web' }) };
    expect(factsOf(findings)).toEqual([{ code: 'input/unreadable', severity: 'error', messageId: 'object', data, path: path ?? '' }]);
  });

  test('a list of objects whose items throw', () => {
    const list = { apiVersion: 'v1', kind: 'List', items: [WEB, throwing] };
    expect(factsOf(planManifests([list]).findings)).toMatchObject([{ messageId: 'object', data: { problem: { kind: 'throws' } } }]);
  });

  test('a getter that returns another value each time is read once', () => {
    let reads = 0;
    const changing = {
      ...WEB,
      get spec() {
        reads++;
        return { replicas: reads };
      },
    };
    expect(planManifests([changing]).rollouts[0]!.resource.name).toBe('web');
    expect(reads).toBe(1);
  });

  test('endless fields', () => {
    const endless: object = new Proxy(
      { apiVersion: 'toys/v1', kind: 'Widget', more: 1 },
      { get: (_, name) => (name === 'more' ? endless : 'x') },
    );
    expect(factsOf(planManifests([endless]).findings)).toMatchObject([{ data: { problem: { kind: 'too-deep' } } }]);
  });
});

describe('a repeated part is visited once', () => {
  /** Returns a map that contains the next one twice, for a number of levels: 2^levels values. */
  function doubled(levels: number): object {
    let value: object = { app: 'web' };
    for (let level = 1; level < levels; level++) value = { a: value, b: value };
    return value;
  }

  test('16 levels are planned; 25 and 900 are a finding, without delay', () => {
    expect(planManifests([custom(doubled(16))]).findings).toEqual([]);
    for (const levels of [25, 900]) {
      const data = { position: 1, problem: { kind: 'too-large', values: 1_000_000 } };
      expect(factsOf(planManifests([custom(doubled(levels))]).findings)).toMatchObject([{ messageId: 'object', data }]);
    }
  });

  test('the depth of a repeated part counts from each position', () => {
    const part = nested(600);
    const { findings } = planManifests([
      custom({ a: part, b: { c: nested(300), d: [part] } }),
      custom({ a: { b: part }, c: part }, 'other'),
    ]);
    expect(findings).toEqual([]);
    let deep: object = part;
    for (let level = 0; level < 500; level++) deep = { deep };
    expect(factsOf(planManifests([custom({ part, deep })]).findings)).toMatchObject([{ data: { problem: { kind: 'too-deep' } } }]);
  });

  test('a list with a huge length and no items is rejected', () => {
    const items: unknown[] = [];
    items.length = 4_294_967_295;
    expect(factsOf(planManifests([custom({ items })]).findings)).toMatchObject([{ data: { problem: { kind: 'too-large' } } }]);
  });
});

test('a name with a meaning in JavaScript is a normal name', () => {
  const object = JSON.parse(
    '{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","__proto__":{"namespace":"shop"}},"spec":{}}',
  ) as object;
  expect(planManifests([object]).rollouts[0]!.resource).toEqual({ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' });
});

test('an item that is undefined is null, as JSON writes it, which the API server refuses', () => {
  const withItem = (item: unknown) => {
    const labels = { app: 'web' };
    const template = { metadata: { labels }, spec: { containers: [item, { name: 'web', image: 'web:1' }] } };
    return { ...WEB, spec: { replicas: 2, selector: { matchLabels: labels }, template } };
  };
  const found = (item: unknown) => planManifests([withItem(item)]).rollouts[0]!.findings.map(({ code, path }) => `${code} ${path}`);

  expect(found(undefined)).toEqual(found(null));
  expect(found(undefined)).toContain('kubernetes/invalid-workload spec.template.spec.containers[0].name');
});

import type { ObjectProblem } from '../../src/core/rules/unreadable';
import { diffPlans, planManifests } from '../../src/headless';
import { readFiles } from '../../src/input/read';
import { factsOf } from '../facts';
import { expectValidPlan } from '../plan-schema';

const WEB = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: { replicas: 2 } };

function custom(spec: unknown) {
  return { apiVersion: 'icp4a.ibm.com/v1', kind: 'ICP4ACluster', metadata: { name: 'baw' }, spec };
}

/** `{x: {x: … {}}}` of so many levels. */
function nested(levels: number): object {
  let value: object = {};
  for (let level = 1; level < levels; level++) value = { x: value };
  return value;
}

const loop: Record<string, unknown> = { a: {} };
(loop.a as Record<string, unknown>).b = loop;
const listOfItself = { apiVersion: 'v1', kind: 'List', items: [] as unknown[] };
listOfItself.items.push(listOfItself);

describe('what a program gives and no file could hold is one finding, and the rest is planned', () => {
  const tooDeep: ObjectProblem = { kind: 'too-deep', levels: 1_000 };
  test.each<[string, unknown, ObjectProblem]>([
    ['an object that contains itself', custom(loop), tooDeep],
    ['a list that contains itself', listOfItself, tooDeep],
    ['20,000 levels', custom(nested(20_000)), tooDeep],
    ['a bigint', custom({ strategy: { rolling_update: { max_surge: 1n } } }), { kind: 'bigint' }],
  ])('%s', (_, object, problem) => {
    const { rollouts, findings } = expectValidPlan(planManifests([object, WEB]));
    expect(rollouts.map(({ resource }) => resource.name)).toEqual(['web']);
    expect(factsOf(findings)).toEqual([
      {
        code: 'input/unreadable',
        severity: 'error',
        messageId: 'object',
        data: { position: 1, problem },
        path: '',
      },
    ]);
  });

  test('nor does it make a comparison throw', () => {
    const ray = { apiVersion: 'ray.io/v1', kind: 'RayService', metadata: { name: 'llm' }, spec: loop };
    expect(diffPlans(planManifests([ray]), planManifests([ray]), { old: [ray], new: [ray] }).changed).toEqual([]);
  });

  test('a function or a symbol is a value of the wrong type', () => {
    const { rollouts } = planManifests([{ ...WEB, spec: { replicas: () => 2, paused: Symbol('no') } }]);
    expect(factsOf(rollouts[0]!.findings)).toMatchInlineSnapshot(`
[
  {
    "code": "input/wrong-type",
    "data": {
      "field": "replicas",
      "value": {
        "described": "a function",
      },
      "wanted": "a whole number",
    },
    "messageId": "field",
    "path": "spec.replicas",
    "severity": "error",
  },
  {
    "code": "input/wrong-type",
    "data": {
      "field": "paused",
      "value": {
        "described": "a symbol",
      },
      "wanted": "true or false",
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
])('an object of %d levels is read alike from a program and from a file', (levels, unreadable) => {
  const object = custom(nested(levels - 1));
  expect(planManifests([object]).findings).toHaveLength(unreadable);
  expect(readFiles([{ file: 'cr.json', content: JSON.stringify(object) }]).findings).toHaveLength(unreadable);
});

test('a part that stands in several places is no part of itself', () => {
  const labels = { app: 'web' };
  expect(planManifests([custom({ a: labels, b: [labels, labels] })]).findings).toEqual([]);
});

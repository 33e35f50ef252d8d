import { addRefusedObjects, withRefusals } from '../../src/change/compare/refused-objects';
import { Deadline } from '../../src/core/budget/deadline';
import type { Manifest } from '../../src/core/manifest/manifest';
import { DEFAULT_BUDGET } from '../../src/input/read-budget';
import type { PlanBudget } from '../../src/input/read-budget';
import { planChange } from '../../src/change/plan-change';
import { planManifests } from '../../src/plan/plan';
import { factsOf } from '../facts';
import { expectValidPlan } from '../plan-schema';

const MEGABYTE = 1_000_000;

function deployment(name: string): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'shop' },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: 'a' } },
      strategy: { type: 'Recreate' },
      template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'a', image: 'a:1' }] } },
    },
  };
}

/** A budget that blocks evictions. The findings of each of its workloads contain its name. */
function budgetNamed(name: string): object {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name, namespace: 'shop' },
    spec: { maxUnavailable: 0, selector: { matchLabels: { app: 'a' } } },
  };
}

function leftOut(data: object): object {
  return { code: 'input/unreadable', severity: 'error', messageId: 'overBudget', path: '', data };
}

test('a plan above its size limit omits what does not fit, and reports that', () => {
  const large = 'x'.repeat(0.4 * MEGABYTE);
  const objects = [deployment('a'), deployment(large), deployment('b')];
  const { rollouts, findings, summary } = expectValidPlan(planManifests(objects, { budget: { 'output-megabytes': 0.3 } }));
  expect(rollouts.map(({ resource }) => resource.name)).toEqual(['a', 'b']);
  expect(factsOf(findings)).toEqual([
    leftOut({
      limit: 0.3,
      omittedOutput: { budget: 'output-megabytes', rollouts: 1, findings: 0, first: { described: `"Deployment shop/${'x'.repeat(60)}…"` } },
    }),
  ]);
  expect(summary).toMatchObject({ rollouts: 2, errors: 1 });
});

test('a long name with many workloads stays within the budget, although 3 MB of input would become more than 600 MB of output', () => {
  const objects = [budgetNamed('b'.repeat(MEGABYTE)), ...Array.from({ length: 300 }, (_, index) => deployment(`web-${index}`))];
  const { rollouts, findings } = planManifests(objects, { budget: { 'output-megabytes': 20 } });
  expect(rollouts.length).toBeLessThan(20);
  expect(findings.at(-1)).toMatchObject({
    messageId: 'overBudget',
    data: { limit: 20, omittedOutput: { rollouts: 300 - rollouts.length } },
  });
});

test.each([
  ['a plan', () => planManifests([deployment('a')], { budget: { seconds: 1e-9 } })],
  ['the plan of a change', () => planChange([], [deployment('a')], { budget: { seconds: 1e-9 } })],
])('%s above its time limit is only a finding', (_, plan) => {
  const { rollouts, findings } = expectValidPlan(plan());
  expect(rollouts).toEqual([]);
  expect(factsOf(findings)).toContainEqual(leftOut({ limit: 1e-9, omittedOutput: { budget: 'seconds' } }));
});

test('comparing checks the clock for each object', () => {
  const objects = Array.from({ length: 2_000 }, (_, index) => deployment(`web-${index}`));
  const { change, rollouts, findings } = expectValidPlan(planChange(objects, objects, { budget: { seconds: 0.001 } }));
  expect([change.objects, rollouts]).toEqual([[], []]);
  expect(factsOf(findings)).toContainEqual(leftOut({ limit: 0.001, omittedOutput: { budget: 'seconds' } }));
});

test.each([0, -1, NaN, '3', null])('a limit of %p is refused by name', (limit) => {
  const budget = { 'output-megabytes': limit as number };
  expect(() => planManifests([], { budget })).toThrow(/^budget\.output-megabytes is /);
});

test('an unknown limit is refused, since the default would apply', () => {
  const budget = { secods: 5 } as object;
  expect(() => planManifests([], { budget })).toThrow('there is no option "secods": write seconds');
});

test('the default budget is 200 megabytes and 300 seconds', () => {
  expect(DEFAULT_BUDGET).toMatchObject({ 'output-megabytes': 200, seconds: 300 });
});

describe('objects that a server refuses have the limits of the plan', () => {
  const quotas = (count: number, padding = '') =>
    Array.from({ length: count }, (_, index) => ({
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: `q-${index}${padding}`, namespace: 'shop' },
      spec: { hard: { pods: 1.5 } },
    }));
  const addTo = (objects: readonly Manifest[], budget: Partial<PlanBudget>, deadline = new Deadline(60)) =>
    expectValidPlan(
      addRefusedObjects(planManifests(objects, { budget }), withRefusals({ objects }), {
        budget: { ...DEFAULT_BUDGET, ...budget },
        deadline,
      }),
    );

  test('beyond the size, one finding counts them, with what the plan omits already', () => {
    const objects = [...quotas(400), deployment('x'.repeat(0.4 * MEGABYTE)) as Manifest];
    const { findings, summary } = addTo(objects, { 'output-megabytes': 0.1 });
    const refused = findings.filter(({ code }) => code === 'kubernetes/refused-object');
    expect(JSON.stringify(findings).length).toBeLessThan(0.1 * MEGABYTE + 1_000);
    expect(factsOf(findings.slice(refused.length))).toEqual([
      leftOut({
        limit: 0.1,
        omittedOutput: {
          budget: 'output-megabytes',
          rollouts: 1,
          findings: 400 - refused.length,
          first: { described: `"Deployment shop/${'x'.repeat(60)}…"` },
        },
      }),
    ]);
    expect(summary).toMatchObject({ rollouts: 0, errors: refused.length + 1 });
  });

  test('beyond the time, nothing is planned', () => {
    const { rollouts, findings } = addTo([...quotas(10), deployment('web') as Manifest], { seconds: 60 }, new Deadline(-1));
    expect(rollouts).toEqual([]);
    expect(factsOf(findings)).toEqual([leftOut({ limit: 60, omittedOutput: { budget: 'seconds' } })]);
  });

  test('an object whose validation fails stops no other one', () => {
    const [first, second] = quotas(2);
    const hostile = {
      ...first!,
      get spec(): never {
        throw new Error('no spec');
      },
    };
    const budget = DEFAULT_BUDGET;
    const input = withRefusals({ objects: [hostile, second!] });
    const { findings } = addRefusedObjects(planManifests([]), input, { budget, deadline: new Deadline(60) });
    expect(findings.map(({ code }) => code)).toEqual(['input/unreadable', 'kubernetes/refused-object']);
  });
});

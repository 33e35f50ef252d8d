import type { CapacityResult } from '../../../src/core/document/capacity-result';
import { planManifests } from '../../../src/headless';
import { expectValidPlan } from '../../plan-schema';
import { deployment, statefulSet } from '../../builders/workload';

const CAPACITY = { nodePools: [{ name: 'a', count: 5, allocatable: { cpu: 4, 'nvidia.com/gpu': 1 } }] };

function pods(spec: object = {}) {
  return { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:2' }], ...spec } };
}

function capacityOf(object: object, capacity: unknown = CAPACITY, ...others: readonly object[]): CapacityResult | undefined {
  return expectValidPlan(planManifests([object, ...others], { capacity })).rollouts[0]!.capacity;
}

function anti(term: object) {
  return { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } };
}

const OWN = { labelSelector: { matchLabels: { app: 'web' } } };

describe('pods with a constraint that is not modelled may not fit, and the plan lists it', () => {
  test.each([
    ['topologySpreadConstraints', { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }] }],
    [
      'podAffinity',
      {
        affinity: {
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [{ ...OWN, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }],
          },
        },
      },
    ],
    ['podAntiAffinity', anti({ ...OWN, topologyKey: 'topology.kubernetes.io/zone' })],
    ['resourceClaims', { resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpu' }] }],
    ['runtimeClassName', { runtimeClassName: 'kata' }],
    ['schedulerName', { schedulerName: 'volcano' }],
    ['volumes', { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] }],
  ])('%s', (field, spec) => {
    expect(capacityOf(deployment({ replicas: 2, template: pods(spec) }))).toMatchObject({
      verdict: 'may-not-fit',
      peakPods: 3,
      podsThatFit: 3,
      because: [field],
      message: `May not fit: there is capacity for its peak of 3 pods, but plans do not model ${field}.`,
    });
  });

  test('scheduling gates, with what ends them', () => {
    expect(capacityOf(deployment({ replicas: 2, template: pods({ schedulingGates: [{ name: 'example.com/wait' }] }) }))).toMatchObject({
      verdict: 'may-not-fit',
      because: ['schedulingGates'],
      message: 'May not fit: there is capacity for its peak of 3 pods, but no pod is scheduled until its scheduling gates are removed.',
    });
  });

  test('several are all listed', () => {
    const spec = {
      schedulerName: 'volcano',
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }],
    };
    expect(capacityOf(deployment({ replicas: 2, template: pods(spec) }))).toMatchObject({
      because: ['topologySpreadConstraints', 'schedulerName'],
    });
  });
});

test.each([
  ['no constraint', {}],
  ['a preference', { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway' }] }],
  ['anti-affinity to its own pods by node', anti({ ...OWN, topologyKey: 'kubernetes.io/hostname' })],
  ['anti-affinity to pods that do not run', anti({ labelSelector: { matchLabels: { app: 'db' } }, topologyKey: 'kubernetes.io/hostname' })],
  ['the default scheduler', { schedulerName: 'default-scheduler' }],
])('with %s the pods fit', (_, spec) => {
  expect(capacityOf(deployment({ replicas: 2, template: pods(spec) }))).toMatchObject({ verdict: 'fits' });
});

test.each([
  ['requests', { cpu: 1 }, {}],
  ['limits', {}, { cpu: 4 }],
])('different default %s in two LimitRanges make the result random', (_, defaultRequest, limits) => {
  const limitRange = (name: string, more: number) => {
    const plus = (amounts: Record<string, number>) =>
      Object.fromEntries(Object.entries(amounts).map(([key, value]) => [key, value + more]));
    const item = { type: 'Container', default: plus(limits), defaultRequest: plus(defaultRequest) };
    return { apiVersion: 'v1', kind: 'LimitRange', metadata: { name }, spec: { limits: [item] } };
  };
  const web = deployment({ replicas: 1, template: pods() });
  const capacityWith = (more: number) =>
    capacityOf(web, { nodePools: [{ count: 9, allocatable: { cpu: 9 } }] }, limitRange('a', 0), limitRange('b', more));
  expect(capacityWith(1)).toMatchObject({ verdict: 'may-not-fit', because: ['different defaults of LimitRanges'] });
  expect(capacityWith(0)).toMatchObject({ verdict: 'fits' });
});

test('a pod of a StatefulSet returns to its own slot, so its volume excludes no node', () => {
  const template = pods({ volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] });
  expect(capacityOf(statefulSet({ replicas: 2, template }))).toMatchObject({ verdict: 'fits' });
});

test('pods that do not fit deadlock regardless of other constraints', () => {
  const spec = { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }] };
  const result = capacityOf(deployment({ replicas: 2, template: pods(spec) }), {
    nodePools: [{ name: 'a', count: 1, allocatable: { pods: 2 } }],
  });
  expect(result).toMatchObject({ verdict: 'deadlocks' });
  expect(result).not.toHaveProperty('because');
});

test('capacity that may not be there does not count for pods with GPUs', () => {
  const template = (spec: object) => ({
    ...pods(spec),
    spec: { ...spec, containers: [{ name: 'web', resources: { limits: { 'nvidia.com/gpu': 1 } } }] },
  });
  const codes = (spec: object) =>
    planManifests([deployment({ replicas: 2, template: template(spec) })], { capacity: CAPACITY }).rollouts[0]!.findings.map(
      ({ code }) => code,
    );
  expect(codes({})).toEqual([]);
  expect(codes({ schedulerName: 'volcano' })).toEqual(['kubernetes/surge-needs-headroom', 'kubernetes/awaits-other-component']);
});

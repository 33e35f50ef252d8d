import { planChange } from '../../../src/headless';
import { expectValidPlan } from '../../plan-schema';
import { CLUSTER, rayService } from './plan';

const GPU = 'nvidia.com/gpu';
const GPUS = (count: number) => ({ total: { [GPU]: count } });

/** Returns a worker group whose pods request GPUs. */
const group = (groupName: string, replicas: number, gpus = 1) => ({
  groupName,
  replicas,
  minReplicas: replicas,
  maxReplicas: replicas,
  template: { spec: { containers: [{ name: 'ray-worker', resources: { limits: { [GPU]: gpus } } }] } },
});

/** Returns a service that creates a full second cluster for a change. */
const service = (rayVersion: string, ...workerGroupSpecs: readonly object[]) =>
  rayService({ type: 'NewCluster' }, { rayClusterConfig: { ...CLUSTER, enableInTreeAutoscaling: false, rayVersion, workerGroupSpecs } });

function upgrade(old: object, next: object, gpus: number) {
  const { change, rollouts, services } = expectValidPlan(planChange([old], [next], { capacity: GPUS(gpus) }));
  const { capacity, workers } = rollouts[0]!;
  return {
    capacity: capacity?.message,
    surge: `${workers?.surgePods} pods, ${workers?.surgeGpus} GPUs`,
    pods: `${change.summary.podsReplaced} replaced, ${change.summary.podsAdded} added, ${change.summary.podsRemoved} removed`,
    extraPods: change.summary.peakExtraPods,
    endpoints: services?.map(({ readyEndpoints: { before, after } }) => `${before} to ${after}`),
  };
}

describe('an upgrade that also changes the number of workers counts the running cluster as it is', () => {
  test('three workers next to two do not fit into four GPUs', () => {
    expect(upgrade(service('2.52.0', group('gpu', 3)), service('2.53.0', group('gpu', 2)), 4)).toMatchInlineSnapshot(`
{
  "capacity": "Deadlocks at row 1 (capacity 100% old, 100% new): it peaks at 5 nvidia.com/gpu and the given capacity has 4 left.",
  "endpoints": [
    "4 to 4",
  ],
  "extraPods": 2,
  "pods": "0 replaced, 0 added, 0 removed",
  "surge": "2 pods, 2 GPUs",
}
`);
  });

  test('two workers next to three fit into five GPUs', () => {
    expect(upgrade(service('2.52.0', group('gpu', 2)), service('2.53.0', group('gpu', 3)), 5)).toMatchInlineSnapshot(`
{
  "capacity": "Fits: there is capacity for its peak of 7 pods.",
  "endpoints": [
    "3 to 4",
  ],
  "extraPods": 4,
  "pods": "3 replaced, 1 added, 0 removed",
  "surge": "3 pods, 3 GPUs",
}
`);
  });

  test('two workers of two GPUs next to two of one GPU do not fit into five GPUs', () => {
    expect(upgrade(service('2.52.0', group('gpu', 2, 2)), service('2.53.0', group('gpu', 2)), 5)).toMatchInlineSnapshot(`
{
  "capacity": "Deadlocks at row 1 (capacity 100% old, 100% new): it peaks at 6 nvidia.com/gpu and the given capacity has 5 left.",
  "endpoints": [
    "3 to 3",
  ],
  "extraPods": 3,
  "pods": "0 replaced, 0 added, 0 removed",
  "surge": "2 pods, 2 GPUs",
}
`);
  });

  test('groups are the same if they have the same name, in any order', () => {
    const old = service('2.52.0', group('small', 1), group('large', 1, 4));
    expect(upgrade(old, service('2.53.0', group('large', 1, 1), group('small', 1)), 7)).toMatchInlineSnapshot(`
{
  "capacity": "Fits: there is capacity for its peak of 6 pods.",
  "endpoints": [
    "3 to 3",
  ],
  "extraPods": 3,
  "pods": "3 replaced, 0 added, 0 removed",
  "surge": "2 pods, 2 GPUs",
}
`);
    expect(upgrade(old, service('2.53.0', group('large', 1, 1), group('small', 1)), 6)).toMatchInlineSnapshot(`
{
  "capacity": "Deadlocks at row 1 (capacity 100% old, 100% new): it peaks at 7 nvidia.com/gpu and the given capacity has 6 left.",
  "endpoints": [
    "3 to 3",
  ],
  "extraPods": 3,
  "pods": "0 replaced, 0 added, 0 removed",
  "surge": "2 pods, 2 GPUs",
}
`);
  });

  test('a group that the new cluster lacks keeps its GPUs until the new cluster is ready', () => {
    const old = service('2.52.0', group('gpu', 2), group('batch', 2));
    expect(upgrade(old, service('2.53.0', group('gpu', 2)), 6)).toMatchInlineSnapshot(`
{
  "capacity": "Fits: there is capacity for its peak of 8 pods.",
  "endpoints": [
    "5 to 3",
  ],
  "extraPods": 3,
  "pods": "3 replaced, 0 added, 2 removed",
  "surge": "2 pods, 2 GPUs",
}
`);
    expect(upgrade(old, service('2.53.0', group('gpu', 2)), 5)).toMatchInlineSnapshot(`
{
  "capacity": "Deadlocks at row 1 (capacity 100% old, 100% new): it peaks at 6 nvidia.com/gpu and the given capacity has 5 left.",
  "endpoints": [
    "5 to 5",
  ],
  "extraPods": 2,
  "pods": "0 replaced, 0 added, 0 removed",
  "surge": "2 pods, 2 GPUs",
}
`);
  });
});

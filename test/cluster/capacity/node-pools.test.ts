import * as fc from 'fast-check';
import { planManifests } from '../../../src/headless';
import { parseCapacity } from '../../../src/cluster/capacity/parse-capacity';
import { GPU, model } from '../../builders/model';
import { quota } from '../../builders/quota';
import { rolloutOf } from '../../workloads/plan';

function capacityIn(nodePools: readonly object[], ...objects: object[]) {
  return rolloutOf(objects, { capacity: { nodePools } }).capacity;
}

function node(name: string, more: object = {}, labels: object = {}) {
  return { kind: 'Node', metadata: { name, labels }, status: { allocatable: { [GPU]: '8' } }, ...more };
}

describe('a pod must fit on one node', () => {
  test('two nodes with 3 GPUs each fit two pods of 2 GPUs, and no pod fits on the 2 GPUs that are left', () => {
    expect(capacityIn([{ name: 'a100', count: 2, allocatable: { [GPU]: 3 } }], model({ replicas: 2, gpus: 2 }))).toEqual({
      verdict: 'deadlocks',
      deadlockWave: 1,
      peakPods: 3,
      podsThatFit: 2,
      newPodsAtLeast: 0,
      newPodsAtMost: 0,
      shortage: { kind: 'one-node', limit: 'any one node', resource: GPU, needed: '2', available: '1', excludesNodes: false },
      moreNodes: { pool: 'a100', nodes: 1 },
      message:
        'Fits only with 1 more node in pool "a100". Without it the rollout deadlocks at wave 1: a pod needs 2 nvidia.com/gpu, and no node has more than 1 left.',
    });
  });

  test('a resource that a pool does not list is not available, except CPU, memory and pods, which are then unlimited', () => {
    expect(capacityIn([{ name: 'cpu', count: 9, allocatable: { cpu: 4 } }], model({ replicas: 1, gpus: 1 }))).toMatchObject({
      verdict: 'deadlocks',
      podsThatFit: 0,
      shortage: { needed: '1', available: '0' },
    });
    expect(
      capacityIn([{ name: 'cpu', count: 1, allocatable: { cpu: 4 } }], model({ replicas: 1, requests: { cpu: 1, memory: '900Gi' } })),
    ).toMatchObject({
      verdict: 'fits',
    });
  });

  test('if a pod fits in no pool, no additional nodes are suggested', () => {
    expect(
      capacityIn([{ name: 'small', count: 4, allocatable: { cpu: 2 } }], model({ replicas: 1, requests: { cpu: 4 } }))!.moreNodes,
    ).toBeUndefined();
  });

  test('each pool counts with its own nodes', () => {
    const pools = [
      { name: 'small', count: 2, allocatable: { [GPU]: 1 } },
      { name: 'large', count: 1, allocatable: { [GPU]: 4 } },
    ];
    expect(capacityIn(pools, model({ replicas: 5, gpus: 1 }))).toMatchObject({ verdict: 'fits', peakPods: 6, podsThatFit: 6 });
    expect(capacityIn(pools, model({ replicas: 6, gpus: 1 }))).toMatchObject({ verdict: 'deadlocks', podsThatFit: 6 });
  });

  test('a pool with unknown labels is not a pool without labels', () => {
    const pools = [
      { name: 'unknown', count: 1, allocatable: { [GPU]: 1 } },
      { name: 'none', count: 9, allocatable: { [GPU]: 1 }, labels: {} },
    ];
    const selective = (replicas: number) => model({ replicas, gpus: 1, pod: { nodeSelector: { gpu: 'a100' } } });
    expect(capacityIn(pools, selective(2))).toMatchObject({
      verdict: 'deadlocks',
      podsThatFit: 1,
      moreNodes: { pool: 'unknown', nodes: 2 },
    });
    expect(capacityIn(pools.slice(0, 1), selective(2))).toMatchObject({ verdict: 'deadlocks', podsThatFit: 1 });
    expect(capacityIn(pools.slice(1), selective(2))).toMatchObject({ verdict: 'deadlocks', podsThatFit: 0 });
  });

  test('the maximum number of pods of a node counts', () => {
    expect(capacityIn([{ name: 'a', count: 1, allocatable: { pods: 3 } }], model({ replicas: 3, requests: {} }))).toMatchObject({
      verdict: 'deadlocks',
      shortage: { resource: 'pods', needed: '1', available: '0' },
    });
  });

  test('a node selector counts if the labels of a pool are listed', () => {
    const pools = [
      { name: 'old', count: 5, allocatable: { [GPU]: 1 }, labels: { gpu: 't4' } },
      { name: 'new', count: 2, allocatable: { [GPU]: 1 }, labels: { gpu: 'a100' } },
    ];
    expect(capacityIn(pools, model({ replicas: 2, gpus: 1, pod: { nodeSelector: { gpu: 'a100' } } }))).toMatchObject({
      verdict: 'deadlocks',
      moreNodes: { pool: 'new', nodes: 1 },
    });
    expect(capacityIn(pools, model({ replicas: 2, gpus: 1 }))).toMatchObject({ verdict: 'fits' });
  });

  test('the pods of other workloads use their capacity', () => {
    const pools = [{ name: 'a', count: 2, allocatable: { [GPU]: 4 } }];
    const other = model({ name: 'other', replicas: 1, gpus: 4, rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } });
    expect(capacityIn(pools, model({ replicas: 3, gpus: 1 }), other)).toMatchObject({ verdict: 'fits' });
    expect(capacityIn(pools, model({ replicas: 4, gpus: 1 }), other)).toMatchObject({ verdict: 'deadlocks' });
  });

  test('with a quota in addition to nodes, more nodes are only suggested if they help', () => {
    const { capacity } = rolloutOf([model({ replicas: 3, gpus: 1 }), quota({ pods: 3 })], {
      capacity: { nodePools: [{ count: 3, allocatable: { [GPU]: 1 } }] },
    });
    expect(capacity).toMatchObject({ verdict: 'deadlocks' });
    expect(capacity!.moreNodes).toBeUndefined();
  });
});

describe('the largest pods are placed first, so that small ones fill what is left', () => {
  test('in any order of the input', () => {
    const pools = [{ name: 'a', count: 2, allocatable: { cpu: 4 } }];
    const small = model({ name: 'small', replicas: 4, requests: { cpu: 1 }, rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } });
    const large = model({ name: 'large', replicas: 1, requests: { cpu: 4 }, rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } });
    const { rollouts } = planManifests([small, large], { capacity: { nodePools: pools } });
    expect(rollouts.map(({ capacity }) => capacity!.verdict)).toEqual(['fits', 'fits']);
  });

  test('no node is overcommitted, and no pod that fits is left out', () => {
    const size = fc.integer({ min: 1, max: 4 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), size, size, fc.integer({ min: 1, max: 12 }), (nodes, perNode, perPod, replicas) => {
        const { capacity } = rolloutOf([model({ replicas, gpus: perPod, rollingUpdate: { maxSurge: 3, maxUnavailable: 0 } })], {
          capacity: { nodePools: [{ count: nodes, allocatable: { [GPU]: perNode } }] },
        });
        const slots = nodes * Math.floor(perNode / perPod);
        const peak = replicas + Math.min(3, replicas);
        expect(capacity!.podsThatFit).toBe(Math.min(peak, slots));
      }),
    );
  });

  test('billions of pods are placed at once', () => {
    const pools = [{ name: 'a', count: 1_000_000_000, allocatable: { cpu: 4 } }];
    expect(capacityIn(pools, model({ replicas: 2_147_483_647, requests: { cpu: 1 } }))).toMatchObject({
      verdict: 'fits',
      peakPods: 2_147_483_648,
    });
    expect(capacityIn([{ ...pools[0]!, count: 1_000_000 }], model({ replicas: 2_147_483_647, requests: { cpu: 1 } }))!.moreNodes).toEqual({
      pool: 'a',
      nodes: 535_870_912,
    });
  });
});

describe('a capacity from a program', () => {
  test('is refused with a Date as name, which is not a placeholder for an unknown value', () => {
    const capacity = { nodePools: [{ name: new Date(0), count: 1, allocatable: {} }] };
    expect(() => parseCapacity(capacity)).toThrow('nodePools[0].name is ');
  });
});

describe('Nodes as kubectl lists them', () => {
  test('are merged if no pod can distinguish them, and separate if a node selector does', () => {
    const nodes = { kind: 'List', items: ['a', 'b', 'c'].map((name) => node(name, {}, { 'kubernetes.io/hostname': name })) };
    const wide = model({ replicas: 3, gpus: 8 });
    expect(rolloutOf([wide], { capacity: nodes }).capacity).toMatchObject({ podsThatFit: 3, moreNodes: { pool: 'a', nodes: 1 } });
    const pinned = model({ replicas: 1, gpus: 8, pod: { nodeSelector: { 'kubernetes.io/hostname': 'b' } } });
    expect(rolloutOf([pinned], { capacity: nodes }).capacity).toEqual({
      verdict: 'deadlocks',
      deadlockWave: 1,
      peakPods: 2,
      podsThatFit: 1,
      newPodsAtLeast: 0,
      newPodsAtMost: 0,
      shortage: {
        kind: 'one-node',
        limit: 'any one node that it may go to',
        resource: GPU,
        needed: '8',
        available: '0',
        excludesNodes: true,
      },
      message: 'Deadlocks at wave 1: a pod needs 8 nvidia.com/gpu, and no eligible node has more than 0 left.',
    });
  });

  test('are pools named after their node pool or themselves', () => {
    const { nodePools } = parseCapacity({ kind: 'List', items: [node('a'), node('b', {}, { 'karpenter.sh/nodepool': 'gpu' })] });
    expect(nodePools.map(({ name, count }) => [name, count])).toEqual([
      ['a', 1],
      ['gpu', 1],
    ]);
  });
});

import { planManifests } from '../../../src/headless';
import { GPU, model } from '../../builders/model';
import { findingsOf, rolloutOf } from '../../workloads/plan';

const GPU_POOLS = [
  { name: 't4', count: 9, allocatable: { [GPU]: 1 }, labels: { gpu: 't4', memory: '16' } },
  { name: 'a100', count: 3, allocatable: { [GPU]: 1 }, labels: { gpu: 'a100', memory: '80', nvlink: '' } },
];

const IN_PLACE = { maxSurge: 0, maxUnavailable: 1 };

function required(...nodeSelectorTerms: object[]) {
  return { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } } };
}

function expression(key: string, operator: string, ...values: string[]) {
  return { key, operator, ...(values.length > 0 && { values }) };
}

function capacityOf(podSpec: object, capacity: object) {
  return rolloutOf([model({ pod: podSpec })], { capacity }).capacity!;
}

/** Returns how many of 13 pods fit at once on nodes for 12. */
function countFittingPods(podSpec: object) {
  return rolloutOf([model({ replicas: 12, pod: podSpec })], { capacity: { nodePools: GPU_POOLS } }).capacity!.podsThatFit;
}

describe('required node affinity', () => {
  test('restricts a pod to nodes with the required labels', () => {
    const a100 = required({ matchExpressions: [expression('gpu', 'In', 'a100')] });
    expect(capacityOf(a100, { nodePools: GPU_POOLS })).toEqual({
      verdict: 'deadlocks',
      deadlockWave: 1,
      peakPods: 4,
      podsThatFit: 3,
      newPodsAtLeast: 0,
      newPodsAtMost: 0,
      shortage: {
        kind: 'one-node',
        limit: 'any one node that it may go to',
        resource: GPU,
        needed: '1',
        available: '0',
        excludesNodes: true,
      },
      moreNodes: { pool: 'a100', nodes: 1 },
      message:
        'Fits only with 1 more node in pool "a100". Without it the rollout deadlocks at wave 1: a pod needs 1 nvidia.com/gpu, and no ' +
        'eligible node has more than 0 left.',
    });
  });

  test.each([
    [12, [expression('gpu', 'In', 'a100', 't4')]],
    [9, [expression('gpu', 'NotIn', 'a100')]],
    [12, [expression('gpu', 'Exists')]],
    [12, [expression('none', 'DoesNotExist')]],
    [12, [expression('none', 'NotIn', 'a100')]],
    [3, [expression('nvlink', 'Exists')]],
    [9, [expression('nvlink', 'DoesNotExist')]],
    [3, [expression('memory', 'Gt', '16')]],
    [9, [expression('memory', 'Lt', '80')]],
    [0, [expression('gpu', 'Gt', '16')]],
    [0, [expression('gpu', 'Exists'), expression('memory', 'Lt', '16')]],
  ])('finds %d nodes for %j, which must all match', (fittingPods, matchExpressions) => {
    expect(countFittingPods(required({ matchExpressions }))).toBe(fittingPods);
  });

  test('matches if one of its terms fully matches, and a term without expressions never does', () => {
    const t4 = { matchExpressions: [expression('gpu', 'In', 't4')] };
    const nvlink = { matchExpressions: [expression('nvlink', 'Exists')] };
    expect([
      countFittingPods(required(t4)),
      countFittingPods(required(t4, nvlink)),
      countFittingPods(required({})),
      countFittingPods(required({}, nvlink)),
    ]).toEqual([9, 12, 0, 3]);
    expect(countFittingPods({ ...required(t4), nodeSelector: { gpu: 'a100' } })).toBe(0);
  });

  test('can require a Node by name', () => {
    const items = ['a', 'b', 'c'].map((name) => ({ kind: 'Node', metadata: { name }, status: { allocatable: { [GPU]: '8' } } }));
    const byName = required({ matchFields: [expression('metadata.name', 'In', 'b')] });
    expect(capacityOf(byName, { kind: 'List', items })).toMatchObject({ verdict: 'fits' });
    const { capacity } = rolloutOf([model({ replicas: 8, pod: byName })], { capacity: { kind: 'List', items } });
    expect(capacity).toMatchObject({ verdict: 'deadlocks', podsThatFit: 8 });
  });

  test('that is only preferred does not restrict pods', () => {
    const preferred = { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: {} }] } };
    expect(countFittingPods({ affinity: preferred })).toBe(12);
  });
});

describe('labels that a capacity file leaves out', () => {
  test.each(['kubernetes.io/os', 'beta.kubernetes.io/arch', 'kubernetes.io/hostname', 'topology.kubernetes.io/zone'])(
    'can have any value if the kubelet or the cloud sets them, such as %s',
    (label) => {
      const podSpec = { nodeSelector: { [label]: 'x' } };
      expect(countFittingPods(podSpec)).toBe(12);
      const listed = { nodePools: [{ ...GPU_POOLS[0]!, labels: { [label]: 'y' } }] };
      expect(capacityOf(podSpec, listed)).toMatchObject({ shortage: { kind: 'labels', resource: 'labels', needed: `${label}=x` } });
    },
  );

  test('do not exist on a Node of the cluster', () => {
    const node = { kind: 'Node', metadata: { name: 'a', labels: {} }, status: { allocatable: { [GPU]: '8' } } };
    expect(capacityOf({ nodeSelector: { 'kubernetes.io/os': 'linux' } }, node)).toMatchObject({
      shortage: { kind: 'labels', resource: 'labels' },
    });
  });

  test('can have any value if a pool lists no labels at all', () => {
    const capacity = { nodePools: [{ count: 9, allocatable: { [GPU]: 1 } }] };
    expect(capacityOf({ nodeSelector: { gpu: 'h100' } }, capacity)).toMatchObject({ verdict: 'fits' });
  });

  test('leave no node for a pod that requires other labels, which the finding lists', () => {
    const podSpec = { nodeSelector: { disk: 'ssd' }, ...required({ matchExpressions: [expression('gpu', 'In', 'h100', 'h200')] }) };
    const [finding] = findingsOf([model({ pod: podSpec })], 'kubernetes/insufficient-capacity', { capacity: { nodePools: GPU_POOLS } });
    const shortage = {
      kind: 'labels',
      limit: 'any one node',
      resource: 'labels',
      needed: 'disk=ssd and gpu in (h100, h200)',
      available: 'none',
    };
    expect(finding).toMatchObject({
      severity: 'error',
      messageId: 'replicas',
      data: { replicas: 3, podsThatFit: 0, unit: 'wave', deadlockWave: 1, shortage, remedy: { shortage } },
    });
  });
});

describe('a node affinity that no node satisfies is formatted like a label selector', () => {
  test.each([
    ['gpu in (h100)', [expression('gpu', 'In', 'h100')]],
    ['gpu not in (a100, t4)', [expression('gpu', 'NotIn', 'a100', 't4')]],
    ['nvlink and gpu not in (a100)', [expression('nvlink', 'Exists'), expression('gpu', 'NotIn', 'a100')]],
    ['no gpu', [expression('gpu', 'DoesNotExist')]],
    ['memory > 80', [expression('memory', 'Gt', '80')]],
    ['memory < 16', [expression('memory', 'Lt', '16')]],
  ])('%s', (needed, matchExpressions) => {
    expect(capacityOf(required({ matchExpressions }), { nodePools: GPU_POOLS }).shortage).toEqual({
      kind: 'labels',
      limit: 'any one node',
      resource: 'labels',
      needed,
      available: 'none',
    });
  });
});

describe('taints', () => {
  const taint = { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' };
  const TAINTED = {
    kind: 'taints',
    limit: 'any one node',
    resource: 'taints',
    needed: 'dedicated=gpu:NoSchedule',
    available: 'none',
  };

  function fittingPods(tolerations: readonly object[], more: object = {}) {
    const nodePools = [{ name: 'a100', count: 4, allocatable: { [GPU]: 1 }, taints: [{ ...taint, ...more }] }];
    return capacityOf({ tolerations }, { nodePools }).podsThatFit;
  }

  test('exclude pods that do not tolerate them, and the finding reports it', () => {
    const capacity = { nodePools: [{ name: 'a100', count: 4, allocatable: { [GPU]: 1 }, taints: [taint] }] };
    expect(capacityOf({}, capacity)).toMatchObject({
      verdict: 'deadlocks',
      podsThatFit: 0,
      shortage: TAINTED,
      message: 'Deadlocks at wave 1: every node with matching labels has a taint that the pod does not tolerate: dedicated=gpu:NoSchedule.',
    });
    const [finding] = findingsOf([model({})], 'kubernetes/insufficient-capacity', { capacity });
    expect(finding!.data).toMatchObject({ shortage: TAINTED, remedy: { shortage: TAINTED } });
    expect(finding!.data.remedy).not.toHaveProperty('moreNodes');
    const tolerations = [{ key: 'dedicated', operator: 'Equal', value: 'gpu', effect: 'NoSchedule' }];
    expect(capacityOf({ tolerations }, capacity)).toMatchObject({ verdict: 'fits' });
  });

  test.each([
    [4, { key: 'dedicated', value: 'gpu' }],
    [4, { key: 'dedicated', operator: 'Exists' }],
    [4, { operator: 'Exists' }],
    [4, { operator: 'Exists', effect: 'NoSchedule' }],
    [0, { operator: 'Exists', effect: 'NoExecute' }],
    [0, { key: 'dedicated', value: 'cpu' }],
    [0, { key: 'dedicated' }],
    [0, { key: 'other', operator: 'Exists' }],
  ])('let %d pods with the toleration %j fit', (count, toleration) => {
    expect(fittingPods([toleration])).toBe(count);
  });

  test('with NoExecute exclude pods too, and taints with PreferNoSchedule do not', () => {
    expect([fittingPods([], { effect: 'NoExecute' }), fittingPods([], { effect: 'PreferNoSchedule' })]).toEqual([0, 4]);
  });

  test('keep tolerant pods off the nodes that other pods need', () => {
    const nodePools = [
      { name: 'any', count: 3, allocatable: { [GPU]: 1 } },
      { name: 'tainted', count: 3, allocatable: { [GPU]: 1 }, taints: [taint] },
    ];
    const tolerant = model({ name: 'tolerant', rollingUpdate: IN_PLACE, pod: { tolerations: [{ operator: 'Exists' }] } });
    const other = model({ name: 'other', rollingUpdate: IN_PLACE });
    for (const both of [
      [tolerant, other],
      [other, tolerant],
    ]) {
      const { rollouts } = planManifests(both, { capacity: { nodePools } });
      expect(rollouts.map(({ capacity }) => capacity)).toMatchObject([{ verdict: 'fits' }, { verdict: 'fits' }]);
    }
  });
});

describe('a cordoned Node', () => {
  function node(name: string, spec: object = {}) {
    return { kind: 'Node', metadata: { name, labels: {} }, spec, status: { allocatable: { [GPU]: '2' } } };
  }
  const cordoned = node('b', { unschedulable: true, taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }] });

  test('keeps its pods and accepts no new ones', () => {
    expect(capacityOf({}, { kind: 'List', items: [node('a'), cordoned] })).toMatchObject({
      verdict: 'deadlocks',
      podsThatFit: 2,
      shortage: { kind: 'one-node', limit: 'any one node that it may go to', resource: GPU, available: '0', excludesNodes: true },
      moreNodes: { pool: 'a', nodes: 1 },
    });
    expect(capacityOf({}, { kind: 'List', items: [node('a'), node('c'), cordoned] })).toMatchObject({ verdict: 'fits', podsThatFit: 4 });
  });

  test('may contain the running pods, if it is not known where they are', () => {
    const two = [model({ replicas: 2 })];
    expect(rolloutOf(two, { capacity: { kind: 'List', items: [node('a'), cordoned] } }).capacity).toMatchObject({
      verdict: 'may-not-fit',
      because: ['the choice of nodes'],
      newPodsAtLeast: 0,
      newPodsAtMost: 2,
    });
    expect(rolloutOf(two, { capacity: { kind: 'List', items: [node('a')] } }).capacity).toMatchObject({ verdict: 'deadlocks' });
  });

  test('is reported if it is the only node', () => {
    expect(capacityOf({}, { kind: 'List', items: [node('b', { unschedulable: true })] })).toMatchObject({
      verdict: 'deadlocks',
      shortage: { kind: 'taints', resource: 'taints', needed: 'node.kubernetes.io/unschedulable:NoSchedule' },
      moreNodes: { pool: 'b', nodes: 2 },
    });
  });

  test('is one that the cluster is deleting, too', () => {
    const leaving = node('b');
    const metadata = { ...leaving.metadata, uid: 'b', deletionTimestamp: '2026-01-01T00:00:00Z' };
    expect(capacityOf({}, { kind: 'List', items: [node('a'), leaving] })).toMatchObject({ verdict: 'fits' });
    expect(capacityOf({}, { kind: 'List', items: [node('a'), { ...leaving, metadata }] })).toMatchObject({ verdict: 'deadlocks' });
  });

  test('accepts pods that tolerate its taint', () => {
    const tolerations = [{ operator: 'Exists' }];
    expect(capacityOf({ tolerations }, { kind: 'List', items: [node('a'), cordoned] })).toMatchObject({ verdict: 'fits' });
  });
});

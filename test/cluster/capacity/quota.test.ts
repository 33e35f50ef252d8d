import * as fc from 'fast-check';
import type { Manifest } from '../../../src/core/manifest';
import { listQuotaLimits, isCountedByQuota, computeQuotaUse } from '../../../src/cluster/capacity/quota';
import { factsOf } from '../../facts';
import { deployment, findingsOf, rolloutOf, statefulSet } from '../../workloads/plan';
import { formatQuotaScopeKey } from '../../../src/cluster/capacity/quota';

const NAMES = { rollingUpdate: 'rollingUpdate', maxSurge: 'maxSurge', maxUnavailable: 'maxUnavailable' };

const REQUESTS = { 'nvidia.com/gpu': 2, cpu: '500m', memory: '1Gi' };
const POD = { containers: [{ resources: { requests: REQUESTS, limits: { memory: '2Gi', 'nvidia.com/gpu': 2 } } }] };

function quota(hard: object, more: object = {}, namespace?: string) {
  return {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'gpus', ...(namespace && { namespace }) },
    spec: { hard, ...more },
  };
}

function model(replicas: number, rollingUpdate: object, name = 'model') {
  return deployment({ replicas, strategy: { rollingUpdate }, template: { spec: POD } }, { name });
}

/** 20 GPUs, as read from a cluster where so many are used. */
function live(used: number) {
  return { ...quota({ 'requests.nvidia.com/gpu': 20 }), status: { used: { 'requests.nvidia.com/gpu': used } } };
}

const NEVER_FEWER = { maxSurge: '25%', maxUnavailable: '25%' };

describe('a quota counts what a pod uses of a resource as it names it', () => {
  test.each([
    ['pods', 1_000_000_000n],
    ['count/pods', 1_000_000_000n],
    ['cpu', 500_000_000n],
    ['requests.cpu', 500_000_000n],
    ['requests.nvidia.com/gpu', 2_000_000_000n],
    ['limits.memory', 2n * 1_073_741_824n * 1_000_000_000n],
    ['requests.memory', 1_073_741_824n * 1_000_000_000n],
    ['memory', 1_073_741_824n * 1_000_000_000n],
    ['limits.cpu', 0n],
    ['limits.nvidia.com/gpu', 0n], // limits of CPU, memory and ephemeral storage alone are counted
    ['requests.storage', 0n], // of claims, not of pods
    ['count/services', 0n],
    ['nvidia.com/gpu', 0n], // only requests.nvidia.com/gpu is counted
  ])('%s', (resource, use) => {
    expect(computeQuotaUse(POD, resource)).toBe(use);
  });
});

describe('a quota with scopes counts the pods that all of them cover', () => {
  const affinity = (more: object) => ({
    ...POD,
    affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone', ...more }] } },
  });
  test.each([
    ['NotTerminating', POD, true],
    ['Terminating', POD, false],
    ['Terminating', { ...POD, activeDeadlineSeconds: 60 }, true],
    ['BestEffort', POD, false],
    ['BestEffort', { containers: [{}] }, true],
    ['BestEffort', { containers: [{ resources: { requests: { 'nvidia.com/gpu': 1 } } }] }, true],
    ['NotBestEffort', POD, true],
    ['PriorityClass', POD, false],
    ['PriorityClass', { ...POD, priorityClassName: 'high' }, true],
    ['CrossNamespacePodAffinity', affinity({}), false],
    ['CrossNamespacePodAffinity', affinity({ namespaces: ['shop'] }), true],
    ['CrossNamespacePodAffinity', affinity({ namespaceSelector: {} }), true],
    ['VolumeAttributesClass', POD, false],
  ])('%s', (scope, podSpec, counted) => {
    expect(isCountedByQuota(quota({}, { scopes: [scope] }) as Manifest, podSpec)).toBe(counted);
  });

  test.each([
    ['In', ['high'], true],
    ['In', ['low'], false],
    ['NotIn', ['high'], false],
    ['NotIn', ['low'], true],
    ['Exists', [], true],
    ['DoesNotExist', [], false],
  ])('a scope selector with operator %s %j', (operator, values, counted) => {
    const scopeSelector = { matchExpressions: [{ scopeName: 'PriorityClass', operator, values }] };
    expect(isCountedByQuota(quota({}, { scopeSelector }) as Manifest, { ...POD, priorityClassName: 'high' })).toBe(counted);
  });
});

describe('kubernetes/surge-needs-headroom with a ResourceQuota in view', () => {
  test('1 free GPU is no room for a pod that asks for 2: 25 % and 25 % on 3 replicas never move', () => {
    const [finding] = findingsOf([model(3, NEVER_FEWER), quota({ 'requests.nvidia.com/gpu': 7 })], 'kubernetes/surge-needs-headroom');
    const shortage = {
      kind: 'quota',
      limit: 'ResourceQuota "gpus"',
      resource: 'requests.nvidia.com/gpu',
      needed: '8',
      available: '7',
    };
    expect(factsOf([finding!])).toEqual([
      {
        code: 'kubernetes/surge-needs-headroom',
        severity: 'error',
        messageId: 'insufficientCapacity',
        path: 'spec.strategy.rollingUpdate.maxUnavailable',
        data: {
          replicas: 3,
          podsThatFit: 3,
          shortage,
          deadlockWave: 1,
          names: NAMES,
          remedy: { way: 'in-place', names: NAMES, peakPods: 4, shortage },
        },
      },
    ]);
    expect(rolloutOf([model(3, NEVER_FEWER), quota({ 'requests.nvidia.com/gpu': 7 })]).capacity).toEqual({
      verdict: 'deadlocks',
      deadlockWave: 1,
      peakPods: 4,
      podsThatFit: 3,
      shortage,
      message: 'Deadlocks at wave 1: its peak needs 8 requests.nvidia.com/gpu, and ResourceQuota "gpus" has 7 for it.',
    });
  });

  test('with room, it is the warning that it is without a quota', () => {
    expect(findingsOf([model(3, NEVER_FEWER), quota({ 'requests.nvidia.com/gpu': 8 })], 'kubernetes/surge-needs-headroom')).toMatchObject([
      { severity: 'warning' },
    ]);
  });

  test('with an old pod to go first, it is silent', () => {
    const inPlace = model(3, { maxSurge: 0, maxUnavailable: 1 });
    expect(findingsOf([inPlace, quota({ 'requests.nvidia.com/gpu': 6 })], 'kubernetes/surge-needs-headroom')).toEqual([]);
    expect(rolloutOf([inPlace, quota({ 'requests.nvidia.com/gpu': 6 })]).capacity).toMatchObject({ verdict: 'fits' });
  });

  test('a quota of another namespace, or on what the pods do not use, says nothing', () => {
    expect(rolloutOf([model(3, NEVER_FEWER), quota({ pods: 1 }, {}, 'shop')]).capacity).toBeUndefined();
    expect(rolloutOf([model(3, NEVER_FEWER), quota({ 'count/services': 1, 'requests.amd.com/gpu': 0 })]).capacity).toBeUndefined();
    expect(rolloutOf([model(3, NEVER_FEWER), quota({ pods: 1 }, { scopes: ['BestEffort'] })]).capacity).toBeUndefined();
  });

  test('room for part of the surge only makes it slower', () => {
    expect(rolloutOf([model(8, { maxSurge: 4, maxUnavailable: 0 }), quota({ pods: 10 })]).capacity).toEqual({
      verdict: 'slower',
      iterations: 4,
      peakPods: 12,
      podsThatFit: 10,
      shortage: { kind: 'quota', limit: 'ResourceQuota "gpus"', resource: 'pods', needed: '12', available: '10' },
      message: 'Takes 4 waves that start pods, with fewer pods at once: its peak needs 12 pods, and ResourceQuota "gpus" has 10 for it.',
    });
  });

  test('of several limits the tightest counts', () => {
    const { capacity } = rolloutOf([model(3, NEVER_FEWER), quota({ pods: 4, 'requests.memory': '3Gi', cpu: 2 })]);
    expect(capacity).toMatchObject({ verdict: 'deadlocks', shortage: { resource: 'requests.memory', needed: '4Gi', available: '3Gi' } });
  });

  test('of those that allow the same the first by name is told', () => {
    const named = (name: string, pods: number) => ({ ...quota({ pods }), metadata: { name } });
    const limitOf = (...quotas: readonly object[]) => rolloutOf([model(3, NEVER_FEWER), ...quotas]).capacity!.shortage!.limit;
    expect(limitOf(named('a', 3), named('b', 3))).toBe('ResourceQuota "a"');
    expect(limitOf(named('c', 2), named('b', 2), named('a', 3))).toBe('ResourceQuota "b"');
  });

  test('other workloads of the namespace use the quota too, while they stay as they are', () => {
    const objects = [
      model(3, NEVER_FEWER),
      model(2, { maxSurge: 0, maxUnavailable: 1 }, 'other'),
      quota({ 'requests.nvidia.com/gpu': 11 }),
    ];
    expect(rolloutOf(objects).capacity).toMatchObject({ verdict: 'deadlocks', shortage: { needed: '8', available: '7' } });
  });

  test('used of the status counts pods that are not in view', () => {
    expect(rolloutOf([model(3, NEVER_FEWER), live(19)]).capacity).toMatchObject({
      verdict: 'deadlocks',
      shortage: { needed: '8', available: '7' },
    });
    expect(rolloutOf([model(3, NEVER_FEWER), live(18)]).capacity).toMatchObject({ verdict: 'fits' });
  });

  test('used of the status is from before replicas are added: with 2 of 4 pods used, a fifth has no room all the same', () => {
    const grown = { ...quota({ pods: 4 }), status: { used: { pods: 2 } } };
    expect(rolloutOf([model(4, { maxSurge: 1, maxUnavailable: 0 }), grown]).capacity).toEqual({
      verdict: 'deadlocks',
      deadlockWave: 1,
      peakPods: 5,
      podsThatFit: 4,
      shortage: { kind: 'quota', limit: 'ResourceQuota "gpus"', resource: 'pods', needed: '5', available: '4' },
      message: 'Deadlocks at wave 1: its peak needs 5 pods, and ResourceQuota "gpus" has 4 for it.',
    });
  });

  test('there is never more room than hard, and never more than is free besides the pods declared', () => {
    const amount = fc.integer({ min: 0, max: 30 });
    fc.assert(
      fc.property(amount, amount, fc.integer({ min: 1, max: 20 }), (hard, used, replicas) => {
        const counted = { ...quota({ pods: hard }), status: { used: { pods: used } } };
        const [limit] = listQuotaLimits([counted], [{ replicas, template: { spec: POD } }]);
        const capacity = Number(limit!.total / 1_000_000_000n);
        expect(capacity).toBeLessThanOrEqual(hard);
        // Pods that no manifest declares keep their places.
        expect(capacity).toBe(hard - Math.max(0, used - replicas));
      }),
    );
  });
});

describe('the claims of ephemeral volumes come and go with their pods', () => {
  function claim(storageClassName?: string) {
    const spec = {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '10Gi' } },
      ...(storageClassName && { storageClassName }),
    };
    return { name: `of-${storageClassName}`, ephemeral: { volumeClaimTemplate: { spec } } };
  }
  const CACHED = { ...POD, volumes: [claim('fast'), claim(), { name: 'data', persistentVolumeClaim: { claimName: 'data' } }] };
  const GI = 1_073_741_824n * 1_000_000_000n;

  test.each([
    ['persistentvolumeclaims', 2_000_000_000n],
    ['count/persistentvolumeclaims', 2_000_000_000n],
    ['requests.storage', 20n * GI],
    ['fast.storageclass.storage.k8s.io/requests.storage', 10n * GI],
    ['fast.storageclass.storage.k8s.io/persistentvolumeclaims', 1_000_000_000n],
    ['slow.storageclass.storage.k8s.io/requests.storage', 0n],
    ['count/slow.storageclass.storage.k8s.io/persistentvolumeclaims', 0n],
  ])('%s', (resource, use) => {
    expect(computeQuotaUse(CACHED, resource)).toBe(use);
  });

  const cached = deployment({ replicas: 3, strategy: { rollingUpdate: NEVER_FEWER }, template: { spec: CACHED } });

  test('a surge pod without room for its claims never starts', () => {
    expect(rolloutOf([cached, quota({ 'requests.storage': '70Gi' })]).capacity).toEqual({
      verdict: 'deadlocks',
      deadlockWave: 1,
      peakPods: 4,
      podsThatFit: 3,
      shortage: { kind: 'quota', limit: 'ResourceQuota "gpus"', resource: 'requests.storage', needed: '80Gi', available: '70Gi' },
      message: 'Deadlocks at wave 1: its peak needs 80Gi requests.storage, and ResourceQuota "gpus" has 70Gi for it.',
    });
    expect(rolloutOf([cached, quota({ 'requests.storage': '80Gi' })]).capacity).toMatchObject({ verdict: 'fits' });
  });

  test('a quota with scopes counts no claims', () => {
    expect(rolloutOf([cached, quota({ 'requests.storage': '70Gi' }, { scopes: ['NotTerminating'] })]).capacity).toBeUndefined();
  });
});

describe('kubernetes/insufficient-capacity', () => {
  test('the replicas themselves do not fit, so the rollout can not end', () => {
    const shortage = {
      kind: 'quota',
      limit: 'ResourceQuota "gpus"',
      resource: 'requests.nvidia.com/gpu',
      needed: '10',
      available: '6',
    };
    const findings = findingsOf([model(4, NEVER_FEWER), quota({ 'requests.nvidia.com/gpu': 6 })], 'kubernetes/insufficient-capacity');
    expect(factsOf(findings)).toEqual([
      {
        code: 'kubernetes/insufficient-capacity',
        severity: 'error',
        messageId: 'replicas',
        path: 'spec.template.spec.containers',
        data: {
          replicas: 4,
          podsThatFit: 3,
          shortage,
          unit: 'wave',
          deadlockWave: 1,
          remedy: { way: 'fewer-replicas', names: NAMES, peakPods: 5, shortage },
        },
      },
    ]);
  });

  test('where not even the replicas fit, the word on headroom is the error, and replacing pods in place no way out', () => {
    const findings = findingsOf([model(3, NEVER_FEWER), quota({ pods: 2 })]).filter(({ severity }) => severity === 'error');
    const shortage = { kind: 'quota', limit: 'ResourceQuota "gpus"', resource: 'pods', needed: '4', available: '2' };
    expect(factsOf(findings)).toEqual([
      {
        code: 'kubernetes/surge-needs-headroom',
        severity: 'error',
        messageId: 'insufficientCapacity',
        path: 'spec.strategy.rollingUpdate.maxUnavailable',
        data: {
          replicas: 3,
          podsThatFit: 2,
          shortage,
          deadlockWave: 1,
          names: NAMES,
          remedy: { way: 'fewer-replicas', names: NAMES, peakPods: 4, shortage },
        },
      },
    ]);
  });

  test('who replaces pods in place because the advice says so has a rollout that ends', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 0, max: 10 }), (replicas, pods) => {
        const capacity = quota({ pods });
        const inPlace = rolloutOf([model(replicas, { maxSurge: 0, maxUnavailable: 1 }), capacity]).capacity!.verdict;
        const advised = findingsOf([model(replicas, NEVER_FEWER), capacity]).map(
          ({ data }) => (data as { change?: { way: string } }).change?.way,
        );
        expect(inPlace === 'fits' || !advised.includes('in-place')).toBe(true);
      }),
    );
  });

  test('of a StatefulSet the first batch never comes back', () => {
    const set = statefulSet({ replicas: 3, template: { spec: POD } });
    expect(findingsOf([set, quota({ pods: 2 })], 'kubernetes/insufficient-capacity')).toMatchObject([
      {
        messageId: 'replicas',
        data: {
          replicas: 3,
          podsThatFit: 2,
          shortage: { kind: 'quota', limit: 'ResourceQuota "gpus"', resource: 'pods', needed: '3', available: '2' },
          unit: 'batch',
          deadlockWave: 1,
        },
      },
    ]);
  });

  test('it is silent where they fit, for no replicas, and where the surge alone lacks room', () => {
    expect(findingsOf([model(4, NEVER_FEWER), quota({ pods: 4 })], 'kubernetes/insufficient-capacity')).toEqual([]);
    expect(findingsOf([model(0, NEVER_FEWER), quota({ pods: 0 })], 'kubernetes/insufficient-capacity')).toEqual([]);
    expect(findingsOf([model(3, NEVER_FEWER), quota({ pods: 3 })], 'kubernetes/insufficient-capacity')).toEqual([]);
  });

  test('hard limits that are no quantity limit nothing', () => {
    expect(rolloutOf([model(4, NEVER_FEWER), quota({ pods: 'many' })]).capacity).toBeUndefined();
  });
});

test('quotas count the same pods where their namespaces and scopes are the same, and where one differs others', () => {
  const named = (namespace: string | undefined, spec: object) => ({
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'q', ...(namespace !== undefined && { namespace }) },
    spec,
  });
  const high = { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }] };
  const all = [
    named('a', { hard: { pods: 1 } }),
    named('b', { hard: { pods: 1 } }),
    named(undefined, { hard: { pods: 1 } }),
    named('a', { scopes: ['BestEffort'] }),
    named('a', { scopes: ['NotBestEffort'] }),
    named('a', { scopeSelector: high }),
  ];
  expect(new Set(all.map(formatQuotaScopeKey)).size).toBe(all.length);
  expect(formatQuotaScopeKey(named('a', { hard: { cpu: 2 } }))).toBe(formatQuotaScopeKey(all[0]!));
});

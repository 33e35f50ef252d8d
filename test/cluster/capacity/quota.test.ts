import * as fc from 'fast-check';
import type { Manifest } from '../../../src/core/manifest/manifest';
import { listQuotaLimits, isCountedByQuota, computeQuotaUse } from '../../../src/cluster/capacity/admission/quota';
import { factsOf } from '../../facts';
import { deployment, statefulSet } from '../../builders/workload';
import { findingsOf, rolloutOf } from '../../workloads/plan';
import { formatQuotaScopeKey } from '../../../src/cluster/capacity/admission/quota';
import { quota } from '../../builders/quota';

const NAMES = { rollingUpdate: 'rollingUpdate', maxSurge: 'maxSurge', maxUnavailable: 'maxUnavailable' };

const REQUESTS = { 'nvidia.com/gpu': 2, cpu: '500m', memory: '1Gi' };
const POD = { containers: [{ resources: { requests: REQUESTS, limits: { memory: '2Gi', 'nvidia.com/gpu': 2 } } }] };

function model(replicas: number, rollingUpdate: object, name = 'model') {
  return deployment({ replicas, strategy: { rollingUpdate }, template: { spec: POD } }, { name });
}

/** Builds a quota of 20 GPUs, as read from a cluster that uses this many. */
function live(used: number) {
  return quota({ 'requests.nvidia.com/gpu': 20 }, { status: { used: { 'requests.nvidia.com/gpu': used } } });
}

const NEVER_FEWER = { maxSurge: '25%', maxUnavailable: '25%' };

describe('a quota counts what a pod uses of each resource by its name in the quota', () => {
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
    ['limits.nvidia.com/gpu', 0n], // only limits of CPU, memory and ephemeral storage are counted
    ['requests.storage', 0n], // used by claims, not by pods
    ['count/services', 0n],
    ['nvidia.com/gpu', 0n], // only requests.nvidia.com/gpu is counted
  ])('%s', (resource, use) => {
    expect(computeQuotaUse(POD, resource)).toBe(use);
  });
});

describe('a quota with scopes counts the pods that match all of them', () => {
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
    expect(isCountedByQuota(quota({}, { spec: { scopes: [scope] } }) as Manifest, podSpec)).toBe(counted);
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
    expect(isCountedByQuota(quota({}, { spec: { scopeSelector } }) as Manifest, { ...POD, priorityClassName: 'high' })).toBe(counted);
  });
});

describe('kubernetes/surge-needs-headroom with a ResourceQuota in the input', () => {
  test('a pod with 2 GPUs does not fit on 1 free GPU: 25% and 25% of 3 replicas deadlock', () => {
    const [finding] = findingsOf([model(3, NEVER_FEWER), quota({ 'requests.nvidia.com/gpu': 7 })], 'kubernetes/surge-needs-headroom');
    const shortage = {
      kind: 'quota',
      limit: 'ResourceQuota "compute"',
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
      newPodsAtLeast: 0,
      newPodsAtMost: 0,
      shortage,
      message: 'Deadlocks at wave 1: it peaks at 8 requests.nvidia.com/gpu and ResourceQuota "compute" has 7 left.',
    });
  });

  test('with a sufficient quota, it is the same warning as without a quota', () => {
    expect(findingsOf([model(3, NEVER_FEWER), quota({ 'requests.nvidia.com/gpu': 8 })], 'kubernetes/surge-needs-headroom')).toMatchObject([
      { severity: 'warning' },
    ]);
  });

  test('it reports nothing if an old pod is deleted first', () => {
    const inPlace = model(3, { maxSurge: 0, maxUnavailable: 1 });
    expect(findingsOf([inPlace, quota({ 'requests.nvidia.com/gpu': 6 })], 'kubernetes/surge-needs-headroom')).toEqual([]);
    expect(rolloutOf([inPlace, quota({ 'requests.nvidia.com/gpu': 6 })]).capacity).toMatchObject({ verdict: 'fits' });
  });

  test('a quota in another namespace, or for resources that the pods do not use, has no effect', () => {
    expect(rolloutOf([model(3, NEVER_FEWER), quota({ pods: 1 }, { namespace: 'shop' })]).capacity).toBeUndefined();
    expect(rolloutOf([model(3, NEVER_FEWER), quota({ 'count/services': 1, 'requests.amd.com/gpu': 0 })]).capacity).toBeUndefined();
    expect(rolloutOf([model(3, NEVER_FEWER), quota({ pods: 1 }, { spec: { scopes: ['BestEffort'] } })]).capacity).toBeUndefined();
  });

  test('capacity for only part of the surge makes it slower', () => {
    expect(rolloutOf([model(8, { maxSurge: 4, maxUnavailable: 0 }), quota({ pods: 10 })]).capacity).toEqual({
      verdict: 'slower',
      iterations: 4,
      peakPods: 12,
      podsThatFit: 10,
      shortage: { kind: 'quota', limit: 'ResourceQuota "compute"', resource: 'pods', needed: '12', available: '10' },
      message: 'Takes 4 waves that create pods, with fewer pods at once: it peaks at 12 pods and ResourceQuota "compute" has 10 left.',
    });
  });

  test('the tightest of several limits counts', () => {
    const { capacity } = rolloutOf([model(3, NEVER_FEWER), quota({ pods: 4, 'requests.memory': '3Gi', cpu: 2 })]);
    expect(capacity).toMatchObject({ verdict: 'deadlocks', shortage: { resource: 'requests.memory', needed: '4Gi', available: '3Gi' } });
  });

  test('the first by name of several equal limits is reported', () => {
    const named = (name: string, pods: number) => quota({ pods }, { name });
    const limitOf = (...quotas: readonly object[]) => rolloutOf([model(3, NEVER_FEWER), ...quotas]).capacity!.shortage!.limit;
    expect(limitOf(named('a', 3), named('b', 3))).toBe('ResourceQuota "a"');
    expect(limitOf(named('c', 2), named('b', 2), named('a', 3))).toBe('ResourceQuota "b"');
  });

  test('other workloads in the namespace also use the quota while they stay as they are', () => {
    const objects = [
      model(3, NEVER_FEWER),
      model(2, { maxSurge: 0, maxUnavailable: 1 }, 'other'),
      quota({ 'requests.nvidia.com/gpu': 11 }),
    ];
    expect(rolloutOf(objects).capacity).toMatchObject({ verdict: 'deadlocks', shortage: { needed: '8', available: '7' } });
  });

  test('used in the status counts pods that are not in the input', () => {
    expect(rolloutOf([model(3, NEVER_FEWER), live(19)]).capacity).toMatchObject({
      verdict: 'deadlocks',
      shortage: { needed: '8', available: '7' },
    });
    expect(rolloutOf([model(3, NEVER_FEWER), live(18)]).capacity).toMatchObject({ verdict: 'fits' });
  });

  test('used in the status is from before replicas are added: with 2 of 4 pods used, a fifth still does not fit', () => {
    const grown = quota({ pods: 4 }, { status: { used: { pods: 2 } } });
    expect(rolloutOf([model(4, { maxSurge: 1, maxUnavailable: 0 }), grown]).capacity).toEqual({
      verdict: 'deadlocks',
      deadlockWave: 1,
      peakPods: 5,
      podsThatFit: 4,
      newPodsAtLeast: 0,
      newPodsAtMost: 0,
      shortage: { kind: 'quota', limit: 'ResourceQuota "compute"', resource: 'pods', needed: '5', available: '4' },
      message: 'Deadlocks at wave 1: it peaks at 5 pods and ResourceQuota "compute" has 4 left.',
    });
  });

  test('the limit is never above hard, and never above what is free in addition to the declared pods', () => {
    const amount = fc.integer({ min: 0, max: 30 });
    fc.assert(
      fc.property(amount, amount, fc.integer({ min: 1, max: 20 }), (hard, used, replicas) => {
        const counted = quota({ pods: hard }, { status: { used: { pods: used } } });
        const [limit] = listQuotaLimits([counted], [{ replicas, template: { spec: POD } }]);
        const capacity = Number(limit!.total / 1_000_000_000n);
        expect(capacity).toBeLessThanOrEqual(hard);
        // Pods that no manifest declares stay.
        expect(capacity).toBe(hard - Math.max(0, used - replicas));
      }),
    );
  });
});

describe('the claims of ephemeral volumes are created and deleted with their pods', () => {
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

  test('a surge pod whose claims do not fit never starts', () => {
    expect(rolloutOf([cached, quota({ 'requests.storage': '70Gi' })]).capacity).toEqual({
      verdict: 'deadlocks',
      deadlockWave: 1,
      peakPods: 4,
      podsThatFit: 3,
      newPodsAtLeast: 0,
      newPodsAtMost: 0,
      shortage: { kind: 'quota', limit: 'ResourceQuota "compute"', resource: 'requests.storage', needed: '80Gi', available: '70Gi' },
      message: 'Deadlocks at wave 1: it peaks at 80Gi requests.storage and ResourceQuota "compute" has 70Gi left.',
    });
    expect(rolloutOf([cached, quota({ 'requests.storage': '80Gi' })]).capacity).toMatchObject({ verdict: 'fits' });
  });

  test('a quota with scopes counts no claims', () => {
    expect(rolloutOf([cached, quota({ 'requests.storage': '70Gi' }, { spec: { scopes: ['NotTerminating'] } })]).capacity).toBeUndefined();
  });
});

describe('kubernetes/insufficient-capacity', () => {
  test('the replicas themselves do not fit, so the rollout deadlocks', () => {
    const shortage = {
      kind: 'quota',
      limit: 'ResourceQuota "compute"',
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

  test('if not even the replicas fit, the headroom rule is an error and does not suggest replacing pods in place', () => {
    const findings = findingsOf([model(3, NEVER_FEWER), quota({ pods: 2 })]).filter(({ severity }) => severity === 'error');
    const shortage = { kind: 'quota', limit: 'ResourceQuota "compute"', resource: 'pods', needed: '4', available: '2' };
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
          remedy: { way: 'only-fewer-replicas', names: NAMES, peakPods: 4, shortage },
        },
      },
    ]);
  });

  test('replacing pods in place as the help suggests gives a rollout that finishes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 0, max: 10 }), (replicas, pods) => {
        const capacity = quota({ pods });
        const inPlace = rolloutOf([model(replicas, { maxSurge: 0, maxUnavailable: 1 }), capacity]).capacity!.verdict;
        const advised = findingsOf([model(replicas, NEVER_FEWER), capacity]).map(
          ({ data }) => (data as { remedy?: { way: string } }).remedy?.way,
        );
        expect(inPlace === 'fits' || !advised.includes('in-place')).toBe(true);
      }),
    );
  });

  test('the first batch of a StatefulSet never becomes ready', () => {
    const set = statefulSet({ replicas: 3, template: { spec: POD } });
    expect(findingsOf([set, quota({ pods: 2 })], 'kubernetes/insufficient-capacity')).toMatchObject([
      {
        messageId: 'replicas',
        data: {
          replicas: 3,
          podsThatFit: 2,
          shortage: { kind: 'quota', limit: 'ResourceQuota "compute"', resource: 'pods', needed: '3', available: '2' },
          unit: 'batch',
          deadlockWave: 1,
        },
      },
    ]);
  });

  test('it reports nothing if they fit, for 0 replicas, and if only the surge does not fit', () => {
    expect(findingsOf([model(4, NEVER_FEWER), quota({ pods: 4 })], 'kubernetes/insufficient-capacity')).toEqual([]);
    expect(findingsOf([model(0, NEVER_FEWER), quota({ pods: 0 })], 'kubernetes/insufficient-capacity')).toEqual([]);
    expect(findingsOf([model(3, NEVER_FEWER), quota({ pods: 3 })], 'kubernetes/insufficient-capacity')).toEqual([]);
  });

  test('hard limits that are not a quantity have no effect', () => {
    expect(rolloutOf([model(4, NEVER_FEWER), quota({ pods: 'many' })]).capacity).toBeUndefined();
  });
});

test('quotas count the same pods if and only if their namespaces and scopes are the same', () => {
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

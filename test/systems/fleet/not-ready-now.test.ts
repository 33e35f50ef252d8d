import type { FleetWaves } from '../../../src/core/simulations/fleet';
import { planManifests } from '../../../src/headless';
import type { PlanOptions } from '../../../src/headless';
import { factsOf } from '../../facts';

const NAMESPACE = 'fleet-default';

const BUNDLE = {
  apiVersion: 'fleet.cattle.io/v1alpha1',
  kind: 'Bundle',
  metadata: { name: 'app', namespace: NAMESPACE },
  spec: { targets: [{ clusterSelector: {} }], rolloutStrategy: { maxUnavailable: 1 } },
};

function clusterObject(name: string, status: object = {}): object {
  return { apiVersion: 'fleet.cattle.io/v1alpha1', kind: 'Cluster', metadata: { name, namespace: NAMESPACE }, status };
}

function deploymentOn(cluster: string, status: object): object {
  const labels = {
    'fleet.cattle.io/bundle-name': 'app',
    'fleet.cattle.io/bundle-namespace': NAMESPACE,
    'fleet.cattle.io/cluster': cluster,
    'fleet.cattle.io/cluster-namespace': NAMESPACE,
  };
  return {
    apiVersion: 'fleet.cattle.io/v1alpha1',
    kind: 'BundleDeployment',
    metadata: { name: 'app', namespace: `cluster-${cluster}`, labels },
    spec: { deploymentID: 'a' },
    status,
  };
}

const [A, B, C] = ['a', 'b', 'c'].map((name) => clusterObject(name)) as [object, object, object];
const NOT_READY = { conditions: [{ type: 'Ready', status: 'False' }] };

function updateOf(objects: readonly object[], options: PlanOptions = {}): FleetWaves {
  const { simulation } = planManifests([BUNDLE, ...objects], options).rollouts[0]!;
  if (simulation?.kind !== 'fleet') throw new Error('not simulated');
  return simulation.update;
}

const C_FIRST = {
  waves: [{ count: 1, clusters: ['c'] }],
  done: false,
  halted: { partition: 'All', unavailablePartitions: 1 },
  notReleasedCount: 2,
  notReleased: ['a', 'b'],
};

describe('a cluster that is down before the update', () => {
  test('holds a place from the start and is released first, where it is named', () => {
    expect(updateOf([A, B, C], { notReadyNow: ['c'] })).toEqual(C_FIRST);
    expect(updateOf([A, B, C], { notReadyNow: [`${NAMESPACE}/c`] })).toEqual(C_FIRST);
  });

  test('is told by its condition Ready', () => {
    expect(updateOf([A, B, clusterObject('c', NOT_READY)])).toEqual(C_FIRST);
  });

  test('is told by the BundleDeployment of the bundle, which knows better than the Cluster', () => {
    expect(updateOf([A, B, C, deploymentOn('c', { appliedDeploymentID: 'a', ready: false })])).toEqual(C_FIRST);
    expect(updateOf([A, B, C, deploymentOn('c', { appliedDeploymentID: 'older', ready: true })])).toEqual(C_FIRST);
    const ready = deploymentOn('c', { appliedDeploymentID: 'a', ready: true });
    expect(updateOf([A, B, clusterObject('c', NOT_READY), ready]).done).toBe(true);
  });

  test('is another matter than one that breaks with the update', () => {
    expect(updateOf([A, B, C], { neverReady: ['c'] })).toMatchObject({
      waves: [{ clusters: ['a'] }, { clusters: ['b'] }, { clusters: ['c'] }],
    });
  });

  test('that no inventory holds is named', () => {
    expect(factsOf(planManifests([BUNDLE, A, B], { notReadyNow: ['c'] }).findings)).toEqual([
      { code: 'input/unknown-cluster', severity: 'warning', messageId: 'notReadyNow', path: '', data: { cluster: 'c', clusters: 2 } },
    ]);
  });
});

test('a limit beyond 32 bits is said to break the list of all Bundles, and the smallest int32 is a limit', () => {
  const limited = (maxUnavailable: number) =>
    planManifests([{ ...BUNDLE, spec: { ...BUNDLE.spec, rolloutStrategy: { maxUnavailable } } }, A]).rollouts[0]!;
  expect(factsOf(limited(3_000_000_000).findings)).toEqual([
    {
      code: 'input/wrong-type',
      severity: 'error',
      messageId: 'int32Overflow',
      path: 'spec.rolloutStrategy.maxUnavailable',
      data: { field: 'maxUnavailable', value: 3_000_000_000 },
    },
  ]);
  expect(limited(-2_147_483_648).strategy).not.toBeNull();
});

test('BundleDeployments may stand in the file given with --clusters', () => {
  expect(updateOf([], { clusters: [A, B, C, deploymentOn('c', { appliedDeploymentID: 'a', ready: false })] })).toEqual(C_FIRST);
});

test('clusters that Fleet passes over are named, and an empty status says nothing', () => {
  const plan = planManifests([
    BUNDLE,
    clusterObject('a', { display: {} }),
    clusterObject('b', { namespace: 'cluster-b', scheduled: true, activeSchedule: false }),
    clusterObject('c', { namespace: 'cluster-c', scheduled: true, activeSchedule: true }),
    clusterObject('d'),
  ]);
  expect(factsOf(plan.findings)).toEqual([
    { code: 'fleet/cluster-not-reached', messageId: 'notRegistered', severity: 'warning', path: '', data: { count: 1, names: ['a'] } },
    { code: 'fleet/cluster-not-reached', messageId: 'outsideSchedule', severity: 'warning', path: '', data: { count: 1, names: ['b'] } },
  ]);
});

test('maxNew and autoPartitionThreshold are 64 bits', () => {
  const rolloutStrategy = { maxUnavailable: 1, maxNew: 3_000_000_000, autoPartitionThreshold: 3_000_000_000 };
  const plan = planManifests([{ ...BUNDLE, spec: { ...BUNDLE.spec, rolloutStrategy } }, A, B, C]);
  expect(plan.rollouts[0]!.findings).toEqual([]);
  expect(plan.rollouts[0]!.simulation).toMatchObject({ maxNew: 3_000_000_000 });
});

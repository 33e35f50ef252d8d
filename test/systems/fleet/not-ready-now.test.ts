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
  test('uses a slot from the start and is released first if it is named', () => {
    expect(updateOf([A, B, C], { notReadyNow: ['c'] })).toEqual(C_FIRST);
    expect(updateOf([A, B, C], { notReadyNow: [`${NAMESPACE}/c`] })).toEqual(C_FIRST);
  });

  test('is detected by its condition Ready', () => {
    expect(updateOf([A, B, clusterObject('c', NOT_READY)])).toEqual(C_FIRST);
  });

  test('is detected by the BundleDeployment of the bundle, which overrides the Cluster', () => {
    expect(updateOf([A, B, C, deploymentOn('c', { appliedDeploymentID: 'a', ready: false })])).toEqual(C_FIRST);
    expect(updateOf([A, B, C, deploymentOn('c', { appliedDeploymentID: 'older', ready: true })])).toEqual(C_FIRST);
    const ready = deploymentOn('c', { appliedDeploymentID: 'a', ready: true });
    expect(updateOf([A, B, clusterObject('c', NOT_READY), ready]).done).toBe(true);
  });

  test('differs from a cluster that breaks with the update', () => {
    expect(updateOf([A, B, C], { neverReady: ['c'] })).toMatchObject({
      waves: [{ clusters: ['a'] }, { clusters: ['b'] }, { clusters: ['c'] }],
    });
  });

  test('is reported if it is not in the inventory', () => {
    expect(factsOf(planManifests([BUNDLE, A, B], { notReadyNow: ['c'] }).findings)).toEqual([
      { code: 'input/unknown-cluster', severity: 'warning', messageId: 'notReadyNow', path: '', data: { cluster: 'c', clusters: 2 } },
    ]);
  });
});

test('a limit that does not fit into 32 bits is reported, and the smallest int32 is a valid limit', () => {
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

test('BundleDeployments may be in the --clusters file', () => {
  expect(updateOf([], { clusters: [A, B, C, deploymentOn('c', { appliedDeploymentID: 'a', ready: false })] })).toEqual(C_FIRST);
});

test('clusters that Fleet skips are reported, and an empty status is ignored', () => {
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

test('maxNew and autoPartitionThreshold have 64 bits', () => {
  const rolloutStrategy = { maxUnavailable: 1, maxNew: 3_000_000_000, autoPartitionThreshold: 3_000_000_000 };
  const plan = planManifests([{ ...BUNDLE, spec: { ...BUNDLE.spec, rolloutStrategy } }, A, B, C]);
  expect(plan.rollouts[0]!.findings).toEqual([]);
  expect(plan.rollouts[0]!.simulation).toMatchObject({ maxNew: 3_000_000_000 });
});

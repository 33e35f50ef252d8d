import { diffRayServices } from '../../../src/systems/kuberay/trigger';
import type { Manifest } from '../../../src/core/manifest';
import { CLUSTER, incremental, lines, OPTIONS, rayService, rolloutOf } from './plan';

/** The cluster of the other tests as v1alpha1 wants it, with rayStartParams in every group. */
const OLD_CLUSTER = {
  ...CLUSTER,
  headGroupSpec: { ...CLUSTER.headGroupSpec, rayStartParams: {} },
  workerGroupSpecs: CLUSTER.workerGroupSpecs.map((group) => ({ ...group, rayStartParams: {} })),
};

function old(upgradeStrategy?: object, spec: object = {}): object {
  return { ...rayService(upgradeStrategy, { rayClusterConfig: OLD_CLUSTER, ...spec }), apiVersion: 'ray.io/v1alpha1' };
}

describe('a RayService of ray.io/v1alpha1', () => {
  test('is planned as NewCluster, since it has no upgradeStrategy', () => {
    expect(rolloutOf(old())).toMatchObject({
      resource: { apiVersion: 'ray.io/v1alpha1', kind: 'RayService', name: 'llm' },
      strategy: {},
      simulation: { kind: 'rayservice', type: 'NewCluster', peakCapacityPercent: 200 },
    });
    expect(lines(old())).toEqual(['warning kuberay/doubles-accelerators spec.upgradeStrategy.type']);
  });

  test('loses the fields that v1 alone has, and says which', () => {
    const object = old(
      { type: 'NewClusterWithIncrementalUpgrade', clusterUpgradeOptions: OPTIONS },
      {
        suspend: true,
        rayClusterConfig: { ...OLD_CLUSTER, workerGroupSpecs: OLD_CLUSTER.workerGroupSpecs.map((group) => ({ ...group, numOfHosts: 4 })) },
      },
    );
    expect(rolloutOf(object)).toMatchObject({ strategy: {}, simulation: { type: 'NewCluster' }, workers: { pods: 5 } });
    expect(lines(object)).toEqual([
      'warning input/unknown-field spec.upgradeStrategy',
      'warning input/unknown-field spec.suspend',
      'warning input/unknown-field spec.rayClusterConfig.workerGroupSpecs[0].numOfHosts',
      'warning kuberay/doubles-accelerators spec.upgradeStrategy.type',
    ]);
    expect(rolloutOf(object).findings[0]).toMatchObject({
      messageId: 'otherVersion',
      data: { field: 'upgradeStrategy', apiVersion: 'ray.io/v1alpha1', hasIt: 'ray.io/v1' },
    });
  });

  test('is refused where a group has no rayStartParams', () => {
    expect(lines({ ...rayService({}), apiVersion: 'ray.io/v1alpha1' })).toEqual([
      'error kuberay/ray-cluster-spec spec.rayClusterConfig.headGroupSpec.rayStartParams',
      'error kuberay/ray-cluster-spec spec.rayClusterConfig.workerGroupSpecs[0].rayStartParams',
    ]);
  });

  test('is no change against the same of v1 in fields that it drops', () => {
    const upgraded = { ...incremental({}, { rayClusterConfig: OLD_CLUSTER }), apiVersion: 'ray.io/v1alpha1' };
    expect(diffRayServices(old() as Manifest, upgraded as Manifest)).toEqual({ triggers: 'none', changes: [] });
  });
});

test('another version of ray.io is none that KubeRay serves', () => {
  expect(rolloutOf({ ...rayService({}), apiVersion: 'ray.io/v1beta1' })).toBeUndefined();
});

import { diffRayServices } from '../../../src/systems/kuberay/trigger';
import type { Manifest } from '../../../src/core/manifest/manifest';
import { CLUSTER, incremental, lines, OPTIONS, rayService, rolloutOf } from './plan';

/** The cluster of the other tests with rayStartParams in every group, which v1alpha1 requires. */
const OLD_CLUSTER = {
  ...CLUSTER,
  headGroupSpec: { ...CLUSTER.headGroupSpec, rayStartParams: {} },
  workerGroupSpecs: CLUSTER.workerGroupSpecs.map((group) => ({ ...group, rayStartParams: {} })),
};

function old(upgradeStrategy?: object, spec: object = {}): object {
  return { ...rayService(upgradeStrategy, { rayClusterConfig: OLD_CLUSTER, ...spec }), apiVersion: 'ray.io/v1alpha1' };
}

describe('a RayService of ray.io/v1alpha1', () => {
  test('is planned as NewCluster because it has no upgradeStrategy', () => {
    expect(rolloutOf(old())).toMatchObject({
      resource: { apiVersion: 'ray.io/v1alpha1', kind: 'RayService', name: 'llm' },
      strategy: {},
      simulation: { kind: 'rayservice', type: 'NewCluster', peakCapacityPercent: 200 },
    });
    expect(lines(old())).toEqual(['warning kuberay/doubles-accelerators spec.upgradeStrategy.type']);
  });

  test('loses the fields that only v1 has, and reports them', () => {
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
      data: { field: 'upgradeStrategy', apiVersion: 'ray.io/v1alpha1', supportedBy: 'ray.io/v1' },
    });
  });

  test('is refused if a group has no rayStartParams', () => {
    expect(lines({ ...rayService({}), apiVersion: 'ray.io/v1alpha1' })).toEqual([
      'error kuberay/ray-cluster-spec spec.rayClusterConfig.headGroupSpec.rayStartParams',
      'error kuberay/ray-cluster-spec spec.rayClusterConfig.workerGroupSpecs[0].rayStartParams',
    ]);
  });

  test('does not differ from a v1 object in fields that it drops', () => {
    const upgraded = { ...incremental({}, { rayClusterConfig: OLD_CLUSTER }), apiVersion: 'ray.io/v1alpha1' };
    expect(diffRayServices(old() as Manifest, upgraded as Manifest)).toEqual({ triggers: 'none', changes: [] });
  });
});

test('KubeRay does not serve other versions of ray.io', () => {
  expect(rolloutOf({ ...rayService({}), apiVersion: 'ray.io/v1beta1' })).toBeUndefined();
});

import { incremental, OPTIONS, rayService, rolloutOf } from './plan';

test('the strategy is what the API server stores: without unknown fields, and with the default maxSurgePercent', () => {
  const { maxSurgePercent: _, ...options } = OPTIONS;
  const { strategy, provenance } = rolloutOf(
    rayService({ type: 'NewClusterWithIncrementalUpgrade', clusterUpgradeOptions: { ...options, maxSurge: 10 } }),
  );
  expect(strategy).toEqual({
    type: 'NewClusterWithIncrementalUpgrade',
    clusterUpgradeOptions: { maxSurgePercent: 100, stepSizePercent: 5, intervalSeconds: 10, gatewayClassName: 'istio' },
  });
  expect(provenance).toEqual([
    {
      field: 'type',
      value: 'NewClusterWithIncrementalUpgrade',
      layer: 'user',
      reason: 'spec.upgradeStrategy.type is set. The old cluster is deleted 60 s after the new one took over.',
      overridden: [],
    },
    {
      field: 'maxSurgePercent',
      value: 100,
      layer: 'kuberay-default',
      reason: 'spec.upgradeStrategy.clusterUpgradeOptions.maxSurgePercent is not set; the CRD fills in 100.',
      overridden: [],
    },
    {
      field: 'stepSizePercent',
      value: 5,
      layer: 'user',
      reason: 'spec.upgradeStrategy.clusterUpgradeOptions.stepSizePercent is set.',
      overridden: [],
    },
    {
      field: 'intervalSeconds',
      value: 10,
      layer: 'user',
      reason:
        'spec.upgradeStrategy.clusterUpgradeOptions.intervalSeconds is set. The guide advises 60, so that both autoscalers can react to ' +
        'a step.',
      overridden: [],
    },
    {
      field: 'gatewayClassName',
      value: 'istio',
      layer: 'user',
      reason: 'spec.upgradeStrategy.clusterUpgradeOptions.gatewayClassName is set.',
      overridden: [],
    },
  ]);
});

test('the plan has the pods and GPUs of the surge in addition to the simulation', () => {
  const gpus = (count: number, surge: number) => [{ resource: 'nvidia.com/gpu', count, surge }];
  expect(rolloutOf(incremental()).workers).toEqual({
    pods: 5,
    gpus: 5,
    surgePods: 1,
    surgeGpus: 1,
    accelerators: gpus(5, 1),
    autoscaled: true,
    maximum: { pods: 10, gpus: 10, surgePods: 2, surgeGpus: 2, accelerators: gpus(10, 2) },
  });
  expect(rolloutOf(rayService({ type: 'NewCluster' })).workers).toMatchObject({ pods: 5, gpus: 5, surgePods: 5, surgeGpus: 5 });
  expect(rolloutOf(rayService({ type: 'None' })).workers).toBeUndefined();
  expect(rolloutOf(rayService({}, { rayClusterConfig: {} })).workers).toBeUndefined();
});

test('the old cluster outlives the upgrade by rayClusterDeletionDelaySeconds', () => {
  expect(rolloutOf(incremental({}, { rayClusterDeletionDelaySeconds: 600 })).provenance[0]!.reason).toContain('deleted 600 s after');
});

test('without a type the default is NewCluster', () => {
  const { strategy, provenance } = rolloutOf(rayService(undefined));
  expect(strategy).toEqual({});
  expect(provenance).toEqual([
    {
      field: 'type',
      value: 'NewCluster',
      layer: 'kuberay-default',
      reason:
        'spec.upgradeStrategy.type is not set; KubeRay then creates a full second cluster. The old cluster is deleted 60 s after the new ' +
        'one took over.',
      overridden: [],
    },
  ]);
});

test('options that another type ignores have no provenance', () => {
  const { strategy, provenance } = rolloutOf(rayService({ type: 'None', clusterUpgradeOptions: OPTIONS }));
  expect(strategy).toEqual({ type: 'None', clusterUpgradeOptions: OPTIONS });
  expect(provenance).toEqual([
    { field: 'type', value: 'None', layer: 'user', reason: 'spec.upgradeStrategy.type is set.', overridden: [] },
  ]);
});

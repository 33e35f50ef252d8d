import type { RevisionSimulation } from '../../../../src/core/simulations/revision';
import type { Fields, Manifest } from '../../../../src/core/manifest/manifest';
import { factsOf } from '../../../facts';
import { configMap, plan, rolloutOf, service } from '../plan';

const KNATIVE = configMap({ defaultDeploymentMode: 'Knative' });
const ZERO = { 'autoscaling.knative.dev/initial-scale': '0' };

function knativeConfig(name: string, data: object, namespace = 'knative-serving'): Manifest {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data };
}

function autoscaler(data: object) {
  return knativeConfig('config-autoscaler', data);
}

function predictorOf(objects: readonly Manifest[], component: Fields, annotations: Readonly<Record<string, string>> = {}) {
  return rolloutOf(plan([KNATIVE, ...objects, service(component, { annotations })]), 'predictor');
}

function rowsOf(simulation: unknown): string[] {
  return (simulation as RevisionSimulation).waves.map(
    ({ oldPods, newPods, latestTrafficPercent }) => `${oldPods}/${newPods}/${latestTrafficPercent}`,
  );
}

describe("Knative's own ConfigMaps apply to all Revisions", () => {
  test.each([
    [
      'initial-scale is the number of pods a Revision starts with',
      [autoscaler({ 'initial-scale': '3' })],
      {},
      {},
      ['1/3/0', '1/3/100', '1/1/100', '0/1/100'],
    ],
    [
      'initial-scale may have several digits',
      [autoscaler({ 'initial-scale': ' 12 ' })],
      {},
      {},
      ['1/12/0', '1/12/100', '1/1/100', '0/1/100'],
    ],
    ['and so may an annotation', [], {}, { 'autoscaling.knative.dev/initial-scale': '12' }, ['1/12/0', '1/12/100', '1/1/100', '0/1/100']],
    [
      'an annotation overrides it',
      [autoscaler({ 'initial-scale': '3' })],
      {},
      { 'autoscaling.knative.dev/initial-scale': '2' },
      ['1/2/0', '1/2/100', '1/1/100', '0/1/100'],
    ],
    ['an initial scale of 0 is dropped by default', [], { minReplicas: 0 }, ZERO, ['0/1/0', '0/1/100', '0/0/100']],
    [
      'with allow-zero-initial-scale it needs no pod to be ready',
      [autoscaler({ 'allow-zero-initial-scale': 'true' })],
      { minReplicas: 0 },
      ZERO,
      ['0/0/0', '0/0/100'],
    ],
    [
      'with minReplicas 4 it still needs 4 ready pods',
      [autoscaler({ 'allow-zero-initial-scale': 'true' })],
      { minReplicas: 4 },
      ZERO,
      ['4/0/0', '4/4/0', '4/4/100', '0/4/100'],
    ],
    [
      'without scale to zero every old Revision keeps a pod',
      [autoscaler({ 'enable-scale-to-zero': 'false' })],
      { minReplicas: 4 },
      {},
      ['4/1/0', '4/4/0', '4/4/100', '1/4/100'],
    ],
    [
      'and so does a service with minReplicas 0',
      [autoscaler({ 'enable-scale-to-zero': 'false' })],
      { minReplicas: 0 },
      {},
      ['1/1/0', '1/1/100'],
    ],
    [
      'rollout-duration moves the requests in steps',
      [knativeConfig('config-network', { 'rollout-duration': '3' })],
      {},
      {},
      ['1/1/0', '1/1/1', '1/1/51', '1/1/100', '0/1/100'],
    ],
    [
      "a ConfigMap with that name in another namespace is not Knative's",
      [knativeConfig('config-autoscaler', { 'initial-scale': '3' }, 'tekton')],
      {},
      {},
      ['1/1/0', '1/1/100', '0/1/100'],
    ],
  ] as const)('%s', (_, objects, component, annotations, rows) => {
    expect(rowsOf(predictorOf(objects, component, annotations).simulation)).toEqual(rows);
  });

  test('max-scale is the upper limit of a service without its own', () => {
    const maximum = (component: Fields) => predictorOf([autoscaler({ 'max-scale': '6' })], component).autoscaled?.maximum;
    expect(maximum({ minReplicas: 2 })).toMatchObject({ replicas: 6, peakPods: 12 });
    expect(maximum({ minReplicas: 2, maxReplicas: 3 })).toMatchObject({ replicas: 3 });
    expect(maximum({ minReplicas: 6 })).toBeUndefined();
  });

  test('deadline and grace period determine when a Revision is abandoned', () => {
    const objects = [
      knativeConfig('config-deployment', { 'progress-deadline': '20m' }),
      autoscaler({ 'scale-to-zero-grace-period': '1m' }),
      { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'pods', namespace: 'models' }, spec: { hard: { pods: '1' } } },
    ];
    expect(predictorOf(objects, {}).simulation).toMatchObject({ halted: { wave: 1, reason: 'insufficient-capacity', afterSeconds: 1260 } });
  });
});

test('a value that Knative refuses is an error at its path, and the rest of the ConfigMap applies', () => {
  const objects = [
    autoscaler({ 'initial-scale': '0', 'scale-to-zero-grace-period': '30', 'max-scale': 'x', 'enable-scale-to-zero': 'false' }),
    knativeConfig('config-deployment', { 'progress-deadline': 600 }),
    knativeConfig('config-network', { 'rollout-duration': '1m' }),
  ];
  const { findings, rollouts } = plan([KNATIVE, ...objects, service({ minReplicas: 2 })]);
  const refused = (name: string, key: string, value: unknown, expected: string) => ({
    code: 'kserve/invalid-config',
    severity: 'error',
    messageId: 'knativeValue',
    data: { configMap: name, key, value, expected },
    path: `data[${key}]`,
  });
  expect(factsOf(findings)).toEqual([
    refused('config-autoscaler', 'initial-scale', '0', 'count-above-zero'),
    refused('config-autoscaler', 'scale-to-zero-grace-period', '30', 'duration'),
    refused('config-autoscaler', 'max-scale', 'x', 'count'),
    refused('config-deployment', 'progress-deadline', 600, 'duration'),
    refused('config-network', 'rollout-duration', '1m', 'seconds'),
  ]);
  expect(rowsOf(rollouts[0]!.simulation)).toEqual(['2/1/0', '2/2/0', '2/2/100', '1/2/100']);
});

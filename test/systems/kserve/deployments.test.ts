import * as fc from 'fast-check';
import type { Fields, Manifest } from '../../../src/core/manifest/manifest';
import { checkMultinodeGpus } from '../../../src/systems/kserve/rules/invalid-multinode';
import { computeRayNodes } from '../../../src/systems/kserve/nodes';
import { factsOf } from '../../facts';
import { listed, multinodeService, plan, rolloutDefaults, rolloutOf, service, STANDARD, STANDARD_PLATFORM } from './plan';

const TRANSFORMER = { containers: [{ name: 'kserve-container', image: 'my-transformer:latest' }] };

describe('the Deployments that KServe creates', () => {
  test('one for each component, with independent strategies', () => {
    const config = rolloutDefaults({ maxSurge: '50%', maxUnavailable: '0%' });
    const isvc = service(
      { minReplicas: 4, maxReplicas: 8 },
      {
        spec: {
          transformer: { ...TRANSFORMER, minReplicas: 2, deploymentStrategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } },
          explainer: { containers: [{ name: 'kserve-container' }], deploymentStrategy: { type: 'Recreate' } },
        },
      },
    );
    const { rollouts } = plan([config, isvc]);
    expect(rollouts.map(({ resource, creates }) => [resource.component, creates])).toMatchInlineSnapshot(`
[
  [
    "predictor",
    [
      {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "name": "iris-predictor",
        "namespace": "models",
        "replicas": 4,
        "selector": {
          "app": "isvc.iris-predictor",
        },
        "strategy": {
          "rollingUpdate": {
            "maxSurge": "50%",
            "maxUnavailable": "0%",
          },
          "type": "RollingUpdate",
        },
      },
    ],
  ],
  [
    "transformer",
    [
      {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "name": "iris-transformer",
        "namespace": "models",
        "replicas": 2,
        "selector": {
          "app": "isvc.iris-transformer",
        },
        "strategy": {
          "rollingUpdate": {
            "maxSurge": 0,
            "maxUnavailable": 1,
          },
          "type": "RollingUpdate",
        },
      },
    ],
  ],
  [
    "explainer",
    [
      {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "name": "iris-explainer",
        "namespace": "models",
        "replicas": 1,
        "selector": {
          "app": "isvc.iris-explainer",
        },
        "strategy": {
          "type": "Recreate",
        },
      },
    ],
  ],
]
`);
  });

  test('with waves: four available replicas and a surge of half of them', () => {
    const config = rolloutDefaults({ maxSurge: '50%', maxUnavailable: '0%' });
    expect(rolloutOf(plan([config, service({ minReplicas: 4 })]), 'predictor').simulation).toMatchInlineSnapshot(`
{
  "iterations": 2,
  "kind": "deployment",
  "minAvailable": 4,
  "peakPods": 6,
  "replicas": 4,
  "surge": 2,
  "unavailable": 0,
  "waves": [
    {
      "available": 4,
      "newReplicas": 2,
      "oldReplicas": 4,
      "total": 6,
      "wave": 1,
    },
    {
      "available": 4,
      "newReplicas": 4,
      "oldReplicas": 2,
      "total": 6,
      "wave": 2,
    },
    {
      "available": 4,
      "newReplicas": 4,
      "oldReplicas": 0,
      "total": 4,
      "wave": 3,
    },
  ],
}
`);
  });

  test('a head and its workers for a multinode predictor', () => {
    const isvc = multinodeService({ workerSpec: { pipelineParallelSize: 2, tensorParallelSize: 2 } });
    const { rollouts } = plan([isvc, rolloutDefaults({ maxSurge: '10%' })]);
    expect(rollouts.map(({ resource, creates, simulation }) => [resource.component, creates, simulation])).toMatchInlineSnapshot(`
[
  [
    "predictor",
    [
      {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "name": "iris-predictor",
        "namespace": "models",
        "replicas": 1,
        "selector": {
          "app": "isvc.iris-predictor",
        },
        "strategy": {
          "rollingUpdate": {
            "maxSurge": "10%",
            "maxUnavailable": "25%",
          },
          "type": "RollingUpdate",
        },
      },
    ],
    {
      "iterations": 1,
      "kind": "deployment",
      "minAvailable": 1,
      "peakPods": 2,
      "replicas": 1,
      "surge": 1,
      "unavailable": 0,
      "waves": [
        {
          "available": 1,
          "newReplicas": 1,
          "oldReplicas": 1,
          "total": 2,
          "wave": 1,
        },
        {
          "available": 1,
          "newReplicas": 1,
          "oldReplicas": 0,
          "total": 1,
          "wave": 2,
        },
      ],
    },
  ],
  [
    "worker",
    [
      {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "name": "iris-predictor-worker",
        "namespace": "models",
        "replicas": 3,
        "selector": {
          "app": "isvc.iris-predictor-worker",
        },
        "strategy": {
          "rollingUpdate": {
            "maxSurge": "100%",
            "maxUnavailable": "0%",
          },
          "type": "RollingUpdate",
        },
      },
    ],
    {
      "iterations": 1,
      "kind": "deployment",
      "minAvailable": 3,
      "peakPods": 6,
      "replicas": 3,
      "surge": 3,
      "unavailable": 0,
      "waves": [
        {
          "available": 3,
          "newReplicas": 3,
          "oldReplicas": 3,
          "total": 6,
          "wave": 1,
        },
        {
          "available": 3,
          "newReplicas": 3,
          "oldReplicas": 0,
          "total": 3,
          "wave": 2,
        },
      ],
    },
  ],
]
`);
  });

  test('with the name of the predictor in their names, since KServe 0.20', () => {
    const isvc = multinodeService({ name: 'v2' });
    const names = (version: string) =>
      plan([STANDARD_PLATFORM, isvc], version).rollouts.map(({ creates }) => [creates![0]!.name, creates![0]!.selector!.app]);
    expect(names('0.20')).toEqual([
      ['iris-v2-predictor', 'isvc.iris-v2-predictor'],
      ['iris-predictor-worker', 'isvc.iris-v2-predictor-worker'],
    ]);
    expect(names('0.19')).toEqual([
      ['iris-predictor', 'isvc.iris-predictor'],
      ['iris-predictor-worker', 'isvc.iris-predictor-worker'],
    ]);
    expect(listed(rolloutOf(plan([STANDARD_PLATFORM, service({ name: 'v2', minReplicas: 4 })], '0.19'), 'predictor').findings)).toEqual([
      'warning input/unknown-field at spec.predictor.name',
    ]);
  });
});

/** Returns the replicas of the predictor. */
function replicas(predictor: Fields, annotations: Record<string, string>): number | undefined {
  return rolloutOf(plan([STANDARD_PLATFORM, service(predictor, { annotations })]), 'predictor').creates![0]!.replicas;
}

describe('replicas', () => {
  test.each([
    ['1 without minReplicas', {}, {}, 1],
    ['minReplicas', { minReplicas: 3 }, {}, 3],
    ['at least 1, the minimum of an autoscaler', { minReplicas: 0 }, {}, 1],
    ['exactly minReplicas with autoscaler class none', { minReplicas: 0 }, { 'serving.kserve.io/autoscalerClass': 'none' }, 0],
    [
      'determined by the autoscaler class of the component before that of the service',
      { minReplicas: 0, annotations: { 'serving.kserve.io/autoscalerClass': 'none' } },
      { 'serving.kserve.io/autoscalerClass': 'hpa' },
      0,
    ],
  ])('are %s', (_, predictor, annotations: Record<string, string>, expected) => {
    expect(replicas(predictor, annotations)).toBe(expected);
  });
});

/** Returns a serving runtime for nodes with four GPUs. */
function runtime(annotations: Fields): Manifest {
  const gpus = { resources: { limits: { 'nvidia.com/gpu': '4' } } };
  const workers = { containers: [{ name: 'worker-container', ...gpus }] };
  return {
    apiVersion: 'serving.kserve.io/v1alpha1',
    kind: 'ClusterServingRuntime',
    metadata: { name: 'llm-runtime' },
    spec: {
      annotations,
      supportedModelFormats: [{ name: 'huggingface' }],
      containers: [{ name: 'kserve-container', ...gpus }],
      workerSpec: { pipelineParallelSize: 4, tensorParallelSize: 2, ...workers },
    },
  };
}

describe('nodes of a multinode predictor with Ray', () => {
  const size = fc.integer({ min: 1, max: 64 });

  test('have enough GPUs for the parallelism, or are refused', () => {
    fc.assert(
      fc.property(size, fc.integer({ min: 0, max: 16 }), fc.integer({ min: 0, max: 16 }), (total, head, worker) => {
        const demand = { total, head, worker };
        const nodes = computeRayNodes(demand);
        const available = nodes.headGpus + nodes.workerGpus * (nodes.count - 1);
        expect(nodes.count).toBeGreaterThanOrEqual(1);
        expect(checkMultinodeGpus(demand, nodes)).toHaveLength(available < total ? 1 : 0);
      }),
    );
  });

  test('are 1 + ceil((total - head) / worker) if head and workers have the same number of GPUs', () => {
    fc.assert(
      fc.property(size, fc.integer({ min: 1, max: 16 }), (total, gpus) => {
        expect(computeRayNodes({ total, head: gpus, worker: gpus }).count).toBe(1 + Math.max(0, Math.ceil((total - gpus) / gpus)));
      }),
    );
  });

  test('are refused if they have too few, with a message that says the opposite', () => {
    const model = { modelFormat: { name: 'huggingface' }, storageUri: 'oci://models/llm', resources: { limits: { 'nvidia.com/gpu': 1 } } };
    const containers = [{ name: 'worker-container', resources: { limits: { 'nvidia.com/gpu': '8' } } }];
    const { rollouts } = plan([
      STANDARD_PLATFORM,
      multinodeService({ model, workerSpec: { pipelineParallelSize: 2, tensorParallelSize: 8, containers } }),
    ]);
    expect(factsOf(rollouts[0]!.findings.filter(({ severity }) => severity === 'error'))).toMatchInlineSnapshot(`
[
  {
    "code": "kserve/invalid-service",
    "data": {
      "headGpus": 1,
      "total": 16,
      "workerGpus": 8,
    },
    "messageId": "tooFewGpus",
    "path": "spec.predictor.workerSpec",
    "severity": "error",
  },
]
`);
  });

  test('use sizes, GPUs and the executor backend of a serving runtime in the input', () => {
    const model = { modelFormat: { name: 'huggingface' }, storageUri: 'pvc://models/llm', runtime: 'llm-runtime' };
    const isvc = multinodeService({ model, workerSpec: {} });
    const workers = (annotations: Fields) =>
      rolloutOf(plan([STANDARD_PLATFORM, runtime(annotations), isvc]), 'worker').creates![0]!.replicas;
    expect(workers({})).toBe(Math.ceil((4 * 2) / 4) - 1);
    expect(workers({ 'multinode/executor-backend': 'mp' })).toBe(4 - 1);
    expect(rolloutOf(plan([STANDARD_PLATFORM, isvc]), 'worker').creates![0]!.replicas).toBe(0);
  });

  test('use the runtime of their namespace before that of the cluster, and none of another namespace', () => {
    const model = { modelFormat: { name: 'huggingface' }, storageUri: 'pvc://models/llm', runtime: 'llm-runtime' };
    const isvc = multinodeService({ model, workerSpec: {} });
    const inNamespace = (namespace: string): Manifest => ({
      ...runtime({ 'multinode/executor-backend': 'mp' }),
      kind: 'ServingRuntime',
      metadata: { name: 'llm-runtime', namespace },
    });
    const workers = (...runtimes: readonly Manifest[]) =>
      rolloutOf(plan([STANDARD_PLATFORM, ...runtimes, isvc]), 'worker').creates![0]!.replicas;
    expect(workers(inNamespace('models'))).toBe(4 - 1);
    expect(workers(runtime({}), inNamespace('models'))).toBe(4 - 1);
    expect(workers(runtime({}), inNamespace('other'))).toBe(2 - 1);
    expect(workers(inNamespace('other'))).toBe(0);
  });
});

function canary(name: string, trafficPercent: number, predictor: Fields = {}): Fields {
  const model = { modelFormat: { name: 'sklearn' }, storageUri: `s3://my-bucket/${name}` };
  return { trafficPercent, predictor: { name, model, ...predictor } };
}

describe('canaries of KServe 0.20', () => {
  const isvc = service(
    { minReplicas: 10 },
    { annotations: STANDARD, spec: { canary: [canary('v2', 20), canary('v3', 5, { minReplicas: 2 })] } },
  );

  test('are separate rollouts, with the limits of the ConfigMap or 25%, and their share of the replicas', () => {
    const { rollouts } = plan([isvc, rolloutDefaults({ maxSurge: '50%' })], '0.20');
    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: '50%', maxUnavailable: '25%' } };
    expect(rollouts.map(({ resource, creates }) => [resource.component, creates![0]])).toMatchObject([
      ['predictor', { name: 'iris-predictor', replicas: 10, strategy }],
      ['canary/v2', { name: 'iris-v2-predictor', replicas: 2, strategy }],
      ['canary/v3', { name: 'iris-v3-predictor', replicas: 2, strategy }],
    ]);
  });

  test('replace replicas of the stable predictor once they are ready', () => {
    const canaryStatuses = [
      { name: 'v2', ready: true, trafficPercent: 20 },
      { name: 'v3', ready: false, trafficPercent: 5 },
    ];
    expect(rolloutOf(plan([STANDARD_PLATFORM, { ...isvc, status: { canaryStatuses } }], '0.21'), 'predictor').creates![0]!.replicas).toBe(
      8,
    );
  });

  test('of KServe 0.20 get no requests, so the stable predictor keeps its replicas', () => {
    const canaryStatuses = [{ name: 'v2', ready: true, trafficPercent: 20 }];
    expect(rolloutOf(plan([STANDARD_PLATFORM, { ...isvc, status: { canaryStatuses } }], '0.20'), 'predictor').creates![0]!.replicas).toBe(
      10,
    );
  });

  test('leave the stable predictor one replica', () => {
    const spec = { canary: [canary('v2', 50, { minReplicas: 2 })] };
    const status = { canaryStatuses: [{ name: 'v2', ready: true, trafficPercent: 50 }] };
    const annotations = { ...STANDARD, 'serving.kserve.io/autoscalerClass': 'none' };
    expect(
      rolloutOf(plan([STANDARD_PLATFORM, service({ minReplicas: 2 }, { annotations, spec, status })], '0.21'), 'predictor').creates![0]!
        .replicas,
    ).toBe(1);
  });

  test('are dropped by the API server before 0.20', () => {
    const { rollouts } = plan([STANDARD_PLATFORM, isvc], '0.19');
    expect(rollouts.map(({ resource, findings }) => [resource.component, listed(findings)])).toEqual([
      ['predictor', ['warning input/unknown-field at spec.canary']],
    ]);
  });
});

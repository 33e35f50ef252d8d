import type { Fields, Manifest } from '../../../src/core/manifest/manifest';
import { getSuggestedFix } from '../../../src/core/findings/finding';
import { multinodeStrategyEscapesOverride } from '../../../src/systems/kserve/rules/multinode-strategy-escapes-override';
import { factsOf } from '../../facts';
import { listed, listedAll, multinodeService, plan, rolloutDefaults, rolloutOf, service, STANDARD, STANDARD_PLATFORM } from './plan';

const ROLLING = (rollingUpdate: Fields) => ({ deploymentStrategy: { type: 'RollingUpdate', rollingUpdate } });
const STRATEGY = 'spec.predictor.deploymentStrategy';

function canary(predictor: Fields = {}): Fields {
  return { trafficPercent: 0, predictor: { name: 'v2', ...predictor } };
}

function workerContainer(limits: Fields): Fields {
  return { name: 'worker-container', resources: { limits } };
}

/** Returns a multinode service with this workerSpec. */
function workersOf(workerSpec: Fields): Manifest {
  return multinodeService({ workerSpec });
}

/** Returns a multinode service with these fields in its model. */
function llm(model: Fields): Manifest {
  return multinodeService({ model: { modelFormat: { name: 'huggingface' }, storageUri: 'pvc://models/llm', ...model } });
}

/** Returns the findings of one component that come from KServe's own rules. */
function kserveFindings(objects: readonly Manifest[], component = 'predictor', version = '0.17') {
  return rolloutOf(plan([STANDARD_PLATFORM, ...objects], version), component).findings.filter(({ code }) => code.startsWith('kserve/'));
}

describe('kserve/partial-strategy', () => {
  test('a missing limit defaults to 25%, not to the value of the ConfigMap', () => {
    const [finding] = kserveFindings([service(ROLLING({ maxSurge: 1 })), rolloutDefaults({ maxUnavailable: '10%' })]);
    expect(factsOf([finding!])).toMatchInlineSnapshot(`
[
  {
    "code": "kserve/partial-strategy",
    "data": {
      "absent": "maxUnavailable",
      "configured": "10%",
    },
    "messageId": "missingLimit",
    "path": "spec.predictor.deploymentStrategy.rollingUpdate",
    "severity": "warning",
  },
]
`);
  });

  test('is also reported for a transformer, and if the ConfigMap has no value', () => {
    const spec = { transformer: { containers: [{ name: 'kserve-container' }], ...ROLLING({ maxUnavailable: 1 }) } };
    const [finding] = kserveFindings([service({}, { spec })], 'transformer');
    expect(factsOf([finding!])).toMatchInlineSnapshot(`
[
  {
    "code": "kserve/partial-strategy",
    "data": {
      "absent": "maxSurge",
    },
    "messageId": "missingLimit",
    "path": "spec.transformer.deploymentStrategy.rollingUpdate",
    "severity": "warning",
  },
]
`);
  });

  test.each([
    ['both limits', ROLLING({ maxSurge: 1, maxUnavailable: 0 })],
    ['neither limit', { deploymentStrategy: {} }],
    ['Recreate', { deploymentStrategy: { type: 'Recreate' } }],
    ['no strategy', {}],
  ])('is not reported for %s', (_, predictor) => {
    expect(kserveFindings([service(predictor)])).toEqual([]);
  });
});

describe('multinode predictors', () => {
  const override = ROLLING({ maxSurge: '100%', maxUnavailable: '0%' });

  test.each([
    ['nothing', {}, ['kserve/multinode-head-not-overridden'], []],
    ['other limits', ROLLING({ maxSurge: 1, maxUnavailable: 0 }), ['kserve/multinode-head-not-overridden'], []],
    ['one limit', ROLLING({ maxSurge: 1 }), ['kserve/multinode-head-not-overridden'], []],
    ['{}', { deploymentStrategy: {} }, ['kserve/multinode-head-not-overridden'], ['kserve/multinode-strategy-escapes-override']],
    [
      'Recreate',
      { deploymentStrategy: { type: 'Recreate' } },
      ['kserve/multinode-head-not-overridden'],
      ['kserve/multinode-strategy-escapes-override'],
    ],
    [
      'the right limits without a type',
      { deploymentStrategy: { rollingUpdate: { maxSurge: '100%', maxUnavailable: '0%' } } },
      [],
      ['kserve/multinode-strategy-escapes-override'],
    ],
    ['the override itself', override, [], []],
    ['the override with an int', ROLLING({ maxSurge: '100%', maxUnavailable: 0 }), [], []],
  ])('whose user writes %s', (_, predictor, head, worker) => {
    const isvc = multinodeService(predictor);
    expect(kserveFindings([isvc]).map(({ code }) => code)).toEqual(head);
    expect(kserveFindings([isvc], 'worker').map(({ code }) => code)).toEqual(worker);
  });

  test('report which type escapes the override of the worker, and suggest both limits', () => {
    const found = [{}, { type: 'Recreate' }].map(
      (deploymentStrategy) => kserveFindings([multinodeService({ deploymentStrategy })], 'worker')[0]!,
    );
    expect(found.map(({ messageId, data }) => [messageId, data])).toEqual([
      ['noType', {}],
      ['otherType', { type: 'Recreate' }],
    ]);
    const edit = { op: 'set', path: STRATEGY, value: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '100%', maxUnavailable: '0%' } } };
    for (const finding of found)
      expect(getSuggestedFix(multinodeStrategyEscapesOverride, finding)).toEqual({ edits: [edit], needsDecision: true });
  });

  test('report the limits of the head, and the missing type', () => {
    expect(factsOf(kserveFindings([multinodeService()]))).toMatchInlineSnapshot(`
[
  {
    "code": "kserve/multinode-head-not-overridden",
    "data": {
      "maxSurge": "25%",
      "maxUnavailable": "25%",
    },
    "messageId": "limits",
    "path": "spec.predictor.deploymentStrategy",
    "severity": "warning",
  },
]
`);
    expect(factsOf(kserveFindings([multinodeService({ deploymentStrategy: {} })], 'worker'))).toMatchInlineSnapshot(`
[
  {
    "code": "kserve/multinode-strategy-escapes-override",
    "data": {},
    "messageId": "noType",
    "path": "spec.predictor.deploymentStrategy",
    "severity": "warning",
  },
]
`);
  });

  test('have workers whose limits KServe replaces, even if they are invalid', () => {
    const { rollouts } = plan([STANDARD_PLATFORM, multinodeService(ROLLING({ maxSurge: '1', maxUnavailable: 0 }))]);
    expect(rollouts.map(({ resource, strategy, findings }) => [resource.component, strategy, listed(findings)])).toEqual([
      ['predictor', null, [`error kubernetes/quoted-integer at ${STRATEGY}.rollingUpdate.maxSurge`]],
      [
        'worker',
        { type: 'RollingUpdate', rollingUpdate: { maxSurge: '100%', maxUnavailable: '0%' } },
        [`warning kubernetes/surge-needs-headroom at ${STRATEGY}.rollingUpdate.maxUnavailable`],
      ],
    ]);
  });
});

describe('kserve/ray-node-count-without-worker', () => {
  const env = [{ name: 'RAY_NODE_COUNT', value: '2' }];

  test.each([
    ['the model', { model: { modelFormat: { name: 'huggingface' }, env } }],
    ['an old framework field', { model: undefined, huggingface: { env } }],
    ['a container', { model: undefined, containers: [{ name: 'kserve-container', env }] }],
  ])('the variable in %s has no effect', (_, predictor) => {
    expect(listed(kserveFindings([service(predictor)]))).toEqual(['warning kserve/ray-node-count-without-worker at spec.predictor']);
  });

  test('is not reported with a workerSpec, because KServe then overwrites the variable', () => {
    const model = { modelFormat: { name: 'huggingface' }, storageUri: 'pvc://models/llm', env };
    expect(kserveFindings([multinodeService({ model })]).map(({ code }) => code)).toEqual(['kserve/multinode-head-not-overridden']);
  });
});

describe('kserve/canary-ignores-strategy', () => {
  const recreate = { deploymentStrategy: { type: 'Recreate' } };

  test.each([
    ['of the stable predictor', recreate, {}, 'spec.predictor.deploymentStrategy', 'predictor'],
    ['of the canary', {}, recreate, 'spec.canary[0].predictor.deploymentStrategy', 'canary'],
    ['of both', recreate, recreate, 'spec.canary[0].predictor.deploymentStrategy', 'canary'],
  ])('the strategy %s', (_, stable, own, path, holder) => {
    const isvc = service(stable, { annotations: STANDARD, spec: { canary: [canary(own)] } });
    expect(factsOf(kserveFindings([isvc], 'canary/v2', '0.20'))).toEqual([
      { code: 'kserve/canary-ignores-strategy', severity: 'warning', messageId: 'ignored', data: { holder }, path },
    ]);
    expect(rolloutOf(plan([STANDARD_PLATFORM, isvc], '0.20'), 'canary/v2').strategy).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' },
    });
  });

  test('each canary has its own finding', () => {
    const isvc = service({}, { annotations: STANDARD, spec: { canary: [canary(), canary({ name: 'v3', ...recreate })] } });
    const { rollouts } = plan([STANDARD_PLATFORM, isvc], '0.20');
    const paths = rollouts.map(({ resource, findings }) => [
      resource.component,
      findings.filter(({ code }) => code === 'kserve/canary-ignores-strategy').map(({ path }) => path),
    ]);
    expect(paths).toEqual([
      ['predictor', []],
      ['canary/v2', []],
      ['canary/v3', ['spec.canary[1].predictor.deploymentStrategy']],
    ]);
  });

  test('is not reported without a strategy', () => {
    expect(kserveFindings([service({}, { annotations: STANDARD, spec: { canary: [canary()] } })], 'canary/v2', '0.20')).toEqual([]);
  });
});

describe('kserve/invalid-service: other refusals of the webhook and the controller', () => {
  test.each<[messageId: string, data: Fields, isvc: Manifest, path: string]>([
    ['name', { value: 'Iris' }, { ...service(), metadata: { name: 'Iris' } }, 'metadata.name'],
    ['emptyRange', { minReplicas: 4, maxReplicas: 2 }, service({ minReplicas: 4, maxReplicas: 2 }), 'spec.predictor.minReplicas'],
    [
      'emptyRange',
      { minReplicas: 3, maxReplicas: 1 },
      service({}, { spec: { explainer: { minReplicas: 3, maxReplicas: 1 } } }),
      'spec.explainer.minReplicas',
    ],
    ['negativeReplicas', { field: 'minReplicas', value: -1 }, service({ minReplicas: -1 }), 'spec.predictor.minReplicas'],
    ['negativeReplicas', { field: 'maxReplicas', value: -1 }, service({ maxReplicas: -1 }), 'spec.predictor.maxReplicas'],
    [
      'autoscalerClass',
      { value: 'kpa', choices: ['hpa', 'external', 'keda', 'none'] },
      service({}, { annotations: { 'serving.kserve.io/autoscalerClass': 'kpa' } }),
      'metadata.annotations[serving.kserve.io/autoscalerClass]',
    ],
    ['noPredictor', {}, { ...service(), spec: {} }, 'spec.predictor'],
    [
      'severalImplementations',
      { fields: ['model', 'sklearn'], containers: 1 },
      service({ sklearn: {}, containers: [{ name: 'kserve-container' }] }),
      'spec.predictor',
    ],
    [
      'custom',
      { component: 'spec.transformer' },
      service({}, { spec: { transformer: { custom: { container: {} } } } }),
      'spec.transformer.custom',
    ],
    ['workerContainers', { count: 2 }, workersOf({ containers: [{}, {}] }), 'spec.predictor.workerSpec.containers'],
    [
      'parallelism',
      { field: 'pipelineParallelSize', value: 0 },
      workersOf({ pipelineParallelSize: 0 }),
      'spec.predictor.workerSpec.pipelineParallelSize',
    ],
    [
      'unknownGpuType',
      { resource: 'example.com/tpu' },
      workersOf({ containers: [workerContainer({ 'example.com/tpu': 1 })] }),
      'spec.predictor.workerSpec.containers[0].resources',
    ],
    [
      'parallelismVariable',
      { variable: 'TENSOR_PARALLEL_SIZE' },
      llm({ env: [{ name: 'TENSOR_PARALLEL_SIZE' }] }),
      'spec.predictor.model.env',
    ],
    ['storageProtocol', { protocol: 's3' }, llm({ storageUri: 's3://models/llm' }), 'spec.predictor.model.storageUri'],
    ['noStorage', {}, llm({ storageUri: undefined }), 'spec.predictor.model.storageUri'],
    [
      'multinodeAutoscaler',
      { class: 'hpa' },
      multinodeService({}, { 'serving.kserve.io/autoscalerClass': 'hpa' }),
      'metadata.annotations[serving.kserve.io/autoscalerClass]',
    ],
    [
      'gpuTypes',
      { value: 'example.com/tpu' },
      multinodeService({}, { 'serving.kserve.io/gpu-resource-types': 'example.com/tpu' }),
      'metadata.annotations[serving.kserve.io/gpu-resource-types]',
    ],
    [
      'canaryWithoutModel',
      {},
      service({ model: undefined, containers: [{ name: 'kserve-container' }] }, { annotations: STANDARD, spec: { canary: [canary()] } }),
      'spec.predictor',
    ],
    [
      'canaryTraffic',
      { percent: 101 },
      service({}, { annotations: STANDARD, spec: { canary: [{ ...canary(), trafficPercent: 101 }] } }),
      'spec.canary[0].trafficPercent',
    ],
    [
      'canaryMode',
      { mode: 'Knative' },
      service({}, { annotations: { ...STANDARD, 'serving.kserve.io/deploymentMode': 'Knative' }, spec: { canary: [canary()] } }),
      'metadata.annotations[serving.kserve.io/deploymentMode]',
    ],
    [
      'canaryField',
      { field: 'maxReplicas' },
      service({}, { annotations: STANDARD, spec: { canary: [canary({ maxReplicas: 2 })] } }),
      'spec.canary[0].predictor.maxReplicas',
    ],
    [
      'missingCanaryName',
      {},
      service({}, { annotations: STANDARD, spec: { canary: [canary({ name: '' })] } }),
      'spec.canary[0].predictor.name',
    ],
    [
      'canaryNamedAsStable',
      { value: 'v2' },
      service({ name: 'v2' }, { annotations: STANDARD, spec: { canary: [canary()] } }),
      'spec.canary[0].predictor.name',
    ],
    [
      'duplicateCanaryName',
      { value: 'v2' },
      service({}, { annotations: STANDARD, spec: { canary: [canary(), canary()] } }),
      'spec.canary[1].predictor.name',
    ],
    [
      'canaryReplicas',
      { minReplicas: 5, stable: 4 },
      service({ minReplicas: 4 }, { annotations: STANDARD, spec: { canary: [canary({ minReplicas: 5 })] } }),
      'spec.canary[0].predictor.minReplicas',
    ],
    [
      'canaryTrafficSum',
      { sum: 110 },
      service(
        {},
        {
          annotations: STANDARD,
          spec: {
            canary: [
              { ...canary(), trafficPercent: 100 },
              { ...canary({ name: 'v3' }), trafficPercent: 10 },
            ],
          },
        },
      ),
      'spec.canary',
    ],
  ])('%s %j', (messageId, data, isvc, path) => {
    const { rollouts } = plan([STANDARD_PLATFORM, isvc], '0.20');
    const errors = rollouts.flatMap(({ findings }) => findings.filter(({ severity }) => severity === 'error'));
    expect(factsOf(errors)).toEqual([{ code: 'kserve/invalid-service', severity: 'error', messageId, data, path }]);
  });

  test('results in one rollout of the entire service, which shows no wave', () => {
    const isvc = service({ minReplicas: 4, maxReplicas: 2 }, { spec: { transformer: { containers: [] } } });
    const { rollouts } = plan([STANDARD_PLATFORM, isvc]);
    expect(rollouts).toMatchObject([{ strategy: null, simulation: null, provenance: [], findings: [{ code: 'kserve/invalid-service' }] }]);
    expect(rollouts[0]!.resource.component).toBeUndefined();
    expect(rollouts[0]!.creates).toBeUndefined();
  });

  test.each([
    ['minReplicas', multinodeService({ minReplicas: -3 })],
    ['pipelineParallelSize', multinodeService({ workerSpec: { pipelineParallelSize: -3 } })],
    ['tensorParallelSize', multinodeService({ workerSpec: { tensorParallelSize: -2147483647 } })],
  ])('a negative number of pods, from %s, rolls out no pods until it is fixed', (_, isvc) => {
    expect(plan([STANDARD_PLATFORM, isvc]).rollouts.map(({ simulation }) => simulation)).toEqual([null]);
  });

  test('errors of its strategy are reported as well, once', () => {
    const isvc = multinodeService({ maxReplicas: -1, ...ROLLING({ maxSurge: '1', maxUnavailable: 0 }) });
    expect(plan([STANDARD_PLATFORM, isvc]).rollouts.map(({ findings }) => listed(findings))).toEqual([
      [
        `error kubernetes/quoted-integer at ${STRATEGY}.rollingUpdate.maxSurge`,
        'error kserve/invalid-service at spec.predictor.maxReplicas',
      ],
    ]);
  });

  test('is not reported for the corrected service', () => {
    const gpus = { 'serving.kserve.io/gpu-resource-types': '["example.com/tpu"]' };
    const workerSpec = { containers: [workerContainer({ 'example.com/tpu': 1 })] };
    const right = multinodeService({ minReplicas: 1, maxReplicas: 1, workerSpec }, gpus);
    expect(listedAll(plan([STANDARD_PLATFORM, right])).filter((line) => line.startsWith('error'))).toEqual([]);
  });
});

describe('fields whose type differs from the API', () => {
  test.each<[string, Manifest, string[]]>([
    ['no spec', { ...service(), spec: null }, ['error input/wrong-type at spec']],
    ['a list as predictor', { ...service(), spec: { predictor: [] } }, ['error input/wrong-type at spec.predictor']],
    ['a number as name', { ...service(), metadata: { name: 7 } } as unknown as Manifest, ['error input/wrong-type at metadata.name']],
    ['replicas in quotes', service({ minReplicas: '3' }), ['error kubernetes/quoted-integer at spec.predictor.minReplicas']],
    ['text as strategy', service({ deploymentStrategy: 'Recreate' }), [`error input/wrong-type at ${STRATEGY}`]],
    ['a fraction', service(ROLLING({ maxSurge: 1.5 })), [`error kubernetes/invalid-strategy at ${STRATEGY}.rollingUpdate.maxSurge`]],
    ['a number as worker', service({ workerSpec: 2 }), ['error input/wrong-type at spec.predictor.workerSpec']],
    ['null in a list of containers', service({ containers: [null] }), ['error input/wrong-type at spec.predictor.containers[0]']],
  ])('%s', (_, isvc, findings) => {
    const { rollouts } = plan([STANDARD_PLATFORM, isvc]);
    expect(rollouts).toHaveLength(1);
    expect(rollouts[0]).toMatchObject({ strategy: null, simulation: null });
    expect(listed(rollouts[0]!.findings)).toEqual(findings);
  });
});

describe('findings of Kubernetes about the Deployments that KServe creates', () => {
  const maxSurge = `${STRATEGY}.rollingUpdate.maxSurge`;
  const maxUnavailable = `${STRATEGY}.rollingUpdate.maxUnavailable`;

  test.each([
    ['a quoted number', ROLLING({ maxSurge: '1', maxUnavailable: 0 }), `error kubernetes/quoted-integer at ${maxSurge}`],
    ['an invalid percentage', ROLLING({ maxSurge: 'abc' }), `error kubernetes/invalid-strategy at ${maxSurge}`],
    ['both limits 0', ROLLING({ maxSurge: 0, maxUnavailable: '0%' }), `error kubernetes/invalid-strategy at ${maxUnavailable}`],
    ['an unknown type', { deploymentStrategy: { type: 'Rolling' } }, `error kubernetes/invalid-strategy at ${STRATEGY}`],
    [
      'an unknown field of the model',
      { model: { modelFormat: { name: 'sklearn' }, storageUrl: 's3://m' } },
      'warning input/unknown-field at spec.predictor.model.storageUrl',
    ],
    [
      'an unknown field of the logger',
      { logger: { mode: 'all', uri: 'http://logs' } },
      'warning input/unknown-field at spec.predictor.logger.uri',
    ],
    ['an unknown field of the batcher', { batcher: { maxBatch: 32 } }, 'warning input/unknown-field at spec.predictor.batcher.maxBatch'],
    ['an unknown field', { deploymentStrategy: { max_surge: 1 } }, `warning input/unknown-field at ${STRATEGY}.max_surge`],
    ['both limits that round to 0', ROLLING({ maxSurge: 0, maxUnavailable: '1%' }), `info kubernetes/fencepost at ${maxUnavailable}`],
    ['an outage', ROLLING({ maxSurge: 0, maxUnavailable: '100%' }), `warning kubernetes/outage at ${maxUnavailable}`],
  ])('%s', (_, predictor, finding) => {
    expect(listed(rolloutOf(plan([STANDARD_PLATFORM, service({ minReplicas: 4, ...predictor })]), 'predictor').findings)).toEqual([
      finding,
    ]);
  });

  test('unknown fields of canaries, explainers, formats and storages', () => {
    const model = {
      modelFormat: { name: 'sklearn', versio: '1' },
      storage: { key: 'a', parameter: {} },
      confidential: { enable: true },
    };
    const explainer = { art: { type: 'SquareAttack', confi: {} } };
    const canaries = [
      { trafficPercent: 10, predictor: { name: 'b', minReplica: 2, model: { ...model, modelFormat: { name: 'sklearn' } } } },
    ];
    const { findings } = plan([service({ model }, { spec: { explainer, canary: canaries } })], '0.20').rollouts[0]!;
    expect(findings.filter(({ code }) => code === 'input/unknown-field').map(({ path }) => path)).toMatchInlineSnapshot(`
[
  "spec.predictor.model.modelFormat.versio",
  "spec.predictor.model.storage.parameter",
  "spec.predictor.model.confidential.enable",
  "spec.explainer.art.confi",
  "spec.canary[0].predictor.minReplica",
  "spec.canary[0].predictor.model.storage.parameter",
  "spec.canary[0].predictor.model.confidential.enable",
]
`);
  });

  test('a surge of pods with GPUs is a warning, based on the limits of the model', () => {
    const model = { modelFormat: { name: 'huggingface' }, resources: { limits: { 'nvidia.com/gpu': '1' } } };
    expect(listed(rolloutOf(plan([STANDARD_PLATFORM, service({ model })]), 'predictor').findings)).toEqual([
      `warning kubernetes/surge-needs-headroom at ${STRATEGY}.rollingUpdate.maxUnavailable`,
    ]);
  });

  test('a surge of canary pods is reported as one that only the ConfigMap decides', () => {
    const model = { modelFormat: { name: 'huggingface' }, resources: { limits: { 'nvidia.com/gpu': 1 } } };
    const isvc = service({ model, minReplicas: 4 }, { annotations: STANDARD, spec: { canary: [canary({ minReplicas: 2 })] } });
    const { findings } = rolloutOf(plan([STANDARD_PLATFORM, isvc], '0.20'), 'canary/v2');
    expect(findings).toMatchObject([
      {
        code: 'kubernetes/surge-needs-headroom',
        data: { strategyOwner: 'kserve-canary' },
        path: 'spec.canary[0].predictor.deploymentStrategy.rollingUpdate.maxUnavailable',
        help: 'Change the rollout defaults of the ConfigMap: a canary has no strategy of its own.',
      },
    ]);
  });

  test('pods without a readiness probe: KServe adds one to its own containers, and one is enough', () => {
    const probes = (predictor: object) =>
      listed(rolloutOf(plan([STANDARD_PLATFORM, service({ minReplicas: 4, ...predictor })]), 'predictor').findings);
    const proxy = { name: 'proxy', ports: [{ containerPort: 8080 }] };
    expect(probes({ containers: [proxy] })).toEqual([]);
    expect(probes({ containers: [{ name: 'transformer-container' }, proxy] })).toEqual([]);
    expect(probes({ model: undefined, containers: [{ name: 'api' }, proxy] })).toEqual([
      'warning kubernetes/no-readiness-probe at spec.predictor.containers[1].readinessProbe',
    ]);
  });

  test('a start-up annotation that is not a number of seconds, reported once if it applies to all components', () => {
    const annotations = { 'rolloutkit/startup-seconds': '2m' };
    const isvc = service({ minReplicas: 4, annotations }, { annotations, spec: { transformer: { minReplicas: 4, containers: [] } } });
    const document = plan([STANDARD_PLATFORM, isvc]);
    expect(listed(rolloutOf(document, 'predictor').findings)).toEqual([
      'warning input/wrong-type at metadata.annotations[rolloutkit/startup-seconds]',
      'warning input/wrong-type at spec.predictor.annotations[rolloutkit/startup-seconds]',
    ]);
    expect(listed(rolloutOf(document, 'transformer').findings)).toEqual([]);
  });

  test('a start-up that is longer than the deadline, which KServe does not allow to change', () => {
    const slow = rolloutOf(plan([STANDARD_PLATFORM, service({ minReplicas: 4 })], '0.17', { startupSeconds: 900 }), 'predictor').findings;
    expect(factsOf(slow)).toMatchInlineSnapshot(`
[
  {
    "code": "kubernetes/progress-deadline-too-short",
    "data": {
      "deadline": 600,
      "isSettable": false,
      "minReadySeconds": 0,
      "startupSeconds": 900,
    },
    "messageId": "startup",
    "path": "spec.predictor",
    "severity": "warning",
  },
]
`);
  });
});

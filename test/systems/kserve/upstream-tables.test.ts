import { allFindings } from '../../../src/core/plan-document';
import { listAt, valueAt } from '../../../src/core/manifest';
import type { Fields, Manifest } from '../../../src/core/manifest';
import type { PlannedRollout } from '../../../src/core/rollout';
import { DEPLOYMENT_DEFAULTS, storedDeploymentStrategy } from '../../../src/workloads/strategy';
import type { DeploymentStrategySpec } from '../../../src/workloads/types';
import { remainingMinReplicas } from '../../../src/systems/kserve/canary';
import { deploymentsOf } from '../../../src/systems/kserve/deployments';
import type { ComponentDeployment } from '../../../src/systems/kserve/deployments';
import { deploymentModeOf } from '../../../src/systems/kserve/mode';
import { mpNodes } from '../../../src/systems/kserve/nodes';
import { ASSUMED_PLATFORM, readPlatformConfig } from '../../../src/systems/kserve/platform-config';
import { controllerStrategy } from '../../../src/systems/kserve/precedence';
import { readService } from '../../../src/systems/kserve/service';
import type { PlatformConfig } from '../../../src/systems/kserve/types';
import { configMap, multinodeService, plan, service, STANDARD } from './plan';
import { hasUpstreamRows, MISSING, rowsOf, UPSTREAM_ROWS } from './upstream-cases';
import type { UpstreamRow } from './upstream-cases';

const AUTOSCALER_NONE = { 'serving.kserve.io/autoscalerClass': 'none' };

/** KServe's config as a row gives it; null is none. */
function platformOf(deployConfig: unknown): PlatformConfig {
  return deployConfig ? readPlatformConfig(deployConfig as Fields).config! : ASSUMED_PLATFORM;
}

/** What a row comes to here, beside what KServe expects. */
type Compared = readonly [seen: unknown, expected: unknown];

/** A strategy out of a deploymentStrategy and a config. */
function strategyRow({ input, expect: expected }: UpstreamRow): Compared {
  const levels = { user: input.deploymentStrategy, platform: platformOf(input.deployConfig) };
  return [controllerStrategy(levels, 'component').written, expected.emitted];
}

/** What the API server makes of a spec does not depend on who fills it in. */
function defaultSpecRow({ input, expect: expected }: UpstreamRow): Compared {
  return [storedDeploymentStrategy(valueAt(input.spec, 'strategy') as DeploymentStrategySpec | undefined), expected.emitted];
}

function modeRow({ input, expect: expected }: UpstreamRow): Compared {
  const defaultMode = valueAt(input.deployConfig, 'defaultDeploymentMode') as PlatformConfig['defaultDeploymentMode'];
  const sources = { status: input.statusDeploymentMode, annotations: input.annotations as Fields, defaultMode };
  return [deploymentModeOf(sources), expected.resolvedMode];
}

function configRow({ input, expect: expected }: UpstreamRow): Compared {
  const text = input.deployConfigMapJSON as string | null;
  const { config, findings } = readPlatformConfig({ kind: 'ConfigMap', data: text === null ? {} : { deploy: text } });
  if ('normalizedDefaultMode' in expected) return [config?.defaultDeploymentMode, expected.normalizedDefaultMode];
  const reason = (expected.configError ?? expected.configErrorContains) as string;
  return [
    { config, message: findings[0]?.message },
    { config: null, message: expect.stringContaining(reason) as unknown },
  ];
}

/** The limit of one GPU type, as resources of a container; none where there is none. */
function gpus(resources: unknown): Fields {
  return resources ? { resources: { limits: resources, requests: resources } } : {};
}

/** A multinode service with these GPUs on its head and its workers. */
function rayService(parallelism: Fields, head?: unknown, worker?: unknown, annotations: Record<string, string> = {}): Manifest {
  const model = { modelFormat: { name: 'huggingface' }, storageUri: 'pvc://models/llm', ...gpus(head) };
  const containers = worker ? [{ name: 'worker-container', ...gpus(worker) }] : [];
  return multinodeService({ model, workerSpec: { ...parallelism, containers } }, annotations);
}

const CUSTOM_GPUS = { 'serving.kserve.io/gpu-resource-types': '["custom.com/gpu", "custom.com/gpu2"]' };

/** Head and workers with as many GPUs each as the row's head has, and twice that in all. */
function twoNodes({ headGPU, workerGPUAfter }: Fields): Manifest {
  const [count] = Object.values(headGPU as Record<string, string>);
  return rayService({ pipelineParallelSize: 2, tensorParallelSize: Number(count) }, headGPU, workerGPUAfter, CUSTOM_GPUS);
}

function serviceOfRow({ headGPU, headEnv, workerPodSpec, ...input }: Fields): Manifest {
  if (headGPU) return twoNodes({ headGPU, ...input });
  if (!workerPodSpec) return service({}, { annotations: STANDARD });
  const size = (name: string) => Number(valueAt(headEnv, name) ?? 1);
  return rayService({ pipelineParallelSize: size('RAY_NODE_COUNT'), tensorParallelSize: size('TENSOR_PARALLEL_SIZE') });
}

function gpuLimits({ podSpec }: ComponentDeployment): unknown {
  return valueAt(listAt(podSpec, 'containers')[0], 'resources', 'limits');
}

/** One Deployment as a row describes it: the fields that the row has. */
function deploymentRow({ input, expect: expected }: UpstreamRow): Compared {
  const row = serviceOfRow(input);
  const manifest = { ...row, metadata: { ...row.metadata, name: 'default' } };
  const deployments = deploymentsOf(readService(manifest, '0.17'), {});
  if ('deploymentCount' in expected) return [deployments.length, expected.deploymentCount];

  const { rollouts } = plan([manifest]);
  const wanted = expected.deployments as readonly (Fields & { readonly role: string })[];
  const seen = deployments.map((deployment, index) => {
    const { replicas, selector, gpu, ...rest } = { ...deployment, gpu: gpuLimits(deployment), strategy: rollouts[index]!.strategy };
    const described = { role: wanted[index]?.role, name: rest.name, strategy: rest.strategy, replicas, selector, gpu };
    return Object.fromEntries(Object.entries(described).filter(([field]) => field in (wanted[index] ?? {})));
  });
  // Where KServe leaves the replicas out, the API server stores 1.
  return [seen, wanted.map((deployment) => (deployment.replicas === null ? { ...deployment, replicas: 1 } : deployment))];
}

/** The GPUs of head and worker in KServe's multinode tests, by the row that has them. */
const NODES: Readonly<Record<string, { head?: Fields; worker?: Fields; parallelism?: Fields }>> = {
  'head container GPU resource set': { head: { 'intel.com/gpu': '2' } },
  'worker container GPU resource set': { worker: { 'intel.com/gpu': '2' } },
  'head GPU equals total -> head only': { head: { 'intel.com/gpu': '8' }, worker: { 'intel.com/gpu': '1' } },
  'worker GPU equals total -> head only': { head: { 'intel.com/gpu': '1' }, worker: { 'intel.com/gpu': '8' } },
  'more GPUs assigned than required': { head: { 'intel.com/gpu': '4' }, worker: { 'intel.com/gpu': '3' } },
  'too few GPUs -> error': {
    head: { 'nvidia.com/gpu': '1' },
    worker: { 'nvidia.com/gpu': '8' },
    parallelism: { pipelineParallelSize: 2, tensorParallelSize: 8 },
  },
};

function nodesRow({ name, input, expect: expected }: UpstreamRow): Compared {
  const { head, worker, parallelism } = NODES[name.replace('envtest multinode: ', '')] ?? {};
  const { pipelineParallelSize, tensorParallelSize } = input;
  const manifest = rayService(parallelism ?? { pipelineParallelSize, tensorParallelSize }, head, worker, AUTOSCALER_NONE);
  const { rollouts } = plan([manifest]);
  const errors = allFindings({ rollouts, findings: [] })
    .filter(({ severity }) => severity === 'error')
    .map(({ message }) => message);
  if ('errorContains' in expected) {
    const message = expect.stringContaining(expected.errorContains as string) as unknown;
    return [errors, [message]];
  }
  const [predictor, workers] = deploymentsOf(readService(manifest, '0.17'), {});
  const seen = {
    RAY_NODE_COUNT: String(workers!.replicas + 1),
    workerReplicas: workers!.replicas,
    headGPU: gpuLimits(predictor!),
    workerGPU: gpuLimits(workers!),
  };
  return [
    { errors, ...seen },
    { errors: [], ...expected },
  ];
}

function recreateRow({ input, expect: expected }: UpstreamRow): Compared {
  const { minReplicas, maxReplicas, deploymentStrategy, annotations } = input;
  const manifest = service({ minReplicas, maxReplicas, deploymentStrategy }, { annotations: annotations as Record<string, string> });
  const [rollout] = plan([manifest]).rollouts;
  const { revisionHistoryLimit, progressDeadlineSeconds } = DEPLOYMENT_DEFAULTS;
  const replicas = rollout!.creates![0]!.replicas;
  return [{ stored: rollout!.strategy, replicas, revisionHistoryLimit, progressDeadlineSeconds }, expected];
}

/** KServe's own test skips defaulting, so the service is seen as on a cluster whose default mode is another. */
function webhookRow({ input, expect: expected }: UpstreamRow): Compared {
  const config = configMap({ defaultDeploymentMode: 'Knative' });
  const [rollout] = plan([config, service({ deploymentStrategy: input.deploymentStrategy })]).rollouts;
  const message = expect.stringContaining(expected.webhookError as string) as unknown;
  return [
    { strategy: rollout!.strategy, message: rollout!.findings[0]?.message },
    { strategy: null, message },
  ];
}

/** The rollout of a service that is annotated with this mode. */
function inMode(mode: string): PlannedRollout {
  return plan([service({}, { annotations: { 'serving.kserve.io/deploymentMode': mode } })]).rollouts[0]!;
}

/** The factory makes a Deployment in mode Standard alone; any other word that reaches it fails, and Knative does not reach it. */
function factoryRow({ input, expect: expected }: UpstreamRow): Compared {
  const made = (input.modes as readonly string[]).filter((mode) => inMode(mode).creates !== undefined);
  const reason = (expected.Knative as string).replace('error: ', '').replace('Knative', 'Foo');
  return [
    { made, message: inMode('Foo').findings[0]?.message },
    { made: Object.keys(expected).filter((mode) => expected[mode] === 'ok'), message: expect.stringContaining(reason) as unknown },
  ];
}

function mpRow({ input, expect: expected }: UpstreamRow): Compared {
  const nodes = mpNodes(input.pipelineParallelSize as number, input.tensorParallelSize as number);
  return [nodes, { count: expected.nodeCount, headGpus: expected.headGPU, workerGpus: expected.workerGPU }];
}

interface CanaryRow {
  readonly name: string;
  readonly trafficPercent: number;
  readonly minReplicas: number | null;
  readonly statusReady: boolean | null;
}

function adjustRow({ input, expect: expected }: UpstreamRow): Compared {
  const rows = input.canary as readonly CanaryRow[];
  const canaries = rows.map(({ name, trafficPercent, minReplicas }) => ({
    trafficPercent,
    predictor: { name, ...(minReplicas !== null && { minReplicas }) },
  }));
  const known = rows.filter(({ statusReady }) => statusReady !== null);
  const canaryStatuses = known.map(({ name, statusReady }) => ({ name, ready: statusReady }));
  const manifest = service({ minReplicas: input.stableMinReplicas }, { spec: { canary: canaries }, status: { canaryStatuses } });
  return [remainingMinReplicas(readService(manifest, '0.20')), expected.stableMinReplicas];
}

function canary(name: string | undefined, trafficPercent: number, predictor: Fields = {}): Fields {
  const model = { modelFormat: { name: 'sklearn' }, storageUri: `gs://test/${name}` };
  return { trafficPercent, predictor: { name, model, ...predictor } };
}

/** The services of KServe's canary table, by the row that has them. */
const CANARY_SERVICES: Readonly<Record<string, Manifest>> = Object.fromEntries(
  Object.entries<{ canary?: Fields[]; predictor?: Fields; annotations?: Record<string, string> }>({
    'No canaries passes': {},
    'Single valid canary': { canary: [canary('v2', 10)] },
    'Multiple valid canaries': { canary: [canary('v2', 25), canary('v3', 25)] },
    'Traffic sum = 100 accepted': { canary: [canary('v2', 50), canary('v3', 50)] },
    'Traffic percent = 0 accepted (dark launch)': { canary: [canary('v2', 0)] },
    'Canary rejected in Knative mode': { canary: [canary('v2', 10)], annotations: { 'serving.kserve.io/deploymentMode': 'Knative' } },
    'Missing predictor.name rejected': { canary: [canary(undefined, 10)] },
    'Duplicate predictor.name rejected': { canary: [canary('v2', 10), canary('v2', 20)] },
    'Canary name equals stable name rejected': { predictor: { name: 'stable' }, canary: [canary('stable', 10)] },
    'Traffic sum > 100 rejected': { canary: [canary('v2', 60), canary('v3', 50)] },
    'Canary with maxReplicas rejected': { canary: [canary('v2', 10, { maxReplicas: 5 })] },
    'Canary minReplicas equal to stable accepted': { predictor: { minReplicas: 4 }, canary: [canary('v2', 10, { minReplicas: 4 })] },
    'Canary minReplicas exceeds stable rejected': { predictor: { minReplicas: 4 }, canary: [canary('v2', 10, { minReplicas: 5 })] },
    'Canary minReplicas equal to default stable accepted': { canary: [canary('v2', 10, { minReplicas: 1 })] },
    'Canary minReplicas exceeds default stable rejected': { canary: [canary('v2', 10, { minReplicas: 2 })] },
    'Canary minReplicas nil accepted': { canary: [canary('v2', 10)] },
    'Canary with workerSpec rejected': { canary: [canary('v2', 10, { workerSpec: {} })] },
    'Canary rejected when stable is a custom container': {
      predictor: { model: undefined, containers: [{ name: 'kserve-container', image: 'custom-server:latest' }] },
      canary: [canary('v2', 10)],
    },
  }).map(([name, { predictor, annotations = STANDARD, ...spec }]) => [name, service(predictor, { annotations, spec })]),
);

function canaryRow({ input, expect: expected }: UpstreamRow): Compared {
  const { rollouts } = plan([CANARY_SERVICES[input.case as string]!], '0.20');
  const messages = allFindings({ rollouts, findings: [] })
    .filter(({ severity }) => severity === 'error')
    .map(({ message }) => message);
  if (expected.ok === true) return [messages, []];
  const message = expect.stringContaining(expected.webhookErrorContains as string) as unknown;
  return [messages, [message]];
}

/** How each function of KServe that has a table is run here. */
const RUNNERS: Readonly<Record<string, (row: UpstreamRow) => Compared>> = {
  setDefaultDeploymentSpec: defaultSpecRow,
  'setDefaultDeploymentSpec+applyRolloutStrategyFromConfigmap': strategyRow,
  createRawDefaultDeployment: strategyRow,
  createRawDeployment: deploymentRow,
  NewDeploymentReconciler: deploymentRow,
  'reconcile(envtest)': (row) => (row.name.startsWith('envtest multinode') ? nodesRow(row) : recreateRow(row)),
  GetDeploymentMode: modeRow,
  NewDeployConfig: configRow,
  ValidateCreate: webhookRow,
  CreateWorkloadReconciler: factoryRow,
  computeMpNodeAndGPUs: mpRow,
  adjustStableMinReplicasForCanaries: adjustRow,
  validateCanarySpecs: canaryRow,
};

const describeUpstream = hasUpstreamRows ? describe : describe.skip;

describeUpstream(hasUpstreamRows ? "KServe's own tables" : `KServe's own tables (${MISSING})`, () => {
  const rows = rowsOf(...Object.keys(RUNNERS));

  test.each(rows.length > 0 ? rows : [{ name: MISSING } as UpstreamRow])('$name', (row) => {
    const [seen, expected] = RUNNERS[row.input.fn]!(row);
    expect(seen).toEqual(expected);
  });

  test('every row is run, but the 26 about LLMInferenceService, which is another resource', () => {
    const others = UPSTREAM_ROWS.filter((row) => !rows.includes(row));
    expect(UPSTREAM_ROWS).toHaveLength(103);
    expect(rows).toHaveLength(77);
    expect([...new Set(others.map(({ scope }) => scope))]).toEqual(['llmisvc']);
  });
});

import { collectFindings } from '../../../src/core/document/plan-document';
import { getListAt, getValueAt } from '../../../src/core/manifest/manifest';
import type { Fields, Manifest } from '../../../src/core/manifest/manifest';
import type { PlannedRollout } from '../../../src/core/document/rollout';
import { DEPLOYMENT_DEFAULTS, defaultDeploymentStrategy } from '../../../src/workloads/deployment/strategy';
import { computeStableMinReplicas } from '../../../src/systems/kserve/canary';
import { buildKserveDeployments } from '../../../src/systems/kserve/deployments';
import type { ComponentDeployment } from '../../../src/systems/kserve/deployments';
import { deploymentModeOf } from '../../../src/systems/kserve/mode';
import { computeMultiprocessingNodes } from '../../../src/systems/kserve/nodes';
import { ASSUMED_PLATFORM, readPlatformConfig } from '../../../src/systems/kserve/platform-config';
import { resolveControllerStrategy } from '../../../src/systems/kserve/precedence';
import { readKserveService } from '../../../src/systems/kserve/service';
import type { PlatformConfig } from '../../../src/systems/kserve/types';
import { configMap, multinodeService, plan, service, STANDARD, STANDARD_PLATFORM } from './plan';
import { KSERVE_TABLES } from './upstream-cases';
import type { DeploymentFigures, Row } from './upstream-cases';

const AUTOSCALER_NONE = { 'serving.kserve.io/autoscalerClass': 'none' };

/** Returns KServe's config in a row; null is none. */
function platformOf(deploy: Fields | null): PlatformConfig {
  return deploy ? readPlatformConfig(deploy).config! : ASSUMED_PLATFORM;
}

/** The result of a row here, and the result that KServe expects. */
type Comparison = readonly [actual: unknown, expected: unknown];

/** Matches text that contains this part. */
function containing(part: string): unknown {
  return expect.stringContaining(part) as unknown;
}

/** Compares a stored strategy. The defaults do not depend on who fills them in. */
function storedRow({ strategy, stored }: Row<'storedDefaults'>): Comparison {
  return [defaultDeploymentStrategy(strategy ?? undefined), stored];
}

/** Compares the strategy from a deploymentStrategy and a config. */
function writtenRow({ user, deploy, written }: Row<'written'>): Comparison {
  return [resolveControllerStrategy({ user, platform: platformOf(deploy) }, 'component').written, written];
}

function modeRow(row: Row<'modes'>): Comparison {
  const defaultMode = row.default as PlatformConfig['defaultDeploymentMode'];
  return [deploymentModeOf({ status: row.status, annotations: row.annotations, defaultMode }), row.mode];
}

function configRow({ deploy, defaultMode, refused }: Row<'configs'>): Comparison {
  const { config, findings } = readPlatformConfig({ kind: 'ConfigMap', data: deploy === null ? {} : { deploy } });
  if (refused === undefined) return [config?.defaultDeploymentMode, defaultMode];
  return [
    { config, message: findings[0]?.message },
    { config: null, message: containing(refused) },
  ];
}

/** Returns resources of a container with these GPU limits; none without limits. */
function gpus(limits: Fields = {}): Fields {
  return Object.keys(limits).length > 0 ? { resources: { limits, requests: limits } } : {};
}

/** Returns a multinode service with these GPUs on its head and its workers. */
function rayService(parallelism: Fields, head?: Fields, worker?: Fields, annotations: Record<string, string> = {}): Manifest {
  const model = { modelFormat: { name: 'huggingface' }, storageUri: 'pvc://models/llm', ...gpus(head) };
  const containers = Object.keys(worker ?? {}).length > 0 ? [{ name: 'worker-container', ...gpus(worker) }] : [];
  return multinodeService({ model, workerSpec: { ...parallelism, containers } }, annotations);
}

const CUSTOM_GPUS = { 'serving.kserve.io/gpu-resource-types': '["custom.com/gpu", "custom.com/gpu2"]' };

/** Returns the service of a row. With GPUs it has two nodes, each with as many as the head, and twice that in total. */
function serviceOfRow({ headGpus, workerGpus, pipelineParallelSize, tensorParallelSize }: Row<'deployments'>): Manifest {
  if (headGpus) {
    const [count] = Object.values(headGpus);
    return rayService({ pipelineParallelSize: 2, tensorParallelSize: Number(count) }, headGpus, workerGpus, CUSTOM_GPUS);
  }
  if (pipelineParallelSize === undefined) return service({}, { annotations: STANDARD });
  return rayService({ pipelineParallelSize, tensorParallelSize });
}

function gpuLimits({ podSpec }: ComponentDeployment): unknown {
  return getValueAt(getListAt(podSpec, 'containers')[0], 'resources', 'limits');
}

/** Compares Deployments by the fields that the row has. */
function deploymentRow(row: Row<'deployments'>): Comparison {
  const plain = serviceOfRow(row);
  const manifest = { ...plain, metadata: { ...plain.metadata, name: 'default' } };
  const deployments = buildKserveDeployments(readKserveService(manifest, '0.17'), {});
  if (row.count !== undefined) return [deployments.length, row.count];

  const { rollouts } = plan([STANDARD_PLATFORM, manifest]);
  const expected: readonly DeploymentFigures[] = row.deployments!;
  const actual = deployments.map((deployment, index) => {
    const { name, replicas, selector } = deployment;
    const described = { name, strategy: rollouts[index]!.strategy, replicas, selector, gpus: gpuLimits(deployment) };
    return Object.fromEntries(Object.entries(described).filter(([field]) => field in (expected[index] ?? {})));
  });
  return [actual, expected];
}

function errorsOf(manifest: Manifest, kserve?: string): string[] {
  const { rollouts } = plan([STANDARD_PLATFORM, manifest], kserve);
  return collectFindings({ rollouts, findings: [] })
    .filter(({ severity }) => severity === 'error')
    .map(({ message }) => message);
}

function rayNodesRow(row: Row<'rayNodes'>): Comparison {
  const { pipelineParallelSize, tensorParallelSize, head, worker, refused } = row;
  const manifest = rayService({ pipelineParallelSize, tensorParallelSize }, head, worker, AUTOSCALER_NONE);
  const errors = errorsOf(manifest);
  if (refused !== undefined) return [errors, [containing(refused)]];
  const [predictor, workers] = buildKserveDeployments(readKserveService(manifest, '0.17'), {});
  const counts = { nodes: workers!.replicas + 1, workers: workers!.replicas };
  return [
    { ...row, ...counts, headGpus: gpuLimits(predictor!), workerGpus: gpuLimits(workers!), errors },
    { ...row, errors: [] },
  ];
}

function recreateRow(row: Row<'recreate'>): Comparison {
  const [rollout] = plan([STANDARD_PLATFORM, service(row.predictor, { annotations: row.annotations })]).rollouts;
  const { revisionHistoryLimit, progressDeadlineSeconds } = DEPLOYMENT_DEFAULTS;
  const replicas = rollout!.creates![0]!.replicas;
  return [{ ...row, stored: rollout!.strategy, replicas, revisionHistoryLimit, progressDeadlineSeconds }, row];
}

/** Compares a refusal of the webhook. KServe's own test skips the defaulting webhook, so the cluster has another default mode here. */
function webhookRow({ strategy, refused }: Row<'webhook'>): Comparison {
  const config = configMap({ defaultDeploymentMode: 'Knative' });
  const [rollout] = plan([config, service({ deploymentStrategy: strategy })]).rollouts;
  return [
    { strategy: rollout!.strategy, message: rollout!.findings[0]?.message },
    { strategy: null, message: containing(refused) },
  ];
}

/** Returns the rollout of a service with this mode as its annotation. */
function inMode(mode: string): PlannedRollout {
  return plan([STANDARD_PLATFORM, service({}, { annotations: { 'serving.kserve.io/deploymentMode': mode } })]).rollouts[0]!;
}

/**
 * Compares the modes with a Deployment. The factory creates one only in mode Standard; it fails for any other value, and Knative does not
 * reach it.
 */
function factoryRow({ modes, made, refused }: Row<'modesWithDeployments'>): Comparison {
  return [
    { made: modes.filter((mode) => inMode(mode).creates?.[0]?.kind === 'Deployment'), message: inMode('Foo').findings[0]?.message },
    { made, message: containing(`${refused} Foo`) },
  ];
}

function mpNodesRow({ pipelineParallelSize, tensorParallelSize, nodes, headGpus, workerGpus }: Row<'mpNodes'>): Comparison {
  return [computeMultiprocessingNodes(pipelineParallelSize, tensorParallelSize), { count: nodes, headGpus, workerGpus }];
}

function stableReplicasRow({ minReplicas, canaries, remaining }: Row<'stableReplicas'>): Comparison {
  const canary = canaries.map(({ trafficPercent, name, minReplicas: own }) => ({
    trafficPercent,
    predictor: { name, ...(own !== undefined && { minReplicas: own }) },
  }));
  const canaryStatuses = canaries.flatMap(({ name, ready }) => (ready === undefined ? [] : [{ name, ready }]));
  const manifest = service({ minReplicas }, { spec: { canary }, status: { canaryStatuses } });
  return [computeStableMinReplicas(readKserveService(manifest, '0.21')), remaining];
}

const OWN_CONTAINER = { model: undefined, containers: [{ name: 'kserve-container', image: 'custom-server:latest' }] };

function canaryRow({ mode, predictor, container, canary, refused }: Row<'canaries'>): Comparison {
  const canaries = canary?.map((each) => {
    const model = { modelFormat: { name: 'sklearn' }, storageUri: 'gs://test/canary' };
    return { ...each, predictor: { model, ...each.predictor } };
  });
  const manifest = service(
    { ...(container && OWN_CONTAINER), ...predictor },
    { annotations: { 'serving.kserve.io/deploymentMode': mode }, spec: canaries ? { canary: canaries } : {} },
  );
  return [errorsOf(manifest, '0.20'), refused === undefined ? [] : [containing(refused)]];
}

/** Defines one test per row of a table. */
function testRows<T extends keyof typeof KSERVE_TABLES>(table: T, sentence: string, compare: (row: Row<T>) => Comparison): void {
  test.each(KSERVE_TABLES[table].cases.map((row, index) => [index + 1, row] as const))(`${sentence}: row %i`, (_, row) => {
    const [actual, expected] = compare(row);
    expect(actual).toEqual(expected);
  });
}

describe("KServe's own tables", () => {
  testRows('storedDefaults', 'the defaults of a Deployment strategy', storedRow);
  testRows('written', 'the strategy that KServe writes', writtenRow);
  testRows('deployments', 'the Deployments of a service', deploymentRow);
  testRows('recreate', 'Recreate reaches the Deployment', recreateRow);
  testRows('rayNodes', 'nodes and GPUs of a multinode service', rayNodesRow);
  testRows('mpNodes', 'nodes and GPUs from only the sizes', mpNodesRow);
  testRows('modes', 'the mode of a service', modeRow);
  testRows('configs', "the ConfigMap's deploy key", configRow);
  testRows('webhook', 'a deploymentStrategy outside of mode Standard', webhookRow);
  testRows('modesWithDeployments', 'modes that get a Deployment', factoryRow);
  testRows('stableReplicas', 'replicas that canaries leave the stable predictor', stableReplicasRow);
  testRows('canaries', 'canaries that the webhook accepts', canaryRow);

  test('every row of every table is tested above: 77 rows', () => {
    expect(Object.fromEntries(Object.entries(KSERVE_TABLES).map(([table, { cases }]) => [table, cases.length]))).toEqual({
      storedDefaults: 3,
      written: 6,
      deployments: 9,
      recreate: 1,
      rayNodes: 10,
      mpNodes: 4,
      modes: 6,
      configs: 9,
      webhook: 1,
      modesWithDeployments: 1,
      stableReplicas: 9,
      canaries: 18,
    });
  });
});

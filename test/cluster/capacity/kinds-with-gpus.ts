import type { Manifest } from '../../../src/core/manifest/manifest';

/** The resource that the pods request. */
export const GPU = 'nvidia.com/gpu';
const labels = { app: 'llm' };
const metadata = { name: 'llm', namespace: 'models' };
const container = { name: 'model', image: 'llm:2', resources: { limits: { [GPU]: 2 } } };
const template = { metadata: { labels }, spec: { containers: [container] } };
const selector = { matchLabels: labels };

/** Limits of a strategy. */
export interface Limits {
  readonly replicas: number;
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

/** Builds an object whose pods request 2 GPUs each. */
export type Build = (limits: Limits) => Manifest;

function argoRollout(replicas: number, strategy: object): Manifest {
  return { apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', metadata, spec: { replicas, selector, strategy, template } };
}

function createGroups(size: number): Build {
  return ({ replicas, ...limits }) => ({
    apiVersion: 'leaderworkerset.x-k8s.io/v1',
    kind: 'LeaderWorkerSet',
    metadata,
    spec: {
      replicas,
      rolloutStrategy: { rollingUpdateConfiguration: limits },
      leaderWorkerTemplate: { size, workerTemplate: { spec: template.spec } },
    },
  });
}

/** Creates a service with as many prefill pods, or groups, as pods of its main workload. Nothing picks endpoints. */
function createLlmService(groupSize?: number): Build {
  return ({ replicas, ...rolloutStrategy }) => {
    const pod = { containers: [{ ...container, name: 'main' }] };
    const workload = {
      replicas,
      rolloutStrategy,
      template: pod,
      ...(groupSize !== undefined && { worker: pod, parallelism: { pipeline: groupSize } }),
    };
    return {
      apiVersion: 'serving.kserve.io/v1alpha1',
      kind: 'LLMInferenceService',
      metadata,
      spec: { model: { uri: 'hf://models/llm', name: 'llm' }, ...workload, prefill: workload },
    };
  };
}

/** Creates a cluster with a head, and workers with GPUs. It is replaced by another one, at once or step by step. */
function createRayService({ replicas }: Limits, clusterUpgradeOptions?: object): Manifest {
  const head = { containers: [{ name: 'ray-head', image: 'rayproject/ray:2.51.0' }] };
  const type = clusterUpgradeOptions ? 'NewClusterWithIncrementalUpgrade' : 'NewCluster';
  return {
    apiVersion: 'ray.io/v1',
    kind: 'RayService',
    metadata,
    spec: {
      upgradeStrategy: {
        type,
        ...(clusterUpgradeOptions && {
          clusterUpgradeOptions: { gatewayClassName: 'istio', intervalSeconds: 10, ...clusterUpgradeOptions },
        }),
      },
      rayClusterConfig: {
        enableInTreeAutoscaling: clusterUpgradeOptions !== undefined,
        headGroupSpec: { template: { spec: head } },
        workerGroupSpecs: [
          {
            groupName: 'gpu',
            replicas,
            minReplicas: 0,
            maxReplicas: replicas,
            template: { spec: { containers: [{ ...container, name: 'ray-worker' }] } },
          },
        ],
      },
    },
  };
}

/** Objects of all kinds that roll out by rows of pods, or of clusters. */
export const KINDS: readonly (readonly [string, Build])[] = [
  [
    'Deployment',
    ({ replicas, ...limits }) => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: { replicas, strategy: { rollingUpdate: limits }, selector, template },
    }),
  ],
  [
    'StatefulSet',
    ({ replicas, maxUnavailable }) => ({
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata,
      spec: { replicas, serviceName: 'llm', updateStrategy: { rollingUpdate: { partition: maxUnavailable } }, selector, template },
    }),
  ],
  [
    'DaemonSet',
    ({ maxSurge, maxUnavailable }) => ({
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata,
      spec: { updateStrategy: { rollingUpdate: { maxSurge, maxUnavailable: maxSurge > 0 ? 0 : maxUnavailable } }, selector, template },
    }),
  ],
  [
    'InferenceService',
    ({ replicas, ...rollingUpdate }) => ({
      apiVersion: 'serving.kserve.io/v1beta1',
      kind: 'InferenceService',
      metadata: { ...metadata, annotations: { 'serving.kserve.io/deploymentMode': 'RawDeployment' } },
      spec: {
        predictor: {
          minReplicas: replicas,
          maxReplicas: replicas,
          deploymentStrategy: { type: 'RollingUpdate', rollingUpdate },
          containers: [{ ...container, name: 'kserve-container' }],
        },
      },
    }),
  ],
  [
    'canary',
    ({ replicas, ...limits }) => argoRollout(replicas, { canary: { ...limits, steps: [{ setWeight: 25 }, { pause: { duration: 10 } }] } }),
  ],
  ['blue-green Rollout', ({ replicas }) => argoRollout(replicas, { blueGreen: { activeService: 'llm', autoPromotionEnabled: true } })],
  ['LeaderWorkerSet of single pods', createGroups(1)],
  ['LeaderWorkerSet', createGroups(3)],
  ['LLMInferenceService of single pods', createLlmService()],
  ['LLMInferenceService', createLlmService(3)],
  ['RayService with a second cluster', createRayService],
  [
    'RayService with an incremental upgrade',
    ({ maxSurge, ...limits }) =>
      createRayService({ ...limits, maxSurge }, { maxSurgePercent: 25 * Math.max(1, maxSurge), stepSizePercent: 25 }),
  ],
];

/** Creates Nodes that are ready. */
export function createNodes(count: number, gpus: number): Manifest[] {
  return Array.from({ length: count }, (_, index) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: `n${index}`, labels: { 'kubernetes.io/hostname': `n${index}` } },
    status: { allocatable: { cpu: '64', memory: '64Gi', pods: '110', [GPU]: gpus }, conditions: [{ type: 'Ready', status: 'True' }] },
  }));
}

/** Creates a quota on GPUs. */
export function createQuota(gpus: number): Manifest {
  return {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { ...metadata, name: 'gpus' },
    spec: { hard: { [`requests.${GPU}`]: `${gpus}` } },
  };
}

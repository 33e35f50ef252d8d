import { resolveOperatorUpgrade } from '../../../src/systems/kuberay/manifests';
import { KUBERAY_RULES } from '../../../src/systems/kuberay/rules';
import { checkStageRange } from '../../../src/systems/kuberay/rules/out-of-range';
import type { OperatorUpgradeProps, WithPace } from '../../../src/systems/kuberay/upgrade-props';
import { factsOf } from '../../facts';
import { CLUSTER, incremental, OPTIONS, rayService, rolloutOf } from './plan';

const OPTIONS_PATH = 'spec.upgradeStrategy.clusterUpgradeOptions';
const CONFIG = 'spec.rayClusterConfig';
const TYPE = 'NewClusterWithIncrementalUpgrade';
const REFUSAL = { version: '1.7', onRefusal: 'condition' };

const group = CLUSTER.workerGroupSpecs[0]!;
const GPU_GROUP = { kind: 'worker', name: 'gpu' };

/** Returns a service with these fields of the cluster replaced. */
function cluster(more: object): object {
  return rayService({}, { rayClusterConfig: { ...CLUSTER, ...more } });
}

/** Returns a service with these fields of the worker group replaced. */
function worker(more: object): object {
  return cluster({ workerGroupSpecs: [{ ...group, ...more }] });
}

/** Returns a service with these ports in the head's container. */
function ports(...list: object[]): object {
  return cluster({ headGroupSpec: { template: { spec: { containers: [{ name: 'ray-head', ports: list }] } } } });
}

const HEAD_ENV = `${CONFIG}.headGroupSpec.template.spec.containers[0].env`;

/** Returns a head with additional fields in its container and pod. */
function headWith(container: object, pod: object = {}): object {
  return { template: { spec: { ...pod, containers: [{ name: 'ray-head', image: 'rayproject/ray:2.51.0', ...container }] } } };
}

function variable(name: string, value: string): object {
  return { env: [{ name, value }] };
}

/** Returns a service with this text as Serve config. */
function withText(serveConfigV2: string): object {
  return incremental({}, { serveConfigV2 });
}

function annotated(timeout: string): object {
  return rayService({}, {}, { name: 'llm', annotations: { 'ray.io/initializing-timeout': timeout } });
}

interface Case {
  readonly what: string;
  readonly objects: readonly object[];
  /** @default 1.7 */
  readonly kuberay?: string;
  readonly code: string;
  readonly messageId: string;
  readonly path: string;
  readonly data: object;
}

const CASES: readonly Case[] = [
  {
    what: 'no surge and no step',
    objects: [incremental({ maxSurgePercent: 0, stepSizePercent: 0 })],
    code: 'kuberay/zero-surge',
    messageId: 'neverBegins',
    path: `${OPTIONS_PATH}.maxSurgePercent`,
    data: { safe: 20, step: 20 },
  },
  {
    what: 'no step',
    objects: [incremental({ stepSizePercent: 0 })],
    code: 'kuberay/zero-step',
    messageId: 'neverMoves',
    path: `${OPTIONS_PATH}.stepSizePercent`,
    data: { maxSurgePercent: 20 },
  },
  {
    what: 'a step above the surge',
    objects: [incremental({ stepSizePercent: 30 })],
    code: 'kuberay/step-exceeds-surge',
    messageId: 'refused',
    path: `${OPTIONS_PATH}.stepSizePercent`,
    data: { stepSizePercent: 30, maxSurgePercent: 20, ...REFUSAL },
  },
  {
    what: 'a step above the surge that is capped',
    objects: [incremental({ stepSizePercent: 30 })],
    kuberay: '1.5.1',
    code: 'kuberay/step-exceeds-surge',
    messageId: 'capped',
    path: `${OPTIONS_PATH}.stepSizePercent`,
    data: { stepSizePercent: 30, maxSurgePercent: 20, version: '1.5.1', refusedSince: '1.7' },
  },
  {
    what: 'the autoscaler turned off',
    objects: [incremental({}, { rayClusterConfig: { ...CLUSTER, enableInTreeAutoscaling: false } })],
    code: 'kuberay/autoscaling-required',
    messageId: 'required',
    path: `${CONFIG}.enableInTreeAutoscaling`,
    data: { enabled: false, ...REFUSAL },
  },
  {
    what: 'no autoscaler',
    objects: [incremental({}, { rayClusterConfig: { ...CLUSTER, enableInTreeAutoscaling: null } })],
    code: 'kuberay/autoscaling-required',
    messageId: 'required',
    path: `${CONFIG}.enableInTreeAutoscaling`,
    data: { enabled: null, ...REFUSAL },
  },
  {
    what: 'no options',
    objects: [rayService({ type: TYPE })],
    code: 'kuberay/gateway-class-required',
    messageId: 'noOptions',
    path: OPTIONS_PATH,
    data: REFUSAL,
  },
  {
    what: 'no class',
    objects: [incremental({ gatewayClassName: undefined })],
    code: 'kuberay/gateway-class-required',
    messageId: 'missing',
    path: `${OPTIONS_PATH}.gatewayClassName`,
    data: {},
  },
  {
    what: 'an empty class',
    objects: [incremental({ gatewayClassName: '' })],
    code: 'kuberay/gateway-class-required',
    messageId: 'empty',
    path: `${OPTIONS_PATH}.gatewayClassName`,
    data: REFUSAL,
  },
  {
    what: 'no interval',
    objects: [incremental({ intervalSeconds: null })],
    code: 'kuberay/interval-required',
    messageId: 'missing',
    path: `${OPTIONS_PATH}.intervalSeconds`,
    data: {},
  },
  {
    what: 'a negative interval',
    objects: [incremental({ intervalSeconds: -5 })],
    code: 'kuberay/interval-required',
    messageId: 'notAboveZero',
    path: `${OPTIONS_PATH}.intervalSeconds`,
    data: { value: -5, ...REFUSAL },
  },
  {
    what: 'a negative surge',
    objects: [incremental({ maxSurgePercent: -1 })],
    code: 'kuberay/out-of-range',
    messageId: 'surge',
    path: `${OPTIONS_PATH}.maxSurgePercent`,
    data: { value: -1, ...REFUSAL },
  },
  {
    what: 'a step above 100',
    objects: [incremental({ stepSizePercent: 101 })],
    code: 'kuberay/out-of-range',
    messageId: 'step',
    path: `${OPTIONS_PATH}.stepSizePercent`,
    data: { value: 101, largest: 20, ...REFUSAL },
  },
  {
    what: 'a missing step',
    objects: [incremental({ stepSizePercent: undefined })],
    code: 'kuberay/out-of-range',
    messageId: 'missingStep',
    path: `${OPTIONS_PATH}.stepSizePercent`,
    data: { largest: 20 },
  },
  {
    what: 'a missing step with an invalid surge',
    objects: [incremental({ maxSurgePercent: 0, stepSizePercent: undefined })],
    code: 'kuberay/out-of-range',
    messageId: 'missingStep',
    path: `${OPTIONS_PATH}.stepSizePercent`,
    data: {},
  },
  {
    what: 'a negative deletion delay',
    objects: [incremental({}, { rayClusterDeletionDelaySeconds: -1 })],
    code: 'kuberay/out-of-range',
    messageId: 'deletionDelay',
    path: 'spec.rayClusterDeletionDelaySeconds',
    data: { value: -1 },
  },
  {
    what: 'a timeout that is not a time',
    objects: [annotated('soon')],
    code: 'kuberay/out-of-range',
    messageId: 'timeout',
    path: 'metadata.annotations[ray.io/initializing-timeout]',
    data: { annotation: 'ray.io/initializing-timeout', value: 'soon' },
  },
  {
    what: 'an interval beyond 32 bits',
    objects: [incremental({ intervalSeconds: 3_000_000_000 })],
    code: 'kuberay/out-of-range',
    messageId: 'tooLarge',
    path: `${OPTIONS_PATH}.intervalSeconds`,
    data: { field: 'intervalSeconds', value: 3_000_000_000 },
  },
  {
    what: 'an unknown type',
    objects: [rayService({ type: 'Canary' })],
    code: 'kuberay/invalid-type',
    messageId: 'unknown',
    path: 'spec.upgradeStrategy.type',
    data: { type: 'Canary', ...REFUSAL },
  },
  {
    what: 'a long name',
    objects: [rayService({}, {}, { name: 'a'.repeat(48) })],
    code: 'kuberay/name-too-long',
    messageId: 'tooLong',
    path: 'metadata.name',
    data: { name: 'a'.repeat(48), length: 48 },
  },
  {
    what: 'a name with an upper-case letter',
    objects: [rayService({}, {}, { name: 'Llm' })],
    code: 'kuberay/name-too-long',
    messageId: 'notDnsLabel',
    path: 'metadata.name',
    data: { name: 'Llm' },
  },
  {
    what: 'an upgrade before the gate is on',
    objects: [incremental()],
    kuberay: '1.6.2',
    code: 'kuberay/feature-gate',
    messageId: 'off',
    path: 'spec.upgradeStrategy.type',
    data: { version: '1.6.2', enabledSince: '1.7' },
  },
  {
    what: 'an option at both levels',
    objects: [rayService({ type: TYPE, maxSurgePercent: 10, clusterUpgradeOptions: OPTIONS })],
    code: 'kuberay/misplaced-options',
    messageId: 'misplaced',
    path: 'spec.upgradeStrategy.maxSurgePercent',
    data: { options: ['maxSurgePercent'], type: TYPE },
  },
  {
    what: 'options under another type',
    objects: [rayService({ type: 'NewCluster', clusterUpgradeOptions: OPTIONS })],
    code: 'kuberay/misplaced-options',
    messageId: 'unread',
    path: OPTIONS_PATH,
    data: { type: 'NewCluster' },
  },
  {
    what: 'options without type',
    objects: [rayService({ clusterUpgradeOptions: OPTIONS })],
    code: 'kuberay/misplaced-options',
    messageId: 'unread',
    path: OPTIONS_PATH,
    data: {},
  },
  {
    what: 'rayClusterSpec instead of rayClusterConfig',
    objects: [rayService({}, { rayClusterSpec: CLUSTER, rayClusterConfig: undefined })],
    code: 'kuberay/ray-cluster-spec',
    messageId: 'misnamed',
    path: 'spec.rayClusterSpec',
    data: {},
  },
  {
    what: 'rayClusterSpec next to rayClusterConfig',
    objects: [rayService({}, { rayClusterSpec: CLUSTER })],
    code: 'kuberay/ray-cluster-spec',
    messageId: 'duplicateCluster',
    path: 'spec.rayClusterSpec',
    data: {},
  },
  {
    what: 'a name for the head Service',
    objects: [cluster({ headGroupSpec: { headService: { metadata: { name: 'mine' } } } })],
    code: 'kuberay/ray-cluster-spec',
    messageId: 'headServiceName',
    path: `${CONFIG}.headGroupSpec.headService.metadata.name`,
    data: { name: 'mine' },
  },
  {
    what: 'a worker group without container',
    objects: [worker({ template: { spec: { containers: [] } } })],
    code: 'kuberay/ray-cluster-spec',
    messageId: 'noContainer',
    path: `${CONFIG}.workerGroupSpecs[0].template.spec.containers`,
    data: { group: GPU_GROUP },
  },
  {
    what: 'a head group without container',
    objects: [cluster({ headGroupSpec: { template: { spec: {} } } })],
    code: 'kuberay/ray-cluster-spec',
    messageId: 'noContainer',
    path: `${CONFIG}.headGroupSpec.template.spec.containers`,
    data: { group: { kind: 'head' } },
  },
  {
    what: 'minReplicas above maxReplicas, in a group without a name',
    objects: [worker({ groupName: undefined, minReplicas: 11 })],
    code: 'kuberay/ray-cluster-spec',
    messageId: 'emptyRange',
    path: `${CONFIG}.workerGroupSpecs[0].minReplicas`,
    data: { group: { kind: 'worker' }, minReplicas: 11, maxReplicas: 10 },
  },
  {
    what: 'resources in two fields',
    objects: [worker({ rayStartParams: { 'num-gpus': '1', memory: '1' }, resources: { GPU: '1' } })],
    code: 'kuberay/ray-cluster-spec',
    messageId: 'duplicateResources',
    path: `${CONFIG}.workerGroupSpecs[0].resources`,
    data: { group: GPU_GROUP, params: ['num-gpus', 'memory'] },
  },
  {
    what: 'a quantity below 0',
    objects: [worker({ template: { spec: { containers: [{ name: 'w', resources: { limits: { 'nvidia.com/gpu': -4 } } }] } } })],
    code: 'kuberay/ray-cluster-spec',
    messageId: 'negativeQuantity',
    path: `${CONFIG}.workerGroupSpecs[0].template.spec.containers[0].resources.limits[nvidia.com/gpu]`,
    data: { group: GPU_GROUP, container: 0, kind: 'limits', resource: 'nvidia.com/gpu', value: -4 },
  },
  {
    what: 'a suspended group with the autoscaler on',
    objects: [worker({ suspend: true })],
    code: 'kuberay/ray-cluster-spec',
    messageId: 'suspendedGroup',
    path: `${CONFIG}.workerGroupSpecs[0].suspend`,
    data: { group: GPU_GROUP },
  },
  {
    what: 'an upgradeStrategy in the cluster',
    objects: [cluster({ upgradeStrategy: { type: 'Recreate' } })],
    code: 'kuberay/ray-cluster-spec',
    messageId: 'innerStrategy',
    path: `${CONFIG}.upgradeStrategy.type`,
    data: { type: 'Recreate' },
  },
  {
    what: 'Kubernetes token authentication',
    objects: [cluster({ authOptions: { enableK8sTokenAuth: true } })],
    code: 'kuberay/ray-cluster-spec',
    messageId: 'tokenAuth',
    path: `${CONFIG}.authOptions.enableK8sTokenAuth`,
    data: {},
  },
  {
    what: 'head ports without one for Serve',
    objects: [ports({ name: 'gcs', containerPort: 6379 }, { containerPort: 8265 })],
    code: 'kuberay/ray-cluster-spec',
    messageId: 'noServePort',
    path: `${CONFIG}.headGroupSpec.template.spec.containers[0].ports`,
    data: { names: ['gcs', { described: 'undefined' }] },
  },
  {
    what: 'less than one of four replicas',
    objects: [incremental({}, { rayClusterConfig: { ...CLUSTER, workerGroupSpecs: [{ ...group, replicas: 4 }] } })],
    code: 'kuberay/surge-below-one-pod',
    messageId: 'lessThanOne',
    path: `${OPTIONS_PATH}.maxSurgePercent`,
    data: { maxSurgePercent: 20, group: 'gpu', replicas: 4, safe: 25 },
  },
  {
    what: 'all replicas at once',
    objects: [incremental({}, { rayClusterConfig: { ...CLUSTER, workerGroupSpecs: [{ ...group, minReplicas: 5 }] } })],
    code: 'kuberay/min-replicas-above-surge',
    messageId: 'startsWithMore',
    path: `${CONFIG}.workerGroupSpecs[0].minReplicas`,
    data: { group: 'gpu', minReplicas: 5, replicas: 5, maxSurgePercent: 20, surge: 1 },
  },
  {
    what: 'a group of v1alpha1 without rayStartParams',
    objects: [
      {
        ...cluster({ headGroupSpec: { ...CLUSTER.headGroupSpec, rayStartParams: {} } }),
        apiVersion: 'ray.io/v1alpha1',
      },
    ],
    code: 'kuberay/ray-cluster-spec',
    messageId: 'noStartParams',
    path: `${CONFIG}.workerGroupSpecs[0].rayStartParams`,
    data: { group: GPU_GROUP },
  },
  {
    what: 'a full second cluster',
    objects: [rayService({ type: 'NewCluster' })],
    code: 'kuberay/doubles-accelerators',
    messageId: 'newCluster',
    path: 'spec.upgradeStrategy.type',
    data: {
      accelerators: [{ resource: 'nvidia.com/gpu', count: 10, surge: 10 }],
      scale: 'up-to',
      smaller: {
        maxSurgePercent: 20,
        minReplicas: [],
        accelerators: [{ resource: 'nvidia.com/gpu', count: 10, surge: 2 }],
        turnsAutoscalerOn: false,
      },
    },
  },
  {
    what: 'a surge of the full cluster',
    objects: [incremental({ maxSurgePercent: 100 })],
    code: 'kuberay/doubles-accelerators',
    messageId: 'incremental',
    path: `${OPTIONS_PATH}.maxSurgePercent`,
    data: {
      maxSurgePercent: 100,
      stepSizePercent: 5,
      autoscaling: 'spec.rayClusterConfig.enableInTreeAutoscaling',
      accelerators: [{ resource: 'nvidia.com/gpu', count: 10, surge: 10 }],
      scale: 'up-to',
      smaller: {
        maxSurgePercent: 20,
        minReplicas: [],
        accelerators: [{ resource: 'nvidia.com/gpu', count: 10, surge: 2 }],
        turnsAutoscalerOn: false,
      },
    },
  },
  {
    what: 'an alias without an anchor',
    objects: [withText('applications: *apps')],
    code: 'kuberay/serve-config-conflict',
    messageId: 'syntax',
    path: 'spec.serveConfigV2',
    data: { reason: 'the alias *apps has no anchor &apps before it' },
  },
  {
    what: 'a list as Serve config',
    objects: [withText('[applications]')],
    code: 'kuberay/serve-config-conflict',
    messageId: 'notAMap',
    path: 'spec.serveConfigV2',
    data: { value: { described: 'a list' } },
  },
  {
    what: 'two ways to scale',
    objects: [withText('applications: [{ deployments: [{ num_replicas: 2, autoscaling_config: {} }] }]')],
    code: 'kuberay/serve-config-conflict',
    messageId: 'conflictingScales',
    path: 'spec.serveConfigV2',
    data: { deployment: 'applications[0].deployments[0]', name: { described: 'undefined' }, numReplicas: 2 },
  },
  {
    what: "the operator's HTTPRoute",
    objects: [
      incremental(),
      { apiVersion: 'gateway.networking.k8s.io/v1', kind: 'HTTPRoute', metadata: { name: 'llm-httproute', namespace: 'models' } },
    ],
    code: 'kuberay/operator-owned-name',
    messageId: 'taken',
    path: 'metadata.name',
    data: { kind: 'HTTPRoute', name: 'llm-httproute', rayService: 'llm' },
  },
  {
    what: 'None',
    objects: [rayService({ type: 'None' })],
    code: 'kuberay/no-upgrade',
    messageId: 'none',
    path: 'spec.upgradeStrategy.type',
    data: { hasNoAccelerators: false },
  },
  {
    what: 'suspend',
    objects: [rayService({ type: 'NewCluster' }, { suspend: true })],
    code: 'kuberay/suspended',
    messageId: 'suspended',
    path: 'spec.suspend',
    data: {},
  },
  {
    what: 'suspend of the cluster',
    objects: [rayService({ type: 'NewCluster' }, { rayClusterConfig: { ...CLUSTER, suspend: true } })],
    code: 'kuberay/suspended',
    messageId: 'cluster',
    path: 'spec.rayClusterConfig.suspend',
    data: {},
  },
  {
    what: 'suspend in a version without it',
    objects: [rayService({ type: 'NewCluster' }, { suspend: true })],
    kuberay: '1.6',
    code: 'input/unknown-field',
    messageId: 'tooNew',
    path: 'spec.suspend',
    data: { field: 'suspend', product: 'KubeRay', option: 'kuberay', version: '1.6', since: '1.7' },
  },
  {
    what: 'an unknown option',
    objects: [incremental({ maxSurge: 20 })],
    code: 'input/unknown-field',
    messageId: 'unknown',
    path: `${OPTIONS_PATH}.maxSurge`,
    data: {
      parentPath: OPTIONS_PATH,
      field: 'maxSurge',
      reader: 'the API server',
      nearest: 'maxSurgePercent',
      knownFields: ['maxSurgePercent', 'stepSizePercent', 'intervalSeconds', 'gatewayClassName'],
    },
  },
  {
    what: 'an unknown field of the strategy, with a dot in its name',
    objects: [rayService({ type: 'NewCluster', 'max.surge': 20 })],
    code: 'input/unknown-field',
    messageId: 'unknown',
    path: 'spec.upgradeStrategy[max.surge]',
    data: expect.objectContaining({ parentPath: 'spec.upgradeStrategy', field: 'max.surge' }) as object,
  },
  {
    what: 'quoted replicas',
    objects: [worker({ replicas: '2' })],
    code: 'kubernetes/quoted-integer',
    messageId: 'number',
    path: `${CONFIG}.workerGroupSpecs[0].replicas`,
    data: { field: 'replicas', value: '2' },
  },
  {
    what: 'a fraction',
    objects: [incremental({ maxSurgePercent: 2.5 })],
    code: 'input/wrong-type',
    messageId: 'field',
    path: `${OPTIONS_PATH}.maxSurgePercent`,
    data: { field: 'maxSurgePercent', value: 2.5, expectedType: 'a whole number' },
  },
  {
    what: 'an upgradeStrategy without type, before 1.7',
    objects: [rayService({})],
    kuberay: '1.6.2',
    code: 'kuberay/invalid-type',
    messageId: 'missing',
    path: 'spec.upgradeStrategy.type',
    data: { version: '1.6.2' },
  },
  {
    what: 'a fractional target_capacity that the upgrade reaches',
    objects: [withText('target_capacity: 40.5\napplications: []\n')],
    code: 'kuberay/serve-config-conflict',
    messageId: 'fraction',
    path: 'spec.serveConfigV2',
    data: { value: 40.5, percent: 40 },
  },
  {
    what: 'labels in rayStartParams',
    objects: [worker({ rayStartParams: { labels: 'a=b' } })],
    code: 'kuberay/invalid-cluster',
    messageId: 'startParamLabels',
    path: `${CONFIG}.workerGroupSpecs[0].rayStartParams.labels`,
    data: { group: GPU_GROUP, ...REFUSAL },
  },
  {
    what: 'an invalid label value',
    objects: [worker({ labels: { team: 'not ok!' } })],
    code: 'kuberay/invalid-cluster',
    messageId: 'label',
    path: `${CONFIG}.workerGroupSpecs[0].labels[team]`,
    data: { group: GPU_GROUP, key: 'team', value: 'not ok!', ...REFUSAL },
  },
  {
    what: 'an invalid label key',
    objects: [worker({ labels: { 'a/b/c': 'd' } })],
    code: 'kuberay/invalid-cluster',
    messageId: 'label',
    path: `${CONFIG}.workerGroupSpecs[0].labels[a/b/c]`,
    data: { group: GPU_GROUP, key: 'a/b/c', ...REFUSAL },
  },
  {
    what: 'a negative minReplicas',
    objects: [worker({ minReplicas: -1 })],
    code: 'kuberay/invalid-cluster',
    messageId: 'negative',
    path: `${CONFIG}.workerGroupSpecs[0].minReplicas`,
    data: { field: 'minReplicas', value: -1, ...REFUSAL },
  },
  {
    what: 'idleTimeoutSeconds of a group without autoscaler v2',
    objects: [worker({ idleTimeoutSeconds: 30 })],
    code: 'kuberay/invalid-cluster',
    messageId: 'idleTimeout',
    path: `${CONFIG}.workerGroupSpecs[0].idleTimeoutSeconds`,
    data: { group: GPU_GROUP, ...REFUSAL },
  },
  {
    what: 'a priority without autoscaler v2',
    objects: [cluster({ rayVersion: '2.56.0', workerGroupSpecs: [{ ...group, priority: 5 }] })],
    code: 'kuberay/invalid-cluster',
    messageId: 'priority',
    path: `${CONFIG}.workerGroupSpecs[0].priority`,
    data: { group: GPU_GROUP, ...REFUSAL },
  },
  {
    what: 'token authentication with an old Ray version',
    objects: [cluster({ rayVersion: '2.51.0', authOptions: { mode: 'token' } })],
    code: 'kuberay/invalid-cluster',
    messageId: 'rayVersion',
    path: `${CONFIG}.authOptions.mode`,
    data: { field: 'authOptions.mode', problem: 'older', required: '2.52.0', rayVersion: '2.51.0', ...REFUSAL },
  },
  {
    what: 'a restartPolicy with autoscaler v2',
    objects: [cluster({ autoscalerOptions: { version: 'v2' }, headGroupSpec: headWith({}, { restartPolicy: 'Always' }) })],
    code: 'kuberay/invalid-cluster',
    messageId: 'restartPolicy',
    path: `${CONFIG}.headGroupSpec.template.spec.restartPolicy`,
    data: { group: { kind: 'head' }, value: 'Always', ...REFUSAL },
  },
  {
    what: 'two versions of the autoscaler',
    objects: [cluster({ autoscalerOptions: { version: 'v2' }, headGroupSpec: headWith(variable('RAY_enable_autoscaler_v2', '1')) })],
    code: 'kuberay/invalid-cluster',
    messageId: 'duplicateAutoscalerVersion',
    path: HEAD_ENV,
    data: REFUSAL,
  },
  {
    what: 'autoscaler v2 without autoscaling',
    objects: [cluster({ enableInTreeAutoscaling: false, headGroupSpec: headWith(variable('RAY_enable_autoscaler_v2', 'true')) })],
    code: 'kuberay/invalid-cluster',
    messageId: 'v2WithoutAutoscaling',
    path: HEAD_ENV,
    data: REFUSAL,
  },
  {
    what: "the autoscaler's start command as a variable",
    objects: [cluster({ autoscalerOptions: { env: [{ name: 'KUBERAY_GEN_AUTOSCALER_START_CMD', value: 'x' }] } })],
    code: 'kuberay/invalid-cluster',
    messageId: 'managedVariable',
    path: `${CONFIG}.autoscalerOptions.env[0]`,
    data: { variable: 'KUBERAY_GEN_AUTOSCALER_START_CMD', ...REFUSAL },
  },
  {
    what: 'the Redis address as a variable',
    objects: [cluster({ headGroupSpec: headWith(variable('RAY_REDIS_ADDRESS', 'redis:6379')) })],
    code: 'kuberay/invalid-cluster',
    messageId: 'redisAddress',
    path: HEAD_ENV,
    data: REFUSAL,
  },
  {
    what: 'the Redis user name as a variable',
    objects: [cluster({ headGroupSpec: headWith(variable('REDIS_USERNAME', 'ray')) })],
    code: 'kuberay/invalid-cluster',
    messageId: 'redisUsername',
    path: HEAD_ENV,
    data: REFUSAL,
  },
  {
    what: 'a second Redis password',
    objects: [
      cluster({ gcsFaultToleranceOptions: { redisAddress: 'redis:6379' }, headGroupSpec: headWith(variable('REDIS_PASSWORD', 'secret')) }),
    ],
    code: 'kuberay/invalid-cluster',
    messageId: 'conflictsWithFaultTolerance',
    path: HEAD_ENV,
    data: { kind: 'variable', name: 'REDIS_PASSWORD', ...REFUSAL },
  },
  {
    what: 'a field of a gate that is off',
    objects: [cluster({ networkPolicy: {} })],
    code: 'kuberay/invalid-cluster',
    messageId: 'gate',
    path: `${CONFIG}.networkPolicy`,
    data: { field: 'networkPolicy', gate: 'RayClusterNetworkPolicy', ...REFUSAL },
  },
  {
    what: 'a suspended group in a version with the gate off',
    objects: [
      rayService(
        { type: 'NewCluster' },
        { rayClusterConfig: { ...CLUSTER, enableInTreeAutoscaling: false, workerGroupSpecs: [{ ...group, suspend: true }] } },
      ),
    ],
    kuberay: '1.5.1',
    code: 'kuberay/invalid-cluster',
    messageId: 'suspended',
    path: `${CONFIG}.workerGroupSpecs[0].suspend`,
    data: { group: GPU_GROUP, version: '1.5.1', onRefusal: 'retries' },
  },
];

test.each(CASES)('$what: $code, $messageId', ({ objects, kuberay = '1.7', code, messageId, path, data }) => {
  const [found, ...others] = factsOf(rolloutOf(objects, { versions: { kuberay } }).findings).filter((facts) => facts.code === code);
  expect(others).toEqual([]);
  expect(found).toMatchObject({ code, messageId, path });
  expect(found!.data).toEqual(data);
});

const PROPS: WithPace<OperatorUpgradeProps> = {
  upgrade: OPTIONS,
  serveConfig: { applications: [] },
  rayCluster: CLUSTER,
};

test('a stage that an upgrade does not have is reported with the last one, and a refused upgrade has no stages to report', () => {
  expect(factsOf(checkStageRange(['00', '01', '02'], 9, true))).toEqual([
    { code: 'kuberay/out-of-range', severity: 'error', messageId: 'stage', path: 'stage', data: { stage: 9, last: 2 } },
  ]);
  expect(checkStageRange(['00', '01', '02'], 2, true)).toEqual([]);
  expect(checkStageRange([], 2, true)).toEqual([]);
});

test('the findings about an intent are at the props that its fields come from', () => {
  const wrong = {
    ...PROPS,
    metadata: { name: 'Llm' },
    upgrade: { ...OPTIONS, maxSurgePercent: 200, gatewayClassName: '' },
    rayCluster: { ...CLUSTER, enableInTreeAutoscaling: false },
    rayClusterDeletionDelaySeconds: -1,
  };
  expect(resolveOperatorUpgrade('llm', wrong).findings.map(({ code, path }) => `${code} ${path}`)).toEqual([
    'kuberay/name-too-long metadata.name',
    'kuberay/out-of-range rayClusterDeletionDelaySeconds',
    'kuberay/autoscaling-required rayCluster.enableInTreeAutoscaling',
    'kuberay/out-of-range upgrade.maxSurgePercent',
    'kuberay/gateway-class-required upgrade.gatewayClassName',
  ]);
});

test.each([
  ['the head', { headGroupSpec: { template: {} } }, 'The head group has no container, so KubeRay refuses the spec.'],
  [
    'a worker group',
    { workerGroupSpecs: [{ groupName: 'gpu', template: {} }] },
    'Worker group "gpu" has no container, so KubeRay refuses the spec.',
  ],
  [
    'a worker group without a name',
    { workerGroupSpecs: [{ template: {} }] },
    'A worker group without a name has no container, so KubeRay refuses the spec.',
  ],
])('the text of a finding names %s', (_what, fields, message) => {
  expect(rolloutOf(cluster(fields)).findings.map((finding) => finding.message)).toEqual([message]);
});

test.each([
  ['not set', undefined],
  ['false', false],
])('the text says that the autoscaler is %s', (state, enableInTreeAutoscaling) => {
  const [finding] = rolloutOf(incremental({}, { rayClusterConfig: { ...CLUSTER, enableInTreeAutoscaling } })).findings;
  expect(finding!.message).toBe(
    `enableInTreeAutoscaling is ${state}. KubeRay 1.7 refuses the spec ("Ray Autoscaler is required for NewClusterWithIncrementalUpgrade"): ` +
      'it sets the condition Ready=False with reason ValidationFailed and changes nothing.',
  );
});

test('a token in a Serve config is reported at its path', () => {
  const token = new (class Token {})() as unknown as string;
  const { findings } = resolveOperatorUpgrade('llm', { ...PROPS, serveConfig: { applications: [{ name: 'a', import_path: token }] } });
  expect(factsOf(findings)).toEqual([
    {
      code: 'input/wrong-type',
      severity: 'error',
      messageId: 'token',
      path: 'serveConfig.applications[0].import_path',
      data: { field: 'serveConfig.applications[0].import_path' },
    },
  ]);
});

test('a target_capacity in the Serve config, which has no prop, is written and validated as given', () => {
  const { rayService: emitted, findings } = resolveOperatorUpgrade('llm', {
    ...PROPS,
    serveConfig: { ...PROPS.serveConfig, target_capacity: 40.5 } as typeof PROPS.serveConfig,
  });
  expect((emitted.spec as { serveConfigV2: string }).serveConfigV2).toBe('applications: []\ntarget_capacity: 40.5\n');
  expect(factsOf(findings)).toEqual([
    {
      code: 'kuberay/serve-config-conflict',
      severity: 'error',
      messageId: 'fraction',
      path: 'serveConfig',
      data: { value: 40.5, percent: 40 },
    },
  ]);
});

test('every message of every rule is covered here', () => {
  const own = KUBERAY_RULES.filter(({ isExtension }) => !isExtension);
  const messages = own.flatMap(({ code, messages: ownMessages }) => Object.keys(ownMessages).map((messageId) => `${code} ${messageId}`));
  const shown = new Set([
    ...CASES.map(({ code, messageId }) => `${code} ${messageId}`),
    'kuberay/out-of-range stage',
    'kuberay/no-upgrade sameService',
  ]);
  expect(messages.filter((message) => !shown.has(message))).toEqual([]);
});

import { isFields, isClassInstance, kindKeyOf } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { normalizePodFields } from '../../workloads/pod/normalize-pods';
import { createRawFieldCheck } from './raw-fields';
import type { RawFieldCheck } from './raw-fields';

/* Defaults that the API server fills in from the definition of a custom resource. A default applies if the map that contains the field is present.
 * Source: the definitions of LeaderWorkerSet 0.7.0 and 0.9.0, KubeRay 1.5.1 and 1.7.0, KServe 0.17.0 and 0.20.0, Argo Rollouts 1.9.1, Fleet 0.16.1. */

/** Defaults below a map: a field, or a map or list of maps with defaults of its own. */
interface Defaults {
  readonly values?: Fields;
  readonly inner?: Readonly<Record<string, Defaults>>;
}

const LEADER_WORKER_SET_DEFAULTS: Defaults = {
  values: { replicas: 1, startupPolicy: 'LeaderCreated' },
  inner: {
    leaderWorkerTemplate: {
      values: { size: 1, restartPolicy: 'RecreateGroupOnPodRestart' },
      inner: { subGroupPolicy: { values: { subGroupPolicyType: 'LeaderWorker' } } },
    },
    rolloutStrategy: {
      values: { type: 'RollingUpdate' },
      inner: { rollingUpdateConfiguration: { values: { maxSurge: 0, maxUnavailable: 1, partition: 0 } } },
    },
  },
};

const RAY_CLUSTER_DEFAULTS: Defaults = {
  inner: {
    workerGroupSpecs: { values: { maxReplicas: 2_147_483_647, minReplicas: 0, numOfHosts: 1, priority: 0, replicas: 0 } },
    networkPolicy: { values: { mode: 'DenyAll' } },
  },
};

const FLEET_TARGET_DEFAULTS: Defaults = { values: { targetCustomizationMode: 'FirstMatch' } };

/** Kinds of operators whose definitions hold pods, with the defaults of their own fields. */
const DEFAULTS_WITH_PODS: Readonly<Record<string, Defaults>> = {
  'leaderworkerset.x-k8s.io/LeaderWorkerSet': LEADER_WORKER_SET_DEFAULTS,
  'disaggregatedset.x-k8s.io/DisaggregatedSet': { inner: { roles: { inner: { spec: LEADER_WORKER_SET_DEFAULTS } } } },
  'ray.io/RayCluster': RAY_CLUSTER_DEFAULTS,
  'ray.io/RayService': {
    inner: {
      rayClusterConfig: RAY_CLUSTER_DEFAULTS,
      upgradeStrategy: { inner: { clusterUpgradeOptions: { values: { maxSurgePercent: 100 } } } },
    },
  },
  'serving.kserve.io/InferenceService': {},
  'serving.kserve.io/LLMInferenceService': {},
  'serving.kserve.io/ServingRuntime': {},
  'serving.kserve.io/ClusterServingRuntime': {},
  'argoproj.io/Rollout': {},
};

/** Kinds without pods: what looks like a port there is a value for a chart. */
const DEFAULTS_WITHOUT_PODS: Readonly<Record<string, Defaults>> = {
  'fleet.cattle.io/Bundle': FLEET_TARGET_DEFAULTS,
  'fleet.cattle.io/HelmOp': FLEET_TARGET_DEFAULTS,
};

function defaultsOf(kinds: Readonly<Record<string, Defaults>>, object: Manifest): Defaults | undefined {
  const key = kindKeyOf(object);
  return Object.hasOwn(kinds, key) ? kinds[key] : undefined;
}

function applyDefaults(value: unknown, { values = {}, inner = {} }: Defaults): unknown {
  if (Array.isArray(value)) return value.map((item) => applyDefaults(item, { values, inner }));
  if (!isFields(value) || isClassInstance(value)) return value;
  const below = Object.entries(inner).filter(([name]) => isFields(value[name]) || Array.isArray(value[name]));
  return { ...values, ...value, ...Object.fromEntries(below.map(([name, defaults]) => [name, applyDefaults(value[name], defaults)])) };
}

function withProtocol(port: unknown): unknown {
  return isFields(port) && (port.containerPort !== undefined || port.port !== undefined) ? { protocol: 'TCP', ...port } : port;
}

/** Fills in the two defaults that pods in a definition have at any depth. */
function applyPodDefaults(value: unknown, isRaw: RawFieldCheck, around = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => applyPodDefaults(item, isRaw));
  if (!isFields(value) || isClassInstance(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key === 'ports' && Array.isArray(inner)) return [key, inner.map(withProtocol)];
      if (key === 'grpc' && isFields(inner) && inner.port !== undefined) return [key, { service: '', ...inner }];
      return [key, isRaw(around, key) ? inner : applyPodDefaults(inner, isRaw, key)];
    }),
  );
}

/** Returns a resource with the defaults of its definition. A resource without a known definition stays as it is. */
export function withDefinitionDefaults(object: Manifest): Manifest {
  const { spec } = object;
  if (!isFields(spec)) return object;
  const isRaw = createRawFieldCheck(kindKeyOf(object));
  const plain = defaultsOf(DEFAULTS_WITHOUT_PODS, object);
  if (plain) return { ...object, spec: applyDefaults(spec, plain) };
  // Elsewhere in a Rollout, such as in the configuration of a plugin, a port is no port of a pod.
  if (kindKeyOf(object) === 'argoproj.io/Rollout')
    return { ...object, spec: { ...spec, ...(spec.template !== undefined && { template: applyPodDefaults(spec.template, isRaw) }) } };
  const defaults = defaultsOf(DEFAULTS_WITH_PODS, object);
  return defaults ? { ...object, spec: applyPodDefaults(applyDefaults(spec, defaults), isRaw) } : object;
}

/** Returns a resource with its pods as its controller decodes them: two spellings of one pod template are not a change. */
export function withCanonicalPods(object: Manifest): Manifest {
  if (!defaultsOf(DEFAULTS_WITH_PODS, object)) return object;
  return { ...object, spec: normalizePodFields(withDefinitionDefaults(object).spec, createRawFieldCheck(kindKeyOf(object))) };
}

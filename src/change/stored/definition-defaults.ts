import { groupOf, isFields, isInstance } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { spelledPods } from '../../workloads/pod/spelled-pods';

/* What the API server fills in of a resource whose definition has defaults. A default holds where the map that has the field is there.
 * Source: the definitions of LeaderWorkerSet 0.7.0 and 0.9.0, KubeRay 1.5.1 and 1.7.0, KServe 0.17.0 and 0.20.0, Argo Rollouts 1.9.1, Fleet 0.16.1. */

/** Defaults below a map: a field, or a map or list of maps with defaults of its own. */
interface Defaults {
  readonly filled?: Fields;
  readonly inner?: Readonly<Record<string, Defaults>>;
}

const GROUPS: Defaults = {
  filled: { replicas: 1, startupPolicy: 'LeaderCreated' },
  inner: {
    leaderWorkerTemplate: {
      filled: { size: 1, restartPolicy: 'RecreateGroupOnPodRestart' },
      inner: { subGroupPolicy: { filled: { subGroupPolicyType: 'LeaderWorker' } } },
    },
    rolloutStrategy: {
      filled: { type: 'RollingUpdate' },
      inner: { rollingUpdateConfiguration: { filled: { maxSurge: 0, maxUnavailable: 1, partition: 0 } } },
    },
  },
};

const RAY_CLUSTER: Defaults = {
  inner: {
    workerGroupSpecs: { filled: { maxReplicas: 2_147_483_647, minReplicas: 0, numOfHosts: 1, priority: 0, replicas: 0 } },
    networkPolicy: { filled: { mode: 'DenyAll' } },
  },
};

const TARGETS: Defaults = { filled: { targetCustomizationMode: 'FirstMatch' } };

/** Kinds of operators whose definitions hold pods, with the defaults of their own fields. */
const WITH_PODS: Readonly<Record<string, Defaults>> = {
  'leaderworkerset.x-k8s.io/LeaderWorkerSet': GROUPS,
  'disaggregatedset.x-k8s.io/DisaggregatedSet': { inner: { roles: { inner: { spec: GROUPS } } } },
  'ray.io/RayCluster': RAY_CLUSTER,
  'ray.io/RayService': {
    inner: {
      rayClusterConfig: RAY_CLUSTER,
      upgradeStrategy: { inner: { clusterUpgradeOptions: { filled: { maxSurgePercent: 100 } } } },
    },
  },
  'serving.kserve.io/InferenceService': {},
  'serving.kserve.io/LLMInferenceService': {},
  'serving.kserve.io/ServingRuntime': {},
  'serving.kserve.io/ClusterServingRuntime': {},
  'argoproj.io/Rollout': {},
};

/** Kinds that hold none: what looks like a port there is a value for a chart. */
const WITHOUT_PODS: Readonly<Record<string, Defaults>> = { 'fleet.cattle.io/Bundle': TARGETS, 'fleet.cattle.io/HelmOp': TARGETS };

function defaultsOf(kinds: Readonly<Record<string, Defaults>>, object: Manifest): Defaults | undefined {
  const key = `${groupOf(object)}/${object.kind}`;
  return Object.hasOwn(kinds, key) ? kinds[key] : undefined;
}

function filledIn(value: unknown, { filled = {}, inner = {} }: Defaults): unknown {
  if (Array.isArray(value)) return value.map((item) => filledIn(item, { filled, inner }));
  if (!isFields(value) || isInstance(value)) return value;
  const below = Object.entries(inner).filter(([name]) => isFields(value[name]) || Array.isArray(value[name]));
  return { ...filled, ...value, ...Object.fromEntries(below.map(([name, defaults]) => [name, filledIn(value[name], defaults)])) };
}

function withProtocol(port: unknown): unknown {
  return isFields(port) && (port.containerPort !== undefined || port.port !== undefined) ? { protocol: 'TCP', ...port } : port;
}

/** The two defaults that pods in a definition have wherever they stand. */
function podsFilledIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(podsFilledIn);
  if (!isFields(value) || isInstance(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key === 'ports' && Array.isArray(inner)) return [key, inner.map(withProtocol)];
      if (key === 'grpc' && isFields(inner) && inner.port !== undefined) return [key, { service: '', ...inner }];
      return [key, podsFilledIn(inner)];
    }),
  );
}

/** A resource with what its definition fills in; one of which no definition is known stays as it is. */
export function withDefinitionDefaults(object: Manifest): Manifest {
  const { spec } = object;
  if (!isFields(spec)) return object;
  const plain = defaultsOf(WITHOUT_PODS, object);
  if (plain) return { ...object, spec: filledIn(spec, plain) };
  const defaults = defaultsOf(WITH_PODS, object);
  return defaults ? { ...object, spec: podsFilledIn(filledIn(spec, defaults)) } : object;
}

/** A resource as its controller decodes it, where it holds pods: two spellings of one pod template are no change of it. */
export function withSpelledPods(object: Manifest): Manifest {
  if (!defaultsOf(WITH_PODS, object)) return object;
  return { ...object, spec: spelledPods(withDefinitionDefaults(object).spec) };
}

import { toFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import { nameOf, kindKeyOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { BOOLEAN, INT32, INT_OR_PERCENT, LIST, MAP, METADATA, STRING, STRING_MAP, defineList, defineMap } from '../../core/values/schema';
import type { FieldSchema, FieldSchemas } from '../../core/values/schema';

/** A kind of context object, which affects the plans of rollouts. */
export interface ContextKind {
  /** API group. Empty for the core group. */
  readonly group: string;
  readonly kind: string;
  /** Name of the only relevant object of the kind, if there is one. */
  readonly name?: string;
  /** Fields that affect a rollout. @default - the system of the kind checks them */
  readonly schema?: FieldSchema;
  /** Fields that take a whole number or a percentage of at most 100. */
  readonly intOrPercentPaths?: readonly FieldPath[];
  /** Fields that take a whole number of at least 0. */
  readonly countPaths?: readonly FieldPath[];
}

/** Defines the schema of an object with this spec. Its name and namespace identify it; its labels and annotations affect no rollout. */
function withSpec(spec: FieldSchemas): FieldSchema {
  return defineMap({ metadata: defineMap({ name: STRING, namespace: STRING }), spec: defineMap(spec) });
}

const QUANTITY_MAP: FieldSchema = { type: 'quantity-map' };

/** All kinds that plans read in addition to rollouts. This is the only list of them, so code that reads another kind must add it here. */
export const CONTEXT_KINDS = {
  podDisruptionBudget: {
    group: 'policy',
    kind: 'PodDisruptionBudget',
    schema: withSpec({
      selector: defineMap({ matchLabels: STRING_MAP, matchExpressions: LIST }),
      minAvailable: INT_OR_PERCENT,
      maxUnavailable: INT_OR_PERCENT,
    }),
    intOrPercentPaths: [toFieldPath`spec.minAvailable`, toFieldPath`spec.maxUnavailable`],
  },
  horizontalPodAutoscaler: {
    group: 'autoscaling',
    kind: 'HorizontalPodAutoscaler',
    schema: withSpec({ scaleTargetRef: MAP, minReplicas: INT32, maxReplicas: INT32 }),
  },
  scaledObject: {
    group: 'keda.sh',
    kind: 'ScaledObject',
    schema: withSpec({ scaleTargetRef: MAP, minReplicaCount: INT32, maxReplicaCount: INT32 }),
    countPaths: [toFieldPath`spec.minReplicaCount`, toFieldPath`spec.maxReplicaCount`],
  },
  resourceQuota: {
    group: '',
    kind: 'ResourceQuota',
    schema: withSpec({ hard: MAP, scopes: LIST, scopeSelector: defineMap({ matchExpressions: LIST }) }),
  },
  persistentVolumeClaim: { group: '', kind: 'PersistentVolumeClaim', schema: withSpec({ accessModes: LIST }) },
  persistentVolume: { group: '', kind: 'PersistentVolume' },
  csiNode: { group: 'storage.k8s.io', kind: 'CSINode' },
  storageClass: { group: 'storage.k8s.io', kind: 'StorageClass' },
  service: { group: '', kind: 'Service' },
  limitRange: { group: '', kind: 'LimitRange' },
  podTemplate: { group: '', kind: 'PodTemplate' },
  namespace: { group: '', kind: 'Namespace' },
  node: {
    group: '',
    kind: 'Node',
    schema: defineMap({
      metadata: METADATA,
      spec: defineMap({ unschedulable: BOOLEAN, taints: defineList({ key: STRING, value: STRING, effect: STRING }) }),
      status: defineMap({ allocatable: QUANTITY_MAP, capacity: QUANTITY_MAP, conditions: defineList({ type: STRING, status: STRING }) }),
    }),
  },
  nodePool: { group: 'karpenter.sh', kind: 'NodePool' },
  priorityClass: { group: 'scheduling.k8s.io', kind: 'PriorityClass' },
  runtimeClass: { group: 'node.k8s.io', kind: 'RuntimeClass' },
  deviceClass: { group: 'resource.k8s.io', kind: 'DeviceClass' },
  resourceSlice: { group: 'resource.k8s.io', kind: 'ResourceSlice' },
  resourceClaim: { group: 'resource.k8s.io', kind: 'ResourceClaim' },
  resourceClaimTemplate: { group: 'resource.k8s.io', kind: 'ResourceClaimTemplate' },
  kserveConfig: { group: '', kind: 'ConfigMap', name: 'inferenceservice-config' },
  knativeAutoscaler: { group: '', kind: 'ConfigMap', name: 'config-autoscaler' },
  knativeDeployment: { group: '', kind: 'ConfigMap', name: 'config-deployment' },
  knativeNetwork: { group: '', kind: 'ConfigMap', name: 'config-network' },
  knativeDefaults: { group: '', kind: 'ConfigMap', name: 'config-defaults' },
  argoCdParameters: { group: '', kind: 'ConfigMap', name: 'argocd-cmd-params-cm' },
  servingRuntime: { group: 'serving.kserve.io', kind: 'ServingRuntime' },
  clusterServingRuntime: { group: 'serving.kserve.io', kind: 'ClusterServingRuntime' },
  gateway: { group: 'gateway.networking.k8s.io', kind: 'Gateway' },
  httpRoute: { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute' },
  fleetCluster: { group: 'fleet.cattle.io', kind: 'Cluster' },
  fleetClusterGroup: { group: 'fleet.cattle.io', kind: 'ClusterGroup' },
  bundleDeployment: { group: 'fleet.cattle.io', kind: 'BundleDeployment' },
  flaggerCanary: { group: 'flagger.app', kind: 'Canary' },
  kruiseRollout: { group: 'rollouts.kruise.io', kind: 'Rollout' },
  verticalPodAutoscaler: { group: 'autoscaling.k8s.io', kind: 'VerticalPodAutoscaler' },
  gitRepo: { group: 'fleet.cattle.io', kind: 'GitRepo' },
} as const satisfies Readonly<Record<string, ContextKind>>;

/** Kinds whose pods use capacity that rollouts then lack. Nothing else of them is read. */
export const POD_KINDS = {
  pod: { group: '', kind: 'Pod' },
  replicaSet: { group: 'apps', kind: 'ReplicaSet' },
  job: { group: 'batch', kind: 'Job' },
} as const satisfies Readonly<Record<string, ContextKind>>;

/** Kinds whose pods run to completion. */
export const JOB_KINDS = {
  job: POD_KINDS.job,
  cronJob: { group: 'batch', kind: 'CronJob' },
} as const satisfies Readonly<Record<string, ContextKind>>;

/** Kinds that send requests to Services. Only their backends are read. */
export const ROUTE_KINDS = {
  httpRoute: CONTEXT_KINDS.httpRoute,
  grpcRoute: { group: 'gateway.networking.k8s.io', kind: 'GRPCRoute' },
  tcpRoute: { group: 'gateway.networking.k8s.io', kind: 'TCPRoute' },
  tlsRoute: { group: 'gateway.networking.k8s.io', kind: 'TLSRoute' },
  udpRoute: { group: 'gateway.networking.k8s.io', kind: 'UDPRoute' },
  ingress: { group: 'networking.k8s.io', kind: 'Ingress' },
  virtualService: { group: 'networking.istio.io', kind: 'VirtualService' },
} as const satisfies Readonly<Record<string, ContextKind>>;

/** Formats the key of a kind, without the version of its API. */
export function formatKindKey({ group, kind }: Pick<ContextKind, 'group' | 'kind'>): string {
  return `${group}/${kind}`;
}

/** Keys of kinds, with the name for kinds with only one relevant object. */
const CONTEXT_KEYS: ReadonlySet<string> = new Set(
  Object.values(CONTEXT_KINDS).map((known: ContextKind) =>
    known.name === undefined ? formatKindKey(known) : `${formatKindKey(known)}/${known.name}`,
  ),
);

/** Reports whether a plan reads this object in addition to rollouts. */
export function isContextObject(object: Manifest): boolean {
  const key = kindKeyOf(object);
  return CONTEXT_KEYS.has(key) || CONTEXT_KEYS.has(`${key}/${nameOf(object)}`);
}

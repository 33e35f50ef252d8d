import { at } from '../core/field-path';
import type { FieldPath } from '../core/field-path';
import { groupOf, nameOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { BOOLEAN, INT32, INT_OR_PERCENT, LIST, MAP, METADATA, STRING, STRING_MAP, listOf, map } from '../core/schema';
import type { FieldSchema, FieldSchemas } from '../core/schema';

/** A kind of object that rollouts are planned among. */
export interface ContextKind {
  /** Empty for the core group. */
  readonly group: string;
  readonly kind: string;
  /** The only object of the kind that matters, where there is one. */
  readonly name?: string;
  /** The fields that count for a rollout. @default - its own system looks at them */
  readonly schema?: FieldSchema;
  /** Fields that take a whole number or a percentage of at most 100. */
  readonly limits?: readonly FieldPath[];
  /** Fields that take a whole number of at least 0. */
  readonly counts?: readonly FieldPath[];
}

/** By its name and namespace an object is found; its labels and annotations count for no rollout. */
function withSpec(spec: FieldSchemas): FieldSchema {
  return map({ metadata: map({ name: STRING, namespace: STRING }), spec: map(spec) });
}

/** Every kind that plans look at beside the rollouts, and the only list of them: whoever looks at a further one adds it here. */
export const CONTEXT_KINDS = {
  podDisruptionBudget: {
    group: 'policy',
    kind: 'PodDisruptionBudget',
    schema: withSpec({
      selector: map({ matchLabels: STRING_MAP, matchExpressions: LIST }),
      minAvailable: INT_OR_PERCENT,
      maxUnavailable: INT_OR_PERCENT,
    }),
    limits: [at`spec.minAvailable`, at`spec.maxUnavailable`],
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
    counts: [at`spec.minReplicaCount`, at`spec.maxReplicaCount`],
  },
  resourceQuota: {
    group: '',
    kind: 'ResourceQuota',
    schema: withSpec({ hard: MAP, scopes: LIST, scopeSelector: map({ matchExpressions: LIST }) }),
  },
  persistentVolumeClaim: { group: '', kind: 'PersistentVolumeClaim', schema: withSpec({ accessModes: LIST }) },
  service: { group: '', kind: 'Service' },
  limitRange: { group: '', kind: 'LimitRange' },
  podTemplate: { group: '', kind: 'PodTemplate' },
  namespace: { group: '', kind: 'Namespace' },
  node: {
    group: '',
    kind: 'Node',
    schema: map({
      metadata: METADATA,
      spec: map({ unschedulable: BOOLEAN, taints: listOf({ key: STRING, value: STRING, effect: STRING }) }),
      status: map({ allocatable: MAP, conditions: listOf({ type: STRING, status: STRING }) }),
    }),
  },
  kserveConfig: { group: '', kind: 'ConfigMap', name: 'inferenceservice-config' },
  knativeAutoscaler: { group: '', kind: 'ConfigMap', name: 'config-autoscaler' },
  knativeDeployment: { group: '', kind: 'ConfigMap', name: 'config-deployment' },
  knativeNetwork: { group: '', kind: 'ConfigMap', name: 'config-network' },
  argoCdParameters: { group: '', kind: 'ConfigMap', name: 'argocd-cmd-params-cm' },
  servingRuntime: { group: 'serving.kserve.io', kind: 'ServingRuntime' },
  clusterServingRuntime: { group: 'serving.kserve.io', kind: 'ClusterServingRuntime' },
  gateway: { group: 'gateway.networking.k8s.io', kind: 'Gateway' },
  httpRoute: { group: 'gateway.networking.k8s.io', kind: 'HTTPRoute' },
  fleetCluster: { group: 'fleet.cattle.io', kind: 'Cluster' },
  fleetClusterGroup: { group: 'fleet.cattle.io', kind: 'ClusterGroup' },
  bundleDeployment: { group: 'fleet.cattle.io', kind: 'BundleDeployment' },
  gitRepo: { group: 'fleet.cattle.io', kind: 'GitRepo' },
} as const satisfies Readonly<Record<string, ContextKind>>;

/** Kinds whose pods take room that rollouts then lack; nothing else is asked of them. */
export const POD_KINDS = {
  pod: { group: '', kind: 'Pod' },
  replicaSet: { group: 'apps', kind: 'ReplicaSet' },
  job: { group: 'batch', kind: 'Job' },
} as const satisfies Readonly<Record<string, ContextKind>>;

/** The key of a kind, whatever the version of its API. */
export function kindKey({ group, kind }: Pick<ContextKind, 'group' | 'kind'>): string {
  return `${group}/${kind}`;
}

/** Keys of kinds; of those that count by their name alone, with the name. */
const KEYS: ReadonlySet<string> = new Set(
  Object.values(CONTEXT_KINDS).map((known: ContextKind) => (known.name === undefined ? kindKey(known) : `${kindKey(known)}/${known.name}`)),
);

/** Does a plan look at this object beside the rollouts? */
export function isContextObject(object: Manifest): boolean {
  const key = kindKey({ group: groupOf(object), kind: object.kind });
  return KEYS.has(key) || KEYS.has(`${key}/${nameOf(object)}`);
}

import { distance } from 'fastest-levenshtein';
import { findClosestName } from '../../core/errors/did-you-mean';
import { groupOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';

/** Every kind of the built-in API groups that contain rollouts and related objects. */
const BUILT_IN_KINDS: Readonly<Record<string, readonly string[]>> = {
  '': [
    'Binding',
    'ComponentStatus',
    'ConfigMap',
    'Endpoints',
    'Event',
    'LimitRange',
    'List',
    'Namespace',
    'Node',
    'PersistentVolume',
    'PersistentVolumeClaim',
    'Pod',
    'PodTemplate',
    'ReplicationController',
    'ResourceQuota',
    'Secret',
    'Service',
    'ServiceAccount',
    'Status',
  ],
  apps: ['ControllerRevision', 'DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  autoscaling: ['HorizontalPodAutoscaler', 'Scale'],
  policy: ['Eviction', 'PodDisruptionBudget', 'PodSecurityPolicy'],
};

/** Kinds of API discovery responses, which repositories sometimes store next to manifests. */
const API_RESPONSE_KINDS: ReadonlySet<string> = new Set([
  'APIGroup',
  'APIGroupList',
  'APIResourceList',
  'APIVersions',
  'Table',
  'WatchEvent',
]);

/** Kinds of OpenShift's first API, which were in the core group of Kubernetes. `oc` still accepts them. */
const LEGACY_OPENSHIFT_KINDS: ReadonlySet<string> = new Set([
  'BuildConfig',
  'DeploymentConfig',
  'ImageStream',
  'ImageStreamTag',
  'OAuthClient',
  'Project',
  'ProjectRequest',
  'Route',
  'SecurityContextConstraints',
  'Template',
]);

/**
 * A version of the core group. Other values without a slash belong to tools that never call the API server: `builtin` of kustomize, `0.1.0`
 * of ksonnet.
 */
const CORE_API_VERSION = /^v\d/;

/**
 * Further built-in groups without a dot. The group of a CustomResourceDefinition contains one, so no other group without a dot can be
 * served.
 */
const UNDOTTED_GROUPS: ReadonlySet<string> = new Set(['batch', 'extensions']);

/** Kinds of operators that are planned or read. Their groups may contain other kinds. */
const OPERATOR_KINDS: Readonly<Record<string, readonly string[]>> = {
  'serving.kserve.io': [
    'InferenceService',
    'ServingRuntime',
    'ClusterServingRuntime',
    'LLMInferenceService',
    'InferenceGraph',
    'TrainedModel',
  ],
  'ray.io': ['RayService', 'RayCluster', 'RayJob', 'RayCronJob'],
  'fleet.cattle.io': ['Bundle', 'HelmOp', 'Cluster', 'ClusterGroup', 'GitRepo', 'BundleNamespaceMapping', 'Schedule', 'BundleDeployment'],
  'argoproj.io': [
    'Rollout',
    'Experiment',
    'AnalysisTemplate',
    'ClusterAnalysisTemplate',
    'AnalysisRun',
    'Application',
    'ApplicationSet',
    'AppProject',
    'ArgoCD',
    'NotificationsConfiguration',
    'RolloutManager',
    'Workflow',
    'WorkflowTemplate',
    'ClusterWorkflowTemplate',
    'CronWorkflow',
    'EventBus',
    'EventSource',
    'Sensor',
  ],
  'leaderworkerset.x-k8s.io': ['LeaderWorkerSet'],
  'disaggregatedset.x-k8s.io': ['DisaggregatedSet'],
  'keda.sh': ['ScaledObject', 'ScaledJob'],
  'gateway.networking.k8s.io': ['Gateway', 'HTTPRoute', 'GatewayClass', 'GRPCRoute', 'TCPRoute', 'TLSRoute', 'UDPRoute'],
};

/** Maximum number of wrong letters in a misspelled kind of an operator. */
const MAX_WRONG_LETTERS = 2;

/** A kind that its group does not have. */
export interface UnknownKind {
  /** The intended kind, if it can be guessed. */
  readonly suggestion?: string;
  /** The group that has the kind, if it differs from the one written. Empty for the core group. */
  readonly group?: string;
}

function findOtherGroup(kind: string): string | undefined {
  return Object.keys(BUILT_IN_KINDS).find((group) => BUILT_IN_KINDS[group]!.some((known) => known.toLowerCase() === kind.toLowerCase()));
}

/** Reports whether a kind with version v1 is never applied, such as the configuration of kubectl, or is not a kind of Kubernetes. */
function isForeignKind({ apiVersion, kind }: Manifest): boolean {
  return apiVersion === 'v1' && (kind === 'Config' || API_RESPONSE_KINDS.has(kind) || LEGACY_OPENSHIFT_KINDS.has(kind));
}

/** Returns the intended kind for a built-in kind in a group that cannot exist: `app/v1 Deployment`. */
function findKindInUnservedGroup(group: string, kind: string): UnknownKind | undefined {
  if (group.includes('.') || UNDOTTED_GROUPS.has(group)) return undefined;
  const otherGroup = findOtherGroup(kind);
  if (otherGroup === undefined) return undefined;
  return { suggestion: BUILT_IN_KINDS[otherGroup]!.find((known) => known.toLowerCase() === kind.toLowerCase())!, group: otherGroup };
}

/** Returns the unknown kind of an object. Returns undefined if its group has the kind, or if too little is known of the group. */
export function findUnknownKind(object: Manifest): UnknownKind | undefined {
  const { kind } = object;
  const group = groupOf(object);
  const builtInKinds = Object.hasOwn(BUILT_IN_KINDS, group) ? BUILT_IN_KINDS[group]! : undefined;
  if (isForeignKind(object)) return undefined;
  if (builtInKinds) {
    if (builtInKinds.includes(kind) || (kind.endsWith('List') && builtInKinds.includes(kind.slice(0, -'List'.length)))) return undefined;
    const otherGroup = findOtherGroup(kind);
    const suggestion =
      otherGroup === undefined
        ? findClosestName(kind, builtInKinds)
        : BUILT_IN_KINDS[otherGroup]!.find((known) => known.toLowerCase() === kind.toLowerCase());
    if (suggestion === undefined && group === '' && !CORE_API_VERSION.test(object.apiVersion)) return undefined;
    return {
      ...(suggestion !== undefined && { suggestion }),
      ...(otherGroup !== undefined && otherGroup !== group && { group: otherGroup }),
    };
  }
  const unservedKind = findKindInUnservedGroup(group, kind);
  if (unservedKind) return unservedKind;
  const operatorKinds = Object.hasOwn(OPERATOR_KINDS, group) ? OPERATOR_KINDS[group]! : [];
  if (operatorKinds.includes(kind)) return undefined;
  const suggestion = operatorKinds.find((known) => distance(known.toLowerCase(), kind.toLowerCase()) <= MAX_WRONG_LETTERS);
  return suggestion === undefined ? undefined : { suggestion };
}

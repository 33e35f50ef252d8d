import { distance } from 'fastest-levenshtein';
import { nearestName } from '../core/nearest-name';
import { groupOf } from '../core/manifest';
import type { Manifest } from '../core/manifest';

/** Every kind of Kubernetes' own groups in which rollouts and what surrounds them stand. */
const BUILT_IN: Readonly<Record<string, readonly string[]>> = {
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

/** What the API server answers to questions about itself, which repositories keep beside manifests. */
const ANSWERS: ReadonlySet<string> = new Set(['APIGroup', 'APIGroupList', 'APIResourceList', 'APIVersions', 'Table', 'WatchEvent']);

/** Kinds of OpenShift's first API, which stood in Kubernetes' core group; `oc` still takes them. */
const OPENSHIFT: ReadonlySet<string> = new Set([
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

/** A version of the core group; what else has no slash is of a tool that never asks the API server: `builtin` of kustomize, `0.1.0` of ksonnet. */
const VERSION = /^v\d/;

/** Further groups of Kubernetes without a dot. A CustomResourceDefinition's group has one, so that no other group without can be served. */
const UNDOTTED: ReadonlySet<string> = new Set(['batch', 'extensions']);

/** Kinds of operators that are planned or looked at. Their groups may hold others. */
const OPERATORS: Readonly<Record<string, readonly string[]>> = {
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

/** Letters that a misspelt kind of an operator has wrong. */
const WRONG_LETTERS = 2;

/** A kind that its group does not have. */
export interface UnknownKind {
  /** The kind that was likely meant. */
  readonly meant?: string;
  /** The group that has it, where that is another than the one written; empty for the core group. */
  readonly group?: string;
}

function inAnotherGroup(kind: string): string | undefined {
  return Object.keys(BUILT_IN).find((group) => BUILT_IN[group]!.some((known) => known.toLowerCase() === kind.toLowerCase()));
}

/** Is a kind of the core group's version one that is never applied, as a configuration of kubectl, or is not Kubernetes' own? */
function isOfOthers({ apiVersion, kind }: Manifest): boolean {
  return apiVersion === 'v1' && (kind === 'Config' || ANSWERS.has(kind) || OPENSHIFT.has(kind));
}

/** A kind of Kubernetes in a group that cannot be: `app/v1 Deployment`. */
function inUnservedGroup(group: string, kind: string): UnknownKind | undefined {
  if (group.includes('.') || UNDOTTED.has(group)) return undefined;
  const elsewhere = inAnotherGroup(kind);
  if (elsewhere === undefined) return undefined;
  return { meant: BUILT_IN[elsewhere]!.find((known) => known.toLowerCase() === kind.toLowerCase())!, group: elsewhere };
}

/** Undefined for a kind that its group has, and for a group of which not enough is known. */
export function unknownKindOf(object: Manifest): UnknownKind | undefined {
  const { kind } = object;
  const group = groupOf(object);
  const builtIn = Object.hasOwn(BUILT_IN, group) ? BUILT_IN[group]! : undefined;
  if (isOfOthers(object)) return undefined;
  if (builtIn) {
    if (builtIn.includes(kind) || (kind.endsWith('List') && builtIn.includes(kind.slice(0, -'List'.length)))) return undefined;
    const elsewhere = inAnotherGroup(kind);
    const meant =
      elsewhere === undefined
        ? nearestName(kind, builtIn)
        : BUILT_IN[elsewhere]!.find((known) => known.toLowerCase() === kind.toLowerCase());
    if (meant === undefined && group === '' && !VERSION.test(object.apiVersion)) return undefined;
    return { ...(meant !== undefined && { meant }), ...(elsewhere !== undefined && elsewhere !== group && { group: elsewhere }) };
  }
  const unserved = inUnservedGroup(group, kind);
  if (unserved) return unserved;
  const operator = Object.hasOwn(OPERATORS, group) ? OPERATORS[group]! : [];
  if (operator.includes(kind)) return undefined;
  const meant = operator.find((known) => distance(known.toLowerCase(), kind.toLowerCase()) <= WRONG_LETTERS);
  return meant === undefined ? undefined : { meant };
}

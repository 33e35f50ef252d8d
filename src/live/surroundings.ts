import { CONTEXT_KINDS, POD_KINDS, formatKindKey } from '../cluster/kinds/context-kinds';
import type { ContextKind } from '../cluster/kinds/context-kinds';
import { WORKLOAD_NAMES, getWorkloadKind } from '../workloads/kinds';
import { groupOf } from '../core/manifest/manifest';

/** Kinds that decide about a rollout only if an object of the same group is applied. Their groups belong to one system. */
const SYSTEM_GROUPS: ReadonlySet<string> = new Set(['fleet.cattle.io', 'serving.kserve.io']);

/** Objects that controllers create from others, or that name a workload as theirs, by group and kind. */
const FURTHER_KINDS: readonly Pick<ContextKind, 'group' | 'kind'>[] = [
  { group: '', kind: 'ReplicationController' },
  { group: '', kind: 'PersistentVolume' },
  { group: 'apps', kind: 'ControllerRevision' },
  { group: 'argoproj.io', kind: 'Rollout' },
  { group: 'autoscaling.k8s.io', kind: 'VerticalPodAutoscaler' },
  { group: 'discovery.k8s.io', kind: 'EndpointSlice' },
  { group: 'flagger.app', kind: 'Canary' },
  { group: 'kueue.x-k8s.io', kind: 'LocalQueue' },
  { group: 'node.k8s.io', kind: 'RuntimeClass' },
  { group: 'resource.k8s.io', kind: 'ResourceClaim' },
];

/** Kinds that a controller creates from an object of NEW, or that it or the API server reads with it, by the key of NEW's kind. */
const RELATED_KINDS: Readonly<Record<string, readonly Pick<ContextKind, 'group' | 'kind'>[]>> = {
  'admissionregistration.k8s.io/MutatingAdmissionPolicy': [
    { group: 'admissionregistration.k8s.io', kind: 'MutatingAdmissionPolicyBinding' },
  ],
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy': [
    { group: 'admissionregistration.k8s.io', kind: 'ValidatingAdmissionPolicyBinding' },
  ],
  'argoproj.io/ApplicationSet': [{ group: 'argoproj.io', kind: 'Application' }],
  'ray.io/RayService': [{ group: 'ray.io', kind: 'RayCluster' }],
  'serving.kserve.io/ServingRuntime': [{ group: 'serving.kserve.io', kind: 'InferenceService' }],
  'serving.kserve.io/ClusterServingRuntime': [{ group: 'serving.kserve.io', kind: 'InferenceService' }],
  'serving.kserve.io/LLMInferenceService': [
    { group: 'serving.kserve.io', kind: 'LLMInferenceServiceConfig' },
    { group: 'leaderworkerset.x-k8s.io', kind: 'LeaderWorkerSet' },
  ],
};

/** Kinds that operators roll out. They are listed if no object is named, since an upgrade of the operator concerns all of them. */
const OPERATOR_KINDS: readonly Pick<ContextKind, 'group' | 'kind'>[] = [
  { group: 'argoproj.io', kind: 'Application' },
  { group: 'argoproj.io', kind: 'ApplicationSet' },
  { group: 'disaggregatedset.x-k8s.io', kind: 'DisaggregatedSet' },
  { group: 'fleet.cattle.io', kind: 'Bundle' },
  { group: 'fleet.cattle.io', kind: 'HelmOp' },
  { group: 'leaderworkerset.x-k8s.io', kind: 'LeaderWorkerSet' },
  { group: 'ray.io', kind: 'RayCluster' },
  { group: 'ray.io', kind: 'RayService' },
  { group: 'serving.knative.dev', kind: 'Revision' },
  { group: 'serving.knative.dev', kind: 'Service' },
  { group: 'serving.kserve.io', kind: 'InferenceService' },
  { group: 'serving.kserve.io', kind: 'LLMInferenceService' },
  { group: 'serving.kserve.io', kind: 'LLMInferenceServiceConfig' },
];

const WORKLOADS = WORKLOAD_NAMES.map((name) => {
  const { apiVersion, kind } = getWorkloadKind(name);
  return { group: groupOf({ apiVersion }), kind };
});

/** Kinds that are read from files only, because few users may list them in a cluster. */
const FILE_KINDS: readonly ContextKind[] = [CONTEXT_KINDS.csiNode];

/** Kinds without a single relevant name that are listed completely, wherever objects are applied. */
const LISTED_KINDS = [
  ...[...Object.values(CONTEXT_KINDS), ...Object.values(POD_KINDS)].filter(
    (known: ContextKind) => known.name === undefined && !FILE_KINDS.includes(known),
  ),
  ...WORKLOADS,
  ...FURTHER_KINDS,
];

/**
 * Returns the keys of the kinds that surround an apply of objects of some kinds. Without any, every kind that may surround one.
 *
 * @param applied - keys of the kinds that are applied: `apps/Deployment`
 */
export function listSurroundingKinds(applied: ReadonlySet<string>): ReadonlySet<string> {
  const groups = new Set([...applied].map((key) => key.split('/', 1)[0]!));
  const related = [...applied].flatMap((key) => (Object.hasOwn(RELATED_KINDS, key) ? RELATED_KINDS[key]! : []));
  const listed = LISTED_KINDS.filter(({ group }) => !SYSTEM_GROUPS.has(group) || applied.size === 0 || groups.has(group));
  return new Set([...listed, ...related, ...(applied.size === 0 ? OPERATOR_KINDS : [])].map(formatKindKey));
}

/** Fleet's BundleDeployments are in one namespace per cluster, and pods of every namespace use the nodes. */
export const KINDS_OF_ALL_NAMESPACES: ReadonlySet<string> = new Set([
  formatKindKey(POD_KINDS.pod),
  formatKindKey(CONTEXT_KINDS.bundleDeployment),
]);

import { getFieldsAt, getValueAt, groupOf, nameOf, namespaceOf } from '../../../core/manifest/manifest';
import type { Fields, Manifest } from '../../../core/manifest/manifest';
import { memoizePerPlan } from '../../context/context';
import type { PlanContext } from '../../context/context';
import { POD_KINDS } from '../../kinds/context-kinds';
import { findControllingOwner } from '../../kinds/ownership';
import { getNamespaceLabels } from '../nodes/scheduling';
import type { PodShape } from '../nodes/pod-shape';
import { isBeingLowered, resolveResizedSpec } from './resized-pods';
import { toSafeText } from '../../../core/text/value-text';

/** A pod of the input that has not finished. */
export interface RunningPod extends PodShape {
  readonly pod: Manifest;
  /** Name of its node. Undefined while it has none. */
  readonly nodeName?: string;
  /** Whether it is being deleted. */
  readonly isTerminating: boolean;
  /** Whether its requests were lowered, and its node still reserves more. */
  readonly isLowered?: boolean;
  /** Key of the workload that it belongs to, or of itself. */
  readonly workloadKey: string;
  /** Name of that workload for a sentence: `RayCluster train/rc`. */
  readonly workloadName: string;
  /** Key of the object that creates that workload, if names or labels contain it. */
  readonly indirectOwnerKey?: string;
  readonly priority: number;
}

/** Formats the key of a workload. */
export function formatWorkloadKey(kind: string, namespace: string | undefined, name: string): string {
  return JSON.stringify([kind, namespace ?? 'default', name]);
}

/** Label with the hash of the template, by the kind of the owner. The controller appends the hash to the name of the ReplicaSet. */
const HASH_LABELS = { Deployment: 'pod-template-hash', Rollout: 'rollouts-pod-template-hash' } as const;

interface WorkloadName {
  readonly kind: string;
  readonly name: string;
}

function readOwner(object: Manifest): WorkloadName | undefined {
  const owner = findControllingOwner(object);
  return owner && { kind: toSafeText(owner.kind), name: toSafeText(owner.name) };
}

/**
 * Labels with the name of an object that owns a pod through other objects, with the kind of that object. The first one that a pod has counts.
 */
const OWNER_LABELS: readonly (readonly [label: string, kind: string])[] = [
  ['disaggregatedset.x-k8s.io/name', 'DisaggregatedSet'],
  ['leaderworkerset.sigs.k8s.io/name', 'LeaderWorkerSet'],
  ['serving.knative.dev/service', 'Revision'],
];

/** The name that KubeRay gives the cluster of a RayService. Source: KubeRay `utils.GenerateRayClusterName`. */
const RAY_CLUSTER_NAME = /^(.+?)(?:-raycluster)?-[a-z0-9]{5}$/;

/** Returns the object that creates the direct owner of a pod, if names or labels contain it. */
function findIndirectOwner(owner: WorkloadName, labels: Fields): WorkloadName | undefined {
  for (const [label, kind] of OWNER_LABELS) {
    const name = labels[label];
    if (typeof name === 'string') return { kind, name };
  }
  const service = owner.kind === 'RayCluster' ? RAY_CLUSTER_NAME.exec(owner.name)?.[1] : undefined;
  return service === undefined ? undefined : { kind: 'RayService', name: service };
}

/** Returns the workload of a pod: the owner of its ReplicaSet, by name if the ReplicaSet is not in the input; or else its owner. */
function findWorkload(pod: Manifest, labels: Fields, replicaSets: ReadonlyMap<string, Manifest>): WorkloadName {
  const owner = readOwner(pod);
  if (!owner) return { kind: 'Pod', name: nameOf(pod) };
  if (owner.kind !== 'ReplicaSet') return owner;
  const replicaSet = replicaSets.get(JSON.stringify([namespaceOf(pod), owner.name]));
  if (replicaSet) return readOwner(replicaSet) ?? owner;
  for (const [kind, label] of Object.entries(HASH_LABELS)) {
    const hash = labels[label];
    const suffix = typeof hash === 'string' ? `-${hash}` : undefined;
    if (suffix !== undefined && owner.name.endsWith(suffix)) return { kind, name: owner.name.slice(0, -suffix.length) };
  }
  return owner;
}

function readPriority(pod: Manifest): number {
  const priority = getValueAt(pod, 'spec', 'priority');
  return typeof priority === 'number' ? priority : 0;
}

/** Lists the pods of the input that have not finished, including those of owners that are not planned. */
export const listRunningPods = memoizePerPlan((context: PlanContext): readonly RunningPod[] => {
  const pods = context.all(POD_KINDS.pod).filter((pod) => groupOf(pod) === '');
  if (pods.length === 0) return [];
  const replicaSets = new Map(
    context.all(POD_KINDS.replicaSet).map((replicaSet) => [JSON.stringify([namespaceOf(replicaSet), nameOf(replicaSet)]), replicaSet]),
  );
  return pods.flatMap((pod) => {
    const phase = getValueAt(pod, 'status', 'phase');
    if (phase === 'Succeeded' || phase === 'Failed') return [];
    const nodeName = getValueAt(pod, 'spec', 'nodeName');
    const namespace = namespaceOf(pod) ?? 'default';
    const labels = getFieldsAt(pod, 'metadata', 'labels');
    const owner = findWorkload(pod, labels, replicaSets);
    const { kind, name } = owner;
    const indirect = findIndirectOwner(owner, labels);
    const spec = resolveResizedSpec(pod);
    const labelsOfNamespace = getNamespaceLabels(namespace, context);
    return {
      pod: spec === getFieldsAt(pod, 'spec') ? pod : { ...pod, spec },
      namespace,
      ...(labelsOfNamespace && { namespaceLabels: labelsOfNamespace }),
      labels,
      spec,
      ...(typeof nodeName === 'string' && nodeName !== '' && { nodeName }),
      isTerminating: getValueAt(pod, 'metadata', 'deletionTimestamp') !== undefined,
      ...(isBeingLowered(pod, spec) && { isLowered: true }),
      workloadKey: formatWorkloadKey(kind, namespace, name),
      workloadName: `${kind} ${namespace}/${name}`,
      ...(indirect && { indirectOwnerKey: formatWorkloadKey(indirect.kind, namespace, indirect.name) }),
      priority: readPriority(pod),
    };
  });
});

import type { Simulation } from '../../core/simulations/simulation';
import type { ObservedCounts } from '../../core/document/verify-report';
import { isDeepEqual } from '../../core/collections/deep-equal';
import { annotationOf, getFieldsAt, getValueAt, nameOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { findCondition } from './observed-objects';
import type { ObservedObjects } from './observed-objects';
import { findCreationTrouble, findPodTrouble } from './pod-trouble';
import type { PodTrouble } from './pod-trouble';

/** How far a rollout is. */
export interface RolloutProgress {
  readonly counts: ObservedCounts;
  /** Ready pods of the new version. */
  readonly newReady: number;
  /** Desired pods. */
  readonly desired: number;
  /** Name of the new version; undefined while the controller has not made one. */
  readonly revision?: string;
  /** Whether the controller has read the latest spec. */
  readonly isObserved: boolean;
  readonly isComplete: boolean;
  /** Why pods of the new version are missing or not ready. */
  readonly troubles: readonly PodTrouble[];
  /** Whether no pod can become ready and the controller can neither create nor delete one. */
  readonly isStuck: boolean;
  /** Pods of the new version. */
  readonly newPods: readonly Manifest[];
}

const toCount = (value: unknown, fallback = 0) => (typeof value === 'number' ? value : fallback);

const isDeleting = (pod: Manifest) => getValueAt(pod, 'metadata', 'deletionTimestamp') !== undefined;
export const isReady = (pod: Manifest) => findCondition(pod, 'Ready').status === 'True' && !isDeleting(pod);

function hasObservedSpec(object: Manifest): boolean {
  const generation = toCount(getValueAt(object, 'metadata', 'generation'), 1);
  return toCount(getValueAt(object, 'status', 'observedGeneration')) >= generation;
}

/**
 * Counts pods. `reportedOld` is the number of old pods in a status, which counts while the watch has not listed all pods.
 */
function countPods(newPods: readonly Manifest[], oldPods: readonly Manifest[], reportedOld: number): ObservedCounts {
  const old = Math.max(oldPods.length, reportedOld);
  return {
    new: newPods.length,
    old,
    total: newPods.length + old,
    available: [...newPods, ...oldPods].filter(isReady).length,
  };
}

/** Returns the troubles of pods that are not ready. Pods that say nothing have none. */
function findTroubles(pods: readonly Manifest[], observed: ObservedObjects): PodTrouble[] {
  return pods.filter((pod) => !isReady(pod)).flatMap((pod) => findPodTrouble(pod, observed) ?? []);
}

/** Pods in all ReplicaSets of a Deployment, as the controller counts them to decide what to do next. */
interface ReplicaSetSizes {
  readonly newSize: number;
  readonly oldSize: number;
  readonly newAvailable: number;
  readonly oldAvailable: number;
}

/**
 * Reports whether the Deployment controller has nothing to do until a new pod becomes ready.
 *
 * Source: pkg/controller/deployment/rolling.go `reconcileNewReplicaSet`, `reconcileOldReplicaSets`; recreate.go; Kubernetes 1.34
 */
function waitsForNewPods(
  { newSize, oldSize, newAvailable, oldAvailable }: ReplicaSetSizes,
  desired: number,
  simulation: Extract<Simulation, { kind: 'deployment' }>,
): boolean {
  if (newSize < desired && newSize + oldSize < desired + simulation.surge) return false;
  if (oldSize === 0) return true;
  const needed = desired - simulation.unavailable;
  const mostRemoved = newSize + oldSize - needed - (newSize - newAvailable);
  if (mostRemoved <= 0) return true;
  return oldSize === oldAvailable && newAvailable + oldAvailable <= needed;
}

/** Label that a ReplicaSet adds to the template of its Deployment. */
const HASH_LABEL = 'pod-template-hash';

/** Reports whether a ReplicaSet has the template of its Deployment. A Recreate has none until all old pods are gone. */
function hasTemplateOf(deployment: Manifest, set: Manifest): boolean {
  const template = getFieldsAt(set, 'spec', 'template');
  const metadata = getFieldsAt(template, 'metadata');
  const { [HASH_LABEL]: _, ...labels } = getFieldsAt(metadata, 'labels');
  return isDeepEqual({ ...template, metadata: { ...metadata, labels } }, getValueAt(deployment, 'spec', 'template'));
}

function measureDeployment(deployment: Manifest, observed: ObservedObjects, simulation: Simulation | null): RolloutProgress {
  const sets = observed.ownedBy(deployment, 'ReplicaSet');
  const newSet = sets.find((set) => hasTemplateOf(deployment, set));
  const podsOf = (set: Manifest) => observed.ownedBy(set, 'Pod');
  const allNewPods = newSet ? podsOf(newSet) : [];
  const allOldPods = sets.filter((set) => set !== newSet).flatMap(podsOf);
  const newPods = allNewPods.filter((pod) => !isDeleting(pod));
  const oldPods = allOldPods.filter((pod) => !isDeleting(pod));
  const desired = toCount(getValueAt(deployment, 'spec', 'replicas'), 1);
  const status = getFieldsAt(deployment, 'status');
  const isObserved = hasObservedSpec(deployment);
  const sizeOf = (set: Manifest | undefined) => (set ? toCount(getValueAt(set, 'spec', 'replicas')) : 0);
  const newSize = sizeOf(newSet);
  const oldSize = sets.reduce((sum, set) => (set === newSet ? sum : sum + sizeOf(set)), 0);
  const newReady = newPods.filter(isReady).length;
  // The status counts pods that the watch has not listed yet.
  const missing = newSize - Math.max(newPods.length, toCount(getValueAt(newSet, 'status', 'replicas')));
  const creation = newSet && missing > 0 ? findCreationTrouble(newSet, observed) : undefined;
  const troubles = [...findTroubles(newPods, observed), ...(creation ? [creation] : [])];
  const finals = troubles.filter(({ isFinal }) => isFinal).length + (creation?.isFinal ? missing - 1 : 0);
  // Pods above the size of their ReplicaSets are about to be deleted.
  const isLeaving = [...allNewPods, ...allOldPods].some(isDeleting) || newPods.length > newSize || oldPods.length > oldSize;
  const reportedOld = sets.reduce((sum, set) => (set === newSet ? sum : sum + toCount(getValueAt(set, 'status', 'replicas'))), 0);
  const sizes = { newSize, oldSize, newAvailable: newReady, oldAvailable: oldPods.filter(isReady).length };
  const waits = simulation?.kind === 'deployment' ? waitsForNewPods(sizes, desired, simulation) : oldSize === 0;
  const counts = countPods(newPods, oldPods, reportedOld);
  return {
    // ReplicaSets create and delete at the same time, so pods that one of them is about to delete do not count.
    counts: { ...counts, total: Math.min(counts.total, newSize + oldSize) },
    newReady,
    desired,
    ...(newSet && { revision: nameOf(newSet) }),
    isObserved,
    isComplete:
      isObserved &&
      newSet !== undefined &&
      newReady >= desired &&
      oldSize === 0 &&
      toCount(status.updatedReplicas) === desired &&
      toCount(status.replicas) === desired &&
      toCount(status.availableReplicas) === desired,
    troubles,
    isStuck: isObserved && newSize > newReady && finals >= newSize - newReady && waits && !isLeaving,
    newPods,
  };
}

/** Returns the ordinal in the name of a StatefulSet's pod: 3 of `db-3`. */
function ordinalOf(pod: Manifest): number {
  return Number(/-(\d+)$/.exec(nameOf(pod))?.[1] ?? NaN);
}

function measureStatefulSet(set: Manifest, observed: ObservedObjects, simulation: Simulation | null): RolloutProgress {
  const status = getFieldsAt(set, 'status');
  const revision = typeof status.updateRevision === 'string' ? status.updateRevision : undefined;
  const all = observed.ownedBy(set, 'Pod');
  const pods = all.filter((pod) => !isDeleting(pod));
  const isNew = (pod: Manifest) => getValueAt(pod, 'metadata', 'labels', 'controller-revision-hash') === revision;
  const newPods = pods.filter(isNew);
  const oldPods = pods.filter((pod) => !isNew(pod));
  const desired = toCount(getValueAt(set, 'spec', 'replicas'), 1);
  const partition = toCount(getValueAt(set, 'spec', 'updateStrategy', 'rollingUpdate', 'partition'));
  const start = toCount(getValueAt(set, 'spec', 'ordinals', 'start'));
  const toReplace = Math.max(0, desired - partition);
  const replaced = newPods.filter((pod) => ordinalOf(pod) - start >= partition);
  const isMissing = Math.max(all.length, toCount(status.replicas)) < desired;
  const creation = isMissing ? findCreationTrouble(set, observed) : undefined;
  const troubles = [...findTroubles(newPods, observed), ...(creation ? [creation] : [])];
  const finals = troubles.filter(({ isFinal }) => isFinal).length;
  const limit = simulation?.kind === 'statefulset' ? simulation.maxUnavailable : 1;
  const newReady = replaced.filter(isReady).length;
  const isObserved = hasObservedSpec(set) && revision !== undefined;
  return {
    counts: countPods(newPods, oldPods, toCount(status.replicas) - newPods.length),
    newReady,
    desired,
    ...(revision !== undefined && { revision }),
    isObserved,
    isComplete: isObserved && newReady >= toReplace && pods.length === desired && pods.every(isReady),
    troubles,
    isStuck: isObserved && newReady < toReplace && finals >= Math.min(limit, toReplace - newReady) && !all.some(isDeleting),
    newPods,
  };
}

function measureDaemonSet(set: Manifest, observed: ObservedObjects, simulation: Simulation | null): RolloutProgress {
  const status = getFieldsAt(set, 'status');
  const generation = annotationOf(set, 'deprecated.daemonset.template.generation');
  const all = observed.ownedBy(set, 'Pod');
  const pods = all.filter((pod) => !isDeleting(pod));
  const isNew = (pod: Manifest) => getValueAt(pod, 'metadata', 'labels', 'pod-template-generation') === generation;
  const newPods = pods.filter(isNew);
  const oldPods = pods.filter((pod) => !isNew(pod));
  const desired = toCount(status.desiredNumberScheduled);
  const troubles = findTroubles(newPods, observed);
  const finals = troubles.filter(({ isFinal }) => isFinal).length;
  const { surge, unavailable } = simulation?.kind === 'daemonset' ? simulation : { surge: 0, unavailable: 1 };
  const newReady = newPods.filter(isReady).length;
  const isObserved = hasObservedSpec(set);
  // With a surge, a node keeps its old pod until the new one is ready, so the controller has nothing to do once each has both.
  const limit = surge > 0 ? Math.min(surge, oldPods.length) : unavailable;
  const waits = oldPods.length === 0 || finals >= limit;
  return {
    counts: countPods(newPods, oldPods, 0),
    newReady,
    desired,
    ...(generation !== undefined && { revision: generation }),
    isObserved,
    isComplete:
      isObserved &&
      oldPods.length === 0 &&
      newReady >= desired &&
      toCount(status.updatedNumberScheduled) === desired &&
      toCount(status.numberAvailable) === desired,
    troubles,
    isStuck: isObserved && finals > 0 && finals === newPods.length - newReady && waits && !all.some(isDeleting),
    newPods,
  };
}

/** Kinds whose pods are compared, with the types that a watch needs. */
export const FOLLOWED_KINDS = {
  Deployment: { measure: measureDeployment, resources: ['deployments.apps', 'replicasets.apps', 'pods', 'events'] },
  StatefulSet: { measure: measureStatefulSet, resources: ['statefulsets.apps', 'pods', 'events'] },
  DaemonSet: { measure: measureDaemonSet, resources: ['daemonsets.apps', 'pods', 'events'] },
} as const;

/** Name of a kind whose pods are compared. */
export type FollowedKind = keyof typeof FOLLOWED_KINDS;

export function isFollowedKind(kind: string): kind is FollowedKind {
  return Object.hasOwn(FOLLOWED_KINDS, kind);
}

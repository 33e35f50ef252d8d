import { addToGroup } from '../../core/collections/group-by';
import { getFieldsAt, nameOf, getValueAt } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import type { InitialState } from '../../cluster/rollout/initial-state';
import {
  toCount,
  resolveHealth,
  isPodReady,
  hasUnobservedGeneration,
  revisionLabelOf,
  findMatchingRevision,
} from './workload-initial-state';
import type { InitialStateQuery, WorkloadInitialState } from './workload-initial-state';

/** Nodes counted by the state of their pods. */
type NodeCounts = Required<Pick<InitialState, 'upToDate' | 'starting' | 'surging' | 'unready' | 'missing'>>;

/** Returns the hash that the controller puts on the pods of a revision: the revision's name ends with it. */
function revisionHashOf(revision: Manifest | undefined): string | undefined {
  if (!revision) return undefined;
  const label = revisionLabelOf(revision);
  const name = nameOf(revision);
  return typeof label === 'string' ? label : name.slice(name.lastIndexOf('-') + 1);
}

/** Counts nodes by the state of the pods in the input. */
function countNodesByPods(pods: readonly Manifest[], targetHash: string | undefined, desired: number): NodeCounts {
  const byNode = new Map<unknown, Manifest[]>();
  for (const pod of pods) {
    const node = getValueAt(pod, 'spec', 'nodeName');
    addToGroup(byNode, node, pod);
  }
  const nodes = { upToDate: 0, starting: 0, surging: 0, unready: 0, missing: Math.max(0, desired - byNode.size) };
  for (const own of byNode.values()) {
    const isNew = (pod: Manifest) => targetHash !== undefined && revisionLabelOf(pod) === targetHash;
    const updatedPod = own.find(isNew);
    const old = own.find((pod) => !isNew(pod));
    if (updatedPod && old) nodes.surging++;
    else if (updatedPod) nodes[isPodReady(updatedPod) ? 'upToDate' : 'starting']++;
    else if (old && !isPodReady(old)) nodes.unready++;
  }
  return nodes;
}

/**
 * Counts nodes by the status, which does not show the revision of unavailable pods. They are assumed to be the new pods of the rollout:
 * with 10 desired, 4 updated and 7 available pods, 3 nodes are starting and 1 is up to date.
 */
function countNodesByStatus(desired: number, updated: number, available: number): NodeCounts {
  const unavailable = desired - available;
  const starting = Math.min(updated, unavailable);
  return { upToDate: updated - starting, starting, surging: 0, unready: unavailable - starting, missing: 0 };
}

/** Reads the available pods of a status, which omits a number that is 0. */
function readAvailable({ numberAvailable, numberUnavailable, numberReady }: Fields): number | undefined {
  const isOmitted = toCount(numberUnavailable) !== undefined || numberReady === 0;
  return toCount(numberAvailable) ?? (isOmitted ? 0 : undefined);
}

/** Resolves the initial state of a DaemonSet. `replicas` is the number of pods in its status, 0 if that is not known. */
export function resolveDaemonSetState(query: InitialStateQuery): WorkloadInitialState {
  const { manifest, isLive, owned, isSameTemplate } = query;
  const status = isLive ? getFieldsAt(manifest, 'status') : {};
  const desired = toCount(status.desiredNumberScheduled) ?? 0;
  const updated = Math.min(desired, toCount(status.updatedNumberScheduled) ?? desired);
  const available = Math.min(desired, readAvailable(status) ?? desired);
  // With OnDelete the controller replaces no pod, so nothing is under way.
  const isOnDelete = getValueAt(manifest, 'spec', 'updateStrategy', 'type') === 'OnDelete';
  const isUnderWay = (updated < desired && !isOnDelete) || (isLive && hasUnobservedGeneration(manifest));
  const pods = isLive ? owned.ownedBy(manifest, 'Pod') : [];
  const revision = isLive ? findMatchingRevision(query) : undefined;
  // Pods that status.updatedNumberScheduled does not count belong to older revisions.
  const newPods = isSameTemplate ? updated : revision ? desired - updated : 0;
  const nodes =
    pods.length > 0 ? countNodesByPods(pods, revisionHashOf(revision), desired) : countNodesByStatus(desired, newPods, available);
  const health = isLive ? resolveHealth(manifest, isUnderWay) : undefined;
  const oldAvailable = Math.min(desired - updated, available);
  const revisions = [
    { replicas: desired - updated, available: oldAvailable },
    { replicas: updated, available: available - oldAvailable },
  ].filter(({ replicas }) => replicas > 0);
  return {
    rolloutState: { replicas: desired, revisions, underWay: isUnderWay, ...(health && { health }) },
    startingPoint: desired === 0 ? {} : nodes,
    oldPods: Math.max(0, desired - nodes.upToDate - nodes.starting),
  };
}

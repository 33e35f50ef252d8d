import { getFieldsAt, nameOf, getValueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import type { InitialState } from '../cluster/initial-state';
import {
  toCount,
  resolveHealth,
  isPodReady,
  hasUnobservedGeneration,
  revisionLabelOf,
  findMatchingRevision,
} from './workload-initial-state';
import type { InitialStateQuery, WorkloadInitialState } from './workload-initial-state';

/** Nodes by what stands on them. */
type NodeCounts = Required<Pick<InitialState, 'upToDate' | 'starting' | 'surging' | 'unready' | 'missing'>>;

/** The hash that the controller gives the pods of a revision: its name ends in it. */
function revisionHashOf(revision: Manifest | undefined): string | undefined {
  if (!revision) return undefined;
  const label = revisionLabelOf(revision);
  const name = nameOf(revision);
  return typeof label === 'string' ? label : name.slice(name.lastIndexOf('-') + 1);
}

/** What each node's pods say. */
function countNodesByPods(pods: readonly Manifest[], targetHash: string | undefined, desired: number): NodeCounts {
  const byNode = new Map<unknown, Manifest[]>();
  for (const pod of pods) {
    const node = getValueAt(pod, 'spec', 'nodeName');
    byNode.set(node, [...(byNode.get(node) ?? []), pod]);
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

/** Which nodes the status tells apart: of which revision pods are that are not available it does not say; a rollout's new ones most often. */
function countNodesByStatus(desired: number, isNew: number, available: number): NodeCounts {
  const unavailable = desired - available;
  const starting = Math.min(isNew, unavailable);
  return { upToDate: isNew - starting, starting, surging: 0, unready: unavailable - starting, missing: 0 };
}

/** Where a DaemonSet stands. `replicas` are the pods that it has by its status, 0 where nothing says. */
export function resolveDaemonSetState(query: InitialStateQuery): WorkloadInitialState {
  const { manifest, isLive, owned, isSameTemplate: equalsLast } = query;
  const status = isLive ? getFieldsAt(manifest, 'status') : {};
  const desired = toCount(status.desiredNumberScheduled) ?? 0;
  const updated = Math.min(desired, toCount(status.updatedNumberScheduled) ?? desired);
  const available = Math.min(desired, toCount(status.numberAvailable) ?? desired);
  const isUnderWay = updated < desired || (isLive && hasUnobservedGeneration(manifest));
  const pods = isLive ? owned.ownedBy(manifest, 'Pod') : [];
  const revision = isLive ? findMatchingRevision(query) : undefined;
  // Of an older revision are, as far as the status tells, the pods that are not of the last one.
  const isNew = equalsLast ? updated : revision ? desired - updated : 0;
  const nodes = pods.length > 0 ? countNodesByPods(pods, revisionHashOf(revision), desired) : countNodesByStatus(desired, isNew, available);
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

import { fieldsAt, nameOf, valueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import type { StartingPoint } from '../cluster/starting-point';
import { count, healthOf, isReady, isUnseen, revisionLabelOf, revisionOf } from './workload-start';
import type { StartQuery, WorkloadStart } from './workload-start';

/** Nodes by what stands on them. */
type NodesAt = Required<Pick<StartingPoint, 'upToDate' | 'starting' | 'surging' | 'unready' | 'missing'>>;

/** The hash that the controller gives the pods of a revision: its name ends in it. */
function hashOf(revision: Manifest | undefined): string | undefined {
  if (!revision) return undefined;
  const label = revisionLabelOf(revision);
  const name = nameOf(revision);
  return typeof label === 'string' ? label : name.slice(name.lastIndexOf('-') + 1);
}

/** What each node's pods say. */
function nodesInView(pods: readonly Manifest[], wanted: string | undefined, desired: number): NodesAt {
  const byNode = new Map<unknown, Manifest[]>();
  for (const pod of pods) {
    const node = valueAt(pod, 'spec', 'nodeName');
    byNode.set(node, [...(byNode.get(node) ?? []), pod]);
  }
  const nodes = { upToDate: 0, starting: 0, surging: 0, unready: 0, missing: Math.max(0, desired - byNode.size) };
  for (const own of byNode.values()) {
    const isNew = (pod: Manifest) => wanted !== undefined && revisionLabelOf(pod) === wanted;
    const fresh = own.find(isNew);
    const old = own.find((pod) => !isNew(pod));
    if (fresh && old) nodes.surging++;
    else if (fresh) nodes[isReady(fresh) ? 'upToDate' : 'starting']++;
    else if (old && !isReady(old)) nodes.unready++;
  }
  return nodes;
}

/** Which nodes the status tells apart: of which revision pods are that are not available it does not say; a rollout's new ones most often. */
function nodesByStatus(desired: number, isNew: number, available: number): NodesAt {
  const unavailable = desired - available;
  const starting = Math.min(isNew, unavailable);
  return { upToDate: isNew - starting, starting, surging: 0, unready: unavailable - starting, missing: 0 };
}

/** Where a DaemonSet stands. `replicas` are the pods that it has by its status, 0 where nothing says. */
export function daemonSetStart(query: StartQuery): WorkloadStart {
  const { given, isLive, owned, isSameTemplate: equalsLast } = query;
  const status = isLive ? fieldsAt(given, 'status') : {};
  const desired = count(status.desiredNumberScheduled) ?? 0;
  const updated = Math.min(desired, count(status.updatedNumberScheduled) ?? desired);
  const available = Math.min(desired, count(status.numberAvailable) ?? desired);
  const isUnderWay = updated < desired || (isLive && isUnseen(given));
  const pods = isLive ? owned.of(given, 'Pod') : [];
  const found = isLive ? revisionOf(query) : undefined;
  // Of an older revision are, as far as the status tells, the pods that are not of the last one.
  const isNew = equalsLast ? updated : found ? desired - updated : 0;
  const nodes = pods.length > 0 ? nodesInView(pods, hashOf(found), desired) : nodesByStatus(desired, isNew, available);
  const health = isLive ? healthOf(given, isUnderWay) : undefined;
  const oldAvailable = Math.min(desired - updated, available);
  const revisions = [
    { replicas: desired - updated, available: oldAvailable },
    { replicas: updated, available: available - oldAvailable },
  ].filter(({ replicas }) => replicas > 0);
  return {
    start: { replicas: desired, revisions, underWay: isUnderWay, ...(health && { health }) },
    point: desired === 0 ? {} : nodes,
    oldPods: Math.max(0, desired - nodes.upToDate - nodes.starting),
  };
}

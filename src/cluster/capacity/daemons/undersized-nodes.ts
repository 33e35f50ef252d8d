import { getValueAt } from '../../../core/manifest';
import type { PlanCache } from '../../../core/plan-cache';
import type { PodSet } from '../../workload';
import type { NodePool } from '../nodes/node-pools';
import { computeDaemonUse } from '../other-pods';
import { OvercommittedNodes } from './overcommitted-nodes';
import type { RejectingNodes } from './overcommitted-nodes';
import { hasCapacityFor } from '../amounts';
import { podNeedsOf } from '../nodes/pod-needs';
import { formatResourceAmount } from '../pod-requests';

/** Nodes on which a DaemonSet must run a pod that does not fit, either at all or next to the pods of other DaemonSets. */
export interface UndersizedNodes {
  readonly nodes: number;
  /** The resource that one of them has too little of. If there are several, the first by name. */
  readonly resource: string;
  /** The request of a pod. */
  readonly needed: string;
  /** The maximum available on any of these nodes. */
  readonly available: string;
  /** Whether the pod would fit on some of them without the other DaemonSets. Unset if not. */
  readonly isShared?: true;
}

/**
 * The priority classes of the cluster's own daemons, in ascending order. Every cluster has them. Source: k/k
 * pkg/apis/scheduling/helpers.go, `SystemPriorityClasses`.
 */
const SYSTEM_PRIORITY_CLASSES = ['system-cluster-critical', 'system-node-critical'];

function getSystemPriority({ template }: PodSet): number {
  return SYSTEM_PRIORITY_CLASSES.indexOf(getValueAt(template, 'spec', 'priorityClassName') as string);
}

/** Reports whether the scheduler places the pods. A pod with nodeName is not scheduled. */
function isScheduled({ template, countOnly }: PodSet): boolean {
  return !countOnly && !getValueAt(template, 'spec', 'nodeName');
}

function toUndersizedNodes(daemon: PodSet, { nodes, resource, most, isShared }: RejectingNodes, cache: PlanCache): UndersizedNodes {
  const needed = formatResourceAmount(podNeedsOf(daemon, cache).footprint.get(resource)!, resource);
  return { nodes, resource, needed, available: formatResourceAmount(most, resource), ...(isShared && { isShared }) };
}

/**
 * Returns the DaemonSets whose pod does not fit on each of their nodes.
 *
 * If their pods do not fit on a node together, one of them never runs there. DaemonSets with a system priority class are placed first,
 * because preemption makes room for them. The order of the others is not defined. They are assumed to be placed by name, as all running
 * pods are.
 *
 * @param daemons DaemonSets sorted by name
 * @param pools the empty nodes
 */
export function findUndersizedNodes(
  daemons: readonly PodSet[],
  pools: readonly NodePool[],
  cache: PlanCache,
): ReadonlyMap<PodSet, UndersizedNodes> {
  const scheduled = daemons.filter(isScheduled);
  const ordered = scheduled.toSorted((a, b) => getSystemPriority(b) - getSystemPriority(a));
  const use = computeDaemonUse(scheduled, pools, cache);
  const overcommitted = new OvercommittedNodes(
    pools.filter((pool) => !hasCapacityFor(pool.allocatable, use.get(pool)!)),
    cache,
  );
  const undersized = new Map<PodSet, UndersizedNodes>();
  for (const daemon of ordered) {
    const rejecting = overcommitted.add(daemon);
    if (rejecting) undersized.set(daemon, toUndersizedNodes(daemon, rejecting, cache));
  }
  return undersized;
}

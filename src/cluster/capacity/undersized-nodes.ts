import { getValueAt } from '../../core/manifest';
import type { PlanCache } from '../../core/plan-cache';
import type { PodSet } from '../workload';
import type { NodePool } from './node-pools';
import { computeDaemonUse } from './other-pods';
import { OvercommittedNodes } from './overcommitted-nodes';
import type { RejectingNodes } from './overcommitted-nodes';
import { hasCapacityFor } from './remaining-capacity';
import { podNeedsOf } from './pod-needs';
import { formatResourceAmount } from './pod-requests';

/** Nodes that a DaemonSet is to have a pod on, and which do not take it, whatever else is there or beside the pods of other DaemonSets. */
export interface UndersizedNodes {
  readonly nodes: number;
  /** What one of them has too little of; of several resources the first by name. */
  readonly resource: string;
  /** What a pod asks for. */
  readonly needed: string;
  /** The most that one of these nodes has for it. */
  readonly available: string;
  /** Would some of them take the pod if there were no other DaemonSets? Absent where not. */
  readonly isShared?: true;
}

/** The classes of the cluster's own daemons, which every cluster has; source: k/k pkg/apis/scheduling/helpers.go, `SystemPriorityClasses`. */
const SYSTEM_PRIORITY_CLASSES = ['system-cluster-critical', 'system-node-critical'];

function getSystemPriority({ template }: PodSet): number {
  return SYSTEM_PRIORITY_CLASSES.indexOf(getValueAt(template, 'spec', 'priorityClassName') as string);
}

/** A pod that names its node is not scheduled. */
function isScheduled({ template, countOnly }: PodSet): boolean {
  return !countOnly && !getValueAt(template, 'spec', 'nodeName');
}

function toUndersizedNodes(daemon: PodSet, { nodes, resource, most, isShared }: RejectingNodes, cache: PlanCache): UndersizedNodes {
  const needed = formatResourceAmount(podNeedsOf(daemon, cache).footprint.get(resource)!, resource);
  return { nodes, resource, needed, available: formatResourceAmount(most, resource), ...(isShared && { isShared }) };
}

/**
 * The DaemonSets that do not find room for a pod on each of their nodes.
 *
 * Where they overfill a node together, one of them never runs there. Those of the cluster's own classes of priority have room first,
 * as preemption makes it; which of the others comes first is not defined: it is taken to be the first by name, as for all pods that run already.
 *
 * @param daemons by name
 * @param pools the nodes with nothing on them
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

import { getValueAt } from '../../../core/manifest';
import type { PlanCache } from '../../../core/plan-cache';
import type { PodSet } from '../../pod-set';
import { hasCapacityFor, remainingOf, subtractPods } from '../amounts';
import type { Amounts } from '../amounts';
import { findEligibleNodes } from '../nodes/eligible-nodes';
import { canRunOn } from '../nodes/node-affinity';
import type { NodePool } from '../nodes/node-pools';
import { podNeedsOf } from '../nodes/pod-needs';
import { computeDaemonUse } from '../other-pods';
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

/** Describes the nodes that reject a pod by the first resource by name that one of them has too little of. */
function describeUndersizedNodes(
  footprint: Amounts,
  rejecting: readonly NodePool[],
  left: ReadonlyMap<NodePool, Amounts>,
): UndersizedNodes {
  const [first] = [...footprint]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([resource, request]) => {
      const tooLittle = rejecting.flatMap((pool) => remainingOf(left.get(pool)!, resource) ?? request).filter((amount) => amount < request);
      return tooLittle.length === 0
        ? []
        : [{ resource, request, most: tooLittle.reduce((most, amount) => (amount > most ? amount : most)) }];
    });
  const { resource, request, most } = first!;
  return {
    nodes: rejecting.reduce((sum, { count }) => sum + count, 0),
    resource,
    needed: formatResourceAmount(request, resource),
    available: formatResourceAmount(most, resource),
    ...(rejecting.some((pool) => hasCapacityFor(pool.allocatable, footprint)) && { isShared: true }),
  };
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
  const use = computeDaemonUse(scheduled, pools, cache);
  const overcommitted = pools.filter((pool) => !hasCapacityFor(pool.allocatable, use.get(pool)!));
  const left = new Map(overcommitted.map((pool) => [pool, pool.allocatable]));
  const undersized = new Map<PodSet, UndersizedNodes>();
  for (const daemon of scheduled.toSorted((a, b) => getSystemPriority(b) - getSystemPriority(a))) {
    const { footprint } = podNeedsOf(daemon, cache);
    const rejecting: NodePool[] = [];
    for (const pool of findEligibleNodes(daemon, overcommitted, 'old', cache)) {
      const free = left.get(pool)!;
      if (hasCapacityFor(free, footprint)) left.set(pool, subtractPods(free, footprint, 1));
      else if (canRunOn(daemon, pool, 'new', cache)) rejecting.push(pool);
    }
    if (rejecting.length > 0) undersized.set(daemon, describeUndersizedNodes(footprint, rejecting, left));
  }
  return undersized;
}

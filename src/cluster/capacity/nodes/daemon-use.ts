import { getValueAt } from '../../../core/manifest/manifest';
import type { PlanCache } from '../../../core/collections/plan-cache';
import type { PodSet } from '../../rollout/pod-set';
import { addAmounts, clampAmounts, hasCapacityFor, remainingOf, subtractPods } from '../amounts';
import type { Amounts } from '../../../core/values/quantity';
import { computePodFootprint, formatResourceAmount } from '../pod-requests';
import { findEligibleNodes } from './eligible-nodes';
import { canRunOn, nodeRulesOf } from './node-affinity';
import type { NodePool } from '../../context/capacity';
import { SYSTEM_PRIORITIES } from '../system-priorities';
import { podNeedsOf } from './pod-needs';

/**
 * Returns how many pods of a DaemonSet run on these nodes: one on each node that would keep it, regardless of condition taints added since.
 */
export function countDaemonPodsOn(daemons: PodSet, pools: readonly NodePool[], cache: PlanCache): number {
  return findEligibleNodes(daemons, pools, 'old', cache).reduce((nodes, { count }) => nodes + count, 0);
}

/** Sums the use of one pod of each daemon by node rules. Daemons with the same rules run on the same nodes. */
function sumUseByRules(daemons: readonly PodSet[], cache: PlanCache): { readonly member: PodSet; readonly use: Map<string, bigint> }[] {
  const byRules = new Map<string, { readonly member: PodSet; readonly use: Map<string, bigint> }>();
  for (const podSet of daemons) {
    const { key } = nodeRulesOf(podSet, cache);
    const known = byRules.get(key) ?? { member: podSet, use: new Map<string, bigint>() };
    byRules.set(key, known);
    addAmounts(known.use, computePodFootprint(podSet.template.spec));
  }
  return [...byRules.values()];
}

/** Computes what the daemons together use of each node of a pool. */
function computeDaemonUse(daemons: readonly PodSet[], pools: readonly NodePool[], cache: PlanCache): ReadonlyMap<NodePool, Amounts> {
  const uses = new Map(pools.map((pool) => [pool, new Map<string, bigint>()]));
  for (const { member, use } of sumUseByRules(daemons, cache)) {
    for (const pool of findEligibleNodes(member, pools, 'old', cache)) addAmounts(uses.get(pool)!, use);
  }
  return uses;
}

/** Subtracts the use of daemons from the nodes of all pools. */
export function subtractDaemonUse(pools: readonly NodePool[], daemons: readonly PodSet[], cache: PlanCache): NodePool[] {
  const uses = computeDaemonUse(daemons, pools, cache);
  return pools.map((pool) => ({ ...pool, allocatable: clampAmounts(subtractPods(pool.allocatable, uses.get(pool)!, 1)) }));
}

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

function getSystemPriority({ template }: PodSet): number {
  return SYSTEM_PRIORITIES.get(getValueAt(template, 'spec', 'priorityClassName')) ?? 0;
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

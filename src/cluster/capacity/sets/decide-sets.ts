import type { PlanCache } from '../../../core/plan-cache';
import type { PodSet } from '../../pod-set';
import { computeLargest, countPods, formatAmounts, subtractPods } from '../amounts';
import type { Amounts } from '../amounts';
import { canRunOn, nodeRulesOf, mayStayOn } from '../nodes/node-affinity';
import type { PlanLimits } from '../plan-limits';
import { computePodFootprint } from '../pod-requests';
import type { NodeGroup } from '../nodes/placement';
import type { RowNodes } from '../surroundings/node-inventory';
import { decidePlacement, countAlone } from './set-placement';
import type { PlacedShape, PlacementOutcome } from './set-placement';
import { sum } from './set-rollout';

/** Pods of each set. */
export interface SetCounts {
  readonly podSets: readonly PodSet[];
  readonly counts: readonly number[];
}

/** Pods of sets that no node distinguishes. */
interface MergedSet {
  readonly podSet: PodSet;
  readonly footprint: Amounts;
  readonly pods: number;
  readonly canRun: (node: NodeGroup) => boolean;
  readonly isRunning: boolean;
}

/** Reports whether pods of a set run on a node. A taint may have been added since. */
function mayRunOn(podSet: PodSet, { pool }: NodeGroup, cache: PlanCache): boolean {
  return canRunOn(podSet, pool, 'old', cache) || mayStayOn(podSet, pool, cache);
}

function mergeSets(nodes: RowNodes, next: SetCounts, old: SetCounts, { cache }: PlanLimits): MergedSet[] {
  const merged = new Map<string, MergedSet>();
  const add = (podSet: PodSet, pods: number, isOld: boolean) => {
    if (pods === 0) return;
    const footprint = computePodFootprint(podSet.template.spec);
    const accepts = (node: NodeGroup) => node.pool.isDown !== true && canRunOn(podSet, node.pool, 'new', cache);
    const canRun = isOld ? (node: NodeGroup) => mayRunOn(podSet, node, cache) : accepts;
    // Old pods like new ones are pods of one shape.
    const isRunning = isOld && nodes.some((node) => canRun(node) !== accepts(node));
    const key = JSON.stringify([formatAmounts(footprint), nodeRulesOf(podSet, cache).key, isRunning]);
    const known = merged.get(key);
    merged.set(key, { podSet, footprint, canRun, pods: pods + (known?.pods ?? 0), isRunning: isOld && (known?.isRunning ?? true) });
  };
  next.podSets.forEach((podSet, index) => add(podSet, next.counts[index]!, false));
  old.podSets.forEach((podSet, index) => add(podSet, old.counts[index]!, true));
  return [...merged.values()];
}

function toShape(accepts: (node: NodeGroup) => boolean, footprint: Amounts, pods: number, isRunning = false) {
  return {
    pods,
    footprint,
    isRunning,
    capacityOf: (node: NodeGroup, beside: PlacedShape<NodeGroup> | undefined, besidePods: number): number => {
      if (!accepts(node)) return 0;
      const other = beside as (PlacedShape<NodeGroup> & { readonly footprint: Amounts }) | undefined;
      return countPods(other ? subtractPods(node.free, other.footprint, besidePods) : node.free, footprint, pods);
    },
  };
}

const NO_PODS: SetCounts = { podSets: [], counts: [] };

/** Reports whether nodes have places for pods that run already. */
export function canPlaceOld(nodes: RowNodes, old: SetCounts, limits: PlanLimits): boolean {
  const counted = nodes.map((node) => ({ node, count: node.count }));
  return mergeSets(nodes, NO_PODS, old, limits).every(
    ({ footprint, pods, canRun }) => countAlone(counted, toShape(canRun, footprint, pods)) >= pods,
  );
}

/**
 * Decides whether the nodes have capacity for a number of pods of each set, in every placement, in some, or in none.
 *
 * @param old pods that run already, on unknown nodes
 */
export function decideSets(nodes: RowNodes, next: SetCounts, limits: PlanLimits, old: SetCounts = NO_PODS): PlacementOutcome {
  const sets = mergeSets(nodes, next, old, limits);
  return decidePlacement(
    nodes.map((node) => ({ node, count: node.count })),
    sets.map(({ canRun, footprint, pods, isRunning }) => toShape(canRun, footprint, pods, isRunning)),
    toShape(
      (node) => sets.every(({ canRun }) => canRun(node)),
      computeLargest(sets.map(({ footprint }) => footprint)),
      sum(sets.map(({ pods }) => pods)),
    ),
  );
}

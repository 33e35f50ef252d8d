import type { PodSet } from '../../pod-set';
import { computeLargest, countPods, formatAmounts, subtractPods } from '../amounts';
import type { Amounts } from '../amounts';
import type { InventoryNode } from '../surroundings/node-inventory';
import { canRunOn, nodeRulesOf } from '../nodes/node-affinity';
import { computePodFootprint } from '../pod-requests';
import type { PlanLimits } from '../plan-limits';
import type { RowNodes } from './set-nodes';
import { sum } from './set-rollout';
import { decidePlacement } from './set-placement';
import type { PlacedShape, PlacementOutcome } from './set-placement';

/** Pods of sets that no node distinguishes. */
interface MergedSet {
  readonly podSet: PodSet;
  readonly footprint: Amounts;
  readonly pods: number;
}

function mergeSets(podSets: readonly PodSet[], counts: readonly number[], { cache }: PlanLimits): MergedSet[] {
  const merged = new Map<string, MergedSet>();
  for (const [index, podSet] of podSets.entries()) {
    const pods = counts[index]!;
    if (pods === 0) continue;
    const footprint = computePodFootprint(podSet.template.spec);
    const key = JSON.stringify([formatAmounts(footprint), nodeRulesOf(podSet, cache).key]);
    merged.set(key, { podSet, footprint, pods: pods + (merged.get(key)?.pods ?? 0) });
  }
  return [...merged.values()];
}

/** Decides whether the nodes have capacity for a number of pods of each set, in every placement, in some, or in none. */
export function decideSets(nodes: RowNodes, podSets: readonly PodSet[], counts: readonly number[], limits: PlanLimits): PlacementOutcome {
  const { cache } = limits;
  const sets = mergeSets(podSets, counts, limits);
  const canRun = ({ pool }: InventoryNode, podSet: PodSet) => pool.isDown !== true && canRunOn(podSet, pool, 'new', cache);
  const toShape = (accepts: (node: InventoryNode) => boolean, footprint: Amounts, pods: number) => ({
    pods,
    footprint,
    capacityOf: (node: InventoryNode, beside: PlacedShape<InventoryNode> | undefined, besidePods: number): number => {
      if (!accepts(node)) return 0;
      const other = beside as (PlacedShape<InventoryNode> & { readonly footprint: Amounts }) | undefined;
      return countPods(other ? subtractPods(node.free, other.footprint, besidePods) : node.free, footprint, pods);
    },
  });
  return decidePlacement(
    nodes.map((node) => ({ node, count: node.count })),
    sets.map(({ podSet, footprint, pods }) => toShape((node) => canRun(node, podSet), footprint, pods)),
    toShape(
      (node) => sets.every(({ podSet }) => canRun(node, podSet)),
      computeLargest(sets.map(({ footprint }) => footprint)),
      sum(sets.map(({ pods }) => pods)),
    ),
  );
}

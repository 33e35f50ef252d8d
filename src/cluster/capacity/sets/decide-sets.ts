import type { PlanCache } from '../../../core/collections/plan-cache';
import type { PodSet } from '../../rollout/pod-set';
import { computeLargest, countPods, formatAmounts, subtractPods } from '../amounts';
import type { Amounts } from '../../../core/values/quantity';
import { combineBounds, repeatBounds, NO_OLD_PODS } from '../exact/node-bounds';
import type { NewPodBounds } from '../exact/node-bounds';
import { canRunOn, nodeRulesOf, mayStayOn } from '../nodes/node-affinity';
import type { NodeGroup } from '../nodes/placement';
import type { PlanLimits } from '../plan-limits';
import { computePodFootprint } from '../pod-requests';
import type { RowNodes } from '../surroundings/node-inventory';
import { sum } from './set-rollout';

/** Pods of each set. */
export interface SetCounts {
  readonly podSets: readonly PodSet[];
  readonly counts: readonly number[];
}

/** Whether the scheduler finds a node for each pod in every order and on whichever nodes, in some, or in none. */
export type PlacementOutcome = 'every' | 'some' | 'none';

/** Pods that no node distinguishes. */
interface EqualPods {
  readonly footprint: Amounts;
  readonly pods: number;
  readonly canRun: (node: NodeGroup) => boolean;
  /** Whether they run already, on whichever nodes. */
  readonly isRunning: boolean;
}

/** Reports whether pods of a set run on a node. A taint may have been added since. */
function mayRunOn(podSet: PodSet, { pool }: NodeGroup, cache: PlanCache): boolean {
  return canRunOn(podSet, pool, 'old', cache) || mayStayOn(podSet, pool, cache);
}

function mergeSets(nodes: RowNodes, next: SetCounts, old: SetCounts, { cache }: PlanLimits): EqualPods[] {
  const merged = new Map<string, EqualPods>();
  const add = (podSet: PodSet, pods: number, isOld: boolean) => {
    if (pods === 0) return;
    const footprint = computePodFootprint(podSet.template.spec);
    const accepts = (node: NodeGroup) => node.pool.isDown !== true && canRunOn(podSet, node.pool, 'new', cache);
    const canRun = isOld ? (node: NodeGroup) => mayRunOn(podSet, node, cache) : accepts;
    // Old pods like new ones are pods of one shape.
    const isRunning = isOld && nodes.some((node) => canRun(node) !== accepts(node));
    const key = JSON.stringify([formatAmounts(footprint), nodeRulesOf(podSet, cache).key, isRunning]);
    const known = merged.get(key);
    merged.set(key, { footprint, canRun, pods: pods + (known?.pods ?? 0), isRunning: isOld && (known?.isRunning ?? true) });
  };
  next.podSets.forEach((podSet, index) => add(podSet, next.counts[index]!, false));
  old.podSets.forEach((podSet, index) => add(podSet, old.counts[index]!, true));
  return [...merged.values()];
}

/** Returns how many pods a node takes next to a number of others. */
function countOnNode({ free }: NodeGroup, { footprint, pods }: EqualPods, beside: EqualPods, besidePods: number): number {
  return countPods(subtractPods(free, beside.footprint, besidePods), footprint, pods);
}

/** Reports whether nodes without any pods take all of these. */
function fitAlone(nodes: RowNodes, pods: EqualPods): boolean {
  const taken = nodes.reduce((total, node) => total + (pods.canRun(node) ? node.count * countOnNode(node, pods, pods, 0) : 0), 0);
  return taken >= pods.pods;
}

/** Computes the fewest and most pods that all nodes take next to each number of others. */
function computeBeside(nodes: RowNodes, pods: EqualPods, beside: EqualPods): NewPodBounds {
  const byKey = new Map<string, { count: number; readonly bounds: NewPodBounds }>();
  for (const node of nodes) {
    const limit = beside.canRun(node) ? countOnNode(node, beside, beside, 0) : 0;
    const counts = Array.from({ length: limit + 1 }, (_, other) => (pods.canRun(node) ? countOnNode(node, pods, beside, other) : 0));
    const key = counts.join(',');
    const known = byKey.get(key);
    if (known) known.count += node.count;
    else byKey.set(key, { count: node.count, bounds: { least: counts, most: counts } });
  }
  return [...byKey.values()].reduce(
    (total, { count, bounds }) => combineBounds(total, repeatBounds(bounds, count, beside.pods), beside.pods),
    NO_OLD_PODS,
  );
}

const NO_PODS: SetCounts = { podSets: [], counts: [] };

/** Reports whether nodes have places for pods that run already. */
export function canPlaceOld(nodes: RowNodes, old: SetCounts, limits: PlanLimits): boolean {
  return mergeSets(nodes, NO_PODS, old, limits).every((pods) => fitAlone(nodes, pods));
}

/**
 * Decides whether the nodes have capacity for a number of pods of each set, in every placement, in some, or in none.
 *
 * Pods of one shape fit if all nodes together take enough. With two shapes, the pods of each must fit next to any placement of the other: a leader
 * of 1 GPU and a worker of 2 on nodes with 1 and 2 GPUs fit only if the leader goes to the smaller node. Pods that run already need no room, but
 * leave less of it. More shapes fit for certain if as many pods with the largest requests of all fit, on nodes that all of them accept.
 *
 * @param old pods that run already, on unknown nodes
 */
export function decideSets(nodes: RowNodes, next: SetCounts, limits: PlanLimits, old: SetCounts = NO_PODS): PlacementOutcome {
  const sets = mergeSets(nodes, next, old, limits);
  const placed = sets.filter(({ isRunning }) => !isRunning);
  if (placed.some((pods) => !fitAlone(nodes, pods))) return 'none';
  const [first, second] = [...placed, ...sets.filter(({ isRunning }) => isRunning)];
  if (placed.length === 0 || first === undefined || second === undefined) return 'every';
  const largest = {
    footprint: computeLargest(sets.map(({ footprint }) => footprint)),
    pods: sum(sets.map(({ pods }) => pods)),
    canRun: (node: NodeGroup) => sets.every(({ canRun }) => canRun(node)),
    isRunning: false,
  };
  if (fitAlone(nodes, largest)) return 'every';
  if (sets.length > 2) return 'some';
  const a = computeBeside(nodes, first, second);
  if ((a.most[second.pods] ?? -1) < first.pods) return 'none';
  if ((a.least[second.pods] ?? -1) < first.pods) return 'some';
  if (second.isRunning) return 'every';
  return (computeBeside(nodes, second, first).least[first.pods] ?? -1) >= second.pods ? 'every' : 'some';
}

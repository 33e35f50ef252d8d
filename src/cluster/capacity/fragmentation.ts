import type { PlanCache } from '../../core/collections/plan-cache';
import type { PodSet } from '../rollout/pod-set';
import { hasCapacityFor } from './amounts';
import type { Amounts } from '../../core/values/quantity';
import { findEligibleNodes } from './nodes/eligible-nodes';
import { canRunOn, nodeRulesOf } from './nodes/node-affinity';
import type { NodePool } from '../context/capacity';
import { fitsOnEmptyNode } from './nodes/placement';
import type { Demand } from './nodes/placement';
import { sortLargestFirst } from './nodes/placement-order';
import { podNeedsOf } from './nodes/pod-needs';

/** The maximum number of pods of a set on nodes while pods of other sets wait for a node. */
export interface RunningPods extends Demand {
  /** The maximum while another pod of the set itself waits. */
  readonly whileWaiting: number;
}

/** What pods use of a resource, in billionths: the sum, the smallest use of a pod, and the step by which the use grows. */
interface ResourceTotal {
  readonly sum: bigint;
  readonly smallest: bigint;
  readonly step: bigint;
}

function computeGreatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : computeGreatestCommonDivisor(b, a % b);
}

function mergeTotals(a: ResourceTotal, b: ResourceTotal): ResourceTotal {
  return {
    sum: a.sum + b.sum,
    smallest: a.smallest < b.smallest ? a.smallest : b.smallest,
    step: computeGreatestCommonDivisor(a.step, b.step),
  };
}

/** Pods that can block another pod from a node. */
interface CompetingPods {
  readonly uses: Map<string, ResourceTotal>;
  /** Number of pods that leave each mark on their node. */
  readonly marks: Map<unknown, number>;
}

/** Pods with the same node rules. */
interface PodGroup extends CompetingPods {
  readonly samplePodSet: PodSet;
  readonly shapes: Set<unknown>;
  /** Maximum request of any of them for each resource. */
  readonly largest: Map<string, bigint>;
}

function addTotal(uses: Map<string, ResourceTotal>, resource: string, use: ResourceTotal): void {
  const known = uses.get(resource);
  uses.set(resource, known ? mergeTotals(known, use) : use);
}

function addMarks(marks: Map<unknown, number>, mark: unknown, pods: number): void {
  marks.set(mark, (marks.get(mark) ?? 0) + pods);
}

function addPods(group: PodGroup, { podSet, pods }: RunningPods, cache: PlanCache): void {
  const { footprint, marks, shape } = podNeedsOf(podSet, cache);
  group.shapes.add(shape);
  for (const [resource, request] of footprint) {
    if (request === 0n) continue;
    addTotal(group.uses, resource, { sum: request * BigInt(pods), smallest: request, step: request });
    if ((group.largest.get(resource) ?? 0n) < request) group.largest.set(resource, request);
  }
  for (const mark of new Set([...marks.old.leaves, ...marks.new.leaves])) addMarks(group.marks, mark, pods);
}

/** Merges all groups, regardless of where their pods can run. */
function mergeGroups(groups: Iterable<PodGroup>): CompetingPods {
  const all: CompetingPods = { uses: new Map(), marks: new Map() };
  for (const { uses, marks } of groups) {
    for (const [resource, use] of uses) addTotal(all.uses, resource, use);
    for (const [mark, pods] of marks) addMarks(all.marks, mark, pods);
  }
  return all;
}

function groupByNodeRules(sets: readonly RunningPods[], cache: PlanCache): ReadonlyMap<string, PodGroup> {
  const groups = new Map<string, PodGroup>();
  for (const runningPods of sets) {
    const { key } = nodeRulesOf(runningPods.podSet, cache);
    const group = groups.get(key) ?? {
      samplePodSet: runningPods.podSet,
      shapes: new Set(),
      uses: new Map(),
      largest: new Map(),
      marks: new Map(),
    };
    groups.set(key, group);
    addPods(group, runningPods, cache);
  }
  return groups;
}

/**
 * Returns how many nodes can be left without capacity for a request if this use is spread in the worst way.
 *
 * The use grows by `step`. The minimum use that blocks a request of r on a node with capacity c is the first multiple of step above c - r.
 * For a node with 4 GPUs used by pods of 1 GPU, that is 4 GPUs for a request of 1, and 1 GPU for a request of 4.
 */
function countNodesBlockedBy(
  { sum, smallest, step }: ResourceTotal,
  request: bigint,
  resource: string,
  fitting: readonly NodePool[],
): number {
  const costs = fitting.flatMap(({ allocatable, count }) => {
    const limit = allocatable.get(resource);
    if (limit === undefined) return [];
    const amountToFill = ((limit - request) / step + 1n) * step;
    return { count, cost: amountToFill > smallest ? amountToFill : smallest };
  });
  let blocked = 0;
  let rest = sum;
  for (const { count, cost } of costs.toSorted((a, b) => Number(a.cost - b.cost))) {
    const nodes = Math.min(count, Number(rest / cost));
    blocked += nodes;
    rest -= BigInt(nodes) * cost;
  }
  return blocked;
}

function countNodes(fitting: readonly NodePool[]): number {
  return fitting.reduce((nodes, { count }) => nodes + count, 0);
}

/** Returns how many nodes the use of all resources can leave without capacity for a request. */
function countBlockedNodes(
  request: Amounts,
  own: (amount: bigint) => bigint,
  competitors: readonly CompetingPods[],
  fitting: readonly NodePool[],
): number {
  let blocked = 0;
  for (const [resource, amount] of request) {
    const uses = competitors.flatMap((competitor) => competitor.uses.get(resource) ?? []);
    if (amount === 0n || uses.length === 0) continue;
    const use = uses.reduce(mergeTotals);
    blocked += countNodesBlockedBy({ ...use, sum: use.sum - own(amount) }, amount, resource, fitting);
  }
  return blocked;
}

/** All pods that share the nodes. */
interface FragmentationContext {
  readonly groups: readonly PodGroup[];
  /** All groups merged. */
  readonly all: CompetingPods;
  readonly pools: readonly NodePool[];
  readonly cache: PlanCache;
}

/**
 * Reports whether these competitors can be placed so that no node accepts one more pod of a set, without displacing any of its own pods.
 */
function canBlock(
  { podSet, whileWaiting: podsWhileWaiting, pods }: RunningPods,
  competitors: readonly CompetingPods[],
  fitting: readonly NodePool[],
  cache: PlanCache,
): boolean {
  const { footprint, marks } = podNeedsOf(podSet, cache);
  const { avoids } = marks.new;
  const ownMarks = [...marks.old.leaves, ...marks.new.leaves];
  let blocked = avoids.some((mark) => ownMarks.includes(mark)) ? podsWhileWaiting : 0;
  for (const mark of avoids) {
    const all = competitors.reduce((sum, competitor) => sum + (competitor.marks.get(mark) ?? 0), 0);
    blocked += ownMarks.includes(mark) ? all - pods : all;
  }
  blocked += countBlockedNodes(footprint, (amount) => amount * BigInt(pods - podsWhileWaiting), competitors, fitting);
  return blocked >= countNodes(fitting);
}

/**
 * Reports whether all pods can be placed so that no node accepts one more pod of a set, without displacing any of its own pods.
 *
 * If all groups together could not do that anywhere, the groups on its own nodes cannot either. These are only checked otherwise.
 */
function canBeBlocked(runningPods: RunningPods, { groups, all, pools, cache }: FragmentationContext): boolean {
  const { podSet } = runningPods;
  const fitting = findEligibleNodes(podSet, pools, 'new', cache).filter((pool) => fitsOnEmptyNode(pool, podSet, cache));
  if (!canBlock(runningPods, [all], fitting, cache)) return false;
  const competitors = groups.filter(({ samplePodSet }) => fitting.some((pool) => canRunOn(samplePodSet, pool, 'old', cache)));
  const { shape } = podNeedsOf(podSet, cache);
  return !competitors.every(({ shapes }) => shapes.size === 1 && shapes.has(shape)) && canBlock(runningPods, competitors, fitting, cache);
}

/** Reports whether there is always a node for a pod with the largest requests of a group, and therefore for every pod of the group. */
function hasSpareNode({ samplePodSet, largest }: PodGroup, { all, pools, cache }: FragmentationContext): boolean {
  const fitting = findEligibleNodes(samplePodSet, pools, 'new', cache).filter(({ allocatable }) => hasCapacityFor(allocatable, largest));
  return countBlockedNodes(largest, () => 0n, [all], fitting) < countNodes(fitting);
}

function isWithin(footprint: Amounts, larger: Amounts): boolean {
  return [...footprint].every(([resource, request]) => request <= (larger.get(resource) ?? 0n));
}

/**
 * Returns the first pod sets that may wait forever for a node while several rollouts run that would finish on their own. The largest sets
 * come first.
 *
 * Pods of other sizes may be placed so that every node has some capacity left and none has enough, however much there is in total. On two
 * nodes with 4 GPUs each, one pod on either node blocks a pod that needs 4. A set for which that is impossible always finds a node. To
 * block it on a node of capacity c, more than c - r of some resource must be used there, where r is its request, and the total use is
 * limited. Identical pods never block each other, because each takes the capacity that another one left.
 *
 * @param sets all pods on the nodes
 * @param maxCount maximum number of sets to return
 */
export function findPodSetsBlockedByFragmentation(
  sets: readonly RunningPods[],
  pools: readonly NodePool[],
  maxCount: number,
  cache: PlanCache,
): PodSet[] {
  const groups = groupByNodeRules(sets, cache);
  const context = { groups: [...groups.values()], all: mergeGroups(groups.values()), pools, cache };
  const spareFootprints = new Map(
    [...groups].map(([key, group]): [string, Amounts[]] => [key, hasSpareNode(group, context) ? [group.largest] : []]),
  );
  const found: PodSet[] = [];
  for (const runningPods of sortLargestFirst(pools, sets, cache)) {
    const { footprint, marks } = podNeedsOf(runningPods.podSet, cache);
    const fittingFootprints = spareFootprints.get(nodeRulesOf(runningPods.podSet, cache).key)!;
    const isPlain = marks.new.avoids.length === 0;
    if (isPlain && fittingFootprints.some((larger) => isWithin(footprint, larger))) continue;
    if (canBeBlocked(runningPods, context)) found.push(runningPods.podSet);
    else if (isPlain) fittingFootprints.push(footprint);
    if (found.length === maxCount) break;
  }
  return found;
}

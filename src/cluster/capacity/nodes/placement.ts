import type { PlanCache } from '../../../core/collections/plan-cache';
import type { PodSet } from '../../rollout/pod-set';
import { addToListed, countPods, hasCapacityFor, remainingOf, subtractPods } from '../amounts';
import type { Amounts } from '../../../core/values/quantity';
import { findEligibleIndexes } from './eligible-nodes';
import { canRunOn } from './node-affinity';
import type { Revision } from './node-affinity';
import type { NodePool } from '../../context/capacity';
import { podNeedsOf } from './pod-needs';
import type { NodeMarks } from './scheduling';

/** Pods of a set on each node of a group. */
export interface PlacedPods {
  readonly podSet: PodSet;
  readonly footprint: Amounts;
  readonly leaves: readonly unknown[];
  readonly podsOnEach: number;
}

/** Nodes of one pool with the same free resources. */
export interface NodeGroup {
  readonly pool: NodePool;
  /** Number of nodes, from 1. Nodes with a name are listed individually. */
  readonly count: number;
  readonly free: Amounts;
  /** Marks that pods leave on each of these nodes, and that other pods avoid. */
  readonly marks: ReadonlySet<unknown>;
  readonly placed: readonly PlacedPods[];
}

/** Nodes in the order in which they are filled. */
export interface Nodes {
  readonly pools: readonly NodePool[];
  /** The nodes of each pool, by what is left on them. */
  readonly groups: readonly (readonly NodeGroup[])[];
}

/** Pods of one set to place. */
export interface Demand {
  readonly podSet: PodSet;
  readonly pods: number;
}

/** Nodes with the placed pods, and the pods of each set that do not fit. */
export interface Placement {
  readonly nodes: Nodes;
  readonly unplaced: readonly Demand[];
}

const NO_MARKS: ReadonlySet<unknown> = new Set();

/** Creates the nodes of a pool without any pod. */
export function createEmptyGroup(pool: NodePool): NodeGroup {
  return { pool, count: pool.count, free: pool.allocatable, marks: NO_MARKS, placed: [] };
}

/** Returns all groups, in the order in which they are filled. */
export function listGroups({ groups }: Nodes): NodeGroup[] {
  return groups.flat();
}

/** Creates the nodes of pools without any pod. */
export function createEmptyNodes(pools: readonly NodePool[]): Nodes {
  const nonEmpty = pools.filter(({ count }) => count > 0);
  return { pools: nonEmpty, groups: nonEmpty.map((pool) => [createEmptyGroup(pool)]) };
}

/** Appends nodes to others. */
export function joinNodes(first: Nodes, second: Nodes): Nodes {
  return { pools: [...first.pools, ...second.pools], groups: [...first.groups, ...second.groups] };
}

/** Yields the groups of nodes, in order, that pods of a set can run on. */
function* iterateGroups(podSet: PodSet, { pools, groups }: Nodes, cache: PlanCache): Generator<NodeGroup> {
  for (const index of findEligibleIndexes(podSet, pools, 'new', cache)) yield* groups[index]!;
}

/** A pod of a set, with its requirements for a node. */
export interface Pod extends NodeMarks {
  readonly podSet: PodSet;
  readonly revision: Revision;
  readonly footprint: Amounts;
  /** Whether it excludes other pods of its set from its node. */
  readonly needsOwnNode: boolean;
}

/** Creates a pod of a set. */
export function createPod(podSet: PodSet, revision: Revision, cache: PlanCache): Pod {
  const { footprint, marks } = podNeedsOf(podSet, cache);
  const { leaves, avoids } = marks[revision];
  return { podSet, revision, footprint, leaves, avoids, needsOwnNode: avoids.some((mark) => leaves.includes(mark)) };
}

/** Returns how many more of these pods fit on one node of a group that they can run on. */
export function countPodsPerNode({ footprint, avoids, needsOwnNode }: Pod, { free, marks }: NodeGroup): number {
  if (!hasCapacityFor(free, footprint) || avoids.some((mark) => marks.has(mark))) return 0;
  return needsOwnNode ? 1 : countPods(free, footprint, Infinity);
}

/** Returns how many nodes have capacity for one more pod of a set. From `enough` on, the number may be too low. */
export function countNodesWithCapacity(nodes: Nodes, podSet: PodSet, cache: PlanCache, enough = Infinity): number {
  const pod = createPod(podSet, 'new', cache);
  let count = 0;
  for (const group of iterateGroups(podSet, nodes, cache)) {
    if (countPodsPerNode(pod, group) > 0) count += group.count;
    if (count >= enough) break;
  }
  return count;
}

/** Reports whether a new pod of a set fits on an empty node of a pool. */
export function fitsOnEmptyNode(pool: NodePool, podSet: PodSet, cache: PlanCache): boolean {
  return canRunOn(podSet, pool, 'new', cache) && countPodsPerNode(createPod(podSet, 'new', cache), createEmptyGroup(pool)) > 0;
}

/** Adds pods to each of a number of nodes of a group. */
export function withPods({ pool, free, marks, placed }: NodeGroup, count: number, pod: Pod, podsOnEach: number): NodeGroup {
  const { podSet, footprint, leaves } = pod;
  return {
    pool,
    count,
    free: subtractPods(free, footprint, podsOnEach),
    marks: leaves.length === 0 ? marks : new Set([...marks, ...leaves]),
    placed: [...placed, { podSet, footprint, leaves, podsOnEach }],
  };
}

/** Removes the pods of some sets from equal nodes. */
export function removeSets(group: NodeGroup, podSets: ReadonlySet<PodSet>): NodeGroup {
  if (!group.placed.some(({ podSet }) => podSets.has(podSet))) return group;
  const free = new Map(group.free);
  for (const { podSet, footprint, podsOnEach } of group.placed) {
    if (podSets.has(podSet)) addToListed(free, footprint, BigInt(podsOnEach));
  }
  const placed = group.placed.filter(({ podSet }) => !podSets.has(podSet));
  return { ...group, free, marks: new Set(placed.flatMap(({ leaves }) => leaves)), placed };
}

/** Adds up to `pods` pods to a group. Splits it into full nodes, one node with the rest, and unchanged nodes. */
function fillGroup(group: NodeGroup, pod: Pod, pods: number, perNode: number): NodeGroup[] {
  const full = Math.min(group.count, Math.floor(pods / perNode));
  const rest = full < group.count ? pods - full * perNode : 0;
  const untouched = group.count - full - (rest > 0 ? 1 : 0);
  return [
    ...(full > 0 ? [withPods(group, full, pod, perNode)] : []),
    ...(rest > 0 ? [withPods(group, 1, pod, rest)] : []),
    ...(untouched > 0 ? [{ ...group, count: untouched }] : []),
  ];
}

/** Adds up to `pods` pods to the groups of a pool and returns the pods left over. Returns undefined if none fits. */
export function fillPool(
  groups: readonly NodeGroup[],
  pod: Pod,
  pods: number,
): { groups: readonly NodeGroup[]; unplaced: number } | undefined {
  if (!groups.some((group) => countPodsPerNode(pod, group) > 0)) return undefined;
  let unplaced = pods;
  const filled = groups.flatMap((group) => {
    const perNode = unplaced > 0 ? Math.min(countPodsPerNode(pod, group), unplaced) : 0;
    if (perNode === 0) return group;
    const parts = fillGroup(group, pod, unplaced, perNode);
    unplaced -= Math.min(unplaced, perNode * group.count);
    return parts;
  });
  return { groups: filled, unplaced };
}

/** Places pods on the first nodes with capacity, one set after another. */
export function schedulePods(
  { pools, groups: before }: Nodes,
  demands: readonly Demand[],
  cache: PlanCache,
  revision: Revision = 'new',
): Placement {
  const groups = [...before];
  const unplaced: Demand[] = [];
  for (const { podSet, pods } of demands) {
    const pod = createPod(podSet, revision, cache);
    let left = pods;
    for (const index of findEligibleIndexes(podSet, pools, revision, cache)) {
      if (left === 0) break;
      const filled = fillPool(groups[index]!, pod, left);
      if (!filled) continue;
      groups[index] = filled.groups;
      left = filled.unplaced;
    }
    if (left > 0) unplaced.push({ podSet, pods: left });
  }
  return { nodes: { pools, groups }, unplaced };
}

/** Returns how many new pods of a set fit, without placing them. From `enough` on, the number may be too low. */
export function countPodsThatFit(nodes: Nodes, podSet: PodSet, enough: number, cache: PlanCache): number {
  const pod = createPod(podSet, 'new', cache);
  let fittingPods = 0;
  for (const group of iterateGroups(podSet, nodes, cache)) {
    fittingPods += countPodsPerNode(pod, group) * group.count;
    if (fittingPods >= enough) break;
  }
  return fittingPods;
}

/** Returns the maximum of a resource left on any node for new pods of a set. Returns undefined if a node has no limit on it. */
export function findLargestFree(nodes: Nodes, podSet: PodSet, resource: string, cache: PlanCache): bigint | undefined {
  let largest = 0n;
  for (const { free } of iterateGroups(podSet, nodes, cache)) {
    const left = remainingOf(free, resource);
    if (left === undefined) return undefined;
    if (left > largest) largest = left;
  }
  return largest;
}

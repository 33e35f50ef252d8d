import type { PlanCache } from '../../../core/plan-cache';
import type { PodSet } from '../../pod-set';
import { computeMaxOfEach, countPods, hasCapacityFor, remainingOf, subtractPods } from '../amounts';
import type { Amounts } from '../amounts';
import { findCandidateIndexes } from './candidate-nodes';
import { addMarks, hasMark, NO_MARKS } from './mark-sets';
import type { MarkSets } from './mark-sets';
import { buildLevels, searchCells, updateLevels } from './free-levels';
import type { FreeLevels } from './free-levels';
import { canRunOn } from './node-affinity';
import type { Revision } from './node-affinity';
import type { NodePool } from './node-pools';
import { podNeedsOf } from './pod-needs';
import type { NodeMarks } from './scheduling';

/** Pods that a run of demands has on each node of a group. */
export interface PlacedPods {
  readonly run: readonly Demand[];
  readonly pod: Pick<Pod, 'footprint' | 'leaves'>;
  readonly podsOnEach: number;
  /** The pods that were placed before them. */
  readonly before: PlacedPods | undefined;
}

/** Nodes of one pool with the same free resources. */
export interface NodeGroup {
  readonly pool: NodePool;
  /** Number of nodes, from 1. Nodes with a name are listed individually. */
  readonly count: number;
  readonly free: Amounts;
  /** Marks that pods leave on each of these nodes, and that other pods avoid. */
  readonly marks: MarkSets;
  /** The pods on each of these nodes, the last placed ones first. */
  readonly placed?: PlacedPods | undefined;
}

/** Neighbouring groups, with the maximum of each resource left on any of their nodes. If that is not enough, all of them are skipped. */
interface Block {
  readonly groups: readonly NodeGroup[];
  readonly maxFree: Amounts;
}

/** The nodes of neighbouring pools. */
type Cell = readonly Block[];

/** Nodes in the order in which they are filled. */
export interface Nodes {
  /** Pools of the nodes, in that order. */
  readonly pools: readonly NodePool[];
  readonly cells: readonly Cell[];
  /** Index of the cell that contains the nodes of each pool. */
  readonly cellOf: readonly number[];
  readonly levels: FreeLevels;
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

/**
 * Number of groups in a block. It is small, because the maxima of a block may come from different nodes, and none of them may fit a pod
 * that the block seems to fit.
 */
const BLOCK_SIZE = 8;

function createBlock(groups: readonly NodeGroup[]): Block {
  return { groups, maxFree: computeMaxOfEach(groups.map(({ free }) => free)) };
}

function createBlocks(groups: readonly NodeGroup[]): Block[] {
  const blocks: Block[] = [];
  for (let start = 0; start < groups.length; start += BLOCK_SIZE) blocks.push(createBlock(groups.slice(start, start + BLOCK_SIZE)));
  return blocks;
}

function computeMaxFree(cell: Cell): Amounts {
  return computeMaxOfEach(cell.map(({ maxFree }) => maxFree));
}

/** Returns all groups, in the order in which they are filled. */
export function listGroups({ cells }: Nodes): NodeGroup[] {
  return cells.flatMap((cell) => cell.flatMap(({ groups }) => groups));
}

/** Creates the nodes of pools without any pod. */
export function createEmptyNodes(pools: readonly NodePool[]): Nodes {
  const nonEmpty = pools.filter(({ count }) => count > 0);
  const groups = nonEmpty.map((pool) => ({ pool, count: pool.count, free: pool.allocatable, marks: NO_MARKS }));
  const cells = createBlocks(groups).map((block) => [block]);
  return {
    pools: nonEmpty,
    cells,
    cellOf: nonEmpty.map((_, index) => Math.floor(index / BLOCK_SIZE)),
    levels: buildLevels(cells.map(computeMaxFree)),
  };
}

/** Appends nodes to others. */
export function joinNodes(first: Nodes, second: Nodes): Nodes {
  const cells = [...first.cells, ...second.cells];
  return {
    pools: [...first.pools, ...second.pools],
    cells,
    cellOf: [...first.cellOf, ...second.cellOf.map((cell) => cell + first.cells.length)],
    levels: buildLevels(cells.map(computeMaxFree)),
  };
}

/** Returns the indexes of the cells, in order, in which pods of a set may fit. */
function findCells(podSet: PodSet, nodes: Nodes, isEnough: (maxFree: Amounts) => boolean, cache: PlanCache): Iterable<number> {
  const { pools, cellOf, levels } = nodes;
  const candidateIndexes = findCandidateIndexes(podSet, pools, cache);
  return candidateIndexes === undefined ? searchCells(levels, isEnough) : new Set(candidateIndexes.map((index) => cellOf[index]!));
}

/** Yields the groups of nodes, in order, on which pods of a set may fit. Groups that certainly have too little are skipped. */
function* iterateGroups(podSet: PodSet, nodes: Nodes, isEnough: (maxFree: Amounts) => boolean, cache: PlanCache): Generator<NodeGroup> {
  for (const cell of findCells(podSet, nodes, isEnough, cache)) {
    for (const { groups, maxFree } of nodes.cells[cell]!) if (isEnough(maxFree)) yield* groups;
  }
}

/** A pod of a set, with its requirements for a node. */
interface Pod extends NodeMarks {
  readonly podSet: PodSet;
  readonly revision: Revision;
  readonly footprint: Amounts;
  /** Whether it excludes other pods of its set from its node. */
  readonly needsOwnNode: boolean;
  /** The demands that it is placed for. */
  readonly run: readonly Demand[];
}

function createPod(podSet: PodSet, revision: Revision, cache: PlanCache, run: readonly Demand[] = []): Pod {
  const { footprint, marks } = podNeedsOf(podSet, cache);
  const { leaves, avoids } = marks[revision];
  return { podSet, revision, footprint, leaves, avoids, needsOwnNode: avoids.some((mark) => leaves.includes(mark)), run };
}

/** Creates a test of whether a pod may fit on a node with this much left. */
function createFitTest({ footprint }: Pod): (maxFree: Amounts) => boolean {
  return (maxFree) => hasCapacityFor(maxFree, footprint);
}

/** Returns how many more of these pods fit on one node of a group. */
function countPodsPerNode({ podSet, revision, footprint, avoids, needsOwnNode }: Pod, group: NodeGroup, cache: PlanCache): number {
  if (!hasCapacityFor(group.free, footprint) || avoids.some((mark) => hasMark(group.marks, mark))) return 0;
  if (!canRunOn(podSet, group.pool, revision, cache)) return 0;
  if (needsOwnNode) return 1;
  return countPods(group.free, footprint, Infinity);
}

/** Returns how many nodes have capacity for one more pod of a set. */
export function countNodesWithCapacity(nodes: Nodes, podSet: PodSet, cache: PlanCache): number {
  const pod = createPod(podSet, 'new', cache);
  let count = 0;
  for (const group of iterateGroups(podSet, nodes, createFitTest(pod), cache))
    if (countPodsPerNode(pod, group, cache) > 0) count += group.count;
  return count;
}

/** Reports whether at least this many nodes have capacity for one more pod of a set. */
export function hasNodesWithCapacity(nodes: Nodes, podSet: PodSet, enough: number, cache: PlanCache): boolean {
  const pod = createPod(podSet, 'new', cache);
  let count = 0;
  for (const group of iterateGroups(podSet, nodes, createFitTest(pod), cache)) {
    if (countPodsPerNode(pod, group, cache) > 0) count += group.count;
    if (count >= enough) return true;
  }
  return count >= enough;
}

/** Reports whether a new pod of a set fits on an empty node of a pool. */
export function fitsOnEmptyNode(pool: NodePool, podSet: PodSet, cache: PlanCache): boolean {
  const node = { pool, count: 1, free: pool.allocatable, marks: NO_MARKS };
  return countPodsPerNode(createPod(podSet, 'new', cache), node, cache) > 0;
}

function withPods(group: NodeGroup, count: number, pod: Pod, podsOnEach: number): NodeGroup {
  const { pool, marks, placed: before } = group;
  const { footprint, leaves, run } = pod;
  const free = subtractPods(group.free, footprint, podsOnEach);
  return { pool, count, free, marks: addMarks(marks, leaves), placed: { run, pod, podsOnEach, before } };
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

interface FilledGroups {
  readonly groups: readonly NodeGroup[];
  readonly unplaced: number;
}

interface FilledCell {
  readonly blocks: readonly Block[];
  readonly unplaced: number;
}

/** Adds up to `pods` pods to the groups of a block and returns the pods left over. Returns undefined if none fits. */
function fillBlock(groups: readonly NodeGroup[], pod: Pod, pods: number, cache: PlanCache): FilledGroups | undefined {
  const first = groups.findIndex((group) => countPodsPerNode(pod, group, cache) > 0);
  if (first < 0) return undefined;
  let unplaced = pods;
  const after = groups.slice(first).flatMap((group) => {
    const perNode = unplaced > 0 ? Math.min(countPodsPerNode(pod, group, cache), unplaced) : 0;
    if (perNode === 0) return group;
    const parts = fillGroup(group, pod, unplaced, perNode);
    unplaced -= Math.min(unplaced, perNode * group.count);
    return parts;
  });
  return { groups: [...groups.slice(0, first), ...after], unplaced };
}

/** Adds up to `pods` pods to the blocks of a cell and returns the pods left over. */
function fillCell(blocks: readonly Block[], pod: Pod, pods: number, cache: PlanCache): FilledCell {
  let unplaced = pods;
  const after = blocks.flatMap((block) => {
    const { groups, maxFree } = block;
    const full = unplaced > 0 && hasCapacityFor(maxFree, pod.footprint) ? fillBlock(groups, pod, unplaced, cache) : undefined;
    if (!full) return block;
    unplaced = full.unplaced;
    return createBlocks(full.groups);
  });
  return { blocks: after, unplaced };
}

/** Nodes that pods are placed on, in place. */
interface MutableNodes {
  readonly cells: Cell[];
  readonly levels: Amounts[][];
}

/** Places pods on the first nodes with capacity, in place. Returns how many do not fit. */
function fillCells({ cells, levels }: MutableNodes, cellIndexes: Iterable<number>, pod: Pod, pods: number, cache: PlanCache): number {
  let unplaced = pods;
  for (const cell of cellIndexes) {
    const { blocks, unplaced: rest } = fillCell(cells[cell]!, pod, unplaced, cache);
    if (rest < unplaced) {
      cells[cell] = blocks;
      updateLevels(levels, cell, computeMaxFree(blocks));
    }
    unplaced = rest;
    if (unplaced === 0) return 0;
  }
  return unplaced;
}

/**
 * Groups consecutive demands with identical pods into runs. Placing a run at once gives the same result as placing its demands one after
 * another.
 */
function groupByShape(demands: readonly Demand[], cache: PlanCache): Demand[][] {
  const runs: Demand[][] = [];
  let shape: unknown;
  for (const demand of demands) {
    const needs = podNeedsOf(demand.podSet, cache);
    if (runs.length > 0 && needs.shape === shape) runs.at(-1)!.push(demand);
    else runs.push([demand]);
    shape = needs.shape;
  }
  return runs;
}

/** Returns the demands of a run that are left over if this many of its pods do not fit: the last ones. */
function listUnplaced(run: readonly Demand[], unplaced: number): Demand[] {
  const left: Demand[] = [];
  let rest = unplaced;
  for (let index = run.length - 1; rest > 0; index--) {
    const { podSet, pods } = run[index]!;
    if (pods > 0) left.push({ podSet, pods: Math.min(rest, pods) });
    rest -= Math.min(rest, pods);
  }
  return left.toReversed();
}

/** Places pods on the first nodes with capacity, one set after another. */
export function schedulePods(nodes: Nodes, demands: readonly Demand[], cache: PlanCache, revision: Revision = 'new'): Placement {
  const filling = { ...nodes, cells: [...nodes.cells], levels: nodes.levels.map((level) => [...level]) };
  const unplaced: Demand[] = [];
  for (const run of groupByShape(demands, cache)) {
    const pods = run.reduce((sum, demand) => sum + demand.pods, 0);
    if (pods === 0) continue;
    const { podSet } = run[0]!;
    const pod = createPod(podSet, revision, cache, run);
    const left = fillCells(filling, findCells(podSet, filling, createFitTest(pod), cache), pod, pods, cache);
    for (const demand of listUnplaced(run, left)) unplaced.push(demand);
  }
  return { nodes: filling, unplaced };
}

/** Returns how many of these pods fit, without placing them. Stops counting at `enough`. */
function countFittingPods(nodes: Nodes, pod: Pod, enough: number, cache: PlanCache): number {
  let fittingPods = 0;
  for (const group of iterateGroups(pod.podSet, nodes, createFitTest(pod), cache)) {
    fittingPods += countPodsPerNode(pod, group, cache) * group.count;
    if (fittingPods >= enough) return fittingPods;
  }
  return fittingPods;
}

/** Memoized by nodes and shape, because many rollouts ask for the same count. */
const fitCountsByNodes = () => new WeakMap<Nodes, Map<unknown, { readonly fitting: number; readonly enough: number }>>();

/** Returns how many new pods of a set fit, without placing them. From `enough` on, the number may be too low. */
export function countPodsThatFit(nodes: Nodes, podSet: PodSet, enough: number, cache: PlanCache): number {
  const { shape } = podNeedsOf(podSet, cache);
  const byNodes = cache.getOrCreate(fitCountsByNodes);
  const known = byNodes.get(nodes) ?? new Map<unknown, { readonly fitting: number; readonly enough: number }>();
  byNodes.set(nodes, known);
  const counted = known.get(shape);
  if (counted && (counted.fitting < counted.enough || counted.enough >= enough)) return counted.fitting;
  const fittingPods = countFittingPods(nodes, createPod(podSet, 'new', cache), enough, cache);
  known.set(shape, { fitting: fittingPods, enough });
  return fittingPods;
}

/** Returns the maximum of a resource left on any node for new pods of a set. Returns undefined if a node has no limit on it. */
export function findLargestFree(nodes: Nodes, podSet: PodSet, resource: string, cache: PlanCache): bigint | undefined {
  let largest = 0n;
  const isLarger = (free: Amounts) => {
    const left = remainingOf(free, resource);
    return left === undefined || left > largest;
  };
  for (const { free, pool } of iterateGroups(podSet, nodes, isLarger, cache)) {
    if (!isLarger(free) || !canRunOn(podSet, pool, 'new', cache)) continue;
    const left = remainingOf(free, resource);
    if (left === undefined) return undefined;
    largest = left;
  }
  return largest;
}

/** Yields the pools of the groups of nodes, in order, on which a new pod of a set may fit. */
export function* iteratePoolsWithCapacity(podSet: PodSet, nodes: Nodes, cache: PlanCache): Generator<NodePool> {
  for (const { pool } of iterateGroups(podSet, nodes, createFitTest(createPod(podSet, 'new', cache)), cache)) yield pool;
}

import type { Memory } from '../../core/memory';
import type { MoreNodes } from '../../core/room';
import type { PodSet } from '../workload';
import { alikePools } from './alike-nodes';
import { candidatePlaces } from './candidates';
import { asNewNode, rulesOf, runsOn } from './node-affinity';
import type { NodePool } from './node-pools';
import { needsOf } from './pod-needs';
import type { Amounts } from './pod-requests';
import type { Revision } from './node-affinity';
import { cellsWith, hasRoom, leftOf, levelsOf, mostOf, noteCell } from './room-left';
import type { Levels } from './room-left';
import type { NodeMarks } from './scheduling';
import { greatest } from '../../core/extremes';

/** Nodes that are equally full. */
interface NodeGroup {
  readonly pool: NodePool;
  readonly nodes: number;
  readonly free: Amounts;
  /** What pods have left on each of these nodes, and others avoid. */
  readonly marks: ReadonlySet<unknown>;
}

/** Neighbouring groups, with the most that any of their nodes has left of each resource: without enough of it all are passed over. */
interface Block {
  readonly groups: readonly NodeGroup[];
  readonly most: Amounts;
}

/** The nodes of neighbouring pools. */
type Cell = readonly Block[];

/** Nodes in the order in which they are filled. */
export interface Nodes {
  /** Those of which the nodes are, in that order. */
  readonly pools: readonly NodePool[];
  readonly cells: readonly Cell[];
  /** Which of the cells holds the nodes of each pool. */
  readonly cellOf: readonly number[];
  readonly levels: Levels;
}

/** Pods of one set to place. */
export interface Demand {
  readonly podSet: PodSet;
  readonly pods: number;
}

/** Nodes with the pods placed on them, and the pods of each set that found no room. */
export interface Placement {
  readonly nodes: Nodes;
  readonly unplaced: readonly Demand[];
}

/** Groups of a block, few enough that a block which seems to have room for a pod seldom has all of it on different nodes. */
const BLOCK_SIZE = 8;

function blockOf(groups: readonly NodeGroup[]): Block {
  return { groups, most: mostOf(groups.map(({ free }) => free)) };
}

function blocksOf(groups: readonly NodeGroup[]): Block[] {
  const blocks: Block[] = [];
  for (let start = 0; start < groups.length; start += BLOCK_SIZE) blocks.push(blockOf(groups.slice(start, start + BLOCK_SIZE)));
  return blocks;
}

function mostOfCell(cell: Cell): Amounts {
  return mostOf(cell.map(({ most }) => most));
}

/** The nodes of the pools before any pod is on them. */
export function emptyNodes(pools: readonly NodePool[]): Nodes {
  const nonEmpty = pools.filter(({ count }) => count > 0);
  const groups = nonEmpty.map((pool) => ({ pool, nodes: pool.count, free: pool.allocatable, marks: new Set() }));
  const cells = blocksOf(groups).map((block) => [block]);
  return {
    pools: nonEmpty,
    cells,
    cellOf: nonEmpty.map((_, index) => Math.floor(index / BLOCK_SIZE)),
    levels: levelsOf(cells.map(mostOfCell)),
  };
}

/** Nodes behind others. */
export function joined(first: Nodes, second: Nodes): Nodes {
  const cells = [...first.cells, ...second.cells];
  return {
    pools: [...first.pools, ...second.pools],
    cells,
    cellOf: [...first.cellOf, ...second.cellOf.map((cell) => cell + first.cells.length)],
    levels: levelsOf(cells.map(mostOfCell)),
  };
}

/** The numbers of the cells in which pods of a set may find what they look for, in their order. */
function cellsFor(podSet: PodSet, nodes: Nodes, isEnough: (most: Amounts) => boolean, memory: Memory): Iterable<number> {
  const { pools, cellOf, levels } = nodes;
  const places = candidatePlaces(podSet, pools, memory);
  return places === undefined ? cellsWith(levels, isEnough) : new Set(places.map((index) => cellOf[index]!));
}

/** The groups of nodes on which pods of a set may find what they look for, in their order, but for those that have too little in any case. */
function* groupsFor(podSet: PodSet, nodes: Nodes, isEnough: (most: Amounts) => boolean, memory: Memory): Generator<NodeGroup> {
  for (const cell of cellsFor(podSet, nodes, isEnough, memory)) {
    for (const { groups, most } of nodes.cells[cell]!) if (isEnough(most)) yield* groups;
  }
}

/** A pod of a set, with all that its node is asked for. */
interface Pod extends NodeMarks {
  readonly podSet: PodSet;
  readonly revision: Revision;
  readonly footprint: Amounts;
  /** Does it keep others of its kind off its node? */
  readonly ownNode: boolean;
}

function podOf(podSet: PodSet, revision: Revision, memory: Memory): Pod {
  const { footprint, marks } = needsOf(podSet, memory);
  const { leaves, avoids } = marks[revision];
  return { podSet, revision, footprint, leaves, avoids, ownNode: avoids.some((mark) => leaves.includes(mark)) };
}

/** Whether there may be room for such a pod where a node has so much left. */
function roomOf({ footprint }: Pod): (most: Amounts) => boolean {
  return (most) => hasRoom(most, footprint);
}

/** How many more such pods fit on one node of a group. */
function podsPerNode({ podSet, revision, footprint, avoids, ownNode }: Pod, group: NodeGroup, memory: Memory): number {
  if (!hasRoom(group.free, footprint) || avoids.some((mark) => group.marks.has(mark))) return 0;
  if (!runsOn(podSet, group.pool, revision, memory)) return 0;
  if (ownNode) return 1;
  let pods = Infinity;
  for (const [resource, request] of footprint) {
    const left = leftOf(group.free, resource);
    if (left !== undefined) pods = Math.min(pods, Number(left / request));
  }
  return pods;
}

/** How many of the nodes have room for one more pod of a set. */
export function nodesWithRoom(nodes: Nodes, podSet: PodSet, memory: Memory): number {
  const pod = podOf(podSet, 'new', memory);
  let count = 0;
  for (const group of groupsFor(podSet, nodes, roomOf(pod), memory)) if (podsPerNode(pod, group, memory) > 0) count += group.nodes;
  return count;
}

/** Has an empty node of a pool room for a new pod of a set? */
export function fitsOn(pool: NodePool, podSet: PodSet, memory: Memory): boolean {
  const node = { pool, nodes: 1, free: pool.allocatable, marks: new Set() };
  return podsPerNode(podOf(podSet, 'new', memory), node, memory) > 0;
}

function withPods(group: NodeGroup, nodes: number, { footprint, leaves }: Pod, podsOnEach: number): NodeGroup {
  const free = new Map(group.free);
  for (const [resource, request] of footprint) {
    const left = free.get(resource);
    if (left !== undefined) free.set(resource, left - request * BigInt(podsOnEach));
  }
  return { ...group, nodes, free, marks: leaves.length > 0 ? new Set([...group.marks, ...leaves]) : group.marks };
}

/** One group with up to `pods` pods more: full nodes, one with the rest, and those left untouched. */
function filled(group: NodeGroup, pod: Pod, pods: number, perNode: number): NodeGroup[] {
  const full = Math.min(group.nodes, Math.floor(pods / perNode));
  const rest = full < group.nodes ? pods - full * perNode : 0;
  const untouched = group.nodes - full - (rest > 0 ? 1 : 0);
  return [
    ...(full > 0 ? [withPods(group, full, pod, perNode)] : []),
    ...(rest > 0 ? [withPods(group, 1, pod, rest)] : []),
    ...(untouched > 0 ? [{ ...group, nodes: untouched }] : []),
  ];
}

interface Filled {
  readonly groups: readonly NodeGroup[];
  readonly unplaced: number;
}

interface FilledCell {
  readonly blocks: readonly Block[];
  readonly unplaced: number;
}

/** The groups of a block with up to `pods` pods more, and the pods left over; undefined where none has room. */
function fill(groups: readonly NodeGroup[], pod: Pod, pods: number, memory: Memory): Filled | undefined {
  const first = groups.findIndex((group) => podsPerNode(pod, group, memory) > 0);
  if (first < 0) return undefined;
  let unplaced = pods;
  const after = groups.slice(first).flatMap((group) => {
    const perNode = unplaced > 0 ? Math.min(podsPerNode(pod, group, memory), unplaced) : 0;
    if (perNode === 0) return group;
    const parts = filled(group, pod, unplaced, perNode);
    unplaced -= Math.min(unplaced, perNode * group.nodes);
    return parts;
  });
  return { groups: [...groups.slice(0, first), ...after], unplaced };
}

/** The blocks of a cell with up to `pods` pods more, and the pods left over. */
function filledCell(blocks: readonly Block[], pod: Pod, pods: number, memory: Memory): FilledCell {
  let unplaced = pods;
  const after = blocks.flatMap((block) => {
    const { groups, most } = block;
    const full = unplaced > 0 && hasRoom(most, pod.footprint) ? fill(groups, pod, unplaced, memory) : undefined;
    if (!full) return block;
    unplaced = full.unplaced;
    return blocksOf(full.groups);
  });
  return { blocks: after, unplaced };
}

/** Nodes that pods are put on, in place. */
interface Filling {
  readonly cells: Cell[];
  readonly levels: Amounts[][];
}

/** Puts pods on the first nodes with room, in place, and returns how many found none. */
function fillFirst({ cells, levels }: Filling, which: Iterable<number>, pod: Pod, pods: number, memory: Memory): number {
  let unplaced = pods;
  for (const cell of which) {
    const { blocks, unplaced: rest } = filledCell(cells[cell]!, pod, unplaced, memory);
    if (rest < unplaced) {
      cells[cell] = blocks;
      noteCell(levels, cell, mostOfCell(blocks));
    }
    unplaced = rest;
    if (unplaced === 0) return 0;
  }
  return unplaced;
}

/** Neighbours whose pods are alike, as runs: placed one after another they end where they end together. */
function runsOfOneShape(demands: readonly Demand[], memory: Memory): Demand[][] {
  const runs: Demand[][] = [];
  let shape: unknown;
  for (const demand of demands) {
    const needs = needsOf(demand.podSet, memory);
    if (runs.length > 0 && needs.shape === shape) runs.at(-1)!.push(demand);
    else runs.push([demand]);
    shape = needs.shape;
  }
  return runs;
}

/** Those of a run that are left over when so many of its pods find no room: the last ones. */
function leftOver(run: readonly Demand[], unplaced: number): Demand[] {
  const left: Demand[] = [];
  let rest = unplaced;
  for (let index = run.length - 1; rest > 0; index--) {
    const { podSet, pods } = run[index]!;
    if (pods > 0) left.push({ podSet, pods: Math.min(rest, pods) });
    rest -= Math.min(rest, pods);
  }
  return left.toReversed();
}

/** Places pods on the first nodes that have room, one set after another. */
export function place(nodes: Nodes, demands: readonly Demand[], memory: Memory, revision: Revision = 'new'): Placement {
  const filling = { ...nodes, cells: [...nodes.cells], levels: nodes.levels.map((level) => [...level]) };
  const unplaced: Demand[] = [];
  for (const run of runsOfOneShape(demands, memory)) {
    const pods = run.reduce((sum, demand) => sum + demand.pods, 0);
    if (pods === 0) continue;
    const { podSet } = run[0]!;
    const pod = podOf(podSet, revision, memory);
    const left = fillFirst(filling, cellsFor(podSet, filling, roomOf(pod), memory), pod, pods, memory);
    for (const demand of leftOver(run, left)) unplaced.push(demand);
  }
  return { nodes: filling, unplaced };
}

/** How many such pods find room, without placing them; where it is more than enough, no more is counted. */
function countRoom(nodes: Nodes, pod: Pod, enough: number, memory: Memory): number {
  let room = 0;
  for (const group of groupsFor(pod.podSet, nodes, roomOf(pod), memory)) {
    room += podsPerNode(pod, group, memory) * group.nodes;
    if (room >= enough) return room;
  }
  return room;
}

/** Room on the same nodes for the same pods is asked for by many rollouts. */
const roomByNodes = () => new WeakMap<Nodes, Map<unknown, { readonly room: number; readonly enough: number }>>();

/** How many new pods of a set find room, without placing them; from `enough` on, the number may be too low. */
export function roomFor(nodes: Nodes, podSet: PodSet, enough: number, memory: Memory): number {
  const { shape } = needsOf(podSet, memory);
  const byNodes = memory.of(roomByNodes);
  const known = byNodes.get(nodes) ?? new Map<unknown, { readonly room: number; readonly enough: number }>();
  byNodes.set(nodes, known);
  const counted = known.get(shape);
  if (counted && (counted.room < counted.enough || counted.enough >= enough)) return counted.room;
  const room = countRoom(nodes, podOf(podSet, 'new', memory), enough, memory);
  known.set(shape, { room, enough });
  return room;
}

/** The most of a resource that any one node has left for new pods of a set; undefined where a node has no limit on it. */
export function largestLeft(nodes: Nodes, podSet: PodSet, resource: string, memory: Memory): bigint | undefined {
  let largest = 0n;
  const isLarger = (free: Amounts) => {
    const left = leftOf(free, resource);
    return left === undefined || left > largest;
  };
  for (const { free, pool } of groupsFor(podSet, nodes, isLarger, memory)) {
    if (!isLarger(free) || !runsOn(podSet, pool, 'new', memory)) continue;
    const left = leftOf(free, resource);
    if (left === undefined) return undefined;
    largest = left;
  }
  return largest;
}

/** Where a set stands among others that are placed. */
interface Rank {
  /** Nodes that its pods may go to. */
  readonly nodes: number;
  /** The part of the largest node that a pod needs, of the resource of which it needs most; 1 for a pod with a node of its own. */
  readonly share: number;
}

function largestNode(pools: readonly NodePool[]): Amounts {
  const largest = new Map<string, bigint>();
  for (const { allocatable } of pools) {
    for (const [resource, amount] of allocatable) if ((largest.get(resource) ?? 0n) < amount) largest.set(resource, amount);
  }
  return largest;
}

function shareOf(podSet: PodSet, node: Amounts, memory: Memory): number {
  const { footprint, marks } = needsOf(podSet, memory);
  if (marks.old.avoids.length > 0) return 1;
  return greatest(
    [...footprint].map(([resource, request]) => Number(request) / Number(node.get(resource) ?? Infinity)),
    0,
  );
}

/**
 * The demands in the order in which they are placed: first those that may go to fewest nodes, of these the largest, and like beside like.
 * First fit decreasing, which wastes few places.
 */
export function largestFirst<Pods extends Demand>(pools: readonly NodePool[], demands: readonly Pods[], memory: Memory): Pods[] {
  const largest = largestNode(pools);
  const byRules = new Map<string, number>();
  const ranks = new Map<unknown, Rank & { readonly index: number }>();
  for (const { podSet } of demands) {
    const { shape } = needsOf(podSet, memory);
    if (ranks.has(shape)) continue;
    const { key } = rulesOf(podSet, memory);
    const nodes =
      byRules.get(key) ??
      alikePools(podSet, pools, memory).reduce((sum, { pool, count }) => sum + (runsOn(podSet, pool, 'old', memory) ? count : 0), 0);
    byRules.set(key, nodes);
    ranks.set(shape, { nodes, share: shareOf(podSet, largest, memory), index: ranks.size });
  }
  const ranked = demands.map((demand) => ({ demand, rank: ranks.get(needsOf(demand.podSet, memory).shape)! }));
  ranked.sort((a, b) => a.rank.nodes - b.rank.nodes || b.rank.share - a.rank.share || a.rank.index - b.rank.index);
  return ranked.map(({ demand }) => demand);
}

const oneOfEachByPools = () => new WeakMap<readonly NodePool[], Nodes>();

/** An empty node of each pool, whether or not the pool has any now. */
function oneOfEach(pools: readonly NodePool[], memory: Memory): Nodes {
  const byPools = memory.of(oneOfEachByPools);
  const nodes = byPools.get(pools) ?? emptyNodes(pools.map((pool) => ({ ...pool, count: 1 })));
  byPools.set(pools, nodes);
  return nodes;
}

/** Nodes that would have to be added for these new pods to the first pool that could hold them all; undefined where none could. */
export function moreNodesFor(pools: readonly NodePool[], demands: readonly Demand[], memory: Memory): MoreNodes | undefined {
  const enough = demands.reduce((sum, { pods }) => sum + pods, 0);
  const [first] = demands;
  if (!first) return undefined;
  const pod = podOf(first.podSet, 'new', memory);
  for (const { pool } of groupsFor(first.podSet, oneOfEach(pools, memory), roomOf(pod), memory)) {
    const newNodes = { ...asNewNode(pool), count: enough };
    if (demands.some(({ podSet }) => !fitsOn(newNodes, podSet, memory))) continue;
    const { nodes } = place(emptyNodes([newNodes]), demands, memory);
    const groups = nodes.cells.flat().flatMap((block) => block.groups);
    const untouched = groups.filter(({ free }) => free === pool.allocatable);
    return { pool: pool.name, nodes: enough - untouched.reduce((sum, group) => sum + group.nodes, 0) };
  }
  return undefined;
}

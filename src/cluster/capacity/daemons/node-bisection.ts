import { addAmounts, computeMaxOfEach, computeMinOfEach, hasCapacityFor, remainingOf, subtractPods } from '../amounts';
import type { Amounts } from '../amounts';
import type { NodePool } from '../nodes/node-pools';

/** The minimum and maximum of each resource over several nodes. */
interface ResourceBounds {
  readonly least: Amounts;
  readonly most: Amounts;
}

/**
 * Pools that are bisected recursively into those with more and those with less of a resource. A result that holds for the bounds of a
 * partition needs no visit to its nodes.
 */
export interface NodePartition {
  readonly allocatable: ResourceBounds;
  readonly children: readonly NodePartition[];
  parent?: NodePartition;
  /** Number of nodes, without those of removed pools. */
  nodes: number;
  remaining: ResourceBounds;
  /** What pods use on each of its nodes that is not yet applied to its children. */
  pendingUse: Amounts;
}

const NO_AMOUNTS: Amounts = new Map();

function mergeBounds(all: readonly ResourceBounds[]): ResourceBounds {
  return { least: computeMinOfEach(all.map(({ least }) => least)), most: computeMaxOfEach(all.map(({ most }) => most)) };
}

/** Creates the partition of a single pool. */
export function createPoolPartition({ allocatable, count }: NodePool): NodePartition {
  const bounds = { least: allocatable, most: allocatable };
  return { allocatable: bounds, children: [], nodes: count, remaining: bounds, pendingUse: NO_AMOUNTS };
}

function createAmountComparator(resource: string): (a: NodePartition, b: NodePartition) => number {
  return (a, b) => {
    const [left, right] = [a, b].map(({ allocatable }) => remainingOf(allocatable.most, resource));
    if (left === right) return 0;
    return right === undefined || (left !== undefined && left < right) ? -1 : 1;
  };
}

/** Updates the node count and the bounds of a partition from its children. */
function updateFromChildren(partition: NodePartition): void {
  const nonEmpty = partition.children.filter(({ nodes }) => nodes > 0);
  partition.nodes = nonEmpty.reduce((sum, { nodes }) => sum + nodes, 0);
  if (nonEmpty.length > 0) partition.remaining = mergeBounds(nonEmpty.map(({ remaining }) => remaining));
}

function bisectByResource(pools: readonly NodePartition[], resources: readonly string[], depth: number): NodePartition {
  if (pools.length === 1) return pools[0]!;
  const resource = resources[depth % resources.length];
  const sorted = resource === undefined ? pools : pools.toSorted(createAmountComparator(resource));
  const middle = Math.ceil(sorted.length / 2);
  const children = [sorted.slice(0, middle), sorted.slice(middle)].map((part) => bisectByResource(part, resources, depth + 1));
  const allocatable = mergeBounds(children.map((partition) => partition.allocatable));
  const parent: NodePartition = { allocatable, children, nodes: 0, remaining: allocatable, pendingUse: NO_AMOUNTS };
  for (const partition of children) partition.parent = parent;
  updateFromChildren(parent);
  return parent;
}

/** Bisects pools by each resource in turn that they have different amounts of. */
export function bisectPools(pools: readonly NodePartition[]): NodePartition {
  const { least, most } = mergeBounds(pools.map(({ allocatable }) => allocatable));
  const resources = [...most.keys(), ...least.keys()].filter((resource) => remainingOf(least, resource) !== remainingOf(most, resource));
  return bisectByResource(pools, [...new Set(resources)], 0);
}

function applyUse(partition: NodePartition, amounts: Amounts): void {
  partition.remaining = {
    least: subtractPods(partition.remaining.least, amounts, 1),
    most: subtractPods(partition.remaining.most, amounts, 1),
  };
  if (partition.children.length === 0) return;
  const pendingUse = new Map(partition.pendingUse);
  addAmounts(pendingUse, amounts);
  partition.pendingUse = pendingUse;
}

/** Returns the children of a partition after applying all pending use to them. */
function getUpdatedChildren(partition: NodePartition): readonly NodePartition[] {
  if (partition.pendingUse.size > 0) for (const child of partition.children) applyUse(child, partition.pendingUse);
  partition.pendingUse = NO_AMOUNTS;
  return partition.children;
}

/** Places a pod on each node with capacity. Returns the partitions in which no node has any. */
export function placeOnEachNode(partition: NodePartition, footprint: Amounts): NodePartition[] {
  if (partition.nodes === 0) return [];
  if (hasCapacityFor(partition.remaining.least, footprint)) {
    applyUse(partition, footprint);
    return [];
  }
  if (!hasCapacityFor(partition.remaining.most, footprint)) return [partition];
  const rejecting = getUpdatedChildren(partition).flatMap((child) => placeOnEachNode(child, footprint));
  updateFromChildren(partition);
  return rejecting;
}

function* iterateAncestors(pool: NodePartition): Generator<NodePartition> {
  for (let partition = pool.parent; partition; partition = partition.parent) yield partition;
}

/** Removes the nodes of a pool from all partitions that contain it. Returns their remaining resources. */
export function removePool(pool: NodePartition): ResourceBounds {
  for (const partition of [...iterateAncestors(pool)].toReversed()) getUpdatedChildren(partition);
  pool.nodes = 0;
  for (const partition of iterateAncestors(pool)) updateFromChildren(partition);
  return pool.remaining;
}

/** Restores the nodes of a removed pool. */
export function restorePool(pool: NodePartition, nodes: number, remaining: ResourceBounds): void {
  for (const partition of [...iterateAncestors(pool)].toReversed()) getUpdatedChildren(partition);
  pool.nodes = nodes;
  pool.remaining = remaining;
  for (const partition of iterateAncestors(pool)) updateFromChildren(partition);
}

/** Returns the maximum of a resource on any node with too little for a request. Returns undefined if each node has enough. */
function findLargestInsufficient(partition: NodePartition, resource: string, request: bigint): bigint | undefined {
  if (partition.nodes === 0) return undefined;
  const least = remainingOf(partition.remaining.least, resource);
  if (least === undefined || least >= request) return undefined;
  const most = remainingOf(partition.remaining.most, resource);
  return most !== undefined && most < request ? most : findLargestInsufficientOf(getUpdatedChildren(partition), resource, request);
}

function findLargestInsufficientOf(children: readonly NodePartition[], resource: string, request: bigint): bigint | undefined {
  const insufficient = children.flatMap((partition) => findLargestInsufficient(partition, resource, request) ?? []);
  return insufficient.length === 0 ? undefined : insufficient.reduce((most, amount) => (amount > most ? amount : most));
}

/** Returns the first resource by name that a node has too little of, and its maximum on any such node. */
export function findFirstInsufficient(
  children: readonly NodePartition[],
  footprint: Amounts,
): { readonly resource: string; readonly most: bigint } | undefined {
  for (const [resource, request] of [...footprint].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const most = findLargestInsufficientOf(children, resource, request);
    if (most !== undefined) return { resource, most };
  }
  return undefined;
}

/** Reports whether a pod fits on some node of a partition if it were empty. */
export function fitsWhenEmpty(partition: NodePartition, footprint: Amounts): boolean {
  if (partition.nodes === 0 || !hasCapacityFor(partition.allocatable.most, footprint)) return false;
  return hasCapacityFor(partition.allocatable.least, footprint) || partition.children.some((child) => fitsWhenEmpty(child, footprint));
}

import type { NodePool } from './node-pools';
import type { Amounts } from './pod-requests';
import { subtractAmounts, hasCapacityFor, computeMinOfEach, remainingOf, computeMaxOfEach } from './remaining-capacity';

/** The least and the most that any of several nodes has of each resource. */
interface ResourceBounds {
  readonly least: Amounts;
  readonly most: Amounts;
}

/** Pools that are halved again and again, those that have much apart from those that have little: what is true of a half is settled without a look at its nodes. */
export interface NodePartition {
  readonly allocatable: ResourceBounds;
  readonly children: readonly NodePartition[];
  parent?: NodePartition;
  /** Those that are taken out apart. */
  nodes: number;
  remaining: ResourceBounds;
  /** What pods on each of its nodes take, and its halves do not know of yet. */
  pendingUse: Amounts;
}

const NO_AMOUNTS: Amounts = new Map();

function mergeBounds(all: readonly ResourceBounds[]): ResourceBounds {
  return { least: computeMinOfEach(all.map(({ least }) => least)), most: computeMaxOfEach(all.map(({ most }) => most)) };
}

/** The half that is one pool. */
export function createPoolPartition({ allocatable, count }: NodePool): NodePartition {
  const bounds = { least: allocatable, most: allocatable };
  return { allocatable: bounds, children: [], nodes: count, remaining: bounds, pendingUse: NO_AMOUNTS };
}

function createAmountComparator(resource: string): (a: NodePartition, b: NodePartition) => number {
  return (a, b) => {
    const [remaining, right] = [a, b].map(({ allocatable }) => remainingOf(allocatable.most, resource));
    if (remaining === right) return 0;
    return right === undefined || (remaining !== undefined && remaining < right) ? -1 : 1;
  };
}

/** Sums up what its halves have. */
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

/** Halves pools by one resource after another, of those of which they have different amounts. */
export function bisectPools(pools: readonly NodePartition[]): NodePartition {
  const { least, most } = mergeBounds(pools.map(({ allocatable }) => allocatable));
  const resources = [...most.keys(), ...least.keys()].filter((resource) => remainingOf(least, resource) !== remainingOf(most, resource));
  return bisectByResource(pools, [...new Set(resources)], 0);
}

function applyUse(partition: NodePartition, amounts: Amounts): void {
  partition.remaining = {
    least: subtractAmounts(partition.remaining.least, amounts),
    most: subtractAmounts(partition.remaining.most, amounts),
  };
  if (partition.children.length === 0) return;
  const pendingUse = new Map(partition.pendingUse);
  for (const [resource, amount] of amounts) pendingUse.set(resource, (pendingUse.get(resource) ?? 0n) + amount);
  partition.pendingUse = pendingUse;
}

/** Its halves, which know of all that was taken. */
function getUpdatedChildren(partition: NodePartition): readonly NodePartition[] {
  if (partition.pendingUse.size > 0) for (const child of partition.children) applyUse(child, partition.pendingUse);
  partition.pendingUse = NO_AMOUNTS;
  return partition.children;
}

/** Puts a pod on each node that has room, and gives the halves of which no node has. */
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

/** Takes the nodes of a pool out of all halves that they are in; what they have left. */
export function removePool(pool: NodePartition): ResourceBounds {
  for (const partition of [...iterateAncestors(pool)].toReversed()) getUpdatedChildren(partition);
  pool.nodes = 0;
  for (const partition of iterateAncestors(pool)) updateFromChildren(partition);
  return pool.remaining;
}

/** Puts nodes back that were taken out. */
export function restorePool(pool: NodePartition, nodes: number, remaining: ResourceBounds): void {
  for (const partition of [...iterateAncestors(pool)].toReversed()) getUpdatedChildren(partition);
  pool.nodes = nodes;
  pool.remaining = remaining;
  for (const partition of iterateAncestors(pool)) updateFromChildren(partition);
}

/** The most that a node has of a resource of which it has too little for a request; undefined where each has enough. */
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

/** The first resource by name of which a node has too little, and the most that a node with too little has of it. */
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

/** Would a node take a pod if there were nothing on it? */
export function fitsWhenEmpty(partition: NodePartition, footprint: Amounts): boolean {
  if (partition.nodes === 0 || !hasCapacityFor(partition.allocatable.most, footprint)) return false;
  return hasCapacityFor(partition.allocatable.least, footprint) || partition.children.some((child) => fitsWhenEmpty(child, footprint));
}

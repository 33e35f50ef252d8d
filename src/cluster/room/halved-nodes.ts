import type { NodePool } from './node-pools';
import type { Amounts } from './pod-requests';
import { beside, hasRoom, leastOf, leftOf, mostOf } from './room-left';

/** The least and the most that any of several nodes has of each resource. */
interface Bounds {
  readonly least: Amounts;
  readonly most: Amounts;
}

/** Pools that are halved again and again, those that have much apart from those that have little: what is true of a half is settled without a look at its nodes. */
export interface Half {
  readonly allocatable: Bounds;
  readonly halves: readonly Half[];
  above?: Half;
  /** Those that are taken out apart. */
  nodes: number;
  left: Bounds;
  /** What pods on each of its nodes take, and its halves do not know of yet. */
  owed: Amounts;
}

const NOTHING: Amounts = new Map();

function boundsOf(all: readonly Bounds[]): Bounds {
  return { least: leastOf(all.map(({ least }) => least)), most: mostOf(all.map(({ most }) => most)) };
}

/** The half that is one pool. */
export function poolHalf({ allocatable, count }: NodePool): Half {
  const bounds = { least: allocatable, most: allocatable };
  return { allocatable: bounds, halves: [], nodes: count, left: bounds, owed: NOTHING };
}

function byAmount(resource: string): (a: Half, b: Half) => number {
  return (a, b) => {
    const [left, right] = [a, b].map(({ allocatable }) => leftOf(allocatable.most, resource));
    if (left === right) return 0;
    return right === undefined || (left !== undefined && left < right) ? -1 : 1;
  };
}

/** Sums up what its halves have. */
function gather(half: Half): void {
  const present = half.halves.filter(({ nodes }) => nodes > 0);
  half.nodes = present.reduce((sum, { nodes }) => sum + nodes, 0);
  if (present.length > 0) half.left = boundsOf(present.map(({ left }) => left));
}

function halvedBy(pools: readonly Half[], resources: readonly string[], depth: number): Half {
  if (pools.length === 1) return pools[0]!;
  const resource = resources[depth % resources.length];
  const sorted = resource === undefined ? pools : pools.toSorted(byAmount(resource));
  const middle = Math.ceil(sorted.length / 2);
  const halves = [sorted.slice(0, middle), sorted.slice(middle)].map((some) => halvedBy(some, resources, depth + 1));
  const allocatable = boundsOf(halves.map((half) => half.allocatable));
  const whole: Half = { allocatable, halves, nodes: 0, left: allocatable, owed: NOTHING };
  for (const half of halves) half.above = whole;
  gather(whole);
  return whole;
}

/** Halves pools by one resource after another, of those of which they have different amounts. */
export function halved(pools: readonly Half[]): Half {
  const { least, most } = boundsOf(pools.map(({ allocatable }) => allocatable));
  const resources = [...most.keys(), ...least.keys()].filter((resource) => leftOf(least, resource) !== leftOf(most, resource));
  return halvedBy(pools, [...new Set(resources)], 0);
}

function take(half: Half, amounts: Amounts): void {
  half.left = { least: beside(half.left.least, amounts), most: beside(half.left.most, amounts) };
  if (half.halves.length === 0) return;
  const owed = new Map(half.owed);
  for (const [resource, amount] of amounts) owed.set(resource, (owed.get(resource) ?? 0n) + amount);
  half.owed = owed;
}

/** Its halves, which know of all that was taken. */
function halvesOf(half: Half): readonly Half[] {
  if (half.owed.size > 0) for (const below of half.halves) take(below, half.owed);
  half.owed = NOTHING;
  return half.halves;
}

/** Puts a pod on each node that has room, and gives the halves of which no node has. */
export function fill(half: Half, footprint: Amounts): Half[] {
  if (half.nodes === 0) return [];
  if (hasRoom(half.left.least, footprint)) {
    take(half, footprint);
    return [];
  }
  if (!hasRoom(half.left.most, footprint)) return [half];
  const refusing = halvesOf(half).flatMap((below) => fill(below, footprint));
  gather(half);
  return refusing;
}

function* upwards(pool: Half): Generator<Half> {
  for (let half = pool.above; half; half = half.above) yield half;
}

/** Takes the nodes of a pool out of all halves that they are in; what they have left. */
export function takeOut(pool: Half): Bounds {
  for (const half of [...upwards(pool)].toReversed()) halvesOf(half);
  pool.nodes = 0;
  for (const half of upwards(pool)) gather(half);
  return pool.left;
}

/** Puts nodes back that were taken out. */
export function putBack(pool: Half, nodes: number, left: Bounds): void {
  for (const half of [...upwards(pool)].toReversed()) halvesOf(half);
  pool.nodes = nodes;
  pool.left = left;
  for (const half of upwards(pool)) gather(half);
}

/** The most that a node has of a resource of which it has too little for a request; undefined where each has enough. */
function mostTooLittle(half: Half, resource: string, request: bigint): bigint | undefined {
  if (half.nodes === 0) return undefined;
  const least = leftOf(half.left.least, resource);
  if (least === undefined || least >= request) return undefined;
  const most = leftOf(half.left.most, resource);
  return most !== undefined && most < request ? most : greatestLack(halvesOf(half), resource, request);
}

function greatestLack(halves: readonly Half[], resource: string, request: bigint): bigint | undefined {
  const lacking = halves.flatMap((half) => mostTooLittle(half, resource, request) ?? []);
  return lacking.length === 0 ? undefined : lacking.reduce((most, amount) => (amount > most ? amount : most));
}

/** The first resource by name of which a node has too little, and the most that a node with too little has of it. */
export function firstLack(halves: readonly Half[], footprint: Amounts): { readonly resource: string; readonly most: bigint } | undefined {
  for (const [resource, request] of [...footprint].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const most = greatestLack(halves, resource, request);
    if (most !== undefined) return { resource, most };
  }
  return undefined;
}

/** Would a node take a pod if there were nothing on it? */
export function wouldTake(half: Half, footprint: Amounts): boolean {
  if (half.nodes === 0 || !hasRoom(half.allocatable.most, footprint)) return false;
  return hasRoom(half.allocatable.least, footprint) || half.halves.some((below) => wouldTake(below, footprint));
}

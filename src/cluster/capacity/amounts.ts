import type { Amounts } from '../../core/values/quantity';

/** Formats amounts as a key, which is the same for equal ones. */
export function formatAmounts(amounts: Amounts): string {
  return JSON.stringify([...amounts].map(([resource, amount]) => `${resource}=${amount}`).toSorted());
}

/** Adds amounts to a total, in place. */
export function addAmounts(total: Map<string, bigint>, amounts: Amounts, times = 1n): void {
  for (const [resource, amount] of amounts) total.set(resource, (total.get(resource) ?? 0n) + amount * times);
}

/** Returns the maximum of each resource. */
export function computeLargest(all: Iterable<Amounts>): Map<string, bigint> {
  const largest = new Map<string, bigint>();
  for (const amounts of all) {
    for (const [resource, amount] of amounts) if (amount > (largest.get(resource) ?? -1n)) largest.set(resource, amount);
  }
  return largest;
}

/** Resources that every node has, listed or not. */
const BASIC_RESOURCES: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage', 'pods']);

/** Returns what is left of a resource on a node. Returns undefined if it is unlimited. */
export function remainingOf(free: Amounts, resource: string): bigint | undefined {
  return free.get(resource) ?? (BASIC_RESOURCES.has(resource) ? undefined : 0n);
}

/** Reports whether there is enough of each resource for a pod. */
export function hasCapacityFor(free: Amounts, footprint: Amounts): boolean {
  for (const [resource, request] of footprint) {
    const remaining = remainingOf(free, resource);
    if (remaining !== undefined && remaining < request) return false;
  }
  return true;
}

/**
 * Reports whether a node has less than its pods use of what a pod requests. Its capacity was larger once, so that any number of such pods may
 * have been there before.
 */
export function isOvercommitted(free: Amounts, footprint: Amounts): boolean {
  return [...footprint].some(([resource, request]) => request > 0n && (free.get(resource) ?? 0n) < 0n);
}

/** Returns how many pods fit into what is left of a node, at most a number. */
export function countPods(free: Amounts, footprint: Amounts, most: number): number {
  let pods = most;
  for (const [resource, request] of footprint) {
    const left = remainingOf(free, resource);
    if (left === undefined || request === 0n) continue;
    if (left < request) return 0;
    pods = Math.min(pods, Number(left / request));
  }
  return pods;
}

/** Returns how many pods of one footprint a pod of another one displaces at most. */
export function countDisplacedByOne(own: Amounts, other: Amounts): number {
  let most = 0;
  for (const [resource, request] of own) {
    const amount = other.get(resource) ?? 0n;
    if (resource === 'pods' || amount === 0n || request === 0n) continue;
    most = Math.max(most, Number((amount + request - 1n) / request));
  }
  return most;
}

/** Adds to what is left of a node, in place. A resource that it does not list stays unlimited. */
export function addToListed(free: Map<string, bigint>, amounts: Amounts, times = 1n): void {
  for (const [resource, amount] of amounts) {
    const left = free.get(resource);
    if (left !== undefined) free.set(resource, left + amount * times);
  }
}

/** Returns what a number of pods leaves of a node. It may be less than 0. */
export function subtractPods(free: Amounts, footprint: Amounts, pods: number): Amounts {
  if (pods === 0) return free;
  const left = new Map(free);
  addToListed(left, footprint, -BigInt(pods));
  return left;
}

/** Returns amounts with 0 instead of those below. */
export function clampAmounts(amounts: Amounts): Amounts {
  return new Map(Array.from(amounts, ([resource, amount]) => [resource, amount > 0n ? amount : 0n]));
}

/** Returns the maximum of each resource over several nodes. A resource that one of them does not limit is unlimited. */
export function computeMaxOfEach(all: readonly Amounts[]): Amounts {
  const maximum = computeLargest(all);
  for (const resource of BASIC_RESOURCES) if (all.some((free) => !free.has(resource))) maximum.delete(resource);
  return maximum;
}

/**
 * Returns the minimum of each resource over several nodes. A resource that one of them lacks is left out, unless every node has it by
 * default.
 */
export function computeMinOfEach(all: readonly Amounts[]): Amounts {
  const minimum = new Map<string, bigint>();
  for (const free of all) {
    for (const [resource, amount] of free) if (amount < (minimum.get(resource) ?? amount + 1n)) minimum.set(resource, amount);
  }
  for (const resource of minimum.keys()) {
    if (!BASIC_RESOURCES.has(resource) && all.some((free) => !free.has(resource))) minimum.delete(resource);
  }
  return minimum;
}

import { fieldsAt, isFields, listAt } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import { formatNanos, NANOS, nanosOf } from '../../core/quantity';

/** Amounts by resource name, in billionths of a unit. */
export type Amounts = ReadonlyMap<string, bigint>;

/** What a container or pod asks for at least, and what it may use at most. */
export type ResourceKind = 'requests' | 'limits';

function amountsOf(quantities: Fields): Map<string, bigint> {
  const amounts = new Map<string, bigint>();
  for (const [name, quantity] of Object.entries(quantities)) {
    const nanos = nanosOf(quantity);
    if (nanos !== undefined && nanos >= 0n) amounts.set(name, nanos);
  }
  return amounts;
}

/** A request that is left out is the limit. Source: k/k pkg/apis/core/v1/defaults.go, `SetDefaults_Pod`. */
function declaredAmounts(holder: unknown, kind: ResourceKind): Map<string, bigint> {
  const limits = fieldsAt(holder, 'resources', 'limits');
  return amountsOf(kind === 'limits' ? limits : { ...limits, ...fieldsAt(holder, 'resources', 'requests') });
}

/** The resources that a pod may state for itself; any other is passed over. */
const POD_LEVEL = /^(cpu|memory|hugepages-.+)$/;

export function isPodLevel(resource: string): boolean {
  return POD_LEVEL.test(resource);
}

function podLevelAmounts(podSpec: unknown, kind: ResourceKind): Amounts {
  return new Map([...amountsOf(fieldsAt(podSpec, 'resources', kind))].filter(([resource]) => isPodLevel(resource)));
}

function combined(a: Amounts, b: Amounts, combine: (a: bigint, b: bigint) => bigint): Map<string, bigint> {
  const result = new Map(a);
  for (const [name, amount] of b) result.set(name, combine(a.get(name) ?? 0n, amount));
  return result;
}

function sum(a: Amounts, b: Amounts): Map<string, bigint> {
  return combined(a, b, (left, right) => left + right);
}

function greater(a: Amounts, b: Amounts): Map<string, bigint> {
  return combined(a, b, (left, right) => (left > right ? left : right));
}

/** An init container that keeps running beside the others: a sidecar. */
function isSidecar(container: Fields): boolean {
  return container.restartPolicy === 'Always';
}

/**
 * What one pod asks of its node or its quota, by resource name; what is 0 is left out.
 *
 *     containers = sum of all containers and sidecars
 *     start-up   = greatest of: an init container + the sidecars before it
 *     pod        = greater of both, by resource, + overhead
 *
 * Two containers of 1 CPU and an init container of 3: 3 CPU. With a sidecar of 1 before it: 4.
 * `resources` of the pod itself stands instead of the sum where it names a resource. A limit that is 0 or missing has no overhead added.
 *
 * Source: k/k staging/src/k8s.io/component-helpers/resource/helpers.go, `PodRequests` and `PodLimits`.
 */
export function podAmounts(podSpec: unknown, kind: ResourceKind): Amounts {
  let running: Amounts = new Map();
  for (const container of listAt(podSpec, 'containers')) running = sum(running, declaredAmounts(container, kind));

  let sidecars: Amounts = new Map();
  let starting: Amounts = new Map();
  for (const container of listAt(podSpec, 'initContainers').filter(isFields)) {
    const declared = declaredAmounts(container, kind);
    if (isSidecar(container)) {
      running = sum(running, declared);
      sidecars = sum(sidecars, declared);
    } else {
      starting = greater(starting, sum(sidecars, declared));
    }
  }

  const ofContainers = greater(running, starting);
  const ownLimits = podLevelAmounts(podSpec, 'limits');
  const own = podLevelAmounts(podSpec, kind);
  // A limit of the pod itself is its request only where no container asks for that resource, be it for 0.
  const ofPod = new Map([...ownLimits, ...ofContainers, ...own]);
  const overhead = [...amountsOf(fieldsAt(podSpec, 'overhead'))].filter(([name]) => kind === 'requests' || (ofPod.get(name) ?? 0n) > 0n);
  return new Map([...sum(ofPod, new Map(overhead))].filter(([, amount]) => amount > 0n));
}

/** One pod, as capacities and quotas count pods. */
const ONE_POD: Amounts = new Map([['pods', NANOS]]);

/** What one pod takes of a node: its requests, and one place among the pods. */
export function podFootprint(podSpec: unknown): Amounts {
  return sum(podAmounts(podSpec, 'requests'), ONE_POD);
}

const BYTES: ReadonlySet<string> = new Set(['memory', 'ephemeral-storage', 'storage']);

/** Is this an amount of bytes: memory, storage, huge pages? */
export function isBytes(resource: string): boolean {
  const last = resource.slice(Math.max(resource.lastIndexOf('.'), resource.lastIndexOf('/')) + 1);
  return BYTES.has(last) || resource.split(/[./]/).some((part) => part.startsWith('hugepages-'));
}

/** An amount of a resource, for people: `7`, `500m`, `16Gi`. */
export function written(amount: bigint, resource: string): string {
  return formatNanos(amount, isBytes(resource) ? 'bytes' : 'units');
}

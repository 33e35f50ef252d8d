import { getFieldsAt, isFields, getListAt } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import { formatNanos, NANOS_PER_UNIT, parseQuantityNanos } from '../../core/quantity';

/** Amounts by resource name, in billionths of a unit. */
export type Amounts = ReadonlyMap<string, bigint>;

/** What a container or pod asks for at least, and what it may use at most. */
export type ResourceKind = 'requests' | 'limits';

function parseAmounts(quantities: Fields): Map<string, bigint> {
  const amounts = new Map<string, bigint>();
  for (const [name, quantity] of Object.entries(quantities)) {
    const nanos = parseQuantityNanos(quantity);
    if (nanos !== undefined && nanos >= 0n) amounts.set(name, nanos);
  }
  return amounts;
}

/** A request that is left out is the limit. Source: k/k pkg/apis/core/v1/defaults.go, `SetDefaults_Pod`. */
function computeDeclaredAmounts(holder: unknown, kind: ResourceKind): Map<string, bigint> {
  const limits = getFieldsAt(holder, 'resources', 'limits');
  return parseAmounts(kind === 'limits' ? limits : { ...limits, ...getFieldsAt(holder, 'resources', 'requests') });
}

/** The resources that a pod may state for itself; any other is passed over. */
const POD_LEVEL_RESOURCE = /^(cpu|memory|hugepages-.+)$/;

export function isPodLevelResource(resource: string): boolean {
  return POD_LEVEL_RESOURCE.test(resource);
}

function computePodLevelAmounts(podSpec: unknown, kind: ResourceKind): Amounts {
  return new Map([...parseAmounts(getFieldsAt(podSpec, 'resources', kind))].filter(([resource]) => isPodLevelResource(resource)));
}

function mergeAmounts(a: Amounts, b: Amounts, combine: (a: bigint, b: bigint) => bigint): Map<string, bigint> {
  const result = new Map(a);
  for (const [name, amount] of b) result.set(name, combine(a.get(name) ?? 0n, amount));
  return result;
}

function sumAmounts(a: Amounts, b: Amounts): Map<string, bigint> {
  return mergeAmounts(a, b, (left, right) => left + right);
}

function computeMaxAmounts(a: Amounts, b: Amounts): Map<string, bigint> {
  return mergeAmounts(a, b, (left, right) => (left > right ? left : right));
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
export function computePodAmounts(podSpec: unknown, kind: ResourceKind): Amounts {
  let running: Amounts = new Map();
  for (const container of getListAt(podSpec, 'containers')) running = sumAmounts(running, computeDeclaredAmounts(container, kind));

  let sidecars: Amounts = new Map();
  let startupAmounts: Amounts = new Map();
  for (const container of getListAt(podSpec, 'initContainers').filter(isFields)) {
    const declared = computeDeclaredAmounts(container, kind);
    if (isSidecar(container)) {
      running = sumAmounts(running, declared);
      sidecars = sumAmounts(sidecars, declared);
    } else {
      startupAmounts = computeMaxAmounts(startupAmounts, sumAmounts(sidecars, declared));
    }
  }

  const containerAmounts = computeMaxAmounts(running, startupAmounts);
  const ownLimits = computePodLevelAmounts(podSpec, 'limits');
  const own = computePodLevelAmounts(podSpec, kind);
  // A limit of the pod itself is its request only where no container asks for that resource, be it for 0.
  const podLevel = new Map([...ownLimits, ...containerAmounts, ...own]);
  const overhead = [...parseAmounts(getFieldsAt(podSpec, 'overhead'))].filter(
    ([name]) => kind === 'requests' || (podLevel.get(name) ?? 0n) > 0n,
  );
  return new Map([...sumAmounts(podLevel, new Map(overhead))].filter(([, amount]) => amount > 0n));
}

/** One pod, as capacities and quotas count pods. */
const ONE_POD: Amounts = new Map([['pods', NANOS_PER_UNIT]]);

/** What one pod takes of a node: its requests, and one place among the pods. */
export function computePodFootprint(podSpec: unknown): Amounts {
  return sumAmounts(computePodAmounts(podSpec, 'requests'), ONE_POD);
}

const BYTE_RESOURCES: ReadonlySet<string> = new Set(['memory', 'ephemeral-storage', 'storage']);

/** Is this an amount of bytes: memory, storage, huge pages? */
export function isByteResource(resource: string): boolean {
  const last = resource.slice(Math.max(resource.lastIndexOf('.'), resource.lastIndexOf('/')) + 1);
  return BYTE_RESOURCES.has(last) || resource.split(/[./]/).some((part) => part.startsWith('hugepages-'));
}

/** An amount of a resource, for people: `7`, `500m`, `16Gi`. */
export function formatResourceAmount(amount: bigint, resource: string): string {
  return formatNanos(amount, isByteResource(resource) ? 'bytes' : 'units');
}

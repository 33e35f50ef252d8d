import { joinLists } from '../../core/text/join-lists';
import { getFieldsAt, isFields, getListAt } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import { formatNanos, NANOS_PER_UNIT, parseQuantityNanos } from '../../core/values/quantity';
import { addAmounts, computeLargest } from './amounts';
import type { Amounts } from '../../core/values/quantity';
import { toSafeNumber } from '../../core/text/value-text';

/** Whether an amount is the minimum or the maximum of a container or pod. */
export type ResourceKind = 'requests' | 'limits';

function parseAmounts(quantities: Fields): Map<string, bigint> {
  const amounts = new Map<string, bigint>();
  for (const [name, quantity] of Object.entries(quantities)) {
    const nanos = parseQuantityNanos(quantity);
    if (nanos !== undefined && nanos >= 0n) amounts.set(name, nanos);
  }
  return amounts;
}

/**
 * Returns the declared amounts of a container. A missing request defaults to the limit. Source: k/k pkg/apis/core/v1/defaults.go,
 * `SetDefaults_Pod`.
 */
function computeDeclaredAmounts(container: unknown, kind: ResourceKind): Map<string, bigint> {
  const limits = getFieldsAt(container, 'resources', 'limits');
  return parseAmounts(kind === 'limits' ? limits : { ...limits, ...getFieldsAt(container, 'resources', 'requests') });
}

/** Resources that can be set at pod level. Any other is ignored. */
const POD_LEVEL_RESOURCE = /^(cpu|memory|hugepages-.+)$/;

export function isPodLevelResource(resource: string): boolean {
  return POD_LEVEL_RESOURCE.test(resource);
}

function computePodLevelAmounts(podSpec: unknown, kind: ResourceKind): Amounts {
  return new Map([...parseAmounts(getFieldsAt(podSpec, 'resources', kind))].filter(([resource]) => isPodLevelResource(resource)));
}

function sumAmounts(a: Amounts, b: Amounts): Amounts {
  const sum = new Map(a);
  addAmounts(sum, b);
  return sum;
}

/** Reports whether an init container is a sidecar, which keeps running next to the containers. */
function isSidecar(container: Fields): boolean {
  return container.restartPolicy === 'Always';
}

/**
 * Returns what one pod requests of its node or its quota, by resource name. Amounts of 0 are left out.
 *
 *     containers = sum of all containers and sidecars
 *     start-up   = maximum over init containers of: the init container + the sidecars before it
 *     pod        = maximum of both, by resource, + overhead
 *
 * Two containers of 1 CPU and an init container of 3 CPU need 3 CPU, and 4 CPU with a sidecar of 1 CPU before it. Pod-level `resources`
 * replace the sum for the resources that they set. Overhead is not added to a limit that is 0 or missing.
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
      startupAmounts = computeLargest([startupAmounts, sumAmounts(sidecars, declared)]);
    }
  }

  const containerAmounts = computeLargest([running, startupAmounts]);
  const ownLimits = computePodLevelAmounts(podSpec, 'limits');
  const own = computePodLevelAmounts(podSpec, kind);
  // A pod-level limit is the request only if no container requests that resource, even 0 of it.
  const podLevel = new Map([...ownLimits, ...containerAmounts, ...own]);
  const overhead = [...parseAmounts(getFieldsAt(podSpec, 'overhead'))].filter(
    ([name]) => kind === 'requests' || (podLevel.get(name) ?? 0n) > 0n,
  );
  return new Map([...sumAmounts(podLevel, new Map(overhead))].filter(([, amount]) => amount > 0n));
}

/** One pod, in the unit of capacities and quotas. */
const ONE_POD: Amounts = new Map([['pods', NANOS_PER_UNIT]]);

/** Returns what one pod uses of a node: its requests and one pod slot. */
export function computePodFootprint(podSpec: unknown): Amounts {
  return sumAmounts(computePodAmounts(podSpec, 'requests'), ONE_POD);
}

const BYTE_RESOURCES: ReadonlySet<string> = new Set(['memory', 'ephemeral-storage', 'storage']);

/** Reports whether a resource is measured in bytes: memory, storage or huge pages. */
export function isByteResource(resource: string): boolean {
  const last = resource.slice(Math.max(resource.lastIndexOf('.'), resource.lastIndexOf('/')) + 1);
  return BYTE_RESOURCES.has(last) || resource.split(/[./]/).some((part) => part.startsWith('hugepages-'));
}

/** Formats an amount of a resource for display: `7`, `500m`, `16Gi`. */
export function formatResourceAmount(amount: bigint, resource: string): string {
  return formatNanos(amount, isByteResource(resource) ? 'bytes' : 'units');
}

/** Counts the GPUs that a pod requests. Like KubeRay, it counts every resource with a name that ends in `gpu`. */
export function countRequestedGpus(podSpec: Parameters<typeof computePodAmounts>[0]): number {
  let gpus = 0;
  for (const [resource, amount] of computePodAmounts(podSpec, 'requests')) {
    if (resource.endsWith('gpu')) gpus += Number(amount) / Number(NANOS_PER_UNIT);
  }
  return gpus;
}

/**
 * Reports whether a resource comes from a device plugin or similar, such as nvidia.com/gpu: a name with a domain that is not Kubernetes'
 * own.
 */
export function isExtendedResource(name: string): boolean {
  return name.includes('/') && !name.includes('kubernetes.io/');
}

/** Returns the distinct extended resources that a pod requests, sorted by name. */
export function listExtendedResources(podSpec: unknown): string[] {
  const names = new Set<string>();
  for (const container of joinLists(getListAt(podSpec, 'initContainers'), getListAt(podSpec, 'containers'))) {
    if (!isFields(container)) continue;
    for (const kind of ['requests', 'limits']) {
      const amounts = getFieldsAt(container, 'resources', kind);
      for (const name of Object.keys(amounts)) {
        if (isExtendedResource(name) && toSafeNumber(amounts[name]) !== 0) names.add(name);
      }
    }
  }
  return [...names].toSorted();
}

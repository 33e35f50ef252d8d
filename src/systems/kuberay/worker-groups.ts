import { MAX_INT32 } from '../../core/values/int-or-percent';
import { getFieldsAt, isFields, getListAt, getValueAt } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import { parseQuantityNumber } from '../../core/values/quantity';

/** Default of maxReplicas (CRD default), which means no limit. */
const UNLIMITED_REPLICAS = MAX_INT32;

/** A worker group at full capacity. */
export interface WorkerGroup {
  readonly name: string;
  /** Index in workerGroupSpecs. */
  readonly index: number;
  /** Number of replicas at 100% capacity. */
  readonly replicas: number;
  /** Minimum number of replicas that the operator runs. */
  readonly minReplicas: number;
  /** Maximum number of replicas that an autoscaler may create; unset if there is no limit. */
  readonly maxReplicas?: number;
  /** Number of pods of one replica. */
  readonly hosts: number;
  /** Number of pods: replicas × hosts. */
  readonly pods: number;
  /** Template of each pod. */
  readonly template: Fields;
  /** Requests of one pod in base units, by resource name: `{ cpu: 8, 'nvidia.com/gpu': 1 }`. */
  readonly perPod: Readonly<Record<string, number>>;
}

/**
 * Parses the worker groups of a rayClusterConfig that have a known size.
 *
 * A group counts with its `replicas`, or with minReplicas if that is more. If both are 0, the autoscaler adds the replicas,
 * so the group counts with maxReplicas. A group without any of them is omitted.
 */
export function parseWorkerGroups(rayClusterConfig: unknown): WorkerGroup[] {
  return getListAt(rayClusterConfig, 'workerGroupSpecs').flatMap((group, index) => {
    const replicas = computeFullReplicas(group);
    if (replicas === 0) return [];
    const name = getValueAt(group, 'groupName');
    const hosts = readCount(group, 'numOfHosts') || 1;
    const template = getFieldsAt(group, 'template');
    const limit = maxReplicasOf(group);
    return [
      {
        name: typeof name === 'string' ? name : '',
        index,
        replicas,
        minReplicas: Math.min(replicas, readCount(group, 'minReplicas')),
        ...(limit !== undefined && { maxReplicas: Math.max(replicas, limit) }),
        hosts,
        pods: replicas * hosts,
        template,
        perPod: sumPodResources(template),
      },
    ];
  });
}

/**
 * Returns the number of replicas that the surge is a percentage of.
 *
 * If the group has one replica and the autoscaler may add more, this is maxReplicas, because one replica is fully doubled at any surge.
 */
export function resolveSurgeReplicas({ replicas, maxReplicas = 1 }: WorkerGroup, { enableInTreeAutoscaling }: Fields): number {
  return replicas > 1 || enableInTreeAutoscaling !== true ? replicas : Math.max(replicas, maxReplicas);
}

/**
 * Counts the pods of a group while its cluster has this capacity in percent, with one Serve replica per worker: 1 of 5 at 20%.
 *
 * Formula: replicas × percent / 100, rounded half up, at least 1 above 0 percent, and never below minReplicas.
 * For 5 replicas at 30% it is 1.5, rounded up to 2.
 * Sources: Ray Serve, get_capacity_adjusted_num_replicas; KubeRay v1.7.0 `utils/util.go`, GetWorkerGroupDesiredReplicas.
 */
export function countPodsAt({ replicas, minReplicas, hosts }: WorkerGroup, percent: number): number {
  const share = percent === 0 ? 0 : Math.max(1, Math.round((replicas * percent) / 100));
  return Math.max(minReplicas, share) * hosts;
}

/** Returns maxReplicas if it is a limit; undefined if it is missing or unlimited. */
function maxReplicasOf(group: unknown): number | undefined {
  const maxReplicas = getValueAt(group, 'maxReplicas');
  return typeof maxReplicas === 'number' && maxReplicas < UNLIMITED_REPLICAS ? maxReplicas : undefined;
}

function computeFullReplicas(group: unknown): number {
  return Math.max(readCount(group, 'replicas'), readCount(group, 'minReplicas')) || (maxReplicasOf(group) ?? 0);
}

function readCount(group: unknown, field: string): number {
  const value = getValueAt(group, field);
  return typeof value === 'number' ? Math.max(0, value) : 0;
}

/** Sums the requests of a pod's containers. A limit counts as the request if there is none, as Kubernetes defaults it. */
export function sumPodResources(template: unknown): Record<string, number> {
  const sums = new Map<string, number>();
  for (const container of getListAt(template, 'spec', 'containers')) {
    if (!isFields(container)) continue;
    const requests = { ...getFieldsAt(container, 'resources', 'limits'), ...getFieldsAt(container, 'resources', 'requests') };
    for (const [name, quantity] of Object.entries(requests)) {
      // The API server refuses a quantity below 0, so it counts as 0.
      sums.set(name, (sums.get(name) ?? 0) + Math.max(0, parseQuantityNumber(quantity) ?? 0));
    }
  }
  return Object.fromEntries(sums);
}

/** Counts the GPUs in a set of resources. Like KubeRay, it counts every resource with a name that ends in `gpu`. */
export function countGpus(resources: Readonly<Record<string, number>>): number {
  return Object.entries(resources).reduce((gpus, [name, amount]) => (name.endsWith('gpu') ? gpus + amount : gpus), 0);
}

/**
 * Finds the group with the fewest replicas.
 *
 * Groups of one replica count only if there are no others, since any surge gives them a second one.
 */
export function findSmallestGroup(
  groups: readonly WorkerGroup[],
  cluster: Fields,
): { readonly name: string; readonly replicas: number } | undefined {
  const sizes = groups.map((group) => ({ name: group.name, replicas: resolveSurgeReplicas(group, cluster) }));
  const several = sizes.filter(({ replicas }) => replicas > 1);
  const [first, ...others] = several.length > 0 ? several : sizes;
  return first && others.reduce((fewest, group) => (group.replicas < fewest.replicas ? group : fewest), first);
}

/** Returns the smallest maxSurgePercent that is at least one replica of the group: 34 for 3 replicas. */
export function computeOneReplicaSurge(replicas: number): number {
  return Math.ceil(100 / replicas);
}

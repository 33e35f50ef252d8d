import { MAX_INT32 } from '../../core/int-or-percent';
import { getFieldsAt, isFields, getListAt, getValueAt } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import { parseQuantityNumber } from '../../core/quantity';

/** maxReplicas where none is written (CRD default). */
const UNLIMITED_REPLICAS = MAX_INT32;

/** A worker group at full capacity. */
export interface WorkerGroup {
  readonly name: string;
  /** Its place in workerGroupSpecs. */
  readonly index: number;
  /** Replicas of the group that serve at 100 % capacity. */
  readonly replicas: number;
  /** The operator never runs fewer replicas of the group. */
  readonly minReplicas: number;
  /** The most replicas that an autoscaler may make of it; absent where nothing limits them. */
  readonly maxReplicas?: number;
  /** Pods of one replica. */
  readonly hosts: number;
  /** Pods: replicas × hosts. */
  readonly pods: number;
  /** Of each pod. */
  readonly template: Fields;
  /** What one pod asks for, in base units, by resource name: `{ cpu: 8, 'nvidia.com/gpu': 1 }`. */
  readonly perPod: Readonly<Record<string, number>>;
}

/**
 * The worker groups of a rayClusterConfig of whose size something is known.
 *
 * A group counts with its `replicas` (or minReplicas, if that is more); where it has none to begin with, since the autoscaler adds them,
 * with maxReplicas. A group without any of them is left out.
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
 * The replicas of a group that a surge is a share of: those it has, or where it has one alone and the autoscaler may add more,
 * the most that it may have. (One replica comes whole at any surge.)
 */
export function resolveSurgeReplicas({ replicas, maxReplicas = 1 }: WorkerGroup, { enableInTreeAutoscaling }: Fields): number {
  return replicas > 1 || enableInTreeAutoscaling !== true ? replicas : Math.max(replicas, maxReplicas);
}

/**
 * The pods of a group while its cluster has so much capacity in percent, with one Serve replica a worker: 1 of 5 at 20.
 *
 * Formula: replicas × percent / 100, rounded half up, at least 1 above 0 percent, and never below minReplicas.
 * Sources: Ray Serve, get_capacity_adjusted_num_replicas; KubeRay v1.7.0 `utils/util.go`, GetWorkerGroupDesiredReplicas.
 */
export function countPodsAt({ replicas, minReplicas, hosts }: WorkerGroup, percent: number): number {
  const share = percent === 0 ? 0 : Math.max(1, Math.round((replicas * percent) / 100));
  return Math.max(minReplicas, share) * hosts;
}

/** maxReplicas as far as it is a limit; undefined where it is none, or left out. */
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

/** What a pod asks for: the sum over its containers of requests, and of limits where nothing is requested, as Kubernetes fills them in. */
export function sumPodResources(template: unknown): Record<string, number> {
  const sums = new Map<string, number>();
  for (const container of getListAt(template, 'spec', 'containers')) {
    if (!isFields(container)) continue;
    const requests = { ...getFieldsAt(container, 'resources', 'limits'), ...getFieldsAt(container, 'resources', 'requests') };
    for (const [name, quantity] of Object.entries(requests)) {
      // One below 0 is refused, and stands for nothing.
      sums.set(name, (sums.get(name) ?? 0) + Math.max(0, parseQuantityNumber(quantity) ?? 0));
    }
  }
  return Object.fromEntries(sums);
}

/** GPUs among resources, by the names that KubeRay takes for GPUs: those that end in `gpu`. */
export function countGpus(resources: Readonly<Record<string, number>>): number {
  return Object.entries(resources).reduce((gpus, [name, amount]) => (name.endsWith('gpu') ? gpus + amount : gpus), 0);
}

/** The group with the fewest replicas; those of one replica count only where there are no others, for at any surge they have a second one. */
export function findSmallestGroup(
  groups: readonly WorkerGroup[],
  cluster: Fields,
): { readonly name: string; readonly replicas: number } | undefined {
  const sizes = groups.map((group) => ({ name: group.name, replicas: resolveSurgeReplicas(group, cluster) }));
  const several = sizes.filter(({ replicas }) => replicas > 1);
  const [first, ...others] = several.length > 0 ? several : sizes;
  return first && others.reduce((fewest, group) => (group.replicas < fewest.replicas ? group : fewest), first);
}

/** The least maxSurgePercent that is one replica of a group of so many. */
export function computeOneReplicaSurge(replicas: number): number {
  return Math.ceil(100 / replicas);
}

import type { RolloutWorkers, WorkerSize } from '../../core/workers';
import { quantityOf } from '../../core/quantity';
import type { Quantity } from '../../core/quantity';
import { describeValue } from '../../core/seen';
import { readMapBy } from '../../input/given-value';
import { acceleratorsOf, largestGroups, scaleOf } from './accelerators';
import type { ReadRayService } from './ray-service';
import type { PodTemplate, RayClusterSpec, WorkerGroupSpec } from './types';
import type { CapacityRow } from './upgrade-loop';
import { gpusIn, podResources, podsAt, workerGroupsOf } from './worker-groups';
import type { WorkerGroup } from './worker-groups';
import { greatest } from '../../core/extremes';
import { ownValue } from '../../core/manifest';

/** One resource, as the guide's formula takes it. */
export interface ResourceShare {
  /** What one worker pod asks for. */
  readonly perPod: Quantity;
  /** What the whole cluster has, in the same unit. */
  readonly total: Quantity;
}

/** The resources of one worker pod and of the whole cluster, by hand. Each pair is given whole or not at all. */
export interface SurgeByNumbers {
  /** GPUs of one worker pod. @default - not counted */
  readonly gpusPerPod?: number;
  /** GPUs of the whole cluster. @default - not counted */
  readonly totalGpus?: number;
  /** CPUs of one worker pod: `4`, `500m`. @default - not counted */
  readonly cpusPerPod?: Quantity;
  /** CPUs of the whole cluster. @default - not counted */
  readonly totalCpus?: Quantity;
  /** Memory of one worker pod: `16Gi`. @default - not counted */
  readonly memoryPerPod?: Quantity;
  /** Memory of the whole cluster. @default - not counted */
  readonly totalMemory?: Quantity;
  /** Further resources by name: `{ 'example.com/fpga': { perPod: 1, total: 4 } }`. @default - none */
  readonly resources?: Readonly<Record<string, ResourceShare>>;
}

/** One worker pod, and what the whole cluster has of each resource: `{ podTemplate, total: { 'nvidia.com/gpu': 5 } }`. */
export interface SurgeByTemplate {
  /** A worker pod, whose containers say what it asks for. */
  readonly podTemplate: PodTemplate;
  /** What the whole cluster has, by resource; resources that are not named here do not count. */
  readonly total: Readonly<Record<string, Quantity>>;
}

/** A whole Ray cluster, whose worker groups are added up. */
export interface SurgeByCluster {
  /** The cluster as an upgrade takes it: groups count by their pods. Worker templates must be plain data. */
  readonly rayCluster: Omit<RayClusterSpec, 'headGroupSpec' | 'workerGroupSpecs'> & {
    /** The head, which does not count. @default - none */
    readonly headGroupSpec?: unknown;
    /** The worker groups, which are added up. @default - none */
    readonly workerGroupSpecs?: readonly (Omit<WorkerGroupSpec, 'template'> & {
      /** A worker pod. */
      readonly template: unknown;
    })[];
  };
}

/**
 * The least maxSurgePercent that lets one whole worker pod come at a time, 1 to 100.
 *
 * Formula (KubeRay guide, "Calculating maxSurgePercent"): resources of one pod / resources of the cluster × 100, rounded up,
 * and the largest over all resources. One pod of 1 GPU in 5 is 20; with 8 CPUs of 16 as well it is 50. The new head pod comes on top.
 *
 * @throws RangeError when nothing to count is given, when one half of a pair is missing, or when a pod asks for more than there is
 */
export function safeMaxSurgePercent(input: SurgeByNumbers | SurgeByTemplate | SurgeByCluster): number {
  const shares = sharesOf(readMapBy('safeMaxSurgePercent', input));
  if (shares.length === 0) {
    throw new RangeError(
      'safeMaxSurgePercent has nothing to count: give gpusPerPod and totalGpus, a podTemplate with total, ' +
        'or a rayCluster whose workers ask for resources.',
    );
  }
  return greatest(
    shares.map(([name, share]) => percentOfTotal(name, share)),
    1,
  );
}

type NamedShare = readonly [name: string, share: { readonly perPod: unknown; readonly total: unknown }];

function sharesOf(input: SurgeByNumbers | SurgeByTemplate | SurgeByCluster): NamedShare[] {
  if ('rayCluster' in input) return clusterShares(input.rayCluster);
  if ('podTemplate' in input) {
    const perPod = podResources(input.podTemplate);
    return Object.entries(input.total).map(([name, total]) => [name, { perPod: ownValue(perPod, name) ?? 0, total }]);
  }
  const pairs: NamedShare[] = [
    ['GPUs', { perPod: input.gpusPerPod, total: input.totalGpus }],
    ['CPUs', { perPod: input.cpusPerPod, total: input.totalCpus }],
    ['memory', { perPod: input.memoryPerPod, total: input.totalMemory }],
    ...Object.entries(input.resources ?? {}),
  ];
  return pairs.filter(([, { perPod, total }]) => perPod !== undefined || total !== undefined);
}

function clusterShares(rayCluster: SurgeByCluster['rayCluster']): NamedShare[] {
  const groups = workerGroupsOf(rayCluster);
  const names = new Set(groups.flatMap((group) => Object.keys(group.perPod)));
  return [...names].map((name) => [
    name,
    {
      perPod: greatest(groups.map((group) => ownValue(group.perPod, name) ?? 0)),
      total: groups.reduce((total, group) => total + group.pods * (ownValue(group.perPod, name) ?? 0), 0),
    },
  ]);
}

function percentOfTotal(name: string, share: { readonly perPod: unknown; readonly total: unknown }): number {
  const perPod = quantityOf(share.perPod);
  const total = quantityOf(share.total);
  if (perPod === undefined || total === undefined || perPod < 0 || total <= 0 || perPod > total) {
    throw new RangeError(
      `${name}: one pod has ${describeValue(share.perPod)} and the cluster ${describeValue(share.total)}. ` +
        'Give both, as numbers or quantities such as "500m" and "16Gi", the pod\'s not above the cluster\'s.',
    );
  }
  // Binary fractions (1.1 of 5.5) must not push a whole percentage over the next one.
  return Math.ceil(Number(((perPod * 100) / total).toFixed(9)));
}

/** Worker pods and their GPUs. */
export interface ClusterSize {
  readonly pods: number;
  readonly gpus: number;
}

/** The worker pods of a Ray cluster at a capacity in percent, with one Serve replica a worker: 1 of 5 at 20. */
export function sizeAt(rayClusterConfig: unknown, percent: number): ClusterSize {
  return sizeOf(workerGroupsOf(rayClusterConfig), percent);
}

function sizeOf(groups: readonly WorkerGroup[], percent: number): ClusterSize {
  const size = { pods: 0, gpus: 0 };
  for (const group of groups) {
    const pods = podsAt(group, percent);
    size.pods += pods;
    size.gpus += pods * gpusIn(group.perPod);
  }
  return size;
}

/**
 * What the second cluster of an upgrade means in worker pods and GPUs, at the worst of its rows: of 5 pods with a GPU each 1 and 1 at 20 %.
 */
export function surgeSize(groups: readonly WorkerGroup[], rows: readonly CapacityRow[]): WorkerSize {
  const whole = sizeOf(groups, 100);
  const most = { ...whole };
  for (const { activeTargetCapacity, pendingTargetCapacity } of rows) {
    const active = sizeOf(groups, activeTargetCapacity);
    const pending = sizeOf(groups, pendingTargetCapacity);
    most.pods = Math.max(most.pods, active.pods + pending.pods);
    most.gpus = Math.max(most.gpus, active.gpus + pending.gpus);
  }
  return { ...whole, surgePods: most.pods - whole.pods, surgeGpus: most.gpus - whole.gpus };
}

function sizeWithAccelerators(groups: readonly WorkerGroup[], rows: readonly CapacityRow[]): WorkerSize {
  const accelerators = acceleratorsOf(groups, rows);
  return { ...surgeSize(groups, rows), ...(accelerators.length > 0 && { accelerators }) };
}

/** What the second cluster means in worker pods, as written and as the autoscaler may have it; undefined where nothing is known of them. */
export function workersOf({ cluster, groups }: ReadRayService, rows: readonly CapacityRow[]): RolloutWorkers | undefined {
  if (groups.length === 0) return undefined;
  const scale = scaleOf(cluster, groups);
  return {
    ...sizeWithAccelerators(groups, rows),
    ...(scale !== 'fixed' && { autoscaled: true as const }),
    ...(scale === 'up-to' && { most: sizeWithAccelerators(largestGroups(groups), rows) }),
  };
}

import type { RolloutWorkers, WorkerSize } from '../../core/pod-group-size';
import { parseQuantityNumber } from '../../core/quantity';
import type { Quantity } from '../../core/quantity';
import { describeValue } from '../../core/display-value';
import { readPropsMapOf } from '../../input/read-props';
import { computeAccelerators, scaleGroupsToMax, determineClusterScale } from './accelerators';
import type { ParsedRayService } from './ray-service';
import type { PodTemplate, RayClusterSpec, WorkerGroupSpec } from './types';
import type { CapacityRow } from './upgrade-loop';
import { countGpus, sumPodResources, countPodsAt, parseWorkerGroups } from './worker-groups';
import type { WorkerGroup } from './worker-groups';
import { findMax } from '../../core/min-max';
import { getOwnValue } from '../../core/manifest';

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
  const shares = collectResourceShares(readPropsMapOf('safeMaxSurgePercent', input));
  if (shares.length === 0) {
    throw new RangeError(
      'safeMaxSurgePercent has nothing to count: give gpusPerPod and totalGpus, a podTemplate with total, ' +
        'or a rayCluster whose workers ask for resources.',
    );
  }
  return findMax(
    shares.map(([name, share]) => computePercentOfTotal(name, share)),
    1,
  );
}

type NamedShare = readonly [name: string, share: { readonly perPod: unknown; readonly total: unknown }];

function collectResourceShares(input: SurgeByNumbers | SurgeByTemplate | SurgeByCluster): NamedShare[] {
  if ('rayCluster' in input) return computeClusterShares(input.rayCluster);
  if ('podTemplate' in input) {
    const perPod = sumPodResources(input.podTemplate);
    return Object.entries(input.total).map(([name, total]) => [name, { perPod: getOwnValue(perPod, name) ?? 0, total }]);
  }
  const pairs: NamedShare[] = [
    ['GPUs', { perPod: input.gpusPerPod, total: input.totalGpus }],
    ['CPUs', { perPod: input.cpusPerPod, total: input.totalCpus }],
    ['memory', { perPod: input.memoryPerPod, total: input.totalMemory }],
    ...Object.entries(input.resources ?? {}),
  ];
  return pairs.filter(([, { perPod, total }]) => perPod !== undefined || total !== undefined);
}

function computeClusterShares(rayCluster: SurgeByCluster['rayCluster']): NamedShare[] {
  const groups = parseWorkerGroups(rayCluster);
  const names = new Set(groups.flatMap((group) => Object.keys(group.perPod)));
  return [...names].map((name) => [
    name,
    {
      perPod: findMax(groups.map((group) => getOwnValue(group.perPod, name) ?? 0)),
      total: groups.reduce((total, group) => total + group.pods * (getOwnValue(group.perPod, name) ?? 0), 0),
    },
  ]);
}

function computePercentOfTotal(name: string, share: { readonly perPod: unknown; readonly total: unknown }): number {
  const perPod = parseQuantityNumber(share.perPod);
  const total = parseQuantityNumber(share.total);
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
export function computeClusterSize(rayClusterConfig: unknown, percent: number): ClusterSize {
  return sumGroupSizes(parseWorkerGroups(rayClusterConfig), percent);
}

function sumGroupSizes(groups: readonly WorkerGroup[], percent: number): ClusterSize {
  const size = { pods: 0, gpus: 0 };
  for (const group of groups) {
    const pods = countPodsAt(group, percent);
    size.pods += pods;
    size.gpus += pods * countGpus(group.perPod);
  }
  return size;
}

/**
 * What the second cluster of an upgrade means in worker pods and GPUs, at the worst of its rows: of 5 pods with a GPU each 1 and 1 at 20 %.
 */
export function computeSurgeSize(groups: readonly WorkerGroup[], rows: readonly CapacityRow[]): WorkerSize {
  const full = sumGroupSizes(groups, 100);
  const peak = { ...full };
  for (const { activeTargetCapacity, pendingTargetCapacity } of rows) {
    const active = sumGroupSizes(groups, activeTargetCapacity);
    const pending = sumGroupSizes(groups, pendingTargetCapacity);
    peak.pods = Math.max(peak.pods, active.pods + pending.pods);
    peak.gpus = Math.max(peak.gpus, active.gpus + pending.gpus);
  }
  return { ...full, surgePods: peak.pods - full.pods, surgeGpus: peak.gpus - full.gpus };
}

function computeSizeWithAccelerators(groups: readonly WorkerGroup[], rows: readonly CapacityRow[]): WorkerSize {
  const accelerators = computeAccelerators(groups, rows);
  return { ...computeSurgeSize(groups, rows), ...(accelerators.length > 0 && { accelerators }) };
}

/** What the second cluster means in worker pods, as written and as the autoscaler may have it; undefined where nothing is known of them. */
export function computeRolloutWorkers({ cluster, groups }: ParsedRayService, rows: readonly CapacityRow[]): RolloutWorkers | undefined {
  if (groups.length === 0) return undefined;
  const scale = determineClusterScale(cluster, groups);
  return {
    ...computeSizeWithAccelerators(groups, rows),
    ...(scale !== 'fixed' && { autoscaled: true as const }),
    ...(scale === 'up-to' && { maximum: computeSizeWithAccelerators(scaleGroupsToMax(groups), rows) }),
  };
}

import { describeValue } from '../core/text/display-value';
import { getOwnValue } from '../core/manifest/manifest';
import { findMax } from '../core/values/min-max';
import { parseQuantityNumber } from '../core/values/quantity';
import type { Quantity } from '../core/values/quantity';
import { ANY } from '../core/values/schema';
import type { SchemasFor } from '../core/values/schema';
import { readPropsMapOf } from '../input/read-props';
import type { PodTemplate, RayClusterSpec, WorkerGroupSpec } from '../systems/kuberay/types';
import { parseWorkerGroups, sumPodResources } from '../systems/kuberay/worker-groups';
import { locateErrors } from './call-site';
import { findUnknownProps } from './validate-props';

/** Amounts of one resource for the guide's formula. */
export interface ResourceShare {
  /** Amount that one worker pod requests. */
  readonly perPod: Quantity;
  /** Amount in the entire cluster, in the same unit. */
  readonly total: Quantity;
}

/** The resources of one worker pod and of the entire cluster, as numbers. Set both values of a pair or neither. */
export interface SurgeByNumbers {
  /** GPUs of one worker pod. @default - not counted */
  readonly gpusPerPod?: number;
  /** GPUs of the entire cluster. @default - not counted */
  readonly totalGpus?: number;
  /** CPUs of one worker pod: `4`, `500m`. @default - not counted */
  readonly cpusPerPod?: Quantity;
  /** CPUs of the entire cluster. @default - not counted */
  readonly totalCpus?: Quantity;
  /** Memory of one worker pod: `16Gi`. @default - not counted */
  readonly memoryPerPod?: Quantity;
  /** Memory of the entire cluster. @default - not counted */
  readonly totalMemory?: Quantity;
  /** Further resources by name: `{ 'example.com/fpga': { perPod: 1, total: 4 } }`. @default - none */
  readonly resources?: Readonly<Record<string, ResourceShare>>;
}

/** One worker pod and the cluster's total of each resource: `{ podTemplate, total: { 'nvidia.com/gpu': 5 } }`. */
export interface SurgeByTemplate {
  /** A worker pod. Its requests are the sum over its containers. */
  readonly podTemplate: PodTemplate;
  /** Amount in the entire cluster, by resource. Resources that are not listed do not count. */
  readonly total: Readonly<Record<string, Quantity>>;
}

/** A full Ray cluster. Its worker groups are added up. */
export interface SurgeByCluster {
  /** The cluster of an upgrade. Groups count with their pods. Worker templates must be plain data. */
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

/** The props of all forms. */
const SURGE_PROPS = {
  gpusPerPod: ANY,
  totalGpus: ANY,
  cpusPerPod: ANY,
  totalCpus: ANY,
  memoryPerPod: ANY,
  totalMemory: ANY,
  resources: ANY,
  podTemplate: ANY,
  total: ANY,
  rayCluster: ANY,
} satisfies SchemasFor<SurgeByNumbers & SurgeByTemplate & SurgeByCluster>;

/**
 * Returns the smallest maxSurgePercent, 1 to 100, that adds at least one worker pod at a time.
 *
 * Formula (KubeRay guide, "Calculating maxSurgePercent"): resources of one pod / resources of the cluster × 100, rounded up,
 * and the maximum over all resources. One pod with 1 of 5 GPUs is 20; if it also has 8 of 16 CPUs, it is 50. The new head pod is extra.
 *
 * @throws RangeError if there is nothing to count, if one value of a pair is missing, or if a pod requests more than the total
 */
export function safeMaxSurgePercent(input: SurgeByNumbers | SurgeByTemplate | SurgeByCluster): number {
  return locateErrors(() => {
    const read = readPropsMapOf('safeMaxSurgePercent', input);
    const [unknown] = findUnknownProps(read, SURGE_PROPS);
    if (unknown !== undefined) throw new RangeError(`safeMaxSurgePercent: ${unknown}`);
    const shares = collectResourceShares(read);
    const percents = shares.map(([name, share]) => computePercentOfTotal(name, share));
    if (percents.every((percent) => percent === 0)) {
      throw new RangeError(
        'safeMaxSurgePercent has nothing to count: pass gpusPerPod and totalGpus, a podTemplate with total, ' +
          'or a rayCluster with workers that request resources.',
      );
    }
    return findMax(percents, 1);
  });
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
        'Pass both, as numbers or quantities such as "500m" and "16Gi"; the pod must not have more than the cluster.',
    );
  }
  // Floating-point error (1.1 of 5.5) must not round an integer percentage up to the next one.
  return Math.ceil(Number(((perPod * 100) / total).toFixed(9)));
}

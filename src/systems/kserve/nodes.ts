import { toFieldPath } from '../../core/manifest/field-path';
import { getFieldsAt, isFields, getValueAt } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import { parseLimitedJson } from '../../core/values/levels';
import { parseQuantityNumber } from '../../core/values/quantity';

export const GPU_TYPES_ANNOTATION = 'serving.kserve.io/gpu-resource-types';
export const GPU_TYPES_PATH = toFieldPath`metadata.annotations[${GPU_TYPES_ANNOTATION}]`;
const GPU_TYPES = ['nvidia.com/gpu', 'amd.com/gpu', 'intel.com/gpu', 'habana.ai/gaudi'] as const;

/** Returns the resource names that KServe treats as GPUs; undefined if the annotation is not a list of names, which the webhook refuses. */
export function listGpuTypes(annotations: Fields): readonly string[] | undefined {
  const text = annotations[GPU_TYPES_ANNOTATION];
  if (typeof text !== 'string' || text === '') return GPU_TYPES;
  try {
    const names: unknown = parseLimitedJson(text);
    const isList = Array.isArray(names) && names.length > 0 && names.every((name) => typeof name === 'string' && name !== '');
    return isList ? [...GPU_TYPES, ...(names as string[])] : undefined;
  } catch {
    return undefined;
  }
}

/** The GPUs of one container: their resource name and count. */
export interface Gpus {
  readonly type: string;
  /** The count; 0 if the service sets none. */
  readonly count: number;
}

/**
 * Returns the GPUs that a container requests, its limit before its request; none of the first type if it requests none.
 *
 * @param containers - the service's container, then the serving runtime's, whose resources apply if the service has none
 */
export function findGpus(containers: readonly unknown[], types: readonly string[]): Gpus {
  const resources = containers.flatMap((container) => ['limits', 'requests'].map((kind) => getFieldsAt(container, 'resources', kind)));
  for (const quantities of resources) {
    const type = types.find((name) => quantities[name] !== undefined);
    if (type !== undefined) return { type, count: Math.ceil(parseQuantityNumber(quantities[type]) ?? 0) };
  }
  return { type: types[0]!, count: 0 };
}

/** The nodes of a multinode predictor, and the GPUs that KServe gives to each. */
export interface MultinodeNodes {
  /** The number of nodes: the head and its workers. */
  readonly count: number;
  readonly headGpus: number;
  /** The GPUs of each worker; 0 if the head is sufficient. */
  readonly workerGpus: number;
}

/** The GPU demand of a predictor's parallelism and its containers. */
export interface NodeDemand {
  /** The total number of GPUs: pipelineParallelSize × tensorParallelSize. */
  readonly total: number;
  /** The GPUs of the head and of one worker as written; 0 if not set. */
  readonly head: number;
  readonly worker: number;
}

/**
 * Computes the nodes and GPUs with Ray, which is the default.
 *
 * - Workers with GPUs: `count = ceil(total / worker)`, or 1 if the head has enough GPUs. A head without GPUs gets the remaining ones. 8 in
 *   total, workers of 2: 4 nodes with 2 each.
 * - Head with GPUs, workers without: workers of one GPU provide what the head lacks. 8 in total, head 2: 7 nodes.
 * - Neither: one GPU per node.
 *
 * `computeGpuShortage` checks whether the result is enough for `total`.
 *
 * Source: KServe, components/predictor.go, `computeRayNodeAndGPUs`.
 */
export function computeRayNodes({ total, head, worker }: NodeDemand): MultinodeNodes {
  if (worker > 0) {
    const count = head > 0 && head >= total ? 1 : Math.ceil(total / worker);
    if (count === 1) return { count, headGpus: total, workerGpus: 0 };
    return { count, headGpus: head > 0 ? head : total - worker * (count - 1), workerGpus: worker };
  }
  if (head > 0) return { count: Math.max(0, total - head) + 1, headGpus: head, workerGpus: 1 };
  return { count: total, headGpus: 1, workerGpus: 1 };
}

/**
 * Computes the nodes and GPUs with the executor backend `mp`: one node per pipeline stage, with the GPUs that share a layer.
 * Source: KServe, components/predictor.go, `computeMpNodeAndGPUs`.
 */
export function computeMultiprocessingNodes(pipelineParallelSize: number, tensorParallelSize: number): MultinodeNodes {
  return { count: pipelineParallelSize, headGpus: tensorParallelSize, workerGpus: tensorParallelSize };
}

/** The GPUs that a predictor needs, and the GPUs of its nodes. */
export interface GpuShortage {
  readonly total: number;
  readonly headGpus: number;
  /** The GPUs of all workers together. */
  readonly workerGpus: number;
}

/**
 * Returns the shortage if the nodes have fewer GPUs than the parallelism needs, which the controller refuses; undefined if they have
 * enough.
 */
export function computeGpuShortage({ total }: NodeDemand, { count, headGpus, workerGpus }: MultinodeNodes): GpuShortage | undefined {
  const totalWorkerGpus = workerGpus * (count - 1);
  return total <= headGpus + totalWorkerGpus ? undefined : { total, headGpus, workerGpus: totalWorkerGpus };
}

/** Returns a container with the GPUs that KServe writes into it. */
export function withGpus(container: Fields, { type }: Gpus, count: number): Fields {
  const resources = getFieldsAt(container, 'resources');
  const quantity = { [type]: String(count) };
  return {
    ...container,
    resources: {
      ...resources,
      limits: { ...getFieldsAt(resources, 'limits'), ...quantity },
      requests: { ...getFieldsAt(resources, 'requests'), ...quantity },
    },
  };
}

const NON_GPU_RESOURCES = ['cpu', 'memory', 'storage', 'ephemeral-storage'] as const;

/**
 * Returns the resources of a container that KServe treats neither as GPUs nor as plain resources. A multinode service must not have any.
 */
export function listUnknownResources(container: unknown, types: readonly string[]): string[] {
  const resources = getValueAt(container, 'resources');
  if (!isFields(resources)) return [];
  const names = ['limits', 'requests'].flatMap((kind) => Object.keys(getFieldsAt(resources, kind)));
  return [...new Set(names)].filter((name) => !types.includes(name) && !NON_GPU_RESOURCES.some((plain) => plain === name));
}

import { toFieldPath } from '../../core/field-path';
import { getFieldsAt, isFields, getValueAt } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import { parseQuantityNumber } from '../../core/quantity';

export const GPU_TYPES_ANNOTATION = 'serving.kserve.io/gpu-resource-types';
export const GPU_TYPES_PATH = toFieldPath`metadata.annotations[${GPU_TYPES_ANNOTATION}]`;
const GPU_TYPES = ['nvidia.com/gpu', 'amd.com/gpu', 'intel.com/gpu', 'habana.ai/gaudi'] as const;

/** The resource names that KServe takes for GPUs; undefined where the annotation is not a list of names, which the webhook refuses. */
export function listGpuTypes(annotations: Fields): readonly string[] | undefined {
  const text = annotations[GPU_TYPES_ANNOTATION];
  if (typeof text !== 'string' || text === '') return GPU_TYPES;
  try {
    const names: unknown = JSON.parse(text);
    const isList = Array.isArray(names) && names.length > 0 && names.every((name) => typeof name === 'string' && name !== '');
    return isList ? [...GPU_TYPES, ...(names as string[])] : undefined;
  } catch {
    return undefined;
  }
}

/** GPUs of one container: under which name, and how many. */
export interface Gpus {
  readonly type: string;
  /** 0 where the service says none. */
  readonly count: number;
}

/**
 * The GPUs that a container asks for, its limit before its request; none of the first type where it asks for none.
 *
 * @param containers the service's container, then the serving runtime's, whose resources hold where the service has none
 */
export function findGpus(containers: readonly unknown[], types: readonly string[]): Gpus {
  const resources = containers.flatMap((container) => ['limits', 'requests'].map((kind) => getFieldsAt(container, 'resources', kind)));
  for (const quantities of resources) {
    const type = types.find((name) => quantities[name] !== undefined);
    if (type !== undefined) return { type, count: Math.ceil(parseQuantityNumber(quantities[type]) ?? 0) };
  }
  return { type: types[0]!, count: 0 };
}

/** The nodes of a multinode predictor and the GPUs that KServe gives to each. */
export interface MultinodeNodes {
  /** The head and its workers. */
  readonly count: number;
  readonly headGpus: number;
  /** Of each worker; 0 when the head is enough. */
  readonly workerGpus: number;
}

/** What a predictor's parallelism and its containers ask for. */
export interface NodeDemand {
  /** GPUs in all: pipelineParallelSize × tensorParallelSize. */
  readonly total: number;
  /** GPUs of the head and of one worker as written; 0 where nothing is. */
  readonly head: number;
  readonly worker: number;
}

/**
 * Nodes and GPUs with Ray, which is the default.
 *
 * - Workers with GPUs: `count = ceil(total / worker)`, and 1 where the head alone has enough; a head without GPUs takes what is left
 *   over. 8 in all, workers of 2: 4 nodes with 2 each.
 * - Head with GPUs, workers without: what the head lacks goes to workers of one GPU. 8 in all, head 2: 7 nodes.
 * - Neither: one GPU a node.
 *
 * Whether that is enough for `total` is for `gpuShortage` to say.
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
 * Nodes and GPUs with the executor backend `mp`: a node for each stage of the pipeline, with the GPUs that share a layer.
 * Source: KServe, components/predictor.go, `computeMpNodeAndGPUs`.
 */
export function computeMultiprocessingNodes(pipelineParallelSize: number, tensorParallelSize: number): MultinodeNodes {
  return { count: pipelineParallelSize, headGpus: tensorParallelSize, workerGpus: tensorParallelSize };
}

/** GPUs that a predictor needs, and that its nodes have. */
export interface GpuShortage {
  readonly total: number;
  readonly headGpus: number;
  /** Of all workers together. */
  readonly workerGpus: number;
}

/** The nodes that have fewer GPUs than the parallelism needs, which the controller refuses; undefined where they have enough. */
export function computeGpuShortage({ total }: NodeDemand, { count, headGpus, workerGpus }: MultinodeNodes): GpuShortage | undefined {
  const ofWorkers = workerGpus * (count - 1);
  return total <= headGpus + ofWorkers ? undefined : { total, headGpus, workerGpus: ofWorkers };
}

/** A container with the GPUs that KServe writes into it. */
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

/** The resources of a container that KServe takes neither for GPUs nor for plain ones, which a multinode service may not have. */
export function listUnknownResources(container: unknown, types: readonly string[]): string[] {
  const resources = getValueAt(container, 'resources');
  if (!isFields(resources)) return [];
  const names = ['limits', 'requests'].flatMap((kind) => Object.keys(getFieldsAt(resources, kind)));
  return [...new Set(names)].filter((name) => !types.includes(name) && !NON_GPU_RESOURCES.some((plain) => plain === name));
}

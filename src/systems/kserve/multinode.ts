import { isInt32 } from '../../core/values/int-or-percent';
import { getFieldsAt, isFields, getListAt } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import { findGpus, listGpuTypes, computeMultiprocessingNodes, computeRayNodes } from './nodes';
import type { Gpus, NodeDemand, MultinodeNodes } from './nodes';
import { findRuntimeContainer, usesMultiprocessing } from './runtime';
import { MODEL_CONTAINER, modelContainerOf, WORKER_CONTAINER } from './service';
import type { KserveService } from './service';

/** The nodes of a multinode predictor as the controller computes them. */
export interface Multinode {
  readonly demand: NodeDemand;
  readonly nodes: MultinodeNodes;
  readonly headGpus: Gpus;
  readonly worker: Fields;
  readonly workerGpus: Gpus;
}

/** Computes the nodes of a multinode predictor. Sizes and GPUs that the service does not set come from its runtime. */
export function resolveMultinode({ annotations, predictor }: KserveService, workerSpec: Fields, runtime: Fields): Multinode {
  const types = listGpuTypes(annotations) ?? listGpuTypes({})!;
  const runtimeWorker = getFieldsAt(runtime, 'workerSpec');
  // The webhook refuses a size below 1. Until that is fixed, treat it as omitted.
  const readSize = (field: string) => [workerSpec[field], runtimeWorker[field]].filter(isInt32).find((value) => value >= 1) ?? 1;
  const pipeline = readSize('pipelineParallelSize');
  const tensor = readSize('tensorParallelSize');
  const worker = getListAt(workerSpec, 'containers').find(isFields) ?? {};
  const headGpus = findGpus([modelContainerOf(predictor), findRuntimeContainer(runtime, MODEL_CONTAINER)], types);
  const workerGpus = findGpus([worker, findRuntimeContainer(runtimeWorker, WORKER_CONTAINER)], types);
  const demand = { total: pipeline * tensor, head: headGpus.count, worker: workerGpus.count };
  const nodes = usesMultiprocessing(runtime) ? computeMultiprocessingNodes(pipeline, tensor) : computeRayNodes(demand);
  return { demand, nodes, headGpus, worker: { ...workerSpec, containers: [{ name: WORKER_CONTAINER, ...worker }] }, workerGpus };
}

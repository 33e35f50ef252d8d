import { isInt32 } from '../../core/int-or-percent';
import { fieldsAt, isFields, listAt } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import { gpusOf, gpuTypesOf, mpNodes, rayNodes } from './nodes';
import type { Gpus, NodeDemand, Nodes } from './nodes';
import { runtimeContainerOf, usesMultiprocessing } from './runtime';
import { MODEL_CONTAINER, modelContainerOf, WORKER_CONTAINER } from './service';
import type { Service } from './service';

/** What the controller works out for a multinode predictor. */
export interface Multinode {
  readonly demand: NodeDemand;
  readonly nodes: Nodes;
  readonly headGpus: Gpus;
  readonly worker: Fields;
  readonly workerGpus: Gpus;
}

/** The nodes of a multinode predictor, with the sizes and GPUs of its runtime where the service has none. */
export function multinodeOf({ annotations, predictor }: Service, workerSpec: Fields, runtime: Fields): Multinode {
  const types = gpuTypesOf(annotations) ?? gpuTypesOf({})!;
  const runtimeWorker = fieldsAt(runtime, 'workerSpec');
  // The webhook refuses a size below 1; until that is mended, it counts as left out.
  const size = (field: string) => [workerSpec[field], runtimeWorker[field]].filter(isInt32).find((value) => value >= 1) ?? 1;
  const pipeline = size('pipelineParallelSize');
  const tensor = size('tensorParallelSize');
  const worker = listAt(workerSpec, 'containers').find(isFields) ?? {};
  const headGpus = gpusOf([modelContainerOf(predictor), runtimeContainerOf(runtime, MODEL_CONTAINER)], types);
  const workerGpus = gpusOf([worker, runtimeContainerOf(runtimeWorker, WORKER_CONTAINER)], types);
  const demand = { total: pipeline * tensor, head: headGpus.count, worker: workerGpus.count };
  const nodes = usesMultiprocessing(runtime) ? mpNodes(pipeline, tensor) : rayNodes(demand);
  return { demand, nodes, headGpus, worker: { ...workerSpec, containers: [{ name: WORKER_CONTAINER, ...worker }] }, workerGpus };
}

import { at, childPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Finding } from '../../core/finding';
import { isInt32 } from '../../core/int-or-percent';
import { listAt } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import { seen } from '../../core/seen';
import { multinodeOf } from './multinode';
import { GPU_TYPES_ANNOTATION, GPU_TYPES_PATH, gpuShortage, gpuTypesOf, unknownResourcesOf } from './nodes';
import type { NodeDemand, Nodes } from './nodes';
import { invalidService } from './rules/invalid-service';
import { AUTOSCALER_CLASS_ANNOTATION, AUTOSCALER_CLASS_PATH, modelOf, variableOf } from './service';
import type { Service } from './service';

const MULTINODE_STORAGE = ['pvc', 'oci'] as const;
const PARALLELISM_VARIABLES = ['PIPELINE_PARALLEL_SIZE', 'TENSOR_PARALLEL_SIZE'] as const;
const PARALLELISM_FIELDS = ['pipelineParallelSize', 'tensorParallelSize'] as const;

const WORKER_PATH = at`spec.predictor.workerSpec`;
const MODEL_PATH = at`spec.predictor.model`;

/** What the webhook refuses in a multinode predictor. Source: KServe 0.16 to 0.20, inference_service_validation.go. */
export function multinodeFindings(service: Service): Finding[] {
  const { workerSpec } = service;
  if (!workerSpec) return [];
  const containers = listAt(workerSpec, 'containers');
  return [
    ...workerContainerFindings(containers.length),
    ...modelFindings(service),
    ...parallelismFindings(workerSpec),
    ...containers.flatMap((container, index) => gpuTypeFindings(container, service, at`${WORKER_PATH}.containers[${index}]`)),
  ];
}

function workerContainerFindings(count: number): Finding[] {
  return count > 1 ? [invalidService.finding('workerContainers', { path: at`${WORKER_PATH}.containers`, data: { count } })] : [];
}

/** What the webhook wants of the model of a multinode predictor; it asks nothing of a custom container. */
function modelFindings(service: Service): Finding[] {
  const model = modelOf(service.predictor);
  if (model === undefined) return [];
  const variables = PARALLELISM_VARIABLES.filter((name) => variableOf(model, name) !== undefined);
  return [
    ...variables.map((variable) => invalidService.finding('parallelismVariable', { path: at`${MODEL_PATH}.env`, data: { variable } })),
    ...gpuTypeFindings(model, service, MODEL_PATH),
    ...storageFindings(model.storageUri),
    ...autoscalerFindings(service.annotations[AUTOSCALER_CLASS_ANNOTATION]),
  ];
}

function storageFindings(storageUri: unknown): Finding[] {
  const path = at`${MODEL_PATH}.storageUri`;
  if (typeof storageUri !== 'string') return [invalidService.finding('noStorage', { path, data: {} })];
  const [protocol = ''] = storageUri.split('://');
  if (MULTINODE_STORAGE.some((name) => name === protocol)) return [];
  return [invalidService.finding('storageProtocol', { path, data: { protocol } })];
}

function autoscalerFindings(value: unknown): Finding[] {
  if (value === 'none') return [];
  const data = { class: typeof value === 'string' ? value : '' };
  return [invalidService.finding('multinodeAutoscaler', { path: AUTOSCALER_CLASS_PATH, data })];
}

function parallelismFindings(workerSpec: Fields): Finding[] {
  return PARALLELISM_FIELDS.flatMap((field) => {
    const value = workerSpec[field];
    if (!isInt32(value) || value >= 1) return [];
    return [invalidService.finding('parallelism', { path: childPath(WORKER_PATH, field), data: { field, value } })];
  });
}

function gpuTypeFindings(container: unknown, { annotations }: Service, path: FieldPath): Finding[] {
  const types = gpuTypesOf(annotations);
  if (types === undefined) {
    const data = { value: seen(annotations[GPU_TYPES_ANNOTATION]) };
    return [invalidService.finding('gpuTypes', { path: GPU_TYPES_PATH, data })];
  }
  return unknownResourcesOf(container, types).map((resource) =>
    invalidService.finding('unknownGpuType', { path: childPath(path, 'resources'), data: { resource } }),
  );
}

/** The controller's refusal of nodes that have fewer GPUs than the parallelism needs. */
export function gpuFindings(demand: NodeDemand, nodes: Nodes): Finding[] {
  const shortage = gpuShortage(demand, nodes);
  return shortage ? [invalidService.finding('tooFewGpus', { path: WORKER_PATH, data: shortage })] : [];
}

/** The same for the nodes of a multinode predictor. */
export function nodeFindings(service: Service, runtime: Fields): Finding[] {
  if (!service.workerSpec) return [];
  const { demand, nodes } = multinodeOf(service, service.workerSpec, runtime);
  return gpuFindings(demand, nodes);
}

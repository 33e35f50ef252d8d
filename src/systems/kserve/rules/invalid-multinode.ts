import { at, childPath } from '../../../core/field-path';
import type { FieldPath } from '../../../core/field-path';
import { message, partOf } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { isInt32 } from '../../../core/int-or-percent';
import { listAt } from '../../../core/manifest';
import type { Fields } from '../../../core/manifest';
import { seen, show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import { multinodeOf } from '../multinode';
import { GPU_TYPES_ANNOTATION, GPU_TYPES_PATH, gpuShortage, gpuTypesOf, unknownResourcesOf } from '../nodes';
import type { GpuShortage, NodeDemand, Nodes } from '../nodes';
import { AUTOSCALER_CLASS_ANNOTATION, AUTOSCALER_CLASS_PATH, modelOf, variableOf } from '../service';
import type { Service } from '../service';
import { invalidService, refused } from './invalid-service';

interface ValueData {
  readonly value: Seen;
}

interface ParallelismData {
  readonly field: 'pipelineParallelSize' | 'tensorParallelSize';
  readonly value: Seen;
}

interface CountData {
  readonly count: number;
}

interface VariableData {
  readonly variable: string;
}

interface ProtocolData {
  /** The text before `://`. */
  readonly protocol: string;
}

interface ClassData {
  /** The class; empty where there is none. */
  readonly class: string;
}

interface ResourceData {
  readonly resource: string;
}

const STORAGE_HELP = 'Write a storageUri that begins with pvc:// or oci://.';

/** Why KServe refuses a predictor of several nodes. */
export const invalidMultinode = partOf(invalidService, {
  workerContainers: message<CountData>({
    text: ({ count }) => refused(`setting multiple containers in workerSpec is not allowed, and there are ${count}`),
    help: () => 'Keep one container.',
    sample: { count: 2 },
  }),
  parallelismVariable: message<VariableData>({
    text: ({ variable }) => refused(`setting ${variable} in environment variables is not allowed`),
    help: () => 'Delete it and set pipelineParallelSize and tensorParallelSize of the workerSpec.',
    sample: { variable: 'PIPELINE_PARALLEL_SIZE' },
  }),
  parallelism: message<ParallelismData>({
    text: ({ field, value }) => refused(`${field} cannot be less than 1, it is ${show(value)}`),
    help: () => 'Write 1 or more.',
    sample: { field: 'pipelineParallelSize', value: 0 },
  }),
  noStorage: message<object>({
    text: () => refused('a multinode predictor needs a storageUri'),
    help: () => STORAGE_HELP,
    sample: {},
  }),
  storageProtocol: message<ProtocolData>({
    text: ({ protocol }) => refused(`Multinode only supports 'pvc' and 'oci' Storage Protocol(${protocol})`),
    help: () => STORAGE_HELP,
    sample: { protocol: 's3' },
  }),
  multinodeAutoscaler: message<ClassData>({
    text: (data) => refused(`Multinode only supports 'none' autoscaler(${data.class})`),
    help: () => `Annotate the service with ${AUTOSCALER_CLASS_ANNOTATION}: none.`,
    sample: { class: 'hpa' },
    variants: [{ class: '' }],
  }),
  gpuTypes: message<ValueData>({
    text: ({ value }) => refused(`the annotation ${GPU_TYPES_ANNOTATION} must be a valid JSON array of names, it is ${show(value)}`),
    help: () => 'Write a list of resource names: \'["example.com/gpu"]\'.',
    sample: { value: 'example.com/gpu' },
  }),
  unknownGpuType: message<ResourceData>({
    text: ({ resource }) => refused(`unknown GPU resource type ${resource}`),
    help: ({ resource }) => `Annotate the service with ${GPU_TYPES_ANNOTATION}: '["${resource}"]' if it is a GPU.`,
    sample: { resource: 'example.com/gpu' },
  }),
  tooFewGpus: message<GpuShortage>({
    text: ({ total, headGpus, workerGpus }) =>
      `The service needs ${total} GPUs and its nodes have ${headGpus + workerGpus}, so the controller refuses it, in words that say the ` +
      `opposite: the total required number of GPUs(${total}) is less than the number of GPUs assigned to the head node(${headGpus}) + ` +
      `worker node(${workerGpus}).`,
    help: ({ total, workerGpus }) =>
      `Give the head at least ${total - workerGpus} GPUs, or none of its own, or lower pipelineParallelSize × tensorParallelSize.`,
    sample: { total: 16, headGpus: 1, workerGpus: 8 },
  }),
});

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
  return count > 1 ? [invalidMultinode.finding('workerContainers', { path: at`${WORKER_PATH}.containers`, data: { count } })] : [];
}

/** What the webhook wants of the model of a multinode predictor; it asks nothing of a custom container. */
function modelFindings(service: Service): Finding[] {
  const model = modelOf(service.predictor);
  if (model === undefined) return [];
  const variables = PARALLELISM_VARIABLES.filter((name) => variableOf(model, name) !== undefined);
  return [
    ...variables.map((variable) => invalidMultinode.finding('parallelismVariable', { path: at`${MODEL_PATH}.env`, data: { variable } })),
    ...gpuTypeFindings(model, service, MODEL_PATH),
    ...storageFindings(model.storageUri),
    ...autoscalerFindings(service.annotations[AUTOSCALER_CLASS_ANNOTATION]),
  ];
}

function storageFindings(storageUri: unknown): Finding[] {
  const path = at`${MODEL_PATH}.storageUri`;
  if (typeof storageUri !== 'string') return [invalidMultinode.finding('noStorage', { path, data: {} })];
  const [protocol = ''] = storageUri.split('://');
  if (MULTINODE_STORAGE.some((name) => name === protocol)) return [];
  return [invalidMultinode.finding('storageProtocol', { path, data: { protocol } })];
}

function autoscalerFindings(value: unknown): Finding[] {
  if (value === 'none') return [];
  const data = { class: typeof value === 'string' ? value : '' };
  return [invalidMultinode.finding('multinodeAutoscaler', { path: AUTOSCALER_CLASS_PATH, data })];
}

function parallelismFindings(workerSpec: Fields): Finding[] {
  return PARALLELISM_FIELDS.flatMap((field) => {
    const value = workerSpec[field];
    if (!isInt32(value) || value >= 1) return [];
    return [invalidMultinode.finding('parallelism', { path: childPath(WORKER_PATH, field), data: { field, value } })];
  });
}

function gpuTypeFindings(container: unknown, { annotations }: Service, path: FieldPath): Finding[] {
  const types = gpuTypesOf(annotations);
  if (types === undefined) {
    const data = { value: seen(annotations[GPU_TYPES_ANNOTATION]) };
    return [invalidMultinode.finding('gpuTypes', { path: GPU_TYPES_PATH, data })];
  }
  return unknownResourcesOf(container, types).map((resource) =>
    invalidMultinode.finding('unknownGpuType', { path: childPath(path, 'resources'), data: { resource } }),
  );
}

/** The controller's refusal of nodes that have fewer GPUs than the parallelism needs. */
export function gpuFindings(demand: NodeDemand, nodes: Nodes): Finding[] {
  const shortage = gpuShortage(demand, nodes);
  return shortage ? [invalidMultinode.finding('tooFewGpus', { path: WORKER_PATH, data: shortage })] : [];
}

/** The same for the nodes of a multinode predictor. */
export function nodeFindings(service: Service, runtime: Fields): Finding[] {
  if (!service.workerSpec) return [];
  const { demand, nodes } = multinodeOf(service, service.workerSpec, runtime);
  return gpuFindings(demand, nodes);
}

import { toFieldPath, appendToPath } from '../../../core/manifest/field-path';
import type { FieldPath } from '../../../core/manifest/field-path';
import { defineMessage, extendRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { isInt32 } from '../../../core/values/int-or-percent';
import { getListAt } from '../../../core/manifest/manifest';
import type { Fields } from '../../../core/manifest/manifest';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import { resolveMultinode } from '../multinode';
import { GPU_TYPES_ANNOTATION, GPU_TYPES_PATH, computeGpuShortage, listGpuTypes, listUnknownResources } from '../nodes';
import type { GpuShortage, NodeDemand, MultinodeNodes } from '../nodes';
import { AUTOSCALER_CLASS_ANNOTATION, AUTOSCALER_CLASS_PATH, modelOf, getContainerVariable } from '../service';
import type { KserveService } from '../service';
import { invalidService, formatWebhookRefusal } from './invalid-service';

interface ValueData {
  readonly value: DisplayValue;
}

interface ParallelismData {
  readonly field: 'pipelineParallelSize' | 'tensorParallelSize';
  readonly value: DisplayValue;
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
  /** The class; empty if there is none. */
  readonly class: string;
}

interface ResourceData {
  readonly resource: string;
}

const STORAGE_HELP = 'Write a storageUri that begins with pvc:// or oci://.';

/** Reports why KServe refuses a multinode predictor. */
export const invalidMultinode = extendRule(invalidService, {
  workerContainers: defineMessage<CountData>({
    text: ({ count }) => formatWebhookRefusal(`setting multiple containers in workerSpec is not allowed, and there are ${count}`),
    help: () => 'Keep one container.',
    sample: { count: 2 },
  }),
  parallelismVariable: defineMessage<VariableData>({
    text: ({ variable }) => formatWebhookRefusal(`setting ${variable} in environment variables is not allowed`),
    help: () => 'Delete it and set pipelineParallelSize and tensorParallelSize of the workerSpec.',
    sample: { variable: 'PIPELINE_PARALLEL_SIZE' },
  }),
  parallelism: defineMessage<ParallelismData>({
    text: ({ field, value }) => formatWebhookRefusal(`${field} cannot be less than 1, it is ${formatDisplayValue(value)}`),
    help: () => 'Write 1 or more.',
    sample: { field: 'pipelineParallelSize', value: 0 },
  }),
  noStorage: defineMessage<object>({
    text: () => formatWebhookRefusal('a multinode predictor needs a storageUri'),
    help: () => STORAGE_HELP,
    sample: {},
  }),
  storageProtocol: defineMessage<ProtocolData>({
    text: ({ protocol }) => formatWebhookRefusal(`Multinode only supports 'pvc' and 'oci' Storage Protocol(${protocol})`),
    help: () => STORAGE_HELP,
    sample: { protocol: 's3' },
  }),
  multinodeAutoscaler: defineMessage<ClassData>({
    text: (data) => formatWebhookRefusal(`Multinode only supports 'none' autoscaler(${data.class})`),
    help: () => `Annotate the service with ${AUTOSCALER_CLASS_ANNOTATION}: none.`,
    sample: { class: 'hpa' },
    variants: [{ class: '' }],
  }),
  gpuTypes: defineMessage<ValueData>({
    text: ({ value }) =>
      formatWebhookRefusal(
        `the annotation ${GPU_TYPES_ANNOTATION} must be a valid JSON array of names, it is ${formatDisplayValue(value)}`,
      ),
    help: () => 'Write a list of resource names: \'["example.com/gpu"]\'.',
    sample: { value: 'example.com/gpu' },
  }),
  unknownGpuType: defineMessage<ResourceData>({
    text: ({ resource }) => formatWebhookRefusal(`unknown GPU resource type ${resource}`),
    help: ({ resource }) => `Annotate the service with ${GPU_TYPES_ANNOTATION}: '["${resource}"]' if it is a GPU.`,
    sample: { resource: 'example.com/gpu' },
  }),
  tooFewGpus: defineMessage<GpuShortage>({
    text: ({ total, headGpus, workerGpus }) =>
      `The service needs ${total} GPUs and its nodes have ${headGpus + workerGpus}, so the controller refuses it, although its message says the ` +
      `opposite: the total required number of GPUs(${total}) is less than the number of GPUs assigned to the head node(${headGpus}) + ` +
      `worker node(${workerGpus}).`,
    help: ({ total, workerGpus }) =>
      `Give the head at least ${total - workerGpus} GPUs, remove its GPUs, or lower pipelineParallelSize × tensorParallelSize.`,
    sample: { total: 16, headGpus: 1, workerGpus: 8 },
  }),
});

const MULTINODE_STORAGE = ['pvc', 'oci'] as const;
const PARALLELISM_VARIABLES = ['PIPELINE_PARALLEL_SIZE', 'TENSOR_PARALLEL_SIZE'] as const;
const PARALLELISM_FIELDS = ['pipelineParallelSize', 'tensorParallelSize'] as const;

const WORKER_PATH = toFieldPath`spec.predictor.workerSpec`;
const MODEL_PATH = toFieldPath`spec.predictor.model`;

/** Reports what the webhook refuses in a multinode predictor. Source: KServe 0.16 to 0.20, inference_service_validation.go. */
export function checkInvalidMultinode(service: KserveService): Finding[] {
  const { workerSpec } = service;
  if (!workerSpec) return [];
  const containers = getListAt(workerSpec, 'containers');
  return [
    ...checkWorkerContainers(containers.length),
    ...checkModel(service),
    ...checkParallelism(workerSpec),
    ...containers.flatMap((container, index) => checkGpuTypes(container, service, toFieldPath`${WORKER_PATH}.containers[${index}]`)),
  ];
}

function checkWorkerContainers(count: number): Finding[] {
  return count > 1
    ? [invalidMultinode.createFinding('workerContainers', { path: toFieldPath`${WORKER_PATH}.containers`, data: { count } })]
    : [];
}

/** Checks the model of a multinode predictor. The webhook does not check a custom container. */
function checkModel(service: KserveService): Finding[] {
  const model = modelOf(service.predictor);
  if (model === undefined) return [];
  const variables = PARALLELISM_VARIABLES.filter((name) => getContainerVariable(model, name) !== undefined);
  return [
    ...variables.map((variable) =>
      invalidMultinode.createFinding('parallelismVariable', { path: toFieldPath`${MODEL_PATH}.env`, data: { variable } }),
    ),
    ...checkGpuTypes(model, service, MODEL_PATH),
    ...checkStorage(model.storageUri),
    ...checkAutoscaler(service.annotations[AUTOSCALER_CLASS_ANNOTATION]),
  ];
}

function checkStorage(storageUri: unknown): Finding[] {
  const path = toFieldPath`${MODEL_PATH}.storageUri`;
  if (typeof storageUri !== 'string') return [invalidMultinode.createFinding('noStorage', { path, data: {} })];
  const [protocol = ''] = storageUri.split('://');
  if (MULTINODE_STORAGE.some((name) => name === protocol)) return [];
  return [invalidMultinode.createFinding('storageProtocol', { path, data: { protocol } })];
}

function checkAutoscaler(value: unknown): Finding[] {
  if (value === 'none') return [];
  const data = { class: typeof value === 'string' ? value : '' };
  return [invalidMultinode.createFinding('multinodeAutoscaler', { path: AUTOSCALER_CLASS_PATH, data })];
}

function checkParallelism(workerSpec: Fields): Finding[] {
  return PARALLELISM_FIELDS.flatMap((field) => {
    const value = workerSpec[field];
    if (!isInt32(value) || value >= 1) return [];
    return [invalidMultinode.createFinding('parallelism', { path: appendToPath(WORKER_PATH, field), data: { field, value } })];
  });
}

function checkGpuTypes(container: unknown, { annotations }: KserveService, path: FieldPath): Finding[] {
  const types = listGpuTypes(annotations);
  if (types === undefined) {
    const data = { value: toDisplayValue(annotations[GPU_TYPES_ANNOTATION]) };
    return [invalidMultinode.createFinding('gpuTypes', { path: GPU_TYPES_PATH, data })];
  }
  return listUnknownResources(container, types).map((resource) =>
    invalidMultinode.createFinding('unknownGpuType', { path: appendToPath(path, 'resources'), data: { resource } }),
  );
}

/** Reports nodes that have fewer GPUs than the parallelism needs, which the controller refuses. */
export function checkMultinodeGpus(demand: NodeDemand, nodes: MultinodeNodes): Finding[] {
  const shortage = computeGpuShortage(demand, nodes);
  return shortage ? [invalidMultinode.createFinding('tooFewGpus', { path: WORKER_PATH, data: shortage })] : [];
}

/** Reports such nodes for a multinode predictor. */
export function checkMultinodeNodes(service: KserveService, runtime: Fields): Finding[] {
  if (!service.workerSpec) return [];
  const { demand, nodes } = resolveMultinode(service, service.workerSpec, runtime);
  return checkMultinodeGpus(demand, nodes);
}

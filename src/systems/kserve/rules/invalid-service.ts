import { at } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import { listed } from '../../../core/words';
import { DEPLOYMENT_MODE_ANNOTATION } from '../mode';
import { GPU_TYPES_ANNOTATION } from '../nodes';
import type { GpuShortage } from '../nodes';
import { AUTOSCALER_CLASS_ANNOTATION, MODEL_CONTAINER } from '../service';
import type { Implementations } from '../service';
import { service } from './examples';

interface ValueData {
  readonly value: Seen;
}

interface ChoiceData extends ValueData {
  /** What the webhook takes. */
  readonly choices: readonly string[];
}

/** The fields as the webhook spells them. */
const WEBHOOK_NAMES = { minReplicas: 'MinReplicas', maxReplicas: 'MaxReplicas' } as const;

interface ReplicasData {
  readonly field: keyof typeof WEBHOOK_NAMES;
  readonly value: number;
}

interface ParallelismData {
  readonly field: 'pipelineParallelSize' | 'tensorParallelSize';
  readonly value: number;
}

interface RangeData {
  readonly minReplicas: number;
  readonly maxReplicas: number;
}

interface ModesData {
  /** The mode of the status; what stands there, as a message shows it, where that is not a mode. */
  readonly current: string;
  /** The annotation as the webhook leaves it. */
  readonly admitted: string;
  /** Is it KServe that adds the annotation, because it is the default mode? */
  readonly isDefault: boolean;
}

interface ModeData {
  /** The annotation; undefined where there is none, which is Knative to the webhook. */
  readonly mode?: string;
}

interface ComponentData {
  /** `spec.transformer` */
  readonly component: string;
}

interface CountData {
  readonly count: number;
}

interface VariableData {
  readonly variable: string;
}

interface VersionData {
  readonly apiVersion: string;
  readonly served: string;
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

interface FieldData {
  readonly field: string;
}

interface CanaryReplicasData {
  readonly minReplicas: number;
  /** Of the stable predictor. */
  readonly stable: number;
}

function refused(reason: string): string {
  return `The webhook refuses the service: ${reason}.`;
}

const STORAGE_HELP = 'Write a storageUri that begins with pvc:// or oci://.';
const CANARY_NAME_HELP = 'Give each canary a name of its own.';

function implementationNames({ fields, containers }: Implementations): string {
  if (containers === 0) return listed(fields);
  const named = containers === 1 ? 'a container' : `${containers} containers`;
  return listed([...fields, `${named} named ${MODEL_CONTAINER}`]);
}

/** A service that KServe refuses for a reason that no other code names; a message for each reason, with the webhook's words in it. */
export const invalidService = rule({
  code: 'kserve/invalid-service',
  since: '0.1.0',
  severity: 'error',
  fires: "KServe's webhook or controller refuses the InferenceService for a reason that no other code names.",
  why:
    'Among the rules: minReplicas is not above maxReplicas; a workerSpec needs the annotation `serving.kserve.io/autoscalerClass: none` ' +
    'and a model in `pvc://` or `oci://`; head and workers have the GPUs that the parallelism needs; ' +
    'canaries share at most 100 percent and have names of their own; the deployment mode of a service never changes. Source: ' +
    'KServe, inference_service_validation.go and components/predictor.go.',
  fix: 'Change what the message names.',
  example: service({ predictor: ['maxReplicas: 2'] }),
  fixed: service({ predictor: ['maxReplicas: 8'] }),
  messages: {
    name: message<ValueData>({
      text: ({ value }) =>
        refused(`its name ${show(value)} must consist of lower case letters, digits and '-', and must start with a letter`),
      help: () => 'Write a name such as my-model.',
      sample: { value: 'My_Model' },
    }),
    version: message<VersionData>({
      text: ({ apiVersion, served }) =>
        `The API server does not serve an InferenceService of ${apiVersion}: the only version is ${served}.`,
      help: ({ served }) => `Write apiVersion: ${served}, with the fields of that version.`,
      sample: { apiVersion: 'serving.kserve.io/v1alpha2', served: 'serving.kserve.io/v1beta1' },
    }),
    revisionTraffic: message<{ readonly percent: number }>({
      text: ({ percent }) =>
        `Knative refuses the traffic that KServe writes for canaryTrafficPercent ${percent}: shares are from 0 to 100 and add up to 100.`,
      help: () => 'Write a whole number from 0 to 100.',
      sample: { percent: 120 },
    }),
    changedMode: message<ModesData>({
      text: ({ current, admitted, isDefault }) => {
        const whence = isDefault ? ', which KServe adds because it is the default mode' : '';
        return (
          `The webhook refuses the update: deploymentMode cannot be changed from '${current}' to '${admitted}'${whence}; ` +
          'status.deploymentMode holds for the life of the service.'
        );
      },
      help: ({ current }) => `Annotate the service with ${DEPLOYMENT_MODE_ANNOTATION}: ${current}, or delete it and create it anew.`,
      sample: { current: 'Knative', admitted: 'Standard', isDefault: false },
      variants: [{ current: 'Knative', admitted: 'Standard', isDefault: true }],
    }),
    autoscalerClass: message<ChoiceData>({
      text: ({ value }) => refused(`${show(value)} is not a supported autoscaler class type`),
      help: ({ choices }) => `Write ${listed(choices, 'or')}.`,
      sample: { value: 'vpa', choices: ['hpa', 'external', 'keda', 'none'] },
    }),
    noPredictor: message<object>({
      text: () => refused('it has no predictor'),
      help: () => 'Give it a predictor with a model.',
      sample: {},
    }),
    severalImplementations: message<Implementations>({
      text: (data) =>
        refused(`exactly one implementation must be specified in PredictorSpec, and this one has ${implementationNames(data)}`),
      help: () => `Keep one; name further containers otherwise than ${MODEL_CONTAINER}.`,
      sample: { fields: ['model'], containers: 1 },
      variants: [{ fields: ['model', 'sklearn'], containers: 2 }],
    }),
    custom: message<ComponentData>({
      text: ({ component }) =>
        refused(`v1beta1 has no field "custom", so exactly one implementation must be specified in ${component} and there is none`),
      help: () => `Write containers: [{name: ${MODEL_CONTAINER}, …}] instead of custom.`,
      sample: { component: 'spec.transformer' },
    }),
    negativeReplicas: message<ReplicasData>({
      text: ({ field, value }) => refused(`'${WEBHOOK_NAMES[field]}' cannot be less than 0, it is ${value}`),
      help: () => 'Write a whole number of at least 0.',
      sample: { field: 'minReplicas', value: -1 },
      variants: [{ field: 'maxReplicas', value: -1 }],
    }),
    emptyRange: message<RangeData>({
      text: ({ minReplicas, maxReplicas }) =>
        refused(`'MinReplicas' cannot be greater than MaxReplicas, and ${minReplicas} is greater than ${maxReplicas}`),
      help: ({ minReplicas }) => `Write maxReplicas: ${minReplicas} or more.`,
      sample: { minReplicas: 4, maxReplicas: 2 },
    }),
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
      text: ({ field, value }) => refused(`${field} cannot be less than 1, it is ${value}`),
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
    canaryMode: message<ModeData>({
      text: ({ mode = 'Knative' }) => refused(`spec.canary is only supported in Standard deployment mode, not in ${mode}`),
      help: () => `Annotate the service with ${DEPLOYMENT_MODE_ANNOTATION}: Standard.`,
      sample: { mode: 'ModelMesh' },
      variants: [{}],
    }),
    canaryWithoutModel: message<object>({
      text: () => refused('spec.canary requires a stable predictor with a model, not a custom container'),
      help: () => 'Give spec.predictor a model, or delete spec.canary.',
      sample: {},
    }),
    canaryField: message<FieldData>({
      text: ({ field }) => refused(`a canary must not set ${field}`),
      help: ({ field }) => `Delete ${field}.`,
      sample: { field: 'maxReplicas' },
    }),
    canaryUnnamed: message<object>({
      text: () => refused('predictor.name is required for a canary'),
      help: () => CANARY_NAME_HELP,
      sample: {},
    }),
    canaryNamedAsStable: message<ValueData>({
      text: ({ value }) => refused(`the canary name ${show(value)} conflicts with stable predictor.name`),
      help: () => CANARY_NAME_HELP,
      sample: { value: 'v2' },
    }),
    canaryNameTwice: message<ValueData>({
      text: ({ value }) => refused(`the canary name ${show(value)} is duplicated`),
      help: () => CANARY_NAME_HELP,
      sample: { value: 'v2' },
    }),
    canaryReplicas: message<CanaryReplicasData>({
      text: ({ minReplicas, stable }) => refused(`minReplicas ${minReplicas} of the canary must not exceed stable minReplicas ${stable}`),
      help: ({ stable }) => `Write minReplicas: ${stable} or less, or raise it at spec.predictor.`,
      sample: { minReplicas: 5, stable: 4 },
    }),
    canaryTraffic: message<{ readonly percent: number }>({
      text: ({ percent }) => refused(`trafficPercent is ${percent}, which must be from 0 to 100`),
      help: () => 'Write a whole number from 0 to 100.',
      sample: { percent: 101 },
    }),
    canaryTrafficSum: message<{ readonly sum: number }>({
      text: ({ sum }) => refused(`the sum of trafficPercent is ${sum} and must be <= 100`),
      help: () => 'Lower the percentages.',
      sample: { sum: 110 },
    }),
  },
});

/** Says that the API server has no InferenceService of this version. */
export function unservedVersionFinding(apiVersion: string, served: string): Finding {
  return invalidService.finding('version', { path: at`apiVersion`, data: { apiVersion, served } });
}

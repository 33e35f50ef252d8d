import { at, childPath } from '../../../core/field-path';
import type { FieldPath } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { isInt32 } from '../../../core/int-or-percent';
import { isFields, listAt, valueAt } from '../../../core/manifest';
import type { Fields } from '../../../core/manifest';
import { describeValue, seen, show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import { listed } from '../../../core/words';
import { ofEach, together } from '../../../core/together';
import { admittedAnnotation, DEPLOYMENT_MODE_ANNOTATION, DEPLOYMENT_MODE_PATH, normalisedMode, unknownModeOf } from '../mode';
import type { ModeSources } from '../mode';
import {
  AUTOSCALER_CLASS_ANNOTATION,
  AUTOSCALER_CLASS_PATH,
  hasSeveralImplementations,
  implementationsOf,
  MODEL_CONTAINER,
  modelFieldOf,
  modelOf,
  withModel,
} from '../service';
import type { Implementations, Service } from '../service';
import { service as yamlOf } from './examples';
import { replacedModelFindings } from './unknown-field';

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
  readonly value: Seen;
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

interface ComponentData {
  /** `spec.transformer` */
  readonly component: string;
}

interface VersionData {
  readonly apiVersion: string;
  readonly served: string;
}

/** `The webhook refuses the service: …` */
export function refused(reason: string): string {
  return `The webhook refuses the service: ${reason}.`;
}

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
  example: yamlOf({ predictor: ['maxReplicas: 2'] }),
  fixed: yamlOf({ predictor: ['maxReplicas: 8'] }),
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
    modelName: message<object>({
      text: () => refused("the 'name' field is not allowed in standard predictor"),
      help: () => `Delete it; the container is named ${MODEL_CONTAINER}.`,
      sample: {},
    }),
    custom: message<ComponentData>({
      text: ({ component }) =>
        refused(`v1beta1 has no field "custom", so exactly one implementation must be specified in ${component} and there is none`),
      help: () => `Write containers: [{name: ${MODEL_CONTAINER}, …}] instead of custom.`,
      sample: { component: 'spec.transformer' },
    }),
    negativeReplicas: message<ReplicasData>({
      text: ({ field, value }) => refused(`'${WEBHOOK_NAMES[field]}' cannot be less than 0, it is ${show(value)}`),
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
  },
});

/** Says that the API server has no InferenceService of this version. */
export function unservedVersionFinding(apiVersion: string, served: string): Finding {
  return invalidService.finding('version', { path: at`apiVersion`, data: { apiVersion, served } });
}

const AUTOSCALER_CLASSES = ['hpa', 'external', 'keda', 'none'] as const;
const NAME = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

function nameFindings(name: unknown): Finding[] {
  if (typeof name !== 'string' || NAME.test(name)) return [];
  return [invalidService.finding('name', { path: at`metadata.name`, data: { value: seen(name) } })];
}

/** A mode that is not the one of the status. An annotation that names no mode is a finding of its own. */
function changedModeFindings(sources: ModeSources): Finding[] {
  const isDefault = sources.annotations[DEPLOYMENT_MODE_ANNOTATION] === undefined;
  if (!sources.status || unknownModeOf(sources) !== undefined || (isDefault && sources.isDefaultAssumed)) return [];
  const current = normalisedMode(sources.status) ?? describeValue(sources.status);
  const admitted = admittedAnnotation(sources);
  if (admitted === undefined || (normalisedMode(admitted) ?? admitted) === current) return [];
  return [invalidService.finding('changedMode', { path: DEPLOYMENT_MODE_PATH, data: { current, admitted, isDefault } })];
}

function autoscalerFindings(value: unknown): Finding[] {
  if (value === undefined || AUTOSCALER_CLASSES.some((name) => name === value)) return [];
  const data = { value: seen(value), choices: AUTOSCALER_CLASSES };
  return [invalidService.finding('autoscalerClass', { path: AUTOSCALER_CLASS_PATH, data })];
}

const PREDICTOR_PATH = at`spec.predictor`;

function predictorFindings({ object, predictor }: Service, { annotations }: ModeSources): readonly Finding[] {
  const path = PREDICTOR_PATH;
  if (valueAt(object, 'spec', 'predictor') === undefined) return [invalidService.finding('noPredictor', { path, data: {} })];
  // In mode ModelMesh alone a framework stays where it is.
  const isMoved = annotations[DEPLOYMENT_MODE_ANNOTATION] !== 'ModelMesh';
  if (hasSeveralImplementations(isMoved ? withModel(predictor) : predictor))
    return [invalidService.finding('severalImplementations', { path, data: implementationsOf(predictor) })];
  return together(modelNameFindings(predictor, path), isMoved ? replacedModelFindings({ predictor, path }) : []);
}

function modelNameFindings(predictor: Fields, path: FieldPath): Finding[] {
  const field = modelFieldOf(predictor);
  if (field === undefined || !modelOf(predictor)?.name) return [];
  return [invalidService.finding('modelName', { path: childPath(childPath(path, field), 'name'), data: {} })];
}

/** `custom`, which the guide prints, is not in v1beta1: what stands below it is pruned, and the component is left without a container. */
function customFindings(spec: Fields, path: FieldPath): Finding[] {
  if (!isFields(spec.custom) || listAt(spec, 'containers').length > 0 || modelOf(spec)) return [];
  return [invalidService.finding('custom', { path: childPath(path, 'custom'), data: { component: path } })];
}

function replicaFindings({ minReplicas = 1, maxReplicas = 0 }: Fields, path: FieldPath): Finding[] {
  const negative = (field: 'minReplicas' | 'maxReplicas', value: number) =>
    invalidService.finding('negativeReplicas', { path: childPath(path, field), data: { field, value } });
  if (isInt32(minReplicas) && minReplicas < 0) return [negative('minReplicas', minReplicas)];
  if (isInt32(maxReplicas) && maxReplicas < 0) return [negative('maxReplicas', maxReplicas)];
  if (!isInt32(minReplicas) || !isInt32(maxReplicas) || maxReplicas === 0 || minReplicas <= maxReplicas) return [];
  return [invalidService.finding('emptyRange', { path: childPath(path, 'minReplicas'), data: { minReplicas, maxReplicas } })];
}

/** What the webhook refuses in any service, whatever its predictor is. Source: KServe 0.16 to 0.20, inference_service_validation.go. */
export function refusedServiceFindings(service: Service, sources: ModeSources): readonly Finding[] {
  return together(
    nameFindings(service.object.metadata?.name),
    changedModeFindings(sources),
    autoscalerFindings(service.annotations[AUTOSCALER_CLASS_ANNOTATION]),
    predictorFindings(service, sources),
    ofEach(service.components, ({ path, spec }) => together(customFindings(spec, path), replicaFindings(spec, path))),
  );
}

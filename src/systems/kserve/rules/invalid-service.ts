import { toFieldPath, appendToPath } from '../../../core/manifest/field-path';
import type { FieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { isInt32 } from '../../../core/values/int-or-percent';
import { isFields, getListAt, getValueAt } from '../../../core/manifest/manifest';
import type { Fields } from '../../../core/manifest/manifest';
import { describeValue, toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import { joinWords } from '../../../core/text/text-format';
import { collectFromEach, joinLists } from '../../../core/text/join-lists';
import { resolveAdmittedAnnotation, DEPLOYMENT_MODE_ANNOTATION, DEPLOYMENT_MODE_PATH, normalizeMode, findUnknownMode } from '../mode';
import type { ModeSources } from '../mode';
import {
  AUTOSCALER_CLASS_ANNOTATION,
  AUTOSCALER_CLASS_PATH,
  hasSeveralImplementations,
  listImplementations,
  MODEL_CONTAINER,
  modelFieldOf,
  modelOf,
  withModel,
} from '../service';
import type { Implementations, KserveService } from '../service';
import { renderInferenceService as yamlOf } from './examples';
import { checkReplacedModel } from './unknown-field';

interface ValueData {
  readonly value: DisplayValue;
}

interface ChoiceData extends ValueData {
  /** The values that the webhook accepts. */
  readonly choices: readonly string[];
}

/** The field names in the webhook's messages. */
const WEBHOOK_NAMES = { minReplicas: 'MinReplicas', maxReplicas: 'MaxReplicas' } as const;

interface ReplicasData {
  readonly field: keyof typeof WEBHOOK_NAMES;
  readonly value: DisplayValue;
}

interface RangeData {
  readonly minReplicas: number;
  readonly maxReplicas: number;
}

interface ModesData {
  /** The mode in the status, or the display text of the status if it is not a mode. */
  readonly current: string;
  /** The annotation after the defaulting webhook. */
  readonly admitted: string;
  /** Whether KServe adds the annotation because it is the default mode. */
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

/** Formats a refusal: `The webhook refuses the service: …` */
export function formatWebhookRefusal(reason: string): string {
  return `The webhook refuses the service: ${reason}.`;
}

function formatImplementations({ fields, containers }: Implementations): string {
  if (containers === 0) return joinWords(fields);
  const containerCount = containers === 1 ? 'a container' : `${containers} containers`;
  return joinWords([...fields, `${containerCount} named ${MODEL_CONTAINER}`]);
}

/** Reports a service that KServe refuses for a reason without its own code. Each reason has a message that quotes the webhook. */
export const invalidService = defineRule({
  code: 'kserve/invalid-service',
  since: '0.1.0',
  severity: 'error',
  fires: "KServe's webhook or controller refuses the InferenceService for a reason that has no rule of its own.",
  why:
    'For example: minReplicas must not exceed maxReplicas; a workerSpec needs the annotation `serving.kserve.io/autoscalerClass: none` ' +
    'and a model in `pvc://` or `oci://`; head and workers must have the GPUs that the parallelism needs; ' +
    'canaries share at most 100 percent and need distinct names; the deployment mode of a service never changes. Source: ' +
    'KServe, inference_service_validation.go and components/predictor.go.',
  fix: 'Change the field that the message names.',
  example: yamlOf({ predictor: ['maxReplicas: 2'] }),
  fixedExample: yamlOf({ predictor: ['maxReplicas: 8'] }),
  messages: {
    name: defineMessage<ValueData>({
      text: ({ value }) =>
        formatWebhookRefusal(
          `its name ${formatDisplayValue(value)} must consist of lower case letters, digits and '-', and must start with a letter`,
        ),
      help: () => 'Write a name such as my-model.',
      sample: { value: 'My_Model' },
    }),
    version: defineMessage<VersionData>({
      text: ({ apiVersion, served }) =>
        `The API server does not serve an InferenceService of ${apiVersion}: the only version is ${served}.`,
      help: ({ served }) => `Write apiVersion: ${served}, with the fields of that version.`,
      sample: { apiVersion: 'serving.kserve.io/v1alpha2', served: 'serving.kserve.io/v1beta1' },
    }),
    modeChange: defineMessage<ModesData>({
      text: ({ current, admitted, isDefault }) => {
        const origin = isDefault ? ', which KServe adds because it is the default mode' : '';
        return (
          `The webhook refuses the update: deploymentMode cannot be changed from '${current}' to '${admitted}'${origin}. ` +
          'status.deploymentMode never changes during the life of a service.'
        );
      },
      help: ({ current }) => `Annotate the service with ${DEPLOYMENT_MODE_ANNOTATION}: ${current}, or delete it and create it again.`,
      sample: { current: 'Knative', admitted: 'Standard', isDefault: false },
      variants: [{ current: 'Knative', admitted: 'Standard', isDefault: true }],
    }),
    autoscalerClass: defineMessage<ChoiceData>({
      text: ({ value }) => formatWebhookRefusal(`${formatDisplayValue(value)} is not a supported autoscaler class type`),
      help: ({ choices }) => `Write ${joinWords(choices, 'or')}.`,
      sample: { value: 'vpa', choices: ['hpa', 'external', 'keda', 'none'] },
    }),
    noPredictor: defineMessage<object>({
      text: () => formatWebhookRefusal('it has no predictor'),
      help: () => 'Give it a predictor with a model.',
      sample: {},
    }),
    severalImplementations: defineMessage<Implementations>({
      text: (data) =>
        formatWebhookRefusal(
          `exactly one implementation must be specified in PredictorSpec, and this one has ${formatImplementations(data)}`,
        ),
      help: () => `Keep one of them; give other containers a name other than ${MODEL_CONTAINER}.`,
      sample: { fields: ['model'], containers: 1 },
      variants: [{ fields: ['model', 'sklearn'], containers: 2 }],
    }),
    modelName: defineMessage<object>({
      text: () => formatWebhookRefusal("the 'name' field is not allowed in standard predictor"),
      help: () => `Delete it; the container is named ${MODEL_CONTAINER}.`,
      sample: {},
    }),
    custom: defineMessage<ComponentData>({
      text: ({ component }) =>
        formatWebhookRefusal(
          `exactly one implementation must be specified in ${component}, and there is none: v1beta1 has no field "custom"`,
        ),
      help: () => `Write containers: [{name: ${MODEL_CONTAINER}, …}] instead of custom.`,
      sample: { component: 'spec.transformer' },
    }),
    negativeReplicas: defineMessage<ReplicasData>({
      text: ({ field, value }) =>
        formatWebhookRefusal(`'${WEBHOOK_NAMES[field]}' cannot be less than 0, it is ${formatDisplayValue(value)}`),
      help: () => 'Write a whole number of at least 0.',
      sample: { field: 'minReplicas', value: -1 },
      variants: [{ field: 'maxReplicas', value: -1 }],
    }),
    emptyRange: defineMessage<RangeData>({
      text: ({ minReplicas, maxReplicas }) =>
        formatWebhookRefusal(`'MinReplicas' cannot be greater than MaxReplicas, and ${minReplicas} is greater than ${maxReplicas}`),
      help: ({ minReplicas }) => `Write maxReplicas: ${minReplicas} or more.`,
      sample: { minReplicas: 4, maxReplicas: 2 },
    }),
  },
});

/** Reports an InferenceService of a version that the API server does not serve. */
export function reportUnservedVersion(apiVersion: string, served: string): Finding {
  return invalidService.createFinding('version', { path: toFieldPath`apiVersion`, data: { apiVersion, served } });
}

const AUTOSCALER_CLASSES = ['hpa', 'external', 'keda', 'none'] as const;
const NAME_PATTERN = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

function checkName(name: unknown): Finding[] {
  if (typeof name !== 'string' || NAME_PATTERN.test(name)) return [];
  return [invalidService.createFinding('name', { path: toFieldPath`metadata.name`, data: { value: toDisplayValue(name) } })];
}

/** Reports a mode that differs from the mode in the status. An annotation that is not a mode is a separate finding. */
function checkChangedMode(sources: ModeSources): Finding[] {
  const isDefault = sources.annotations[DEPLOYMENT_MODE_ANNOTATION] === undefined;
  if (!sources.status || findUnknownMode(sources) !== undefined || (isDefault && sources.isDefaultAssumed)) return [];
  const current = normalizeMode(sources.status) ?? describeValue(sources.status);
  const admitted = resolveAdmittedAnnotation(sources);
  if (admitted === undefined || (normalizeMode(admitted) ?? admitted) === current) return [];
  return [invalidService.createFinding('modeChange', { path: DEPLOYMENT_MODE_PATH, data: { current, admitted, isDefault } })];
}

function checkAutoscalerClass(value: unknown): Finding[] {
  if (value === undefined || AUTOSCALER_CLASSES.some((name) => name === value)) return [];
  const data = { value: toDisplayValue(value), choices: AUTOSCALER_CLASSES };
  return [invalidService.createFinding('autoscalerClass', { path: AUTOSCALER_CLASS_PATH, data })];
}

const PREDICTOR_PATH = toFieldPath`spec.predictor`;

function checkPredictor({ object, predictor }: KserveService, { annotations }: ModeSources): readonly Finding[] {
  const path = PREDICTOR_PATH;
  if (getValueAt(object, 'spec', 'predictor') === undefined) return [invalidService.createFinding('noPredictor', { path, data: {} })];
  // Only in mode ModelMesh a framework stays at its field.
  const isMoved = annotations[DEPLOYMENT_MODE_ANNOTATION] !== 'ModelMesh';
  if (hasSeveralImplementations(isMoved ? withModel(predictor) : predictor))
    return [invalidService.createFinding('severalImplementations', { path, data: listImplementations(predictor) })];
  return joinLists(checkModelName(predictor, path), isMoved ? checkReplacedModel({ predictor, path }) : []);
}

function checkModelName(predictor: Fields, path: FieldPath): Finding[] {
  const field = modelFieldOf(predictor);
  if (field === undefined || !modelOf(predictor)?.name) return [];
  return [invalidService.createFinding('modelName', { path: appendToPath(appendToPath(path, field), 'name'), data: {} })];
}

/**
 * Reports `custom`, which the guide shows but v1beta1 does not have: its content is pruned, and the component is left without a container.
 */
function checkCustomContainer(spec: Fields, path: FieldPath): Finding[] {
  if (!isFields(spec.custom) || getListAt(spec, 'containers').length > 0 || modelOf(spec)) return [];
  return [invalidService.createFinding('custom', { path: appendToPath(path, 'custom'), data: { component: path } })];
}

function checkReplicas({ minReplicas = 1, maxReplicas = 0 }: Fields, path: FieldPath): Finding[] {
  const negative = (field: 'minReplicas' | 'maxReplicas', value: number) =>
    invalidService.createFinding('negativeReplicas', { path: appendToPath(path, field), data: { field, value } });
  if (isInt32(minReplicas) && minReplicas < 0) return [negative('minReplicas', minReplicas)];
  if (isInt32(maxReplicas) && maxReplicas < 0) return [negative('maxReplicas', maxReplicas)];
  if (!isInt32(minReplicas) || !isInt32(maxReplicas) || maxReplicas === 0 || minReplicas <= maxReplicas) return [];
  return [invalidService.createFinding('emptyRange', { path: appendToPath(path, 'minReplicas'), data: { minReplicas, maxReplicas } })];
}

/**
 * Reports what the webhook refuses in any service, independent of its kind of predictor. Source: KServe 0.16 to 0.20,
 * inference_service_validation.go.
 */
export function checkInvalidService(service: KserveService, sources: ModeSources): readonly Finding[] {
  return joinLists(
    checkName(service.object.metadata?.name),
    checkChangedMode(sources),
    checkAutoscalerClass(service.annotations[AUTOSCALER_CLASS_ANNOTATION]),
    checkPredictor(service, sources),
    collectFromEach(service.components, ({ path, spec }) => joinLists(checkCustomContainer(spec, path), checkReplicas(spec, path))),
  );
}

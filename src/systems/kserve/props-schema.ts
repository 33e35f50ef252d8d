import {
  ANY,
  BOOLEAN,
  INT32,
  INT_OR_PERCENT,
  LIST,
  MAP,
  STRING,
  STRING_MAP,
  closeSchema,
  defineList,
  defineMap,
  limitValues,
  requireProp,
} from '../../core/values/schema';
import type { FieldSchemas, SchemasFor } from '../../core/values/schema';
import { allowChoices, allowIntegers, allowShares, allowTexts } from '../../core/values/value-limit';
import { DRAIN } from '../../workloads/drain';
import { COMPONENT_FIELDS, CONTAINER_FIELDS, FRAMEWORKS, MODEL_FIELDS, POD_FIELDS } from './passthrough-fields';
import type { ContainerFields, FrameworkFields, ModelFields, PodFields, ComponentFields } from './passthrough-fields';
import type {
  CanarySpec,
  ComponentProps,
  ExplainerProps,
  InferenceServiceProps,
  ModelSpec,
  PlatformConfigProps,
  PlatformRolloutProps,
  PredictorProps,
  ServiceContainer,
  WorkerSpec,
} from './types';

function allowAnyValues(names: readonly string[]): FieldSchemas {
  return Object.fromEntries(names.map((name) => [name, ANY]));
}

const CONTAINER = {
  name: STRING,
  image: STRING,
  env: LIST,
  resources: MAP,
} satisfies SchemasFor<Omit<ServiceContainer, keyof ContainerFields>>;

const CONTAINERS = closeSchema(defineList({ ...CONTAINER, ...allowAnyValues(CONTAINER_FIELDS) }));

const MODEL = {
  ...CONTAINER,
  ...allowAnyValues(CONTAINER_FIELDS),
  ...allowAnyValues(MODEL_FIELDS),
  ...({
    modelFormat: closeSchema(defineMap({ name: requireProp(STRING, 'a name such as sklearn'), version: STRING })),
    runtime: STRING,
    storageUri: STRING,
    protocolVersion: STRING,
  } satisfies SchemasFor<Omit<ModelSpec, keyof ServiceContainer | keyof ModelFields>>),
};

const WORKER = {
  ...allowAnyValues(POD_FIELDS),
  ...({
    pipelineParallelSize: INT32,
    tensorParallelSize: INT32,
    containers: CONTAINERS,
  } satisfies SchemasFor<Omit<WorkerSpec, keyof PodFields>>),
};

const OWN_COMPONENT_FIELDS = {
  minReplicas: INT32,
  maxReplicas: INT32,
  scaleTarget: INT32,
  scaleMetric: limitValues(STRING, allowChoices('cpu', 'memory', 'concurrency', 'rps'), 'which the API server refuses'),
  scaleMetricType: limitValues(STRING, allowChoices('Utilization', 'Value', 'AverageValue'), 'which the API server refuses'),
  autoScaling: MAP,
  canaryTrafficPercent: limitValues(INT32, allowIntegers(0, 100), 'which is no share of the requests'),
  timeout: limitValues(INT32, allowIntegers(0), 'which is no number of seconds'),
  containerConcurrency: limitValues(INT32, allowIntegers(0), 'which KServe refuses'),
  labels: STRING_MAP,
  annotations: STRING_MAP,
  deploymentStrategy: closeSchema(
    defineMap({ type: STRING, rollingUpdate: closeSchema(defineMap({ maxSurge: INT_OR_PERCENT, maxUnavailable: INT_OR_PERCENT })) }),
  ),
  containers: CONTAINERS,
  podSpec: closeSchema(defineMap({ ...allowAnyValues(POD_FIELDS), initContainers: CONTAINERS })),
  others: MAP,
  rollout: ANY,
  drain: DRAIN,
} satisfies SchemasFor<Omit<ComponentProps, keyof ComponentFields>>;

const COMPONENT = {
  ...allowAnyValues(POD_FIELDS),
  ...allowAnyValues(COMPONENT_FIELDS),
  initContainers: CONTAINERS,
  ...OWN_COMPONENT_FIELDS,
};

const EXPLAINER = { ...COMPONENT, ...({ art: MAP } satisfies SchemasFor<Omit<ExplainerProps, keyof ComponentProps>>) };

/** Source: the CRD of KServe 0.20, `spec.predictor.name`. */
const PREDICTOR_NAME = limitValues(
  STRING,
  allowTexts(
    (text) => /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/.test(text),
    'lower-case letters, digits and hyphens that begin with a letter, such as next',
  ),
  'which the API server refuses',
);

const PREDICTOR: FieldSchemas = {
  ...COMPONENT,
  ...allowAnyValues(FRAMEWORKS),
  ...({
    name: PREDICTOR_NAME,
    model: closeSchema(defineMap(MODEL)),
    workerSpec: closeSchema(defineMap(WORKER)),
  } satisfies SchemasFor<Omit<PredictorProps, keyof ComponentProps | keyof FrameworkFields>>),
};

const { rollout: _rollout, drain: _drain, ...CANARY_FIELDS } = PREDICTOR;

const CANARY_PREDICTOR: FieldSchemas = { ...CANARY_FIELDS, minReplicas: limitValues(INT32, allowIntegers(0), 'which KServe refuses') };

/** The props of an InferenceService, except the platform level. */
export const SERVICE_PROPS = {
  metadata: MAP,
  predictor: closeSchema(defineMap(PREDICTOR)),
  transformer: closeSchema(defineMap(COMPONENT)),
  explainer: closeSchema(defineMap(EXPLAINER)),
  canary: closeSchema(
    defineList({ trafficPercent: INT32, predictor: closeSchema(defineMap(CANARY_PREDICTOR)) } satisfies SchemasFor<CanarySpec>),
  ),
  inheritPlatformDefaults: BOOLEAN,
  provenanceAnnotations: BOOLEAN,
  kserve: STRING,
} satisfies SchemasFor<Omit<InferenceServiceProps, 'platform'>>;

/** A limit that no mode may hide. */
const PLATFORM_LIMIT = limitValues(INT_OR_PERCENT, allowShares(0), 'which the API server refuses');

/** The props of a platform level. */
export const PLATFORM_PROPS = {
  defaultDeploymentMode: STRING,
  defaultRollout: closeSchema(
    defineMap({ mode: STRING, maxSurge: INT_OR_PERCENT, maxUnavailable: PLATFORM_LIMIT } satisfies SchemasFor<PlatformRolloutProps>),
  ),
} satisfies SchemasFor<PlatformConfigProps>;

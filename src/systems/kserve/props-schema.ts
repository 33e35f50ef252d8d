import {
  ANY,
  BOOLEAN,
  INT32,
  INT_OR_PERCENT,
  LIST,
  MAP,
  STRING,
  STRING_MAP,
  defineList,
  defineMap,
  closeSchema,
} from '../../core/values/schema';
import type { FieldSchemas, SchemasFor } from '../../core/values/schema';
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
    modelFormat: closeSchema(defineMap({ name: STRING, version: STRING })),
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
  scaleMetric: STRING,
  scaleMetricType: STRING,
  autoScaling: MAP,
  canaryTrafficPercent: INT32,
  timeout: INT32,
  containerConcurrency: INT32,
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

const PREDICTOR: FieldSchemas = {
  ...COMPONENT,
  ...allowAnyValues(FRAMEWORKS),
  ...({
    name: STRING,
    model: closeSchema(defineMap(MODEL)),
    workerSpec: closeSchema(defineMap(WORKER)),
  } satisfies SchemasFor<Omit<PredictorProps, keyof ComponentProps | keyof FrameworkFields>>),
};

const { rollout: _rollout, drain: _drain, ...CANARY_PREDICTOR } = PREDICTOR;

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

/** The props of a platform level. */
export const PLATFORM_PROPS = {
  defaultDeploymentMode: STRING,
  defaultRollout: closeSchema(
    defineMap({ mode: STRING, maxSurge: INT_OR_PERCENT, maxUnavailable: INT_OR_PERCENT } satisfies SchemasFor<PlatformRolloutProps>),
  ),
} satisfies SchemasFor<PlatformConfigProps>;

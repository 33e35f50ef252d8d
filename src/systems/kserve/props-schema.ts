import { ANY, BOOLEAN, INT32, INT_OR_PERCENT, LIST, MAP, STRING, STRING_MAP, listOf, map, whole } from '../../core/schema';
import type { FieldSchemas, SchemasOf } from '../../core/schema';
import { COMPONENT_FIELDS, CONTAINER_FIELDS, FRAMEWORKS, MODEL_FIELDS, POD_FIELDS } from './open-fields';
import type { ContainerFields, FrameworkFields, ModelFields, PodFields, ComponentFields } from './open-fields';
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

function open(names: readonly string[]): FieldSchemas {
  return Object.fromEntries(names.map((name) => [name, ANY]));
}

const CONTAINER = {
  name: STRING,
  image: STRING,
  env: LIST,
  resources: MAP,
} satisfies SchemasOf<Omit<ServiceContainer, keyof ContainerFields>>;

const CONTAINERS = whole(listOf({ ...CONTAINER, ...open(CONTAINER_FIELDS) }));

const MODEL = {
  ...CONTAINER,
  ...open(CONTAINER_FIELDS),
  ...open(MODEL_FIELDS),
  ...({
    modelFormat: whole(map({ name: STRING, version: STRING })),
    runtime: STRING,
    storageUri: STRING,
    protocolVersion: STRING,
  } satisfies SchemasOf<Omit<ModelSpec, keyof ServiceContainer | keyof ModelFields>>),
};

const WORKER = {
  ...open(POD_FIELDS),
  ...({
    pipelineParallelSize: INT32,
    tensorParallelSize: INT32,
    containers: CONTAINERS,
  } satisfies SchemasOf<Omit<WorkerSpec, keyof PodFields>>),
};

const OWN_COMPONENT = {
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
  deploymentStrategy: whole(map({ type: STRING, rollingUpdate: whole(map({ maxSurge: INT_OR_PERCENT, maxUnavailable: INT_OR_PERCENT })) })),
  containers: CONTAINERS,
  others: MAP,
  rollout: ANY,
} satisfies SchemasOf<Omit<ComponentProps, keyof PodFields | keyof ComponentFields>>;

const COMPONENT = { ...open(POD_FIELDS), ...open(COMPONENT_FIELDS), initContainers: CONTAINERS, ...OWN_COMPONENT };

const EXPLAINER = { ...COMPONENT, ...({ art: MAP } satisfies SchemasOf<Omit<ExplainerProps, keyof ComponentProps>>) };

const PREDICTOR: FieldSchemas = {
  ...COMPONENT,
  ...open(FRAMEWORKS),
  ...({
    name: STRING,
    model: whole(map(MODEL)),
    workerSpec: whole(map(WORKER)),
  } satisfies SchemasOf<Omit<PredictorProps, keyof ComponentProps | keyof FrameworkFields>>),
};

const { rollout: _rollout, ...CANARY_PREDICTOR } = PREDICTOR;

/** The props of an InferenceService, but for the platform level. */
export const SERVICE_PROPS = {
  metadata: MAP,
  predictor: whole(map(PREDICTOR)),
  transformer: whole(map(COMPONENT)),
  explainer: whole(map(EXPLAINER)),
  canary: whole(listOf({ trafficPercent: INT32, predictor: whole(map(CANARY_PREDICTOR)) } satisfies SchemasOf<CanarySpec>)),
  inheritPlatformDefaults: BOOLEAN,
  provenanceAnnotations: BOOLEAN,
  kserve: STRING,
} satisfies SchemasOf<Omit<InferenceServiceProps, 'platform'>>;

/** The props of a platform level. */
export const PLATFORM_PROPS = {
  defaultDeploymentMode: STRING,
  defaultRollout: whole(
    map({ mode: STRING, maxSurge: INT_OR_PERCENT, maxUnavailable: INT_OR_PERCENT } satisfies SchemasOf<PlatformRolloutProps>),
  ),
} satisfies SchemasOf<PlatformConfigProps>;

import type { Finding } from '../../core/finding';
import { annotationOf, fieldsAt, isFields, listAt, nameOf, valueAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import type { Shape } from '../../core/shape';
import { isAtLeast } from '../../core/versions';
import { typeFindings } from '../../cluster/numbers';

/** The container that KServe serves the model from; the head of a multinode predictor has its limits here. */
export const MODEL_CONTAINER = 'kserve-container';
/** The container that KServe knows in a worker. */
export const WORKER_CONTAINER = 'worker-container';
/** `spec.canary` and `predictor.name` came with this version; before, the API server drops them. */
const CANARY_SINCE = '0.20';

/** The parts of a service that become Deployments of their own, in the order in which they are planned. */
export const COMPONENTS = ['predictor', 'transformer', 'explainer'] as const;
export type PlainComponent = (typeof COMPONENTS)[number];

/** The old way to name a model's framework: each is turned into `model` at admission. */
const FRAMEWORKS = ['sklearn', 'xgboost', 'tensorflow', 'pytorch', 'triton', 'onnx', 'huggingface', 'pmml', 'lightgbm', 'paddle'] as const;

/** One of `spec.canary`. */
export interface Canary {
  readonly name: string | undefined;
  /** `spec.canary[0].predictor` */
  readonly path: string;
  readonly trafficPercent: unknown;
  readonly predictor: Fields;
}

/** An InferenceService, read once, whatever its fields hold. */
export interface Service {
  readonly object: Manifest;
  readonly name: string;
  readonly annotations: Fields;
  readonly predictor: Fields;
  /** The components that are there. */
  readonly components: readonly { readonly name: PlainComponent; readonly path: string; readonly spec: Fields }[];
  /** The workerSpec of a multinode predictor. `{}` is one, null is none. */
  readonly workerSpec: Fields | undefined;
  /** Empty before the version that has them. */
  readonly canaries: readonly Canary[];
  readonly knowsCanaries: boolean;
}

function componentShape(path: string): Shape {
  return {
    [path]: 'map',
    [`${path}.minReplicas`]: 'int32',
    [`${path}.maxReplicas`]: 'int32',
    [`${path}.scaleTarget`]: 'int32',
    [`${path}.labels`]: 'string-map',
    [`${path}.annotations`]: 'string-map',
    [`${path}.deploymentStrategy`]: 'map',
    [`${path}.deploymentStrategy.type`]: 'string',
    [`${path}.deploymentStrategy.rollingUpdate`]: 'map',
    [`${path}.deploymentStrategy.rollingUpdate.maxSurge`]: 'int-or-percent',
    [`${path}.deploymentStrategy.rollingUpdate.maxUnavailable`]: 'int-or-percent',
    [`${path}.containers`]: 'list',
    [`${path}.containers[]`]: 'map',
    [`${path}.containers[].env`]: 'list',
    [`${path}.containers[].resources`]: 'map',
  };
}

const SERVICE_SHAPE: Shape = {
  metadata: 'map',
  'metadata.name': 'string',
  'metadata.namespace': 'string',
  'metadata.labels': 'string-map',
  'metadata.annotations': 'string-map',
  spec: 'map!',
  ...componentShape('spec.predictor'),
  'spec.predictor': 'map!',
  'spec.predictor.model': 'map',
  'spec.predictor.model.env': 'list',
  'spec.predictor.model.resources': 'map',
  'spec.predictor.model.storageUri': 'string',
  'spec.predictor.workerSpec': 'map',
  'spec.predictor.workerSpec.pipelineParallelSize': 'int32',
  'spec.predictor.workerSpec.tensorParallelSize': 'int32',
  'spec.predictor.workerSpec.containers': 'list',
  'spec.predictor.workerSpec.containers[]': 'map',
  ...componentShape('spec.transformer'),
  ...componentShape('spec.explainer'),
};

const CANARY_SHAPE: Shape = {
  'spec.predictor.name': 'string',
  'spec.canary': 'list',
  'spec.canary[]': 'map',
  'spec.canary[].trafficPercent': 'int32!',
  'spec.canary[].predictor': 'map!',
  'spec.canary[].predictor.name': 'string',
  'spec.canary[].predictor.minReplicas': 'int32',
  'spec.canary[].predictor.maxReplicas': 'int32',
};

/** Reads a service as a KServe of this version sees it. */
export function readService(object: Manifest, version: string): Service {
  const spec = fieldsAt(object, 'spec');
  const workerSpec = valueAt(spec, 'predictor', 'workerSpec');
  const knowsCanaries = isAtLeast(version, CANARY_SINCE);
  return {
    object,
    name: nameOf(object),
    annotations: fieldsAt(object, 'metadata', 'annotations'),
    predictor: fieldsAt(spec, 'predictor'),
    components: COMPONENTS.flatMap((name) => {
      const component = spec[name];
      return isFields(component) ? [{ name, path: `spec.${name}`, spec: component }] : [];
    }),
    workerSpec: isFields(workerSpec) ? workerSpec : undefined,
    canaries: knowsCanaries ? listAt(spec, 'canary').map(readCanary) : [],
    knowsCanaries,
  };
}

function readCanary(canary: unknown, index: number): Canary {
  const predictor = fieldsAt(canary, 'predictor');
  return {
    name: typeof predictor.name === 'string' && predictor.name !== '' ? predictor.name : undefined,
    path: `spec.canary[${index}].predictor`,
    trafficPercent: valueAt(canary, 'trafficPercent'),
    predictor,
  };
}

/** Fields of another type than the CRD has, each of which has the API server refuse the whole service. */
export function serviceTypeFindings({ object, knowsCanaries }: Service): Finding[] {
  return [...typeFindings(object, SERVICE_SHAPE), ...(knowsCanaries ? typeFindings(object, CANARY_SHAPE) : [])];
}

/** The implementations that a predictor names, by field; the webhook wants exactly one. */
export function implementationsOf(predictor: Fields): string[] {
  const named = ['model', ...FRAMEWORKS].filter((field) => isFields(predictor[field]));
  const own = listAt(predictor, 'containers').filter((container) => valueAt(container, 'name') === MODEL_CONTAINER);
  return [...named, ...own.map(() => `a container named ${MODEL_CONTAINER}`)];
}

/** The field that has the model of a predictor; undefined for a custom container. */
export function modelFieldOf(predictor: Fields): string | undefined {
  return ['model', ...FRAMEWORKS].find((field) => isFields(predictor[field]));
}

/** The model of a predictor, under whichever framework it is written; undefined for a custom container. */
export function modelOf(predictor: Fields): Fields | undefined {
  const field = modelFieldOf(predictor);
  return field === undefined ? undefined : fieldsAt(predictor, field);
}

/** The container that serves the model, as far as the service says it; the serving runtime has the rest. */
export function modelContainerOf(predictor: Fields): Fields {
  const model = modelOf(predictor);
  if (model) return model;
  const containers = listAt(predictor, 'containers').filter(isFields);
  return containers.find((container) => container.name === MODEL_CONTAINER) ?? containers[0] ?? {};
}

/** The value of a container's variable; undefined where it is not set. */
export function variableOf(container: unknown, name: string): unknown {
  const variable = listAt(container, 'env').find((entry) => valueAt(entry, 'name') === name);
  return variable === undefined ? undefined : (valueAt(variable, 'value') ?? '');
}

/** Does a container of the predictor set RAY_NODE_COUNT, which the guide names as the trigger of the multinode override? */
export function setsRayNodeCount(predictor: Fields): boolean {
  const containers = [modelOf(predictor), ...listAt(predictor, 'containers')];
  return containers.some((container) => variableOf(container, 'RAY_NODE_COUNT') !== undefined);
}

/** Is the service stopped? KServe deletes its Deployments then. */
export function isStopped(service: Service): boolean {
  return annotationOf(service.object, 'serving.kserve.io/stop')?.toLowerCase() === 'true';
}

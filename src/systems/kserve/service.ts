import { at } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { Placed } from '../../workloads/review';
import { annotationOf, fieldsAt, isFields, listAt, nameOf, valueAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { behaviourOf } from './versions';

/** The container that KServe serves the model from; the head of a multinode predictor has its limits here. */
export const MODEL_CONTAINER = 'kserve-container';
/** The container that KServe knows in a worker. */
export const WORKER_CONTAINER = 'worker-container';
/** Which autoscaler KServe makes. */
export const AUTOSCALER_CLASS_ANNOTATION = 'serving.kserve.io/autoscalerClass';
export const AUTOSCALER_CLASS_PATH = at`metadata.annotations[${AUTOSCALER_CLASS_ANNOTATION}]`;

/** The parts of a service that become Deployments of their own, in the order in which they are planned. */
export const COMPONENTS = ['predictor', 'transformer', 'explainer'] as const;
export type PlainComponent = (typeof COMPONENTS)[number];

const COMPONENT_PATHS: Readonly<Record<PlainComponent, FieldPath>> = {
  predictor: at`spec.predictor`,
  transformer: at`spec.transformer`,
  explainer: at`spec.explainer`,
};

/** The old way to name a model's framework: each is turned into `model` at admission. */
const FRAMEWORKS = ['sklearn', 'xgboost', 'tensorflow', 'pytorch', 'triton', 'onnx', 'huggingface', 'pmml', 'lightgbm', 'paddle'] as const;

/** In the order in which the webhook looks for them. */
const FRAMEWORKS_AT_ADMISSION: readonly (typeof FRAMEWORKS)[number][] = [
  'sklearn',
  'tensorflow',
  'xgboost',
  'pytorch',
  'triton',
  'onnx',
  'huggingface',
  'pmml',
  'lightgbm',
  'paddle',
];

/** Names, and which of them comes first. */
type Ranks = ReadonlyMap<string, number>;

function inOrder(names: readonly string[]): Ranks {
  return new Map(names.map((name, rank) => [name, rank]));
}

const FRAMEWORK_RANKS = inOrder(FRAMEWORKS_AT_ADMISSION);

/** The fields that may hold the model of a predictor; a framework's takes the place of `model` at admission. */
const MODEL_FIELDS = inOrder([...FRAMEWORKS_AT_ADMISSION, 'model']);

/** The same in the order in which messages name them. */
const IMPLEMENTATIONS = inOrder(['model', ...FRAMEWORKS]);

/** The names under which a predictor has a map, in their order. It is asked for its own few fields, since to ask it for each name, of a thousand services, takes long. */
function mapsAmong(names: Ranks, predictor: Fields): string[] {
  const found: string[] = [];
  for (const name in predictor) if (names.has(name) && isFields(predictor[name])) found.push(name);
  return found.length < 2 ? found : found.toSorted((a, b) => names.get(a)! - names.get(b)!);
}

/** The same of the first of them alone; undefined where there is none. */
function firstMapAmong(names: Ranks, predictor: Fields): string | undefined {
  let first: string | undefined;
  let least = names.size;
  for (const name in predictor) {
    const rank = names.get(name);
    if (rank === undefined || rank >= least || !isFields(predictor[name])) continue;
    first = name;
    least = rank;
  }
  return first;
}

/** One of `spec.canary`. */
export interface Canary {
  readonly name: string | undefined;
  /** `spec.canary[0].predictor` */
  readonly path: FieldPath;
  readonly trafficPercent: unknown;
  readonly predictor: Fields;
}

/** One of the components of a service. */
export interface ServiceComponent {
  readonly name: PlainComponent;
  /** `spec.predictor` */
  readonly path: FieldPath;
  readonly spec: Fields;
}

/** An InferenceService, read once, whatever its fields hold. */
export interface Service {
  readonly object: Manifest;
  /** The KServe version that reads it. */
  readonly version: string;
  readonly name: string;
  readonly annotations: Fields;
  readonly predictor: Fields;
  /** The components that are there, as the webhook leaves them. */
  readonly components: readonly ServiceComponent[];
  /** The workerSpec of a multinode predictor. `{}` is one, null is none. */
  readonly workerSpec: Fields | undefined;
  /** Empty before the version that has them. */
  readonly canaries: readonly Canary[];
  readonly knowsCanaries: boolean;
}

const NO_CANARIES: readonly Canary[] = [];

/** Reads a service as a KServe of this version sees it. */
export function readService(object: Manifest, version: string): Service {
  const spec = fieldsAt(object, 'spec');
  const workerSpec = valueAt(spec, 'predictor', 'workerSpec');
  const knowsCanaries = behaviourOf(version).hasCanaries;
  const components: ServiceComponent[] = [];
  for (const name of COMPONENTS) {
    const component = spec[name];
    if (isFields(component)) components.push({ name, path: COMPONENT_PATHS[name], spec: admitted(component) });
  }
  return {
    object,
    version,
    name: nameOf(object),
    annotations: fieldsAt(object, 'metadata', 'annotations'),
    // The first of them, where it is there.
    predictor: components[0]?.name === 'predictor' ? components[0].spec : {},
    components,
    workerSpec: isFields(workerSpec) ? workerSpec : undefined,
    canaries: knowsCanaries ? listAt(spec, 'canary').map(readCanary) : NO_CANARIES,
    knowsCanaries,
  };
}

/**
 * A component as the webhook leaves it: of a custom one, the only container, or the first where it has no name, is named kserve-container.
 *
 * Source: KServe, predictor_custom.go, transformer_custom.go, explainer_custom.go, `Default`.
 */
function admitted(component: Fields): Fields {
  const containers = listAt(component, 'containers');
  const [first] = containers;
  if (!isFields(first) || modelFieldOf(component) !== undefined) return component;
  const others = containers.slice(1);
  const isNamed = typeof first.name === 'string' && first.name !== '';
  if (isNamed && others.length > 0) return component;
  return { ...component, containers: [{ ...first, name: MODEL_CONTAINER }, ...others] };
}

/**
 * A predictor whose framework stands under `model`, as the webhook leaves it: the first of its list, in the place of a model that is named too.
 *
 * Source: KServe, inference_service_defaults.go, `setPredictorModelDefaults`.
 */
export function withModel(predictor: Fields): Fields {
  const framework = firstMapAmong(FRAMEWORK_RANKS, predictor);
  if (framework === undefined) return predictor;
  const { [framework]: own, ...others } = predictor;
  const protocol = framework === 'triton' ? { protocolVersion: 'v2' } : {};
  return { ...others, model: { ...protocol, ...(own as Fields), modelFormat: { name: framework } } };
}

function readCanary(canary: unknown, index: number): Canary {
  const predictor = fieldsAt(canary, 'predictor');
  return {
    name: typeof predictor.name === 'string' && predictor.name !== '' ? predictor.name : undefined,
    path: at`spec.canary[${index}].predictor`,
    trafficPercent: valueAt(canary, 'trafficPercent'),
    predictor,
  };
}

/** The implementations that a predictor names; the webhook wants exactly one. */
export interface Implementations {
  /** `model`, `sklearn` */
  readonly fields: readonly string[];
  /** Containers named kserve-container. */
  readonly containers: number;
}

function modelContainers(predictor: Fields): number {
  return listAt(predictor, 'containers').filter((container) => valueAt(container, 'name') === MODEL_CONTAINER).length;
}

/** The implementations that a predictor names. */
export function implementationsOf(predictor: Fields): Implementations {
  return { fields: mapsAmong(IMPLEMENTATIONS, predictor), containers: modelContainers(predictor) };
}

/** Does a predictor name more than one implementation? Of a thousand services hardly one does, so none is named to tell. */
export function hasSeveralImplementations(predictor: Fields): boolean {
  let count = modelContainers(predictor);
  for (const name in predictor) if (IMPLEMENTATIONS.has(name) && isFields(predictor[name])) count++;
  return count > 1;
}

/** The field that has the model of a predictor; undefined for a custom container. */
export function modelFieldOf(predictor: Fields): string | undefined {
  return firstMapAmong(MODEL_FIELDS, predictor);
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
  const sets = (container: unknown) => variableOf(container, 'RAY_NODE_COUNT') !== undefined;
  return sets(modelOf(predictor)) || listAt(predictor, 'containers').some(sets);
}

/** Which autoscaler KServe makes for a component: the annotation of the component, else of the service. */
export function autoscalerClassOf(service: Service, component: Fields): unknown {
  return valueAt(component, 'annotations', AUTOSCALER_CLASS_ANNOTATION) ?? service.annotations[AUTOSCALER_CLASS_ANNOTATION];
}

/** Stops a service: KServe deletes its Deployments then. */
export const STOP_ANNOTATION = 'serving.kserve.io/stop';

/** Is the service stopped? */
export function isStopped(service: Service): boolean {
  return annotationOf(service.object, STOP_ANNOTATION)?.toLowerCase() === 'true';
}

/** What holds annotations of a component's pods: itself, and of the predictor the service too, which gives its own to all components. */
export function annotatedOf({ object, components }: Service, component: PlainComponent): Placed[] {
  return [
    ...(component === 'predictor' ? [{ value: object.metadata, path: at`metadata` }] : []),
    ...components.filter(({ name }) => name === component).map(({ path, spec }) => ({ path, value: spec })),
  ];
}

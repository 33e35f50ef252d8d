import { toFieldPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import type { ValueAtPath } from '../../workloads/rule-context';
import { annotationOf, getFieldsAt, isFields, getListAt, nameOf, getValueAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { kserveBehaviourOf } from './versions';

/** The container that KServe serves the model from; the head of a multinode predictor has its limits here. */
export const MODEL_CONTAINER = 'kserve-container';
/** The container that KServe knows in a worker. */
export const WORKER_CONTAINER = 'worker-container';
/** Which autoscaler KServe makes. */
export const AUTOSCALER_CLASS_ANNOTATION = 'serving.kserve.io/autoscalerClass';
export const AUTOSCALER_CLASS_PATH = toFieldPath`metadata.annotations[${AUTOSCALER_CLASS_ANNOTATION}]`;

/** The parts of a service that become Deployments of their own, in the order in which they are planned. */
export const COMPONENTS = ['predictor', 'transformer', 'explainer'] as const;
export type TopLevelComponent = (typeof COMPONENTS)[number];

const COMPONENT_PATHS: Readonly<Record<TopLevelComponent, FieldPath>> = {
  predictor: toFieldPath`spec.predictor`,
  transformer: toFieldPath`spec.transformer`,
  explainer: toFieldPath`spec.explainer`,
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

function rankNames(names: readonly string[]): Ranks {
  return new Map(names.map((name, rank) => [name, rank]));
}

const FRAMEWORK_RANKS = rankNames(FRAMEWORKS_AT_ADMISSION);

/** The fields that may hold the model of a predictor; a framework's takes the place of `model` at admission. */
const MODEL_FIELD_RANKS = rankNames([...FRAMEWORKS_AT_ADMISSION, 'model']);

/** The same in the order in which messages name them. */
const IMPLEMENTATION_RANKS = rankNames(['model', ...FRAMEWORKS]);

/** The names under which a predictor has a map, in their order. It is asked for its own few fields, since to ask it for each name, of a thousand services, takes long. */
function listMapFields(names: Ranks, predictor: Fields): string[] {
  const found: string[] = [];
  for (const name in predictor) if (names.has(name) && isFields(predictor[name])) found.push(name);
  return found.length < 2 ? found : found.toSorted((a, b) => names.get(a)! - names.get(b)!);
}

/** The same of the first of them alone; undefined where there is none. */
function findFirstMapField(names: Ranks, predictor: Fields): string | undefined {
  let first: string | undefined;
  let lowestRank = names.size;
  for (const name in predictor) {
    const rank = names.get(name);
    if (rank === undefined || rank >= lowestRank || !isFields(predictor[name])) continue;
    first = name;
    lowestRank = rank;
  }
  return first;
}

/** One of `spec.canary`. */
export interface ServiceCanary {
  readonly name: string | undefined;
  /** `spec.canary[0].predictor` */
  readonly path: FieldPath;
  readonly trafficPercent: unknown;
  readonly predictor: Fields;
}

/** One of the components of a service. */
export interface ServiceComponent {
  readonly name: TopLevelComponent;
  /** `spec.predictor` */
  readonly path: FieldPath;
  readonly spec: Fields;
}

/** An InferenceService, read once, whatever its fields hold. */
export interface KserveService {
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
  readonly canaries: readonly ServiceCanary[];
  readonly supportsCanaries: boolean;
}

const NO_CANARIES: readonly ServiceCanary[] = [];

/** Reads a service as a KServe of this version sees it. */
export function readKserveService(object: Manifest, version: string): KserveService {
  const spec = getFieldsAt(object, 'spec');
  const workerSpec = getValueAt(spec, 'predictor', 'workerSpec');
  const supportsCanaries = kserveBehaviourOf(version).hasCanaries;
  const components: ServiceComponent[] = [];
  for (const name of COMPONENTS) {
    const component = spec[name];
    if (isFields(component)) components.push({ name, path: COMPONENT_PATHS[name], spec: setModelContainerName(component) });
  }
  return {
    object,
    version,
    name: nameOf(object),
    annotations: getFieldsAt(object, 'metadata', 'annotations'),
    // The first of them, where it is there.
    predictor: components[0]?.name === 'predictor' ? components[0].spec : {},
    components,
    workerSpec: isFields(workerSpec) ? workerSpec : undefined,
    canaries: supportsCanaries ? getListAt(spec, 'canary').map(readCanary) : NO_CANARIES,
    supportsCanaries,
  };
}

/**
 * A component as the webhook leaves it: of a custom one, the only container, or the first where it has no name, is named kserve-container.
 *
 * Source: KServe, predictor_custom.go, transformer_custom.go, explainer_custom.go, `Default`.
 */
function setModelContainerName(component: Fields): Fields {
  const containers = getListAt(component, 'containers');
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
  const framework = findFirstMapField(FRAMEWORK_RANKS, predictor);
  if (framework === undefined) return predictor;
  const { [framework]: own, ...others } = predictor;
  const protocol = framework === 'triton' ? { protocolVersion: 'v2' } : {};
  return { ...others, model: { ...protocol, ...(own as Fields), modelFormat: { name: framework } } };
}

function readCanary(canary: unknown, index: number): ServiceCanary {
  const predictor = getFieldsAt(canary, 'predictor');
  return {
    name: typeof predictor.name === 'string' && predictor.name !== '' ? predictor.name : undefined,
    path: toFieldPath`spec.canary[${index}].predictor`,
    trafficPercent: getValueAt(canary, 'trafficPercent'),
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

function countModelContainers(predictor: Fields): number {
  return getListAt(predictor, 'containers').filter((container) => getValueAt(container, 'name') === MODEL_CONTAINER).length;
}

/** The implementations that a predictor names. */
export function listImplementations(predictor: Fields): Implementations {
  return { fields: listMapFields(IMPLEMENTATION_RANKS, predictor), containers: countModelContainers(predictor) };
}

/** Does a predictor name more than one implementation? Of a thousand services hardly one does, so none is named to tell. */
export function hasSeveralImplementations(predictor: Fields): boolean {
  let count = countModelContainers(predictor);
  for (const name in predictor) if (IMPLEMENTATION_RANKS.has(name) && isFields(predictor[name])) count++;
  return count > 1;
}

/** The field that has the model of a predictor; undefined for a custom container. */
export function modelFieldOf(predictor: Fields): string | undefined {
  return findFirstMapField(MODEL_FIELD_RANKS, predictor);
}

/** The model of a predictor, under whichever framework it is written; undefined for a custom container. */
export function modelOf(predictor: Fields): Fields | undefined {
  const field = modelFieldOf(predictor);
  return field === undefined ? undefined : getFieldsAt(predictor, field);
}

/** The container that serves the model, as far as the service says it; the serving runtime has the rest. */
export function modelContainerOf(predictor: Fields): Fields {
  const model = modelOf(predictor);
  if (model) return model;
  const containers = getListAt(predictor, 'containers').filter(isFields);
  return containers.find((container) => container.name === MODEL_CONTAINER) ?? containers[0] ?? {};
}

/** The value of a container's variable; undefined where it is not set. */
export function getContainerVariable(container: unknown, name: string): unknown {
  const variable = getListAt(container, 'env').find((entry) => getValueAt(entry, 'name') === name);
  return variable === undefined ? undefined : (getValueAt(variable, 'value') ?? '');
}

/** Does a container of the predictor set RAY_NODE_COUNT, which the guide names as the trigger of the multinode override? */
export function hasRayNodeCount(predictor: Fields): boolean {
  const hasVariable = (container: unknown) => getContainerVariable(container, 'RAY_NODE_COUNT') !== undefined;
  return hasVariable(modelOf(predictor)) || getListAt(predictor, 'containers').some(hasVariable);
}

/** Which autoscaler KServe makes for a component: the annotation of the component, else of the service. */
export function autoscalerClassOf(service: KserveService, component: Fields): unknown {
  return getValueAt(component, 'annotations', AUTOSCALER_CLASS_ANNOTATION) ?? service.annotations[AUTOSCALER_CLASS_ANNOTATION];
}

/** Stops a service: KServe deletes its Deployments then. */
export const KSERVE_STOP_ANNOTATION = 'serving.kserve.io/stop';

/** Is the service stopped? */
export function isServiceStopped(service: KserveService): boolean {
  return annotationOf(service.object, KSERVE_STOP_ANNOTATION)?.toLowerCase() === 'true';
}

/** What holds annotations of a component's pods: itself, and of the predictor the service too, which gives its own to all components. */
export function listAnnotationHolders({ object, components }: KserveService, component: TopLevelComponent): ValueAtPath[] {
  return [
    ...(component === 'predictor' ? [{ value: object.metadata, path: toFieldPath`metadata` }] : []),
    ...components.filter(({ name }) => name === component).map(({ path, spec }) => ({ path, value: spec })),
  ];
}

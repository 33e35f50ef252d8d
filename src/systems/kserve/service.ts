import { toFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import type { ValueAtPath } from '../../cluster/rollout/located-template';
import { annotationOf, getFieldsAt, isFields, getListAt, nameOf, getValueAt } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { isAtLeast } from '../../core/values/versions';
import type { DeploymentMode } from './types';
import { kserveBehaviourOf } from './versions';

/** The container that serves the model. For the head of a multinode predictor, its limits are set here. */
export const MODEL_CONTAINER = 'kserve-container';
/** The container of a worker. */
export const WORKER_CONTAINER = 'worker-container';
/** The annotation that selects the autoscaler that KServe creates. */
export const AUTOSCALER_CLASS_ANNOTATION = 'serving.kserve.io/autoscalerClass';
export const AUTOSCALER_CLASS_PATH = toFieldPath`metadata.annotations[${AUTOSCALER_CLASS_ANNOTATION}]`;

/** The parts of a service that become separate Deployments, in the order in which they are planned. */
export const COMPONENTS = ['predictor', 'transformer', 'explainer'] as const;
export type TopLevelComponent = (typeof COMPONENTS)[number];

const COMPONENT_PATHS: Readonly<Record<TopLevelComponent, FieldPath>> = {
  predictor: toFieldPath`spec.predictor`,
  transformer: toFieldPath`spec.transformer`,
  explainer: toFieldPath`spec.explainer`,
};

/** The older fields for a model, one per framework. Each is converted to `model` at admission. */
const FRAMEWORKS = ['sklearn', 'xgboost', 'tensorflow', 'pytorch', 'triton', 'onnx', 'huggingface', 'pmml', 'lightgbm', 'paddle'] as const;

/** The frameworks in the order in which the webhook checks them. */
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

/** The precedence of names; the lowest rank comes first. */
type Ranks = ReadonlyMap<string, number>;

function rankNames(names: readonly string[]): Ranks {
  return new Map(names.map((name, rank) => [name, rank]));
}

const FRAMEWORK_RANKS = rankNames(FRAMEWORKS_AT_ADMISSION);

/** The fields that may contain the model of a predictor. At admission, a framework replaces `model`. */
const MODEL_FIELD_RANKS = rankNames([...FRAMEWORKS_AT_ADMISSION, 'model']);

/** The fields that may contain a model, in the order in which messages list them. */
const IMPLEMENTATION_RANKS = rankNames(['model', ...FRAMEWORKS]);

/**
 * Returns the ranked fields of a predictor that are maps, by rank. It iterates over the predictor's few fields, because looking up each
 * name takes long for a thousand services.
 */
function listMapFields(names: Ranks, predictor: Fields): string[] {
  const fields: string[] = [];
  for (const name in predictor) if (names.has(name) && isFields(predictor[name])) fields.push(name);
  return fields.length < 2 ? fields : fields.toSorted((a, b) => names.get(a)! - names.get(b)!);
}

/** Returns the ranked map field that comes first; undefined if there is none. */
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

/** A canary of `spec.canary`. */
export interface ServiceCanary {
  readonly name: string | undefined;
  /** The path: `spec.canary[0].predictor`. */
  readonly path: FieldPath;
  readonly trafficPercent: unknown;
  readonly predictor: Fields;
}

/** A component of a service. */
export interface ServiceComponent {
  readonly name: TopLevelComponent;
  /** The path: `spec.predictor`. */
  readonly path: FieldPath;
  readonly spec: Fields;
}

/** An InferenceService, read once. Its fields may have any type. */
export interface KserveService {
  readonly object: Manifest;
  /** The KServe version for which it is read. */
  readonly version: string;
  readonly name: string;
  readonly annotations: Fields;
  readonly predictor: Fields;
  /** The components of the service, after the defaulting webhook. */
  readonly components: readonly ServiceComponent[];
  /** The workerSpec of a multinode predictor. `{}` counts as set, null does not. */
  readonly workerSpec: Fields | undefined;
  /** The canaries; empty for versions without them. */
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
    // If there is a predictor, it is the first component.
    predictor: components[0]?.name === 'predictor' ? components[0].spec : {},
    components,
    workerSpec: isFields(workerSpec) ? workerSpec : undefined,
    canaries: supportsCanaries ? getListAt(spec, 'canary').map(readCanary) : NO_CANARIES,
    supportsCanaries,
  };
}

/**
 * Returns a component after the defaulting webhook. In a custom component, the only container, or the first one if it has no name, is named
 * kserve-container.
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
 * Returns a predictor whose framework is moved to `model`, like after the defaulting webhook: the first framework in its list, which
 * replaces a `model` that is also set.
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

/** The implementations of a predictor. The webhook requires exactly one. */
export interface Implementations {
  /** The fields: `model`, `sklearn`. */
  readonly fields: readonly string[];
  /** The number of containers named kserve-container. */
  readonly containers: number;
}

function countModelContainers(predictor: Fields): number {
  return getListAt(predictor, 'containers').filter((container) => getValueAt(container, 'name') === MODEL_CONTAINER).length;
}

/** Returns the implementations of a predictor. */
export function listImplementations(predictor: Fields): Implementations {
  return { fields: listMapFields(IMPLEMENTATION_RANKS, predictor), containers: countModelContainers(predictor) };
}

/** Reports whether a predictor has more than one implementation. Almost no service has, so this check does not list them. */
export function hasSeveralImplementations(predictor: Fields): boolean {
  let count = countModelContainers(predictor);
  for (const name in predictor) if (IMPLEMENTATION_RANKS.has(name) && isFields(predictor[name])) count++;
  return count > 1;
}

/** Returns the field with the model of a predictor; undefined for a custom container. */
export function modelFieldOf(predictor: Fields): string | undefined {
  return findFirstMapField(MODEL_FIELD_RANKS, predictor);
}

/** Returns the model of a predictor, whatever framework field it uses; undefined for a custom container. */
export function modelOf(predictor: Fields): Fields | undefined {
  const field = modelFieldOf(predictor);
  return field === undefined ? undefined : getFieldsAt(predictor, field);
}

/** Returns the container that serves the model, with the fields that the service sets. The serving runtime has the rest. */
export function modelContainerOf(predictor: Fields): Fields {
  const model = modelOf(predictor);
  if (model) return model;
  const containers = getListAt(predictor, 'containers').filter(isFields);
  return containers.find((container) => container.name === MODEL_CONTAINER) ?? containers[0] ?? {};
}

/** Returns the value of a container's environment variable; undefined if it is not set. */
export function getContainerVariable(container: unknown, name: string): unknown {
  const variable = getListAt(container, 'env').find((entry) => getValueAt(entry, 'name') === name);
  return variable === undefined ? undefined : (getValueAt(variable, 'value') ?? '');
}

/** Reports whether a container of the predictor sets RAY_NODE_COUNT, which the guide documents as the trigger of the multinode override. */
export function hasRayNodeCount(predictor: Fields): boolean {
  const hasVariable = (container: unknown) => getContainerVariable(container, 'RAY_NODE_COUNT') !== undefined;
  return hasVariable(modelOf(predictor)) || getListAt(predictor, 'containers').some(hasVariable);
}

/** Returns the autoscaler class of a component: its own annotation, otherwise the service's. */
export function autoscalerClassOf(service: KserveService, component: Fields): unknown {
  return getValueAt(component, 'annotations', AUTOSCALER_CLASS_ANNOTATION) ?? service.annotations[AUTOSCALER_CLASS_ANNOTATION];
}

/** The annotation that stops a service: KServe then deletes its Deployments. */
export const KSERVE_STOP_ANNOTATION = 'serving.kserve.io/stop';

/**
 * Reports whether the service is stopped. KServe 0.15 stops only services in mode Knative.
 *
 * Source: KServe v0.15.2 and v0.16.0, components/predictor.go, `Reconcile`.
 */
export function isServiceStopped(service: KserveService, mode: DeploymentMode): boolean {
  if (mode === 'Standard' && !isAtLeast(service.version, '0.16')) return false;
  return annotationOf(service.object, KSERVE_STOP_ANNOTATION)?.toLowerCase() === 'true';
}

/**
 * Reports whether a later version takes a service in mode Standard for one in mode Knative, and leaves its Deployments: KServe 0.15 writes the
 * mode into the status by its old name, which 0.16 to 0.18 do not translate there. A manifest without a status is that of a service that 0.15
 * runs.
 *
 * Source: KServe v0.15.2 to v0.19.0, inferenceservice/utils/utils.go, `GetDeploymentMode`.
 *
 * @param mode - the mode under the earlier version
 */
export function isModeLost({ object, version: from }: KserveService, mode: DeploymentMode, to: string): boolean {
  if (!isAtLeast(from, '0.15') || isAtLeast(from, '0.16') || !isAtLeast(to, '0.16') || isAtLeast(to, '0.19')) return false;
  return mode === 'Standard' && [undefined, 'RawDeployment'].includes(getValueAt(object, 'status', 'deploymentMode') as string | undefined);
}

/**
 * Returns the objects that may have annotations for a component's pods: the component and, for the predictor, also the service, whose
 * annotations apply to all components.
 */
export function listAnnotationHolders({ object, components }: KserveService, component: TopLevelComponent): ValueAtPath[] {
  return [
    ...(component === 'predictor' ? [{ value: object.metadata, path: toFieldPath`metadata` }] : []),
    ...components.filter(({ name }) => name === component).map(({ path, spec }) => ({ path, value: spec })),
  ];
}

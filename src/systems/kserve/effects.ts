import type { ApplyRejection } from '../../core/document/change';
import type { Finding } from '../../core/findings/finding';
import type { ObjectInContext, PlanContext, SystemEffect, TemplateEquality } from '../../cluster/context/context';
import { isDeepEqual } from '../../core/collections/deep-equal';
import { validateDeploymentStrategy } from '../../workloads/deployment/validation';
import { normalizePodFields } from '../../workloads/pod/normalize-pods';
import { annotationOf, getFieldsAt, isFields, isManifest, getListAt, getValueAt } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import type { ComponentDeployment } from './deployments';
import { DEPLOYMENT_MODE_ANNOTATION, deploymentModeOf } from './mode';
import { resolveModeChange } from './mode-change';
import { readPodConfig, DEFAULT_POD_CONFIG } from './pod-config';
import type { PodConfig } from './pod-config';
import { collectWebhookInputs, buildPodSpec, dropZeroFields, withPullPolicies, pickRuntimeWorker } from './pod-template';
import { buildComponents } from './knative/scale';
import { resolveControllerStrategy } from './precedence';
import { resolveRuntime, validateRuntime } from './runtime';
import { isModeLost, isServiceStopped, modelOf, readKserveService, withModel } from './service';
import { mayRouteOtherRevisions } from './routed-revisions';
import { checkAutoscalerSwitch } from './rules/autoscaler-conflict';
import { checkCanaryTraffic } from './rules/canary-traffic';
import { modelPathOf } from './rules/no-runtime';
import { reportPredictorRenamed } from './rules/predictor-renamed';
import { checkStrategyOutsideStandard } from './rules/strategy-outside-standard';
import { computeLostRuntimeEffect } from './runtime-effect';
import { validateStorage } from './storage';
import type { KserveService } from './service';
import type { DeploymentMode, PlatformConfig } from './types';

/*
 * The effect of edits of an InferenceService, its runtime and its labels on its pods. Source: KServe v0.17.0, components/predictor.go,
 * reconcilers/deployment/deployment_reconciler.go (`checkDeploymentExist`), controller.go (predicates of runtimes).
 */

/**
 * Fields of a component that do not affect the pods in mode Standard: autoscaling, the route, the strategy. Labels and annotations are
 * merged separately.
 */
const FIELDS_NOT_IN_PODS: ReadonlySet<string> = new Set([
  'minReplicas',
  'maxReplicas',
  'scaleTarget',
  'scaleMetric',
  'scaleMetricType',
  'autoScaling',
  'deploymentStrategy',
  'timeout',
  'canaryTrafficPercent',
  'containerConcurrency',
  'labels',
  'annotations',
]);

/**
 * Fields of a component that do not affect the pods in mode Knative, whose Revisions contain the settings of its autoscaler. minReplicas
 * defaults to 1.
 */
const FIELDS_NOT_IN_REVISIONS: ReadonlySet<string> = new Set(['minReplicas', 'canaryTrafficPercent', 'labels', 'annotations']);

const DISABLE_AUTO_UPDATE_ANNOTATION = 'serving.kserve.io/disable-auto-update';
/** The condition until which a service is held if the API server refuses its Deployment because of the ConfigMap. */
const HELD_UNTIL_DEFAULTS_FIXED = 'the rollout defaults of inferenceservice-config are percentages';
const HELD_UNTIL_AUTO_UPDATE = `${DISABLE_AUTO_UPDATE_ANNOTATION} is removed, or it is not Ready`;

function dropFields(fields: Fields, omitted: ReadonlySet<string>): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => !omitted.has(name) && value !== null && value !== undefined));
}

/** One side of a service's change. */
interface ServiceState {
  readonly service: KserveService;
  readonly mode: DeploymentMode;
  readonly runtime: Manifest | undefined;
  readonly deployments: readonly ComponentDeployment[];
  readonly platform: KservePlatformLevel;
  readonly podConfig: PodConfig;
}

/** The platform level of the services of one side. */
export interface KservePlatformLevel {
  /** The object it was read from; undefined if the input has none. */
  readonly source: Fields | undefined;
  /** The config; null if KServe cannot read it and so reconciles nothing. */
  readonly config: PlatformConfig | null;
}

/** Functions that find the platform level of a side. */
export interface PlatformReader {
  /** Returns the default mode; assumed if nothing sets it. */
  readonly defaultModeOf: (service: KserveService, context: PlanContext) => DeploymentMode;
  /** Returns the default mode if the input determines it; `''` if a ConfigMap has none. */
  readonly knownDefaultModeOf: (service: KserveService, context: PlanContext) => DeploymentMode | '' | undefined;
  readonly platformOf: (context: PlanContext) => KservePlatformLevel;
}

function resolveServiceState(
  { object, context }: ObjectInContext,
  status: unknown,
  recorded: DeploymentMode | undefined,
  podConfig: PodConfig,
  { defaultModeOf, platformOf }: PlatformReader,
): ServiceState {
  const service = readKserveService(object, context.versions.kserve);
  const runtime = resolveRuntime(service, status, context);
  const mode = recorded ?? deploymentModeOf({ annotations: service.annotations, defaultMode: defaultModeOf(service, context) });
  const deployments = isServiceStopped(service, mode) ? [] : buildComponents(service, mode, getFieldsAt(runtime, 'spec'), context);
  return { service, mode, runtime, deployments, platform: platformOf(context), podConfig };
}

/** Returns the image that the ConfigMap gives to an explainer without its own image. */
function resolveExplainerImage(component: string, podSpec: Fields, { artImage }: PodConfig): Fields {
  const art = component === 'explainer' ? podSpec.art : undefined;
  return isFields(art) && !art.image ? { artImage } : {};
}

/** Everything that affects the pods of a component. */
interface PodInputs {
  readonly template: Fields;
  /** The inputs that change the template but cannot be derived from the files. */
  readonly rest: Fields;
}

/** Collects everything in the input, including the ConfigMap, that affects the pods of a component. */
function collectPodInputs(
  { service, runtime, mode }: Pick<ServiceState, 'service' | 'runtime' | 'mode'>,
  { component, podSpec, podMetadata }: ComponentDeployment,
  podConfig: PodConfig,
): PodInputs {
  const isPredictor = component !== 'transformer' && component !== 'explainer';
  const isWorker = component === 'worker';
  // A runtime is a separate object, as it was read; both sides of the service are already normalized.
  const spec = isPredictor ? getFieldsAt({ spec: normalizePodFields(runtime?.spec ?? {}) }, 'spec') : {};
  const labels = { ...getFieldsAt(spec, 'labels'), ...getFieldsAt(podMetadata, 'labels') };
  const annotations = { ...getFieldsAt(spec, 'annotations'), ...getFieldsAt(podMetadata, 'annotations') };
  const isStandard = mode === 'Standard';
  const omitted = isStandard ? FIELDS_NOT_IN_PODS : FIELDS_NOT_IN_REVISIONS;
  const ownSpec = buildPodSpec(podSpec, isWorker ? {} : spec);
  return {
    template: {
      metadata: {
        labels: isStandard ? labels : dropFields(labels, podConfig.disallowedLabels),
        annotations: dropFields(annotations, podConfig.disallowedAnnotations),
      },
      spec: isStandard ? withPullPolicies(ownSpec) : dropZeroFields(ownSpec),
    },
    rest: {
      ...collectWebhookInputs(podSpec, (name) => omitted.has(name)),
      ...(!isStandard && { minReplicas: podSpec.minReplicas ?? 1 }),
      ...resolveExplainerImage(component, podSpec, podConfig),
      ...(isWorker && { worker: pickRuntimeWorker(spec, service.workerSpec ?? {}) }),
      // Both templates of a multinode service contain its generation, which every edit of the spec increases.
      ...(service.workerSpec && isPredictor && { generation: service.object.spec }),
    },
  };
}

/** Compares templates in mode Knative. Nothing applies defaults to a Revision there, so spelling out a default creates a new Revision. */
const EXACT_EQUALITY: TemplateEquality = isDeepEqual;

function hasSamePods(before: PodInputs, after: PodInputs, isSameTemplate: TemplateEquality): boolean {
  if (!isDeepEqual(before.rest, after.rest)) return false;
  return isDeepEqual(before.template, after.template) || isSameTemplate(before.template, after.template);
}

/** Reports whether the ConfigMap changes the strategy of a component's Deployment. */
function hasNewDefaults(old: ServiceState, next: ServiceState, before: ComponentDeployment, after: ComponentDeployment): boolean {
  if (old.mode !== 'Standard' || next.mode !== 'Standard' || !isDeepEqual(before.userStrategy, after.userStrategy)) return false;
  const [was, is] = [old.platform.config, next.platform.config];
  if (was === null || is === null) return false;
  const role = after.component === 'worker' ? 'worker' : 'component';
  const written = (platform: PlatformConfig) => resolveControllerStrategy({ user: after.userStrategy, platform }, role).written;
  return !isDeepEqual(written(was), written(is));
}

/**
 * Reports whether the API server refuses the Deployment because of the strategy from the ConfigMap. The controller then fails, and running
 * pods stay.
 */
function isRefusedByDefaults(
  { mode, platform: { config } }: ServiceState,
  { userStrategy, component, strategyPath: path }: ComponentDeployment,
): boolean {
  if (mode !== 'Standard' || config === null) return false;
  const { written } = resolveControllerStrategy({ user: userStrategy, platform: config }, component === 'worker' ? 'worker' : 'component');
  return written !== userStrategy && validateDeploymentStrategy(written, { path }).some(({ severity }) => severity === 'error');
}

/** Returns the other objects that change the pods of a component. */
function findCauses(old: ServiceState, next: ServiceState, after: ComponentDeployment, isSame: TemplateEquality): readonly Manifest[] {
  // The new service with the old runtime and the old ConfigMap.
  const withOldRuntime = collectPodInputs({ ...next, runtime: old.runtime }, after, old.podConfig);
  const withRuntime = collectPodInputs(next, after, old.podConfig);
  const runtimes = hasSamePods(withOldRuntime, withRuntime, isSame) ? [] : [next.runtime ?? old.runtime];
  const configs = hasSamePods(withRuntime, collectPodInputs(next, after, next.podConfig), isSame) ? [] : listConfigMaps(next);
  return [...runtimes, ...configs].filter((cause) => cause !== undefined);
}

function listConfigMaps({ platform: { source } }: ServiceState): readonly Manifest[] {
  return isManifest(source) ? [source] : [];
}

/**
 * Reports whether the status of a live service is not Ready. A manifest has no status. Source: controller.go `Reconcile`,
 * `isvc.Status.IsReady()`.
 */
function isNotReady({ service }: ServiceState): boolean {
  const conditions = getListAt(service.object, 'status', 'conditions').filter(isFields);
  return conditions.length > 0 && !conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}

function computeComponentEffect(component: string, old: ServiceState, next: ServiceState, isSame: TemplateEquality): SystemEffect {
  const before = old.deployments.find((deployment) => deployment.component === component);
  const after = next.deployments.find((deployment) => deployment.component === component);
  const replicas = { old: before?.replicas ?? 0, next: after?.replicas ?? 0 };
  // If a transformer or an explainer is removed from a running service, its Deployment stays. KServe deletes those of removed canaries.
  const isKept = isModeLost(old.service, old.mode, next.service.version) || !isServiceStopped(next.service, next.mode);
  if (before && !after && !before.canary && isKept) return { component, effect: 'none', replicas: keepOldReplicas(replicas) };
  if (before && after && component === 'predictor' && before.name !== after.name && next.mode === 'Standard') {
    return computeRenameEffect(before, after, old, next, isSame);
  }
  if (!before || !after) return { component, effect: replicas.old === replicas.next ? 'none' : 'scale', replicas };
  const rolls = !hasSamePods(collectPodInputs(old, before, old.podConfig), collectPodInputs(next, after, next.podConfig), isSame);
  // While the service is Ready, the controller returns early: no change of the service, the runtime or the ConfigMap rolls out.
  const isOff = annotationOf(next.service.object, DISABLE_AUTO_UPDATE_ANNOTATION) === 'true' && !isNotReady(old);
  const isScaled = replicas.old !== replicas.next && (rolls || next.mode === 'Standard');
  const isSet = hasNewDefaults(old, next, before, after);
  const causes = rolls ? findCauses(old, next, after, isSame) : isSet && !isScaled ? listConfigMaps(next) : [];
  const causedBy = causes.length > 0 ? { causedBy: causes } : {};
  if (!rolls && !isScaled && !isSet) return { component, effect: 'none', replicas };
  if (isOff) return { component, effect: 'held', heldUntil: HELD_UNTIL_AUTO_UPDATE, replicas: keepOldReplicas(replicas), ...causedBy };
  if ((rolls || isScaled) && next.deployments.some((deployment) => isRefusedByDefaults(next, deployment))) {
    return { component, effect: 'held', heldUntil: HELD_UNTIL_DEFAULTS_FIXED, replicas: keepOldReplicas(replicas), ...causedBy };
  }
  if (!rolls) return { component, effect: isScaled ? 'scale' : 'settings', replicas, ...causedBy };
  return { component, effect: isScaled ? 'roll-and-scale' : 'roll', replicas, ...causedBy };
}

/**
 * Returns the effect of another `name` of the predictor. KServe deletes the Deployment with the old name in the reconcile in which it creates the one
 * with the new name, or takes over the Deployment of a canary that has it already.
 *
 * Source: KServe 0.20, components/predictor.go, `reconcileCanaryDeployments`.
 */
function computeRenameEffect(
  before: ComponentDeployment,
  after: ComponentDeployment,
  old: ServiceState,
  next: ServiceState,
  isSame: TemplateEquality,
): SystemEffect {
  const taken = old.deployments.find(({ name }) => name === after.name);
  const size = taken?.replicas ?? 0;
  const isNew =
    taken !== undefined && hasSamePods(collectPodInputs(old, taken, old.podConfig), collectPodInputs(next, after, next.podConfig), isSame);
  return {
    component: 'predictor',
    effect: 'roll',
    replicas: { old: before.replicas, next: after.replicas },
    start: { before: before.replicas, replicaSets: taken ? [{ isNew, size, available: size, desired: size }] : [] },
    findings: [reportPredictorRenamed({ from: before.name, to: after.name, ...(taken && { canary: taken.component, pods: size }) })],
  };
}

function keepOldReplicas({ old }: { readonly old: number }): { readonly old: number; readonly next: number } {
  return { old, next: old };
}

/**
 * Returns the service after the defaulting webhook: with the annotations of its mode and model format, which are also copied to the pods,
 * and with its framework as `model`.
 */
function applyAdmission(object: Manifest, mode: unknown): Manifest {
  const { [DEPLOYMENT_MODE_ANNOTATION]: _, ...others } = getFieldsAt(object, 'metadata', 'annotations');
  const spec = getFieldsAt(object, 'spec');
  const predictor = withModel(getFieldsAt(spec, 'predictor'));
  const { name: modelFormat } = getFieldsAt(modelOf(predictor), 'modelFormat');
  const annotations: Fields = {
    ...(modelFormat !== undefined && { modelFormat }),
    ...others,
    ...(mode !== undefined && { [DEPLOYMENT_MODE_ANNOTATION]: mode }),
  };
  return { ...object, metadata: { ...getFieldsAt(object, 'metadata'), annotations }, spec: { ...spec, predictor } } as Manifest;
}

/** Reports whether both objects have the same stored fields. */
function hasSameStoredFields(old: Manifest, next: Manifest): boolean {
  const storedFields = ({ metadata, spec }: Manifest) => [
    getFieldsAt({ metadata }, 'metadata').annotations,
    getFieldsAt({ metadata }, 'metadata').labels,
    spec,
  ];
  return isDeepEqual(storedFields(old), storedFields(next));
}

/** Reports who gets the requests of a component if its canaryTrafficPercent changes. */
function checkTrafficChange(component: string, old: KserveService, next: KserveService, status: unknown): readonly Finding[] {
  const [before, after] = [old, next].map(({ components }) => components.find(({ name }) => name === component));
  const percent = after?.spec.canaryTrafficPercent;
  return after && before?.spec.canaryTrafficPercent !== percent ? checkCanaryTraffic(component, after.path, percent, status) : [];
}

/** Both sides of a service's change, as the webhook stores them, or the effect that is already certain. */
type ResolvedChange =
  | { readonly effects: readonly SystemEffect[] }
  | {
      readonly effects?: undefined;
      readonly before: ServiceState;
      readonly after: ServiceState;
      readonly defaultMode: DeploymentMode | '';
    };

/** Resolves the mode, the runtime and the configuration of both sides. */
function resolveChange(old: ObjectInContext, next: ObjectInContext, reader: PlatformReader): ResolvedChange {
  const { status } = old.object;
  const [oldService, newService] = [old, next].map(({ object, context }) => readKserveService(object, context.versions.kserve));
  const [oldDefault, newDefault] = [
    reader.knownDefaultModeOf(oldService!, old.context),
    reader.knownDefaultModeOf(newService!, next.context),
  ];
  // If only one side has the platform level, it applies to both: a dump rarely contains the ConfigMap.
  const change = resolveModeChange(
    { service: oldService!, defaultMode: oldDefault ?? newDefault },
    { service: newService!, defaultMode: newDefault ?? oldDefault },
  );
  if (change.is === 'refused') return { effects: [{ effect: 'refused', refusal: change.refusal }] };
  if (change.is === 'unknown') return { effects: [{ effect: 'unknown' }] };
  const { mode, annotations } = change;
  const [was, is] = [old, next].map(({ context }) => readPodConfig(reader.platformOf(context).source));
  const resolveSide = (side: ObjectInContext, annotation: unknown, podConfig: PodConfig) =>
    resolveServiceState({ ...side, object: applyAdmission(side.object, annotation) }, status, mode, podConfig, reader);
  // A ConfigMap that KServe cannot read does not affect the pods: the config of the other side applies.
  return {
    before: resolveSide(old, annotations[0], was ?? is ?? DEFAULT_POD_CONFIG),
    after: resolveSide(next, annotations[1], is ?? was ?? DEFAULT_POD_CONFIG),
    defaultMode: newDefault ?? oldDefault ?? '',
  };
}

/** Returns why the webhook refuses a strategy that only mode Standard has. */
function findOutsideStandard(after: ServiceState, liveMode: unknown, defaultMode: DeploymentMode | ''): ApplyRejection | undefined {
  const [outside] = checkStrategyOutsideStandard(after.service, {
    status: liveMode,
    annotations: after.service.annotations,
    defaultMode,
    isDefaultAssumed: false,
    version: after.service.version,
  });
  return outside && { path: outside.path, message: outside.message };
}

/** Adds to the effect on a component what the change does to its requests and its autoscaler. */
function withComponentFindings(
  effect: SystemEffect,
  component: string,
  before: ServiceState,
  after: ServiceState,
  status: unknown,
): SystemEffect {
  const deployment = after.deployments.find((one) => one.component === component);
  if (!before.deployments.some((one) => one.component === component)) return effect;
  if (after.mode === 'Knative' && (effect.effect === 'none' || effect.effect === 'settings'))
    return {
      ...effect,
      ...(mayRouteOtherRevisions(component, before.service, after.service, status) && { effect: 'unknown' }),
      findings: checkTrafficChange(component, before.service, after.service, status),
    };
  if (after.mode !== 'Standard' || !deployment) return effect;
  const switched = checkAutoscalerSwitch(before.service, after.service, component, deployment.name);
  return { ...effect, findings: [...(effect.findings ?? []), ...switched] };
}

/** Computes what a change of a service, of its serving runtime or of the ConfigMap does to each component of it. */
export function computeServiceEffects(
  old: ObjectInContext,
  next: ObjectInContext,
  reader: PlatformReader,
  isSame: TemplateEquality,
): readonly SystemEffect[] {
  const { status } = old.object;
  const resolved = resolveChange(old, next, reader);
  if (resolved.effects) return resolved.effects;
  const { before, after, defaultMode } = resolved;
  const isOwn = !hasSameStoredFields(before.service.object, after.service.object);
  const outside = findOutsideStandard(after, getValueAt(next.object, 'status', 'deploymentMode'), defaultMode);
  if (outside && isOwn) return [{ effect: 'refused', refusal: outside }];
  if (after.mode === 'ModelMesh' || !isFields(status ?? {})) return [];
  // Without the runtime in the input, the pods are unknown.
  if (before.runtime && !after.runtime && modelOf(after.service.predictor)) return [computeLostRuntimeEffect(before.runtime, next)];
  const problem = validateRuntime(after.service, after.runtime) ?? validateStorage(after.service);
  if (problem !== undefined) {
    const path = modelPathOf(readKserveService(next.object, next.context.versions.kserve));
    return isOwn ? [{ effect: 'refused', refusal: { path, message: problem } }] : [];
  }
  const isTakenBack = !hasSameStoredFields(old.object, next.object) && !isOwn;
  const components = new Set([...before.deployments, ...after.deployments].map(({ component }) => component));
  return Array.from(components, (component) => {
    const effect = computeComponentEffect(component, before, after, after.mode === 'Standard' ? isSame : EXACT_EQUALITY);
    return { ...withComponentFindings(effect, component, before, after, status), isTakenBack };
  });
}

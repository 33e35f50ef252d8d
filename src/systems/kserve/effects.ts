import type { ObjectInContext, PlanContext, SystemEffect, TemplateEquality } from '../../cluster/context';
import { isDeepEqual } from '../../core/deep-equal';
import { validateDeploymentStrategy } from '../../workloads/deployment/validation';
import { normalizePodFields } from '../../workloads/pod/normalize-pods';
import { annotationOf, getFieldsAt, isFields, isManifest, getListAt, getValueAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { buildKserveDeployments } from './deployments';
import type { ComponentDeployment } from './deployments';
import { DEPLOYMENT_MODE_ANNOTATION, deploymentModeOf } from './mode';
import { resolveModeChange } from './mode-change';
import { readPodConfig, DEFAULT_POD_CONFIG } from './pod-config';
import type { PodConfig } from './pod-config';
import { collectWebhookInputs, buildPodSpec, dropZeroFields, withPullPolicies, pickRuntimeWorker } from './pod-template';
import { resolveControllerStrategy } from './precedence';
import { resolveRuntime, validateRuntime } from './runtime';
import { isServiceStopped, modelOf, readKserveService, withModel } from './service';
import { checkStrategyOutsideStandard } from './rules/strategy-outside-standard';
import { validateStorage } from './storage';
import type { KserveService } from './service';
import type { DeploymentMode, PlatformConfig } from './types';

/* What edits of an InferenceService, its runtime and its labels do to its pods. Source: KServe v0.17.0, components/predictor.go,
 * reconcilers/deployment/deployment_reconciler.go (`checkDeploymentExist`), controller.go (predicates of runtimes). */

/** Fields of a component that reach no pod in mode Standard: autoscalers, the route, the strategy. Labels and annotations are merged apart. */
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

/** The same in mode Knative, whose Revisions bear what its autoscaler goes by; the fewest pods are 1 where nothing is said. */
const FIELDS_NOT_IN_REVISIONS: ReadonlySet<string> = new Set(['minReplicas', 'canaryTrafficPercent', 'labels', 'annotations']);

const DISABLE_AUTO_UPDATE_ANNOTATION = 'serving.kserve.io/disable-auto-update';
/** Until when a service is held whose Deployment the API server refuses for what the ConfigMap says. */
const HELD_UNTIL_DEFAULTS_FIXED = 'the rollout defaults of inferenceservice-config are percentages';
const HELD_UNTIL_AUTO_UPDATE = `${DISABLE_AUTO_UPDATE_ANNOTATION} is gone, or it is not Ready`;

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

/** What the ConfigMap says of the services of one side. */
export interface KservePlatformLevel {
  /** Where it was read from; undefined where none is in view. */
  readonly source: Fields | undefined;
  /** Null where KServe can't read it: then it reconciles nothing. */
  readonly config: PlatformConfig | null;
}

/** How the platform level of a side is found. */
export interface PlatformReader {
  /** The default mode, assumed where nothing says it. */
  readonly defaultModeOf: (service: KserveService, context: PlanContext) => DeploymentMode;
  /** The default mode where something in view says it; `''` where a ConfigMap names none. */
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
  const deployments = isServiceStopped(service) ? [] : buildKserveDeployments(service, getFieldsAt(runtime, 'spec'));
  const mode = recorded ?? deploymentModeOf({ annotations: service.annotations, defaultMode: defaultModeOf(service, context) });
  return { service, mode, runtime, deployments, platform: platformOf(context), podConfig };
}

/** The image that an explainer has from the ConfigMap, as it names none itself. */
function resolveExplainerImage(component: string, podSpec: Fields, { artImage }: PodConfig): Fields {
  const art = component === 'explainer' ? podSpec.art : undefined;
  return isFields(art) && !art.image ? { artImage } : {};
}

/** All that decides the pods of a component. */
interface PodInputs {
  readonly template: Fields;
  /** What stands in no template that can be told from the files, and changes it. */
  readonly rest: Fields;
}

/** All of the input that decides the pods of a component, with what the ConfigMap says. */
function collectPodInputs(
  { service, runtime, mode }: Pick<ServiceState, 'service' | 'runtime' | 'mode'>,
  { component, podSpec, podMetadata }: ComponentDeployment,
  podConfig: PodConfig,
): PodInputs {
  const isPredictor = component !== 'transformer' && component !== 'explainer';
  const isWorker = component === 'worker';
  // A runtime is another object, as it was read; of the service both sides are in one spelling.
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
      // Both templates of a multinode service bear its generation, which every edit of the spec raises.
      ...(service.workerSpec && isPredictor && { generation: service.object.spec }),
    },
  };
}

/** Nobody fills in a Revision of mode Knative: what is spelled out there is a new one. */
const EXACT_EQUALITY: TemplateEquality = isDeepEqual;

function hasSamePods(before: PodInputs, after: PodInputs, isSameTemplate: TemplateEquality): boolean {
  if (!isDeepEqual(before.rest, after.rest)) return false;
  return isDeepEqual(before.template, after.template) || isSameTemplate(before.template, after.template);
}

/** Does the ConfigMap give the Deployment of a component another strategy? */
function hasNewDefaults(old: ServiceState, next: ServiceState, before: ComponentDeployment, after: ComponentDeployment): boolean {
  if (old.mode !== 'Standard' || next.mode !== 'Standard' || !isDeepEqual(before.userStrategy, after.userStrategy)) return false;
  const [was, is] = [old.platform.config, next.platform.config];
  if (was === null || is === null) return false;
  const role = after.component === 'worker' ? 'worker' : 'component';
  const written = (platform: PlatformConfig) => resolveControllerStrategy({ user: after.userStrategy, platform }, role).written;
  return !isDeepEqual(written(was), written(is));
}

/** Does the API server refuse the Deployment for the strategy that the ConfigMap gives it? Then the controller fails, and what runs stays. */
function isRefusedByDefaults(
  { mode, platform: { config } }: ServiceState,
  { userStrategy, component, strategyPath: path }: ComponentDeployment,
): boolean {
  if (mode !== 'Standard' || config === null) return false;
  const { written } = resolveControllerStrategy({ user: userStrategy, platform: config }, component === 'worker' ? 'worker' : 'component');
  return written !== userStrategy && validateDeploymentStrategy(written, { path }).some(({ severity }) => severity === 'error');
}

/** What else than the service itself changes the pods of a component. */
function findCauses(old: ServiceState, next: ServiceState, after: ComponentDeployment, isSame: TemplateEquality): readonly Manifest[] {
  // The service as it will be, with the runtime and the ConfigMap as they were.
  const own = collectPodInputs({ ...next, runtime: old.runtime }, after, old.podConfig);
  const withRuntime = collectPodInputs(next, after, old.podConfig);
  const runtimes = hasSamePods(own, withRuntime, isSame) ? [] : [next.runtime ?? old.runtime];
  const configs = hasSamePods(withRuntime, collectPodInputs(next, after, next.podConfig), isSame) ? [] : listConfigMaps(next);
  return [...runtimes, ...configs].filter((cause) => cause !== undefined);
}

function listConfigMaps({ platform: { source } }: ServiceState): readonly Manifest[] {
  return isManifest(source) ? [source] : [];
}

/** Does a live service say that it is not Ready? Of a manifest nothing is known. Source: controller.go `Reconcile`, `isvc.Status.IsReady()`. */
function isNotReady({ service }: ServiceState): boolean {
  const conditions = getListAt(service.object, 'status', 'conditions').filter(isFields);
  return conditions.length > 0 && !conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}

function computeComponentEffect(component: string, old: ServiceState, next: ServiceState, isSame: TemplateEquality): SystemEffect {
  const before = old.deployments.find((deployment) => deployment.component === component);
  const after = next.deployments.find((deployment) => deployment.component === component);
  const replicas = { old: before?.replicas ?? 0, next: after?.replicas ?? 0 };
  // The Deployment of a component that is gone from a running service stays where it is.
  if (before && !after && !isServiceStopped(next.service)) return { component, effect: 'none', replicas: keepOldReplicas(replicas) };
  if (!before || !after) return { component, effect: replicas.old === replicas.next ? 'none' : 'scale', replicas };
  const rolls = !hasSamePods(collectPodInputs(old, before, old.podConfig), collectPodInputs(next, after, next.podConfig), isSame);
  // While it is Ready the controller turns back at once: nothing of the service is rolled out, and neither runtime nor ConfigMap changes that.
  const isOff = annotationOf(next.service.object, DISABLE_AUTO_UPDATE_ANNOTATION) === 'true' && !isNotReady(old);
  const isScaled = replicas.old !== replicas.next && next.mode === 'Standard';
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

function keepOldReplicas({ old }: { readonly old: number }): { readonly old: number; readonly next: number } {
  return { old, next: old };
}

/** The service as the webhook leaves it: with the annotations of its mode, which reaches the pods as others do, and of its format, and its framework as a model. */
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

/** Does the server hold of both what anybody reads of it? */
function hasSameStoredFields(old: Manifest, next: Manifest): boolean {
  const storedFields = ({ metadata, spec }: Manifest) => [
    getFieldsAt({ metadata }, 'metadata').annotations,
    getFieldsAt({ metadata }, 'metadata').labels,
    spec,
  ];
  return isDeepEqual(storedFields(old), storedFields(next));
}

/** What a change of a service, of its serving runtime or of the ConfigMap does to each component of it. */
export function computeServiceEffects(
  old: ObjectInContext,
  next: ObjectInContext,
  reader: PlatformReader,
  isSame: TemplateEquality,
): SystemEffect[] {
  const { status } = old.object;
  const services = [old, next].map(({ object, context }) => readKserveService(object, context.versions.kserve)) as [
    KserveService,
    KserveService,
  ];
  const defaults = [old, next].map(({ context }, index) => reader.knownDefaultModeOf(services[index]!, context));
  // What one side alone says of the platform holds for the other: a dump seldom has the ConfigMap.
  const change = resolveModeChange(
    { service: services[0], defaultMode: defaults[0] ?? defaults[1] },
    { service: services[1], defaultMode: defaults[1] ?? defaults[0] },
  );
  if (change.is === 'refused') return [{ effect: 'refused', refusal: change.refusal }];
  if (change.is === 'unknown') return [{ effect: 'unknown' }];
  const [was, is] = [old, next].map(({ context }) => readPodConfig(reader.platformOf(context).source));
  // Of a ConfigMap that KServe can't read nothing reaches the pods: they stay as the other side has them.
  const [before, after] = [
    resolveServiceState(
      { ...old, object: applyAdmission(old.object, change.annotations[0]) },
      status,
      change.mode,
      was ?? is ?? DEFAULT_POD_CONFIG,
      reader,
    ),
    resolveServiceState(
      { ...next, object: applyAdmission(next.object, change.annotations[1]) },
      status,
      change.mode,
      is ?? was ?? DEFAULT_POD_CONFIG,
      reader,
    ),
  ];
  const [outside] = checkStrategyOutsideStandard(after.service, {
    status: getValueAt(next.object, 'status', 'deploymentMode'),
    annotations: after.service.annotations,
    defaultMode: defaults[1] ?? defaults[0] ?? '',
    isDefaultAssumed: false,
    version: after.service.version,
  });
  if (outside && !hasSameStoredFields(before.service.object, after.service.object)) {
    return [{ effect: 'refused', refusal: { path: outside.path, message: outside.message } }];
  }
  if (after.mode === 'ModelMesh' || !isFields(status ?? {})) return [];
  const components = [...new Set([...before.deployments, ...after.deployments].map(({ component }) => component))];
  // Without its runtime in view nobody knows what the pods are made of.
  if (before.runtime && !after.runtime && modelOf(after.service.predictor)) return [{ effect: 'unknown' }];
  const problem = validateRuntime(after.service, after.runtime) ?? validateStorage(after.service);
  if (problem !== undefined) {
    const isOwn = !hasSameStoredFields(before.service.object, after.service.object);
    return isOwn ? [{ effect: 'refused', refusal: { path: 'spec.predictor.model', message: problem } }] : [];
  }
  const isTakenBack = !hasSameStoredFields(old.object, next.object) && hasSameStoredFields(before.service.object, after.service.object);
  return components.map((component) => ({
    ...computeComponentEffect(component, before, after, after.mode === 'Standard' ? isSame : EXACT_EQUALITY),
    isTakenBack,
  }));
}

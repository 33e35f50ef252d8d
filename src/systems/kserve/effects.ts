import type { InContext, PlanContext, SystemEffect, TemplateEquality } from '../../cluster/context';
import { deepEqual } from '../../core/deep-equal';
import { deploymentStrategyFindings } from '../../workloads/deployment/validation';
import { spelledPods } from '../../workloads/pod/spelled-pods';
import { annotationOf, fieldsAt, isFields, isManifest, listAt, valueAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { deploymentsOf } from './deployments';
import type { ComponentDeployment } from './deployments';
import { DEPLOYMENT_MODE_ANNOTATION, deploymentModeOf } from './mode';
import { modeChange } from './mode-change';
import { podConfigOf, SHIPPED_POD_CONFIG } from './pod-config';
import type { PodConfig } from './pod-config';
import { addedBy, podSpecOf, withoutZeros, withPullPolicies, workerOfRuntime } from './pod-template';
import { controllerStrategy } from './precedence';
import { runtimeInView, runtimeProblem } from './runtime';
import { isStopped, modelOf, readService, withModel } from './service';
import { strategyOutsideStandardFindings } from './rules/strategy-outside-standard';
import { storageProblem } from './storage';
import type { Service } from './service';
import type { DeploymentMode, PlatformConfig } from './types';

/* What edits of an InferenceService, its runtime and its labels do to its pods. Source: KServe v0.17.0, components/predictor.go,
 * reconcilers/deployment/deployment_reconciler.go (`checkDeploymentExist`), controller.go (predicates of runtimes). */

/** Fields of a component that reach no pod in mode Standard: autoscalers, the route, the strategy. Labels and annotations are merged apart. */
const NOT_IN_PODS: ReadonlySet<string> = new Set([
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
const NOT_IN_REVISIONS: ReadonlySet<string> = new Set(['minReplicas', 'canaryTrafficPercent', 'labels', 'annotations']);

const AUTO_UPDATE_OFF = 'serving.kserve.io/disable-auto-update';
/** Until when a service is held whose Deployment the API server refuses for what the ConfigMap says. */
const LIMITS_MENDED = 'the rollout defaults of inferenceservice-config are percentages';
const AUTO_UPDATE_BACK = `${AUTO_UPDATE_OFF} is gone, or it is not Ready`;

function without(fields: Fields, left: ReadonlySet<string>): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => !left.has(name) && value !== null && value !== undefined));
}

/** One side of a service's change. */
interface Side {
  readonly service: Service;
  readonly mode: DeploymentMode;
  readonly runtime: Manifest | undefined;
  readonly deployments: readonly ComponentDeployment[];
  readonly platform: PlatformLevel;
  readonly podConfig: PodConfig;
}

/** What the ConfigMap says of the services of one side. */
export interface PlatformLevel {
  /** Where it was read from; undefined where none is in view. */
  readonly source: Fields | undefined;
  /** Null where KServe can't read it: then it reconciles nothing. */
  readonly config: PlatformConfig | null;
}

/** How the platform level of a side is found. */
export interface PlatformReader {
  /** The default mode, assumed where nothing says it. */
  readonly modeOf: (service: Service, context: PlanContext) => DeploymentMode;
  /** The default mode where something in view says it; `''` where a ConfigMap names none. */
  readonly knownDefaultOf: (service: Service, context: PlanContext) => DeploymentMode | '' | undefined;
  readonly platformOf: (context: PlanContext) => PlatformLevel;
}

function sideOf(
  { object, context }: InContext,
  status: unknown,
  recorded: DeploymentMode | undefined,
  podConfig: PodConfig,
  { modeOf, platformOf }: PlatformReader,
): Side {
  const service = readService(object, context.versions.kserve);
  const runtime = runtimeInView(service, status, context);
  const deployments = isStopped(service) ? [] : deploymentsOf(service, fieldsAt(runtime, 'spec'));
  const mode = recorded ?? deploymentModeOf({ annotations: service.annotations, defaultMode: modeOf(service, context) });
  return { service, mode, runtime, deployments, platform: platformOf(context), podConfig };
}

/** The image that an explainer has from the ConfigMap, as it names none itself. */
function imageFromConfig(component: string, podSpec: Fields, { artImage }: PodConfig): Fields {
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
function podInputs(
  { service, runtime, mode }: Pick<Side, 'service' | 'runtime' | 'mode'>,
  { component, podSpec, podMetadata }: ComponentDeployment,
  podConfig: PodConfig,
): PodInputs {
  const isPredictor = component !== 'transformer' && component !== 'explainer';
  const isWorker = component === 'worker';
  // A runtime is another object, as it was read; of the service both sides are in one spelling.
  const spec = isPredictor ? fieldsAt({ spec: spelledPods(runtime?.spec ?? {}) }, 'spec') : {};
  const labels = { ...fieldsAt(spec, 'labels'), ...fieldsAt(podMetadata, 'labels') };
  const annotations = { ...fieldsAt(spec, 'annotations'), ...fieldsAt(podMetadata, 'annotations') };
  const isStandard = mode === 'Standard';
  const left = isStandard ? NOT_IN_PODS : NOT_IN_REVISIONS;
  const ownSpec = podSpecOf(podSpec, isWorker ? {} : spec);
  return {
    template: {
      metadata: {
        labels: isStandard ? labels : without(labels, podConfig.disallowedLabels),
        annotations: without(annotations, podConfig.disallowedAnnotations),
      },
      spec: isStandard ? withPullPolicies(ownSpec) : withoutZeros(ownSpec),
    },
    rest: {
      ...addedBy(podSpec, (name) => left.has(name)),
      ...(!isStandard && { minReplicas: podSpec.minReplicas ?? 1 }),
      ...imageFromConfig(component, podSpec, podConfig),
      ...(isWorker && { worker: workerOfRuntime(spec, service.workerSpec ?? {}) }),
      // Both templates of a multinode service bear its generation, which every edit of the spec raises.
      ...(service.workerSpec && isPredictor && { generation: service.object.spec }),
    },
  };
}

/** Nobody fills in a Revision of mode Knative: what is spelled out there is a new one. */
const AS_WRITTEN: TemplateEquality = deepEqual;

function samePods(before: PodInputs, after: PodInputs, isSameTemplate: TemplateEquality): boolean {
  if (!deepEqual(before.rest, after.rest)) return false;
  return deepEqual(before.template, after.template) || isSameTemplate(before.template, after.template);
}

/** Does the ConfigMap give the Deployment of a component another strategy? */
function hasNewDefaults(old: Side, next: Side, before: ComponentDeployment, after: ComponentDeployment): boolean {
  if (old.mode !== 'Standard' || next.mode !== 'Standard' || !deepEqual(before.user, after.user)) return false;
  const [was, is] = [old.platform.config, next.platform.config];
  if (was === null || is === null) return false;
  const role = after.component === 'worker' ? 'worker' : 'component';
  const written = (platform: PlatformConfig) => controllerStrategy({ user: after.user, platform }, role).written;
  return !deepEqual(written(was), written(is));
}

/** Does the API server refuse the Deployment for the strategy that the ConfigMap gives it? Then the controller fails, and what runs stays. */
function isRefusedByDefaults({ mode, platform: { config } }: Side, { user, component, strategyPath: path }: ComponentDeployment): boolean {
  if (mode !== 'Standard' || config === null) return false;
  const { written } = controllerStrategy({ user, platform: config }, component === 'worker' ? 'worker' : 'component');
  return written !== user && deploymentStrategyFindings(written, { path }).some(({ severity }) => severity === 'error');
}

/** What else than the service itself changes the pods of a component. */
function causesOf(old: Side, next: Side, after: ComponentDeployment, isSame: TemplateEquality): readonly Manifest[] {
  // The service as it will be, with the runtime and the ConfigMap as they were.
  const own = podInputs({ ...next, runtime: old.runtime }, after, old.podConfig);
  const withRuntime = podInputs(next, after, old.podConfig);
  const runtimes = samePods(own, withRuntime, isSame) ? [] : [next.runtime ?? old.runtime];
  const configs = samePods(withRuntime, podInputs(next, after, next.podConfig), isSame) ? [] : configOf(next);
  return [...runtimes, ...configs].filter((cause) => cause !== undefined);
}

function configOf({ platform: { source } }: Side): readonly Manifest[] {
  return isManifest(source) ? [source] : [];
}

/** Does a live service say that it is not Ready? Of a manifest nothing is known. Source: controller.go `Reconcile`, `isvc.Status.IsReady()`. */
function isNotReady({ service }: Side): boolean {
  const conditions = listAt(service.object, 'status', 'conditions').filter(isFields);
  return conditions.length > 0 && !conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}

function componentEffect(component: string, old: Side, next: Side, isSame: TemplateEquality): SystemEffect {
  const before = old.deployments.find((deployment) => deployment.component === component);
  const after = next.deployments.find((deployment) => deployment.component === component);
  const replicas = { old: before?.replicas ?? 0, next: after?.replicas ?? 0 };
  // The Deployment of a component that is gone from a running service stays where it is.
  if (before && !after && !isStopped(next.service)) return { component, effect: 'none', replicas: rest(replicas) };
  if (!before || !after) return { component, effect: replicas.old === replicas.next ? 'none' : 'scale', replicas };
  const rolls = !samePods(podInputs(old, before, old.podConfig), podInputs(next, after, next.podConfig), isSame);
  // While it is Ready the controller turns back at once: nothing of the service is rolled out, and neither runtime nor ConfigMap changes that.
  const isOff = annotationOf(next.service.object, AUTO_UPDATE_OFF) === 'true' && !isNotReady(old);
  const isScaled = replicas.old !== replicas.next && next.mode === 'Standard';
  const isSet = hasNewDefaults(old, next, before, after);
  const causes = rolls ? causesOf(old, next, after, isSame) : isSet && !isScaled ? configOf(next) : [];
  const causedBy = causes.length > 0 ? { causedBy: causes } : {};
  if (!rolls && !isScaled && !isSet) return { component, effect: 'none', replicas };
  if (isOff) return { component, effect: 'held', heldUntil: AUTO_UPDATE_BACK, replicas: rest(replicas), ...causedBy };
  if ((rolls || isScaled) && next.deployments.some((deployment) => isRefusedByDefaults(next, deployment))) {
    return { component, effect: 'held', heldUntil: LIMITS_MENDED, replicas: rest(replicas), ...causedBy };
  }
  if (!rolls) return { component, effect: isScaled ? 'scale' : 'settings', replicas, ...causedBy };
  return { component, effect: isScaled ? 'roll-and-scale' : 'roll', replicas, ...causedBy };
}

function rest({ old }: { readonly old: number }): { readonly old: number; readonly next: number } {
  return { old, next: old };
}

/** The service as the webhook leaves it: with the annotations of its mode, which reaches the pods as others do, and of its format, and its framework as a model. */
function admittedAs(object: Manifest, mode: unknown): Manifest {
  const { [DEPLOYMENT_MODE_ANNOTATION]: _, ...others } = fieldsAt(object, 'metadata', 'annotations');
  const spec = fieldsAt(object, 'spec');
  const predictor = withModel(fieldsAt(spec, 'predictor'));
  const { name: modelFormat } = fieldsAt(modelOf(predictor), 'modelFormat');
  const annotations: Fields = {
    ...(modelFormat !== undefined && { modelFormat }),
    ...others,
    ...(mode !== undefined && { [DEPLOYMENT_MODE_ANNOTATION]: mode }),
  };
  return { ...object, metadata: { ...fieldsAt(object, 'metadata'), annotations }, spec: { ...spec, predictor } } as Manifest;
}

/** Does the server hold of both what anybody reads of it? */
function isStoredAlike(old: Manifest, next: Manifest): boolean {
  const stored = ({ metadata, spec }: Manifest) => [
    fieldsAt({ metadata }, 'metadata').annotations,
    fieldsAt({ metadata }, 'metadata').labels,
    spec,
  ];
  return deepEqual(stored(old), stored(next));
}

/** What a change of a service, of its serving runtime or of the ConfigMap does to each component of it. */
export function serviceEffects(old: InContext, next: InContext, reader: PlatformReader, isSame: TemplateEquality): SystemEffect[] {
  const { status } = old.object;
  const services = [old, next].map(({ object, context }) => readService(object, context.versions.kserve)) as [Service, Service];
  const defaults = [old, next].map(({ context }, index) => reader.knownDefaultOf(services[index]!, context));
  // What one side alone says of the platform holds for the other: a dump seldom has the ConfigMap.
  const change = modeChange(
    { service: services[0], defaultMode: defaults[0] ?? defaults[1] },
    { service: services[1], defaultMode: defaults[1] ?? defaults[0] },
  );
  if (change.is === 'refused') return [{ effect: 'refused', refusal: change.refusal }];
  if (change.is === 'unknown') return [{ effect: 'unknown' }];
  const [was, is] = [old, next].map(({ context }) => podConfigOf(reader.platformOf(context).source));
  // Of a ConfigMap that KServe can't read nothing reaches the pods: they stay as the other side has them.
  const [before, after] = [
    sideOf({ ...old, object: admittedAs(old.object, change.annotations[0]) }, status, change.mode, was ?? is ?? SHIPPED_POD_CONFIG, reader),
    sideOf(
      { ...next, object: admittedAs(next.object, change.annotations[1]) },
      status,
      change.mode,
      is ?? was ?? SHIPPED_POD_CONFIG,
      reader,
    ),
  ];
  const [outside] = strategyOutsideStandardFindings(after.service, {
    status: valueAt(next.object, 'status', 'deploymentMode'),
    annotations: after.service.annotations,
    defaultMode: defaults[1] ?? defaults[0] ?? '',
    isDefaultAssumed: false,
    version: after.service.version,
  });
  if (outside && !isStoredAlike(before.service.object, after.service.object)) {
    return [{ effect: 'refused', refusal: { path: outside.path, message: outside.message } }];
  }
  if (after.mode === 'ModelMesh' || !isFields(status ?? {})) return [];
  const components = [...new Set([...before.deployments, ...after.deployments].map(({ component }) => component))];
  // Without its runtime in view nobody knows what the pods are made of.
  if (before.runtime && !after.runtime && modelOf(after.service.predictor)) return [{ effect: 'unknown' }];
  const problem = runtimeProblem(after.service, after.runtime) ?? storageProblem(after.service);
  if (problem !== undefined) {
    const isOwn = !isStoredAlike(before.service.object, after.service.object);
    return isOwn ? [{ effect: 'refused', refusal: { path: 'spec.predictor.model', message: problem } }] : [];
  }
  const isTakenBack = !isStoredAlike(old.object, next.object) && isStoredAlike(before.service.object, after.service.object);
  return components.map((component) => ({
    ...componentEffect(component, before, after, after.mode === 'Standard' ? isSame : AS_WRITTEN),
    isTakenBack,
  }));
}

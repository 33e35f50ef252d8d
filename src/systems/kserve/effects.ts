import type { InContext, PlanContext, SystemEffect } from '../../cluster/context';
import { CONTEXT_KINDS } from '../../cluster/context-kinds';
import { deepEqual } from '../../core/deep-equal';
import { spelledPods } from '../../workloads/pod/spelled-pods';
import { annotationOf, fieldsAt, isFields, isManifest, nameOf, namespaceOf, valueAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { deploymentsOf } from './deployments';
import type { ComponentDeployment } from './deployments';
import { DEPLOYMENT_MODE_ANNOTATION, deploymentModeOf } from './mode';
import { modeChange } from './mode-change';
import { podConfigOf, SHIPPED_POD_CONFIG } from './pod-config';
import type { PodConfig } from './pod-config';
import { controllerStrategy } from './precedence';
import { isStopped, modelOf, readService } from './service';
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

/** Fields of a serving runtime that choose or describe it, and reach no pod. */
const NOT_OF_RUNTIME_PODS: ReadonlySet<string> = new Set([
  'supportedModelFormats',
  'protocolVersions',
  'multiModel',
  'disabled',
  'grpcEndpoint',
  'httpDataEndpoint',
  'grpcDataEndpoint',
  'builtInAdapter',
  'storageHelper',
  'replicas',
]);

const AUTO_UPDATE_OFF = 'serving.kserve.io/disable-auto-update';

function without(fields: Fields, left: ReadonlySet<string>): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => !left.has(name) && value !== null && value !== undefined));
}

/** The runtime that a service uses: the one that it names, else the one that its status says. */
function runtimeIn(service: Service, status: unknown, context: PlanContext): Manifest | undefined {
  const named =
    modelOf(service.predictor)?.runtime ?? valueAt(status, 'servingRuntimeName') ?? valueAt(status, 'clusterServingRuntimeName');
  if (typeof named !== 'string') return undefined;
  const own = context.all(CONTEXT_KINDS.servingRuntime).filter((runtime) => namespaceOf(runtime) === namespaceOf(service.object));
  return [...own, ...context.all(CONTEXT_KINDS.clusterServingRuntime)].find((runtime) => nameOf(runtime) === named);
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
  const runtime = runtimeIn(service, status, context);
  const deployments = isStopped(service) ? [] : deploymentsOf(service, fieldsAt(runtime, 'spec'));
  const mode = recorded ?? deploymentModeOf({ annotations: service.annotations, defaultMode: modeOf(service, context) });
  return { service, mode, runtime, deployments, platform: platformOf(context), podConfig };
}

/** The image that an explainer has from the ConfigMap, as it names none itself. */
function imageFromConfig(component: string, podSpec: Fields, { artImage }: PodConfig): Fields {
  const art = component === 'explainer' ? podSpec.art : undefined;
  return isFields(art) && !art.image ? { artImage } : {};
}

/** All of the input that decides the pods of a component, with what the ConfigMap says. */
function podInputs(
  { service, runtime, mode }: Side,
  { component, podSpec, podMetadata }: ComponentDeployment,
  podConfig: PodConfig,
): Fields {
  // A runtime is another object, as it was read; of the service both sides are in one spelling.
  const spec = fieldsAt({ spec: spelledPods(runtime?.spec ?? {}) }, 'spec');
  const isPredictor = component !== 'transformer' && component !== 'explainer';
  const labels = { ...(isPredictor ? fieldsAt(spec, 'labels') : {}), ...fieldsAt(podMetadata, 'labels') };
  const annotations = without(
    { ...(isPredictor ? fieldsAt(spec, 'annotations') : {}), ...fieldsAt(podMetadata, 'annotations') },
    podConfig.disallowedAnnotations,
  );
  // Both templates of a multinode service bear its generation, which every edit of the spec raises.
  const generation = service.workerSpec && isPredictor ? { generation: service.object.spec } : {};
  const left = mode === 'Standard' ? NOT_IN_PODS : new Set(['canaryTrafficPercent', 'labels', 'annotations']);
  return {
    pods: without(podSpec, left),
    labels,
    annotations,
    ...imageFromConfig(component, podSpec, podConfig),
    ...(isPredictor && { runtime: without(spec, new Set([...NOT_OF_RUNTIME_PODS, 'labels', 'annotations'])) }),
    ...generation,
  };
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

/** What else than the service itself changes the pods of a component; nothing where the service does so too. */
function causesOf(old: Side, next: Side, before: ComponentDeployment, after: ComponentDeployment): readonly Manifest[] {
  const inputs = podInputs(old, before, old.podConfig);
  // The service as it will be, under the ConfigMap as it was.
  const { runtime, ...own } = podInputs(next, after, old.podConfig);
  const { runtime: runtimeBefore, ...ownBefore } = inputs;
  if (!deepEqual(own, ownBefore)) return [];
  const isByConfig = !deepEqual({ runtime, ...own }, podInputs(next, after, next.podConfig));
  const runtimes = deepEqual(runtime, runtimeBefore) ? [] : [next.runtime ?? old.runtime];
  return [...runtimes, ...(isByConfig ? configOf(next) : [])].filter((cause) => cause !== undefined);
}

function configOf({ platform: { source } }: Side): readonly Manifest[] {
  return isManifest(source) ? [source] : [];
}

function componentEffect(component: string, old: Side, next: Side): SystemEffect {
  const before = old.deployments.find((deployment) => deployment.component === component);
  const after = next.deployments.find((deployment) => deployment.component === component);
  const replicas = { old: before?.replicas ?? 0, next: after?.replicas ?? 0 };
  if (!before || !after) return { component, effect: replicas.old === replicas.next ? 'none' : 'scale', replicas };
  const rolls = !deepEqual(podInputs(old, before, old.podConfig), podInputs(next, after, next.podConfig));
  // While it is Ready the controller turns back at once: nothing of the service is rolled out, and neither runtime nor ConfigMap changes that.
  const isOff = annotationOf(next.service.object, AUTO_UPDATE_OFF)?.toLowerCase() === 'true';
  const isScaled = replicas.old !== replicas.next && next.mode === 'Standard';
  const isSet = hasNewDefaults(old, next, before, after);
  const causes = rolls ? causesOf(old, next, before, after) : isSet && !isScaled ? configOf(next) : [];
  const causedBy = causes.length > 0 ? { causedBy: causes } : {};
  if (!rolls && !isScaled && !isSet) return { component, effect: 'none', replicas };
  if (isOff) return { component, effect: 'held', replicas: rest(replicas), ...causedBy };
  if (!rolls) return { component, effect: isScaled ? 'scale' : 'settings', replicas, ...causedBy };
  return { component, effect: isScaled ? 'roll-and-scale' : 'roll', replicas, ...causedBy };
}

function rest({ old }: { readonly old: number }): { readonly old: number; readonly next: number } {
  return { old, next: old };
}

/** The service with the annotation of its mode as the webhook leaves it: it reaches the pods as others do. */
function annotatedAs(object: Manifest, mode: unknown): Manifest {
  const { [DEPLOYMENT_MODE_ANNOTATION]: _, ...others } = fieldsAt(object, 'metadata', 'annotations');
  const annotations = mode === undefined ? others : { ...others, [DEPLOYMENT_MODE_ANNOTATION]: mode };
  return { ...object, metadata: { ...fieldsAt(object, 'metadata'), annotations } } as Manifest;
}

/** What a change of a service, of its serving runtime or of the ConfigMap does to each component of it. */
export function serviceEffects(old: InContext, next: InContext, reader: PlatformReader): SystemEffect[] {
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
    sideOf(
      { ...old, object: annotatedAs(old.object, change.annotations[0]) },
      status,
      change.mode,
      was ?? is ?? SHIPPED_POD_CONFIG,
      reader,
    ),
    sideOf(
      { ...next, object: annotatedAs(next.object, change.annotations[1]) },
      status,
      change.mode,
      is ?? was ?? SHIPPED_POD_CONFIG,
      reader,
    ),
  ];
  if (after.mode === 'ModelMesh' || !isFields(status ?? {})) return [];
  const components = [...new Set([...before.deployments, ...after.deployments].map(({ component }) => component))];
  return components.map((component) => componentEffect(component, before, after));
}

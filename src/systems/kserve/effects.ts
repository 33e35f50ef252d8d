import type { InContext, PlanContext, SystemEffect } from '../../cluster/context';
import { CONTEXT_KINDS } from '../../cluster/context-kinds';
import { deepEqual } from '../../core/deep-equal';
import { annotationOf, fieldsAt, isFields, nameOf, namespaceOf, valueAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { deploymentsOf } from './deployments';
import type { ComponentDeployment } from './deployments';
import { DEPLOYMENT_MODE_ANNOTATION, deploymentModeOf, normalisedMode } from './mode';
import { isStopped, modelOf, readService } from './service';
import type { Service } from './service';
import type { DeploymentMode } from './types';

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

/** Annotations of a service that do not reach its pods. Source: constants.go, `ServiceAnnotationDisallowedList`. */
const NOT_ON_PODS: ReadonlySet<string> = new Set([
  'autoscaling.knative.dev/min-scale',
  'autoscaling.knative.dev/max-scale',
  'internal.serving.kserve.io/storage-initializer-sourceuri',
  'kubectl.kubernetes.io/last-applied-configuration',
  'modelFormat',
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
}

function sideOf({ object, context }: InContext, status: unknown, assumedMode: DeploymentMode): Side {
  const service = readService(object, context.versions.kserve);
  const runtime = runtimeIn(service, status, context);
  const mode = deploymentModeOf({
    status: valueAt(status, 'deploymentMode'),
    annotations: service.annotations,
    defaultMode: assumedMode,
    version: context.versions.kserve,
  });
  return { service, mode, runtime, deployments: isStopped(service) ? [] : deploymentsOf(service, fieldsAt(runtime, 'spec')) };
}

function annotationsOnPods(annotations: Fields): Fields {
  return without(annotations, NOT_ON_PODS);
}

/** All of the input that decides the pods of a component. */
function podInputs({ service, runtime, mode }: Side, { component, podSpec, podMetadata }: ComponentDeployment): Fields {
  const spec = fieldsAt(runtime, 'spec');
  const isPredictor = component !== 'transformer' && component !== 'explainer';
  const labels = { ...(isPredictor ? fieldsAt(spec, 'labels') : {}), ...fieldsAt(podMetadata, 'labels') };
  const annotations = { ...(isPredictor ? fieldsAt(spec, 'annotations') : {}), ...annotationsOnPods(fieldsAt(podMetadata, 'annotations')) };
  // Both templates of a multinode service bear its generation, which every edit of the spec raises.
  const generation = service.workerSpec && isPredictor ? { generation: service.object.spec } : {};
  const left = mode === 'Standard' ? NOT_IN_PODS : new Set(['canaryTrafficPercent', 'labels', 'annotations']);
  return {
    pods: without(podSpec, left),
    labels,
    annotations,
    ...(isPredictor && { runtime: without(spec, new Set([...NOT_OF_RUNTIME_PODS, 'labels', 'annotations'])) }),
    ...generation,
  };
}

function componentEffect(component: string, old: Side, next: Side): SystemEffect {
  const before = old.deployments.find((deployment) => deployment.component === component);
  const after = next.deployments.find((deployment) => deployment.component === component);
  const replicas = { old: before?.replicas ?? 0, next: after?.replicas ?? 0 };
  if (!before || !after) return { component, effect: replicas.old === replicas.next ? 'none' : 'scale', replicas };
  const [inputs, wanted] = [podInputs(old, before), podInputs(next, after)];
  const changes = !deepEqual(inputs, wanted);
  const { runtime: _, ...own } = wanted;
  const { runtime: __, ...ownBefore } = inputs;
  const runtimes = deepEqual(inputs.runtime, wanted.runtime)
    ? []
    : [next.runtime ?? old.runtime].filter((runtime) => runtime !== undefined);
  // While it is Ready the controller turns back at once: nothing of the service is rolled out, and a runtime wakes nobody.
  const isOff = annotationOf(next.service.object, AUTO_UPDATE_OFF)?.toLowerCase() === 'true';
  const isScaled = replicas.old !== replicas.next && next.mode === 'Standard';
  if (!changes)
    return { component, effect: isScaled ? (isOff ? 'held' : 'scale') : 'none', replicas: isScaled && isOff ? rest(replicas) : replicas };
  const causedBy = deepEqual(own, ownBefore) ? { causedBy: runtimes } : {};
  if (isOff) return { component, effect: 'held', replicas: rest(replicas), ...causedBy };
  return { component, effect: isScaled ? 'roll-and-scale' : 'roll', replicas, ...causedBy };
}

function rest({ old }: { readonly old: number }): { readonly old: number; readonly next: number } {
  return { old, next: old };
}

/** A change of mode is refused, by the status against the new annotation. Source: inference_service_validation.go. */
function modeRefusal(status: unknown, next: Service): SystemEffect | undefined {
  const [current] = [valueAt(status, 'deploymentMode')];
  const wanted = next.annotations[DEPLOYMENT_MODE_ANNOTATION];
  if (typeof current !== 'string' || current === '' || typeof wanted !== 'string') return undefined;
  const [from, to] = [normalisedMode(current) ?? current, normalisedMode(wanted) ?? wanted];
  if (from === to) return undefined;
  return {
    effect: 'refused',
    refusal: { path: '', message: `update rejected: deploymentMode cannot be changed from '${from}' to '${to}'` },
  };
}

/** What a change of a service, or of its serving runtime, does to each component of it. */
export function serviceEffects(
  old: InContext,
  next: InContext,
  modeOf: (service: Service, context: PlanContext) => DeploymentMode,
): SystemEffect[] {
  const { status } = old.object;
  const nextService = readService(next.object, next.context.versions.kserve);
  const refused = modeRefusal(status, nextService);
  if (refused) return [refused];
  const [before, after] = [
    sideOf(old, status, modeOf(readService(old.object, old.context.versions.kserve), old.context)),
    sideOf(next, status, modeOf(nextService, next.context)),
  ];
  if (after.mode === 'ModelMesh' || !isFields(status ?? {})) return [];
  const components = [...new Set([...before.deployments, ...after.deployments].map(({ component }) => component))];
  return components.map((component) => componentEffect(component, before, after));
}

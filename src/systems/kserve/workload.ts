import { toFieldPath, appendToPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
import { getListAt, namespaceOf, getValueAt } from '../../core/manifest/manifest';
import type { Finding } from '../../core/findings/finding';
import type { Provenance } from '../../core/document/provenance';
import { autoscalerOf } from '../../cluster/autoscaling/autoscaler';
import type { PlanContext } from '../../cluster/context/context';
import type { ContainerAtPath, LocatedTemplate, ValueAtPath } from '../../cluster/rollout/located-template';
import { checkTermination } from '../../cluster/pods/rules';
import { getRequestTermination } from '../../cluster/services/termination';
import type { RequestTermination } from '../../core/document/request-termination';
import { buildPodSpec } from './pod-template';
import { findNamedRuntimeSpec } from './runtime';
import type { StrategyOwner } from '../../cluster/rollout/strategy-field-names';
import type { Workload } from '../../cluster/rollout/workload';
import { DEPLOYMENT } from '../../workloads/deployment/kind';
import type { EffectiveDeployment } from '../../workloads/deployment/kind';
import { DEPLOYMENT_DEFAULTS } from '../../workloads/deployment/strategy';
import { applyChangeToPodCount, buildPodWorkload } from '../../workloads/build-pod-workload';
import type { ComponentDeployment } from './deployments';
import { MODEL_CONTAINER, modelFieldOf, WORKER_CONTAINER } from './service';
import type { KserveService } from './service';

/** Containers that get a readiness probe from KServe or its serving runtimes. */
const CONTAINERS_WITH_PROBES: readonly unknown[] = [MODEL_CONTAINER, 'transformer-container', WORKER_CONTAINER];

/** Returns the containers of a component's pods. If there is a model, its container comes first and has the path of the model. */
export function listKserveContainers({ podSpec, podPath }: Pick<ComponentDeployment, 'podSpec' | 'podPath'>): ContainerAtPath[] {
  const modelField = modelFieldOf(podSpec);
  return getListAt(podSpec, 'containers').map((value, index) => ({
    value,
    path: resolveContainerPath(podPath, modelField, index),
    getsProbe: CONTAINERS_WITH_PROBES.includes(getValueAt(value, 'name')),
  }));
}

function resolveContainerPath(podPath: FieldPath, modelField: string | undefined, index: number): FieldPath {
  if (modelField === undefined) return toFieldPath`${podPath}.containers[${index}]`;
  return index === 0 ? appendToPath(podPath, modelField) : toFieldPath`${podPath}.containers[${index - 1}]`;
}

/**
 * Returns the objects that may have annotations for the pods: the component and, for the predictor, also the service, whose annotations
 * apply to all components.
 */
function collectAnnotationHolders(
  { object, components, canaries }: KserveService,
  { component, podPath }: ComponentDeployment,
): ValueAtPath[] {
  const holders = [
    ...components.map(({ path, spec }) => ({ path, value: spec })),
    ...canaries.map(({ path, predictor }) => ({ path, value: predictor })),
  ];
  return [
    ...(component === 'predictor' ? [{ value: object.metadata, path: toFieldPath`metadata` }] : []),
    ...holders.filter(({ path }) => path === podPath),
  ];
}

/** Returns the owner of a Deployment's strategy if the user cannot set it. */
function resolveStrategyOwner(
  { workerSpec }: KserveService,
  { canary, component }: ComponentDeployment,
  provenance: readonly Provenance[],
): StrategyOwner | undefined {
  if (canary) return 'kserve-canary';
  if (provenance.some(({ layer }) => layer === 'multinode-override')) return 'kserve-worker';
  return workerSpec && component === 'predictor' ? 'kserve-head' : undefined;
}

/** Reports whether a serving runtime decides what the containers run. */
function hasRuntime({ component, podSpec }: ComponentDeployment): boolean {
  return component === 'worker' || modelFieldOf(podSpec) !== undefined;
}

/** Returns the template of pods whose runtime the model names, if the runtime is in the input: with the command and the hooks of both. */
function findRuntimeTemplate(service: KserveService, deployment: ComponentDeployment, context: PlanContext): LocatedTemplate | undefined {
  const { component, podMetadata, podSpec, podPath } = deployment;
  if (component !== 'predictor' || modelFieldOf(podSpec) === undefined || service.workerSpec !== undefined) return undefined;
  const runtime = findNamedRuntimeSpec(service, context);
  if (getListAt(runtime, 'containers').length === 0) return undefined;
  const spec = buildPodSpec(podSpec, runtime);
  const own = listKserveContainers(deployment);
  const pathOf = (container: unknown) => own.find(({ value }) => getValueAt(value, 'name') === getValueAt(container, 'name'))?.path;
  return {
    template: { metadata: podMetadata, spec },
    podPath,
    containers: getListAt(spec, 'containers').map((value) => ({ value, path: pathOf(value) ?? toFieldPath`${podPath}.containers` })),
    metadata: [],
    service: deployment.name,
    awaitsReadiness: true,
  };
}

/** How the requests of pods end whose runtime is in the input. */
export interface RuntimeTermination {
  readonly termination?: RequestTermination;
  readonly findings: readonly Finding[];
}

/** Returns how the requests of a component end if its runtime is in the input, which its pods do not show on their own. */
export function resolveRuntimeTermination(
  service: KserveService,
  deployment: ComponentDeployment,
  context: PlanContext,
): RuntimeTermination {
  const located = findRuntimeTemplate(service, deployment, context);
  if (!located) return { findings: [] };
  const termination = getRequestTermination(located.template);
  return { ...(termination && { termination }), findings: checkTermination(located, context) };
}

/** How long the pods of a Deployment that KServe creates may take. InferenceServices have no field for it. */
const DEADLINE = {
  deadline: DEPLOYMENT_DEFAULTS.progressDeadlineSeconds,
  minReadySeconds: DEPLOYMENT_DEFAULTS.minReadySeconds,
  isSettable: false,
};

/** Builds the workload of a Deployment that KServe creates. */
export function buildKserveWorkload(
  service: KserveService,
  deployment: ComponentDeployment,
  effective: EffectiveDeployment,
  context: PlanContext,
): Workload {
  const { name, replicas, replicasPath, replicaRange, podMetadata, podSpec, podPath, strategyPath, claims } = deployment;
  const namespace = namespaceOf(service.object);
  const target = { name, namespace };
  const autoscaler = deployment.hasOwnAutoscaler
    ? undefined
    : autoscalerOf({ apiVersion: DEPLOYMENT.apiVersion, kind: DEPLOYMENT.kind, metadata: target }, context);
  return buildPodWorkload(
    DEPLOYMENT,
    {
      effective,
      workload: {
        ...target,
        template: { metadata: podMetadata, spec: podSpec },
        podPath,
        strategyPath,
        claims,
        // The defaults come from the serving runtime and from inferenceservice-config.
        hasDefaultedResources: true,
        strategyOwner: resolveStrategyOwner(service, deployment, effective.provenance),
        replicaRange,
        controlsTermination: hasRuntime(deployment),
      },
      count: applyChangeToPodCount(
        { steady: replicas, initialState: { replicas }, autoscaler },
        context.changedPods?.(service.object, deployment.component),
      ),
      writtenPods: () => ({
        containers: listKserveContainers(deployment),
        metadata: collectAnnotationHolders(service, deployment),
        // The Services of workers are for their head.
        ...(deployment.component !== 'worker' && { service: deployment.name }),
      }),
      ruleInputs: {
        deadline: { path: podPath, ...DEADLINE },
        declaredReplicas: replicasPath && { path: replicasPath, replicas, writer: 'kserve' },
      },
    },
    context,
  );
}

import { at, childPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import { listAt, namespaceOf, valueAt } from '../../core/manifest';
import type { Provenance } from '../../core/provenance';
import { autoscalerOf } from '../../cluster/autoscaler';
import type { PlanContext } from '../../cluster/context';
import type { StrategyOwner } from '../../cluster/strategy-terms';
import type { Workload } from '../../cluster/workload';
import { DEPLOYMENT } from '../../workloads/deployment/kind';
import type { SettledDeployment } from '../../workloads/deployment/kind';
import { DEPLOYMENT_DEFAULTS } from '../../workloads/deployment/strategy';
import type { Placed, ReviewedContainer } from '../../workloads/review';
import { countAfter, workloadOf } from '../../workloads/workload-of';
import type { ComponentDeployment } from './deployments';
import { MODEL_CONTAINER, modelFieldOf, WORKER_CONTAINER } from './service';
import type { Service } from './service';

/** Containers to which KServe, or its serving runtimes, give a readiness probe. */
const OWN_CONTAINERS: readonly unknown[] = [MODEL_CONTAINER, 'transformer-container', WORKER_CONTAINER];

/** The containers of a component's pods; where a model is, KServe's own comes first, and stands where the model does. */
function reviewedContainers({ podSpec, podPath }: ComponentDeployment): ReviewedContainer[] {
  const modelField = modelFieldOf(podSpec);
  return listAt(podSpec, 'containers').map((value, index) => ({
    value,
    path: containerPath(podPath, modelField, index),
    getsProbe: OWN_CONTAINERS.includes(valueAt(value, 'name')),
  }));
}

function containerPath(podPath: FieldPath, modelField: string | undefined, index: number): FieldPath {
  if (modelField === undefined) return at`${podPath}.containers[${index}]`;
  return index === 0 ? childPath(podPath, modelField) : at`${podPath}.containers[${index - 1}]`;
}

/** What holds annotations of the pods: the component, and of the predictor the service too, which gives its own to all components. */
function annotated({ object, components, canaries }: Service, { component, podPath }: ComponentDeployment): Placed[] {
  const holders = [
    ...components.map(({ path, spec }) => ({ path, value: spec })),
    ...canaries.map(({ path, predictor }) => ({ path, value: predictor })),
  ];
  return [
    ...(component === 'predictor' ? [{ value: object.metadata, path: at`metadata` }] : []),
    ...holders.filter(({ path }) => path === podPath),
  ];
}

/** Who decides the strategy of a Deployment, where its user can't. */
function strategyOwnerOf(
  { workerSpec }: Service,
  { canary, component }: ComponentDeployment,
  provenance: readonly Provenance[],
): StrategyOwner | undefined {
  if (canary) return 'kserve-canary';
  if (provenance.some(({ layer }) => layer === 'multinode-override')) return 'kserve-worker';
  return workerSpec && component === 'predictor' ? 'kserve-head' : undefined;
}

/** A Deployment that KServe makes, as the surroundings and the rules of Deployments see it. */
export function deploymentWorkload(
  service: Service,
  deployment: ComponentDeployment,
  settled: SettledDeployment,
  context: PlanContext,
): Workload {
  const { name, replicas, replicasPath, replicaRange, podMetadata, podSpec, podPath, strategyPath, claims } = deployment;
  const namespace = namespaceOf(service.object);
  const target = { name, namespace };
  const autoscaler = deployment.hasOwnAutoscaler
    ? undefined
    : autoscalerOf({ apiVersion: DEPLOYMENT.apiVersion, kind: DEPLOYMENT.kind, metadata: target }, context);
  return workloadOf(
    DEPLOYMENT,
    {
      settled,
      workload: {
        ...target,
        template: { metadata: podMetadata, spec: podSpec },
        podPath,
        strategyPath,
        claims,
        // From the serving runtime and from inferenceservice-config.
        resourcesAreFilledIn: true,
        strategyOwner: strategyOwnerOf(service, deployment, settled.provenance),
        replicaRange,
      },
      count: countAfter({ steady: replicas, start: { replicas }, autoscaler }, context.changedPods?.(service.object, deployment.component)),
      review: {
        containers: reviewedContainers(deployment),
        metadata: annotated(service, deployment),
        deadline: {
          path: podPath,
          deadline: DEPLOYMENT_DEFAULTS.progressDeadlineSeconds,
          minReadySeconds: DEPLOYMENT_DEFAULTS.minReadySeconds,
          isSettable: false,
        },
        writtenReplicas: replicasPath && { path: replicasPath, replicas, writer: 'kserve' },
      },
    },
    context,
  );
}

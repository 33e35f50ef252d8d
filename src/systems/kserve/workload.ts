import { at } from '../../core/field-path';
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
import { workloadOf } from '../../workloads/workload-of';
import type { ComponentDeployment } from './deployments';
import { MODEL_CONTAINER, WORKER_CONTAINER } from './service';
import type { Service } from './service';

/** Containers to which KServe, or its serving runtimes, give a readiness probe. */
const OWN_CONTAINERS: readonly unknown[] = [MODEL_CONTAINER, 'transformer-container', WORKER_CONTAINER];

/** The containers of a component, those of a canary's own spec aside. */
function userContainers({ components }: Service, { component }: ComponentDeployment): ReviewedContainer[] {
  const found = components.find(({ name }) => name === component);
  return listAt(found?.spec, 'containers').map((container, index) => ({
    value: container,
    path: at`${found!.path}.containers[${index}]`,
    getsProbe: OWN_CONTAINERS.includes(valueAt(container, 'name')),
  }));
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
function strategyOwnerOf({ canary }: ComponentDeployment, provenance: readonly Provenance[]): StrategyOwner | undefined {
  if (canary) return 'kserve-canary';
  return provenance.some(({ layer }) => layer === 'multinode-override') ? 'kserve-worker' : undefined;
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
  const target = { name, ...(namespace !== undefined && { namespace }) };
  const autoscaler = deployment.hasOwnAutoscaler ? undefined : autoscalerOf({ kind: DEPLOYMENT.kind, ...target }, context);
  const strategyOwner = strategyOwnerOf(deployment, settled.provenance);
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
        ...(strategyOwner && { strategyOwner }),
        ...(replicaRange && { replicaRange }),
      },
      count: { steady: replicas, start: { replicas }, ...(autoscaler && { autoscaler }) },
      review: {
        containers: userContainers(service, deployment),
        metadata: annotated(service, deployment),
        deadline: {
          path: podPath,
          deadline: DEPLOYMENT_DEFAULTS.progressDeadlineSeconds,
          minReadySeconds: DEPLOYMENT_DEFAULTS.minReadySeconds,
          isSettable: false,
        },
        ...(replicasPath && { writtenReplicas: { path: replicasPath, replicas, writer: 'kserve' } as const }),
      },
    },
    context,
  );
}

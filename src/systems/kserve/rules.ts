import { inputFinding } from '../../core/catalogue';
import type { Finding } from '../../core/finding';
import { fieldsAt, isFields, listAt, valueAt } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import { describeValue } from '../../core/shape';
import { startupAnnotationFindings, startupSecondsOf } from '../../core/startup';
import { replicaRangeOf } from '../../cluster/autoscaler';
import type { Autoscaler } from '../../cluster/autoscaler';
import { kubernetesFinding } from '../../cluster/catalogue';
import type { DeploymentStrategy } from '../../workloads/types';
import { deadlineFindings, readinessFindings } from '../../workloads/workload-rules';
import { kserveFinding } from './catalogue';
import type { ComponentDeployment } from './deployments';
import { LIMITS, present } from './platform-rules';
import { isGiven } from './precedence';
import { MODEL_CONTAINER, setsRayNodeCount, WORKER_CONTAINER } from './service';
import type { Canary, Service } from './service';
import type { PlatformConfig } from './types';

const BOTH_FOR_MULTINODE = 'type: RollingUpdate, maxSurge: 100% and maxUnavailable: 0%';

/** Fields that this KServe does not know and the API server drops: canaries and the predictor's name came with 0.20. */
export function unknownFieldFindings({ object, predictor, knowsCanaries }: Service): Finding[] {
  if (knowsCanaries) return [];
  return [
    ...(isGiven(valueAt(object, 'spec', 'canary')) ? [unknownBefore020('spec.canary', 'there will be no canary')] : []),
    ...(isGiven(predictor.name) ? [unknownBefore020('spec.predictor.name', 'the Deployment is named without it')] : []),
  ];
}

function unknownBefore020(path: string, consequence: string): Finding {
  return inputFinding('input/unknown-field', {
    path,
    message: `KServe before 0.20 has no ${path}; the API server drops it: ${consequence}.`,
    help: 'Upgrade to KServe 0.20 or later, or delete it.',
  });
}

/** What works and is likely not meant in a predictor, transformer or explainer. */
export function componentRules(
  service: Service,
  { component, user, strategyPath }: ComponentDeployment,
  strategy: DeploymentStrategy | null,
  platform: PlatformConfig,
): Finding[] {
  if (component === 'predictor' && service.workerSpec) return strategy ? headFindings(strategy, strategyPath) : [];
  return [
    ...(strategy ? partialFindings(user, strategyPath, platform) : []),
    ...(component === 'predictor' && setsRayNodeCount(service.predictor) ? [rayNodeCount()] : []),
  ];
}

/** One limit without the other. Recreate takes neither. */
function partialFindings(user: unknown, path: string, platform: PlatformConfig): Finding[] {
  if (!isFields(user) || user.type === 'Recreate') return [];
  const given: Fields = present(fieldsAt(user, 'rollingUpdate'));
  const missing = LIMITS.filter((limit) => given[limit] === undefined);
  const [absent] = missing;
  if (missing.length !== 1 || absent === undefined) return [];
  const configured = platform.defaultDeploymentMode === 'Standard' ? platform.defaultRollout?.[absent] : undefined;
  const instead = configured ? `, not the ${describeValue(configured)} of the ConfigMap` : '';
  return [
    kserveFinding('kserve/partial-strategy', {
      path: `${path}.rollingUpdate`,
      message: `The deploymentStrategy has no ${absent}, which becomes 25%${instead}: KServe takes a deploymentStrategy as a whole.`,
      help: `Write ${absent}${configured ? `: ${configured}` : ''} beside the other limit.`,
    }),
  ];
}

function isOverride(strategy: DeploymentStrategy): boolean {
  if (strategy.type === 'Recreate') return false;
  const { maxSurge, maxUnavailable } = strategy.rollingUpdate;
  return maxSurge === '100%' && (maxUnavailable === '0%' || maxUnavailable === 0);
}

function headFindings(strategy: DeploymentStrategy, path: string): Finding[] {
  if (isOverride(strategy)) return [];
  const limits = strategy.type === 'Recreate' ? 'Recreate' : LIMITS.map((limit) => `${limit} ${strategy.rollingUpdate[limit]}`).join(', ');
  return [
    kserveFinding('kserve/multinode-head-not-overridden', {
      path,
      message: `The head of this multinode predictor rolls out with ${limits}: KServe overrides only the worker, not both as documented.`,
      help: `Write ${BOTH_FOR_MULTINODE} into the deploymentStrategy of the predictor.`,
    }),
  ];
}

/** Containers to which KServe, or its serving runtimes, give a readiness probe. */
const OWN_CONTAINERS: readonly unknown[] = [MODEL_CONTAINER, 'transformer-container', WORKER_CONTAINER];

function isOwnContainer(container: unknown): boolean {
  return OWN_CONTAINERS.includes(valueAt(container, 'name'));
}

/** Containers of the user's own without a readiness probe. */
export function sidecarFindings({ components }: Service, component: string): Finding[] {
  const found = components.find(({ name }) => name === component);
  if (!found) return [];
  const containers = listAt(found.spec, 'containers').map((container) => (isOwnContainer(container) ? null : container));
  return readinessFindings({ containers }, found.path);
}

/** Start-up annotations that the plan passes over: a component's own, and with the predictor those that the service gives to all. */
export function annotationFindings({ object, components, canaries }: Service, { component, podPath }: ComponentDeployment): Finding[] {
  const annotated = [...components, ...canaries.map(({ path, predictor }) => ({ path, spec: predictor }))];
  return [
    ...(component === 'predictor' ? startupAnnotationFindings(object.metadata, 'metadata') : []),
    ...startupAnnotationFindings(annotated.find(({ path }) => path === podPath)?.spec, podPath),
  ];
}

/** Replicas that KServe writes, and that an autoscaler of the user's own sets in turn. Source: KServe deployment_reconciler.go. */
export function ownedReplicasFindings(deployment: ComponentDeployment, autoscaler: Autoscaler | undefined): Finding[] {
  const { name, replicas, replicasPath } = deployment;
  if (replicasPath === undefined || !autoscaler || !replicaRangeOf(autoscaler, replicas)) return [];
  return [
    kubernetesFinding('kubernetes/hpa-owns-replicas', {
      path: replicasPath,
      message:
        `KServe writes replicas ${replicas} into Deployment "${name}", but the ${autoscaler.by} sets it too: every reconcile puts ` +
        `${replicas} back, whatever the load.`,
      help: `Delete the ${autoscaler.by}: with autoscalerClass none it is KServe that keeps the replicas.`,
    }),
  ];
}

/** Pods that need longer than the 600 seconds without progress that KServe gives every Deployment. */
export function startupFindings({ podMetadata, podPath }: ComponentDeployment, startupSeconds: number): Finding[] {
  const seconds = startupSecondsOf({ metadata: podMetadata }, startupSeconds) ?? 0;
  return deadlineFindings({}, seconds).map((finding) => ({
    ...finding,
    path: podPath,
    help: 'KServe has no field for it: make the pods start faster, for instance with a model that is already on the node.',
  }));
}

/** What works and is likely not meant in a worker: a strategy that KServe does not override. */
export function workerRules({ user, strategyPath }: ComponentDeployment): Finding[] {
  if (!isGiven(user) || valueAt(user, 'type') === 'RollingUpdate') return [];
  const type = valueAt(user, 'type');
  const seen = type ? `has type ${describeValue(type)}` : 'has no type';
  return [
    kserveFinding('kserve/multinode-strategy-escapes-override', {
      path: strategyPath,
      message: `The deploymentStrategy ${seen}, so KServe does not override it in the worker: nodes of a running Ray cluster may go first.`,
      help: `Write ${BOTH_FOR_MULTINODE}.`,
    }),
  ];
}

function rayNodeCount(): Finding {
  return kserveFinding('kserve/ray-node-count-without-worker', {
    path: 'spec.predictor',
    message:
      'The predictor sets RAY_NODE_COUNT and has no workerSpec: KServe writes this variable and never reads what a user set, so nothing ' +
      'is overridden.',
    help: 'Give the predictor a workerSpec if it is to run on several nodes, or delete the variable.',
  });
}

/** A deploymentStrategy that somebody wrote for a canary. */
export function canaryRules({ predictor }: Service, canary: Canary): Finding[] {
  const own = isGiven(canary.predictor.deploymentStrategy);
  if (!own && !isGiven(predictor.deploymentStrategy)) return [];
  return [
    kserveFinding('kserve/canary-ignores-strategy', {
      path: `${own ? canary.path : 'spec.predictor'}.deploymentStrategy`,
      message:
        `The deploymentStrategy of ${own ? 'the canary' : 'the stable predictor'} does not hold for this canary: KServe builds its ` +
        'Deployment without one.',
      help: 'Set rollout defaults in the ConfigMap if 25%/25% is not right for canaries, and delete the deploymentStrategy of the canary.',
    }),
  ];
}

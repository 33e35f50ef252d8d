import type { Finding } from '../core/finding';
import { isInt32 } from '../core/int-or-percent';
import { fieldsAt, isFields, nameOf, namespaceOf, valueAt } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';
import { resourceOf } from '../core/rollout';
import type { PlannedRollout } from '../core/rollout';
import { startupAnnotationFindings, startupSecondsOf } from '../core/startup';
import type { PlanContext, RolloutSystem } from '../cluster/context';
import type { SystemRollout, Workload } from '../cluster/workload';
import { autoscalerOf, replicaRangeOf } from '../cluster/autoscaler';
import { KUBERNETES_CATALOGUE } from '../cluster/catalogue';
import { contextFindings } from '../cluster/context-rules';
import { foreignOwnerFindings } from '../cluster/ownership';
import { deploymentProvenance, updateStrategyProvenance } from './provenance';
import { replicasOf } from './replicas';
import { rolloutFindings } from './deployment/rules';
import { simulateDeployment, simulateStatefulSet } from './simulate';
import { keepsStatefulSetMaxUnavailable, parallelAwaitsMinReady, storedDeploymentStrategy, storedUpdateStrategy } from './strategy';
import { SURROUNDINGS_CATALOGUE } from '../cluster/surroundings-catalogue';
import type { DeploymentStrategySpec, StatefulSetUpdateStrategySpec } from './types';
import { deploymentFindings, statefulSetFindings } from './validation';
import {
  autoscalerFindings,
  deadlineFindings,
  droppedFindings,
  pausedFindings,
  readinessFindings,
  statefulSetRolloutFindings,
} from './workload-rules';

const POD_PATH = 'spec.template.spec';
const POD_METADATA_PATH = 'spec.template.metadata';

function isRefused(findings: readonly Finding[]): boolean {
  return findings.some((finding) => finding.severity === 'error');
}

function refusedRollout(workload: Manifest, findings: readonly Finding[]): PlannedRollout {
  return { ...rolloutOf(workload), strategy: null, provenance: [], simulation: null, findings };
}

function rolloutOf(workload: Manifest): Pick<PlannedRollout, 'system' | 'resource'> {
  return { system: 'kubernetes', resource: resourceOf(workload, nameOf(workload), namespaceOf(workload)) };
}

/** What a Deployment and a StatefulSet have alike around their pods. */
function podsOf(
  object: Manifest,
  kind: Workload['kind'],
): Pick<Workload, 'kind' | 'name' | 'namespace' | 'template' | 'podPath' | 'minReadySeconds'> {
  const spec = fieldsAt(object, 'spec');
  const namespace = namespaceOf(object);
  return {
    kind,
    name: nameOf(object),
    ...(namespace !== undefined && { namespace }),
    template: fieldsAt(spec, 'template'),
    podPath: POD_PATH,
    ...(isInt32(spec.minReadySeconds) && { minReadySeconds: spec.minReadySeconds }),
  };
}

/** Is a strategy written at all? An empty one sets nothing. */
function isWritten(strategy: unknown): boolean {
  return isFields(strategy) && Object.keys(strategy).length > 0;
}

function planDeployment(deployment: Manifest, context: PlanContext): SystemRollout {
  const validation = deploymentFindings(deployment);
  if (isRefused(validation)) return refusedRollout(deployment, validation);

  const spec = fieldsAt(deployment, 'spec');
  const podSpec = valueAt(spec, 'template', 'spec');
  // The types were checked above.
  const written = spec.strategy as DeploymentStrategySpec | null | undefined;
  const strategy = storedDeploymentStrategy(written);
  const pods = podsOf(deployment, 'Deployment');
  const autoscaler = autoscalerOf(pods, context);
  const replicas = replicasOf(deployment, autoscaler);
  const replicaRange = replicaRangeOf(autoscaler, replicas);
  const workload: Workload = {
    ...pods,
    replicas,
    strategyPath: 'spec.strategy',
    ...(isInt32(spec.progressDeadlineSeconds) && { progressDeadlineSeconds: spec.progressDeadlineSeconds }),
    ...(replicaRange && { replicaRange }),
    simulateAt: (count) => simulateDeployment(strategy, count),
  };
  return {
    ...rolloutOf(deployment),
    workload,
    strategy,
    provenance: deploymentProvenance(written, strategy, 'spec.strategy'),
    simulation: spec.paused === true ? null : simulateDeployment(strategy, replicas),
    findings: [
      ...validation,
      ...pausedFindings(spec),
      ...rolloutFindings({ strategy, replicas, podSpec, strategyPath: 'spec.strategy' }),
      ...startupAnnotationFindings(valueAt(spec, 'template', 'metadata'), POD_METADATA_PATH),
      ...deadlineFindings(spec, startupSecondsOf(spec.template, context.startupSeconds) ?? 0),
      ...autoscalerFindings(deployment, autoscaler),
      ...(strategy.type === 'RollingUpdate' ? readinessFindings(podSpec, POD_PATH) : []),
      ...(isWritten(written) ? foreignOwnerFindings(deployment, 'spec.strategy') : []),
    ],
  };
}

function planStatefulSet(statefulSet: Manifest, context: PlanContext): SystemRollout {
  const version = context.versions.kubernetes;
  const validation = statefulSetFindings(statefulSet, version);
  if (isRefused(validation)) return refusedRollout(statefulSet, validation);

  const spec = fieldsAt(statefulSet, 'spec');
  // The types were checked above.
  const written = spec.updateStrategy as StatefulSetUpdateStrategySpec | null | undefined;
  const strategy = storedUpdateStrategy(written, version);
  const pods = podsOf(statefulSet, 'StatefulSet');
  const autoscaler = autoscalerOf(pods, context);
  const replicas = replicasOf(statefulSet, autoscaler);
  const replicaRange = replicaRangeOf(autoscaler, replicas);
  const simulateAt = (count: number) => simulateStatefulSet(strategy, count, startOrdinal(spec));
  const simulation = simulateAt(replicas);
  const workload: Workload = {
    ...pods,
    replicas,
    strategyPath: 'spec.updateStrategy',
    startsInOrder: spec.podManagementPolicy !== 'Parallel',
    ignoresMinReady: spec.podManagementPolicy === 'Parallel' && !parallelAwaitsMinReady(version),
    ...(replicaRange && { replicaRange }),
    simulateAt,
  };
  return {
    ...rolloutOf(statefulSet),
    workload,
    strategy,
    provenance: updateStrategyProvenance(written, strategy, 'spec.updateStrategy'),
    simulation,
    findings: [
      ...validation,
      ...(keepsStatefulSetMaxUnavailable(version) ? [] : droppedFindings(written?.rollingUpdate?.maxUnavailable, version)),
      ...statefulSetRolloutFindings(simulation),
      ...startupAnnotationFindings(valueAt(spec, 'template', 'metadata'), POD_METADATA_PATH),
      ...autoscalerFindings(statefulSet, autoscaler),
      ...(strategy.type === 'RollingUpdate' ? readinessFindings(valueAt(spec, 'template', 'spec'), POD_PATH) : []),
      ...(isWritten(written) ? foreignOwnerFindings(statefulSet, 'spec.updateStrategy') : []),
    ],
  };
}

function startOrdinal(spec: Fields): number {
  const start = valueAt(spec, 'ordinals', 'start');
  return typeof start === 'number' ? start : 0;
}

/** Deployments and StatefulSets of apps/v1. */
export const kubernetesSystem: RolloutSystem = {
  name: 'kubernetes',
  catalogue: { ...KUBERNETES_CATALOGUE, ...SURROUNDINGS_CATALOGUE },
  recognises: (object) => object.apiVersion === 'apps/v1' && (object.kind === 'Deployment' || object.kind === 'StatefulSet'),
  plan: (object, context) => [object.kind === 'Deployment' ? planDeployment(object, context) : planStatefulSet(object, context)],
  contextFindings,
};

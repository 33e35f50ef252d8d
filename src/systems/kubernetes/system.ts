import type { Finding } from '../../core/finding';
import { fieldsAt, isFields, nameOf, namespaceOf, valueAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { resourceOf } from '../../core/rollout';
import type { Rollout } from '../../core/rollout';
import type { PlanContext, RolloutSystem } from '../../core/system';
import { KUBERNETES_CATALOGUE } from './catalogue';
import { foreignOwnerFindings } from './ownership';
import { deploymentProvenance, updateStrategyProvenance } from './provenance';
import { autoscalerOf, replicasOf } from './replicas';
import { rolloutFindings } from './rules';
import { simulateDeployment, simulateStatefulSet } from './simulate';
import { keepsStatefulSetMaxUnavailable, storedDeploymentStrategy, storedUpdateStrategy } from './strategy';
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

function isRefused(findings: readonly Finding[]): boolean {
  return findings.some((finding) => finding.severity === 'error');
}

function refusedRollout(workload: Manifest, findings: readonly Finding[]): Rollout {
  return { ...rolloutOf(workload), strategy: null, provenance: [], simulation: null, findings };
}

function rolloutOf(workload: Manifest): Pick<Rollout, 'system' | 'resource'> {
  return { system: 'kubernetes', resource: resourceOf(workload, nameOf(workload), namespaceOf(workload)) };
}

/** Is a strategy written at all? An empty one sets nothing. */
function isWritten(strategy: unknown): boolean {
  return isFields(strategy) && Object.keys(strategy).length > 0;
}

function planDeployment(deployment: Manifest, context: PlanContext): Rollout {
  const validation = deploymentFindings(deployment);
  if (isRefused(validation)) return refusedRollout(deployment, validation);

  const spec = fieldsAt(deployment, 'spec');
  const podSpec = valueAt(spec, 'template', 'spec');
  // The types were checked above.
  const written = spec.strategy as DeploymentStrategySpec | null | undefined;
  const strategy = storedDeploymentStrategy(written);
  const replicas = replicasOf(deployment, context);
  return {
    ...rolloutOf(deployment),
    strategy,
    provenance: deploymentProvenance(written, strategy, 'spec.strategy'),
    simulation: spec.paused === true ? null : simulateDeployment(strategy, replicas),
    findings: [
      ...validation,
      ...pausedFindings(spec),
      ...rolloutFindings({ strategy, replicas, podSpec, strategyPath: 'spec.strategy' }),
      ...deadlineFindings(spec, context.startupSeconds),
      ...autoscalerFindings(deployment, autoscalerOf(deployment, context)),
      ...(strategy.type === 'RollingUpdate' ? readinessFindings(podSpec, POD_PATH) : []),
      ...(isWritten(written) ? foreignOwnerFindings(deployment, 'spec.strategy') : []),
    ],
  };
}

function planStatefulSet(statefulSet: Manifest, context: PlanContext): Rollout {
  const version = context.versions.kubernetes;
  const validation = statefulSetFindings(statefulSet, version);
  if (isRefused(validation)) return refusedRollout(statefulSet, validation);

  const spec = fieldsAt(statefulSet, 'spec');
  // The types were checked above.
  const written = spec.updateStrategy as StatefulSetUpdateStrategySpec | null | undefined;
  const strategy = storedUpdateStrategy(written, version);
  const simulation = simulateStatefulSet(strategy, replicasOf(statefulSet, context), startOrdinal(spec));
  return {
    ...rolloutOf(statefulSet),
    strategy,
    provenance: updateStrategyProvenance(written, strategy, 'spec.updateStrategy'),
    simulation,
    findings: [
      ...validation,
      ...(keepsStatefulSetMaxUnavailable(version) ? [] : droppedFindings(written?.rollingUpdate?.maxUnavailable, version)),
      ...statefulSetRolloutFindings(simulation),
      ...autoscalerFindings(statefulSet, autoscalerOf(statefulSet, context)),
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
  catalogue: KUBERNETES_CATALOGUE,
  recognises: (object) => object.apiVersion === 'apps/v1' && (object.kind === 'Deployment' || object.kind === 'StatefulSet'),
  plan: (object, context) => [object.kind === 'Deployment' ? planDeployment(object, context) : planStatefulSet(object, context)],
};

import { isInt32 } from '../../core/int-or-percent';
import { nameOf, namespaceOf, valueAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { oncePerPlan } from '../../core/system';
import type { PlanContext } from '../../core/system';
import { DEPLOYMENT_DEFAULTS } from './strategy';

function targetKey(namespace: string | undefined, kind: unknown, name: unknown): string {
  return JSON.stringify([namespace ?? '', kind, name]);
}

/** HorizontalPodAutoscalers by the workload that they target; of two with one target the first. */
const autoscalersByTarget = oncePerPlan((context) => {
  const byTarget = new Map<string, Manifest>();
  for (const autoscaler of context.ofKind('autoscaling', 'HorizontalPodAutoscaler')) {
    const target = valueAt(autoscaler, 'spec', 'scaleTargetRef');
    const key = targetKey(namespaceOf(autoscaler), valueAt(target, 'kind'), valueAt(target, 'name'));
    if (!byTarget.has(key)) byTarget.set(key, autoscaler);
  }
  return byTarget;
});

/** The HorizontalPodAutoscaler of the same namespace that targets a workload by kind and name. */
export function autoscalerOf(workload: Manifest, context: PlanContext): Manifest | undefined {
  return autoscalersByTarget(context).get(targetKey(namespaceOf(workload), workload.kind, nameOf(workload)));
}

/** The pods that a workload runs: its replicas; where they are left out, the autoscaler's minReplicas, and 1 without one. */
export function replicasOf(workload: Manifest, context: PlanContext): number {
  const replicas = valueAt(workload, 'spec', 'replicas');
  if (isInt32(replicas)) return replicas;
  const autoscaler = autoscalerOf(workload, context);
  const minReplicas = valueAt(autoscaler, 'spec', 'minReplicas');
  return isInt32(minReplicas) && minReplicas >= 0 ? minReplicas : DEPLOYMENT_DEFAULTS.replicas;
}

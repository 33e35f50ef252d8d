import { isInt32 } from '../core/int-or-percent';
import { toFieldPath } from '../core/field-path';
import { getValueAt } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';
import { autoscalerOf } from '../cluster/autoscaler';
import type { Autoscaler } from '../cluster/autoscaler';
import type { PlanContext } from '../cluster/context';
import type { PodChangeInput } from '../cluster/initial-state';
import { DEPLOYMENT_DEFAULTS } from './deployment/strategy';
import type { DeclaredReplicas } from './rule-context';
import type { ObjectKind, PodCount } from './rollout-kind';

type Scalable = Pick<ObjectKind, 'hasScale'>;

/** The pods that a workload runs: its replicas; where they are left out, those that its autoscaler begins with, and 1 without one. */
export function replicasOf(workload: Manifest, autoscaler: Autoscaler | undefined): number {
  const replicas = getValueAt(workload, 'spec', 'replicas');
  if (isInt32(replicas)) return replicas;
  return autoscaler?.initial ?? DEPLOYMENT_DEFAULTS.replicas;
}

/** Who keeps the replicas of a workload; of a kind without a subresource scale nobody does, whatever names it. */
export function findAutoscaler({ hasScale }: Scalable, workload: Manifest, context: PlanContext): Autoscaler | undefined {
  return hasScale ? autoscalerOf(workload, context) : undefined;
}

/** The pods that a workload runs among what is around it. */
export function resolveDesiredReplicas(kind: Scalable, workload: Manifest, context: PlanContext): number {
  return replicasOf(workload, findAutoscaler(kind, workload, context));
}

/** The pods of a workload that has a number of them and a subresource scale. */
export function countPodsByReplicas(workload: Manifest, context: PlanContext): PodCount {
  const autoscaler = autoscalerOf(workload, context);
  const replicas = replicasOf(workload, autoscaler);
  return { steady: replicas, initialState: { replicas }, autoscaler };
}

/** The replicas of an object's spec that every apply puts back; none where the apply keeps those that run, whoever wrote them. */
export function getDeclaredReplicas({ replicas }: Fields, changed: PodChangeInput | undefined): DeclaredReplicas | undefined {
  if (!isInt32(replicas) || changed?.keepsReplicas) return undefined;
  return { path: toFieldPath`spec.replicas`, replicas, writer: 'apply' };
}

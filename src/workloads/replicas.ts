import { isInt32 } from '../core/int-or-percent';
import { at } from '../core/field-path';
import { valueAt } from '../core/manifest';
import type { Fields, Manifest } from '../core/manifest';
import { autoscalerOf } from '../cluster/autoscaler';
import type { Autoscaler } from '../cluster/autoscaler';
import type { PlanContext } from '../cluster/context';
import type { ChangedPods } from '../cluster/starting-point';
import { DEPLOYMENT_DEFAULTS } from './deployment/strategy';
import type { WrittenReplicas } from './review';
import type { ObjectKind, PodCount } from './rollout-kind';

type Scalable = Pick<ObjectKind, 'hasScale'>;

/** The pods that a workload runs: its replicas; where they are left out, those that its autoscaler begins with, and 1 without one. */
export function replicasOf(workload: Manifest, autoscaler: Autoscaler | undefined): number {
  const replicas = valueAt(workload, 'spec', 'replicas');
  if (isInt32(replicas)) return replicas;
  return autoscaler?.initial ?? DEPLOYMENT_DEFAULTS.replicas;
}

/** Who keeps the replicas of a workload; of a kind without a subresource scale nobody does, whatever names it. */
export function scalerOf({ hasScale }: Scalable, workload: Manifest, context: PlanContext): Autoscaler | undefined {
  return hasScale ? autoscalerOf(workload, context) : undefined;
}

/** The pods that a workload runs among what is around it. */
export function wantedReplicas(kind: Scalable, workload: Manifest, context: PlanContext): number {
  return replicasOf(workload, scalerOf(kind, workload, context));
}

/** The pods of a workload that has a number of them and a subresource scale. */
export function podsByReplicas(workload: Manifest, context: PlanContext): PodCount {
  const autoscaler = autoscalerOf(workload, context);
  const replicas = replicasOf(workload, autoscaler);
  return { steady: replicas, start: { replicas }, autoscaler };
}

/** The replicas of an object's spec that every apply puts back; none where the apply keeps those that run, whoever wrote them. */
export function appliedReplicas({ replicas }: Fields, changed: ChangedPods | undefined): WrittenReplicas | undefined {
  if (!isInt32(replicas) || changed?.keepsReplicas) return undefined;
  return { path: at`spec.replicas`, replicas, writer: 'apply' };
}

import { isInt32 } from '../core/int-or-percent';
import { valueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { autoscalerOf } from '../cluster/autoscaler';
import type { Autoscaler } from '../cluster/autoscaler';
import type { PlanContext } from '../cluster/context';
import { DEPLOYMENT_DEFAULTS } from './deployment/strategy';
import type { RolloutKind } from './rollout-kind';

type Scalable = Pick<RolloutKind, 'hasScale'>;

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

import { getFieldsAt } from '../../../core/manifest/manifest';
import type { PodRollout } from '../../rollout/pod-rollout';
import type { LimitedRollout, SmallerRollouts } from '../../rollout/workload';
import { isRequestedResource } from '../admission/quota';
import type { PlanLimits } from '../plan-limits';
import { countAllowedPods, resolveOwnLimit } from './admitted-pods';
import type { OwnLimit } from './admitted-pods';
import { readProcess } from './rollout-process';
import { buildQuotaLimits } from './run-limits';

/** Reports whether a rollout finishes within quotas, wherever its pods run. It is assumed to if it is not known by rows. */
function finishesInQuotas(rollout: PodRollout, quotas: readonly OwnLimit[], replicas: number, kept: number): boolean {
  return rollout.runWithin?.({ ...buildQuotaLimits(quotas, replicas, kept), placed: () => Infinity })?.isFinished !== false;
}

/**
 * Tries the smallest rollouts next to the old pods, which keep their own requests until they are deleted. Returns undefined for a rollout that
 * does not start from a steady state.
 *
 * A quota of 4 CPU is full of 4 old pods. With 6 replicas at least 5 pods must stay available, so the controller deletes no old pod, and no
 * new pod fits, however little it requests. With 1 replica it first deletes 3 old pods.
 */
export function trySmallerRollouts(limited: LimitedRollout, limits: PlanLimits): SmallerRollouts | undefined {
  const { workload, rollout } = limited;
  const { replicas, running = replicas } = workload;
  const oldSpec = workload.oldTemplate && getFieldsAt(workload.oldTemplate, 'spec');
  const quotas = limits.resourcesOf(workload).flatMap((limit) => (limit.refusesPods ? [resolveOwnLimit(limit, workload, oldSpec)] : []));
  // Without OLD, the old pods are assumed to request what the new ones do.
  const least = oldSpec === undefined ? { old: 1n, next: 1n } : { next: 1n };
  const smallest = quotas.map((own) => (isRequestedResource(own.limit.resource) ? { ...own, ...least } : own));
  const fewerPods = !workload.onePerNode && replicas > 1 && finishesInQuotas(workload.controller.rolloutAt(1), quotas, 1, 0);
  // Its controller replaces no pod before all exist. Source: stateful_set_control.go, `updateStatefulSet`.
  if (rollout.simulation.kind === 'statefulset' && running < replicas)
    return { fewerPods, smallerPods: smallest.every((own) => countAllowedPods(own, running) >= replicas - running) };
  const process = readProcess(limited);
  if (!process) return undefined;
  const kept = process.kind === 'ordered' ? replicas - process.replicas : 0;
  return { fewerPods, smallerPods: finishesInQuotas(rollout, smallest, process.replicas, kept) };
}

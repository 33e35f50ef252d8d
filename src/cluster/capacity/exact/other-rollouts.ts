import { getFieldsAt } from '../../../core/manifest/manifest';
import type { PlanCache } from '../../../core/collections/plan-cache';
import type { PodSet } from '../../rollout/pod-set';
import type { Workload } from '../../rollout/workload';
import { computeOldUse, isUseCountedNow } from './admitted-pods';
import type { ResourceLimit } from '../limits';
import { areOthersWaitingPods } from '../moving/moving-pods';
import type { PlanLimits } from '../plan-limits';

/** The reason if other rollouts of the same change decide. */
export const OTHER_ROLLOUTS = 'other rollouts of the change';

/** The reason if Pending pods decide, which are the only other ones that take places on nodes. */
export const WAITING_PODS = 'Pending pods';

/** Returns the reason if pods of others that may take places on nodes decide. */
export function nameOthers(ownSets: readonly PodSet[], limits: PlanLimits): string {
  return areOthersWaitingPods(ownSets, limits) ? WAITING_PODS : OTHER_ROLLOUTS;
}

/** Reports whether pods of others are among the reasons. */
export function isDecidedByOthers(because: readonly string[]): boolean {
  return because.includes(OTHER_ROLLOUTS) || because.includes(WAITING_PODS);
}

/** What other rollouts may still use of a limit, or leave, in addition to what it counts. */
export interface OtherUseChange {
  readonly increase: bigint;
  readonly decrease: bigint;
}

/**
 * Returns how the use of other sets may differ from what a limit counts: what they use now if it has a status, or else what they use after the
 * apply.
 */
export function computeOtherUseChange(limit: ResourceLimit, podSets: readonly PodSet[]): OtherUseChange {
  let [grown, shrunk] = [0n, 0n];
  for (const [other, { now, after }] of limit.changes) {
    if (podSets.includes(other)) continue;
    if (after > now) grown += after - now;
    else shrunk += now - after;
  }
  return isUseCountedNow(limit) ? { increase: grown, decrease: shrunk } : { increase: shrunk, decrease: grown };
}

/** Returns the old pods that the rollout of a set in the same change deletes before new ones are ready. */
function countDeletedFirst({ oldTemplate, rollout }: Partial<Workload>): number {
  return oldTemplate === undefined ? 0 : (rollout?.unavailable ?? 0);
}

/** Returns what a set leaves of a limit for a moment, until the successors of its deleted pods are created. */
function computeOwnMomentaryDecrease(limit: ResourceLimit, podSet: PodSet): bigint {
  const deleted = countDeletedFirst(podSet);
  return deleted === 0 ? 0n : computeOldUse(limit, podSet, getFieldsAt(podSet.oldTemplate, 'spec')) * BigInt(deleted);
}

/** Returns what all rollouts of the same change may leave of a limit for a moment. */
function sumMomentaryDecreases(limit: ResourceLimit): bigint {
  return [...limit.perPod.keys()].reduce((sum, each) => sum + computeOwnMomentaryDecrease(limit, each), 0n);
}

/** Returns what other rollouts of the same change than that of some sets may leave of a limit for a moment. */
export function computeMomentaryDecrease(limit: ResourceLimit, podSets: readonly PodSet[], cache: PlanCache): bigint {
  const all = cache.derive(limit, sumMomentaryDecreases);
  return podSets.reduce((left, podSet) => left - computeOwnMomentaryDecrease(limit, podSet), all);
}

import { getFieldsAt } from '../../../core/manifest';
import type { PlanCache } from '../../../core/plan-cache';
import type { PodSet, Workload } from '../../workload';
import type { ResourceLimit } from '../limits';
import { computeOldUse } from './admitted-pods';
import type { OtherUseChange } from './admitted-pods';

/** The reason if other rollouts of the same change decide. */
export const OTHER_ROLLOUTS = 'other rollouts of the change';

const NO_CHANGE: OtherUseChange = { increase: 0n, decrease: 0n, correction: 0n };

/** What a set uses of a limit now, and after the apply. */
interface SetUse {
  readonly now: bigint;
  readonly after: bigint;
  /** What its running pods would use if they were like the new ones. */
  readonly nowAsNew: bigint;
}

const changeByLimit = () => new WeakMap<ResourceLimit, ReadonlyMap<PodSet, SetUse>>();

/** Returns the sets whose use of a limit the apply changes: pods that request more or less, and more or fewer pods. */
function listChanges(limit: ResourceLimit, cache: PlanCache): ReadonlyMap<PodSet, SetUse> {
  const known = cache.getOrCreate(changeByLimit);
  const changes =
    known.get(limit) ??
    new Map(
      [...limit.perPod].flatMap(([podSet, next]): [PodSet, SetUse][] => {
        const { oldTemplate, replicas, running = replicas } = podSet;
        const old = oldTemplate ? computeOldUse(limit, podSet, getFieldsAt(oldTemplate, 'spec')) : next;
        const use = { now: old * BigInt(running), after: next * BigInt(replicas), nowAsNew: next * BigInt(running) };
        return use.now === use.after && use.now === use.nowAsNew ? [] : [[podSet, use]];
      }),
    );
  known.set(limit, changes);
  return changes;
}

/**
 * Returns how the use of other sets may differ from what a limit counts: what they use now if it has a status, or else what they use after the
 * apply.
 */
export function computeOtherUseChange(limit: ResourceLimit, podSets: readonly PodSet[], cache: PlanCache): OtherUseChange {
  const changes = listChanges(limit, cache);
  if (changes.size === 0) return NO_CHANGE;
  const countsRunning = limit.allowance !== undefined && 'free' in limit.allowance;
  let [grown, shrunk, correction] = [0n, 0n, 0n];
  for (const [other, { now, after, nowAsNew }] of changes) {
    if (podSets.includes(other)) continue;
    if (after > now) grown += after - now;
    else shrunk += now - after;
    correction += now - nowAsNew;
  }
  return countsRunning ? { increase: grown, decrease: shrunk, correction } : { increase: shrunk, decrease: grown, correction: 0n };
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

const momentaryByLimit = () => new WeakMap<ResourceLimit, bigint>();

/** Returns what other rollouts of the same change than that of some sets may leave of a limit for a moment. */
export function computeMomentaryDecrease(limit: ResourceLimit, podSets: readonly PodSet[], cache: PlanCache): bigint {
  const known = cache.getOrCreate(momentaryByLimit);
  const all = known.get(limit) ?? [...limit.perPod.keys()].reduce((sum, each) => sum + computeOwnMomentaryDecrease(limit, each), 0n);
  known.set(limit, all);
  return podSets.reduce((left, podSet) => left - computeOwnMomentaryDecrease(limit, podSet), all);
}

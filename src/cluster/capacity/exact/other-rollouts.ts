import { getFieldsAt } from '../../../core/manifest';
import type { PlanCache } from '../../../core/plan-cache';
import type { PodSet, Workload } from '../../workload';
import type { ResourceLimit } from '../limits';
import { computePodFootprint } from '../pod-requests';
import type { Amounts } from '../pod-requests';
import type { PlanLimits } from '../rollout-capacity';
import { computeOldUse } from './admitted-pods';
import type { UseChange } from './admitted-pods';

/** The reason if other rollouts of the same change decide. */
export const OTHER_ROLLOUTS = 'other rollouts of the change';

const NO_CHANGE: UseChange = { increase: 0n, decrease: 0n };

const changeByLimit = () => new WeakMap<ResourceLimit, ReadonlyMap<PodSet, bigint>>();

/** Returns by how much the use of each set of a limit changes while it rolls. */
function listChanges(limit: ResourceLimit, cache: PlanCache): ReadonlyMap<PodSet, bigint> {
  const known = cache.getOrCreate(changeByLimit);
  const changes =
    known.get(limit) ??
    new Map(
      [...limit.perPod].flatMap(([podSet, next]) => {
        if (podSet.oldTemplate === undefined) return [];
        const old = computeOldUse(limit, podSet, getFieldsAt(podSet.oldTemplate, 'spec'));
        return next === old ? [] : [[podSet, (next - old) * BigInt(podSet.replicas)] as const];
      }),
    );
  known.set(limit, changes);
  return changes;
}

/** Returns how the use of other rollouts may differ from what a limit counts: their new pods, or their running ones if it has a status. */
export function computeOtherUseChange(limit: ResourceLimit, podSets: readonly PodSet[], cache: PlanCache): UseChange {
  const changes = listChanges(limit, cache);
  if (changes.size === 0) return NO_CHANGE;
  const countsRunning = limit.allowance !== undefined && 'free' in limit.allowance;
  let [grown, shrunk] = [0n, 0n];
  for (const [other, change] of changes) {
    if (podSets.includes(other)) continue;
    if (change > 0n) grown += change;
    else shrunk -= change;
  }
  return countsRunning ? { increase: grown, decrease: shrunk } : { increase: shrunk, decrease: grown };
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

/** Returns what the other rollouts of the same change may leave of a limit for a moment. */
export function computeMomentaryDecrease(limit: ResourceLimit, podSet: PodSet, cache: PlanCache): bigint {
  const known = cache.getOrCreate(momentaryByLimit);
  const all = known.get(limit) ?? [...limit.perPod.keys()].reduce((sum, each) => sum + computeOwnMomentaryDecrease(limit, each), 0n);
  known.set(limit, all);
  return all - computeOwnMomentaryDecrease(limit, podSet);
}

const leavingByLimits = () => new WeakMap<PlanLimits, number>();

/** Reports whether another rollout of the same change deletes pods from nodes before their successors are created. */
export function areNodesLeftForAMoment(podSet: PodSet, limits: PlanLimits): boolean {
  const known = limits.cache.getOrCreate(leavingByLimits);
  const leaving = known.get(limits) ?? limits.podSetsOnNodes.filter((each) => countDeletedFirst(each) > 0).length;
  known.set(limits, leaving);
  return leaving > (countDeletedFirst(podSet) > 0 ? 1 : 0);
}

/** A set whose new pods request more than its old ones. */
interface GrowingSet {
  readonly podSet: PodSet;
  readonly footprint: Amounts;
}

const growingByLimits = () => new WeakMap<PlanLimits, readonly GrowingSet[]>();

function listGrowingSets(limits: PlanLimits): readonly GrowingSet[] {
  const known = limits.cache.getOrCreate(growingByLimits);
  const growing =
    known.get(limits) ??
    limits.podSetsOnNodes.flatMap((podSet) => {
      if (podSet.oldTemplate === undefined) return [];
      const old = computePodFootprint(podSet.oldTemplate.spec);
      const footprint = computePodFootprint(podSet.template.spec);
      return [...footprint].some(([resource, amount]) => amount > (old.get(resource) ?? 0n)) ? [{ podSet, footprint }] : [];
    });
  known.set(limits, growing);
  return growing;
}

/**
 * Returns the most pods of a set that the growing pods of other rollouts may displace on any nodes. A pod of 3 CPU displaces at most 2 pods of
 * 2 CPU.
 */
export function countDisplacedPods(podSet: PodSet, limits: PlanLimits): number {
  const growing = listGrowingSets(limits).filter((other) => other.podSet !== podSet);
  if (growing.length === 0) return 0;
  const own = [...computePodFootprint(podSet.template.spec)];
  return growing.reduce((total, { podSet: { replicas }, footprint }) => {
    const displaced = own.reduce((most, [resource, request]) => {
      const amount = footprint.get(resource) ?? 0n;
      const slots = resource === 'pods' || amount === 0n ? 0 : Number((amount + request - 1n) / request);
      return Math.max(most, slots);
    }, 0);
    return total + displaced * replicas;
  }, 0);
}

import type { Fields } from '../../../core/manifest';
import { isCountedByQuota } from '../quota';
import { computePodFootprint } from '../pod-requests';
import type { ResourceLimit } from '../limits';
import type { PodSet } from '../../workload';

/** A limit as a rollout sees it: amounts that are left for its own pods, of one old pod and of one new pod. */
export interface OwnLimit {
  readonly limit: ResourceLimit;
  readonly left: bigint;
  readonly old: bigint;
  readonly next: bigint;
}

/** What other rollouts may still use of a limit, or leave, in addition to what they are counted with. */
export interface UseChange {
  readonly increase: bigint;
  readonly decrease: bigint;
}

/** How the use of other sets of the same change differs from what a limit counts. */
export interface OtherUseChange extends UseChange {
  /** What they use now in addition to what the limit counts, which takes their running pods for new ones. */
  readonly correction: bigint;
}

/** Returns what one old pod uses of a limit. */
export function computeOldUse(limit: ResourceLimit, podSet: PodSet, oldSpec: Fields | undefined): bigint {
  const next = limit.perPod.get(podSet) ?? 0n;
  if (oldSpec === undefined) return next;
  if (limit.kind === 'capacity') return computePodFootprint(oldSpec).get(limit.resource) ?? 0n;
  if (limit.quota === undefined || limit.useOf === undefined) return next;
  return isCountedByQuota(limit.quota, oldSpec) ? limit.useOf(oldSpec) : 0n;
}

/** Returns what a limit leaves for pod sets that use an amount now, while others use theirs. */
export function computeLeft({ total, allowance }: ResourceLimit, ownUse: bigint, othersUse: bigint): bigint {
  let allowed = total;
  if (allowance && 'free' in allowance) {
    const { free, atMost } = allowance;
    allowed = othersUse + ownUse + free;
    if (atMost !== undefined && atMost < allowed) allowed = atMost;
  }
  return allowed > othersUse ? allowed - othersUse : 0n;
}

/**
 * Resolves what a limit leaves for the pods of a rollout, while the others are as the limit counts them.
 *
 * What is used now includes the old pods at their own amounts: 2 old pods of 2 GPUs use all of a quota of 4, whatever new pods request.
 *
 * @param otherChange by how much the use of the others differs from what the limit counts
 */
export function resolveOwnLimit(limit: ResourceLimit, podSet: PodSet, oldSpec: Fields | undefined, otherChange: OtherUseChange): OwnLimit {
  const next = limit.perPod.get(podSet)!;
  const old = computeOldUse(limit, podSet, oldSpec);
  const { replicas, running = replicas } = podSet;
  const isCountedNow = limit.allowance !== undefined && 'free' in limit.allowance;
  const others = isCountedNow ? limit.before - next * BigInt(running) + otherChange.correction : limit.steady - next * BigInt(replicas);
  return { limit, left: computeLeft(limit, old * BigInt(running), others), old, next };
}

/** Returns the new pods that a limit allows next to a number of old ones. */
export function countAllowedPods({ left, old, next }: OwnLimit, oldPods: number): number {
  const rest = left - old * BigInt(oldPods);
  return rest <= 0n ? 0 : Number(rest / next);
}

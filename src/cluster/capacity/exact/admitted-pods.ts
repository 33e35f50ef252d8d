import type { Fields } from '../../../core/manifest/manifest';
import type { PodSet } from '../../rollout/pod-set';
import { isCountedByQuota } from '../admission/quota';
import { computeSteadyUse } from '../limits';
import type { ResourceLimit } from '../limits';
import { computePodFootprint } from '../pod-requests';

/** A limit as a rollout sees it: amounts that are left for its own pods, of one old pod and of one new pod. */
export interface OwnLimit {
  readonly limit: ResourceLimit;
  readonly left: bigint;
  readonly old: bigint;
  readonly next: bigint;
}

/** Returns what one old pod uses of a limit. */
export function computeOldUse(limit: ResourceLimit, podSet: PodSet, oldSpec: Fields | undefined): bigint {
  const next = limit.perPod.get(podSet) ?? 0n;
  if (oldSpec === undefined) return next;
  if (limit.kind === 'capacity') return computePodFootprint(oldSpec).get(limit.resource) ?? 0n;
  if (limit.quota === undefined || limit.useOf === undefined) return next;
  return isCountedByQuota(limit.quota, oldSpec) ? limit.useOf(oldSpec) : 0n;
}

/** Reports whether a limit counts what the pods use before the apply, as the status of a quota does, and not what they use after it. */
export function isUseCountedNow({ allowance }: ResourceLimit): boolean {
  return allowance !== undefined && 'free' in allowance;
}

/** Returns what a limit leaves for some sets, while the others use what the limit counts. */
export function computeLeft(limit: ResourceLimit, podSets: readonly PodSet[]): bigint {
  const isNow = isUseCountedNow(limit);
  const others = podSets.reduce(
    (use, podSet) => {
      const change = limit.changes.get(podSet);
      return use - (change ? change[isNow ? 'now' : 'after'] : computeSteadyUse([podSet], limit));
    },
    isNow ? limit.before : limit.steady,
  );
  return limit.total > others ? limit.total - others : 0n;
}

/**
 * Resolves what a limit leaves for the pods of a rollout, while the others are as the limit counts them.
 *
 * What is used now includes the old pods at their own amounts: 2 old pods of 2 GPUs use all of a quota of 4, whatever new pods request.
 */
export function resolveOwnLimit(limit: ResourceLimit, podSet: PodSet, oldSpec: Fields | undefined): OwnLimit {
  return { limit, left: computeLeft(limit, [podSet]), old: computeOldUse(limit, podSet, oldSpec), next: limit.perPod.get(podSet)! };
}

/** Returns the old pods that a limit allows next to no new one. */
export function countAllowedOldPods({ left, old }: OwnLimit): number {
  return old === 0n ? Infinity : Number(left / old);
}

/** Returns the new pods that a limit allows next to a number of old ones. */
export function countAllowedPods({ left, old, next }: OwnLimit, oldPods: number): number {
  const rest = left - old * BigInt(oldPods);
  return rest <= 0n ? 0 : Number(rest / next);
}

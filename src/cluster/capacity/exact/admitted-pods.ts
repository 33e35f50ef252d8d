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

/** Returns what one old pod uses of a limit. */
function computeOldUse(limit: ResourceLimit, podSet: PodSet, oldSpec: Fields | undefined): bigint {
  const next = limit.perPod.get(podSet)!;
  if (oldSpec === undefined) return next;
  if (limit.kind === 'capacity') return computePodFootprint(oldSpec).get(limit.resource) ?? 0n;
  if (limit.quota === undefined || limit.useOf === undefined) return next;
  return isCountedByQuota(limit.quota, oldSpec) ? limit.useOf(oldSpec) : 0n;
}

/**
 * Resolves what a limit leaves for the pods of a rollout.
 *
 * What is used now includes the old pods at their own amounts: 2 old pods of 2 GPUs use all of a quota of 4, whatever new pods request.
 */
export function resolveOwnLimit(limit: ResourceLimit, podSet: PodSet, oldSpec: Fields | undefined): OwnLimit {
  const next = limit.perPod.get(podSet)!;
  const old = computeOldUse(limit, podSet, oldSpec);
  const { replicas, running = replicas } = podSet;
  const others = limit.steady - next * BigInt(replicas);
  const beforeOthers = limit.before - next * BigInt(running);
  let total = limit.total;
  if (limit.allowance && 'free' in limit.allowance) {
    const { free, atMost } = limit.allowance;
    total = beforeOthers + old * BigInt(running) + free;
    if (atMost !== undefined && atMost < total) total = atMost;
  }
  return { limit, left: total > others ? total - others : 0n, old, next };
}

/** Returns the new pods that a limit allows next to a number of old ones. */
export function countAllowedPods({ left, old, next }: OwnLimit, oldPods: number): number {
  const rest = left - old * BigInt(oldPods);
  return rest <= 0n ? 0 : Number(rest / next);
}

import { getFieldsAt } from '../../../core/manifest/manifest';
import type { PodSet } from '../../rollout/pod-set';
import { computeLeft, computeOldUse } from '../exact/admitted-pods';
import type { ResourceLimit } from '../limits';
import type { PlanLimits } from '../plan-limits';
import type { LimitPeak } from '../shortage';
import { sum } from './set-rollout';
import type { SetRow } from './set-rollout';

/** A limit as a rollout of several sets sees it: what is left for its pods, and what an old and a new pod of each set uses. */
export interface SetLimit {
  readonly limit: ResourceLimit;
  readonly left: bigint;
  readonly old: readonly bigint[];
  readonly next: readonly bigint[];
}

/** Resolves the limits on the pods of a rollout. Old pods use their own amounts. */
export function resolveSetLimits(podSets: readonly PodSet[], limits: PlanLimits): SetLimit[] {
  return [...new Set(podSets.flatMap((podSet) => limits.resourcesOf(podSet)))].flatMap((limit) => {
    const next = podSets.map((podSet) => limit.perPod.get(podSet) ?? 0n);
    if (next.every((use) => use === 0n)) return [];
    const old = podSets.map((podSet) => computeOldUse(limit, podSet, podSet.oldTemplate && getFieldsAt(podSet.oldTemplate, 'spec')));
    return [{ limit, left: computeLeft(limit, podSets), old, next }];
  });
}

function computeUse(perPod: readonly bigint[], pods: readonly number[]): bigint {
  return perPod.reduce((total, use, index) => total + use * BigInt(pods[index]!), 0n);
}

/** A limit that a row exceeds. */
export interface ExceededLimit {
  readonly limit: ResourceLimit;
  readonly needed: bigint;
  readonly left: bigint;
}

/** Finds a limit that a row exceeds. */
export function findExceeded(setLimits: readonly SetLimit[], row: SetRow): ExceededLimit | undefined {
  for (const { limit, left, old, next } of setLimits) {
    const asked = computeUse(next, row.next);
    const needed = computeUse(old, row.old) + asked;
    if (asked > 0n && needed > left) return { limit, needed, left };
  }
  return undefined;
}

/** Computes the most that the rows of a rollout use of each limit. */
export function computePeaks(setLimits: readonly SetLimit[], rows: readonly SetRow[]): LimitPeak[] {
  return setLimits.map(({ limit, left, old, next }) => {
    const uses = rows.map((row) => computeUse(old, row.old) + computeUse(next, row.next));
    return { limit, left, peak: uses.reduce((most, use) => (use > most ? use : most), 0n) };
  });
}

/**
 * Returns how many pods of new groups quotas admit next to a number of old groups. The last group may lack workers.
 *
 * 2 groups of 3 pods with 2 GPUs each, and 10 GPUs left: 5, because the second group lacks one worker.
 */
export function countAdmittedGroupPods(
  setLimits: readonly SetLimit[],
  perGroup: readonly number[],
  oldGroups: number,
  groups: number,
): number {
  const oldPods = perGroup.map((pods) => pods * oldGroups);
  const size = sum(perGroup);
  return setLimits.reduce((fewest, { limit, left, old, next }) => {
    const [leader, worker, group] = [next[0]!, next.at(-1)!, computeUse(next, perGroup)];
    if (!limit.refusesPods || group === 0n) return fewest;
    const rest = left - computeUse(old, oldPods);
    const complete = rest > 0n ? Math.min(groups, Number(rest / group)) : 0;
    const afterLeader = rest - group * BigInt(complete) - leader;
    if (complete === groups || afterLeader < 0n) return Math.min(fewest, complete * size);
    const workers = worker === 0n ? size - 1 : Math.min(size - 1, Number(afterLeader / worker));
    return Math.min(fewest, complete * size + 1 + workers);
  }, groups * size);
}

/**
 * Returns how many new groups quotas admit next to a number of old ones: those with all pods, and one more if its leader is admitted. A group
 * without its leader does not exist.
 *
 * Groups of 2 pods with 2 GPUs each, and 6 GPUs left: 2, the second one without its worker.
 */
export function countAdmittedGroups(setLimits: readonly SetLimit[], perGroup: readonly number[], oldGroups: number): number {
  const oldPods = perGroup.map((pods) => pods * oldGroups);
  return setLimits.reduce((fewest, { limit, left, old, next }) => {
    const [leader, group] = [next[0]!, computeUse(next, perGroup)];
    if (!limit.refusesPods || leader === 0n) return fewest;
    const rest = left - computeUse(old, oldPods);
    if (rest < leader) return 0;
    const complete = rest / group;
    return Math.min(fewest, Number(complete) + (rest - complete * group >= leader ? 1 : 0));
  }, Infinity);
}

import { toFieldPath } from '../../core/field-path';
import { defineMessage, extendRule } from '../../core/finding';
import type { Finding } from '../../core/finding';
import type { Manifest } from '../../core/manifest';
import { joinTruncatedNames } from '../../core/text-format';
import type { TruncatedNames } from '../../core/text-format';
import type { PodSetNames } from '../added-pods';
import type { PlanContext } from '../context';
import { formatLimitRangeName } from '../capacity/limit-range-rejection';
import type { ResourceLimit } from '../capacity/limits';
import type { PodSet } from '../workload';
import { insufficientCapacity } from './insufficient-capacity';

interface NarrowedLimitRangeData {
  /** `LimitRange "defaults"` */
  readonly limitRange: string;
  /** Whose pods it refuses. */
  readonly object: TruncatedNames;
  /** Why it refuses those of the first, as the server says it. */
  readonly reason: string;
}

/** What is said of a LimitRange that an apply makes or changes, and that refuses pods like those that run. */
export const insufficientCapacityInLimitRange = extendRule(insufficientCapacity, {
  narrowed: defineMessage<NarrowedLimitRangeData>({
    text: ({ limitRange, object: of, reason }) =>
      `${limitRange} refuses pods like those of ${joinTruncatedNames(of)} from now on (${reason}). None of them goes for that, ` +
      'but one that goes for another reason, such as an eviction or a rollout, is refused when it is to be made anew.',
    help: ({ limitRange }) => `Let ${limitRange} allow what these pods ask for, or change their resources first.`,
    sample: {
      limitRange: 'LimitRange "defaults"',
      object: { names: ['Deployment shop/web'] },
      reason: 'maximum cpu usage per Container is 2, but limit is 4',
    },
  }),
});

/** Do pods of a set run before the apply and after it, none of which it replaces? */
function isUnchanged(podSet: PodSet): boolean {
  const { replicas, running = replicas, isNew } = podSet;
  const rolls = 'rollout' in podSet && podSet.rollout !== undefined;
  return !rolls && !isNew && Math.min(replicas, running) > 0;
}

/** LimitRanges that an apply makes or changes, and that refuse pods like those that run before it and after it. */
export function checkInsufficientCapacityInLimitRange(
  limits: readonly ResourceLimit[],
  context: PlanContext,
  namesOf: PodSetNames,
): Finding[] {
  const { isChanged } = context;
  if (!isChanged) return [];
  const byRange = new Map<Manifest, { readonly words: string; readonly podSets: PodSet[] }>();
  for (const { limitRange, rejection, perPod } of limits) {
    if (!limitRange || rejection?.kind !== 'limit-range' || !isChanged(limitRange)) continue;
    const unchangedPodSets = [...perPod.keys()].filter(isUnchanged);
    if (unchangedPodSets.length === 0) continue;
    const known = byRange.get(limitRange) ?? { words: rejection.words, podSets: [] };
    for (const podSet of unchangedPodSets) known.podSets.push(podSet);
    byRange.set(limitRange, known);
  }
  return [...byRange].flatMap(([limitRange, { words: reason, podSets }]) => {
    const object = namesOf(podSets, '');
    if (!object) return [];
    const path = toFieldPath`spec.limits`;
    const source = context.locate(limitRange, path);
    const data = { limitRange: formatLimitRangeName(limitRange), object, reason };
    return [insufficientCapacityInLimitRange.createFinding('narrowed', { path, severity: 'warning', data, ...(source && { source }) })];
  });
}

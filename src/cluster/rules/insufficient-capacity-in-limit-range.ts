import { toFieldPath } from '../../core/manifest/field-path';
import { defineMessage, extendRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import type { Manifest } from '../../core/manifest/manifest';
import { joinTruncatedNames } from '../../core/text/text-format';
import type { TruncatedNames } from '../../core/text/text-format';
import type { PodSetNames } from '../rollout/pod-set';
import type { PlanContext } from '../context/context';
import { formatLimitRangeName } from '../capacity/admission/limit-range-rejection';
import type { ResourceLimit } from '../capacity/limits';
import type { PodSet } from '../rollout/pod-set';
import { insufficientCapacity } from './insufficient-capacity';

interface NarrowedLimitRangeData {
  /** `LimitRange "defaults"` */
  readonly limitRange: string;
  /** The objects whose pods it refuses. */
  readonly object: TruncatedNames;
  /** Why it refuses the pods of the first object, in the words of the API server. */
  readonly reason: string;
}

/** The message for a LimitRange that an apply creates or changes, and that refuses pods like the running ones. */
export const insufficientCapacityInLimitRange = extendRule(insufficientCapacity, {
  narrowed: defineMessage<NarrowedLimitRangeData>({
    text: ({ limitRange, object, reason }) =>
      `${limitRange} now refuses pods like those of ${joinTruncatedNames(object)} (${reason}). Running pods are not deleted for that, ` +
      'but a pod that is deleted for another reason, such as an eviction or a rollout, cannot be created again.',
    help: ({ limitRange }) => `Relax ${limitRange} to allow the resources of these pods, or change their resources first.`,
    sample: {
      limitRange: 'LimitRange "defaults"',
      object: { names: ['Deployment shop/web'] },
      reason: 'maximum cpu usage per Container is 2, but limit is 4',
    },
  }),
});

/** Reports whether some pods of a set run both before and after the apply, and the apply replaces none of the set. */
function isUnchanged(podSet: PodSet): boolean {
  const { replicas, running = replicas, isNew } = podSet;
  const rolls = 'rollout' in podSet && podSet.rollout !== undefined;
  return !rolls && !isNew && Math.min(replicas, running) > 0;
}

/** Reports LimitRanges that an apply creates or changes, and that refuse pods like those that run both before and after it. */
export function checkInsufficientCapacityInLimitRange(
  limits: readonly ResourceLimit[],
  context: PlanContext,
  namesOf: PodSetNames,
): Finding[] {
  const { isChanged } = context;
  if (!isChanged) return [];
  const byRange = new Map<Manifest, { readonly reason: string; readonly podSets: PodSet[] }>();
  for (const { limitRange, rejection, perPod } of limits) {
    if (!limitRange || rejection?.kind !== 'limit-range' || !isChanged(limitRange)) continue;
    const unchangedPodSets = [...perPod.keys()].filter(isUnchanged);
    if (unchangedPodSets.length === 0) continue;
    const known = byRange.get(limitRange) ?? { reason: rejection.words, podSets: [] };
    for (const podSet of unchangedPodSets) known.podSets.push(podSet);
    byRange.set(limitRange, known);
  }
  return [...byRange].flatMap(([limitRange, { reason, podSets }]) => {
    const object = namesOf(podSets, '');
    if (!object) return [];
    const path = toFieldPath`spec.limits`;
    const source = context.locate(limitRange, path);
    const data = { limitRange: formatLimitRangeName(limitRange), object, reason };
    return [insufficientCapacityInLimitRange.createFinding('narrowed', { path, severity: 'warning', data, ...(source && { source }) })];
  });
}

import { findMin } from '../../../core/values/min-max';
import type { CapacityOutcome } from '../../rollout/pod-rollout';
import type { CapacityEvaluation } from '../capacity-evaluation';
import { computeAdditionalNodes } from '../nodes/additional-nodes';
import type { PlanLimits } from '../plan-limits';
import { buildFittingResult, formatOutcome } from '../shortage';
import { findFirstShortRow, findPeakRow, findRowShortages, hasRoomForRow } from './row-shortages';
import type { RowShortage } from './row-shortages';
import { findLargest } from '../../../core/values/find-largest';
import { sum } from './set-rollout';
import { listConstraintsBeyondNumbers } from '../surroundings/uncounted-constraints';
import type { RowCounts, SetRollout } from './set-rollout';

/** What happens to a rollout whose rows do not all fit. */
interface CountedOutcome {
  readonly outcome: CapacityOutcome;
  readonly podsThatFit: number;
}

/** Counts the pods that fit at once: those of all groups that fit, or the pods of a row that its tightest limit allows. */
function countOutcome(
  rollout: SetRollout,
  peak: RowCounts,
  shortRow: number,
  shortages: readonly RowShortage[],
  limits: PlanLimits,
): CountedOutcome {
  const { podSets, groups } = rollout;
  if (!groups) return { outcome: rollout.outcomeAt(shortRow), podsThatFit: findMin(shortages.map(({ pods }) => pods)) };
  const { perGroup } = groups;
  const toPods = (count: number) => perGroup.map((pods) => count * pods);
  const count = findLargest(sum(peak) / sum(perGroup) - 1, (some) => hasRoomForRow(podSets, toPods(some), limits));
  return { outcome: groups.outcome(count), podsThatFit: count * sum(perGroup) };
}

/**
 * Evaluates a rollout of several pod sets by how many pods of each row fit at once, as if old pods were like new ones. Returns undefined if
 * nothing limits it.
 *
 * This says what is lacking and how many more nodes are needed, and decides rollouts whose old pods or nodes are not known.
 */
export function evaluateByRowCount(rollout: SetRollout, limits: PlanLimits): CapacityEvaluation | undefined {
  const { podSets, rows, rowsWithDeleted = [] } = rollout;
  if (!limits.steady && podSets.every((podSet) => limits.resourcesOf(podSet).length === 0)) return undefined;
  const counts = rows.map(({ old, next }) => old.map((pods, set) => pods + next[set]!));
  const peak = findPeakRow(counts);
  const peakPods = sum(peak);
  if (peakPods === 0) return undefined;
  const shortRow = findFirstShortRow(podSets, counts, limits);
  if (shortRow < 0) {
    const waitsForOldPods = findFirstShortRow(podSets, rowsWithDeleted, limits) >= 0;
    return {
      verdict: buildFittingResult(peakPods, peakPods, listConstraintsBeyondNumbers(podSets, limits.surroundings)),
      delay: { deadlocks: false, waitsForOldPods, podsWithRoom: peakPods },
    };
  }
  const shortagesAtPeak = findRowShortages(podSets, peak, limits);
  // With several pod sets, a row other than the one with the most pods can be the one with a shortage.
  const shortages = shortagesAtPeak.length > 0 ? shortagesAtPeak : findRowShortages(podSets, counts[shortRow]!, limits);
  const { outcome, podsThatFit } = countOutcome(rollout, peak, shortRow, shortages, limits);
  const { shortage, rejection } = shortages.reduce((fewest, next) => (next.pods < fewest.pods ? next : fewest));
  const unplaced = shortages.length === 1 ? shortages[0]!.unplaced : undefined;
  const moreNodes = unplaced && computeAdditionalNodes(limits.emptyPools(), unplaced, limits.cache);
  const { verdict, iterations } = outcome;
  return {
    verdict: {
      ...outcome,
      peakPods,
      podsThatFit,
      shortage,
      ...(moreNodes && { moreNodes }),
      message: formatOutcome(rollout.describeOutcome(outcome, shortRow), shortage, moreNodes),
    },
    delay: {
      deadlocks: verdict === 'deadlocks',
      waitsForOldPods: true,
      podsWithRoom: podsThatFit,
      ...(iterations !== undefined && { iterations }),
    },
    ...(rejection && { rejection }),
  };
}

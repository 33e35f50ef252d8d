import type { CapacityEvaluation, PlanLimits } from './rollout-capacity';
import { OTHER_UNITS, buildFittingResult } from './shortage';

/**
 * Judges a rollout, and says no more than that it may fit where it fits beside what belongs to it alone,
 * and not beside the pods of all other units that share a capacity or a quota with it.
 *
 * Nobody knows whether other units run in the same cluster, so what they use is never an error.
 */
export function evaluateWithOtherUnits<Rollout, Room extends Pick<CapacityEvaluation, 'verdict'>>(
  evaluate: (rollout: Rollout, limits: PlanLimits) => Room | undefined,
  rollout: Rollout,
  limits: PlanLimits,
): Room | undefined {
  const evaluation = evaluate(rollout, limits);
  if (evaluation?.verdict.verdict !== 'fits' || limits.withOtherUnits === undefined) return evaluation;
  const isShort = evaluate(rollout, limits.withOtherUnits)?.verdict.shortage !== undefined;
  const { peakPods, podsThatFit } = evaluation.verdict;
  return isShort ? { ...evaluation, verdict: buildFittingResult(peakPods, podsThatFit, [OTHER_UNITS]) } : evaluation;
}

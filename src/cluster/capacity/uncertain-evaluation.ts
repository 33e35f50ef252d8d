import type { CapacityResult } from '../../core/capacity-result';
import type { CapacityEvaluation, PlanLimits } from './rollout-capacity';
import { OTHER_UNITS, buildFittingResult } from './shortage';

/** Builds the evaluation of a rollout that may not fit. It is assumed to take as long as with enough capacity. */
export function buildUncertainEvaluation(
  verdict: Omit<CapacityResult, 'verdict'> & Required<Pick<CapacityResult, 'because'>>,
): CapacityEvaluation {
  return {
    verdict: { verdict: 'may-not-fit', ...verdict },
    delay: { deadlocks: false, podsWithRoom: verdict.peakPods, podsAdmitted: Infinity },
  };
}

/**
 * Evaluates a rollout, and reports that it may not fit if it only fits without the pods of other units that share a capacity or a quota
 * with it.
 *
 * Other units may or may not run in the same cluster, so their use is never an error.
 */
export function evaluateWithOtherUnits<Rollout, Evaluation extends Pick<CapacityEvaluation, 'verdict'>>(
  evaluate: (rollout: Rollout, limits: PlanLimits) => Evaluation | undefined,
  rollout: Rollout,
  limits: PlanLimits,
): Evaluation | undefined {
  const evaluation = evaluate(rollout, limits);
  if (evaluation?.verdict.verdict !== 'fits' || limits.withOtherUnits === undefined) return evaluation;
  const isShort = evaluate(rollout, limits.withOtherUnits)?.verdict.shortage !== undefined;
  const { peakPods, podsThatFit } = evaluation.verdict;
  return isShort ? { ...evaluation, verdict: buildFittingResult(peakPods, podsThatFit, [OTHER_UNITS]) } : evaluation;
}

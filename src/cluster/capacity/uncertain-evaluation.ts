import type { CapacityResult } from '../../core/capacity-result';
import type { CapacityEvaluation } from './rollout-capacity';

/** Builds the evaluation of a rollout that may not fit. It is assumed to take as long as with enough capacity. */
export function buildUncertainEvaluation(
  verdict: Omit<CapacityResult, 'verdict'> & Required<Pick<CapacityResult, 'because'>>,
): CapacityEvaluation {
  return {
    verdict: { verdict: 'may-not-fit', ...verdict },
    delay: { deadlocks: false, podsWithRoom: verdict.peakPods, podsAdmitted: Infinity },
  };
}

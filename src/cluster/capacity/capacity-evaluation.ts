import type { CapacityResult, CapacityVerdict, Shortage } from '../../core/document/capacity-result';
import type { Simulation } from '../../core/simulations/simulation';
import type { CapacityDelay } from '../rollout/pod-rollout';
import type { PodSet } from '../rollout/pod-set';
import type { AdmissionRejection } from '../rejections/admission-rejection';

/** The capacity verdict on a rollout, and its effect on the duration. */
export interface CapacityEvaluation {
  readonly verdict: CapacityResult;
  readonly delay: CapacityDelay;
  /** The verdict while no other rollout of the change runs. @default - the same */
  readonly verdictAlone?: CapacityVerdict;
  /** What else the rollout lacks at its peak, in addition to the shortage of the verdict. @default - nothing */
  readonly furtherShortages?: readonly Shortage[];
  /** Why all new pods are refused, if that is what blocks the rollout. */
  readonly rejection?: AdmissionRejection;
  /** Other pod sets that the apply adds pods to, if the rollout deadlocks only when those are scheduled first. */
  readonly rivals?: readonly PodSet[];
  /** The verdict if those are scheduled first, while it depends on the order. */
  readonly verdictAfterRivals?: CapacityResult;
  /** The run under the limits, if it is known row by row. */
  readonly simulation?: Simulation;
  /** New pods of each set that quotas admit in the row at which a rollout of several sets deadlocks. Unset if no quota refuses any. */
  readonly admittedPods?: readonly number[];
}

/** Builds the evaluation of a rollout that may not fit. It is assumed to take as long as with enough capacity. */
export function buildUncertainEvaluation(
  verdict: Omit<CapacityResult, 'verdict'> & Required<Pick<CapacityResult, 'because'>>,
): CapacityEvaluation {
  return {
    verdict: { verdict: 'may-not-fit', ...verdict },
    delay: { deadlocks: false, podsWithRoom: verdict.peakPods, podsAdmitted: Infinity },
  };
}

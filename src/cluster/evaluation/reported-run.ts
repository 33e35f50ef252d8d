import type { CapacityResult } from '../../core/document/capacity-result';
import type { PlanContext } from '../context/context';
import type { Workload, LimitedRollout } from '../rollout/workload';
import type { Simulation } from '../../core/simulations/simulation';
import { truncateAtDeadlock } from '../../core/simulations/simulation-kinds';
import { getStartupDefault, resolveStartupSeconds } from '../../core/values/startup-seconds';
import type { CapacityEvaluation } from '../capacity/capacity-evaluation';
import type { TrialRun } from '../rollout/rollout-trial';

/**
 * Returns the verdict to report. If only the number of pods is known, it never says that they fit, because they may request unavailable
 * resources.
 */
export function getReportedVerdict({ countOnly }: Workload, evaluation: CapacityEvaluation | undefined): CapacityResult | undefined {
  if (evaluation === undefined || (countOnly && evaluation.verdict.shortage === undefined)) return undefined;
  return markUnlimitedRows(evaluation);
}

/** Returns the verdict of an evaluation. A slower rollout whose rows are not simulated under its limits is marked. */
export function markUnlimitedRows({ verdict, simulation }: CapacityEvaluation): CapacityResult {
  return verdict.verdict === 'slower' && simulation === undefined ? { ...verdict, hasUnlimitedRows: true } : verdict;
}

/** Returns the rows under the limits if they are known, or else those up to the deadlock, or all rows of a rollout that finishes. */
export function limitRows(ideal: Simulation, evaluation: CapacityEvaluation | undefined): Simulation {
  return evaluation?.simulation ?? truncateRolloutAtDeadlock(ideal, evaluation?.verdict);
}

/** Returns the rows up to the deadlock, or all rows of a rollout that finishes. */
export function truncateRolloutAtDeadlock(simulation: Simulation, verdict: CapacityResult | undefined): Simulation {
  return verdict?.verdict === 'deadlocks' && verdict.deadlockWave !== undefined
    ? truncateAtDeadlock(simulation, verdict.deadlockWave)
    : simulation;
}

/** Returns the rows up to the deadlock from the kind of the rollout, if it computes them itself. */
export function getHaltedSimulation(
  rollout: LimitedRollout['rollout'],
  evaluation: CapacityEvaluation | undefined,
): Simulation | undefined {
  if (evaluation?.simulation) return evaluation.simulation;
  return evaluation?.delay.deadlocks ? rollout.haltedAt?.(evaluation.delay) : undefined;
}

/** Returns what a plan shows of a rollout: whether it fits, how long it takes, and its rows under the limits. */
export function describeRun<S extends Simulation | null>(
  { workload, rollout }: LimitedRollout,
  evaluation: CapacityEvaluation | undefined,
  ideal: S,
  context: PlanContext,
): TrialRun<S | Simulation> {
  const capacity = getReportedVerdict(workload, evaluation);
  const startupSeconds = resolveStartupSeconds(workload.template, getStartupDefault(workload, context));
  const duration = startupSeconds === undefined ? undefined : rollout.duration(startupSeconds, evaluation?.delay);
  const simulation = getHaltedSimulation(rollout, evaluation) ?? (ideal && truncateRolloutAtDeadlock(ideal, capacity));
  return { simulation, ...(capacity && { capacity }), ...(duration && { duration }) };
}

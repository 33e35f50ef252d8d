import { findMax } from '../../../core/values/min-max';
import type { PodSet } from '../../rollout/pod-set';
import type { LimitedRollout } from '../../rollout/workload';
import { buildUncertainEvaluation } from '../capacity-evaluation';
import type { CapacityEvaluation } from '../capacity-evaluation';
import { formatUncertainty } from '../exact/format-uncertainty';
import { countPodsThatFit } from '../nodes/placement';
import type { PlanLimits } from '../plan-limits';
import { computePodFootprint } from '../pod-requests';
import { countDisplacedByOne } from '../amounts';
import { countDisplacedPods, mayOthersLeave } from '../moving/moving-pods';
import { computeMomentaryDecrease, computeOtherUseChange, nameOthers, OTHER_ROLLOUTS } from '../exact/other-rollouts';
import { findExceeded, resolveSetLimits } from './set-limits';
import type { SetLimit } from './set-limits';
import type { SetRows } from './set-rollout';

/** Returns what each limit leaves if other sets use as much, or as little, as they may. */
function changeLeft(setLimits: readonly SetLimit[], podSets: readonly PodSet[], isLeast: boolean, limits: PlanLimits): SetLimit[] {
  return setLimits.map((setLimit) => {
    const { limit, left } = setLimit;
    const { increase, decrease } = computeOtherUseChange(limit, podSets);
    if (isLeast) return { ...setLimit, left: left > increase ? left - increase : 0n };
    return { ...setLimit, left: left + decrease + computeMomentaryDecrease(limit, podSets, limits.cache) };
  });
}

/** Reports whether the nodes have capacity for all new pods of a rollout, wherever pods of others go meanwhile. */
function haveSpareNodes({ podSets, rows }: SetRows, { steady, cache }: PlanLimits, displaced: readonly number[]): boolean {
  if (!steady) return true;
  const peaks = podSets.map((_, set) => findMax(rows.map(({ next }) => next[set]!)));
  const footprints = podSets.map(({ template }) => computePodFootprint(template.spec));
  return podSets.every((podSet, set) => {
    const ownPods = peaks.reduce(
      (total, pods, other) => total + pods * Math.max(1, countDisplacedByOne(footprints[set]!, footprints[other]!)),
      0,
    );
    const needed = ownPods + displaced[set]!;
    return peaks[set] === 0 || displaced[set] === 0 || countPodsThatFit(steady.nodes, podSet, needed, cache) >= needed;
  });
}

/** Reports whether the verdict on a rollout of several sets depends on what other rollouts of the same change do. */
function dependsOnOthers(rollout: SetRows, { verdict: { verdict, shortage }, rejection }: CapacityEvaluation, limits: PlanLimits): boolean {
  if (verdict === 'may-not-fit' || rejection) return false;
  const { podSets, rows } = rollout;
  const setLimits = resolveSetLimits(podSets, limits);
  const isExceeded = (changed: readonly SetLimit[]) => rows.some((row) => findExceeded(changed, row) !== undefined);
  const hasNodes = limits.surroundings !== undefined && limits.surroundings.pools.length > 0;
  if (verdict === 'deadlocks') {
    if (isExceeded(setLimits)) return !isExceeded(changeLeft(setLimits, podSets, false, limits));
    return hasNodes && shortage?.kind !== 'labels' && shortage?.kind !== 'taints' && mayOthersLeave(podSets, limits);
  }
  if (!isExceeded(setLimits) && isExceeded(changeLeft(setLimits, podSets, true, limits))) return true;
  return (
    hasNodes &&
    !haveSpareNodes(
      rollout,
      limits,
      podSets.map((podSet) => countDisplacedPods(podSet, limits, podSets)),
    )
  );
}

/** Returns an evaluation as uncertain, because other rollouts of the same change may use or free capacity meanwhile. */
function toUncertain({ verdict: { verdict, peakPods, podsThatFit }, delay }: CapacityEvaluation, reason: string): CapacityEvaluation {
  const isStuck = verdict === 'deadlocks';
  const because = [reason];
  const outcomes = { outcome: isStuck ? ('none' as const) : ('every' as const), newAtLeast: 0, newAtMost: 0 };
  const message = formatUncertainty({ outcomes, because, replicas: peakPods });
  const uncertain = buildUncertainEvaluation({ peakPods, podsThatFit, because, message });
  return { ...uncertain, delay: { ...delay, ...uncertain.delay }, ...(!isStuck && { verdictAlone: verdict }) };
}

/** Returns the evaluation of a rollout of several sets next to other rollouts of the same change, which may use or free capacity meanwhile. */
export function evaluateSetsNextToOthers(rollout: SetRows, evaluation: CapacityEvaluation, limits: PlanLimits): CapacityEvaluation {
  return dependsOnOthers(rollout, evaluation, limits) ? toUncertain(evaluation, nameOthers(rollout.podSets, limits)) : evaluation;
}

/** Returns an evaluation by numbers of pods next to other rollouts of the same change. */
export function evaluateCountNextToOthers(
  { workload, rollout }: LimitedRollout,
  evaluation: CapacityEvaluation,
  limits: PlanLimits,
): CapacityEvaluation {
  const { verdict, shortage } = evaluation.verdict;
  const isByLimit = shortage?.kind === 'quota' || shortage?.kind === 'capacity';
  if (verdict === 'deadlocks' && isByLimit && !evaluation.rejection && evaluation.rivals === undefined) {
    const mayLeave = limits.resourcesOf(workload).some((limit) => {
      const { decrease } = computeOtherUseChange(limit, [workload]);
      return decrease + computeMomentaryDecrease(limit, [workload], limits.cache) > 0n;
    });
    return mayLeave ? toUncertain(evaluation, OTHER_ROLLOUTS) : evaluation;
  }
  const rows = [
    { old: [rollout.peakPods - Math.min(rollout.peakPods, workload.replicas)], next: [Math.min(rollout.peakPods, workload.replicas)] },
  ];
  return evaluateSetsNextToOthers({ podSets: [workload], rows }, evaluation, limits);
}

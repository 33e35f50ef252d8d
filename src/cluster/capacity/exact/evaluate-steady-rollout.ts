import { getFieldsAt } from '../../../core/manifest/manifest';
import type { Fields } from '../../../core/manifest/manifest';
import type { LimitedRollout } from '../../rollout/workload';
import type { CapacityEvaluation } from '../capacity-evaluation';
import type { PlanLimits } from '../plan-limits';
import { getUnplannedOwners } from '../surroundings/pod-owners';
import { findUnmetDomains } from '../surroundings/unmet-domains';
import { resolveOwnLimit } from './admitted-pods';
import { searchDaemonSetInQuotas } from './daemon-quota-search';
import { buildEvaluation } from './build-evaluation';
import { evaluateByPodCount } from './count-pods';
import { decideByRuns, decideRollout, decideScaledRollout, withSchedulingGates } from './decide-rollout';
import { buildModelledRollout } from './modelled-rollout';
import { formatFootprint, formatNodeRules, resolveOldPods } from './old-pods';
import type { RolloutModel } from './rollout-model';
import { readProcess } from './rollout-process';
import { buildAdmittedCounts, countAdmittedOldPods, countAdmittedPods, findShownRun, resolveRunLimits } from './run-limits';
import { resolveUncertainty } from './uncertainty';
import type { ExactRollout } from './uncertainty';

/** Resolves what the outcome of a rollout follows from. Returns undefined if it does not start from a steady state that is known. */
function resolveExactRollout(limited: LimitedRollout, limits: PlanLimits): ExactRollout | undefined {
  const { workload, rollout } = limited;
  const process = readProcess(limited);
  const isScaled = workload.running !== undefined && workload.running !== workload.replicas;
  if (!process || (isScaled && rollout.runningBefore !== workload.running)) return undefined;
  const { replicas } = process;
  const hasLivePods = (limits.surroundings?.allOwnPods.get(workload)?.length ?? 0) > 0;
  const kept = process.kind === 'ordered' ? workload.replicas - replicas : 0;
  if (replicas + kept !== workload.replicas && hasLivePods) return undefined;
  const old = resolveOldPods(workload, process, limits.surroundings);
  // Live pods that are kept may differ from those that are replaced.
  if (!old || (kept > 0 && hasLivePods && !old.located)) return undefined;
  const ownLimits = limits.resourcesOf(workload).map((limit) => resolveOwnLimit(limit, workload, old.spec));
  const admitted = countAdmittedPods(ownLimits, replicas, kept);
  const built = buildModelledRollout({ workload, process, old, admitted, kept }, limits);
  const modelled = built && { ...built, model: { ...built.model, oldPodsAdmitted: countAdmittedOldPods(ownLimits, kept) } };
  // Only quotas are left to decide a DaemonSet, and its controller stops at a refused pod. A pod whose claim is refused exists.
  const stopsIfRefused = workload.onePerNode === true && ownLimits.every(({ limit: { refusesPods } }) => refusesPods);
  const decide = (model: RolloutModel) => {
    if (isScaled) return decideScaledRollout(model, modelled!.hasNodes);
    return stopsIfRefused ? (searchDaemonSetInQuotas(model) ?? decideByRuns(model, rollout)) : decideRollout(model, process, rollout);
  };
  const decided = modelled && decide(modelled.model);
  if (!modelled || !decided) return undefined;
  const outcomes = withSchedulingGates(decided, workload.template.spec);
  return { limited, limits, process, old, ownLimits, kept, admitted, modelled, outcomes, decide };
}

/** Reports whether old pods request the same as new ones, and accept the same nodes. */
function isLikeNew(old: Fields | undefined, next: Fields): boolean {
  if (old === undefined) return true;
  return formatFootprint(old) === formatFootprint(next) && formatNodeRules(old) === formatNodeRules(next);
}

/**
 * Evaluates a rollout from a steady state by all placements that the scheduler may choose, while old pods keep their own shape. Returns
 * undefined if it starts from another state.
 */
export function evaluateSteadyRollout(limited: LimitedRollout, limits: PlanLimits): CapacityEvaluation | undefined {
  const exact = resolveExactRollout(limited, limits);
  if (!exact) return undefined;
  const { workload, rollout } = limited;
  const { process, ownLimits, kept, modelled, outcomes } = exact;
  const uncertainty = resolveUncertainty(exact);
  const { model } = modelled;
  const runOnNodes = (pods: readonly number[]) => rollout.runWithin?.(resolveRunLimits(model, outcomes, ownLimits, kept, pods));
  const run = findShownRun(model, outcomes, runOnNodes);
  const owners = modelled.hasNodes ? getUnplannedOwners(limits.surroundings!, workload) : [];
  let known: CapacityEvaluation | undefined;
  const byPodCount = () => (known ??= evaluateByPodCount(limited, limits)!);
  const hasEqualOldPods = isLikeNew(exact.old.spec, getFieldsAt(workload.template, 'spec'));
  return buildEvaluation({
    limited,
    byPodCount,
    process,
    outcomes,
    model,
    run,
    ...uncertainty,
    ownLimits,
    owners,
    kept,
    hasNodes: modelled.hasNodes,
    unmetDomains: modelled.hasNodes ? findUnmetDomains(workload, limits.surroundings!.inventory()) : undefined,
    hasEqualOldPods,
    finishesOnNodes: () => exact.decide({ ...model, ...buildAdmittedCounts([], process.replicas, kept) })?.outcome === 'every',
  });
}

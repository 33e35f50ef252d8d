import { getFieldsAt } from '../../../core/manifest/manifest';
import { findMin } from '../../../core/values/min-max';
import type { LimitedRun, RunLimits } from '../../rollout/limited-run';
import type { PodSet } from '../../rollout/pod-set';
import type { PlanLimits } from '../plan-limits';
import { countAllowedOldPods, countAllowedPods, resolveOwnLimit } from './admitted-pods';
import type { OwnLimit } from './admitted-pods';
import { computeNewPodBounds } from './node-bounds';
import { isDecidedByNodes } from './rollout-bounds';
import type { RolloutModel, RolloutOutcomes } from './rollout-model';

/** Returns the new pods that limits allow next to each number of old ones. */
export function countAdmittedPods(ownLimits: readonly OwnLimit[], replicas: number, kept: number): number[] {
  return Array.from({ length: replicas + 1 }, (_, oldPods) =>
    ownLimits.reduce((fewest, limit) => Math.min(fewest, countAllowedPods(limit, oldPods + kept)), replicas),
  );
}

/** Returns the old pods that limits allow next to no new one. */
export function countAdmittedOldPods(ownLimits: readonly OwnLimit[], kept: number): number {
  return findMin(ownLimits.map((limit) => countAllowedOldPods(limit) - kept));
}

/** Returns what limits admit, as a part of a model. */
export function buildAdmittedCounts(
  ownLimits: readonly OwnLimit[],
  replicas: number,
  kept: number,
): Pick<RolloutModel, 'newPodsAdmitted' | 'oldPodsAdmitted'> {
  return { newPodsAdmitted: countAdmittedPods(ownLimits, replicas, kept), oldPodsAdmitted: countAdmittedOldPods(ownLimits, kept) };
}

/** Returns the new pods of a set that quotas admit next to each number of old ones. */
export function countPodsInQuotas(podSet: PodSet, limits: PlanLimits, replicas: number, kept = 0): number[] {
  const oldSpec = podSet.oldTemplate && getFieldsAt(podSet.oldTemplate, 'spec');
  const quotas = limits.resourcesOf(podSet).filter(({ refusesPods }) => refusesPods);
  return countAdmittedPods(
    quotas.map((limit) => resolveOwnLimit(limit, podSet, oldSpec)),
    replicas,
    kept,
  );
}

/** Returns the new and old pods that quotas admit, as a part of the limits of a run. Without these pods, others do not exist. */
export function buildQuotaLimits(
  quotas: readonly OwnLimit[],
  replicas: number,
  kept: number,
): Required<Pick<RunLimits, 'admitted' | 'admitsOld'>> {
  const admitted = countAdmittedPods(quotas, replicas, kept);
  return {
    admitted: (old) => admitted[old] ?? 0,
    admitsOld: (old, next) => (next === 0 ? old <= countAdmittedOldPods(quotas, kept) : next <= (admitted[old] ?? 0)),
  };
}

/** Runs a rollout within the numbers of new pods that nodes take next to each number of old ones. */
export type RunOnNodes = (pods: readonly number[]) => LimitedRun | undefined;

/**
 * Returns the run that is shown: the best one if none finishes, or else the worst one by capacity of nodes. Bounds that allow more placements
 * than the old pods have may stop a run that finishes in each of these; then the best one is shown.
 */
export function findShownRun(model: RolloutModel, { outcome }: RolloutOutcomes, run: RunOnNodes): LimitedRun | undefined {
  const { least, most } = computeNewPodBounds(model);
  const worst = outcome === 'every' && isDecidedByNodes(model) ? run(least) : undefined;
  return worst?.isFinished ? worst : run(most);
}

/** Resolves the limits of a run by the numbers of new pods that nodes take. */
export function resolveRunLimits(
  model: RolloutModel,
  { outcome, newAtMost }: RolloutOutcomes,
  ownLimits: readonly OwnLimit[],
  kept: number,
  pods: readonly number[],
): RunLimits {
  const limit = outcome === 'none' ? newAtMost : model.replicas;
  // Pods beyond any other limit exist and wait.
  const quotas = ownLimits.filter(({ limit: { refusesPods } }) => refusesPods);
  return {
    ...buildQuotaLimits(quotas, model.replicas, kept),
    placed: (old) => Math.min(limit, model.newPodsAdmitted[old] ?? 0, Math.max(0, pods[old] ?? 0)),
  };
}

/** Returns how many pods fit at once, old and new: all old ones, and the new ones that fit next to them in every placement. */
export function countPodsAtOnce(model: RolloutModel, kept: number): number {
  const { replicas, newPodsAdmitted } = model;
  const nextToAll = isDecidedByNodes(model) ? (computeNewPodBounds(model).least[replicas] ?? 0) : 0;
  return kept + replicas + Math.min(newPodsAdmitted[replicas]!, nextToAll);
}

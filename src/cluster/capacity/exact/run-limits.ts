import type { RunLimits } from '../../limited-run';
import { countAllowedPods } from './admitted-pods';
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

/** Returns the limits of the run that is shown: the best one if none finishes, or else the worst one by capacity of nodes. */
export function resolveRunLimits(
  model: RolloutModel,
  { outcome, newAtMost }: RolloutOutcomes,
  ownLimits: readonly OwnLimit[],
  kept: number,
): RunLimits {
  const bounds = computeNewPodBounds(model);
  const counts = outcome === 'every' && isDecidedByNodes(model) ? bounds.least : bounds.most;
  const limit = outcome === 'none' ? newAtMost : model.replicas;
  // Pods beyond any other limit exist and wait.
  const quotas = ownLimits.filter(({ limit: { refusesPods } }) => refusesPods);
  const admitted = countAdmittedPods(quotas, model.replicas, kept);
  return {
    admitted: (old) => admitted[old] ?? 0,
    placed: (old) => Math.min(limit, model.newPodsAdmitted[old] ?? 0, Math.max(0, counts[old] ?? 0)),
  };
}

/** Returns how many pods fit at once, old and new: all old ones, and the new ones that fit next to them in every placement. */
export function countPodsAtOnce(model: RolloutModel, kept: number): number {
  const { replicas, newPodsAdmitted } = model;
  const nextToAll = isDecidedByNodes(model) ? (computeNewPodBounds(model).least[replicas] ?? 0) : 0;
  return kept + replicas + Math.min(newPodsAdmitted[replicas]!, nextToAll);
}

import { findMin } from '../../../core/values/min-max';
import { computeNewPodBounds } from './node-bounds';
import { countKeptOldPods } from './rollout-model';
import type { RolloutModel, RolloutOutcomes } from './rollout-model';
import { computeSpreadBounds } from './spread-bounds';

/** Reports whether the capacity of each node alone decides: no constraint concerns pods of other nodes. */
export function isDecidedByNodes({ spreads, antiAffinities, affinity, nodesByPod }: RolloutModel): boolean {
  return spreads.length === 0 && antiAffinities.length === 0 && affinity === undefined && nodesByPod === undefined;
}

/** Computes the fewest new pods at a standstill, by the number of old pods. Returns undefined if it may be none. */
export function computeFewestNewPods(model: RolloutModel): readonly number[] | undefined {
  return isDecidedByNodes(model) ? computeNewPodBounds(model).least : computeSpreadBounds(model);
}

/**
 * Decides a rollout by the fewest and most new pods that nodes take next to each number of old pods.
 *
 * Nothing moves once all P new pods are ready, R - u - P old ones are left and no further pod is admitted or placed:
 *
 *     every placement finishes if, for all P < R, the fewest new pods next to max(0, R - u - P) old ones exceed P
 *     no placement finishes if, for some P < R, the most new pods next to them are at most P
 *
 * Source: k/k pkg/controller/deployment/rolling.go.
 */
export function computeOutcomeBounds(model: RolloutModel): RolloutOutcomes {
  const { replicas, newPodsAdmitted } = model;
  const { most } = computeNewPodBounds(model);
  const fewest = computeFewestNewPods(model);
  let newAtLeast: number | undefined;
  for (let ready = 0; ready < replicas; ready++) {
    const old = countKeptOldPods(model, ready);
    if (old >= most.length) continue;
    const admitted = newPodsAdmitted[old]!;
    if (Math.min(admitted, fewest?.[old] ?? 0) <= ready) newAtLeast ??= ready;
    if (Math.min(admitted, most[old]!) <= ready) return { outcome: 'none', newAtLeast: newAtLeast ?? 0, newAtMost: ready };
  }
  if (newAtLeast === undefined) return { outcome: 'every', newAtLeast: replicas, newAtMost: replicas };
  return { outcome: 'some', newAtLeast, newAtMost: replicas };
}

/** Returns how many pods more than necessary nodes take at every standstill, if each rollout by nodes alone finishes. */
export function computeSlack(model: RolloutModel): number {
  const { replicas, unavailable } = model;
  if (!isDecidedByNodes(model) || replicas === 0) return 0;
  const { least } = computeNewPodBounds(model);
  return findMin(
    Array.from({ length: replicas }, (_, ready) => (least[Math.max(0, replicas - unavailable - ready)] ?? replicas) - ready - 1),
  );
}

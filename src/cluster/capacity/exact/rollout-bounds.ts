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
 * Reports whether a rollout may stop at a number of new pods that are ready, by the fewest new pods that limits allow next to old ones.
 *
 * If the same apply adds replicas, two ReplicaSets create pods at once, so that there are any number of old pods from the running ones to
 * those that the controller keeps.
 */
function mayStopAt(ready: number, [lowest, kept]: readonly [number, number], model: RolloutModel, fewest: readonly number[] = []): boolean {
  const { newPodsAdmitted, oldPodsAdmitted = Infinity } = model;
  const allow = (old: number) => Math.min(newPodsAdmitted[old]!, fewest[old] ?? 0);
  if (lowest === kept) return allow(kept) <= ready;
  for (let old = lowest; old <= kept; old++) {
    const canExist = ready === 0 ? old <= Math.max(lowest, oldPodsAdmitted) : ready <= newPodsAdmitted[old]!;
    if (canExist && allow(old) <= ready) return true;
  }
  return false;
}

/**
 * Decides a rollout by the fewest and most new pods that nodes take next to each number of old pods.
 *
 * Nothing moves once all P new pods are ready, R - u - P old ones are left and no further pod is admitted or placed:
 *
 *     every placement finishes if, for all P < R, the fewest new pods next to max(0, R - u - P) old ones exceed P
 *     no placement finishes if, for some P < R, the most new pods next to them are at most P
 *
 * If the same apply adds replicas, the old ReplicaSet is scaled first, and then counts as if it had all of its pods. No running old pod is deleted
 * before R - u - P is below their number, and old pods are created up to R - u - P, if limits admit them:
 *
 *     no placement finishes if, for some P < R, the most new pods next to min(running, max(0, R - u - P)) old ones are at most P
 *
 * 2 old pods of 2 GPUs, 4 replicas of 1 GPU, u = 1, and a quota of 4 GPUs: R - u = 3, so that both old pods stay, and no new one is admitted.
 *
 * Sources: k/k pkg/controller/deployment/rolling.go, sync.go (`scale`).
 */
export function computeOutcomeBounds(model: RolloutModel): RolloutOutcomes {
  const { replicas, newPodsAdmitted, running = replicas } = model;
  const { most } = computeNewPodBounds(model);
  const fewest = computeFewestNewPods(model);
  let newAtLeast: number | undefined;
  for (let ready = 0; ready < replicas; ready++) {
    const kept = countKeptOldPods(model, ready);
    const lowest = Math.min(running, kept);
    if (lowest >= most.length) continue;
    if (mayStopAt(ready, [lowest, kept], model, fewest)) newAtLeast ??= ready;
    if (Math.min(newPodsAdmitted[lowest]!, most[lowest]!) <= ready)
      return { outcome: 'none', newAtLeast: newAtLeast ?? 0, newAtMost: ready };
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

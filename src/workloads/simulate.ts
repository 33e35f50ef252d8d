import { shownRows } from '../core/rollout';
import type { DeploymentSimulation, DeploymentWave, StatefulSetSimulation } from '../core/rollout';
import { resolveFenceposts, statefulSetMaxUnavailable } from './strategy';
import type { DeploymentStrategy, StatefulSetUpdateStrategy } from './types';

/**
 * How the Deployment controller replaces the pods of one old ReplicaSet, wave by wave.
 *
 * Start: `replicas` old pods, all available. A wave is what stands once the controller has nothing left to do until a pod becomes ready;
 * then all new pods become ready together. Constant work per row shown, whatever the replicas (0 to 2,147,483,647).
 *
 * With b = surge + unavailable, the pods in flight, and k the wave:
 *
 *     new_k       = min(replicas, k × b)
 *     old_k       = max(0, replicas - unavailable - (k - 1) × b)
 *     available_k = new_(k-1) + old_k
 *     iterations  = ceil(replicas / b), and one more wave that only deletes if old_iterations > 0
 *
 * 4 replicas, surge 1, unavailable 0: new 1 2 3 4 4, old 4 3 2 1 0, iterations 4. Held to the controller's loop
 * (`deployment-controller.ts`) by a property test.
 */
export function simulateDeployment(strategy: DeploymentStrategy, replicas: number): DeploymentSimulation {
  if (strategy.type === 'Recreate') return simulateRecreate(replicas);
  const limits = resolveFenceposts(strategy.rollingUpdate, replicas);
  const surge = limits.surge;
  const unavailable = Math.min(limits.unavailable, replicas);
  const inFlight = surge + unavailable;

  const newAfter = (wave: number) => Math.min(replicas, wave * inFlight);
  const oldAfter = (wave: number) => Math.max(0, replicas - unavailable - (wave - 1) * inFlight);
  const row = (wave: number): DeploymentWave => ({
    wave,
    newReplicas: newAfter(wave),
    oldReplicas: oldAfter(wave),
    total: newAfter(wave) + oldAfter(wave),
    available: newAfter(wave - 1) + oldAfter(wave),
  });

  const iterations = replicas === 0 ? 0 : Math.ceil(replicas / inFlight);
  const waves = iterations > 0 && oldAfter(iterations) > 0 ? iterations + 1 : iterations;
  const { rows, elided } = shownRows(waves);
  return {
    kind: 'deployment',
    replicas,
    surge,
    unavailable,
    waves: rows.map((index) => row(index + 1)),
    iterations,
    peakPods: replicas + Math.min(surge, replicas - unavailable),
    minAvailable: replicas - unavailable,
    ...(elided > 0 && { elided }),
  };
}

/** All old pods down, and only when the last one is gone all new pods up. Source: k/k pkg/controller/deployment/recreate.go. */
function simulateRecreate(replicas: number): DeploymentSimulation {
  const down = { wave: 1, newReplicas: 0, oldReplicas: 0, total: 0, available: 0 };
  const up = { wave: 2, newReplicas: replicas, oldReplicas: 0, total: replicas, available: 0 };
  return {
    kind: 'deployment',
    replicas,
    surge: 0,
    unavailable: replicas,
    waves: replicas === 0 ? [] : [down, up],
    iterations: replicas === 0 ? 0 : 1,
    peakPods: replicas,
    minAvailable: 0,
  };
}

/**
 * In which order the StatefulSet controller replaces pods, and which are down together.
 *
 * From the highest index down to the partition, `maxUnavailable` at a time; the pods of a batch become ready together, so OrderedReady
 * (strict batches) and Parallel (a sliding window) come to the same batches. The partition is compared with the index, the lists hold
 * ordinals (index + `start`). With OnDelete nothing happens until someone deletes a pod.
 *
 * 5 replicas, partition 2, maxUnavailable 2: batches [4, 3], [2]; untouched 0, 1; at least 3 available.
 *
 * Source: k/k pkg/controller/statefulset/stateful_set_control.go. Held to that loop (`statefulset-controller.ts`) by a property test.
 *
 * @param strategy as stored: maxUnavailable absent where the version drops it
 * @param start `spec.ordinals.start`
 */
export function simulateStatefulSet(strategy: StatefulSetUpdateStrategy, replicas: number, start = 0): StatefulSetSimulation {
  const updates = strategy.type === 'RollingUpdate';
  const partition = updates ? (strategy.rollingUpdate?.partition ?? 0) : 0;
  const maxUnavailable = updates ? statefulSetMaxUnavailable(strategy.rollingUpdate?.maxUnavailable, replicas) : 1;

  const updated = updates ? Math.max(0, replicas - partition) : 0;
  const ordinalAt = (position: number) => start + replicas - 1 - position;
  const order = shownRows(updated);
  const untouched = shownRows(replicas - updated);
  const elided = order.elided + untouched.elided;
  return {
    kind: 'statefulset',
    replicas,
    partition,
    maxUnavailable,
    order: order.rows.map(ordinalAt),
    batches: shownBatches(order.rows, updated, maxUnavailable).map((positions) => positions.map(ordinalAt)),
    untouched: untouched.rows.map((index) => start + index),
    minAvailable: replicas - Math.min(maxUnavailable, updated),
    ...(elided > 0 && { elided }),
  };
}

/** The batches that hold a position shown: whole, but of a batch too long to stand whole only the positions shown. */
function shownBatches(shown: readonly number[], updated: number, size: number): number[][] {
  const shownByBatch = new Map<number, number[]>();
  for (const position of shown) {
    const batch = Math.floor(position / size);
    const positions = shownByBatch.get(batch);
    if (positions) positions.push(position);
    else shownByBatch.set(batch, [position]);
  }
  return [...shownByBatch].map(([batch, positions]) => {
    const first = batch * size;
    const length = Math.min(size, updated - first);
    const { rows, elided } = shownRows(length);
    return elided > 0 ? positions : rows.map((row) => first + row);
  });
}

import { shownRows } from '../../core/simulations/shown-rows';
import type { StatefulSetSimulation } from '../../core/simulations/statefulset';
import { statefulSetMaxUnavailable } from './strategy';
import type { StatefulSetUpdateStrategy } from './types';

/**
 * In which order the StatefulSet controller replaces pods, and which are down together.
 *
 * From the highest index down to the partition, `maxUnavailable` at a time; the pods of a batch become ready together,
 * so OrderedReady (strict batches) and Parallel (a sliding window) come to the same batches.
 * The partition is compared with the index, the lists hold ordinals (index + `start`).
 * With OnDelete nothing happens until someone deletes a pod.
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

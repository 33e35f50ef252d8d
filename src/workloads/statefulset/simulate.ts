import type { StartingPoint } from '../../cluster/starting-point';
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
 * @param first `spec.ordinals.start`
 * @param start where the cluster stands: pods that the same apply adds are of the new revision at once, those that it takes away go first
 */
export function simulateStatefulSet(
  strategy: StatefulSetUpdateStrategy,
  replicas: number,
  first = 0,
  start: Pick<StartingPoint, 'before' | 'updated'> = {},
): StatefulSetSimulation {
  const { before = replicas, updated = [] } = start;
  if (before < replicas || updated.length > 0) return simulateFrom(strategy, replicas, first, before, new Set(updated));
  return simulateAtRest(strategy, replicas, first);
}

/** The same where some of the pods are of the new revision, or will be when they are made: they are not replaced. */
function simulateFrom(
  strategy: StatefulSetUpdateStrategy,
  replicas: number,
  first: number,
  before: number,
  updated: ReadonlySet<number>,
): StatefulSetSimulation {
  const whole = simulateAtRest(strategy, replicas, first);
  const isOld = (ordinal: number) => ordinal - first < before && !updated.has(ordinal - first);
  const order = whole.order.filter(isOld);
  const size = whole.maxUnavailable;
  const batches = Array.from({ length: Math.ceil(order.length / size) }, (_, index) => order.slice(index * size, (index + 1) * size));
  return {
    ...whole,
    order,
    batches,
    untouched: whole.untouched.filter(isOld),
    minAvailable: Math.min(before, replicas - Math.min(size, order.length)),
  };
}

function simulateAtRest(strategy: StatefulSetUpdateStrategy, replicas: number, start: number): StatefulSetSimulation {
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

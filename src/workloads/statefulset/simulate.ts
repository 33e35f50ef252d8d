import type { InitialState, StatefulSetState } from '../../cluster/initial-state';
import { MAX_LISTED_ROWS, selectVisibleRows } from '../../core/simulations/row-limit';
import type { StatefulSetSimulation } from '../../core/simulations/statefulset';
import { simulateStatefulSetFrom } from './simulate-from';
import { resolveStatefulSetMaxUnavailable } from './strategy';
import type { StatefulSetUpdateStrategy } from './types';

/** How a StatefulSet goes about its pods, besides its strategy. */
export interface PodManagement {
  /** `spec.ordinals.start` */
  readonly firstOrdinal?: number;
  /** Is podManagementPolicy Parallel? */
  readonly isParallel?: boolean;
  /** Do pods that are down for whatever reason use up maxUnavailable, as under the gate MaxUnavailableStatefulSet? */
  readonly countsUnavailable?: boolean;
}

/**
 * In which order the StatefulSet controller replaces pods, and which are down together.
 *
 * From the highest index down to the partition, `maxUnavailable` at a time; the pods of a batch become ready together,
 * so OrderedReady (strict batches) and Parallel (a sliding window) come to the same batches.
 * The partition is compared with the index, the lists hold ordinals (index + `firstOrdinal`).
 * With OnDelete nothing happens until someone deletes a pod.
 *
 * 5 replicas, partition 2, maxUnavailable 2: batches [4, 3], [2]; untouched 0, 1; at least 3 available.
 *
 * Source: k/k pkg/controller/statefulset/stateful_set_control.go. Held to that loop (`statefulset-controller.ts`) by a property test.
 *
 * @param strategy as stored: maxUnavailable absent where the version drops it
 */
export function simulateStatefulSet(
  strategy: StatefulSetUpdateStrategy,
  replicas: number,
  { firstOrdinal = 0, isParallel = false, countsUnavailable = false }: PodManagement = {},
  start: StatefulSetState & Pick<InitialState, 'before'> = {},
): StatefulSetSimulation {
  const { before = replicas, updatedFrom = before, pods, isCurrentNew = false } = start;
  const atRest = simulateAtRest(strategy, replicas, firstOrdinal, Math.max(0, Math.min(before, replicas, updatedFrom)));
  // Of more pods than are shown whole, which are not ready is not followed.
  if (Math.max(replicas, before) > MAX_LISTED_ROWS) return { ...atRest, minAvailable: Math.min(before, atRest.minAvailable) };
  const { partition, maxUnavailable } = atRest;
  const currentPods = pods ?? Array.from({ length: before }, (_, index) => ({ index, isNew: index >= updatedFrom, available: true }));
  const isOnDelete = strategy.type === 'OnDelete';
  const oldBelow = strategy.rollingUpdate ? partition : currentPods.filter(({ isNew }) => !isNew).length;
  const trace = simulateStatefulSetFrom({
    replicas,
    partition,
    maxUnavailable,
    isOnDelete,
    isParallel,
    countsUnavailable,
    pods: currentPods,
    isCreatedOld: (index) => !isCurrentNew && !isOnDelete && index < oldBelow,
  });
  const ordinals = (indexes: readonly number[]) => indexes.map((index) => firstOrdinal + index);
  const { blocked } = trace;
  return {
    ...atRest,
    order: ordinals(trace.batches.flat()),
    batches: trace.batches.map(ordinals),
    untouched: ordinals(trace.untouched),
    minAvailable: trace.minAvailable,
    ...(blocked !== undefined && { blocked: { ordinal: firstOrdinal + blocked, reason: 'unready' } }),
  };
}

/** @param pods of the old revision: those below this index */
function simulateAtRest(strategy: StatefulSetUpdateStrategy, replicas: number, start: number, pods: number): StatefulSetSimulation {
  const updates = strategy.type === 'RollingUpdate';
  const partition = updates ? (strategy.rollingUpdate?.partition ?? 0) : 0;
  const maxUnavailable = updates ? resolveStatefulSetMaxUnavailable(strategy.rollingUpdate?.maxUnavailable, replicas) : 1;

  const updated = updates ? Math.max(0, pods - partition) : 0;
  const ordinalAt = (position: number) => start + pods - 1 - position;
  const order = selectVisibleRows(updated);
  const untouched = selectVisibleRows(pods - updated);
  const elided = order.elided + untouched.elided;
  return {
    kind: 'statefulset',
    replicas,
    partition,
    maxUnavailable,
    order: order.rows.map(ordinalAt),
    batches: truncateBatches(order.rows, updated, maxUnavailable).map((positions) => positions.map(ordinalAt)),
    untouched: untouched.rows.map((index) => start + index),
    minAvailable: replicas - Math.min(maxUnavailable, updated),
    ...(elided > 0 && { elided }),
  };
}

/** The batches that hold a position shown: whole, but of a batch too long to stand whole only the positions shown. */
function truncateBatches(shown: readonly number[], updated: number, size: number): number[][] {
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
    const { rows, elided } = selectVisibleRows(length);
    return elided > 0 ? positions : rows.map((row) => first + row);
  });
}

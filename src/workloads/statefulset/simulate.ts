import type { InitialState, StatefulSetState } from '../../cluster/rollout/initial-state';
import { MAX_LISTED_ROWS, selectVisibleRows } from '../../core/simulations/row-limit';
import type { StatefulSetSimulation } from '../../core/simulations/statefulset';
import { simulateStatefulSetFrom } from './simulate-from';
import { resolveStatefulSetMaxUnavailable } from './strategy';
import type { StatefulSetUpdateStrategy } from './types';

/** The settings of a StatefulSet, in addition to its strategy, that affect how its pods are replaced. */
export interface PodManagement {
  /** `spec.ordinals.start` */
  readonly firstOrdinal?: number;
  /** Whether podManagementPolicy is Parallel. */
  readonly isParallel?: boolean;
  /** Whether all unavailable pods count against maxUnavailable, as under the gate MaxUnavailableStatefulSet. */
  readonly countsUnavailable?: boolean;
}

/**
 * Simulates the order in which the StatefulSet controller replaces pods, and which pods are down together.
 *
 * Pods are replaced from the highest index down to the partition, `maxUnavailable` at a time. The pods of a batch become ready together,
 * so OrderedReady (strict batches) and Parallel (a sliding window) have the same batches.
 * The partition is compared with the index. The lists contain ordinals (index + `firstOrdinal`).
 * With OnDelete nothing happens until a pod is deleted.
 *
 * 5 replicas, partition 2, maxUnavailable 2: batches [4, 3], [2]; untouched 0, 1; at least 3 available.
 *
 * Source: k/k pkg/controller/statefulset/stateful_set_control.go.
 * A property test compares it with that loop (`test/workloads/statefulset/controller.ts`).
 *
 * @param strategy as stored: without maxUnavailable if the version drops it
 */
export function simulateStatefulSet(
  strategy: StatefulSetUpdateStrategy,
  replicas: number,
  { firstOrdinal = 0, isParallel = false, countsUnavailable = false }: PodManagement = {},
  start: StatefulSetState & Pick<InitialState, 'before'> = {},
): StatefulSetSimulation {
  const { before = replicas, updatedFrom = before, pods, isCurrentNew = false } = start;
  const steadyState = simulateSteadyState(strategy, replicas, firstOrdinal, Math.max(0, Math.min(before, replicas, updatedFrom)));
  // Beyond the number of listed rows, unready pods are not tracked one by one.
  if (Math.max(replicas, before) > MAX_LISTED_ROWS) return { ...steadyState, minAvailable: Math.min(before, steadyState.minAvailable) };
  const { partition, maxUnavailable } = steadyState;
  const runningPods = pods ?? Array.from({ length: before }, (_, index) => ({ index, isNew: index >= updatedFrom, available: true }));
  const shift = (start.firstOrdinal ?? firstOrdinal) - firstOrdinal;
  const currentPods = runningPods.map((pod) => ({ ...pod, index: pod.index + shift }));
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
    ...steadyState,
    order: ordinals(trace.batches.flat()),
    batches: trace.batches.map(ordinals),
    untouched: ordinals(trace.untouched),
    minAvailable: trace.minAvailable,
    ...(blocked !== undefined && { blocked: { ordinal: firstOrdinal + blocked, reason: 'unready' } }),
  };
}

/** Simulates a rollout from a steady state. @param pods the index below which pods have the old revision */
function simulateSteadyState(strategy: StatefulSetUpdateStrategy, replicas: number, start: number, pods: number): StatefulSetSimulation {
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

/** Returns the batches that contain a shown position. A batch is complete unless it is too long, and then has only the shown positions. */
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

import type { RolloutDuration } from '../../core/rollout';
import type { StatefulSetSimulation } from '../../core/simulations/statefulset';
import type { CapacityDelay } from '../../cluster/workload';
import type { PodTimings } from '../pod-timings';

/** How a StatefulSet goes about its rollout, besides its limits. */
export interface StatefulSetDurationOptions {
  /** Are pods started one after another, as with OrderedReady? */
  readonly startsInOrder: boolean;
  /** Does it go on to the next pod as soon as one is ready, whatever minReadySeconds says? */
  readonly ignoresMinReady: boolean;
}

/**
 * A StatefulSet waits for the pods of a batch to be gone, then for their successors: one after another in OrderedReady,
 * together in Parallel. Nothing ever notices a broken one; the set stands still with the pods of a batch down,
 * of which OrderedReady starts one.
 */
export function computeStatefulSetDuration(
  simulation: StatefulSetSimulation,
  seconds: PodTimings,
  { startsInOrder, ignoresMinReady }: StatefulSetDurationOptions,
  capacity?: CapacityDelay,
): RolloutDuration | undefined {
  const { replicas, partition, maxUnavailable, minAvailable, order, elided, blocked } = simulation;
  if (order.length === 0) return undefined;
  const { startup, minReady, grace } = seconds;
  // Lists that are not whole are those of sets at rest.
  const updated = elided === undefined ? order.length : replicas - partition;
  const batches = elided === undefined ? simulation.batches.length : Math.ceil(updated / maxUnavailable);
  const starts = startsInOrder ? updated : batches;
  const lowerBoundSeconds = ignoresMinReady ? starts * startup + minReady : starts * (startup + minReady);
  return {
    startupSeconds: startup,
    lowerBoundSeconds,
    expectedSeconds: capacity?.deadlocks || blocked ? null : lowerBoundSeconds + batches * grace,
    abortSeconds: null,
    blastRadius: replicas - minAvailable,
    ...(!startsInOrder && simulation.batches.some(({ length }) => length > 1) && { startsInParallel: true }),
  };
}

import type { RolloutDuration } from '../../core/document/rollout';
import type { StatefulSetSimulation } from '../../core/simulations/statefulset';
import type { CapacityDelay } from '../../cluster/rollout/pod-rollout';
import type { PodTimings } from '../pod-timings';

/** The settings of a StatefulSet, in addition to its limits, that affect how long a rollout takes. */
export interface StatefulSetDurationOptions {
  /** Whether pods start one after another, as with OrderedReady. */
  readonly startsInOrder: boolean;
  /** Whether the rollout continues with the next pod as soon as one is ready, regardless of minReadySeconds. */
  readonly ignoresMinReady: boolean;
}

/**
 * Computes how long a StatefulSet rollout takes. It waits until the pods of a batch are gone, then for their successors:
 * one after another with OrderedReady, together with Parallel. A broken pod is never reported. The rollout stops with the pods
 * of a batch down, and OrderedReady starts only one of them.
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
  // Only the lists of sets in a steady state are truncated.
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

import type { CapacityOutcome } from '../../cluster/rollout/pod-rollout';
import type { InitialState } from '../../cluster/rollout/initial-state';
import type { DaemonSetSimulation } from '../../core/simulations/daemonset';

/**
 * Returns the initial state if only `capacity` pods can be scheduled. The old pods of the remaining nodes are unavailable, and so are
 * the new ones.
 */
export function withUnschedulablePods(initialState: InitialState, capacity: number): InitialState {
  return { ...initialState, failing: (initialState.failing ?? 0) + Math.max(0, initialState.replicas - capacity) };
}

/** Returns the last wave, which is the wave at which unschedulable pods stop the rollout. */
function lastWaveOf({ waves }: DaemonSetSimulation): number {
  return waves.at(-1)?.wave ?? 1;
}

/** Marks a simulation as deadlocked for lack of capacity. */
export function markCapacityDeadlock(stuck: DaemonSetSimulation): DaemonSetSimulation {
  return { ...stuck, halted: { wave: lastWaveOf(stuck), reason: 'insufficient-capacity' } };
}

/**
 * Computes the outcome of a DaemonSet rollout if some nodes are too small for its pod, so they never have an available one.
 *
 * Without surge, these nodes use up maxUnavailable permanently. With surge, their old pods are unavailable too and are replaced at once,
 * in addition to the surging nodes, and the other nodes are updated.
 *
 * @param stuck returns the rollout while these nodes lack capacity
 */
export function computeOutcomeOnUndersizedNodes({ waves }: DaemonSetSimulation, stuck: () => DaemonSetSimulation): CapacityOutcome {
  return waves.length === 0 ? { verdict: 'fits' } : { verdict: 'deadlocks', deadlockWave: lastWaveOf(stuck()) };
}

/**
 * Computes the outcome of a DaemonSet rollout while at most `capacity` of its pods run at once.
 *
 * Without surge, a new pod replaces an old one, and nodes without capacity count as unavailable permanently:
 * the rollout continues only with the rest of maxUnavailable. With surge s and n nodes, new pods are created before old ones are deleted:
 *
 *     capacity >= n + min(s, n)   fits
 *     capacity <= n               no new pod ever runs: deadlock at wave 1
 *     else                        capacity - n at a time, ceil(n / (capacity - n)) rounds
 *
 * 10 nodes, surge 3, capacity 12: 2 at a time, 5 rounds.
 *
 * @param stuck returns the rollout without surge while nodes lack capacity
 */
export function computeDaemonSetOutcome(
  { nodes, surge, waves }: DaemonSetSimulation,
  capacity: number,
  stuck: () => DaemonSetSimulation,
): CapacityOutcome {
  if (waves.length === 0) return { verdict: 'fits' };
  if (surge === 0) return capacity >= nodes ? { verdict: 'fits' } : { verdict: 'deadlocks', deadlockWave: lastWaveOf(stuck()) };
  if (capacity >= nodes + Math.min(surge, nodes)) return { verdict: 'fits' };
  if (capacity <= nodes) return { verdict: 'deadlocks', deadlockWave: 1 };
  return { verdict: 'slower', iterations: Math.ceil(nodes / (capacity - nodes)) };
}

import type { CapacityOutcome } from '../../cluster/workload';
import type { InitialState } from '../../cluster/initial-state';
import type { DaemonSetSimulation } from '../../core/simulations/daemonset';

/** The same start where so many pods find room: of the others, old ones wait as new ones do. */
export function withUnschedulablePods(initialState: InitialState, capacity: number): InitialState {
  return { ...initialState, failing: (initialState.failing ?? 0) + Math.max(0, initialState.replicas - capacity) };
}

/** The last wave, which is as far as pods without room let it come. */
function lastWaveOf({ waves }: DaemonSetSimulation): number {
  return waves.at(-1)?.wave ?? 1;
}

/** The rows of a rollout of which some pods find no room. */
export function markCapacityDeadlock(stuck: DaemonSetSimulation): DaemonSetSimulation {
  return { ...stuck, halted: { wave: lastWaveOf(stuck), reason: 'insufficient-capacity' } };
}

/**
 * What becomes of a DaemonSet's rollout where nodes do not take its pod at all: they are never available.
 *
 * Without surge they use up maxUnavailable for good. With surge their old pods, which are not available either, are replaced at once,
 * beside those that surge, and the other nodes are updated.
 *
 * @param stuck the rollout while these nodes lack room
 */
export function computeOutcomeOnUndersizedNodes({ waves }: DaemonSetSimulation, stuck: () => DaemonSetSimulation): CapacityOutcome {
  return waves.length === 0 ? { verdict: 'fits' } : { verdict: 'deadlocks', deadlockWave: lastWaveOf(stuck()) };
}

/**
 * What becomes of a DaemonSet's rollout while at most `room` of its pods run at once.
 *
 * Without surge a new pod takes the place of an old one, and the nodes without room count as unavailable for good:
 * the rollout goes as far as the rest of maxUnavailable takes it. With surge s and n nodes, new pods come before old ones go:
 *
 *     room >= n + min(s, n)   fits
 *     room <= n               nothing new ever runs: deadlock at wave 1
 *     else                    room - n at a time, ceil(n / (room - n)) rounds
 *
 * @param stuck the rollout without surge while nodes lack room
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

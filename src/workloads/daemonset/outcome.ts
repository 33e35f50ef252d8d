import type { RoomOutcome } from '../../cluster/workload';
import type { StartingPoint } from '../../cluster/starting-point';
import type { DaemonSetSimulation } from '../../core/simulations/daemonset';

/** The same start where so many pods find room: of the others, old ones wait as new ones do. */
export function withoutRoom(start: StartingPoint, room: number): StartingPoint {
  return { ...start, failing: (start.failing ?? 0) + Math.max(0, start.replicas - room) };
}

/** The last wave, which is as far as pods without room let it come. */
function lastWave({ waves }: DaemonSetSimulation): number {
  return waves.at(-1)?.wave ?? 1;
}

/** The rows of a rollout of which some pods find no room. */
export function haltedForRoom(stuck: DaemonSetSimulation): DaemonSetSimulation {
  return { ...stuck, halted: { wave: lastWave(stuck), reason: 'no-room' } };
}

/**
 * What becomes of a DaemonSet's rollout where nodes do not take its pod at all: they are never available.
 *
 * Without surge they use up maxUnavailable for good. With surge their old pods, which are not available either, are replaced at once,
 * beside those that surge, and the other nodes are updated.
 *
 * @param stuck the rollout while these nodes lack room
 */
export function outcomeOnTooSmall({ waves }: DaemonSetSimulation, stuck: () => DaemonSetSimulation): RoomOutcome {
  return waves.length === 0 ? { verdict: 'fits' } : { verdict: 'deadlocks', deadlockWave: lastWave(stuck()) };
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
export function daemonSetOutcome(
  { nodes, surge, waves }: DaemonSetSimulation,
  room: number,
  stuck: () => DaemonSetSimulation,
): RoomOutcome {
  if (waves.length === 0) return { verdict: 'fits' };
  if (surge === 0) return room >= nodes ? { verdict: 'fits' } : { verdict: 'deadlocks', deadlockWave: lastWave(stuck()) };
  if (room >= nodes + Math.min(surge, nodes)) return { verdict: 'fits' };
  if (room <= nodes) return { verdict: 'deadlocks', deadlockWave: 1 };
  return { verdict: 'slower', iterations: Math.ceil(nodes / (room - nodes)) };
}

import type { RoomOutcome } from '../../cluster/workload';
import type { DaemonSetSimulation } from '../../core/simulations/daemonset';

/**
 * What becomes of a DaemonSet's rollout while at most `room` of its pods run at once.
 *
 * Without surge a new pod takes the place of an old one. With surge s and n nodes, new pods come before old ones go:
 *
 *     room >= n + min(s, n)   fits
 *     room <= n               nothing new ever runs: deadlock at wave 1
 *     else                    room - n at a time, ceil(n / (room - n)) rounds
 */
export function daemonSetOutcome({ nodes, surge, waves }: DaemonSetSimulation, room: number): RoomOutcome {
  if (waves.length === 0) return { verdict: 'fits' };
  if (surge === 0) return room >= nodes ? { verdict: 'fits' } : { verdict: 'deadlocks', deadlockWave: 1 };
  if (room >= nodes + Math.min(surge, nodes)) return { verdict: 'fits' };
  if (room <= nodes) return { verdict: 'deadlocks', deadlockWave: 1 };
  return { verdict: 'slower', iterations: Math.ceil(nodes / (room - nodes)) };
}

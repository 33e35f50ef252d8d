import type { CapacityDelay } from '../../cluster/rollout/pod-rollout';
import type { RolloutDuration } from '../../core/document/rollout';
import type { DaemonSetSimulation } from '../../core/simulations/daemonset';
import type { PodTimings } from '../pod-timings';

/**
 * Computes how long a DaemonSet rollout takes. Without surge, each wave waits until its deleted pods are gone, then until their successors
 * are available. With surge, it waits only for the new pods. A broken image is never reported: there is no deadline,
 * and the rollout stops with the nodes of the first wave on the new version.
 *
 *     lower bound = waves × (start-up + minReadySeconds)
 *     expected    = waves × (grace + start-up + minReadySeconds), with surge without grace
 *
 * 10 nodes, unavailable 2, start-up 20, grace 30: 5 waves, at least 100 s, and 250 s expected.
 */
export function computeDaemonSetDuration(
  simulation: DaemonSetSimulation,
  seconds: PodTimings,
  capacity?: CapacityDelay,
): RolloutDuration | undefined {
  const { nodes, surge, unavailable, waves, elided = 0, halted } = simulation;
  if (nodes === 0 || waves.length === 0) return undefined;
  const { startup, minReady, grace } = seconds;
  const ready = startup + minReady;
  // With surge, the last wave only deletes pods.
  const creating = waves.length + elided - (surge > 0 && nodes > 0 ? 1 : 0);
  const count = capacity?.iterations ?? creating;
  return {
    startupSeconds: startup,
    lowerBoundSeconds: count * ready,
    expectedSeconds: halted || capacity?.deadlocks ? null : count * (ready + (surge > 0 ? 0 : grace)),
    abortSeconds: null,
    blastRadius: Math.min(nodes, surge > 0 ? surge : unavailable),
  };
}

import type { RolloutDuration } from '../../core/document/rollout';
import type { FleetWaves } from '../../core/simulations/fleet';
import type { FleetRollout, BlockedClusters } from './simulate';
import { computeFleetBlastRadius } from './simulate';

/**
 * Computes how long the update of a bundle that is ready on every cluster takes.
 *
 *     lower bound = expected = waves × start-up, since a wave waits until the clusters of the previous wave report
 *     abort       = never: Fleet has no deadline for a cluster; a bundle that never becomes ready keeps counting against the limits
 *     blast       = clusters that have the change once the update halts because none of them becomes ready
 *
 * For 200 clusters, 10 at a time, with a start-up of 60 s, it is 20 × 60 = 1,200 s. A broken image reaches 10 clusters.
 *
 * @param update the simulated update
 * @param startupSeconds seconds until the pods of a cluster are ready; 0 if not known
 * @returns undefined if the start-up time is not known or nothing is released
 */
export function computeUpdateDuration(
  rollout: FleetRollout,
  blockers: BlockedClusters,
  update: FleetWaves,
  startupSeconds: number,
): RolloutDuration | undefined {
  if (startupSeconds === 0 || update.waves.length === 0) return undefined;
  const seconds = (update.waves.length + (update.elided ?? 0)) * startupSeconds;
  return {
    startupSeconds,
    lowerBoundSeconds: seconds,
    expectedSeconds: update.halted ? null : seconds,
    abortSeconds: null,
    blastRadius: computeFleetBlastRadius(rollout, blockers),
  };
}

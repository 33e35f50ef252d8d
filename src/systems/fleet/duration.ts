import type { RolloutDuration } from '../../core/rollout';
import type { FleetWaves } from '../../core/simulations/fleet';
import type { FleetRollout, BlockedClusters } from './simulate';
import { computeFleetBlastRadius } from './simulate';

/**
 * How long the update of a bundle takes that is ready on every cluster, if its pods take so long to become ready.
 *
 *     lower bound = expected = waves × start-up, since a wave waits until the clusters of the one before it report
 *     abort       = never: Fleet sets no deadline for a cluster, and a bundle that does not get ready just holds what its limits hold
 *     blast       = clusters that have the change once it stands still although none of them ever gets ready
 *
 * 200 clusters, 10 at a time, start-up 60: 1,200 s; a broken image reaches 10 clusters.
 *
 * @param update the update as simulated
 * @returns undefined where nobody says how long a pod takes to become ready, and where nothing is released
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

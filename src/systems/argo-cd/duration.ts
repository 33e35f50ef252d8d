import type { RolloutDuration } from '../../core/document/rollout';
import type { RollingSyncSimulation } from '../../core/simulations/rolling-sync';

/**
 * Returns how long a RollingSync takes if every Application becomes Healthy one start-up time after it is synced.
 *
 *     lower bound = expected = waves × start-up, since a wave waits until the Applications of the previous wave are Healthy
 *     abort       = never: an Application has no deadline
 *     blast       = Applications of the first wave; all others wait if none of them becomes Healthy
 *
 * 10 Applications, 2 at once, start-up 60 s: 300 s; a broken image reaches 2 Applications.
 *
 * @returns undefined if the start-up time is unknown or nothing syncs step by step
 */
export function computeSyncDuration(simulation: RollingSyncSimulation, startupSeconds: number): RolloutDuration | undefined {
  const { isStepwise, waves, elided = 0, halted } = simulation;
  const [first] = waves;
  if (startupSeconds === 0 || !isStepwise || !first) return undefined;
  const seconds = (waves.length + elided) * startupSeconds;
  return {
    startupSeconds,
    lowerBoundSeconds: seconds,
    expectedSeconds: halted ? null : seconds,
    abortSeconds: null,
    blastRadius: first.count,
  };
}

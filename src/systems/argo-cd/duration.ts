import type { RolloutDuration } from '../../core/rollout';
import type { RollingSyncSimulation } from '../../core/simulations/rolling-sync';

/**
 * How long a RollingSync takes if every Application is Healthy so long after it is synced.
 *
 *     lower bound = expected = waves × start-up, since a wave waits for the Applications of the one before it to be Healthy
 *     abort       = never: there is no deadline for an Application
 *     blast       = Applications of the first wave, behind which all others wait while none of them gets Healthy
 *
 * 10 Applications, 2 at once, start-up 60 s: 300 s; a broken image reaches 2 Applications.
 *
 * @returns undefined where nobody says how long a pod takes to become ready, and where nothing is synced step by step
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

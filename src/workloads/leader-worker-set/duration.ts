import type { CapacityDelay } from '../../cluster/rollout/pod-rollout';
import { findMax } from '../../core/values/min-max';
import type { RolloutDuration } from '../../core/document/rollout';
import type { LeaderWorkerSetSimulation } from '../../core/simulations/leaderworkerset';
import type { PodTimings } from '../pod-timings';

/**
 * Computes how long a LeaderWorkerSet waits for its groups.
 *
 *     start-up    = leader plus workers with startupPolicy LeaderReady, otherwise the longer of the two
 *     lower bound = one start-up per wave that leaves groups unready
 *     expected    = lower bound plus the longest grace period per wave that replaces groups in place
 *     abort       = never: there is no deadline
 *     blast       = pods of the new version after the first wave
 *
 * 4 groups, one by one, start-up 60 s and grace 30 s: at least 240 s, and 360 s expected.
 */
export function computeGroupDuration(
  simulation: LeaderWorkerSetSimulation,
  seconds: readonly PodTimings[],
  leaderFirst: boolean,
  capacity?: CapacityDelay,
): RolloutDuration | undefined {
  const { waves, size, halted, replicas, elided = 0 } = simulation;
  const [first] = waves;
  if (!first) return undefined;
  const startups = seconds.map(({ startup }) => startup);
  const startupSeconds = leaderFirst ? startups.reduce((sum, startup) => sum + startup, 0) : findMax(startups, 0);
  const grace = findMax(
    seconds.map((one) => one.grace),
    0,
  );
  const starting = elided + waves.filter(({ total, available }) => available < total).length;
  const replacing = elided + waves.filter(({ oldGroups }, index) => oldGroups < (waves[index - 1]?.oldGroups ?? replicas)).length;
  const waits = capacity?.iterations === undefined ? starting : Math.max(starting, capacity.iterations);
  return {
    startupSeconds,
    lowerBoundSeconds: starting * startupSeconds,
    expectedSeconds: halted || capacity?.deadlocks ? null : waits * startupSeconds + replacing * grace,
    abortSeconds: null,
    blastRadius: first.newGroups * size,
  };
}

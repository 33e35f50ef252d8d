import { findMax } from '../../core/min-max';
import type { GroupLimits } from './reconcile';

/**
 * Where a rollout stands between two waves, every group being ready: the groups of the old revision, those of the new one above them,
 * and the partition written last. What comes next depends on nothing else.
 */
export interface SteadyWaveState {
  readonly old: number;
  readonly total: number;
  readonly partition: number;
}

/** Waves that need not be gone through, and where they lead. */
export interface WaveSkip {
  readonly waves: number;
  readonly to: SteadyWaveState;
}

/** Steps on either side of a bound that are gone through one by one. */
const BOUND_MARGIN = 4;

function stepOf(previous: SteadyWaveState, after: SteadyWaveState): SteadyWaveState {
  return { old: previous.old - after.old, total: previous.total - after.total, partition: previous.partition - after.partition };
}

/** What each wave takes away, where the last two took the same and the partition follows or stands; undefined elsewhere. */
function detectSteadyStep([first, second, third]: readonly SteadyWaveState[]): SteadyWaveState | undefined {
  if (!first || !second || !third) return undefined;
  const [previous, last] = [stepOf(first, second), stepOf(second, third)];
  const isSteady = last.old === previous.old && last.total === previous.total && last.partition === previous.partition;
  return isSteady && last.old > 0 && (last.partition === 0 || last.partition === last.old) ? last : undefined;
}

/** The numbers of old groups at which a comparison of either controller may come out otherwise. */
function boundsOf({ surge, unavailable, partition }: GroupLimits, step: SteadyWaveState, waveState: SteadyWaveState): readonly number[] {
  const both = surge + unavailable;
  return [1, surge, unavailable, both, partition, partition + both, ...(step.partition === 0 ? [waveState.partition] : [])];
}

/**
 * How many waves are sure to take away what each of the last two took; undefined where none is.
 *
 * Between two waves of R groups, maxSurge s, maxUnavailable u and the partition P, with `old` groups of the old revision,
 * the controllers form sums of the numbers of the standing and compare them with one another:
 *
 *     wanted groups     R + s while old > s, then R + max(0, old - u)        up to 0.8 with 1 for u
 *     floor             old - u - (total - R), 0 at least                    old - u - s with total R + s, and 0 with total R + old - u
 *     partition         the floor or the one before, whichever is lower, and P at least
 *     replaced          groups from old - 1 down to the partition
 *
 * So `old` is held against s, u, 1, u + s, P, P + u + s and a partition that stands.
 * In the middle of a wave these numbers are off by no more than what the wave takes away.
 * Far enough from each of them every comparison comes out as in the wave before, what is left are sums,
 * and sums of numbers that fall evenly fall evenly.
 *
 * 1,060 groups, one at a time, s 64, u 62: the total falls by 1 a wave from 64 to 62 old groups alone.
 * Three waves in a row that take the same there say nothing of the next: from 68 to 58 old groups each wave is gone through.
 *
 * @param last the last three standings, the oldest first
 * @param kept waves that are gone through at the end
 * @param limitOf how many leaders may be down at once, by how many there are; a percentage of a falling number is not even
 */
export function skipRepeatedWaves(
  limits: GroupLimits,
  last: readonly SteadyWaveState[],
  shownAtEachEnd: number,
  limitOf: (leaders: number) => number | undefined,
): WaveSkip | undefined {
  const step = detectSteadyStep(last);
  if (step === undefined) return undefined;
  const waveState = last.at(-1)!;
  const near = BOUND_MARGIN * step.old;
  const ahead = boundsOf(limits, step, waveState).filter((bound) => bound - near < waveState.old);
  const lowestOldGroups = findMax(
    ahead.map((bound) => bound + near),
    limits.partition + (shownAtEachEnd + BOUND_MARGIN) * step.old,
  );
  const waves = Math.floor((waveState.old - lowestOldGroups) / step.old);
  const to = {
    old: waveState.old - waves * step.old,
    total: waveState.total - waves * step.total,
    partition: waveState.partition - waves * step.partition,
  };
  return waves > 0 && limitOf(waveState.total) === limitOf(to.total) ? { waves, to } : undefined;
}

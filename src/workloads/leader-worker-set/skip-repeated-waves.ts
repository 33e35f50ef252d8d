import { findMax } from '../../core/values/min-max';
import type { GroupLimits } from './reconcile';

/**
 * The state of a rollout between two waves, with every group ready: the number of old groups, the number of all groups,
 * and the last written partition. The next waves depend on nothing else.
 */
export interface SteadyWaveState {
  readonly old: number;
  readonly total: number;
  readonly partition: number;
}

/** The number of waves that can be skipped, and the state after them. */
export interface WaveSkip {
  readonly waves: number;
  readonly to: SteadyWaveState;
}

/** The number of steps on either side of a bound that are simulated one by one. */
const BOUND_MARGIN = 4;

function stepOf(previous: SteadyWaveState, after: SteadyWaveState): SteadyWaveState {
  return { old: previous.old - after.old, total: previous.total - after.total, partition: previous.partition - after.partition };
}

/** Returns the step of each wave if the last two were equal and the partition follows or is constant. Otherwise returns undefined. */
function detectSteadyStep([first, second, third]: readonly SteadyWaveState[]): SteadyWaveState | undefined {
  if (!first || !second || !third) return undefined;
  const [previous, last] = [stepOf(first, second), stepOf(second, third)];
  const isSteady = last.old === previous.old && last.total === previous.total && last.partition === previous.partition;
  return isSteady && last.old > 0 && (last.partition === 0 || last.partition === last.old) ? last : undefined;
}

/** Returns the numbers of old groups at which a comparison in either controller may change its result. */
function boundsOf({ surge, unavailable, partition }: GroupLimits, step: SteadyWaveState, waveState: SteadyWaveState): readonly number[] {
  const both = surge + unavailable;
  return [1, surge, unavailable, both, partition, partition + both, ...(step.partition === 0 ? [waveState.partition] : [])];
}

/**
 * Returns the waves that are certain to repeat the step of the last two, or undefined if there are none.
 *
 * Let R groups be desired, with maxSurge s, maxUnavailable u, partition P and `old` groups of the old revision. Between two waves
 * the controllers add the numbers of the state and compare the sums:
 *
 *     desired groups    R + s while old > s, then R + max(0, old - u)        up to 0.8 with 1 for u
 *     floor             old - u - (total - R), at least 0                    old - u - s with total R + s, and 0 with total R + old - u
 *     partition         the lower of the floor and the previous one, at least P
 *     replaced          groups from old - 1 down to the partition
 *
 * So `old` is compared with s, u, 1, u + s, P, P + u + s and a constant partition.
 * During a wave these numbers are off by at most the step of the wave.
 * Far enough from each bound, every comparison has the same result as in the previous wave. Only sums are left,
 * and sums of numbers that fall evenly fall evenly.
 *
 * 1,060 groups, one at a time, s 64, u 62: the total falls by 1 per wave only from 64 to 62 old groups.
 * Three equal waves in a row there do not predict the next, so each wave from 68 to 58 old groups is simulated.
 *
 * @param last the last three states, oldest first
 * @param shownAtEachEnd waves at the end that are simulated
 * @param limitOf the number of leaders that may be down at once, by the number of leaders; a percentage of a falling number is not even
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

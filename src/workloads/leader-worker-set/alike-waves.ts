import { greatest } from '../../core/extremes';
import type { GroupLimits } from './turn';

/**
 * Where a rollout stands between two waves, every group being ready: the groups of the old revision, those of the new one above them,
 * and the partition written last. What comes next depends on nothing else.
 */
export interface Standing {
  readonly old: number;
  readonly total: number;
  readonly partition: number;
}

/** Waves that need not be gone through, and where they lead. */
export interface Skip {
  readonly waves: number;
  readonly to: Standing;
}

/** Steps on either side of a bound that are gone through one by one. */
const NEAR = 4;

function stepOf(before: Standing, after: Standing): Standing {
  return { old: before.old - after.old, total: before.total - after.total, partition: before.partition - after.partition };
}

/** What each wave takes away, where the last two took the same and the partition follows or stands; undefined elsewhere. */
function steadyStep([first, second, third]: readonly Standing[]): Standing | undefined {
  if (!first || !second || !third) return undefined;
  const [before, last] = [stepOf(first, second), stepOf(second, third)];
  const isSteady = last.old === before.old && last.total === before.total && last.partition === before.partition;
  return isSteady && last.old > 0 && (last.partition === 0 || last.partition === last.old) ? last : undefined;
}

/** The numbers of old groups at which a comparison of either controller may come out otherwise. */
function boundsOf({ surge, unavailable, partition }: GroupLimits, step: Standing, standing: Standing): readonly number[] {
  const both = surge + unavailable;
  return [1, surge, unavailable, both, partition, partition + both, ...(step.partition === 0 ? [standing.partition] : [])];
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
export function alikeWaves(
  limits: GroupLimits,
  last: readonly Standing[],
  kept: number,
  limitOf: (leaders: number) => number | undefined,
): Skip | undefined {
  const step = steadyStep(last);
  if (step === undefined) return undefined;
  const standing = last.at(-1)!;
  const near = NEAR * step.old;
  const ahead = boundsOf(limits, step, standing).filter((bound) => bound - near < standing.old);
  const down = greatest(
    ahead.map((bound) => bound + near),
    limits.partition + (kept + NEAR) * step.old,
  );
  const waves = Math.floor((standing.old - down) / step.old);
  const to = {
    old: standing.old - waves * step.old,
    total: standing.total - waves * step.total,
    partition: standing.partition - waves * step.partition,
  };
  return waves > 0 && limitOf(standing.total) === limitOf(to.total) ? { waves, to } : undefined;
}

/** One measurement with a bound that the project promises: a ratio or a time within one run. */
export interface Figure {
  readonly name: string;
  /** Measured value, e.g. `1.21 x`. */
  readonly measured: string;
  /** Promised bound, e.g. `at most 1.5 x`. */
  readonly promised: string;
  /** Whether the measured value is within the bound. */
  readonly holds: boolean;
  /** Growth of the time per item; only for measurements by input size. */
  readonly growth?: Growth;
}

/** Time per item, as the number of items grows. */
export interface Growth {
  readonly sizes: readonly number[];
  /** Microseconds per item, in the order of the sizes. */
  readonly perItem: readonly number[];
  /** Time per item at the largest size, divided by that at the smallest. */
  readonly factor: number;
}

export function millisecondsOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

/** Returns the median milliseconds of `work`, after two warm-up runs. */
export function timeOf(work: () => unknown, runs = 7): number {
  work();
  work();
  return median(Array.from({ length: runs }, () => millisecondsOf(work)));
}

/** Returns the median of a/b over pairs, after two warm-up pairs. Both run alternately, so that a slow moment of the machine affects both. */
export function ratioOf(a: () => unknown, b: () => unknown, runs = 9): number {
  for (let warmUp = 0; warmUp < 2; warmUp++) {
    a();
    b();
  }
  return median(Array.from({ length: runs }, () => millisecondsOf(a) / millisecondsOf(b)));
}

/**
 * Returns the minimum milliseconds of a, divided by the minimum of b, with both run alternately. Minimums are closer to the real cost than
 * any pair, because disturbances only add time.
 */
export function minRatioOf(a: () => unknown, b: () => unknown, runs: number): number {
  const pairs = Array.from({ length: runs }, () => [millisecondsOf(a), millisecondsOf(b)] as const);
  return Math.min(...pairs.map(([ofA]) => ofA)) / Math.min(...pairs.map(([, ofB]) => ofB));
}

export function atMostRatio(name: string, bound: number, ratio: number): Figure {
  return { name, measured: `${ratio.toFixed(2)} x`, promised: `at most ${bound} x`, holds: ratio <= bound };
}

export function underMilliseconds(name: string, bound: number, milliseconds: number): Figure {
  return { name, measured: `${milliseconds.toFixed(2)} ms`, promised: `under ${bound} ms`, holds: milliseconds < bound };
}

/** Maximum number of runs, and milliseconds after which two runs are enough: a slow moment affects a long run less. */
const MAX_RUNS = 25;
const ENOUGH_MILLISECONDS = 400;

/** Returns the minimum milliseconds of `work`: its cost once it is warm, without pauses for garbage collection, which affect only large inputs. */
function minTimeOf(work: () => unknown): number {
  const runs: number[] = [];
  let spent = 0;
  while (runs.length < 2 || (runs.length < MAX_RUNS && spent < ENOUGH_MILLISECONDS)) {
    const duration = millisecondsOf(work);
    runs.push(duration);
    spent += duration;
  }
  return Math.min(...runs);
}

/**
 * Measures whether `work(size)` grows no faster than its input.
 *
 * The result is the time per item at the largest size, divided by that at the smallest. With 10,000 and 100 items, a loop within a loop
 * gives about 100, and fixed costs give less than 1. Up to 3 counts as linear, because only 100 items fit into the CPU caches.
 */
export function linear(name: string, work: (size: number) => () => unknown, sizes: readonly number[] = [100, 1_000, 10_000]): Figure {
  const perItem = sizes.map((size) => (minTimeOf(work(size)) / size) * 1_000);
  const factor = perItem.at(-1)! / perItem[0]!;
  const times = perItem.map((microseconds) => microseconds.toFixed(1)).join(' / ');
  const measured = `${factor.toFixed(2)} x (${times} us per item)`;
  return { name, measured, promised: 'at most 3 x', holds: factor <= 3, growth: { sizes, perItem, factor } };
}

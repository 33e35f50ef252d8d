/** One figure that the project promises, measured as a ratio or a time within one run. */
export interface Figure {
  readonly name: string;
  /** What was measured, e.g. `1.21 x`. */
  readonly measured: string;
  /** What was promised, e.g. `at most 1.5 x`. */
  readonly promised: string;
  readonly holds: boolean;
  /** Of a figure that is about growth. */
  readonly growth?: Growth;
}

/** What the work for one item costs where there are ever more of them. */
export interface Growth {
  readonly sizes: readonly number[];
  /** Microseconds, by the sizes. */
  readonly perItem: readonly number[];
  /** The last of them over the first. */
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

/** Median milliseconds of `work`, after two warm-up runs. */
export function timeOf(work: () => unknown, runs = 7): number {
  work();
  work();
  return median(Array.from({ length: runs }, () => millisecondsOf(work)));
}

/** Median of a/b over pairs run in turn, so that a slow moment of the machine falls on both; after two warm-up pairs. */
export function ratioOf(a: () => unknown, b: () => unknown, runs = 9): number {
  for (let warmUp = 0; warmUp < 2; warmUp++) {
    a();
    b();
  }
  return median(Array.from({ length: runs }, () => millisecondsOf(a) / millisecondsOf(b)));
}

/** Least milliseconds of a over the least of b, run in turn: nearer to what both cost than any pair, since nothing makes work cheaper than it is. */
export function leastRatioOf(a: () => unknown, b: () => unknown, runs: number): number {
  const pairs = Array.from({ length: runs }, () => [millisecondsOf(a), millisecondsOf(b)] as const);
  return Math.min(...pairs.map(([ofA]) => ofA)) / Math.min(...pairs.map(([, ofB]) => ofB));
}

export function atMostRatio(name: string, bound: number, ratio: number): Figure {
  return { name, measured: `${ratio.toFixed(2)} x`, promised: `at most ${bound} x`, holds: ratio <= bound };
}

export function underMilliseconds(name: string, bound: number, milliseconds: number): Figure {
  return { name, measured: `${milliseconds.toFixed(2)} ms`, promised: `under ${bound} ms`, holds: milliseconds < bound };
}

/** Most runs of which the least counts, and milliseconds after which two will do: what takes long is less at the mercy of a slow moment. */
const MOST_RUNS = 25;
const ENOUGH = 400;

/** Least milliseconds of `work`: what it costs without the collector's pauses, which fall on large inputs alone, and once it is warm. */
function leastTimeOf(work: () => unknown): number {
  const runs: number[] = [];
  let spent = 0;
  while (runs.length < 2 || (runs.length < MOST_RUNS && spent < ENOUGH)) {
    const took = millisecondsOf(work);
    runs.push(took);
    spent += took;
  }
  return Math.min(...runs);
}

/**
 * Does `work(size)` grow no faster than its input, from the least size to the largest?
 *
 * The figure is time per item at the largest, 10,000, over time per item at the least, 100. Fixed costs make it smaller than 1;
 * a loop within a loop makes it about 100. Up to 3 counts as linear: 100 items fit into the processor's caches, and 10,000 do not.
 */
export function linear(name: string, work: (size: number) => () => unknown, sizes: readonly number[] = [100, 1_000, 10_000]): Figure {
  const perItem = sizes.map((size) => (leastTimeOf(work(size)) / size) * 1_000);
  const factor = perItem.at(-1)! / perItem[0]!;
  const shown = perItem.map((microseconds) => microseconds.toFixed(1)).join(' / ');
  const measured = `${factor.toFixed(2)} x (${shown} us an item)`;
  return { name, measured, promised: 'at most 3 x', holds: factor <= 3, growth: { sizes, perItem, factor } };
}

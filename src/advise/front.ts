import type { Preference } from '../core/document/advice';
import type { EvaluatedStrategy, Metrics } from './evaluate';

/** Metrics by which each preference decides, the most important first. */
const METRIC_ORDER: Readonly<Record<Preference, readonly (keyof Metrics)[]>> = {
  fast: ['seconds', 'extra', 'missing', 'broken'],
  available: ['missing', 'seconds', 'extra', 'broken'],
  cheap: ['extra', 'seconds', 'missing', 'broken'],
};

/** Reports whether no figure of `a` is worse than that of `b`, for all numbers of replicas. */
export function isNowhereWorse({ figures: a }: EvaluatedStrategy, { figures: b }: EvaluatedStrategy): boolean {
  for (let size = 0; size < a.length; size++) {
    if (a[size] === b[size]) continue;
    const [left, right] = [a[size]!.metrics, b[size]!.metrics];
    if (left.seconds > right.seconds || left.extra > right.extra || left.missing > right.missing) return false;
    if (left.broken > right.broken || left.doubt > right.doubt) return false;
  }
  return true;
}

/** Reports whether `a` is better than `b` in at least one figure and worse in none, for all numbers of replicas. */
export function isBetter(a: EvaluatedStrategy, b: EvaluatedStrategy): boolean {
  return isNowhereWorse(a, b) && !isNowhereWorse(b, a);
}

/** Reports whether two strategies have the same figures. */
export function hasSameFigures(a: EvaluatedStrategy, b: EvaluatedStrategy): boolean {
  return isNowhereWorse(a, b) && isNowhereWorse(b, a);
}

/** Compares strategies by a preference: the better one first. The planned number of replicas decides first. */
export function compareByPreference(preference: Preference): (a: EvaluatedStrategy, b: EvaluatedStrategy) => number {
  const order = METRIC_ORDER[preference];
  return ({ figures: a }, { figures: b }) => {
    for (let size = 0; size < a.length; size++) {
      if (a[size] === b[size]) continue;
      const [left, right] = [a[size]!.metrics, b[size]!.metrics];
      for (const metric of order) if (left[metric] !== right[metric]) return left[metric] < right[metric] ? -1 : 1;
    }
    return 0;
  };
}

/** Returns the first strategy by a preference. The earlier one of two with the same figures. */
export function findPreferred(strategies: readonly EvaluatedStrategy[], preference: Preference): EvaluatedStrategy | undefined {
  const compare = compareByPreference(preference);
  let preferred: EvaluatedStrategy | undefined;
  for (const strategy of strategies) if (!preferred || compare(strategy, preferred) < 0) preferred = strategy;
  return preferred;
}

/**
 * Returns the strategies that no other beats in every figure. Strategies with the same figures are one: the first of them.
 *
 * They are compared in the order of their time. A strategy is then only beaten by one before it, or by one that only fits more certainly.
 */
export function selectFront(all: readonly EvaluatedStrategy[]): EvaluatedStrategy[] {
  const front: EvaluatedStrategy[] = [];
  // Neighbours are often beaten by the same strategy, so the last one that beat another is compared first.
  let last: EvaluatedStrategy | undefined;
  for (const strategy of all.toSorted(compareByPreference('fast'))) {
    if (last && isNowhereWorse(last, strategy)) continue;
    last = front.find((other) => isNowhereWorse(other, strategy));
    if (!last) front.push(strategy);
  }
  const isCertain = front.every(({ figures }) => figures.every(({ metrics }) => metrics.doubt === 0));
  return isCertain ? front : front.filter((strategy) => !front.some((other) => other !== strategy && isBetter(other, strategy)));
}

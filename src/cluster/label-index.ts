import { matchLabelsOf } from '../core/label-selector';
import { getListAt, isFields } from '../core/manifest';

/** Appends a value to the list of a key. */
function addToGroup<T>(known: Map<string, T[]>, key: string, value: T): void {
  const values = known.get(key);
  if (values) values.push(value);
  else known.set(key, [value]);
}

/** Returns each item once, in the order of the full list. */
function pickInOrder<T>(all: readonly T[], some: Iterable<T>): readonly T[] {
  const picked = new Set(some);
  return picked.size < 2 ? [...picked] : all.filter((item) => picked.has(item));
}

/**
 * Builds an index of the items of a namespace by label, so that a label selector is only compared with items that have one of its labels.
 * It returns them in order, with some that the selector does not select.
 */
export function buildLabelIndex<T>(all: readonly T[], labelsOf: (item: T) => unknown): (selector: unknown) => readonly T[] {
  const byLabel = new Map<string, T[]>();
  const byKey = new Map<string, T[]>();
  for (const item of all) {
    for (const [key, value] of Object.entries(labelsOf(item) ?? {})) {
      addToGroup(byLabel, JSON.stringify([key, value]), item);
      addToGroup(byKey, key, item);
    }
  }
  const withLabel = (key: string, value: unknown) => byLabel.get(JSON.stringify([key, value])) ?? [];
  return (selector) => {
    const lists = Object.entries(matchLabelsOf(selector)).map(([key, value]) => withLabel(key, value));
    if (lists.length > 0) return lists.reduce((shortest, list) => (list.length < shortest.length ? list : shortest));
    for (const expression of getListAt(selector, 'matchExpressions')) {
      const { key, operator } = isFields(expression) ? expression : {};
      if (typeof key !== 'string') continue;
      if (operator === 'In')
        return pickInOrder(
          all,
          getListAt(expression, 'values').flatMap((value) => withLabel(key, value)),
        );
      if (operator === 'Exists') return byKey.get(key) ?? [];
    }
    return all;
  };
}

import { addToGroup } from '../../core/collections/group-by';
import { matchLabelsOf } from '../../core/values/label-selector';
import { getListAt, isFields } from '../../core/manifest/manifest';

/**
 * Builds an index of the items of a namespace by label, so that a label selector is only compared with items that have one of its labels.
 * It returns them in order, with some that the selector does not select.
 */
export function buildLabelIndex<T>(all: readonly T[], labelsOf: (item: T) => unknown): (selector: unknown) => readonly T[] {
  const byLabel = new Map<string, T[]>();
  const byKey = new Map<string, T[]>();
  const positions = new Map(all.map((item, position) => [item, position]));
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
        return [...new Set(getListAt(expression, 'values').flatMap((value) => withLabel(key, value)))].toSorted(
          (one, other) => positions.get(one)! - positions.get(other)!,
        );
      if (operator === 'Exists') return byKey.get(key) ?? [];
    }
    return all;
  };
}

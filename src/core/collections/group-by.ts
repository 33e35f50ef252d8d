/** Groups items by a key, in their order. Takes linear time, unlike copying the group for each item. */
export function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) addToGroup(groups, keyOf(item), item);
  return groups;
}

/** A Map or a WeakMap of groups. */
interface Groups<T, K> {
  get(key: K): T[] | undefined;
  set(key: K, group: T[]): unknown;
}

/** Appends an item to the group of a key. */
export function addToGroup<T, K>(groups: Groups<T, K>, key: K, item: T): void {
  const group = groups.get(key);
  if (group) group.push(item);
  else groups.set(key, [item]);
}

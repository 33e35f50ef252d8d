const EMPTY_LIST: readonly never[] = Object.freeze([]);

/** Concatenates lists, like `[...a, ...b]`. Most checks find nothing, so no new list is created if at most one list has items. */
export function joinLists<T>(...lists: readonly (readonly T[])[]): readonly T[] {
  let result: readonly T[] = EMPTY_LIST;
  let isCopy = false;
  for (const list of lists) {
    if (list.length === 0) continue;
    if (result.length === 0) {
      result = list;
    } else {
      result = isCopy ? result : [...result];
      isCopy = true;
      for (const item of list) (result as T[]).push(item);
    }
  }
  return result;
}

/** Concatenates the results for each item, like `flatMap`. No new list is created if there are no results. */
export function collectFromEach<T, Found>(items: readonly T[], find: (item: T, index: number) => readonly Found[]): readonly Found[] {
  let result: Found[] | undefined;
  for (let index = 0; index < items.length; index++) {
    const list = find(items[index]!, index);
    if (list.length === 0) continue;
    result ??= [];
    for (const item of list) result.push(item);
  }
  return result ?? EMPTY_LIST;
}

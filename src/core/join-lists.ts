const EMPTY_LIST: readonly never[] = Object.freeze([]);

/**
 * Lists one after the other, as `[...a, ...b]`. Of a thousand checks hardly one finds anything,
 * so no new list is made where all are empty, or all but one.
 */
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

/** What is found in each of some things, as by `flatMap`; no new list is made where that is nothing. */
export function collectFromEach<T, Found>(things: readonly T[], find: (thing: T, index: number) => readonly Found[]): readonly Found[] {
  let result: Found[] | undefined;
  for (let index = 0; index < things.length; index++) {
    const list = find(things[index]!, index);
    if (list.length === 0) continue;
    result ??= [];
    for (const item of list) result.push(item);
  }
  return result ?? EMPTY_LIST;
}

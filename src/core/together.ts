const NOTHING: readonly never[] = Object.freeze([]);

/**
 * Lists one after the other, as `[...a, ...b]`. Of a thousand checks hardly one finds anything,
 * so no new list is made where all are empty, or all but one.
 */
export function together<T>(...lists: readonly (readonly T[])[]): readonly T[] {
  let found: readonly T[] = NOTHING;
  let isOwn = false;
  for (const list of lists) {
    if (list.length === 0) continue;
    if (found.length === 0) {
      found = list;
    } else {
      found = isOwn ? found : [...found];
      isOwn = true;
      for (const item of list) (found as T[]).push(item);
    }
  }
  return found;
}

/** What is found in each of some things, as by `flatMap`; no new list is made where that is nothing. */
export function ofEach<T, Found>(things: readonly T[], find: (thing: T, index: number) => readonly Found[]): readonly Found[] {
  let found: Found[] | undefined;
  for (let index = 0; index < things.length; index++) {
    const list = find(things[index]!, index);
    if (list.length === 0) continue;
    found ??= [];
    for (const item of list) found.push(item);
  }
  return found ?? NOTHING;
}

/** Every key of `T`, in the order in which they are written; one that is left out does not compile. */
export type KeyOrder<T> = Readonly<Record<keyof T, true>>;

/** Are these all the keys, in this order, and has each a value? */
function isInOrder<T extends object>(object: T, order: KeyOrder<T>): boolean {
  const keys = Object.keys(object);
  let next = 0;
  for (const key in order) {
    if (keys[next] !== key) continue;
    if (object[key] === undefined) return false;
    next++;
  }
  return next === keys.length;
}

/** The keys of an object in this order, without those that have no value; the object itself where it is made so. */
export function sortKeys<T extends object>(object: T, order: KeyOrder<T>): T {
  return isInOrder(object, order) ? object : mergeInOrder(object, {}, order);
}

/** Key by key, for V8 gives an object that is spread and added to a hidden class of its own. */
function mergeInOrder<T extends object>(object: T, parts: Partial<T>, order: KeyOrder<T>): T {
  const result: Partial<T> = {};
  // The orders are plain maps of this folder, so that every key is one of their own.
  for (const key in order) {
    const value = Object.hasOwn(parts, key) ? parts[key] : object[key];
    if (value !== undefined) result[key] = value;
  }
  return result as T;
}

/** An object with some parts that are put in order themselves. */
export function sortNestedKeys<T extends object>(object: T, parts: Partial<T>, order: KeyOrder<T>): T {
  for (const key in parts) if (parts[key] !== object[key]) return mergeInOrder(object, parts, order);
  return sortKeys(object, order);
}

/** A list whose items are put in order; the list itself where each is. */
export function sortKeysOfEach<T>(list: readonly T[], sortItem: (item: T) => T): readonly T[] {
  if (list.length === 0) return list;
  const items = list.map(sortItem);
  return items.every((item, index) => item === list[index]) ? list : items;
}

/** Every key of `T`, in the order in which they are written; an omitted key does not compile. */
export type KeyOrder<T> = Readonly<Record<keyof T, true>>;

/** Reports whether an object has its keys in this order, each with a value. */
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

/** Sorts the keys of an object in this order, without those that have no value. Returns the object itself if it already is in order. */
export function sortKeys<T extends object>(object: T, order: KeyOrder<T>): T {
  return isInOrder(object, order) ? object : mergeInOrder(object, {}, order);
}

/** Copies the values key by key. V8 would give an object that is built with spread a hidden class of its own. */
function mergeInOrder<T extends object>(object: T, parts: Partial<T>, order: KeyOrder<T>): T {
  const result: Partial<T> = {};
  // The orders are plain maps of this folder, so they have no inherited keys.
  for (const key in order) {
    const value = Object.hasOwn(parts, key) ? parts[key] : object[key];
    if (value !== undefined) result[key] = value;
  }
  return result as T;
}

/** Sorts the keys of an object with some parts that are already sorted. */
export function sortNestedKeys<T extends object>(object: T, parts: Partial<T>, order: KeyOrder<T>): T {
  for (const key in parts) if (parts[key] !== object[key]) return mergeInOrder(object, parts, order);
  return sortKeys(object, order);
}

/** Sorts the keys of each item. Returns the list itself if all items already are in order. */
export function sortKeysOfEach<T>(list: readonly T[], sortItem: (item: T) => T): readonly T[] {
  if (list.length === 0) return list;
  const items = list.map(sortItem);
  return items.every((item, index) => item === list[index]) ? list : items;
}

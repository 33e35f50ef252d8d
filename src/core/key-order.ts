/** Every key of `T`, in the order in which they are written; one that is left out does not compile. */
export type KeyOrder<T> = Readonly<Record<keyof T, true>>;

/** The keys of an object in this order, without those that have no value. */
export function ordered<T extends object>(object: T, order: KeyOrder<T>): T {
  const result: Partial<T> = {};
  // The orders are plain maps of this folder, so that every key is one of their own.
  for (const key in order) if (object[key] !== undefined) result[key] = object[key];
  return result as T;
}

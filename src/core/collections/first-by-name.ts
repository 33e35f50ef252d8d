/** Returns the item with the least name, so that messages name the same one in any order of files; undefined if there are none. */
export function findFirstByName<T>(items: Iterable<T>, nameOf: (item: T) => string): T | undefined {
  let first: { readonly item: T; readonly name: string } | undefined;
  for (const item of items) {
    const name = nameOf(item);
    if (first === undefined || name < first.name) first = { item, name };
  }
  return first?.item;
}

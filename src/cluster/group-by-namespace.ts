/** Groups items by namespace. Those without one have the empty name. */
export function groupByNamespace<T extends { readonly namespace?: string | undefined }>(
  items: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  const grouped = new Map<string, T[]>();
  for (const item of items) {
    const namespace = item.namespace ?? '';
    const known = grouped.get(namespace);
    if (known) known.push(item);
    else grouped.set(namespace, [item]);
  }
  return grouped;
}

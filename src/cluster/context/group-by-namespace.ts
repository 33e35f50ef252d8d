import { groupBy } from '../../core/collections/group-by';

/** Groups items by namespace. Those without one have the empty name. */
export function groupByNamespace<T extends { readonly namespace?: string | undefined }>(
  items: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  return groupBy(items, ({ namespace = '' }) => namespace);
}

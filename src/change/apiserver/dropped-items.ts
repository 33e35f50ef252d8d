import { groupBy } from '../../core/collections/group-by';
import { checkTime } from '../../core/budget/deadline';
import { isFields } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { defineStruct } from '../../workloads/pod/field';
import type { ApiField } from '../../workloads/pod/field';
import { getChildField, getItemField } from './field-set';
import { getStoredKind } from './kinds';

/** Item of a list that NEW has and the server does not store. */
export interface DroppedItem {
  /** Path in NEW. */
  readonly path: string;
  readonly list: string;
  /** Field by which the merge identifies the items of the list. */
  readonly key: string;
  readonly value: unknown;
  /** Whether NEW has no other item with this key. The merge deletes it together with one of OLD that NEW no longer has. */
  readonly isDeleted?: true;
}

/** Groups the items of a list by their merge key. */
function groupByKey(items: readonly unknown[], key: string): (item: unknown) => readonly unknown[] {
  const keyOf = (item: unknown) => JSON.stringify(isFields(item) ? item[key] : item);
  const groups = groupBy(items, keyOf);
  return (item) => groups.get(keyOf(item)) ?? [];
}

/** Returns the JSON of a value with sorted keys, so that equal values have the same. */
function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isFields(inner) ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}

/** Matches the items of a list that have one key with the stored ones of that key. */
function findInList(next: readonly unknown[], stored: readonly unknown[], field: ApiField, key: string, path: string): DroppedItem[] {
  const [nextWithKeyOf, storedWithKeyOf] = [groupByKey(next, key), groupByKey(stored, key)];
  let contents: ReadonlySet<string> | undefined;
  return next.flatMap((item, index): DroppedItem[] => {
    const own = `${path}[${index}]`;
    const dropped = { path: own, list: path.slice(path.lastIndexOf('.') + 1), key, value: isFields(item) ? item[key] : item };
    if (nextWithKeyOf(item).length === 1) {
      const [first] = storedWithKeyOf(item);
      return first === undefined ? [{ ...dropped, isDeleted: true }] : findDropped(item, first, getItemField(field), own);
    }
    contents ??= new Set(stored.map(toCanonicalJson));
    return contents.has(toCanonicalJson(item)) ? [] : [dropped];
  });
}

function findDropped(next: unknown, stored: unknown, field: ApiField | undefined, path: string): DroppedItem[] {
  checkTime();
  if (Array.isArray(next)) {
    const key = field?.merge?.key;
    if (!field || key === undefined || (stored !== undefined && !Array.isArray(stored))) return [];
    // A list that loses its last item is not stored.
    return findInList(next, stored ?? [], field, key, path);
  }
  if (!isFields(next) || !isFields(stored)) return [];
  return Object.entries(next).flatMap(([name, value]) =>
    findDropped(value, stored[name], getChildField(field, name), path === '' ? name : `${path}.${name}`),
  );
}

/**
 * Finds items of lists that a merge loses: several items of NEW have one merge key, such as a port with two protocols, and the merge writes
 * only some of them. Or NEW keeps one of several items of OLD with one merge key, and the merge deletes all of them.
 *
 * @param next - NEW as the server would store it
 * @param stored - what the server stores after the merge
 */
export function findDroppedItems(next: Manifest, stored: Manifest): DroppedItem[] {
  const kind = getStoredKind(next);
  return kind ? findDropped(next, stored, defineStruct(kind.fields), '') : [];
}

import { isDeepEqual } from '../../core/deep-equal';
import { isFields } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
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
}

/** Matches the items of a list that have one key with the stored ones of that key. */
function findInList(next: readonly unknown[], stored: readonly unknown[], field: ApiField, key: string, path: string): DroppedItem[] {
  const valueOf = (item: unknown) => (isFields(item) ? item[key] : item);
  return next.flatMap((item, index): DroppedItem[] => {
    const value = valueOf(item);
    const own = `${path}[${index}]`;
    const isSameKey = (other: unknown) => isDeepEqual(valueOf(other), value);
    const kept = stored.filter(isSameKey);
    if (next.filter(isSameKey).length === 1) return findDropped(item, kept[0], getItemField(field), own);
    if (kept.some((one) => isDeepEqual(one, item))) return [];
    return [{ path: own, list: path.slice(path.lastIndexOf('.') + 1), key, value }];
  });
}

function findDropped(next: unknown, stored: unknown, field: ApiField | undefined, path: string): DroppedItem[] {
  if (Array.isArray(next)) {
    const key = field?.merge?.key;
    if (!field || key === undefined || !Array.isArray(stored)) return [];
    return findInList(next, stored, field, key, path);
  }
  if (!isFields(next) || !isFields(stored)) return [];
  return Object.entries(next).flatMap(([name, value]) =>
    findDropped(value, stored[name], getChildField(field, name), path === '' ? name : `${path}.${name}`),
  );
}

/**
 * Finds items of lists that a merge loses: several items of NEW have one merge key, such as a port with two protocols, and the merge writes
 * only some of them.
 *
 * @param next - NEW as the server would store it
 * @param stored - what the server stores after the merge
 */
export function findDroppedItems(next: Manifest, stored: Manifest): DroppedItem[] {
  const kind = getStoredKind(next);
  return kind ? findDropped(next, stored, defineStruct(kind.fields), '') : [];
}

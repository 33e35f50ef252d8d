import { addToGroup } from '../../core/collections/group-by';
import { checkTime } from '../../core/budget/deadline';
import { isDeepEqual } from '../../core/collections/deep-equal';
import { isFields, getOwnValue } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import type { ApiField, ApiFields } from '../../workloads/pod/field';
import { toSafeText } from '../../core/text/value-text';

/*
 * The three-way merge of kubectl and Helm: fields that the last manifest set and the next does not are removed, fields that the next sets are written, others stay.
 * Lists with a merge key are merged item by item; all others are one value. Source: apimachinery strategicpatch/patch.go `CreateThreeWayMergePatch`, `StrategicMergeMapPatch`.
 */

/** The known fields at a path; undefined for custom resources, whose lists are one value each. */
type KnownFields = ApiFields | undefined;

function mergeKeyOf(field: ApiField | undefined): string | undefined {
  return field?.merge?.key;
}

function keyOf(item: unknown, key: string): string {
  return toSafeText(isFields(item) ? item[key] : item);
}

/** Matches the items of two lists by key. If several have one key, the last matches the last, since upstream sorts them so. */
function matchByKey(before: readonly unknown[], after: readonly unknown[], key: string): [before: unknown, after: unknown][] {
  const left = before.toReversed().toSorted((a, b) => compareText(keyOf(a, key), keyOf(b, key)));
  const right = after.toReversed().toSorted((a, b) => compareText(keyOf(a, key), keyOf(b, key)));
  const pairs: [unknown, unknown][] = [];
  for (let l = 0, r = 0; l < left.length || r < right.length;) {
    const order = l >= left.length ? 1 : r >= right.length ? -1 : compareText(keyOf(left[l], key), keyOf(right[r], key));
    pairs.push([order <= 0 ? left[l++] : undefined, order >= 0 ? right[r++] : undefined]);
  }
  return pairs;
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Maps each key to the index of its first item. */
function mapKeysToIndexes(items: readonly unknown[], key: string): Map<string, number> {
  return new Map(items.map((item, index): [string, number] => [keyOf(item, key), index]).toReversed());
}

/** Returns the keys of items that the last manifest set and the next does not. */
function findDroppedKeys(last: readonly unknown[], next: readonly unknown[], key: string): ReadonlySet<string> {
  const dropped = matchByKey(last, next, key).filter(([before, after]) => before !== undefined && after === undefined);
  return new Set(dropped.map(([before]) => keyOf(before, key)));
}

/** Builds the order that the server derives from the live list: new items fill the positions freed at its end. Source: strategicpatch/patch.go, `mergeSlice`, which reuses the memory of the live list. */
function buildLiveOrder(live: readonly unknown[], next: readonly unknown[], dropped: ReadonlySet<string>, key: string): unknown[] {
  const known = mapKeysToIndexes(live, key);
  const left = live.filter((item) => !dropped.has(keyOf(item, key)));
  return [...left, ...next.filter((item) => !known.has(keyOf(item, key)))].slice(0, live.length);
}

/** Sorts items of the next manifest in its order, with other live items between them as close to their old positions as possible. */
function sortMergedItems(merged: readonly unknown[], next: readonly unknown[], live: readonly unknown[], key: string): unknown[] {
  const liveOrder = mapKeysToIndexes(live, key);
  const nextOrder = mapKeysToIndexes(next, key);
  const positionOf = (order: ReadonlyMap<string, number>, item: unknown) => order.get(keyOf(item, key)) ?? -1;
  const named = merged
    .filter((item) => positionOf(nextOrder, item) >= 0)
    .toSorted((a, b) => positionOf(nextOrder, a) - positionOf(nextOrder, b));
  const liveOnly = merged
    .filter((item) => positionOf(nextOrder, item) < 0)
    .toSorted((a, b) => positionOf(liveOrder, a) - positionOf(liveOrder, b));
  const result: unknown[] = [];
  let taken = 0;
  for (const item of named) {
    const at = positionOf(liveOrder, item);
    while (taken < liveOnly.length && positionOf(liveOrder, liveOnly[taken]) < at) result.push(liveOnly[taken++]);
    result.push(item);
  }
  return [...result, ...liveOnly.slice(taken)];
}

/** Returns the fields of an item that the next manifest changes, with its key: what a patch sends for the item. */
function pickChangedFields(live: unknown, next: Fields, key: string): Fields {
  const before = isFields(live) ? live : {};
  return Object.fromEntries(Object.entries(next).filter(([name, value]) => name === key || !isDeepEqual(getOwnValue(before, name), value)));
}

/** A live list into which items are merged. */
class MergedItems {
  readonly items: unknown[];
  private readonly indexByKey: Map<string, number>;
  private readonly liveIndexes = new Map<unknown, number[]>();

  constructor(
    live: readonly unknown[],
    private readonly field: ApiField,
    private readonly key: string,
  ) {
    this.items = [...live];
    this.indexByKey = mapKeysToIndexes(live, key);
    for (const [index, item] of live.entries()) {
      addToGroup(this.liveIndexes, item, index);
    }
  }

  /** Merges an item under its key: a new or changed item is merged into the first with that key. */
  mergeItem(item: unknown, changes: Fields): void {
    const name = keyOf(item, this.key);
    const index = this.indexByKey.get(name);
    if (index === undefined) {
      this.indexByKey.set(name, this.items.push(item) - 1);
      return;
    }
    const existing = this.items[index];
    this.items[index] = isFields(existing) ? applyFieldChanges(existing, changes, this.field.fields) : item;
  }

  /** Merges a live item, dropping the fields that the next one does not set. */
  retainKeys(live: Fields, next: Fields): void {
    for (const index of this.liveIndexes.get(live)!) {
      if (this.items[index] === live) this.items[index] = applyFieldChanges(live, next, this.field.fields, { retainsKeys: true });
    }
  }
}

function applyListChanges(live: readonly unknown[], next: readonly unknown[], field: ApiField, key: string, last: unknown): unknown[] {
  if (live.length === 0) return [...next];
  const merged = new MergedItems(live, field, key);
  for (const [before, after] of matchByKey(live, next, key).toSorted(createOrderComparator(next, key))) {
    if (after === undefined) continue;
    if (before === undefined || !isFields(after)) merged.mergeItem(after, isFields(after) ? after : {});
    else if (field.retainsKeys && isFields(before)) merged.retainKeys(before, after);
    else merged.mergeItem(after, pickChangedFields(before, after, key));
  }
  const dropped = Array.isArray(last) ? findDroppedKeys(last, next, key) : new Set<string>();
  const left = merged.items.filter((item) => !dropped.has(keyOf(item, key)));
  return sortMergedItems(left, next, buildLiveOrder(live, next, dropped, key), key);
}

/** Creates a comparator that sorts pairs in the order of their keys in the next manifest. */
function createOrderComparator(next: readonly unknown[], key: string) {
  const order = mapKeysToIndexes(next, key);
  const positionOf = (item: unknown) => (item === undefined ? -1 : order.get(keyOf(item, key))!);
  return ([, a]: readonly [unknown, unknown], [, b]: readonly [unknown, unknown]) => positionOf(a) - positionOf(b);
}

/** Merges the next manifest's value into the live one. */
function applyValueChanges(live: unknown, next: unknown, field: ApiField | undefined, last: unknown): unknown {
  checkTime();
  if (isFields(live) && isFields(next)) {
    return applyFieldChanges(live, next, field?.fields, { retainsKeys: field?.retainsKeys === true && field.type === 'map', last });
  }
  const key = mergeKeyOf(field);
  if (field && key !== undefined && Array.isArray(live) && Array.isArray(next)) return applyListChanges(live, next, field, key, last);
  return next;
}

/** Drops nulls from a new map. Values in lists are sent as they are. */
function stripNulls(value: unknown): unknown {
  if (!isFields(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined);
  return Object.fromEntries(entries.map(([name, inner]) => [name, stripNulls(inner)]));
}

interface MergeOptions {
  /** Whether fields that the next manifest does not set are removed. @default false */
  readonly retainsKeys?: boolean;
  /** The value in the last manifest. @default - nothing */
  readonly last?: unknown;
}

function applyFieldChanges(live: Fields, next: Fields, known: KnownFields, { retainsKeys = false, last }: MergeOptions = {}): Fields {
  const result = new Map(Object.entries(live));
  const before = isFields(last) ? last : {};
  for (const [name, value] of Object.entries(next)) {
    if (value === null || value === undefined) {
      // A null that is there already stays: the patch does not contain it.
      if (result.get(name) !== null) result.delete(name);
    } else if (result.has(name)) {
      result.set(name, applyValueChanges(result.get(name), value, known && getOwnValue(known, name), getOwnValue(before, name)));
    } else result.set(name, stripNulls(value));
  }
  if (!retainsKeys) return Object.fromEntries(result);
  return Object.fromEntries([...result].filter(([name]) => Object.hasOwn(next, name)));
}

/** Merges the fields of items with the same key. */
function mergeFieldsByKey(items: readonly unknown[], key: string): ReadonlyMap<string, Fields> {
  const named = new Map<string, Fields>();
  for (const item of items) {
    if (isFields(item)) named.set(keyOf(item, key), { ...named.get(keyOf(item, key)), ...item });
  }
  return named;
}

function dropRemovedItems(
  value: readonly unknown[],
  last: readonly unknown[],
  next: readonly unknown[],
  field: ApiField,
  key: string,
): unknown[] {
  const left: unknown[] = [...value];
  const indexByKey = mapKeysToIndexes(value, key);
  const dropped = findDroppedKeys(last, next, key);
  const namedBy = mergeFieldsByKey(next, key);
  for (const [before, after] of matchByKey(last, next, key)) {
    const index = before === undefined || after === undefined ? undefined : indexByKey.get(keyOf(before, key));
    if (index === undefined) continue;
    const named = isFields(after) ? { ...namedBy.get(keyOf(after, key)), ...after } : after;
    left[index] = dropRemovedFromValue(left[index], before, named, { type: 'map', ...(field.fields && { fields: field.fields }) });
  }
  return dropped.size === 0 ? left : left.filter((item) => !dropped.has(keyOf(item, key)));
}

function dropRemovedFromValue(value: unknown, last: unknown, next: unknown, field: ApiField | undefined): unknown {
  checkTime();
  if (isFields(value) && isFields(last) && isFields(next)) return dropRemovedFields(value, last, next, field?.fields);
  const key = mergeKeyOf(field);
  if (field && key !== undefined && Array.isArray(value) && Array.isArray(last) && Array.isArray(next)) {
    return dropRemovedItems(value, last, next, field, key);
  }
  return value;
}

/** Returns a value without the fields that the last manifest set and the next does not. */
function dropRemovedFields(value: Fields, last: Fields, next: Fields, known: KnownFields): Fields {
  const left = new Map(Object.entries(value));
  for (const [name, before] of Object.entries(last)) {
    if (!Object.hasOwn(next, name)) left.delete(name);
    else if (left.has(name)) left.set(name, dropRemovedFromValue(left.get(name), before, next[name], known && getOwnValue(known, name)));
  }
  return Object.fromEntries(left);
}

/**
 * Merges a manifest into the live object as kubectl and Helm do.
 *
 * @param last - the manifest that was applied last; `{}` if that is not known, so that nothing is removed
 * @param known - the fields of the kind; undefined for custom resources
 */
export function mergeThreeWay(last: Fields, next: Fields, live: Fields, known: ApiFields | undefined): Fields {
  return dropRemovedFields(applyFieldChanges(live, next, known, { last }), last, next, known);
}

/** Returns the fields of a map that differ from the last manifest. */
function diffFields(last: Fields, next: Fields): Fields {
  return Object.fromEntries(
    Object.entries(next).flatMap(([name, value]): [string, unknown][] => {
      const before = getOwnValue(last, name);
      if (isFields(before) && isFields(value)) return [[name, diffFields(before, value)]];
      return isDeepEqual(before, value) ? [] : [[name, value]];
    }),
  );
}

/** Merges into the live object only what differs between two manifests, with lists as one value each. */
export function mergeTwoWay(last: Fields, next: Fields, live: Fields): Fields {
  return dropRemovedFields(applyFieldChanges(live, diffFields(last, next), undefined), last, next, undefined);
}

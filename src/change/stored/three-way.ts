import { deepEqual } from '../../core/deep-equal';
import { isFields } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import type { ApiField, ApiFields } from '../../workloads/pod/field';

/*
 * What kubectl's and Helm's three-way merge leaves of a live object: what the last manifest named and the next does not is removed, what the next names is set, the rest stays.
 * Lists with a merge key are merged item by item, all others are one value. Source: apimachinery strategicpatch/patch.go `CreateThreeWayMergePatch`, `StrategicMergeMapPatch`.
 */

/** The fields known at a place; none of a resource of an operator, whose lists are one value each. */
type Known = ApiFields | undefined;

function mergeKeyOf(field: ApiField | undefined): string | undefined {
  return field?.merge?.key;
}

function keyOf(item: unknown, key: string): string {
  return String(isFields(item) ? item[key] : item);
}

/** The items of two lists in pairs of one key, as far as they come: of several with one key the last meets the last, as upstream sorts them. */
function paired(before: readonly unknown[], after: readonly unknown[], key: string): [before: unknown, after: unknown][] {
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

/** Where the first item of each key stands. */
function placesOf(items: readonly unknown[], key: string): Map<string, number> {
  return new Map(items.map((item, index): [string, number] => [keyOf(item, key), index]).toReversed());
}

/** Items that the next manifest names in its order, and live ones between them as near to where they were as that lets. */
function ordered(merged: readonly unknown[], next: readonly unknown[], live: readonly unknown[], key: string): unknown[] {
  const liveOrder = placesOf(live, key);
  const nextOrder = placesOf(next, key);
  const place = (order: ReadonlyMap<string, number>, item: unknown) => order.get(keyOf(item, key)) ?? -1;
  const named = merged.filter((item) => place(nextOrder, item) >= 0).toSorted((a, b) => place(nextOrder, a) - place(nextOrder, b));
  const liveOnly = merged.filter((item) => place(nextOrder, item) < 0).toSorted((a, b) => place(liveOrder, a) - place(liveOrder, b));
  const result: unknown[] = [];
  let taken = 0;
  for (const item of named) {
    const at = place(liveOrder, item);
    while (taken < liveOnly.length && place(liveOrder, liveOnly[taken]) < at) result.push(liveOnly[taken++]);
    result.push(item);
  }
  return [...result, ...liveOnly.slice(taken)];
}

/** The fields of an item that the next manifest says otherwise, with its key: what a patch sends of it. */
function changedFields(live: unknown, next: Fields, key: string): Fields {
  const before = isFields(live) ? live : {};
  return Object.fromEntries(Object.entries(next).filter(([name, value]) => name === key || !deepEqual(before[name], value)));
}

/** A live list into which items are merged. */
class MergedItems {
  readonly items: unknown[];
  private readonly places: Map<string, number>;
  private readonly livePlaces = new Map<unknown, number[]>();

  constructor(
    live: readonly unknown[],
    private readonly field: ApiField,
    private readonly key: string,
  ) {
    this.items = [...live];
    this.places = placesOf(live, key);
    for (const [index, item] of live.entries()) {
      const known = this.livePlaces.get(item);
      if (known) known.push(index);
      else this.livePlaces.set(item, [index]);
    }
  }

  /** An item under its key: what is new, or says otherwise, is merged into the first of that key. */
  put(item: unknown, changes: Fields): void {
    const name = keyOf(item, this.key);
    const index = this.places.get(name);
    if (index === undefined) {
      this.places.set(name, this.items.push(item) - 1);
      return;
    }
    const held = this.items[index];
    this.items[index] = isFields(held) ? withChanges(held, changes, this.field.fields) : item;
  }

  /** A live item of which nothing stays that the next one does not name. */
  retainKeys(live: Fields, next: Fields): void {
    for (const index of this.livePlaces.get(live)!) {
      if (this.items[index] === live) this.items[index] = withChanges(live, next, this.field.fields, true);
    }
  }
}

function listWithChanges(live: readonly unknown[], next: readonly unknown[], field: ApiField, key: string): unknown[] {
  if (live.length === 0) return [...next];
  const merged = new MergedItems(live, field, key);
  for (const [before, after] of paired(live, next, key).toSorted(byPlace(next, key))) {
    if (after === undefined) continue;
    if (before === undefined || !isFields(after)) merged.put(after, isFields(after) ? after : {});
    else if (field.retainsKeys && isFields(before)) merged.retainKeys(before, after);
    else merged.put(after, changedFields(before, after, key));
  }
  return ordered(merged.items, next, live, key);
}

/** Pairs in the order in which the next manifest has their keys. */
function byPlace(next: readonly unknown[], key: string) {
  const order = placesOf(next, key);
  const place = (item: unknown) => (item === undefined ? -1 : order.get(keyOf(item, key))!);
  return ([, a]: readonly [unknown, unknown], [, b]: readonly [unknown, unknown]) => place(a) - place(b);
}

/** A live value with what the next manifest says. */
function valueWithChanges(live: unknown, next: unknown, field: ApiField | undefined): unknown {
  if (isFields(live) && isFields(next)) return withChanges(live, next, field?.fields, field?.retainsKeys === true && field.type === 'map');
  const key = mergeKeyOf(field);
  if (field && key !== undefined && Array.isArray(live) && Array.isArray(next)) return listWithChanges(live, next, field, key);
  return next;
}

/** A map that is new comes without its nulls; what stands in lists is sent as it is. */
function withoutNulls(value: unknown): unknown {
  if (!isFields(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined);
  return Object.fromEntries(entries.map(([name, inner]) => [name, withoutNulls(inner)]));
}

function withChanges(live: Fields, next: Fields, known: Known, retainsKeys = false): Fields {
  const result: Record<string, unknown> = { ...live };
  for (const [name, value] of Object.entries(next)) {
    if (value === null || value === undefined) delete result[name];
    else result[name] = Object.hasOwn(live, name) ? valueWithChanges(live[name], value, known?.[name]) : withoutNulls(value);
  }
  if (!retainsKeys) return result;
  return Object.fromEntries(Object.entries(result).filter(([name]) => Object.hasOwn(next, name)));
}

function listWithoutDropped(
  value: readonly unknown[],
  last: readonly unknown[],
  next: readonly unknown[],
  field: ApiField,
  key: string,
): unknown[] {
  const left: unknown[] = [...value];
  const places = placesOf(value, key);
  const dropped = new Set<string>();
  for (const [before, after] of paired(last, next, key)) {
    if (before === undefined) continue;
    const name = keyOf(before, key);
    const index = places.get(name);
    if (after === undefined) dropped.add(name);
    else if (index !== undefined)
      left[index] = valueWithoutDropped(left[index], before, after, { type: 'map', ...(field.fields && { fields: field.fields }) });
  }
  return dropped.size === 0 ? left : left.filter((item) => !dropped.has(keyOf(item, key)));
}

function valueWithoutDropped(value: unknown, last: unknown, next: unknown, field: ApiField | undefined): unknown {
  if (isFields(value) && isFields(last) && isFields(next)) return withoutDropped(value, last, next, field?.fields);
  const key = mergeKeyOf(field);
  if (field && key !== undefined && Array.isArray(value) && Array.isArray(last) && Array.isArray(next)) {
    return listWithoutDropped(value, last, next, field, key);
  }
  return value;
}

/** A value without what the last manifest named and the next does not. */
function withoutDropped(value: Fields, last: Fields, next: Fields, known: Known): Fields {
  const left: Record<string, unknown> = { ...value };
  for (const [name, before] of Object.entries(last)) {
    if (!Object.hasOwn(next, name)) delete left[name];
    else if (Object.hasOwn(left, name)) left[name] = valueWithoutDropped(left[name], before, next[name], known?.[name]);
  }
  return left;
}

/**
 * The live object after kubectl's or Helm's merge.
 *
 * @param last the manifest that was applied last; `{}` where that is not known, so that nothing is removed
 * @param known the fields of the kind; undefined for resources of operators
 */
export function mergedThreeWay(last: Fields, next: Fields, live: Fields, known: ApiFields | undefined): Fields {
  return withoutDropped(withChanges(live, next, known), last, next, known);
}

/** What of a map is not as it was. */
function changedSince(last: Fields, next: Fields): Fields {
  return Object.fromEntries(
    Object.entries(next).flatMap(([name, value]): [string, unknown][] => {
      const before = last[name];
      if (isFields(before) && isFields(value)) return [[name, changedSince(before, value)]];
      return deepEqual(before, value) ? [] : [[name, value]];
    }),
  );
}

/** The live object after a merge that looks at two manifests alone: what differs between them, lists as one value each. */
export function mergedTwoWay(last: Fields, next: Fields, live: Fields): Fields {
  return withoutDropped(withChanges(live, changedSince(last, next), undefined), last, next, undefined);
}

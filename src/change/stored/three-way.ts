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

/** Items that the next manifest names in its order, and live ones between them as near to where they were as that lets. */
function ordered(merged: readonly unknown[], next: readonly unknown[], live: readonly unknown[], key: string): unknown[] {
  const liveOrder = live.map((item) => keyOf(item, key));
  const nextOrder = next.map((item) => keyOf(item, key));
  const place = (order: readonly string[], item: unknown) => order.indexOf(keyOf(item, key));
  const named = merged.filter((item) => place(nextOrder, item) >= 0).toSorted((a, b) => place(nextOrder, a) - place(nextOrder, b));
  const liveOnly = merged.filter((item) => place(nextOrder, item) < 0).toSorted((a, b) => place(liveOrder, a) - place(liveOrder, b));
  const result: unknown[] = [];
  while (named.length > 0 && liveOnly.length > 0) {
    const at = place(liveOrder, named[0]);
    const isBefore = at >= 0 && place(liveOrder, liveOnly[0]) < at;
    result.push(isBefore ? liveOnly.shift() : named.shift());
  }
  return [...result, ...liveOnly, ...named];
}

/** The fields of an item that the next manifest says otherwise, with its key: what a patch sends of it. */
function changedFields(live: unknown, next: Fields, key: string): Fields {
  const before = isFields(live) ? live : {};
  return Object.fromEntries(Object.entries(next).filter(([name, value]) => name === key || !deepEqual(before[name], value)));
}

/** An item under its key: what is new, or says otherwise, is merged into the first of that key. */
function withItem(merged: readonly unknown[], item: unknown, changes: Fields, field: ApiField, key: string): unknown[] {
  const index = merged.findIndex((held) => keyOf(held, key) === keyOf(item, key));
  const held = merged[index];
  if (index < 0) return [...merged, item];
  return merged.with(index, isFields(held) ? withChanges(held, changes, field.fields) : item);
}

function listWithChanges(live: readonly unknown[], next: readonly unknown[], field: ApiField, key: string): unknown[] {
  if (live.length === 0) return [...next];
  let merged: unknown[] = [...live];
  for (const [before, after] of paired(live, next, key).toSorted(byPlace(next, key))) {
    if (after === undefined) continue;
    if (before === undefined || !isFields(after)) {
      merged = withItem(merged, after, isFields(after) ? after : {}, field, key);
    } else if (field.retainsKeys && isFields(before)) {
      merged = merged.map((item) => (item === before ? withChanges(before, after, field.fields, true) : item));
    } else {
      merged = withItem(merged, after, changedFields(before, after, key), field, key);
    }
  }
  return ordered(merged, next, live, key);
}

/** Pairs in the order in which the next manifest has their keys. */
function byPlace(next: readonly unknown[], key: string) {
  const order = next.map((item) => keyOf(item, key));
  const place = (item: unknown) => (item === undefined ? -1 : order.indexOf(keyOf(item, key)));
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
  let left: unknown[] = [...value];
  for (const [before, after] of paired(last, next, key)) {
    if (before === undefined) continue;
    const name = keyOf(before, key);
    if (after === undefined) {
      left = left.filter((item) => keyOf(item, key) !== name);
      continue;
    }
    const index = left.findIndex((item) => keyOf(item, key) === name);
    if (index >= 0)
      left[index] = valueWithoutDropped(left[index], before, after, { type: 'map', ...(field.fields && { fields: field.fields }) });
  }
  return left;
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

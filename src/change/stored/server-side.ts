import { deepEqual } from '../../core/deep-equal';
import { isFields, listAt, ownValue } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import type { ApiField, ApiFields } from '../../workloads/pod/field';
import { fieldBelow, fieldsOfObject, isAssociative, isGranular, itemField, itemKey, readFields, unionOf, partText } from './field-owners';
import type { FieldSet } from './field-owners';
import type { Refusal } from './types';

/*
 * What a server-side apply makes of a live object. Source: structured-merge-diff v6.3.0 merge/update.go `Apply`, typed/merge.go;
 * apimachinery managedfields/internal/conflict.go, lastappliedmanager.go.
 */

/** One entry of managedFields. */
interface Manager {
  readonly name: string;
  readonly operation: string;
  readonly apiVersion: string;
  readonly subresource?: string;
  readonly fields: FieldSet;
}

/** The manager under which `kubectl apply --server-side` applies. */
const KUBECTL = 'kubectl';

function managersOf(live: Manifest): Manager[] {
  return listAt(live, 'metadata', 'managedFields')
    .filter(isFields)
    .map(({ manager, operation, apiVersion, subresource, fieldsV1 }) => ({
      name: String(manager),
      operation: String(operation),
      apiVersion: String(apiVersion),
      ...(typeof subresource === 'string' && subresource !== '' && { subresource }),
      fields: readFields(fieldsV1),
    }));
}

/** Who applies: kubectl, or another tool that alone has applied this object before. */
function applierOf(managers: readonly Manager[]): string {
  const appliers = [
    ...new Set(managers.filter((manager) => manager.operation === 'Apply' && !manager.subresource).map(({ name }) => name)),
  ];
  return appliers.length === 1 ? appliers[0]! : KUBECTL;
}

/** The order of a merged list: that of the manifest, items of the live list alone where they stood. */
function mergedOrder(live: readonly string[], next: readonly string[]): string[] {
  const shared = next.filter((key) => live.includes(key));
  const result: string[] = [];
  const taken = new Set<string>();
  let l = 0;
  let r = 0;
  while (l < live.length || r < next.length) {
    if (l < live.length && r < next.length) {
      if (live[l] === next[r]) {
        taken.add(live[l]!);
        result.push(live[l]!);
        l++;
        r++;
        shared.shift();
        continue;
      }
      if (next.includes(live[l]!) && shared.length > 0 && shared[0] !== live[l]) {
        l++;
        continue;
      }
    }
    if (l < live.length) {
      if (!next.includes(live[l]!)) {
        result.push(live[l++]!);
        continue;
      }
      if (taken.has(live[l]!)) l++;
    }
    if (r < next.length) {
      const key = next[r++]!;
      taken.add(key);
      result.push(key);
      if (shared[0] === key) shared.shift();
    }
  }
  return result;
}

function mergedLists(live: readonly unknown[], next: readonly unknown[], field: ApiField): unknown[] {
  const byKey = (list: readonly unknown[]) => new Map(list.map((item) => [itemKey(item, field), item]));
  const before = byKey(live);
  const after = byKey(next);
  return mergedOrder([...before.keys()], [...after.keys()]).map((key) => {
    if (!after.has(key)) return before.get(key);
    return before.has(key) ? merged(before.get(key), after.get(key), itemField(field)) : after.get(key);
  });
}

/** The live value with what is applied. */
function merged(live: unknown, next: unknown, field: ApiField | undefined): unknown {
  if (isFields(live) && isFields(next) && isGranular(field)) {
    const names = [...new Set([...Object.keys(live), ...Object.keys(next)])];
    return Object.fromEntries(
      names.map((name) => {
        if (!Object.hasOwn(next, name)) return [name, live[name]];
        return [name, Object.hasOwn(live, name) ? merged(live[name], next[name], fieldBelow(field, name)) : next[name]];
      }),
    );
  }
  if (Array.isArray(live) && Array.isArray(next) && isAssociative(field)) return mergedLists(live, next, field);
  // A null says nothing of what is merged part by part; what goes of it is settled when it is pruned.
  if (next === null && ((isFields(live) && isGranular(field)) || (Array.isArray(live) && isAssociative(field)))) return live;
  return next;
}

/** Is a place among the fields, itself or as a field of a type that something below it is among? */
function has(set: FieldSet | undefined, isNamedField: boolean): boolean {
  return set !== undefined && (set.isMember || (isNamedField && set.below.size > 0));
}

/** What has to go is what the applier had and names no more, unless others have it; with it goes what nobody has. */
interface Pruning {
  readonly last: FieldSet | undefined;
  readonly owned: FieldSet | undefined;
  /** Does a place above go in the first step, in the second? */
  readonly isTaken: boolean;
  readonly isGone: boolean;
}

function prunedPlace({ last, owned, isTaken, isGone }: Pruning, key: string, isNamedField: boolean): Pruning & { readonly goes: boolean } {
  const had = last?.below.get(key);
  const kept = owned?.below.get(key);
  const inLast = has(had, isNamedField);
  const taken = isTaken || inLast;
  const gone = isGone || (taken && !has(kept, isNamedField));
  return { last: had, owned: kept, isTaken: taken, isGone: gone, goes: gone && inLast };
}

function pruned(value: unknown, field: ApiField | undefined, pruning: Pruning): unknown {
  if (isFields(value) && isGranular(field)) {
    const left = Object.entries(value).flatMap(([name, inner]) => {
      const below = fieldBelow(field, name);
      const place = prunedPlace(pruning, `f:${name}`, below !== undefined);
      return place.goes ? [] : [[name, pruned(inner, below, place)]];
    });
    // What loses all that it had is gone itself.
    return left.length === 0 && Object.keys(value).length > 0 ? null : Object.fromEntries(left);
  }
  if (Array.isArray(value) && isAssociative(field)) {
    return value.flatMap((item: unknown) => {
      const place = prunedPlace(pruning, itemKey(item, field), false);
      return place.goes ? [] : [pruned(item, itemField(field), place)];
    });
  }
  return value;
}

/** A place as a conflict names it: `.spec.containers[name="web"].image`. */
function placeText(parts: readonly string[]): string {
  return parts.map(partText).join('');
}

/** The places where two values differ, of the leaves that a set of fields has. What is gone is no conflict. */
function changedPlaces(before: unknown, after: unknown, field: ApiField | undefined, set: FieldSet, parts: readonly string[]): string[][] {
  if (deepEqual(before, after) || after === undefined) return [];
  const own = set.isMember && before === undefined ? [[...parts]] : [];
  if (isFields(after) && isGranular(field) && (before === undefined || isFields(before))) {
    const inner = isFields(before) ? before : {};
    const below = Object.entries(after).flatMap(([name, value]) =>
      placesBelow(ownValue(inner, name), value, fieldBelow(field, name), set, parts, `f:${name}`),
    );
    return [...own, ...below];
  }
  if (Array.isArray(after) && isAssociative(field) && (before === undefined || Array.isArray(before))) {
    const known = new Map(((before ?? []) as readonly unknown[]).map((item) => [itemKey(item, field), item]));
    const below = after.flatMap((item: unknown) =>
      placesBelow(known.get(itemKey(item, field)), item, itemField(field), set, parts, itemKey(item, field)),
    );
    return [...own, ...below];
  }
  return set.isMember ? [[...parts]] : [];
}

function placesBelow(
  before: unknown,
  after: unknown,
  field: ApiField | undefined,
  set: FieldSet,
  parts: readonly string[],
  key: string,
): string[][] {
  const below = set.below.get(key);
  return below ? changedPlaces(before, after, field, below, [...parts, key]) : [];
}

interface Conflict {
  readonly manager: Manager;
  readonly parts: readonly string[];
}

function managerText({ name, subresource, operation, apiVersion }: Manager): string {
  const whole =
    subresource === undefined ? JSON.stringify(name) : `${JSON.stringify(name)} with subresource ${JSON.stringify(subresource)}`;
  return operation === 'Update' ? `${whole} using ${apiVersion}` : whole;
}

/** Places in the order in which a set of them is read: those that end here, then those below, each by name. */
function comparePlaces(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; ; index++) {
    const [left, right] = [a[index], b[index]];
    const [isLast, isOtherLast] = [index === a.length - 1, index === b.length - 1];
    if (left === undefined || right === undefined) return a.length - b.length;
    if (isLast !== isOtherLast) return isLast ? -1 : 1;
    if (left !== right) return left < right ? -1 : 1;
  }
}

/** What managers are sorted by: the entry as JSON, which begins with the name. */
function compareManagers(a: Manager, b: Manager): number {
  return JSON.stringify([a.name, a.operation, a.apiVersion]) < JSON.stringify([b.name, b.operation, b.apiVersion]) ? -1 : 1;
}

/** What each refusal for a conflict of field managers begins with, in the server's words. */
const CONFLICT = 'Apply failed with ';

/** Is it other managers that an apply is refused for, and not a value? */
export function isConflict({ message }: Pick<Refusal, 'message'>): boolean {
  return message.startsWith(CONFLICT);
}

function conflictRefusal(conflicts: readonly Conflict[]): Refusal {
  const path = placeText(conflicts[0]!.parts);
  if (conflicts.length === 1) {
    return { path, message: `${CONFLICT}1 conflict: conflict with ${managerText(conflicts[0]!.manager)}: ${path}` };
  }
  const managers = [...new Set(conflicts.map(({ manager }) => manager))].toSorted(compareManagers);
  const lines = managers.flatMap((manager) => [
    `conflicts with ${managerText(manager)}:`,
    ...conflicts.filter((conflict) => conflict.manager === manager).map(({ parts }) => `- ${placeText(parts)}`),
  ]);
  return { path, message: `${CONFLICT}${conflicts.length} conflicts: ${lines.join('\n')}` };
}

/** Is a place among those that kubectl's last client-side apply set, and that still hold what it set? */
function wasApplied(conflict: Conflict, applied: Fields, live: Fields, root: ApiField): boolean {
  const [before, after] = [applied, live].map((object) => valueAtPlace(object, conflict.parts, root));
  return before !== undefined && deepEqual(before, after);
}

function valueAtPlace(object: unknown, parts: readonly string[], root: ApiField): unknown {
  let value = object;
  let field: ApiField | undefined = root;
  for (const part of parts) {
    if (part.startsWith('f:')) {
      const name = part.slice(2);
      value = isFields(value) ? ownValue(value, name) : undefined;
      field = fieldBelow(field, name);
    } else {
      const list: ApiField | undefined = field;
      value = Array.isArray(value) && list ? value.find((item: unknown) => itemKey(item, list) === part) : undefined;
      field = list && itemField(list);
    }
  }
  return value;
}

/** What is asked of a server-side apply. */
export interface ServerSideApply {
  /** As `kubectl get -o yaml --show-managed-fields` shows it, or as the last apply left it. */
  readonly live: Manifest;
  readonly next: Manifest;
  /** The manifest of kubectl's last client-side apply, where there was one. */
  readonly lastApplied?: Fields;
  /** The fields that the applier had, where no managers are at hand. */
  readonly former?: FieldSet;
  readonly known: ApiFields | undefined;
}

/** The manager of kubectl's client-side apply. */
const CLIENT_SIDE = 'kubectl-client-side-apply';

/** What is left of a merged object when what the applier had and no longer names, and nobody else has, is gone. */
function withoutFormer(whole: unknown, root: ApiField, last: FieldSet | undefined, sets: readonly FieldSet[]): unknown {
  return last ? pruned(whole, root, { last, owned: unionOf(sets), isTaken: false, isGone: false }) : whole;
}

/** The live object after a server-side apply, where that is two writes after the first too, or the conflict that it ends with. */
export function appliedByServer({
  live,
  next,
  lastApplied,
  former,
  known,
}: ServerSideApply): { readonly object: Fields; readonly before?: Fields } | { readonly refusal: Refusal } {
  const root: ApiField = { type: 'map', ...(known && { fields: known }) };
  const managers = managersOf(live);
  const applier = applierOf(managers);
  const isApplier = (manager: Manager) => manager.name === applier && manager.operation === 'Apply' && !manager.subresource;
  const others = managers.filter((manager) => !isApplier(manager));
  const set = fieldsOfObject(next, known);
  const last = managers.find(isApplier)?.fields ?? former;
  const result = withoutFormer(merged(live, next, root), root, last, [...others.map(({ fields }) => fields), set]);
  const conflicts = others.toSorted(compareManagers).flatMap((manager) =>
    changedPlaces(live, result, root, manager.fields, [])
      .toSorted(comparePlaces)
      .map((parts) => ({ manager, parts })),
  );
  const isUpgrade = lastApplied !== undefined && applier === KUBECTL;
  const open = isUpgrade ? conflicts.filter((conflict) => !wasApplied(conflict, lastApplied, live, root)) : conflicts;
  if (open.length > 0) return { refusal: conflictRefusal(open) };
  // After its first server-side apply kubectl takes over what it had applied from the client, and applies again.
  const taken = isUpgrade ? others.find(({ name, operation }) => name === CLIENT_SIDE && operation === 'Update') : undefined;
  if (!taken) return { object: result as Fields };
  const rest = others.filter((manager) => manager !== taken).map(({ fields }) => fields);
  return { object: withoutFormer(result, root, unionOf([taken.fields, set]), [...rest, set]) as Fields, before: result as Fields };
}

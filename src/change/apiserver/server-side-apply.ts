import type { ServerSideRules } from '../../appliers/applier';
import { isDeepEqual } from '../../core/collections/deep-equal';
import { isFields, getListAt, getOwnValue } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import type { ApiField, ApiFields } from '../../workloads/pod/field';
import {
  getChildField,
  buildObjectFieldSet,
  isAssociativeList,
  isGranularMap,
  getItemField,
  buildItemKey,
  parseManagedFields,
  mergeFieldSets,
  formatManagedPathPart,
} from './field-set';
import type { FieldSet } from './field-set';
import type { ApplyRejection } from './types';
import { toSafeText } from '../../core/text/value-text';

/*
 * Computes the result of a server-side apply. Source: structured-merge-diff v6.3.0 merge/update.go `Apply`, typed/merge.go;
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
const KUBECTL_MANAGER = 'kubectl';

function managersOf(live: Manifest): Manager[] {
  return getListAt(live, 'metadata', 'managedFields')
    .filter(isFields)
    .map(({ manager, operation, apiVersion, subresource, fieldsV1 }) => ({
      name: toSafeText(manager),
      operation: toSafeText(operation),
      apiVersion: toSafeText(apiVersion),
      ...(typeof subresource === 'string' && subresource !== '' && { subresource }),
      fields: parseManagedFields(fieldsV1),
    }));
}

/** Returns the manager that applies: that of the tool, else kubectl, or another tool if only that one has applied this object before. */
function findApplier(managers: readonly Manager[], rules: ServerSideRules | undefined): string {
  if (rules) {
    const own = managers.find(
      ({ name, operation, subresource }) => operation === 'Apply' && !subresource && name.startsWith(rules.manager),
    );
    return own?.name ?? rules.manager;
  }
  const appliers = [
    ...new Set(managers.filter((manager) => manager.operation === 'Apply' && !manager.subresource).map(({ name }) => name)),
  ];
  return appliers.length === 1 ? appliers[0]! : KUBECTL_MANAGER;
}

/** Returns the order of a merged list: that of the manifest, with items that only the live list has at their old positions. */
function mergeOrder(live: readonly string[], next: readonly string[]): string[] {
  const [inLive, inNext] = [new Set(live), new Set(next)];
  const shared = next.filter((key) => inLive.has(key));
  let s = 0;
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
        s++;
        continue;
      }
      if (inNext.has(live[l]!) && s < shared.length && shared[s] !== live[l]) {
        l++;
        continue;
      }
    }
    if (l < live.length) {
      if (!inNext.has(live[l]!)) {
        result.push(live[l++]!);
        continue;
      }
      if (taken.has(live[l]!)) l++;
    }
    if (r < next.length) {
      const key = next[r++]!;
      taken.add(key);
      result.push(key);
      if (shared[s] === key) s++;
    }
  }
  return result;
}

function mergeLists(live: readonly unknown[], next: readonly unknown[], field: ApiField): unknown[] {
  const byKey = (list: readonly unknown[]) => new Map(list.map((item) => [buildItemKey(item, field), item]));
  const before = byKey(live);
  const after = byKey(next);
  return mergeOrder([...before.keys()], [...after.keys()]).map((key) => {
    if (!after.has(key)) return before.get(key);
    return before.has(key) ? mergeValues(before.get(key), after.get(key), getItemField(field)) : after.get(key);
  });
}

/** Merges the applied value into the live one. */
function mergeValues(live: unknown, next: unknown, field: ApiField | undefined): unknown {
  if (isFields(live) && isFields(next) && isGranularMap(field)) {
    const names = [...new Set([...Object.keys(live), ...Object.keys(next)])];
    return Object.fromEntries(
      names.map((name) => {
        if (!Object.hasOwn(next, name)) return [name, live[name]];
        return [name, Object.hasOwn(live, name) ? mergeValues(live[name], next[name], getChildField(field, name)) : next[name]];
      }),
    );
  }
  if (Array.isArray(live) && Array.isArray(next) && isAssociativeList(field)) return mergeLists(live, next, field);
  // A null does not change a value that is merged part by part. Pruning removes what the applier no longer sets.
  if (next === null && ((isFields(live) && isGranularMap(field)) || (Array.isArray(live) && isAssociativeList(field)))) return live;
  return next;
}

/** Reports whether a set contains a path: itself or, for a known field, any path below it. */
function hasField(set: FieldSet | undefined, isNamedField: boolean): boolean {
  return set !== undefined && (set.isMember || (isNamedField && set.children.size > 0));
}

/** Prunes what the applier had and no longer sets, unless other managers own it. Unowned fields below are pruned with it. */
interface Pruning {
  readonly last: FieldSet | undefined;
  readonly owned: FieldSet | undefined;
  /** Whether the applier had a path above and no longer sets it. */
  readonly isReleased: boolean;
  /** Whether a path above is removed. */
  readonly isRemoved: boolean;
}

function resolvePruning(
  { last, owned, isReleased, isRemoved }: Pruning,
  key: string,
  isNamedField: boolean,
): Pruning & { readonly goes: boolean } {
  const lastChild = last?.children.get(key);
  const ownedChild = owned?.children.get(key);
  const inLast = hasField(lastChild, isNamedField);
  const taken = isReleased || inLast;
  const removed = isRemoved || (taken && !hasField(ownedChild, isNamedField));
  return { last: lastChild, owned: ownedChild, isReleased: taken, isRemoved: removed, goes: removed && inLast };
}

function pruneValue(value: unknown, field: ApiField | undefined, pruning: Pruning): unknown {
  if (isFields(value) && isGranularMap(field)) {
    const left = Object.entries(value).flatMap(([name, inner]) => {
      const below = getChildField(field, name);
      const childPruning = resolvePruning(pruning, `f:${name}`, below !== undefined);
      return childPruning.goes ? [] : [[name, pruneValue(inner, below, childPruning)]];
    });
    // A map that loses all its entries is removed itself.
    return left.length === 0 && Object.keys(value).length > 0 ? null : Object.fromEntries(left);
  }
  if (Array.isArray(value) && isAssociativeList(field)) {
    return value.flatMap((item: unknown) => {
      const childPruning = resolvePruning(pruning, buildItemKey(item, field), false);
      return childPruning.goes ? [] : [pruneValue(item, getItemField(field), childPruning)];
    });
  }
  return value;
}

/** Formats a path as a conflict does: `.spec.containers[name="web"].image`. */
function formatFieldPath(parts: readonly string[]): string {
  return parts.map(formatManagedPathPart).join('');
}

/** Returns the paths of a field set at which two values differ. A removed value is not a conflict. */
function findChangedPaths(
  before: unknown,
  after: unknown,
  field: ApiField | undefined,
  set: FieldSet,
  parts: readonly string[],
): string[][] {
  if (isDeepEqual(before, after) || after === undefined) return [];
  const own = set.isMember && before === undefined ? [[...parts]] : [];
  if (isFields(after) && isGranularMap(field) && (before === undefined || isFields(before))) {
    const inner = isFields(before) ? before : {};
    const below = Object.entries(after).flatMap(([name, value]) =>
      findChangedChildPaths(getOwnValue(inner, name), value, getChildField(field, name), set, parts, `f:${name}`),
    );
    return [...own, ...below];
  }
  if (Array.isArray(after) && isAssociativeList(field) && (before === undefined || Array.isArray(before))) {
    const knownFields = new Map(((before ?? []) as readonly unknown[]).map((item) => [buildItemKey(item, field), item]));
    const below = after.flatMap((item: unknown) =>
      findChangedChildPaths(knownFields.get(buildItemKey(item, field)), item, getItemField(field), set, parts, buildItemKey(item, field)),
    );
    return [...own, ...below];
  }
  return set.isMember ? [[...parts]] : [];
}

function findChangedChildPaths(
  before: unknown,
  after: unknown,
  field: ApiField | undefined,
  set: FieldSet,
  parts: readonly string[],
  key: string,
): string[][] {
  const below = set.children.get(key);
  return below ? findChangedPaths(before, after, field, below, [...parts, key]) : [];
}

interface Conflict {
  readonly manager: Manager;
  readonly parts: readonly string[];
}

function formatManager({ name, subresource, operation, apiVersion }: Manager): string {
  const merged =
    subresource === undefined ? JSON.stringify(name) : `${JSON.stringify(name)} with subresource ${JSON.stringify(subresource)}`;
  return operation === 'Update' ? `${merged} using ${apiVersion}` : merged;
}

/** Compares paths in the order in which the server reads a field set: paths that end here, then those below, each by name. */
function comparePaths(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; ; index++) {
    const [left, right] = [a[index], b[index]];
    const [isLast, isOtherLast] = [index === a.length - 1, index === b.length - 1];
    if (left === undefined || right === undefined) return a.length - b.length;
    if (isLast !== isOtherLast) return isLast ? -1 : 1;
    if (left !== right) return left < right ? -1 : 1;
  }
}

/** Compares managers by their managedFields entry as JSON, which starts with the name. */
function compareManagers(a: Manager, b: Manager): number {
  return JSON.stringify([a.name, a.operation, a.apiVersion]) < JSON.stringify([b.name, b.operation, b.apiVersion]) ? -1 : 1;
}

/** The first words of the server's message for a conflict of field managers. */
const CONFLICT_PREFIX = 'Apply failed with ';

/** Reports whether an apply is refused because of other field managers and not because of a value. */
export function isFieldManagerConflict({ message }: Pick<ApplyRejection, 'message'>): boolean {
  return message.startsWith(CONFLICT_PREFIX);
}

function buildConflictRejection(conflicts: readonly Conflict[]): ApplyRejection {
  const path = formatFieldPath(conflicts[0]!.parts);
  if (conflicts.length === 1) {
    return { path, message: `${CONFLICT_PREFIX}1 conflict: conflict with ${formatManager(conflicts[0]!.manager)}: ${path}` };
  }
  const managers = [...new Set(conflicts.map(({ manager }) => manager))].toSorted(compareManagers);
  const lines = managers.flatMap((manager) => [
    `conflicts with ${formatManager(manager)}:`,
    ...conflicts.filter((conflict) => conflict.manager === manager).map(({ parts }) => `- ${formatFieldPath(parts)}`),
  ]);
  return { path, message: `${CONFLICT_PREFIX}${conflicts.length} conflicts: ${lines.join('\n')}` };
}

/** Reports whether kubectl's last client-side apply set the field of a conflict, and the live value is still the same. */
function wasLastApplied(conflict: Conflict, applied: Fields, live: Fields, root: ApiField): boolean {
  const [before, after] = [applied, live].map((object) => getValueAtPath(object, conflict.parts, root));
  return before !== undefined && isDeepEqual(before, after);
}

function getValueAtPath(object: unknown, parts: readonly string[], root: ApiField): unknown {
  let value = object;
  let field: ApiField | undefined = root;
  for (const part of parts) {
    if (part.startsWith('f:')) {
      const name = part.slice(2);
      value = isFields(value) ? getOwnValue(value, name) : undefined;
      field = getChildField(field, name);
    } else {
      const list: ApiField | undefined = field;
      value = Array.isArray(value) && list ? value.find((item: unknown) => buildItemKey(item, list) === part) : undefined;
      field = list && getItemField(list);
    }
  }
  return value;
}

/** The input of a server-side apply. */
export interface ServerSideApplyRequest {
  /** The object as `kubectl get -o yaml --show-managed-fields` shows it, or as the last apply left it. */
  readonly live: Manifest;
  readonly next: Manifest;
  /** The manifest of kubectl's last client-side apply, if there was one. */
  readonly lastApplied?: Fields;
  /** The fields that the applier had, if the managers are not known. */
  readonly former?: FieldSet;
  readonly knownFields: ApiFields | undefined;
  /** How the tool treats field managers. @default - as kubectl does */
  readonly rules?: ServerSideRules;
}

/** The manager of kubectl's client-side apply. */
const CLIENT_SIDE_MANAGER = 'kubectl-client-side-apply';

/** Removes the fields that the applier had and no longer sets, unless other managers own them. */
function pruneFormerFields(merged: unknown, root: ApiField, last: FieldSet | undefined, sets: readonly FieldSet[]): unknown {
  return last ? pruneValue(merged, root, { last, owned: mergeFieldSets(sets), isReleased: false, isRemoved: false }) : merged;
}

/** Returns the live object after a server-side apply, with the first result if there are two writes, or the conflict that it ends with. */
export function applyServerSide(
  request: ServerSideApplyRequest,
): { readonly object: Fields; readonly before?: Fields } | { readonly refusal: ApplyRejection } {
  const { rules } = request;
  if (!rules?.triesFirst) return applyOnce(request);
  const { takesOver: _takesOver, triesFirst: _triesFirst, ...trialRules } = rules;
  const trial = applyOnce({ ...request, rules: trialRules });
  if ('refusal' in trial) return trial;
  const applied = applyOnce(request);
  return 'refusal' in applied ? applied : { ...applied, before: trial.object };
}

function applyOnce({
  live,
  next,
  lastApplied,
  former: formerFields,
  knownFields,
  rules,
}: ServerSideApplyRequest): { readonly object: Fields; readonly before?: Fields } | { readonly refusal: ApplyRejection } {
  const root: ApiField = { type: 'map', ...(knownFields && { fields: knownFields }) };
  const managers = managersOf(live);
  const applier = findApplier(managers, rules);
  const isApplier = (manager: Manager) => manager.name === applier && manager.operation === 'Apply' && !manager.subresource;
  const isOwn = (manager: Manager) => isApplier(manager) || rules?.takesOver?.(manager) === true;
  const others = managers.filter((manager) => !isOwn(manager));
  const set = buildObjectFieldSet(next, knownFields);
  const ownFields = managers.filter(isOwn).map(({ fields }) => fields);
  const last = ownFields.length > 0 ? mergeFieldSets(ownFields) : formerFields;
  const result = pruneFormerFields(mergeValues(live, next, root), root, last, [...others.map(({ fields }) => fields), set]);
  const conflicts = others.toSorted(compareManagers).flatMap((manager) =>
    findChangedPaths(live, result, root, manager.fields, [])
      .toSorted(comparePaths)
      .map((parts) => ({ manager, parts })),
  );
  const isUpgrade = !rules && lastApplied !== undefined && applier === KUBECTL_MANAGER;
  const open = isUpgrade ? conflicts.filter((conflict) => !wasLastApplied(conflict, lastApplied, live, root)) : conflicts;
  if (open.length > 0 && !rules?.forcesConflicts) return { refusal: buildConflictRejection(open) };
  // After its first server-side apply, kubectl takes over the fields of its client-side apply and applies again.
  const taken = isUpgrade ? others.find(({ name, operation }) => name === CLIENT_SIDE_MANAGER && operation === 'Update') : undefined;
  if (!taken) return { object: result as Fields };
  const rest = others.filter((manager) => manager !== taken).map(({ fields }) => fields);
  return {
    object: pruneFormerFields(result, root, mergeFieldSets([taken.fields, set]), [...rest, set]) as Fields,
    before: result as Fields,
  };
}

import { buildFieldPath, parseFieldPath } from '../manifest/field-path';
import type { FieldPath } from '../manifest/field-path';
import { isFields } from '../manifest/manifest';
import type { Fields } from '../manifest/manifest';
import { parseLimitedJson } from '../values/levels';

/** Object of an edit, if it is not the object of the finding: the PodDisruptionBudget of a workload. */
export interface EditTarget {
  readonly kind: string;
  readonly name: string;
}

/**
 * One change of a field. Setting a value creates missing maps on its path; an index after the end of a list adds an item.
 * A path can continue into text that is a JSON object: KServe's configuration is such text in a ConfigMap.
 */
export type Edit = { readonly of?: EditTarget; readonly path: FieldPath } & (
  | { readonly op: 'set'; readonly value: unknown }
  | { readonly op: 'remove' }
  | { readonly op: 'rename'; readonly to: string }
);

/**
 * A step to take in the cluster before the edited files are applied, so that no pod is lost in between. `forget-applied`:
 * remove the field from the last-applied configuration of kubectl (`kubectl apply edit-last-applied`),
 * so that removing it from the file does not reset it to a default.
 */
export interface Prerequisite {
  readonly do: 'forget-applied';
  readonly path: FieldPath;
}

/** The fix that the help of a finding describes, as data, for writing it into files and for tests. */
export interface SuggestedFix {
  /** Edits that must be made together; empty if the fix is not in a file of the input, such as one more node. */
  readonly edits: readonly Edit[];
  /** Whether a user must decide: there is an alternative, it costs pods or capacity, or a value is not known. */
  readonly needsDecision: boolean;
  /** @default - nothing */
  readonly first?: readonly Prerequisite[];
}

/** Creates an edit that sets a field. */
export function setField(path: FieldPath, value: unknown, target?: EditTarget): Edit {
  return { op: 'set', path, value, ...(target && { of: target }) };
}

/** Creates an edit that removes a field. */
export function removeField(path: FieldPath, target?: EditTarget): Edit {
  return { op: 'remove', path, ...(target && { of: target }) };
}

/** Creates an edit that renames a field, which keeps its position. It has no effect if the map already has a field with that name. */
export function renameField(path: FieldPath, to: string): Edit {
  return { op: 'rename', path, to };
}

/** Creates a fix that needs no decision. */
export function suggestAutomaticFix(...edits: readonly Edit[]): SuggestedFix {
  return { edits, needsDecision: false };
}

/** Creates a fix that a user must decide on. */
export function suggestManualFix(...edits: readonly Edit[]): SuggestedFix {
  return { edits, needsDecision: true };
}

/** Returns the path of a sibling field: `getSiblingPath(toFieldPath`spec.minAvailable`, 'maxUnavailable')` is `spec.maxUnavailable`. */
export function getSiblingPath(path: FieldPath, name: string): FieldPath {
  return buildFieldPath(...parseFieldPath(path).slice(0, -1), name);
}

/** Returns the path of the map or list that contains a field. */
export function getParentPath(path: FieldPath): FieldPath {
  return buildFieldPath(...parseFieldPath(path).slice(0, -1));
}

/** Edits an item of a list. An item after the end is added, and a removed one leaves no gap. */
function editList(list: readonly unknown[], part: string | number, rest: readonly (string | number)[], edit: Edit): unknown[] {
  if (edit.op === 'remove' && rest.length === 0) return list.filter((_, index) => index !== part);
  if (part === list.length) return [...list, applyEdit(undefined, rest, edit)];
  return list.map((item, index) => (index === part ? applyEdit(item, rest, edit) : item));
}

function renameKey(map: Fields, name: string, to: string): Fields {
  if (!Object.hasOwn(map, name) || Object.hasOwn(map, to)) return map;
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key === name ? to : key, value]));
}

/** Parses a text that is a JSON object; undefined for any other value. */
export function parseJsonObject(text: unknown): Fields | undefined {
  if (typeof text !== 'string' || !text.trimStart().startsWith('{')) return undefined;
  try {
    return parseLimitedJson(text) as Fields;
  } catch {
    return undefined;
  }
}

function applyEdit(value: unknown, parts: readonly (string | number)[], edit: Edit): unknown {
  const [part, ...rest] = parts;
  if (part === undefined) return edit.op === 'set' ? edit.value : undefined;
  const json = parseJsonObject(value);
  if (json) return JSON.stringify(applyEdit(json, parts, edit));
  if (edit.op === 'rename' && rest.length === 0) return isFields(value) ? renameKey(value, String(part), edit.to) : value;
  const container: unknown = Array.isArray(value) || isFields(value) ? value : {};
  if (edit.op !== 'set' && !Object.hasOwn(container as object, part)) return value;
  if (Array.isArray(container)) return editList(container, part, rest, edit);
  const next = applyEdit((container as Record<string | number, unknown>)[part], rest, edit);
  if (edit.op === 'remove' && (rest.length === 0 || next === undefined)) {
    return Object.fromEntries(Object.entries(container as object).filter(([key]) => key !== part));
  }
  return { ...(container as object), [part]: next };
}

/** Applies edits to an object. The caller must leave out edits of other objects. */
export function applyEdits<T extends object>(object: T, edits: readonly Edit[]): T {
  return edits.reduce<unknown>((value, edit) => applyEdit(value, parseFieldPath(edit.path), edit), object) as T;
}

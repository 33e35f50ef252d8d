import { buildFieldPath, parseFieldPath } from './field-path';
import type { FieldPath } from './field-path';
import { isFields } from './manifest';
import type { Fields } from './manifest';

/** An object that an edit is of, where that is not the one in which its finding stands: the PodDisruptionBudget of a workload. */
export interface EditTarget {
  readonly kind: string;
  readonly name: string;
}

/**
 * One change of a field. Maps on the way to a value that is set are made where they are missing; an index behind the end of a list adds an item.
 * A path that goes on behind text that is a JSON object leads into it: KServe's configuration is such text in a ConfigMap.
 */
export type Edit = { readonly of?: EditTarget; readonly path: FieldPath } & (
  | { readonly op: 'set'; readonly value: unknown }
  | { readonly op: 'remove' }
  | { readonly op: 'rename'; readonly to: string }
);

/**
 * What has to be done to the cluster before the edited files are applied, so that no pod is lost on the way. `forget-applied`:
 * the field is taken out of what kubectl has applied last (`kubectl apply edit-last-applied`),
 * so that leaving it out of the file puts no default into its place.
 */
export interface Prerequisite {
  readonly do: 'forget-applied';
  readonly path: FieldPath;
}

/** What the help of a finding says to write, as data: for whoever writes it into files, and for the tests that follow it. */
export interface SuggestedFix {
  /** All of them together; none where what helps stands in no file of the input, such as a node more. */
  readonly edits: readonly Edit[];
  /** Does somebody have to choose: there is another way, it costs pods or room, or a value can't be known here? */
  readonly needsDecision: boolean;
  /** @default - nothing */
  readonly first?: readonly Prerequisite[];
}

/** Sets a field. */
export function setField(path: FieldPath, value: unknown, target?: EditTarget): Edit {
  return { op: 'set', path, value, ...(target && { of: target }) };
}

/** Takes a field out. */
export function removeField(path: FieldPath, target?: EditTarget): Edit {
  return { op: 'remove', path, ...(target && { of: target }) };
}

/** Gives a field another name; it stays where it stands. Nothing where the map has that name already. */
export function renameField(path: FieldPath, to: string): Edit {
  return { op: 'rename', path, to };
}

/** What nobody has to think about. */
export function suggestAutomaticFix(...edits: readonly Edit[]): SuggestedFix {
  return { edits, needsDecision: false };
}

/** What somebody has to choose. */
export function suggestManualFix(...edits: readonly Edit[]): SuggestedFix {
  return { edits, needsDecision: true };
}

/** The path of a field beside another: `siblingPath(at`spec.minAvailable`, 'maxUnavailable')` is `spec.maxUnavailable`. */
export function getSiblingPath(path: FieldPath, name: string): FieldPath {
  return buildFieldPath(...parseFieldPath(path).slice(0, -1), name);
}

/** The path of what holds a field. */
export function getParentPath(path: FieldPath): FieldPath {
  return buildFieldPath(...parseFieldPath(path).slice(0, -1));
}

/** A list with the item at an index changed: one behind its end is added, one that is taken out leaves no gap. */
function editList(list: readonly unknown[], part: string | number, rest: readonly (string | number)[], edit: Edit): unknown[] {
  if (edit.op === 'remove' && rest.length === 0) return list.filter((_, index) => index !== part);
  if (part === list.length) return [...list, applyEdit(undefined, rest, edit)];
  return list.map((item, index) => (index === part ? applyEdit(item, rest, edit) : item));
}

function renameKey(holder: Fields, name: string, to: string): Fields {
  if (!Object.hasOwn(holder, name) || Object.hasOwn(holder, to)) return holder;
  return Object.fromEntries(Object.entries(holder).map(([key, value]) => [key === name ? to : key, value]));
}

/** The object that a text is the JSON of; undefined for any other value. */
export function parseJsonObject(text: unknown): Fields | undefined {
  if (typeof text !== 'string' || !text.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as Fields;
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
  const holder: unknown = Array.isArray(value) || isFields(value) ? value : {};
  if (edit.op !== 'set' && !Object.hasOwn(holder as object, part)) return value;
  if (Array.isArray(holder)) return editList(holder, part, rest, edit);
  const next = applyEdit((holder as Record<string | number, unknown>)[part], rest, edit);
  if (edit.op === 'remove' && (rest.length === 0 || next === undefined)) {
    return Object.fromEntries(Object.entries(holder as object).filter(([key]) => key !== part));
  }
  return { ...(holder as object), [part]: next };
}

/** An object as the edits leave it; those of other objects are passed over by whoever calls. */
export function applyEdits<T extends object>(object: T, edits: readonly Edit[]): T {
  return edits.reduce<unknown>((value, edit) => applyEdit(value, parseFieldPath(edit.path), edit), object) as T;
}

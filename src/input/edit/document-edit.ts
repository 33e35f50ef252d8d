import { isMap, isScalar, isSeq, parseDocument } from 'yaml';
import type { Node, Pair, Scalar, YAMLMap } from 'yaml';
import { deepEqual } from '../../core/deep-equal';
import { edited, jsonObjectOf, set } from '../../core/advice';
import type { Edit } from '../../core/advice';
import { fieldPath, fieldPathParts } from '../../core/field-path';
import type { PathPart } from '../../core/field-path';
import { withoutEnd } from '../../core/text-end';
import { readDocument } from '../yaml-document';
import { inserted, removed } from './map-edit';
import { flowText, nested, scalarText } from './written-value';
import { hasKey, isNullText, lineEndOf, pairOf, replaced } from './document-parts';
import type { DocumentPart, EditedDocument } from './document-parts';

/** Scalars stay text, so that keys and values are what stands there. */
const AS_WRITTEN = { schema: 'failsafe', uniqueKeys: false, merge: false, strict: false, logLevel: 'silent' } as const;

function isNullScalar(node: Node | null): boolean {
  return (
    node === null || (isScalar(node) && node.type !== 'QUOTE_DOUBLE' && node.type !== 'QUOTE_SINGLE' && isNullText(String(node.value)))
  );
}

/** What stands at the longest part of a path that is there, and the parts that are missing. */
function deepest(root: Node | null, parts: readonly PathPart[]): { readonly at: DocumentPart; readonly missing: readonly PathPart[] } {
  let at: DocumentPart = { node: root, inFlow: false };
  for (const [index, part] of parts.entries()) {
    const { node } = at;
    const pair: Pair | undefined = isMap(node) && typeof part === 'string' ? pairOf(node, part) : undefined;
    const item: unknown = isSeq(node) && typeof part === 'number' ? node.items[part] : undefined;
    if (!pair && item === undefined) return { at, missing: parts.slice(index) };
    const inFlow: boolean = at.inFlow || ((isMap(node) || isSeq(node)) && node.flow === true);
    at = { node: (pair ? pair.value : item) as Node | null, inFlow, ...(pair && { pair, holder: node as YAMLMap }) };
  }
  return { at, missing: [] };
}

/** The lines of a block scalar with another text; its header, its indent and the blank lines behind it stay. */
function literalText(document: EditedDocument, old: string, oldText: string, value: string): string | undefined {
  const [header = '', first = ''] = old.split(/\r?\n/);
  const [oldFirst = ''] = oldText.split('\n');
  if (oldFirst === '' || !first.endsWith(oldFirst)) return undefined;
  const indent = first.slice(0, first.length - oldFirst.length);
  const lines = withoutEnd(value, '\n').split('\n');
  const tail = old.slice(old.trimEnd().length);
  return [header, ...lines.map((line) => (line === '' ? '' : indent + line))].join(lineEndOf(document.text)) + tail;
}

/** Puts a value in the place of a scalar, or behind a key that has none. */
function valueReplaced(document: EditedDocument, { node, pair, holder, inFlow }: DocumentPart, value: unknown): string | undefined {
  const { text, isJson } = document;
  if (node !== null && !isScalar(node)) return undefined;
  const range = node?.range;
  const isEmpty = range === undefined || range === null || text.slice(range[0], range[1]) === '';
  if (!isEmpty) {
    const old = text.slice(range[0], range[1]);
    if (node!.type === 'BLOCK_LITERAL' && typeof value === 'string') {
      const written = literalText(document, old, String(node!.value), value);
      return written === undefined ? undefined : replaced(text, range[0], range[1], written);
    }
    const end = old.endsWith('\n') ? lineEndOf(text) : '';
    return replaced(text, range[0], range[1], scalarText(value, { like: node as Scalar, inFlow, isJson }) + end);
  }
  const key = pair?.key as Scalar | undefined;
  if (!key?.range) return undefined;
  const colon = text.indexOf(':', key.range[1]);
  if (colon < 0 || text.slice(key.range[1], colon).trim() !== '') return undefined;
  const isMapValue = typeof value === 'object' && value !== null;
  if (!isMapValue || inFlow || !holder) return replaced(text, colon + 1, colon + 1, ` ${flowText(value, { inFlow, isJson })}`);
  return inserted(document, { map: holder, behind: pair! }, value);
}

function valueSet(document: EditedDocument, root: Node | null, parts: readonly PathPart[], value: unknown): string | undefined {
  const { at, missing } = deepest(root, parts);
  if (missing.length === 0) return valueReplaced(document, at, value);
  if (missing.some((part) => typeof part === 'number')) return undefined;
  const names = missing as readonly string[];
  if (isMap(at.node)) return inserted(document, { map: at.node, inFlow: at.inFlow, key: names[0]! }, nested(names.slice(1), value));
  return isNullScalar(at.node) ? valueReplaced(document, at, nested(names, value)) : undefined;
}

/** Writes another name in the place of a key, in the quotes that were there. */
function keyRenamed(text: string, map: YAMLMap, name: string, to: string): string | undefined {
  const pairs = map.items.filter((pair) => hasKey(pair, name));
  const key = pairs.length === 1 ? (pairs[0]!.key as Scalar) : undefined;
  if (!key?.range || pairOf(map, to)) return undefined;
  const [from, end] = key.range;
  const quote = text[from] === '"' || text[from] === "'" ? text[from] : '';
  return replaced(text, from, end, `${quote}${to}${quote}`);
}

/** An edit whose path leads into text that is JSON, as one of that text; any other as it is. Undefined where the text can't be edited. */
function ofWholeText(text: string, edit: Edit): Edit | undefined {
  const parts = fieldPathParts(edit.path);
  const { at, missing } = deepest(parseDocument(text, AS_WRITTEN).contents, parts);
  if (missing.length === 0 || !isScalar(at.node) || !jsonObjectOf(at.node.value)) return edit;
  const written = editedDocument(String(at.node.value), [{ ...edit, path: fieldPath(...missing) }], true);
  return written === undefined ? undefined : set(fieldPath(...parts.slice(0, parts.length - missing.length)), written);
}

function oneEdit(text: string, edit: Edit, parts: readonly PathPart[], isJson: boolean): string | undefined {
  const { contents: root } = parseDocument(text, AS_WRITTEN);
  const document: EditedDocument = { text, isJson };
  if (edit.op === 'set') return valueSet(document, root, parts, edit.value);
  const { at, missing } = deepest(root, parts.slice(0, -1));
  const name = parts.at(-1);
  if (edit.op === 'rename') return missing.length === 0 && isMap(at.node) ? keyRenamed(text, at.node, String(name), edit.to) : undefined;
  return missing.length > 0 || !isMap(at.node) || typeof name !== 'string' ? text : removed(document, at, name);
}

function valueOf(text: string, isJson: boolean): unknown {
  return isJson ? JSON.parse(text) : readDocument(text).value;
}

function isRead(text: string, expected: unknown, isJson: boolean): boolean {
  try {
    return deepEqual(valueOf(text, isJson), expected);
  } catch {
    return false;
  }
}

/**
 * A document with the edits written into it: comments, order, quotes and every byte that they do not mean stay.
 *
 * Undefined where that can't be done: where a value comes through an alias, stands for others by its anchor, or is more than a scalar.
 * What was written is read again, and nothing but what the edits say may have changed.
 *
 * @param text - one document, that of its list where the object is an item
 * @param edits - paths from the document
 */
export function editedDocument(text: string, edits: readonly Edit[], isJson: boolean): string | undefined {
  let written = text;
  const done: Edit[] = [];
  for (const each of edits) {
    const edit = ofWholeText(written, each);
    const next = edit && oneEdit(written, edit, fieldPathParts(edit.path), isJson);
    if (next === undefined) return undefined;
    written = next;
    done.push(edit!);
  }
  const expected = edited(valueOf(text, isJson) as object, done);
  return isRead(written, expected, isJson) ? written : undefined;
}

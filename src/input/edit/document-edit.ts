import { isMap, isScalar, isSeq, parseDocument } from 'yaml';
import type { Node, Pair, Scalar, YAMLMap } from 'yaml';
import { checkTimeNow, DeadlineError } from '../../core/budget/deadline';
import { isDeepEqual } from '../../core/collections/deep-equal';
import { applyEdits, parseJsonObject, setField } from '../../core/findings/suggested-fix';
import type { Edit } from '../../core/findings/suggested-fix';
import { buildFieldPath, parseFieldPath } from '../../core/manifest/field-path';
import type { PathPart } from '../../core/manifest/field-path';
import { trimEndCharacters } from '../../core/text/trim-end';
import { exceedsLevels, parseLimitedJson } from '../../core/values/levels';
import { readDocument } from '../yaml';
import { insertEntry, removeEntry } from './map-edit';
import { formatFlowValue, wrapInMaps, formatScalar } from './format-value';
import { hasKey, isNullText, detectLineEnding, findPair, replaceTextRange } from './document-parts';
import type { DocumentPart, EditedDocument } from './document-parts';
import { toSafeText } from '../../core/text/value-text';

/**
 * Maximum number of maps and lists in each other in a document that is edited. The package `yaml` needs several calls for each level, and
 * Node.js aborts the process if V8 compiles a regular expression near the end of the stack.
 */
const MAX_EDITED_LEVELS = 200;

/** Keeps scalars as text, so that keys and values are read as written. */
const SOURCE_TEXT_OPTIONS = { schema: 'failsafe', uniqueKeys: false, merge: false, strict: false, logLevel: 'silent' } as const;

function isNullScalar(node: Node | null): boolean {
  return (
    node === null || (isScalar(node) && node.type !== 'QUOTE_DOUBLE' && node.type !== 'QUOTE_SINGLE' && isNullText(toSafeText(node.value)))
  );
}

/** Finds the deepest existing node on a path, and returns it with the parts of the path below it that do not exist. */
function findDeepestNode(
  root: Node | null,
  parts: readonly PathPart[],
): { readonly at: DocumentPart; readonly missing: readonly PathPart[] } {
  let at: DocumentPart = { node: root, inFlow: false };
  for (const [index, part] of parts.entries()) {
    const { node } = at;
    const pair: Pair | undefined = isMap(node) && typeof part === 'string' ? findPair(node, part) : undefined;
    const item: unknown = isSeq(node) && typeof part === 'number' ? node.items[part] : undefined;
    if (!pair && item === undefined) return { at, missing: parts.slice(index) };
    const inFlow: boolean = at.inFlow || ((isMap(node) || isSeq(node)) && node.flow === true);
    at = { node: (pair ? pair.value : item) as Node | null, inFlow, ...(pair && { pair, parentMap: node as YAMLMap }) };
  }
  return { at, missing: [] };
}

/** Formats the lines of a block scalar with a new text. Keeps its header, its indentation and the blank lines after it. */
function formatLiteralBlock(document: EditedDocument, old: string, oldText: string, value: string): string | undefined {
  const [header = '', first = ''] = old.split(/\r?\n/);
  const [oldFirst = ''] = oldText.split('\n');
  if (oldFirst === '' || !first.endsWith(oldFirst)) return undefined;
  const indent = first.slice(0, first.length - oldFirst.length);
  const lines = trimEndCharacters(value, '\n').split('\n');
  const tail = old.slice(old.trimEnd().length);
  return [header, ...lines.map((line) => (line === '' ? '' : indent + line))].join(detectLineEnding(document.text)) + tail;
}

/** Replaces a scalar with a value, or adds a value to a key that has none. */
function replaceValue(document: EditedDocument, { node, pair, parentMap, inFlow }: DocumentPart, value: unknown): string | undefined {
  const { text, isJson } = document;
  if (node !== null && !isScalar(node)) return undefined;
  const range = node?.range;
  const isEmpty = range === undefined || range === null || text.slice(range[0], range[1]) === '';
  if (!isEmpty) {
    const old = text.slice(range[0], range[1]);
    if (node!.type === 'BLOCK_LITERAL' && typeof value === 'string') {
      const newText = formatLiteralBlock(document, old, toSafeText(node!.value), value);
      return newText === undefined ? undefined : replaceTextRange(text, range[0], range[1], newText);
    }
    const end = old.endsWith('\n') ? detectLineEnding(text) : '';
    return replaceTextRange(text, range[0], range[1], formatScalar(value, { replacedScalar: node as Scalar, inFlow, isJson }) + end);
  }
  const key = pair?.key as Scalar | undefined;
  if (!key?.range) return undefined;
  const colon = text.indexOf(':', key.range[1]);
  if (colon < 0 || text.slice(key.range[1], colon).trim() !== '') return undefined;
  const isMapValue = typeof value === 'object' && value !== null;
  if (!isMapValue || inFlow || !parentMap)
    return replaceTextRange(text, colon + 1, colon + 1, ` ${formatFlowValue(value, { inFlow, isJson })}`);
  return insertEntry(document, { map: parentMap, after: pair! }, value);
}

function setValue(document: EditedDocument, root: Node | null, parts: readonly PathPart[], value: unknown): string | undefined {
  const { at, missing } = findDeepestNode(root, parts);
  if (missing.length === 0) return replaceValue(document, at, value);
  if (missing.some((part) => typeof part === 'number')) return undefined;
  const names = missing as readonly string[];
  if (isMap(at.node)) return insertEntry(document, { map: at.node, inFlow: at.inFlow, key: names[0]! }, wrapInMaps(names.slice(1), value));
  return isNullScalar(at.node) ? replaceValue(document, at, wrapInMaps(names, value)) : undefined;
}

/** Renames a key and keeps its quotes. Returns undefined if the key is missing or duplicated, or if the new name exists already. */
function renameKey(text: string, map: YAMLMap, name: string, to: string): string | undefined {
  const pairs = map.items.filter((pair) => hasKey(pair, name));
  const key = pairs.length === 1 ? (pairs[0]!.key as Scalar) : undefined;
  if (!key?.range || findPair(map, to)) return undefined;
  const [from, end] = key.range;
  const quote = text[from] === '"' || text[from] === "'" ? text[from] : '';
  return replaceTextRange(text, from, end, `${quote}${to}${quote}`);
}

/**
 * Turns an edit below a string of JSON into an edit that sets this string. Returns any other edit unchanged.
 * Returns undefined if the string cannot be edited.
 */
function resolveEmbeddedJsonEdit(root: Node | null, edit: Edit): Edit | undefined {
  const parts = parseFieldPath(edit.path);
  const { at, missing } = findDeepestNode(root, parts);
  if (missing.length === 0 || !isScalar(at.node) || !parseJsonObject(at.node.value)) return edit;
  const newText = applyDocumentEdits(toSafeText(at.node.value), [{ ...edit, path: buildFieldPath(...missing) }], true);
  return newText === undefined ? undefined : setField(buildFieldPath(...parts.slice(0, parts.length - missing.length)), newText);
}

function applyEdit(document: EditedDocument, root: Node | null, edit: Edit): string | undefined {
  const { text } = document;
  const parts = parseFieldPath(edit.path);
  if (edit.op === 'set') return setValue(document, root, parts, edit.value);
  const { at, missing } = findDeepestNode(root, parts.slice(0, -1));
  const name = parts.at(-1);
  if (edit.op === 'rename') return missing.length === 0 && isMap(at.node) ? renameKey(text, at.node, String(name), edit.to) : undefined;
  return missing.length > 0 || !isMap(at.node) || typeof name !== 'string' ? text : removeEntry(document, at, name);
}

function readValue(text: string, isJson: boolean): unknown {
  return isJson ? parseLimitedJson(text) : readDocument(text).value;
}

function matchesExpected(text: string, expected: unknown, isJson: boolean): boolean {
  try {
    return isDeepEqual(readValue(text, isJson), expected);
  } catch (error) {
    if (error instanceof DeadlineError) throw error;
    return false;
  }
}

/**
 * Applies edits to the text of a document. Keeps comments, order, quotes and every byte that no edit changes.
 *
 * Returns undefined if an edit cannot be applied: the value comes from an alias, has an anchor that aliases refer to, or is not a scalar, or
 * the document has more than 200 levels. The new text is read again to verify that only the edited fields changed.
 *
 * @param text - the document; for an item of a list, the document of the list
 * @param edits - edits whose paths start at the document
 */
export function applyDocumentEdits(text: string, edits: readonly Edit[], isJson: boolean): string | undefined {
  const value = readValue(text, isJson);
  if (exceedsLevels(value, MAX_EDITED_LEVELS)) return undefined;
  let newText = text;
  const appliedEdits: Edit[] = [];
  for (const each of edits) {
    checkTimeNow();
    const { contents: root } = parseDocument(newText, SOURCE_TEXT_OPTIONS);
    const edit = resolveEmbeddedJsonEdit(root, each);
    const next = edit && applyEdit({ text: newText, isJson }, root, edit);
    if (next === undefined) return undefined;
    newText = next;
    appliedEdits.push(edit!);
  }
  const expected = applyEdits(value as object, appliedEdits);
  return matchesExpected(newText, expected, isJson) ? newText : undefined;
}

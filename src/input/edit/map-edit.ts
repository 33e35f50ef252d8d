import { isMap } from 'yaml';
import type { Node, Pair, YAMLMap } from 'yaml';
import {
  findContentEnd,
  hasKey,
  findLineAfter,
  detectLineEnding,
  findLineStart,
  findPairEnd,
  replaceTextRange,
  keyStartOf,
} from './document-parts';
import type { DocumentPart, EditedDocument } from './document-parts';
import { formatBlockEntry, formatBlockMap, formatFlowValue } from './format-value';

/** Position of a new entry: a key at the end of a map, or a map as the value of a key that has none. */
export type InsertionPoint =
  | { readonly map: YAMLMap; readonly inFlow: boolean; readonly key: string }
  | { readonly map: YAMLMap; readonly after: Pair };

/** Returns how many columns the maps inside a map are indented; 2 if it contains no block map. */
function detectIndentStep(text: string, map: YAMLMap): number {
  const column = findColumn(text, map);
  for (const { value } of map.items) {
    if (!isMap(value) || value.flow === true || value.items.length === 0) continue;
    const inner = findColumn(text, value);
    if (column !== undefined && inner !== undefined && inner > column) return inner - column;
  }
  return 2;
}

function findColumn(text: string, { items }: YAMLMap): number | undefined {
  const start = items[0] && keyStartOf(items[0]);
  return start === undefined ? undefined : start - findLineStart(text, start);
}

function insertLines(text: string, at: number, lines: readonly string[]): string {
  const end = detectLineEnding(text);
  const isOnOwnLine = at === 0 || text[at - 1] === '\n';
  const block = lines.join(end);
  return replaceTextRange(text, at, at, isOnOwnLine ? block + end : end + block);
}

/** Returns the offset at which to insert a line: before the blank lines at the end of a block scalar, unless they belong to its text. */
function findInsertionLine(text: string, end: number, last: Pair): number {
  const lineAfter = findLineAfter(text, end);
  const { value } = last;
  const range = (value as Node | null)?.range;
  const keepsBlankLines = range !== undefined && range !== null && text.slice(range[0], range[0] + 4).includes('+');
  if (keepsBlankLines) return lineAfter;
  let at = lineAfter;
  while (at > 0 && text[at - 1] === '\n') {
    const previousLine = findLineStart(text, at - 1);
    if (previousLine === 0 || text.slice(previousLine, at).trim() !== '') break;
    at = previousLine;
  }
  return at;
}

/** Adds a key to the end of a map, or a map to a key without a value. */
export function insertEntry(document: EditedDocument, insertionPoint: InsertionPoint, value: unknown): string | undefined {
  const { text } = document;
  const { map } = insertionPoint;
  const column = findColumn(text, map);
  if ('after' in insertionPoint) {
    const end = findPairEnd(insertionPoint.after);
    if (column === undefined || end === undefined) return undefined;
    const step = detectIndentStep(text, map);
    return insertLines(text, findLineAfter(text, end), formatBlockMap(value as object, column + step, step));
  }
  if (map.flow === true || document.isJson) return insertFlowEntry(document, map, insertionPoint.key, value);
  const last = map.items.at(-1);
  const end = last && findPairEnd(last);
  if (column === undefined || end === undefined) return undefined;
  return insertLines(
    text,
    findInsertionLine(text, end, last!),
    formatBlockEntry(insertionPoint.key, value, column, detectIndentStep(text, map)),
  );
}

function insertFlowEntry({ text, isJson }: EditedDocument, map: YAMLMap, key: string, value: unknown): string | undefined {
  const range = map.range;
  if (!range) return undefined;
  const last = map.items.at(-1);
  const isQuoted = isJson || (last !== undefined && text[keyStartOf(last) ?? 0] === '"');
  const pair = `${isQuoted ? JSON.stringify(key) : key}: ${formatFlowValue(value, { inFlow: true, isJson: isQuoted })}`;
  if (!last) return replaceTextRange(text, range[0], range[1], `{${pair}}`);
  const begin = keyStartOf(last);
  const end = findPairEnd(last);
  if (begin === undefined || end === undefined) return undefined;
  // Reuse the whitespace between the last two entries, or between the brace and the first entry.
  const previous = map.items.at(-2);
  const from = previous ? findPairEnd(previous) : range[0] + 1;
  const gap = from === undefined ? '' : text.slice(from, begin).replace(',', '');
  const isClean = gap.trim() === '';
  return replaceTextRange(text, end, end, `,${isClean && gap !== '' ? gap : ' '}${pair}`);
}

/** Removes a pair from a map. Returns undefined if this cannot be done in the text. */
function removePair({ text }: EditedDocument, { node, pair: parentPair, inFlow }: DocumentPart, pair: Pair): string | undefined {
  const map = node as YAMLMap;
  const index = map.items.indexOf(pair);
  const begin = keyStartOf(pair);
  const end = findPairEnd(pair);
  if (begin === undefined || end === undefined) return undefined;
  const next = map.items[index + 1];
  if (map.flow === true || inFlow) {
    const previous = index > 0 ? findPairEnd(map.items[index - 1]!) : undefined;
    if (previous !== undefined) return replaceTextRange(text, previous, end, '');
    return replaceTextRange(text, begin, (next && keyStartOf(next)) ?? end, '');
  }
  if (map.items.length === 1) return replaceWithEmptyMap(text, begin, findContentEnd(map)!, parentPair);
  const start = findLineStart(text, begin);
  if (text.slice(start, begin).trim() === '') return replaceTextRange(text, start, findLineAfter(text, end), '');
  const following = next && keyStartOf(next);
  const between = following === undefined ? '#' : text.slice(end, following);
  return between.trim() === '' ? replaceTextRange(text, begin, following!, '') : undefined;
}

/** Replaces a block map that loses its only key with `{}`, on the line of the parent key if there is only whitespace in between. */
function replaceWithEmptyMap(text: string, begin: number, end: number, parentPair: Pair | undefined): string {
  const key = parentPair?.key as Node | undefined;
  const colon = key?.range ? text.indexOf(':', key.range[1]) : -1;
  const tail = text[end - 1] === '\n' ? detectLineEnding(text) : '';
  if (colon >= 0 && colon < begin && text.slice(colon + 1, begin).trim() === '')
    return replaceTextRange(text, colon + 1, end, ` {}${tail}`);
  return replaceTextRange(text, begin, end, `{}${tail}`);
}

/** Removes a key from a map. Returns the text unchanged if the map does not have it, and undefined if the key is duplicated. */
export function removeEntry(document: EditedDocument, at: DocumentPart, name: string): string | undefined {
  const pairs = (at.node as YAMLMap).items.filter((pair) => hasKey(pair, name));
  if (pairs.length === 0) return document.text;
  return pairs.length === 1 ? removePair(document, at, pairs[0]!) : undefined;
}

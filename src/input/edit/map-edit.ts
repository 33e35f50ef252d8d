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

/** Where something new stands: a key at the end of a map, or a map as the value of a key that has none. */
export type InsertionPoint =
  | { readonly map: YAMLMap; readonly inFlow: boolean; readonly key: string }
  | { readonly map: YAMLMap; readonly behind: Pair };

/** By how much the maps below a map are indented, as far as one shows it. */
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

/** Blank lines that end a block scalar stay behind what is inserted, unless they belong to its text. */
function findInsertionLine(text: string, end: number, last: Pair): number {
  const after = findLineAfter(text, end);
  const { value } = last;
  const range = (value as Node | null)?.range;
  const keeps = range !== undefined && range !== null && text.slice(range[0], range[0] + 4).includes('+');
  if (keeps) return after;
  let at = after;
  while (at > 0 && text[at - 1] === '\n') {
    const before = findLineStart(text, at - 1);
    if (before === 0 || text.slice(before, at).trim() !== '') break;
    at = before;
  }
  return at;
}

/** Puts a key at the end of a map, or a map behind a key without a value. */
export function insertEntry(document: EditedDocument, insertionPoint: InsertionPoint, value: unknown): string | undefined {
  const { text } = document;
  const { map } = insertionPoint;
  const column = findColumn(text, map);
  if ('behind' in insertionPoint) {
    const end = findPairEnd(insertionPoint.behind);
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
  // What parts the last two, or the first from its brace, parts this one as well.
  const before = map.items.at(-2);
  const from = before ? findPairEnd(before) : range[0] + 1;
  const gap = from === undefined ? '' : text.slice(from, begin).replace(',', '');
  const isClean = gap.trim() === '';
  return replaceTextRange(text, end, end, `,${isClean && gap !== '' ? gap : ' '}${pair}`);
}

/** Takes a pair out of a map. */
function removePair({ text }: EditedDocument, { node, pair: own, inFlow }: DocumentPart, pair: Pair): string | undefined {
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
  if (map.items.length === 1) return replaceWithEmptyMap(text, begin, findContentEnd(map)!, own);
  const start = findLineStart(text, begin);
  if (text.slice(start, begin).trim() === '') return replaceTextRange(text, start, findLineAfter(text, end), '');
  const following = next && keyStartOf(next);
  const between = following === undefined ? '#' : text.slice(end, following);
  return between.trim() === '' ? replaceTextRange(text, begin, following!, '') : undefined;
}

/** A block map that has lost its only key: `{}`, on the line of its own key where nothing stands between. */
function replaceWithEmptyMap(text: string, begin: number, end: number, own: Pair | undefined): string {
  const key = own?.key as Node | undefined;
  const colon = key?.range ? text.indexOf(':', key.range[1]) : -1;
  const tail = text[end - 1] === '\n' ? detectLineEnding(text) : '';
  if (colon >= 0 && colon < begin && text.slice(colon + 1, begin).trim() === '')
    return replaceTextRange(text, colon + 1, end, ` {}${tail}`);
  return replaceTextRange(text, begin, end, `{}${tail}`);
}

/** Takes a key out, wherever it stands in the map. The same text where it does not. */
export function removeEntry(document: EditedDocument, at: DocumentPart, name: string): string | undefined {
  const pairs = (at.node as YAMLMap).items.filter((pair) => hasKey(pair, name));
  if (pairs.length === 0) return document.text;
  return pairs.length === 1 ? removePair(document, at, pairs[0]!) : undefined;
}

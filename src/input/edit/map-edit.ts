import { isMap } from 'yaml';
import type { Node, Pair, YAMLMap } from 'yaml';
import { contentEnd, hasKey, lineAfter, lineEndOf, lineStart, pairEnd, replaced, startOf } from './document-parts';
import type { DocumentPart, EditedDocument } from './document-parts';
import { blockLines, blockValue, flowText } from './written-value';

/** Where something new stands: a key at the end of a map, or a map as the value of a key that has none. */
export type NewPlace =
  | { readonly map: YAMLMap; readonly inFlow: boolean; readonly key: string }
  | { readonly map: YAMLMap; readonly behind: Pair };

/** By how much the maps below a map are indented, as far as one shows it. */
function stepOf(text: string, map: YAMLMap): number {
  const column = columnOf(text, map);
  for (const { value } of map.items) {
    if (!isMap(value) || value.flow === true || value.items.length === 0) continue;
    const inner = columnOf(text, value);
    if (column !== undefined && inner !== undefined && inner > column) return inner - column;
  }
  return 2;
}

function columnOf(text: string, { items }: YAMLMap): number | undefined {
  const start = items[0] && startOf(items[0]);
  return start === undefined ? undefined : start - lineStart(text, start);
}

function linesInserted(text: string, at: number, lines: readonly string[]): string {
  const end = lineEndOf(text);
  const isOnOwnLine = at === 0 || text[at - 1] === '\n';
  const block = lines.join(end);
  return replaced(text, at, at, isOnOwnLine ? block + end : end + block);
}

/** Blank lines that end a block scalar stay behind what is inserted, unless they belong to its text. */
function lineForNew(text: string, end: number, last: Pair): number {
  const after = lineAfter(text, end);
  const { value } = last;
  const range = (value as Node | null)?.range;
  const keeps = range !== undefined && range !== null && text.slice(range[0], range[0] + 4).includes('+');
  if (keeps) return after;
  let at = after;
  while (at > 0 && text[at - 1] === '\n') {
    const before = lineStart(text, at - 1);
    if (before === 0 || text.slice(before, at).trim() !== '') break;
    at = before;
  }
  return at;
}

/** Puts a key at the end of a map, or a map behind a key without a value. */
export function inserted(document: EditedDocument, place: NewPlace, value: unknown): string | undefined {
  const { text } = document;
  const { map } = place;
  const column = columnOf(text, map);
  if ('behind' in place) {
    const end = pairEnd(place.behind);
    if (column === undefined || end === undefined) return undefined;
    const step = stepOf(text, map);
    return linesInserted(text, lineAfter(text, end), blockValue(value as object, column + step, step));
  }
  if (map.flow === true || document.isJson) return insertedInFlow(document, map, place.key, value);
  const last = map.items.at(-1);
  const end = last && pairEnd(last);
  if (column === undefined || end === undefined) return undefined;
  return linesInserted(text, lineForNew(text, end, last!), blockLines(place.key, value, column, stepOf(text, map)));
}

function insertedInFlow({ text, isJson }: EditedDocument, map: YAMLMap, key: string, value: unknown): string | undefined {
  const range = map.range;
  if (!range) return undefined;
  const last = map.items.at(-1);
  const isQuoted = isJson || (last !== undefined && text[startOf(last) ?? 0] === '"');
  const pair = `${isQuoted ? JSON.stringify(key) : key}: ${flowText(value, { inFlow: true, isJson: isQuoted })}`;
  if (!last) return replaced(text, range[0], range[1], `{${pair}}`);
  const begin = startOf(last);
  const end = pairEnd(last);
  if (begin === undefined || end === undefined) return undefined;
  // What parts the last two, or the first from its brace, parts this one as well.
  const before = map.items.at(-2);
  const from = before ? pairEnd(before) : range[0] + 1;
  const gap = from === undefined ? '' : text.slice(from, begin).replace(',', '');
  const isClean = gap.trim() === '';
  return replaced(text, end, end, `,${isClean && gap !== '' ? gap : ' '}${pair}`);
}

/** Takes a pair out of a map. */
function pairRemoved({ text }: EditedDocument, { node, pair: own, inFlow }: DocumentPart, pair: Pair): string | undefined {
  const map = node as YAMLMap;
  const index = map.items.indexOf(pair);
  const begin = startOf(pair);
  const end = pairEnd(pair);
  if (begin === undefined || end === undefined) return undefined;
  const next = map.items[index + 1];
  if (map.flow === true || inFlow) {
    const previous = index > 0 ? pairEnd(map.items[index - 1]!) : undefined;
    if (previous !== undefined) return replaced(text, previous, end, '');
    return replaced(text, begin, (next && startOf(next)) ?? end, '');
  }
  if (map.items.length === 1) return emptied(text, begin, contentEnd(map)!, own);
  const start = lineStart(text, begin);
  if (text.slice(start, begin).trim() === '') return replaced(text, start, lineAfter(text, end), '');
  const following = next && startOf(next);
  const between = following === undefined ? '#' : text.slice(end, following);
  return between.trim() === '' ? replaced(text, begin, following!, '') : undefined;
}

/** A block map that has lost its only key: `{}`, on the line of its own key where nothing stands between. */
function emptied(text: string, begin: number, end: number, own: Pair | undefined): string {
  const key = own?.key as Node | undefined;
  const colon = key?.range ? text.indexOf(':', key.range[1]) : -1;
  const tail = text[end - 1] === '\n' ? lineEndOf(text) : '';
  if (colon >= 0 && colon < begin && text.slice(colon + 1, begin).trim() === '') return replaced(text, colon + 1, end, ` {}${tail}`);
  return replaced(text, begin, end, `{}${tail}`);
}

/** Takes a key out, wherever it stands in the map. The same text where it does not. */
export function removed(document: EditedDocument, at: DocumentPart, name: string): string | undefined {
  const pairs = (at.node as YAMLMap).items.filter((pair) => hasKey(pair, name));
  if (pairs.length === 0) return document.text;
  return pairs.length === 1 ? pairRemoved(document, at, pairs[0]!) : undefined;
}

import { isAscii } from 'node:buffer';
import type { Piece } from './content';
import { lastSeparator } from './split';

/** Bytes without a separator from which on a text is no stream of many documents. */
const MOST_APART = 16 * 1024 * 1024;

/** What begins a text that kubectl tries as JSON, or may. */
const MAY_BE_JSON = /^\s*(?:\{|$)/;

function linesIn(text: string, end: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

/**
 * Cuts a stream of YAML into pieces that are read each by itself as they are in the whole: at a separator, so that no document is torn.
 * Undefined where that can't be told: of JSON, of what is not ASCII, in which an offset is not one in the bytes, and where documents are too long.
 *
 * @param length - bytes of the whole
 * @param read - gives some of them
 * @param atOnce - bytes that are read at once; a piece goes as far as their last separator
 */
export function piecesOf(length: number, read: (at: number, end: number) => Buffer, atOnce: number): Piece[] | undefined {
  const pieces: Piece[] = [];
  let begin = 0;
  let line = 0;
  let text = '';
  let searched = 0;
  for (let at = 0; at < length;) {
    const bytes = read(at, Math.min(at + atOnce, length));
    text += bytes.toString('latin1');
    if (!isAscii(bytes) || text.length > MOST_APART || (at === 0 && MAY_BE_JSON.test(text))) return undefined;
    at += bytes.length;
    const separator = lastSeparator(text, searched);
    searched = Math.max(text.lastIndexOf('\n'), 0);
    if (!separator) continue;
    pieces.push({ at: begin, end: begin + separator.at, line });
    begin += separator.end;
    line += linesIn(text, separator.end);
    text = text.slice(separator.end);
    searched = Math.max(searched - separator.end, 0);
  }
  return [...pieces, { at: begin, end: length, line }];
}

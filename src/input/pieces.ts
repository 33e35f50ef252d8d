import { isAscii, isUtf8 } from 'node:buffer';
import type { TextChunk } from './file-content';
import { findLastSeparator } from './split';

/** Bytes without a separator from which on a text is no stream of many documents. */
const MAX_SEPARATOR_DISTANCE = 16 * 1024 * 1024;

/** What begins a text that kubectl tries as JSON, or may: a block of bytes may end within a character. */
const MAY_BE_JSON = /^[\s\u0085]*(?:\{|\ufffd?$)/;

/** What begins a text in UTF-8 that says so, as bytes are read that may stand for less than a character. */
const ENCODING_MARK = '\u00ef\u00bb\u00bf';

function countLines(text: string, end: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

/** The characters that a text of bytes stands for; undefined of what is no UTF-8. */
function countCharacters(text: string): number | undefined {
  const bytes = Buffer.from(text, 'latin1');
  if (isAscii(bytes)) return bytes.length;
  return isUtf8(bytes) ? bytes.toString().length : undefined;
}

/**
 * Cuts a stream of YAML into pieces that are read each by itself as they are in the whole: at a separator, so that no document is torn.
 * Undefined where that can't be told: of JSON, of what is no UTF-8, and where documents are too long.
 *
 * The bytes are looked at as they are, each of them as a character, for a block of them may end within one.
 *
 * @param length - bytes of the whole
 * @param read - gives some of them
 * @param atOnce - bytes that are read at once; a piece goes as far as their last separator
 */
export function splitIntoChunks(length: number, read: (at: number, end: number) => Buffer, atOnce: number): TextChunk[] | undefined {
  const pieces: TextChunk[] = [];
  let begin = 0;
  let beginOfBytes = 0;
  let line = 0;
  let text = '';
  let searched = 0;
  for (let at = 0; at < length;) {
    const bytes = read(at, Math.min(at + atOnce, length));
    if (at === 0 && MAY_BE_JSON.test(bytes.toString())) return undefined;
    text += bytes.toString('latin1');
    if (text.length > MAX_SEPARATOR_DISTANCE) return undefined;
    at += bytes.length;
    if (beginOfBytes === 0 && text.startsWith(ENCODING_MARK)) {
      beginOfBytes = ENCODING_MARK.length;
      text = text.slice(beginOfBytes);
    }
    const separator = findLastSeparator(text, searched);
    searched = Math.max(text.lastIndexOf('\n'), 0);
    if (!separator) continue;
    const characters = countCharacters(text.slice(0, separator.at));
    const between = countCharacters(text.slice(separator.at, separator.end));
    if (characters === undefined || between === undefined) return undefined;
    pieces.push({
      at: begin,
      end: begin + characters,
      line,
      bytes: { at: beginOfBytes, end: beginOfBytes + separator.at },
    });
    begin += characters + between;
    beginOfBytes += separator.end;
    line += countLines(text, separator.end);
    text = text.slice(separator.end);
    searched = Math.max(searched - separator.end, 0);
  }
  const characters = countCharacters(text);
  if (characters === undefined) return undefined;
  return [...pieces, { at: begin, end: begin + characters, line, bytes: { at: beginOfBytes, end: length } }];
}

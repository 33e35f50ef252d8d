import type { FieldOffsets } from './parsed-document';
import { FastFlow } from './fast-flow';
import { UNSUPPORTED_SYNTAX } from './fast-lines';
import { CHARACTER_CODES, LETTERS, buildCharacterTable } from './characters';

const { BACKSLASH, BAR, COLON, DASH, DOUBLE_QUOTE, GREATER, HASH, OPEN_BRACE, OPEN_BRACKET, SINGLE_QUOTE, SPACE, TAB } = CHARACTER_CODES;

/** Value that was read from a text, and its offset. */
export interface FastReadResult {
  readonly value: unknown;
  /** Offset at which the value begins. */
  readonly at: number;
}

/** Characters of a key without quotes. */
const KEY_PART = buildCharacterTable(`${LETTERS}0123456789_-./`);
/** Characters that cannot begin a plain scalar. A dash can if a non-blank character follows. */
const INDICATOR = buildCharacterTable('?:,[]{}#&*!|>\'"%@`');

/**
 * Reads commonly written manifests in one pass: maps, lists, scalars on one or several lines, brackets on one line.
 * It stops at anything else: anchors, aliases, tags, merge keys, non-text keys, duplicate keys, rare escapes and errors.
 * The full reader then reads the document from its beginning.
 *
 * The text must end with a line break. It must contain no line breaks other than LF and CR LF, no control characters,
 * and no characters beyond U+FFFF.
 */
class FastReader extends FastFlow {
  read(from: number): FastReadResult {
    const { text } = this;
    const isMarked = text.charCodeAt(from) === DASH && text.startsWith('---', from);
    if (isMarked) this.endLine(from + 3);
    else this.findLine(from);
    const { at } = this;
    if (this.column < 0) return { value: null, at: from };
    const value = this.readBlock();
    if (this.column >= 0) throw UNSUPPORTED_SYNTAX;
    return { value, at };
  }

  /** Reads the list or map that begins at the current position. */
  private readBlock(): unknown {
    return this.isListItem(this.at) ? this.readList(false) : this.readMap();
  }

  private readMap(): Record<string, unknown> {
    this.enterLevel();
    const { column } = this;
    const map: Record<string, unknown> = {};
    const offsets: Record<string, number> | undefined = this.offsets && Object.create(null);
    if (offsets) this.offsets!.set(map, offsets);
    do {
      this.countEntry();
      const { at } = this;
      const key = this.readKey();
      // No value is undefined, so this finds duplicate keys faster than `in`. It also leaves inherited names such as __proto__ to the full reader.
      if (key === undefined || map[key] !== undefined) throw UNSUPPORTED_SYNTAX;
      if (offsets) offsets[key] = at;
      map[key] = this.readValueAfterColon(column);
    } while (this.column === column);
    if (this.column > column) throw UNSUPPORTED_SYNTAX;
    this.levels--;
    return map;
  }

  /** Reads the key at the current position and its colon. Returns undefined if there is none. */
  private readKey(): string | undefined {
    const { text, at } = this;
    const first = text.charCodeAt(at);
    if (first === DOUBLE_QUOTE || first === SINGLE_QUOTE) return this.readQuotedKey(first);
    if (!this.isKeyStart(first)) return undefined;
    let end = at + 1;
    let code = text.charCodeAt(end);
    while (code < 128 && KEY_PART[code] === 1) code = text.charCodeAt(++end);
    if (!this.isKeyEnd(end)) return undefined;
    const key = text.slice(at, end);
    if (this.isKeyTooLong(at, end) || this.isReservedWord(first, key)) throw UNSUPPORTED_SYNTAX;
    this.at = end + 1;
    return key;
  }

  private readQuotedKey(quote: number): string | undefined {
    const { text, at } = this;
    let end = at + 1;
    for (let code = text.charCodeAt(end); code !== quote; code = text.charCodeAt(++end)) {
      if (code === BACKSLASH || this.isLineEnd(code)) return undefined;
    }
    if (!this.isKeyEnd(end + 1)) return undefined;
    if (this.isKeyTooLong(at, end)) throw UNSUPPORTED_SYNTAX;
    this.at = end + 2;
    return text.slice(at + 1, end);
  }

  private isKeyEnd(at: number): boolean {
    if (this.text.charCodeAt(at) !== COLON) return false;
    const next = this.text.charCodeAt(at + 1);
    return next === SPACE || this.isLineEnd(next);
  }

  /** Reads the value after a colon: on the same line, or below it. */
  private readValueAfterColon(column: number): unknown {
    const { text } = this;
    let { at } = this;
    let code = text.charCodeAt(at);
    while (code === SPACE) code = text.charCodeAt(++at);
    if (!this.isLineEnd(code) && code !== HASH) return this.readInline(at, code, column);
    this.endLine(this.at);
    if (this.column > column) return this.readBlock();
    return this.column === column && this.isListItem(this.at) ? this.readList(true) : null;
  }

  /** @param isLevel - whether the list has the column of its key */
  private readList(isLevel: boolean): unknown[] {
    this.enterLevel();
    const { column } = this;
    const list: unknown[] = [];
    const offsets: Record<number, number> | undefined = this.offsets && Object.create(null);
    if (offsets) this.offsets!.set(list, offsets);
    do {
      this.countEntry();
      const dash = this.at;
      const value = this.readItem(column, offsets, list.length);
      if (offsets && offsets[list.length] === undefined) offsets[list.length] = dash;
      list.push(value);
    } while (this.column === column && this.isListItem(this.at));
    if (this.column > column || (!isLevel && this.column === column)) throw UNSUPPORTED_SYNTAX;
    this.levels--;
    // A grown array reserves memory for 17 items, and most lists have one or two.
    return offsets ? list : list.slice();
  }

  private readItem(column: number, offsets: Record<number, number> | undefined, index: number): unknown {
    const { text } = this;
    const dash = this.at;
    let at = dash + 1;
    let code = text.charCodeAt(at);
    while (code === SPACE) code = text.charCodeAt(++at);
    if (this.isLineEnd(code) || code === HASH) {
      this.endLine(dash + 1);
      if (this.column <= column) return null;
      if (offsets) offsets[index] = this.at;
      return this.readBlock();
    }
    if (offsets) offsets[index] = at;
    this.at = at;
    if (this.isListItem(at) || this.isKey()) {
      this.column = column + at - dash;
      return this.readBlock();
    }
    return this.readInline(at, code, column);
  }

  private isKey(): boolean {
    const { at } = this;
    const isKey = this.readKey() !== undefined;
    this.at = at;
    return isKey;
  }

  /** Reads a value that begins in the middle of a line. */
  private readInline(at: number, first: number, column: number): unknown {
    switch (first) {
      case BAR:
      case GREATER:
        return this.readBlockScalar(at, column);
      case DOUBLE_QUOTE:
      case SINGLE_QUOTE:
        return this.readQuoted(at, first, column);
      case OPEN_BRACKET:
      case OPEN_BRACE: {
        this.at = at;
        const value = this.readFlow();
        this.endLine(this.at);
        return value;
      }
    }
    if (first < 128 && INDICATOR[first] === 1) throw UNSUPPORTED_SYNTAX;
    if (this.isListItem(at) || first === TAB) throw UNSUPPORTED_SYNTAX;
    return this.readPlain(at, first, column);
  }
}

/** Characters and line breaks that only the full reader treats as kubectl's parser does. */
// oxlint-disable-next-line no-control-regex -- the pattern matches control characters
const UNCOMMON_CHARACTER = /[^\t\n\r -~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]|\r(?!\n)/;

/** Reports whether `readFast` supports all characters of a text. It scans the full text, so call it once per file, not once per document. */
export function hasOnlyCommonCharacters(text: string): boolean {
  return !UNCOMMON_CHARACTER.test(text);
}

/**
 * Reads the single document between two offsets of a text.
 * The text must pass `hasOnlyCommonCharacters`, and the document must end with a line break.
 * Returns undefined if the document needs the full reader, `readDocument`. Otherwise both readers return the same value.
 *
 * @param offsets - receives the offsets, in the text, of the keys of each map and the items of each list
 * @param isLate - reports whether the time budget is exceeded. @default - no time limit
 */
export function readFast(
  text: string,
  from: number,
  end: number,
  offsets?: Map<object, FieldOffsets>,
  isLate?: () => boolean,
): FastReadResult | undefined {
  try {
    return new FastReader(text, end, offsets, isLate).read(from);
  } catch (error) {
    if (error === UNSUPPORTED_SYNTAX) return undefined;
    throw error;
  }
}

import type { Places } from './yaml-document';
import { FastFlow } from './fast-yaml-flow';
import { BEYOND } from './fast-yaml-lines';
import { CODES, LETTERS, setOf } from './yaml-characters';

const { BACKSLASH, BAR, COLON, DASH, DOUBLE_QUOTE, GREATER, HASH, OPEN_BRACE, OPEN_BRACKET, SINGLE_QUOTE, SPACE, TAB } = CODES;

/** What a text was read as, and where it stands. */
export interface FastReading {
  readonly value: unknown;
  /** Where the value begins. */
  readonly at: number;
}

/** What a key without quotes consists of. */
const KEY_PART = setOf(`${LETTERS}0123456789_-./`);
/** What no plain scalar begins with. A dash does where something follows it. */
const INDICATOR = setOf('?:,[]{}#&*!|>\'"%@`');

/**
 * Reads manifests as they are commonly written, in one pass: maps, lists, scalars in one line or several, brackets on one line.
 * Whatever is not certain here (anchors, aliases, tags, merge keys, keys that are no text, keys that stand twice, odd escapes, errors)
 * ends it, and the whole document goes to the reader of all of YAML.
 *
 * The text has to end with a line break, and to have none but LF and CR LF, no control characters, and no characters beyond U+FFFF.
 */
class FastReader extends FastFlow {
  read(from: number): FastReading {
    const { text } = this;
    const isMarked = text.charCodeAt(from) === DASH && text.startsWith('---', from);
    if (isMarked) this.endLine(from + 3);
    else this.findLine(from);
    const { at } = this;
    if (this.column < 0) return { value: null, at: from };
    const value = this.block();
    if (this.column >= 0) throw BEYOND;
    return { value, at };
  }

  /** The list or map that begins at hand. */
  private block(): unknown {
    return this.isItem(this.at) ? this.list(false) : this.map();
  }

  private map(): Record<string, unknown> {
    this.enter();
    const { column } = this;
    const map: Record<string, unknown> = {};
    const places: Record<string, number> | undefined = this.places && Object.create(null);
    if (places) this.places!.set(map, places);
    do {
      this.countEntry();
      const { at } = this;
      const key = this.key();
      // Names of every object's own, __proto__ among them, are left to the other reader as well. No value is undefined: to ask for it takes less than `in`.
      if (key === undefined || map[key] !== undefined) throw BEYOND;
      if (places) places[key] = at;
      map[key] = this.valueBehind(column);
    } while (this.column === column);
    if (this.column > column) throw BEYOND;
    this.levels--;
    return map;
  }

  /** The key at hand, its colon left behind; undefined where there is none. */
  private key(): string | undefined {
    const { text, at } = this;
    const first = text.charCodeAt(at);
    if (first === DOUBLE_QUOTE || first === SINGLE_QUOTE) return this.quotedKey(first);
    if (!this.beginsKey(first)) return undefined;
    let end = at + 1;
    let code = text.charCodeAt(end);
    while (code < 128 && KEY_PART[code] === 1) code = text.charCodeAt(++end);
    if (!this.isKeyEnd(end)) return undefined;
    const key = text.slice(at, end);
    if (this.isTooLong(at, end) || this.isWord(first, key)) throw BEYOND;
    this.at = end + 1;
    return key;
  }

  private quotedKey(quote: number): string | undefined {
    const { text, at } = this;
    let end = at + 1;
    for (let code = text.charCodeAt(end); code !== quote; code = text.charCodeAt(++end)) {
      if (code === BACKSLASH || this.isLineEnd(code)) return undefined;
    }
    if (!this.isKeyEnd(end + 1)) return undefined;
    if (this.isTooLong(at, end)) throw BEYOND;
    this.at = end + 2;
    return text.slice(at + 1, end);
  }

  private isKeyEnd(at: number): boolean {
    if (this.text.charCodeAt(at) !== COLON) return false;
    const next = this.text.charCodeAt(at + 1);
    return next === SPACE || this.isLineEnd(next);
  }

  /** The value behind a colon: on its line, or below. */
  private valueBehind(column: number): unknown {
    const { text } = this;
    let { at } = this;
    let code = text.charCodeAt(at);
    while (code === SPACE) code = text.charCodeAt(++at);
    if (!this.isLineEnd(code) && code !== HASH) return this.inline(at, code, column);
    this.endLine(this.at);
    if (this.column > column) return this.block();
    return this.column === column && this.isItem(this.at) ? this.list(true) : null;
  }

  /** @param isLevel - is it no further in than the key that it is the value of? */
  private list(isLevel: boolean): unknown[] {
    this.enter();
    const { column } = this;
    const list: unknown[] = [];
    const places: Record<number, number> | undefined = this.places && Object.create(null);
    if (places) this.places!.set(list, places);
    do {
      this.countEntry();
      const dash = this.at;
      const value = this.item(column, places, list.length);
      if (places && places[list.length] === undefined) places[list.length] = dash;
      list.push(value);
    } while (this.column === column && this.isItem(this.at));
    if (this.column > column || (!isLevel && this.column === column)) throw BEYOND;
    this.levels--;
    // One that has grown keeps room for 17 items, of which most lists have one or two.
    return places ? list : list.slice();
  }

  private item(column: number, places: Record<number, number> | undefined, index: number): unknown {
    const { text } = this;
    const dash = this.at;
    let at = dash + 1;
    let code = text.charCodeAt(at);
    while (code === SPACE) code = text.charCodeAt(++at);
    if (this.isLineEnd(code) || code === HASH) {
      this.endLine(dash + 1);
      if (this.column <= column) return null;
      if (places) places[index] = this.at;
      return this.block();
    }
    if (places) places[index] = at;
    this.at = at;
    if (this.isItem(at) || this.isKey()) {
      this.column = column + at - dash;
      return this.block();
    }
    return this.inline(at, code, column);
  }

  private isKey(): boolean {
    const { at } = this;
    const isKey = this.key() !== undefined;
    this.at = at;
    return isKey;
  }

  /** A value that begins in the midst of a line. */
  private inline(at: number, first: number, column: number): unknown {
    switch (first) {
      case BAR:
      case GREATER:
        return this.blockScalar(at, column);
      case DOUBLE_QUOTE:
      case SINGLE_QUOTE:
        return this.quoted(at, first, column);
      case OPEN_BRACKET:
      case OPEN_BRACE: {
        this.at = at;
        const value = this.flow();
        this.endLine(this.at);
        return value;
      }
    }
    if (first < 128 && INDICATOR[first] === 1) throw BEYOND;
    if (this.isItem(at) || first === TAB) throw BEYOND;
    return this.plain(at, first, column);
  }
}

/** Characters and line ends that make kubectl's parser do what is not done here. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const UNCOMMON = /[^\t\n\r -~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]|\r(?!\n)/;

/** Is a text free of what `readFast` has not been made for? Looks at all of it, so of a file rather than of each of its documents. */
export function isCommon(text: string): boolean {
  return !UNCOMMON.test(text);
}

/**
 * Reads the one document between two offsets of a text, which `isCommon` was asked about, and which ends with a line break there.
 * Undefined where it is for the reader of all of YAML, `readDocument`; where it is not, both read the same.
 *
 * @param places - learns the offsets, in the text, of the keys of each map and the items of each list
 * @param isLate - has reading taken longer than it may? @default - it may take as long as it takes
 */
export function readFast(
  text: string,
  from: number,
  end: number,
  places?: Map<object, Places>,
  isLate?: () => boolean,
): FastReading | undefined {
  try {
    return new FastReader(text, end, places, isLate).read(from);
  } catch (error) {
    if (error === BEYOND) return undefined;
    throw error;
  }
}

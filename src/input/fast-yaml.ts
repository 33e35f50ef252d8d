import type { Places } from './yaml-document';
import { resolvePlain } from './yaml-scalar';

/** What a text was read as, and where it stands. */
export interface FastReading {
  readonly value: unknown;
  /** Where the value begins. */
  readonly at: number;
}

/** What this reader does not take is left to the other one; one object for all, since it is thrown often. */
const BEYOND = new Error('beyond what the fast reader takes');

/** Levels of maps and lists. Few manifests have more than 20. */
const MAX_LEVELS = 100;
/** Well below the length at which kubectl's parser takes a text for no key any more. */
const MAX_KEY = 500;

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const DOUBLE_QUOTE = 34;
const HASH = 35;
const SINGLE_QUOTE = 39;
const PLUS = 43;
const COMMA = 44;
const DASH = 45;
const ZERO = 48;
const NINE = 57;
const COLON = 58;
const GREATER = 62;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const BAR = 124;
const CLOSE_BRACE = 125;

function setOf(characters: string): Uint8Array {
  const set = new Uint8Array(128);
  for (const character of characters) set[character.charCodeAt(0)] = 1;
  return set;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** What a key without quotes begins with here, and consists of. Others may be numbers, or no keys. */
const KEY_START = setOf(`${LETTERS}_`);
const KEY_PART = setOf(`${LETTERS}0123456789_-./`);
/** In place of a quotation mark. */
const UNQUOTED = 0;
/** What no plain scalar begins with. A dash does where something follows it. */
const INDICATOR = setOf('?:,[]{}#&*!|>\'"%@`');
/** What a plain scalar that is no text begins with. */
const MAY_BE_OTHER = setOf('+-.0123456789~yYnNtTfFoO');
const WORD_START = setOf('~yYnNtTfFoO');
const LONGEST_WORD = 5;
const JSON_ESCAPE = setOf('"\\nrtbf');
const FLOW_PLAIN_START = setOf(`${LETTERS}0123456789_./`);
const FLOW_PLAIN_PART = setOf(`${LETTERS}0123456789_./%-`);

/** A line of a folded scalar that begins with a blank keeps its breaks. */
function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  return first === SPACE || first === TAB;
}

/**
 * Reads manifests as they are commonly written, in one pass: maps, lists, scalars in one line or several, brackets on one line.
 * Whatever is not certain here (anchors, aliases, tags, merge keys, keys that are no text, keys that stand twice, odd escapes, errors)
 * ends it, and the whole document goes to the reader of all of YAML.
 *
 * The text has to end with a line break, and to have none but LF and CR LF, no control characters, and no characters beyond U+FFFF.
 */
class FastReader {
  /** The first character of the line at hand that is no blank; behind a value, of the next line that has content. */
  private at = 0;
  /** Its column; -1 at the end of the text. */
  private column = 0;
  private levels = 0;

  constructor(
    private readonly text: string,
    private readonly end: number,
    private readonly places: Map<object, Places> | undefined,
  ) {}

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

  /** Looks for the first line with content from the beginning of a line on. */
  private findLine(from: number): void {
    const { text, end } = this;
    let start = from;
    while (start < end) {
      let at = start;
      let code = text.charCodeAt(at);
      while (code === SPACE) code = text.charCodeAt(++at);
      if (code === HASH) {
        start = text.indexOf('\n', at) + 1;
      } else if (code === LF) {
        start = at + 1;
      } else if (code === CR) {
        start = at + 2;
      } else {
        if (code === TAB) throw BEYOND;
        this.at = at;
        this.column = at - start;
        return;
      }
    }
    this.at = end;
    this.column = -1;
  }

  /** Nothing but blanks and a comment may follow; goes on to the next line with content. */
  private endLine(from: number): void {
    const { text } = this;
    let at = from;
    let code = text.charCodeAt(at);
    while (code === SPACE) code = text.charCodeAt(++at);
    if (code === LF) this.findLine(at + 1);
    else if (code === CR) this.findLine(at + 2);
    else if (code === HASH && at > from) this.findLine(text.indexOf('\n', at) + 1);
    else throw BEYOND;
  }

  private isLineEnd(code: number): boolean {
    return code === LF || code === CR;
  }

  /** Is there a dash that begins an item? */
  private isItem(at: number): boolean {
    if (this.text.charCodeAt(at) !== DASH) return false;
    const next = this.text.charCodeAt(at + 1);
    return next === SPACE || this.isLineEnd(next);
  }

  /** The list or map that begins at hand. */
  private block(): unknown {
    return this.isItem(this.at) ? this.list(false) : this.map();
  }

  private enter(): void {
    if (++this.levels > MAX_LEVELS) throw BEYOND;
  }

  private map(): Record<string, unknown> {
    this.enter();
    const { column } = this;
    const map: Record<string, unknown> = {};
    const places: Record<string, number> | undefined = this.places && Object.create(null);
    if (places) this.places!.set(map, places);
    do {
      const { at } = this;
      const key = this.key();
      // Names of every object's own, __proto__ among them, are left to the other reader as well.
      if (key === undefined || key in map) throw BEYOND;
      if (places) places[key] = at;
      map[key] = this.valueOf(column);
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
    if (first > 127 || KEY_START[first] !== 1) return undefined;
    let end = at + 1;
    let code = text.charCodeAt(end);
    while (code < 128 && KEY_PART[code] === 1) code = text.charCodeAt(++end);
    if (!this.isKeyEnd(end)) return undefined;
    const key = text.slice(at, end);
    if (end - at > MAX_KEY || this.isWord(first, key)) throw BEYOND;
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
    if (end - at > MAX_KEY) throw BEYOND;
    this.at = end + 2;
    return text.slice(at + 1, end);
  }

  private isKeyEnd(at: number): boolean {
    if (this.text.charCodeAt(at) !== COLON) return false;
    const next = this.text.charCodeAt(at + 1);
    return next === SPACE || this.isLineEnd(next);
  }

  /** Is a plain text a boolean or null? */
  private isWord(first: number, text: string): boolean {
    return text.length <= LONGEST_WORD && WORD_START[first] === 1 && typeof resolvePlain(text) !== 'string';
  }

  /** The value behind a colon: on its line, or below. */
  private valueOf(column: number): unknown {
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

  private plain(from: number, first: number, column: number): unknown {
    const end = this.plainEnd(from);
    const text = this.text.slice(from, end);
    if (this.text.charCodeAt(this.at) === HASH) {
      this.endLine(this.at - 1);
      return this.resolved(text, first);
    }
    return this.resolved(this.continued(text, column, UNQUOTED), first);
  }

  /** The end of the text of a line; what follows it, a line break or a comment, is at hand. */
  private plainEnd(from: number): number {
    const { text } = this;
    let at = from;
    let end = from;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === SPACE) {
        at++;
        continue;
      }
      if (code === LF || code === CR || (code === HASH && at > end)) break;
      if (code === TAB) throw BEYOND;
      if (code === COLON) {
        const next = text.charCodeAt(at + 1);
        if (next === SPACE || next === TAB || this.isLineEnd(next)) throw BEYOND;
      }
      at++;
      end = at;
    }
    this.at = at;
    return end;
  }

  /**
   * Folds the lines of a scalar that are further in than the block around it, as far as its closing quotation mark, which is at hand then;
   * without quotes to the last of them, and the next line with content is at hand.
   */
  private continued(first: string, column: number, quote: number): string {
    const { text, end } = this;
    let whole = first;
    let blanks = 0;
    let start = text.indexOf('\n', this.at) + 1;
    while (start < end) {
      let at = start;
      let code = text.charCodeAt(at);
      while (code === SPACE) code = text.charCodeAt(++at);
      if (this.isLineEnd(code)) {
        blanks++;
        start = code === LF ? at + 1 : at + 2;
        continue;
      }
      if (code === TAB) throw BEYOND;
      if (at - start <= column || (quote === UNQUOTED && code === HASH)) break;
      whole += (blanks === 0 ? ' ' : '\n'.repeat(blanks)) + (quote === UNQUOTED ? this.plainLine(at) : this.quotedLine(at, quote));
      if (quote !== UNQUOTED && text.charCodeAt(this.at) === quote) return whole;
      blanks = 0;
      start = text.indexOf('\n', this.at) + 1;
    }
    if (quote !== UNQUOTED) throw BEYOND;
    this.findLine(start);
    return whole;
  }

  private plainLine(at: number): string {
    const end = this.plainEnd(at);
    if (this.text.charCodeAt(this.at) === HASH) throw BEYOND;
    return this.text.slice(at, end);
  }

  /** Blanks before the end of a line do not count, before the closing quotation mark they do. */
  private quotedLine(at: number, quote: number): string {
    const end = this.quotedEnd(at, quote);
    this.at = end;
    let last = end;
    if (this.text.charCodeAt(end) !== quote) while (last > at && this.text.charCodeAt(last - 1) === SPACE) last--;
    return this.text.slice(at, last);
  }

  private resolved(text: string, first: number): unknown {
    if (first > 127 || MAY_BE_OTHER[first] !== 1) return text;
    if (WORD_START[first] === 1) return text.length <= LONGEST_WORD ? resolvePlain(text) : text;
    return this.digits(text) ?? resolvePlain(text);
  }

  /** What most numbers are: a few digits. */
  private digits(text: string): number | undefined {
    if (text.length > 9 || (text.length > 1 && text.charCodeAt(0) === ZERO)) return undefined;
    let value = 0;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code < ZERO || code > NINE) return undefined;
      value = value * 10 + code - ZERO;
    }
    return value;
  }

  private quoted(from: number, quote: number, column: number): string {
    const first = this.quotedLine(from + 1, quote);
    if (this.text.charCodeAt(this.at) === quote) {
      const end = this.at;
      this.endLine(end + 1);
      return this.unquoted(from + 1, end, quote);
    }
    const whole = this.continued(first, column, quote);
    if (quote === DOUBLE_QUOTE && whole.includes('\\')) throw BEYOND;
    this.endLine(this.at + 1);
    return quote === SINGLE_QUOTE ? whole.replaceAll("''", "'") : whole;
  }

  /** The closing quotation mark, or the end of the line where there is none. */
  private quotedEnd(from: number, quote: number): number {
    const { text } = this;
    for (let at = from; ; at++) {
      const code = text.charCodeAt(at);
      if (code === LF || code === CR) return at;
      if (code === TAB) throw BEYOND;
      if (code === BACKSLASH && quote === DOUBLE_QUOTE) at = this.escapeEnd(at);
      if (code !== quote) continue;
      if (quote === DOUBLE_QUOTE || text.charCodeAt(at + 1) !== SINGLE_QUOTE) return at;
      at++;
    }
  }

  /** The last character of an escape sequence that JSON has too and reads in the same way. */
  private escapeEnd(at: number): number {
    const escape = this.text.charCodeAt(at + 1);
    if (escape < 128 && JSON_ESCAPE[escape] === 1) return at + 1;
    if (/^\\u(?:[0-9a-cA-CefEF][0-9a-fA-F]|[dD][0-7])[0-9a-fA-F]{2}$/.test(this.text.slice(at, at + 6))) return at + 5;
    throw BEYOND;
  }

  private unquoted(from: number, end: number, quote: number): string {
    const written = this.text.slice(from, end);
    if (quote === SINGLE_QUOTE) return written.includes("'") ? written.replaceAll("''", "'") : written;
    return written.includes('\\') ? (JSON.parse(`"${written}"`) as string) : written;
  }

  private blockScalar(from: number, column: number): string {
    const { text, end } = this;
    const isLiteral = text.charCodeAt(from) === BAR;
    const mark = text.charCodeAt(from + 1);
    const isChomped = mark === DASH;
    const isKept = mark === PLUS;
    let header = from + (isChomped || isKept ? 2 : 1);
    while (text.charCodeAt(header) === SPACE) header++;
    const behind = text.charCodeAt(header);
    if (!this.isLineEnd(behind) && (behind !== HASH || text.charCodeAt(header - 1) !== SPACE)) throw BEYOND;
    let start = text.indexOf('\n', header) + 1;

    const lines: string[] = [];
    let indent = -1;
    let blanks = 0;
    let widest = 0;
    let isPreviousIndented = false;
    while (start < end) {
      let at = start;
      const limit = indent < 0 ? end : start + indent;
      let code = text.charCodeAt(at);
      while (code === SPACE && at < limit) code = text.charCodeAt(++at);
      if (this.isLineEnd(code)) {
        widest = Math.max(widest, at - start);
        blanks++;
        start = code === LF ? at + 1 : at + 2;
        continue;
      }
      if (indent < 0) {
        if (at - start <= column || widest > at - start || code === TAB) throw BEYOND;
        indent = at - start;
      }
      if (at - start < indent) {
        if (code === TAB) throw BEYOND;
        break;
      }
      const next = text.indexOf('\n', at) + 1;
      const line = text.slice(at, text.charCodeAt(next - 2) === CR ? next - 2 : next - 1);
      const isIndented = isBlank(line);
      const isFolded = !isLiteral && lines.length > 0 && !isPreviousIndented && !isIndented;
      if (isFolded) lines.push(blanks === 0 ? ' ' : '\n'.repeat(blanks), line);
      else lines.push('\n'.repeat(blanks + (lines.length > 0 ? 1 : 0)), line);
      isPreviousIndented = isIndented;
      blanks = 0;
      start = next;
    }
    if (lines.length === 0) throw BEYOND;
    this.findLine(start);
    if (isChomped) return lines.join('');
    return `${lines.join('')}\n${isKept ? '\n'.repeat(blanks) : ''}`;
  }

  /** A list or map in brackets, all on one line. */
  private flow(): unknown {
    this.enter();
    const isList = this.text.charCodeAt(this.at) === OPEN_BRACKET;
    const close = isList ? CLOSE_BRACKET : CLOSE_BRACE;
    const holder: Record<string | number, unknown> = isList ? ([] as unknown as Record<number, unknown>) : {};
    const places: Record<string | number, number> | undefined = this.places && Object.create(null);
    if (places) this.places!.set(holder, places);
    this.at++;
    let count = 0;
    for (let code = this.flowNext(); code !== close; count++) {
      if (count > 0) {
        if (code !== COMMA) throw BEYOND;
        this.at++;
        code = this.flowNext();
      }
      const { at } = this;
      const key = isList ? count : this.flowKey(code);
      if (!isList && key in holder) throw BEYOND;
      if (places) places[key] = at;
      holder[key] = this.flowValue(this.flowNext());
      code = this.flowNext();
    }
    this.at++;
    this.levels--;
    return holder;
  }

  private flowNext(): number {
    let code = this.text.charCodeAt(this.at);
    while (code === SPACE) code = this.text.charCodeAt(++this.at);
    return code;
  }

  private flowKey(first: number): string {
    const { at } = this;
    const isQuoted = first === DOUBLE_QUOTE || first === SINGLE_QUOTE;
    const key = isQuoted ? this.flowQuoted(first) : this.flowPlain(first);
    if (this.at - at > MAX_KEY || this.text.charCodeAt(this.at) !== COLON) throw BEYOND;
    const isCertain = isQuoted || (this.text.charCodeAt(this.at + 1) === SPACE && KEY_START[first] === 1 && !this.isWord(first, key));
    if (!isCertain) throw BEYOND;
    this.at++;
    return key;
  }

  private flowValue(first: number): unknown {
    if (first === DOUBLE_QUOTE || first === SINGLE_QUOTE) return this.flowQuoted(first);
    if (first === OPEN_BRACKET || first === OPEN_BRACE) return this.flow();
    const text = this.flowPlain(first);
    const next = this.flowNext();
    if (next !== COMMA && next !== CLOSE_BRACKET && next !== CLOSE_BRACE) throw BEYOND;
    return this.resolved(text, first);
  }

  private flowQuoted(quote: number): string {
    const from = this.at + 1;
    const end = this.quotedEnd(from, quote);
    if (this.text.charCodeAt(end) !== quote) throw BEYOND;
    this.at = end + 1;
    return this.unquoted(from, end, quote);
  }

  private flowPlain(first: number): string {
    const { text, at } = this;
    if (first > 127 || FLOW_PLAIN_START[first] !== 1) throw BEYOND;
    let end = at + 1;
    for (let code = text.charCodeAt(end); code < 128 && FLOW_PLAIN_PART[code] === 1;) code = text.charCodeAt(++end);
    this.at = end;
    return text.slice(at, end);
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
 */
export function readFast(text: string, from: number, end: number, places?: Map<object, Places>): FastReading | undefined {
  try {
    return new FastReader(text, end, places).read(from);
  } catch (error) {
    if (error === BEYOND) return undefined;
    throw error;
  }
}

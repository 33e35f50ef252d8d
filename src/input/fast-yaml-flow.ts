import { BEYOND } from './fast-yaml-lines';
import { FastScalars } from './fast-yaml-scalars';
import { CODES, LETTERS, setOf } from './yaml-characters';

const { CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, DOUBLE_QUOTE, OPEN_BRACE, OPEN_BRACKET, SINGLE_QUOTE, SPACE } = CODES;

/** Levels of maps and lists. Few manifests have more than 20. */
const MAX_LEVELS = 100;
/** Well below the length at which kubectl's parser takes a text for no key any more. */
const MAX_KEY = 500;

/** What a key without quotes begins with here. Others may be numbers, or no keys. */
const KEY_START = setOf(`${LETTERS}_`);
const FLOW_PLAIN_START = setOf(`${LETTERS}0123456789_./`);
const FLOW_PLAIN_PART = setOf(`${LETTERS}0123456789_./%-`);

/** Lists and maps in brackets. */
export abstract class FastFlow extends FastScalars {
  protected levels = 0;

  protected enter(): void {
    if (++this.levels > MAX_LEVELS) throw BEYOND;
  }

  /** A list or map in brackets, all on one line. */
  protected flow(): unknown {
    this.enter();
    const isList = this.text.charCodeAt(this.at) === OPEN_BRACKET;
    const close = isList ? CLOSE_BRACKET : CLOSE_BRACE;
    const holder: Record<string | number, unknown> = isList ? ([] as unknown as Record<number, unknown>) : {};
    const places: Record<string | number, number> | undefined = this.places && Object.create(null);
    if (places) this.places!.set(holder, places);
    this.at++;
    let count = 0;
    for (let code = this.flowNext(); code !== close; count++) {
      this.countEntry();
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

  protected beginsKey(character: number): boolean {
    return character < 128 && KEY_START[character] === 1;
  }

  /** Is what begins at one offset and ends at another too long for a key? */
  protected isTooLong(at: number, end: number): boolean {
    return end - at > MAX_KEY;
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
    if (this.isTooLong(at, this.at) || this.text.charCodeAt(this.at) !== COLON) throw BEYOND;
    const isCertain = isQuoted || (this.text.charCodeAt(this.at + 1) === SPACE && this.beginsKey(first) && !this.isWord(first, key));
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

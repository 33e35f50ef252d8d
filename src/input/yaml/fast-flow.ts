import { UNSUPPORTED_SYNTAX } from './fast-lines';
import { FastScalars } from './fast-scalars';
import { CHARACTER_CODES, LETTERS, buildCharacterTable } from './characters';

const { CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, DOUBLE_QUOTE, OPEN_BRACE, OPEN_BRACKET, SINGLE_QUOTE, SPACE } = CHARACTER_CODES;

/** Maximum depth of maps and lists. Few manifests have more than 20 levels. */
const MAX_LEVELS = 100;
/** Maximum length of a key: well below the length at which kubectl's parser no longer accepts a key. */
const MAX_KEY_LENGTH = 500;

/** Characters that may begin a key without quotes. Other texts may be numbers, or not keys at all. */
const KEY_START = buildCharacterTable(`${LETTERS}_`);
const FLOW_PLAIN_START = buildCharacterTable(`${LETTERS}0123456789_./`);
const FLOW_PLAIN_PART = buildCharacterTable(`${LETTERS}0123456789_./%-`);

/** Reads lists and maps in brackets. */
export abstract class FastFlow extends FastScalars {
  protected levels = 0;

  protected enterLevel(): void {
    if (++this.levels > MAX_LEVELS) throw UNSUPPORTED_SYNTAX;
  }

  /** Reads a list or map in brackets that is on one line. */
  protected readFlow(): unknown {
    this.enterLevel();
    const isList = this.text.charCodeAt(this.at) === OPEN_BRACKET;
    const close = isList ? CLOSE_BRACKET : CLOSE_BRACE;
    const collection: Record<string | number, unknown> = isList ? ([] as unknown as Record<number, unknown>) : {};
    const offsets: Record<string | number, number> | undefined = this.offsets && Object.create(null);
    if (offsets) this.offsets!.set(collection, offsets);
    this.at++;
    let count = 0;
    for (let code = this.skipSpaces(); code !== close; count++) {
      this.countEntry();
      if (count > 0) {
        if (code !== COMMA) throw UNSUPPORTED_SYNTAX;
        this.at++;
        code = this.skipSpaces();
      }
      const { at } = this;
      const key = isList ? count : this.readFlowKey(code);
      if (!isList && key in collection) throw UNSUPPORTED_SYNTAX;
      if (offsets) offsets[key] = at;
      collection[key] = this.readFlowValue(this.skipSpaces());
      code = this.skipSpaces();
    }
    this.at++;
    this.levels--;
    return collection;
  }

  protected isKeyStart(character: number): boolean {
    return character < 128 && KEY_START[character] === 1;
  }

  /** Reports whether the text between two offsets is too long for a key. */
  protected isKeyTooLong(at: number, end: number): boolean {
    return end - at > MAX_KEY_LENGTH;
  }

  private skipSpaces(): number {
    let code = this.text.charCodeAt(this.at);
    while (code === SPACE) code = this.text.charCodeAt(++this.at);
    return code;
  }

  private readFlowKey(first: number): string {
    const { at } = this;
    const isQuoted = first === DOUBLE_QUOTE || first === SINGLE_QUOTE;
    const key = isQuoted ? this.readFlowQuoted(first) : this.readFlowPlain(first);
    if (this.isKeyTooLong(at, this.at) || this.text.charCodeAt(this.at) !== COLON) throw UNSUPPORTED_SYNTAX;
    const isUnambiguous =
      isQuoted || (this.text.charCodeAt(this.at + 1) === SPACE && this.isKeyStart(first) && !this.isReservedWord(first, key));
    if (!isUnambiguous) throw UNSUPPORTED_SYNTAX;
    this.at++;
    return key;
  }

  private readFlowValue(first: number): unknown {
    if (first === DOUBLE_QUOTE || first === SINGLE_QUOTE) return this.readFlowQuoted(first);
    if (first === OPEN_BRACKET || first === OPEN_BRACE) return this.readFlow();
    const text = this.readFlowPlain(first);
    const next = this.skipSpaces();
    if (next !== COMMA && next !== CLOSE_BRACKET && next !== CLOSE_BRACE) throw UNSUPPORTED_SYNTAX;
    return this.resolveScalar(text, first);
  }

  private readFlowQuoted(quote: number): string {
    const from = this.at + 1;
    const end = this.findQuotedEnd(from, quote);
    if (this.text.charCodeAt(end) !== quote) throw UNSUPPORTED_SYNTAX;
    this.at = end + 1;
    return this.unquote(from, end, quote);
  }

  private readFlowPlain(first: number): string {
    const { text, at } = this;
    if (first > 127 || FLOW_PLAIN_START[first] !== 1) throw UNSUPPORTED_SYNTAX;
    let end = at + 1;
    for (let code = text.charCodeAt(end); code < 128 && FLOW_PLAIN_PART[code] === 1;) code = text.charCodeAt(++end);
    this.at = end;
    return text.slice(at, end);
  }
}

import { UNSUPPORTED_SYNTAX } from './fast-yaml-lines';
import { FastScalars } from './fast-yaml-scalars';
import { CHARACTER_CODES, LETTERS, buildCharacterTable } from './yaml-characters';

const { CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, DOUBLE_QUOTE, OPEN_BRACE, OPEN_BRACKET, SINGLE_QUOTE, SPACE } = CHARACTER_CODES;

/** Levels of maps and lists. Few manifests have more than 20. */
const MAX_LEVELS = 100;
/** Well below the length at which kubectl's parser takes a text for no key any more. */
const MAX_KEY_LENGTH = 500;

/** What a key without quotes begins with here. Others may be numbers, or no keys. */
const KEY_START = buildCharacterTable(`${LETTERS}_`);
const FLOW_PLAIN_START = buildCharacterTable(`${LETTERS}0123456789_./`);
const FLOW_PLAIN_PART = buildCharacterTable(`${LETTERS}0123456789_./%-`);

/** Lists and maps in brackets. */
export abstract class FastFlow extends FastScalars {
  protected levels = 0;

  protected enterLevel(): void {
    if (++this.levels > MAX_LEVELS) throw UNSUPPORTED_SYNTAX;
  }

  /** A list or map in brackets, all on one line. */
  protected readFlow(): unknown {
    this.enterLevel();
    const isList = this.text.charCodeAt(this.at) === OPEN_BRACKET;
    const close = isList ? CLOSE_BRACKET : CLOSE_BRACE;
    const holder: Record<string | number, unknown> = isList ? ([] as unknown as Record<number, unknown>) : {};
    const offsets: Record<string | number, number> | undefined = this.offsets && Object.create(null);
    if (offsets) this.offsets!.set(holder, offsets);
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
      if (!isList && key in holder) throw UNSUPPORTED_SYNTAX;
      if (offsets) offsets[key] = at;
      holder[key] = this.readFlowValue(this.skipSpaces());
      code = this.skipSpaces();
    }
    this.at++;
    this.levels--;
    return holder;
  }

  protected isKeyStart(character: number): boolean {
    return character < 128 && KEY_START[character] === 1;
  }

  /** Is what begins at one offset and ends at another too long for a key? */
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
    const isCertain =
      isQuoted || (this.text.charCodeAt(this.at + 1) === SPACE && this.isKeyStart(first) && !this.isReservedWord(first, key));
    if (!isCertain) throw UNSUPPORTED_SYNTAX;
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

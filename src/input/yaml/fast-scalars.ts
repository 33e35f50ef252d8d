import { UNSUPPORTED_SYNTAX, FastLines } from './fast-lines';
import { CHARACTER_CODES, buildCharacterTable } from './characters';
import { resolvePlain } from './scalar';

const { BACKSLASH, BAR, COLON, CR, DASH, DOUBLE_QUOTE, HASH, LF, NINE, PLUS, SINGLE_QUOTE, SPACE, TAB, ZERO } = CHARACTER_CODES;

/** Quote of a plain scalar: none. */
const NO_QUOTE = 0;
/** Characters that may begin a plain scalar that is not text. */
const NON_STRING_START = buildCharacterTable('+-.0123456789~yYnNtTfFoO');
/** Characters that may end a number or a timestamp. Quantities and percentages, which are common, end differently: `100m`, `1Gi`, `25%`. */
const NUMBER_END = buildCharacterTable('0123456789abcdefABCDEF._Z');
const WORD_START = buildCharacterTable('~yYnNtTfFoO');
const MAX_WORD_LENGTH = 5;
const JSON_ESCAPE = buildCharacterTable('"\\nrtbf');

/** Reports whether a line begins with a blank. Such a line of a folded scalar keeps its breaks. */
function hasLeadingBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  return first === SPACE || first === TAB;
}

/** Reads texts, numbers and words: plain, quoted, or as a block below their key. */
export abstract class FastScalars extends FastLines {
  /** Reports whether a plain text is a boolean or null. */
  protected isReservedWord(first: number, text: string): boolean {
    return text.length <= MAX_WORD_LENGTH && WORD_START[first] === 1 && typeof resolvePlain(text) !== 'string';
  }

  protected readPlain(from: number, first: number, column: number): unknown {
    const end = this.findPlainEnd(from);
    const text = this.text.slice(from, end);
    if (this.text.charCodeAt(this.at) === HASH) {
      this.endLine(this.at - 1);
      return this.resolveScalar(text, first);
    }
    return this.resolveScalar(this.readContinuation(text, column, NO_QUOTE), first);
  }

  /** Returns the offset at which the text of a line ends, and moves to the line break or comment after it. */
  private findPlainEnd(from: number): number {
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
      if (code === TAB) throw UNSUPPORTED_SYNTAX;
      if (code === COLON) {
        const next = text.charCodeAt(at + 1);
        if (next === SPACE || next === TAB || this.isLineEnd(next)) throw UNSUPPORTED_SYNTAX;
      }
      at++;
      end = at;
    }
    this.at = at;
    return end;
  }

  /**
   * Folds the remaining lines of a scalar, which are indented deeper than the block around it.
   * With quotes it stops at the closing quotation mark; without, it moves to the next line with content.
   */
  private readContinuation(first: string, column: number, quote: number): string {
    const { text, end } = this;
    let joined = first;
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
      if (code === TAB) throw UNSUPPORTED_SYNTAX;
      if (at - start <= column || (quote === NO_QUOTE && code === HASH)) break;
      joined += (blanks === 0 ? ' ' : '\n'.repeat(blanks)) + (quote === NO_QUOTE ? this.readPlainLine(at) : this.readQuotedLine(at, quote));
      if (quote !== NO_QUOTE && text.charCodeAt(this.at) === quote) return joined;
      blanks = 0;
      start = text.indexOf('\n', this.at) + 1;
    }
    if (quote !== NO_QUOTE) throw UNSUPPORTED_SYNTAX;
    this.findLine(start);
    return joined;
  }

  private readPlainLine(at: number): string {
    const end = this.findPlainEnd(at);
    if (this.text.charCodeAt(this.at) === HASH) throw UNSUPPORTED_SYNTAX;
    return this.text.slice(at, end);
  }

  /** Reads a line of a quoted scalar. Blanks are dropped at the end of a line and kept before the closing quotation mark. */
  private readQuotedLine(at: number, quote: number): string {
    const end = this.findQuotedEnd(at, quote);
    this.at = end;
    let last = end;
    if (this.text.charCodeAt(end) !== quote) while (last > at && this.text.charCodeAt(last - 1) === SPACE) last--;
    return this.text.slice(at, last);
  }

  protected resolveScalar(text: string, first: number): unknown {
    if (first > 127 || NON_STRING_START[first] !== 1) return text;
    if (WORD_START[first] === 1) return text.length <= MAX_WORD_LENGTH ? resolvePlain(text) : text;
    if (first >= ZERO && first <= NINE && NUMBER_END[text.charCodeAt(text.length - 1)] !== 1) return text;
    return this.parseDigits(text) ?? resolvePlain(text);
  }

  /** Parses a number of at most 9 digits, which most numbers are. Returns undefined for any other text. */
  private parseDigits(text: string): number | undefined {
    if (text.length > 9 || (text.length > 1 && text.charCodeAt(0) === ZERO)) return undefined;
    let value = 0;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code < ZERO || code > NINE) return undefined;
      value = value * 10 + code - ZERO;
    }
    return value;
  }

  protected readQuoted(from: number, quote: number, column: number): string {
    const first = this.readQuotedLine(from + 1, quote);
    if (this.text.charCodeAt(this.at) === quote) {
      const end = this.at;
      this.endLine(end + 1);
      return this.unquote(from + 1, end, quote);
    }
    const joined = this.readContinuation(first, column, quote);
    if (quote === DOUBLE_QUOTE && joined.includes('\\')) throw UNSUPPORTED_SYNTAX;
    this.endLine(this.at + 1);
    return quote === SINGLE_QUOTE ? joined.replaceAll("''", "'") : joined;
  }

  /** Returns the offset of the closing quotation mark, or of the end of the line if there is none. */
  protected findQuotedEnd(from: number, quote: number): number {
    const { text } = this;
    for (let at = from; ; at++) {
      const code = text.charCodeAt(at);
      if (code === LF || code === CR) return at;
      if (code === TAB) throw UNSUPPORTED_SYNTAX;
      if (code === BACKSLASH && quote === DOUBLE_QUOTE) at = this.findEscapeEnd(at);
      if (code !== quote) continue;
      if (quote === DOUBLE_QUOTE || text.charCodeAt(at + 1) !== SINGLE_QUOTE) return at;
      at++;
    }
  }

  /** Returns the offset of the last character of an escape sequence that JSON reads in the same way. */
  private findEscapeEnd(at: number): number {
    const escape = this.text.charCodeAt(at + 1);
    if (escape < 128 && JSON_ESCAPE[escape] === 1) return at + 1;
    if (/^\\u(?:[0-9a-cA-CefEF][0-9a-fA-F]|[dD][0-7])[0-9a-fA-F]{2}$/.test(this.text.slice(at, at + 6))) return at + 5;
    throw UNSUPPORTED_SYNTAX;
  }

  protected unquote(from: number, end: number, quote: number): string {
    const raw = this.text.slice(from, end);
    if (quote === SINGLE_QUOTE) return raw.includes("'") ? raw.replaceAll("''", "'") : raw;
    return raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw;
  }

  /** Returns the offset of the line after the header of a block. A comment may be after the header. */
  private findLineAfterHeader(headerEnd: number): number {
    const { text } = this;
    let at = headerEnd;
    while (text.charCodeAt(at) === SPACE) at++;
    const code = text.charCodeAt(at);
    if (!this.isLineEnd(code) && (code !== HASH || text.charCodeAt(at - 1) !== SPACE)) throw UNSUPPORTED_SYNTAX;
    return text.indexOf('\n', at) + 1;
  }

  protected readBlockScalar(from: number, column: number): string {
    const { text, end } = this;
    const isLiteral = text.charCodeAt(from) === BAR;
    const mark = text.charCodeAt(from + 1);
    const stripsTrailingBreaks = mark === DASH;
    const keepsTrailingBreaks = mark === PLUS;
    let start = this.findLineAfterHeader(from + (stripsTrailingBreaks || keepsTrailingBreaks ? 2 : 1));

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
        if (at - start <= column || widest > at - start || code === TAB) throw UNSUPPORTED_SYNTAX;
        indent = at - start;
      }
      if (at - start < indent) {
        if (code === TAB) throw UNSUPPORTED_SYNTAX;
        break;
      }
      const next = text.indexOf('\n', at) + 1;
      const line = text.slice(at, text.charCodeAt(next - 2) === CR ? next - 2 : next - 1);
      const isIndented = hasLeadingBlank(line);
      const isFolded = !isLiteral && lines.length > 0 && !isPreviousIndented && !isIndented;
      if (isFolded) lines.push(blanks === 0 ? ' ' : '\n'.repeat(blanks), line);
      else lines.push('\n'.repeat(blanks + (lines.length > 0 ? 1 : 0)), line);
      isPreviousIndented = isIndented;
      blanks = 0;
      start = next;
    }
    if (lines.length === 0) throw UNSUPPORTED_SYNTAX;
    this.findLine(start);
    if (stripsTrailingBreaks) return lines.join('');
    return `${lines.join('')}\n${keepsTrailingBreaks ? '\n'.repeat(blanks) : ''}`;
  }
}

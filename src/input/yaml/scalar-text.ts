import { CHARACTER_CODES, toCodeSet } from './characters';
import { isBlank, isBreak, isBreakOrEnd, isDigit, isSpaceOrEnd } from './cursor';
import { YamlNames } from './names';

const { BACKSLASH, COLON, DASH, DOUBLE_QUOTE, END, HASH, PLUS, SINGLE_QUOTE, SPACE, TAB } = CHARACTER_CODES;

/** Characters that end a plain scalar inside brackets. */
const FLOW_ENDS = toCodeSet(',?[]{}');

const ESCAPES: ReadonlyMap<number, string> = new Map(
  Object.entries({
    0: '\0',
    a: '\x07',
    b: '\b',
    t: '\t',
    '\t': '\t',
    n: '\n',
    v: '\v',
    f: '\f',
    r: '\r',
    e: '\x1b',
    ' ': ' ',
    '"': '"',
    "'": "'",
    '\\': '\\',
    N: '\x85',
    _: '\xa0',
    L: '\u2028',
    P: '\u2029',
  }).map(([character, text]) => [character.charCodeAt(0), text]),
);
const HEX_ESCAPES: ReadonlyMap<number, number> = new Map([
  ['x'.charCodeAt(0), 2],
  ['u'.charCodeAt(0), 4],
  ['U'.charCodeAt(0), 8],
]);

/** Folds a line break and the empty lines after it: a single line feed becomes a space. */
function foldBreaks(firstBreak: string, otherBreaks: string): string {
  if (firstBreak !== '\n') return firstBreak + otherBreaks;
  return otherBreaks === '' ? ' ' : otherBreaks;
}

/** Reads the texts of scalars: plain, quoted, or as a block. */
export abstract class YamlScalarText extends YamlNames {
  /** Column of the current block; -1 outside of any block. */
  protected indent = -1;
  protected mayBeKey = true;

  protected abstract get inBrackets(): boolean;

  private skipSpaces(column: number): void {
    while (this.column < column && this.character() === SPACE) this.at++;
  }

  /** Reads the part after `|` or `>`: `-`, `+`, `2`, `2-`, `-2`. */
  private readBlockHeader(): { readonly chomping: string; readonly increment: number } {
    const begin = this.at;
    while (this.at - begin < 2 && (this.character() === DASH || this.character() === PLUS || isDigit(this.character()))) {
      const isRepeatedKind = this.at > begin && isDigit(this.character()) === isDigit(this.character(-1));
      if (isRepeatedKind) break;
      this.at++;
    }
    const header = this.text.slice(begin, this.at);
    const increment = /[0-9]/.exec(header)?.[0];
    if (increment === '0') this.fail('block-header', begin);
    this.skipBlanks();
    this.skipComment();
    if (!isBreakOrEnd(this.character())) this.fail('block-header', begin);
    if (isBreak(this.character())) this.takeBreak();
    return { chomping: /[-+]/.exec(header)?.[0] ?? '', increment: Number(increment ?? 0) };
  }

  protected readBlock(): string {
    const isLiteral = this.text[this.at] === '|';
    this.at++;
    const { chomping, increment } = this.readBlockHeader();
    const explicitIndent = increment > 0 ? Math.max(this.indent, 0) + increment : 0;
    const { breaks: firstBreaks, widest } = this.readBlockBreaks(explicitIndent);
    const indent = explicitIndent > 0 ? explicitIndent : Math.max(widest, this.indent + 1, 1);
    const parts: string[] = [];
    let lineBreak = '';
    let emptyLines = firstBreaks;
    let beganWithBlank = false;
    while (this.column === indent && this.character() !== END) {
      const beginsWithBlank = isBlank(this.character());
      const folds = !isLiteral && !beganWithBlank && !beginsWithBlank && lineBreak === '\n';
      parts.push(folds ? (emptyLines === '' ? ' ' : '') : lineBreak, emptyLines);
      beganWithBlank = beginsWithBlank;
      const begin = this.at;
      this.skipLine();
      parts.push(this.text.slice(begin, this.at));
      lineBreak = isBreak(this.character()) ? this.takeBreak() : '';
      emptyLines = this.readBlockBreaks(indent).breaks;
    }
    if (chomping !== '-') parts.push(lineBreak);
    if (chomping === '+') parts.push(emptyLines);
    return parts.join('');
  }

  /** Skips empty lines and the indentation of the next line. `indent` is 0 if it is not known yet and must be detected. */
  private readBlockBreaks(indent: number): { readonly breaks: string; readonly widest: number } {
    const breaks: string[] = [];
    let widest = 0;
    for (;;) {
      this.skipSpaces(indent === 0 ? Infinity : indent);
      widest = Math.max(widest, this.column);
      if ((indent === 0 || this.column < indent) && this.character() === TAB) this.fail('tab');
      if (!isBreak(this.character())) return { breaks: breaks.join(''), widest };
      breaks.push(this.takeBreak());
    }
  }

  /** Reads whitespace inside a scalar: unchanged on one line, folded across lines. */
  private readWhitespace(minTabColumn: number): { readonly text: string; readonly isFolded: boolean } {
    const begin = this.at;
    this.skipBlanks();
    if (!isBreak(this.character())) return { text: this.text.slice(begin, this.at), isFolded: false };
    const firstBreak = this.takeBreak();
    return { text: foldBreaks(firstBreak, this.readBreaks(minTabColumn)), isFolded: true };
  }

  private readBreaks(minTabColumn: number): string {
    const breaks: string[] = [];
    for (;;) {
      if (isBreak(this.character())) {
        breaks.push(this.takeBreak());
        continue;
      }
      if (!isBlank(this.character())) return breaks.join('');
      if (this.character() === TAB && this.column < minTabColumn) this.fail('tab');
      this.at++;
    }
  }

  protected readQuoted(quote: number): string {
    const begin = this.at;
    const parts: string[] = [];
    this.at++;
    for (;;) {
      if (this.isDocumentMark() || this.character() === END) this.fail('quote-open', begin);
      const from = this.at;
      while (!isSpaceOrEnd(this.character()) && this.character() !== quote && this.character() !== BACKSLASH) this.at++;
      parts.push(this.text.slice(from, this.at));
      const character = this.character();
      if (character === BACKSLASH && quote === SINGLE_QUOTE) {
        parts.push('\\');
        this.at++;
      } else if (character === BACKSLASH) {
        parts.push(this.readEscape(begin));
      } else if (character === quote) {
        this.at++;
        if (quote === DOUBLE_QUOTE || this.character() !== SINGLE_QUOTE) return parts.join('');
        parts.push("'");
        this.at++;
      } else if (character !== END) {
        parts.push(this.readWhitespace(0).text);
      }
    }
  }

  private readEscape(begin: number): string {
    const escape = this.character(1);
    if (isBreak(escape)) {
      // An escaped break adds no space; the breaks of the empty lines after it are kept.
      this.at++;
      this.takeBreak();
      return this.readBreaks(0);
    }
    const length = HEX_ESCAPES.get(escape);
    const text =
      length === undefined ? ESCAPES.get(escape) : this.readHexEscape(this.text.slice(this.at + 2, this.at + 2 + length), length);
    if (text === undefined) this.fail('escape', escape === END ? begin : this.at);
    this.at += 2 + (length ?? 0);
    return text;
  }

  private readHexEscape(digits: string, length: number): string | undefined {
    if (digits.length < length || !/^[0-9a-fA-F]+$/.test(digits)) return undefined;
    const point = parseInt(digits, 16);
    if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return undefined;
    return String.fromCodePoint(point);
  }

  private isPlainEnd(character: number): boolean {
    if (isSpaceOrEnd(character)) return true;
    if (character === COLON) return isSpaceOrEnd(this.character(1));
    return this.inBrackets && FLOW_ENDS.has(character);
  }

  protected readPlain(): string {
    const parts: string[] = [];
    const indent = this.indent + 1;
    let white = { text: '', isFolded: false };
    for (;;) {
      if (this.isDocumentMark() || this.character() === HASH) break;
      const from = this.at;
      while (!this.isPlainEnd(this.character())) this.at++;
      if (this.at > from) {
        parts.push(white.text, this.text.slice(from, this.at));
        white = { text: '', isFolded: false };
      }
      if (!isBlank(this.character()) && !isBreak(this.character())) break;
      white = this.readWhitespace(indent);
      if (!this.inBrackets && this.column < indent) break;
    }
    if (white.isFolded) this.mayBeKey = true;
    return parts.join('');
  }
}

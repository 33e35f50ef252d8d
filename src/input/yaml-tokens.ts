import { documentProblemText } from '../core/rules/unreadable';
import type { DocumentProblem, SyntaxProblem } from '../core/rules/unreadable';

/** Why a document cannot be read, and at which offset of its text. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
  constructor(
    readonly at: number,
    readonly problem: DocumentProblem,
  ) {
    super(documentProblemText(problem));
  }
}

/** How a scalar is written. What a plain one means depends on its text. */
export type ScalarStyle = 'plain' | 'quoted' | 'block';

interface ScalarToken {
  readonly kind: 'scalar';
  readonly at: number;
  readonly text: string;
  readonly style: ScalarStyle;
}

interface NamedToken {
  readonly kind: 'anchor' | 'alias' | 'tag';
  readonly at: number;
  /** Of a tag the whole of it: `tag:yaml.org,2002:int` for `!!int`. */
  readonly name: string;
}

interface MarkToken {
  readonly kind:
    | 'document-start'
    | 'document-end'
    | 'stream-end'
    | 'block-list'
    | 'block-map'
    | 'block-end'
    | 'list-start'
    | 'list-end'
    | 'map-start'
    | 'map-end'
    | 'entry'
    | 'comma'
    | 'key'
    | 'value';
  readonly at: number;
}

export type Token = ScalarToken | NamedToken | MarkToken;

/** What may turn out to be a key, once a colon follows it on its line. */
interface PossibleKey {
  isPossible: boolean;
  /** Must a colon follow? */
  readonly isRequired: boolean;
  readonly token: number;
  readonly at: number;
  readonly line: number;
  readonly column: number;
}

/** Characters that a key without `?` may have, its colon left out. */
const MAX_KEY = 1_024;

const NO_KEY: PossibleKey = { isPossible: false, isRequired: false, token: -1, at: 0, line: 0, column: 0 };

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const END = 0;

const DOUBLE_QUOTE = 34;
const HASH = 35;
const PERCENT = 37;
const SINGLE_QUOTE = 39;
const PLUS = 43;
const DASH = 45;
const DOT = 46;
const ZERO = 48;
const COLON = 58;
const QUESTION = 63;
const BACKSLASH = 92;
const EXCLAMATION = 33;

const code = (character: string) => character.charCodeAt(0);
const codes = (characters: string): ReadonlySet<number> => new Set(characters.split('').map(code));

/** What no plain scalar begins with; `-`, `?` and `:` may where something follows them. */
const INDICATORS = codes('-?:,[]{}#&*!|>\'"%@`');
/** What ends a plain scalar between brackets. */
const FLOW_ENDS = codes(',?[]{}');
const BEHIND_ANCHOR = codes('?:,]}%@`');
const URI = codes(";/?:@&=+$,.!~*'()[]%");

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
  }).map(([character, text]) => [code(character), text]),
);
const HEX_ESCAPES: ReadonlyMap<number, number> = new Map([
  [code('x'), 2],
  [code('u'), 4],
  [code('U'), 8],
]);

function isBlank(character: number): boolean {
  return character === SPACE || character === TAB;
}

/** kubectl's parser ends lines at more characters than an editor does. */
function isBreak(character: number): boolean {
  return character === LF || character === CR || character === 0x85 || character === 0x2028 || character === 0x2029;
}

function isBreakOrEnd(character: number): boolean {
  return character === END || isBreak(character);
}

function isSpaceOrEnd(character: number): boolean {
  return isBlank(character) || isBreakOrEnd(character);
}

function isDigit(character: number): boolean {
  return character >= ZERO && character <= 57;
}

function isWord(character: number): boolean {
  return (
    isDigit(character) ||
    (character >= 65 && character <= 90) ||
    (character >= 97 && character <= 122) ||
    character === 95 ||
    character === DASH
  );
}

/** What stands for the break between two lines that are folded into one, and the empty lines behind it. */
function folded(firstBreak: string, otherBreaks: string): string {
  if (firstBreak !== '\n') return firstBreak + otherBreaks;
  return otherBreaks === '' ? ' ' : otherBreaks;
}

const TAG_PREFIX = 'tag:yaml.org,2002:';

/**
 * Takes the text of one document apart into tokens, as kubectl's parser does. One token is found at a time,
 * but for what may be a key: that is known once its colon is seen.
 *
 * Directives (`%YAML`) are refused: kubectl cuts a file at `---` first, so that none reaches its parser as one.
 * Source: go.yaml.in/yaml v2.4.2, which sigs.k8s.io/yaml v1.6 reads with.
 */
export class Tokens {
  private readonly queue: Token[] = [];
  private head = 0;
  /** Tokens handed out so far. */
  private taken = 0;
  private at: number;
  private line = 0;
  private lineStart: number;
  /** The column of the block at hand, -1 outside of any; and those around it. */
  private indent = -1;
  private readonly indents: number[] = [];
  private mayBeKey = true;
  /** One for each pair of brackets that is open, and one for what is around them. */
  private readonly keys: PossibleKey[] = [NO_KEY];
  private readonly keyOfToken = new Map<number, PossibleKey>();
  private isEnded = false;

  constructor(private readonly text: string) {
    this.at = text.startsWith('\ufeff') ? 1 : 0;
    this.lineStart = this.at;
  }

  /** The next token, which stays the next one. */
  peek(): Token {
    while (this.needsMore()) this.fetch();
    return this.queue[this.head]!;
  }

  next(): Token {
    const token = this.peek();
    this.head++;
    this.taken++;
    if (this.head === this.queue.length) {
      this.queue.length = 0;
      this.head = 0;
    }
    return token;
  }

  private needsMore(): boolean {
    if (this.head === this.queue.length) return !this.isEnded;
    const key = this.keyOfToken.get(this.taken);
    return key !== undefined && this.isStillPossible(key);
  }

  private get column(): number {
    return this.at - this.lineStart;
  }

  private get inBrackets(): boolean {
    return this.keys.length > 1;
  }

  private character(ahead = 0): number {
    const index = this.at + ahead;
    return index < this.text.length ? this.text.charCodeAt(index) : END;
  }

  /** @param at - what is missing at the end is missed at the last character, not on the line of the next document */
  fail(fault: SyntaxProblem, at = this.at): never {
    throw new DocumentError(Math.min(at, Math.max(this.text.trimEnd().length - 1, 0)), { kind: 'syntax', fault });
  }

  /** CR LF is one break; so is CR CR LF, of which kubectl takes off a CR with the line. */
  private breakLength(): number {
    if (this.character() !== CR) return 1;
    if (this.character(1) === LF) return 2;
    return this.character(1) === CR && this.character(2) === LF ? 3 : 1;
  }

  /** Goes past a line break and says what it is as text. */
  private takeBreak(): string {
    const character = this.character();
    this.at += this.breakLength();
    this.line++;
    this.lineStart = this.at;
    return character === 0x2028 || character === 0x2029 ? String.fromCharCode(character) : '\n';
  }

  private skipComment(): void {
    if (this.character() !== HASH) return;
    while (!isBreakOrEnd(this.character())) this.at++;
  }

  private skipToToken(): void {
    for (;;) {
      while (this.character() === SPACE || (this.character() === TAB && (this.inBrackets || !this.mayBeKey))) this.at++;
      this.skipComment();
      if (!isBreak(this.character())) return;
      this.takeBreak();
      if (!this.inBrackets) this.mayBeKey = true;
    }
  }

  private isDocumentMark(): boolean {
    if (this.column !== 0) return false;
    const character = this.character();
    if (character !== DASH && character !== DOT) return false;
    return this.character(1) === character && this.character(2) === character && isSpaceOrEnd(this.character(3));
  }

  private push(kind: MarkToken['kind'], length = 0): void {
    this.queue.push({ kind, at: this.at });
    this.at += length;
  }

  private fetch(): void {
    this.skipToToken();
    this.closeBlocks(this.column);
    const character = this.character();
    if (character === END) return this.fetchEnd();
    if (this.column === 0 && character === PERCENT) this.fail('directive');
    if (this.isDocumentMark()) return this.fetchDocumentMark(character);
    const isLast = isSpaceOrEnd(this.character(1));
    switch (this.text[this.at]) {
      case '[':
        return this.openBracket('list-start');
      case '{':
        return this.openBracket('map-start');
      case ']':
        return this.closeBracket('list-end');
      case '}':
        return this.closeBracket('map-end');
      case ',':
        this.forgetKey();
        this.mayBeKey = true;
        return this.push('comma', 1);
      case '-':
        if (isLast) return this.fetchEntry();
        break;
      case '?':
        if (this.inBrackets || isLast) return this.fetchKey();
        break;
      case ':':
        if (this.inBrackets || isLast) return this.fetchValue();
        break;
      case '*':
        return this.fetchNamed('alias');
      case '&':
        return this.fetchNamed('anchor');
      case '!':
        return this.fetchTag();
      case '|':
      case '>':
        if (!this.inBrackets) return this.fetchBlockScalar();
        break;
      case '"':
      case "'":
        return this.fetchFlowScalar(() => this.quoted(character), 'quoted');
    }
    if (!this.beginsPlain(character)) this.fail('no-token');
    return this.fetchFlowScalar(() => this.plain(), 'plain');
  }

  private beginsPlain(character: number): boolean {
    if (!INDICATORS.has(character)) return !isSpaceOrEnd(character);
    if (character === DASH) return !isBlank(this.character(1));
    return (character === QUESTION || character === COLON) && !this.inBrackets;
  }

  private skipSpaces(column: number): void {
    while (this.column < column && this.character() === SPACE) this.at++;
  }

  private fetchEnd(): void {
    this.closeBlocks(-1);
    this.forgetKey();
    this.mayBeKey = false;
    this.isEnded = true;
    this.push('stream-end');
  }

  private fetchDocumentMark(character: number): void {
    this.closeBlocks(-1);
    this.forgetKey();
    this.mayBeKey = false;
    this.push(character === DASH ? 'document-start' : 'document-end', 3);
  }

  private isStillPossible(key: PossibleKey): boolean {
    if (!key.isPossible) return false;
    if (key.line === this.line && this.charactersFrom(key.at) <= MAX_KEY) return true;
    if (key.isRequired) this.fail('no-colon', key.at);
    key.isPossible = false;
    return false;
  }

  /** Characters beyond U+FFFF count as one. */
  private charactersFrom(begin: number): number {
    const length = this.at - begin;
    return length <= MAX_KEY || length > 2 * MAX_KEY ? length : Array.from(this.text.slice(begin, this.at)).length;
  }

  private rememberKey(): void {
    if (!this.mayBeKey) return;
    this.forgetKey();
    const key: PossibleKey = {
      isPossible: true,
      isRequired: !this.inBrackets && this.indent === this.column,
      token: this.taken + this.queue.length - this.head,
      at: this.at,
      line: this.line,
      column: this.column,
    };
    this.keys[this.keys.length - 1] = key;
    this.keyOfToken.set(key.token, key);
  }

  private forgetKey(): void {
    const key = this.keys.at(-1)!;
    if (!key.isPossible) return;
    if (key.isRequired) this.fail('no-colon', key.at);
    key.isPossible = false;
    this.keyOfToken.delete(key.token);
  }

  /** Begins a block where the column is further in than that of the block at hand; its token goes before the one of the number given. */
  private openBlock(
    column: number,
    kind: 'block-list' | 'block-map',
    at: number,
    before = this.taken + this.queue.length - this.head,
  ): void {
    if (this.inBrackets || this.indent >= column) return;
    this.indents.push(this.indent);
    this.indent = column;
    this.queue.splice(this.head + before - this.taken, 0, { kind, at });
  }

  private closeBlocks(column: number): void {
    if (this.inBrackets) return;
    while (this.indent > column) {
      this.push('block-end');
      this.indent = this.indents.pop()!;
    }
  }

  private openBracket(kind: 'list-start' | 'map-start'): void {
    this.rememberKey();
    this.keys.push({ ...NO_KEY });
    this.mayBeKey = true;
    this.push(kind, 1);
  }

  private closeBracket(kind: 'list-end' | 'map-end'): void {
    this.forgetKey();
    if (this.inBrackets) this.keys.pop();
    this.mayBeKey = false;
    this.push(kind, 1);
  }

  private fetchEntry(): void {
    if (!this.inBrackets) {
      if (!this.mayBeKey) this.fail('list-here');
      this.openBlock(this.column, 'block-list', this.at);
    }
    this.forgetKey();
    this.mayBeKey = true;
    this.push('entry', 1);
  }

  private fetchKey(): void {
    if (!this.inBrackets) {
      if (!this.mayBeKey) this.fail('key-here');
      this.openBlock(this.column, 'block-map', this.at);
    }
    this.forgetKey();
    this.mayBeKey = !this.inBrackets;
    this.push('key', 1);
  }

  private fetchValue(): void {
    const key = this.keys.at(-1)!;
    if (this.isStillPossible(key)) {
      this.queue.splice(this.head + key.token - this.taken, 0, { kind: 'key', at: key.at });
      this.openBlock(key.column, 'block-map', key.at, key.token);
      key.isPossible = false;
      this.keyOfToken.delete(key.token);
      this.mayBeKey = false;
    } else {
      if (!this.inBrackets) {
        if (!this.mayBeKey) this.fail('map-here');
        this.openBlock(this.column, 'block-map', this.at);
      }
      this.mayBeKey = !this.inBrackets;
    }
    this.push('value', 1);
  }

  private fetchNamed(kind: 'alias' | 'anchor'): void {
    this.rememberKey();
    this.mayBeKey = false;
    const { at } = this;
    this.at++;
    const name = this.word();
    if (name === '' || !(isSpaceOrEnd(this.character()) || BEHIND_ANCHOR.has(this.character()))) this.fail('anchor', at);
    this.queue.push({ kind, at, name });
  }

  private word(): string {
    const begin = this.at;
    while (isWord(this.character())) this.at++;
    return this.text.slice(begin, this.at);
  }

  private fetchTag(): void {
    this.rememberKey();
    this.mayBeKey = false;
    const { at } = this;
    const name = this.text[at + 1] === '<' ? this.verbatimTag() : this.shortTag();
    if (!isSpaceOrEnd(this.character())) this.fail('tag', at);
    this.queue.push({ kind: 'tag', at, name });
  }

  private verbatimTag(): string {
    const { at } = this;
    this.at += 2;
    const name = this.uri();
    if (name === '' || this.text[this.at] !== '>') this.fail('tag', at);
    this.at++;
    return name;
  }

  /** `!!int`, `!int`, or `!` alone. No directive gives a meaning to other handles, such as `!e!int`. */
  private shortTag(): string {
    const { at } = this;
    this.at++;
    const word = this.word();
    if (this.character() !== EXCLAMATION) return `!${word}${this.uri()}`;
    this.at++;
    const suffix = this.uri();
    if (word !== '' || suffix === '') this.fail('tag', at);
    return TAG_PREFIX + suffix;
  }

  private uri(): string {
    const begin = this.at;
    while (isWord(this.character()) || URI.has(this.character())) this.at++;
    const written = this.text.slice(begin, this.at);
    if (!written.includes('%')) return written;
    try {
      return decodeURIComponent(written);
    } catch {
      return this.fail('tag', begin);
    }
  }

  private fetchFlowScalar(scan: () => string, style: ScalarStyle): void {
    this.rememberKey();
    this.mayBeKey = false;
    const { at } = this;
    this.queue.push({ kind: 'scalar', at, text: scan(), style });
  }

  private fetchBlockScalar(): void {
    this.forgetKey();
    this.mayBeKey = true;
    const { at } = this;
    this.queue.push({ kind: 'scalar', at, text: this.block(), style: 'block' });
  }

  /** The part behind `|` or `>`: `-`, `+`, `2`, `2-`, `-2`. */
  private blockHeader(): { readonly chomping: string; readonly increment: number } {
    const begin = this.at;
    while (this.at - begin < 2 && (this.character() === DASH || this.character() === PLUS || isDigit(this.character()))) {
      const isSecondOfItsSort = this.at > begin && isDigit(this.character()) === isDigit(this.character(-1));
      if (isSecondOfItsSort) break;
      this.at++;
    }
    const header = this.text.slice(begin, this.at);
    const increment = /[0-9]/.exec(header)?.[0];
    if (increment === '0') this.fail('block-header', begin);
    while (isBlank(this.character())) this.at++;
    this.skipComment();
    if (!isBreakOrEnd(this.character())) this.fail('block-header', begin);
    if (isBreak(this.character())) this.takeBreak();
    return { chomping: /[-+]/.exec(header)?.[0] ?? '', increment: Number(increment ?? 0) };
  }

  private block(): string {
    const isLiteral = this.text[this.at] === '|';
    this.at++;
    const { chomping, increment } = this.blockHeader();
    const given = increment > 0 ? Math.max(this.indent, 0) + increment : 0;
    const { breaks: firstBreaks, widest } = this.blockBreaks(given);
    const indent = given > 0 ? given : Math.max(widest, this.indent + 1, 1);
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
      while (!isBreakOrEnd(this.character())) this.at++;
      parts.push(this.text.slice(begin, this.at));
      lineBreak = isBreak(this.character()) ? this.takeBreak() : '';
      emptyLines = this.blockBreaks(indent).breaks;
    }
    if (chomping !== '-') parts.push(lineBreak);
    if (chomping === '+') parts.push(emptyLines);
    return parts.join('');
  }

  /** Goes past empty lines, and past the indentation of the first that is none. `indent` is 0 where it is to be found out. */
  private blockBreaks(indent: number): { readonly breaks: string; readonly widest: number } {
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

  /** Blanks and breaks within a scalar: as they stand on one line, folded over several. */
  private white(refusesTabsBefore: number): { readonly text: string; readonly isFolded: boolean } {
    const begin = this.at;
    while (isBlank(this.character())) this.at++;
    if (!isBreak(this.character())) return { text: this.text.slice(begin, this.at), isFolded: false };
    const firstBreak = this.takeBreak();
    return { text: folded(firstBreak, this.otherBreaks(refusesTabsBefore)), isFolded: true };
  }

  private otherBreaks(refusesTabsBefore: number): string {
    const breaks: string[] = [];
    for (;;) {
      if (isBreak(this.character())) {
        breaks.push(this.takeBreak());
        continue;
      }
      if (!isBlank(this.character())) return breaks.join('');
      if (this.character() === TAB && this.column < refusesTabsBefore) this.fail('tab');
      this.at++;
    }
  }

  private quoted(quote: number): string {
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
        parts.push(this.escaped(begin));
      } else if (character === quote) {
        this.at++;
        if (quote === DOUBLE_QUOTE || this.character() !== SINGLE_QUOTE) return parts.join('');
        parts.push("'");
        this.at++;
      } else if (character !== END) {
        parts.push(this.white(0).text);
      }
    }
  }

  private escaped(begin: number): string {
    const escape = this.character(1);
    if (isBreak(escape)) {
      // This break is no blank; those of the empty lines behind it stay.
      this.at++;
      this.takeBreak();
      return this.otherBreaks(0);
    }
    const length = HEX_ESCAPES.get(escape);
    const text = length === undefined ? ESCAPES.get(escape) : this.fromHex(this.text.slice(this.at + 2, this.at + 2 + length), length);
    if (text === undefined) this.fail('escape', escape === END ? begin : this.at);
    this.at += 2 + (length ?? 0);
    return text;
  }

  private fromHex(digits: string, length: number): string | undefined {
    if (digits.length < length || !/^[0-9a-fA-F]+$/.test(digits)) return undefined;
    const point = parseInt(digits, 16);
    if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return undefined;
    return String.fromCodePoint(point);
  }

  private endsPlain(character: number): boolean {
    if (isSpaceOrEnd(character)) return true;
    if (character === COLON) return isSpaceOrEnd(this.character(1));
    return this.inBrackets && FLOW_ENDS.has(character);
  }

  private plain(): string {
    const parts: string[] = [];
    const indent = this.indent + 1;
    let white = { text: '', isFolded: false };
    for (;;) {
      if (this.isDocumentMark() || this.character() === HASH) break;
      const from = this.at;
      while (!this.endsPlain(this.character())) this.at++;
      if (this.at > from) {
        parts.push(white.text, this.text.slice(from, this.at));
        white = { text: '', isFolded: false };
      }
      if (!isBlank(this.character()) && !isBreak(this.character())) break;
      white = this.white(indent);
      if (!this.inBrackets && this.column < indent) break;
    }
    if (white.isFolded) this.mayBeKey = true;
    return parts.join('');
  }
}

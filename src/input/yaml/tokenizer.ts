import { CHARACTER_CODES, toCodeSet } from './characters';
import { isBlank, isBreak, isSpaceOrEnd } from './cursor';
import { YamlScalarText } from './scalar-text';
import type { MarkToken, ScalarStyle, Token } from './token';

const { COLON, DASH, END, PERCENT, QUESTION, SPACE, TAB } = CHARACTER_CODES;

/** Token that is a key if a colon follows it on its line. */
interface PossibleKey {
  isPossible: boolean;
  /** Whether a colon must follow. */
  readonly isRequired: boolean;
  readonly token: number;
  readonly at: number;
  readonly line: number;
  readonly column: number;
}

/** Maximum length of a key without `?`, in characters, not counting the colon. */
const MAX_KEY_LENGTH = 1_024;

const NO_KEY: PossibleKey = { isPossible: false, isRequired: false, token: -1, at: 0, line: 0, column: 0 };

/** Characters that cannot begin a plain scalar. `-`, `?` and `:` can if a non-blank character follows. */
const INDICATORS = toCodeSet('-?:,[]{}#&*!|>\'"%@`');
const ENDS_ANCHOR = toCodeSet('?:,]}%@`');

/**
 * Splits the text of one document into tokens, as kubectl's parser does.
 * It reads one token at a time, except after a possible key, which is only known once its colon is found.
 *
 * Directives (`%YAML`) are rejected: kubectl splits a file at `---` first, so its parser never reads a valid one.
 * Source: go.yaml.in/yaml v2.4.2, which sigs.k8s.io/yaml v1.6 uses.
 */
export class YamlTokenizer extends YamlScalarText {
  private readonly queue: Token[] = [];
  private head = 0;
  /** Number of tokens returned by `next`. */
  private taken = 0;
  /** Columns of the blocks around the current one. */
  private readonly indents: number[] = [];
  /** Possible keys: one for the top level, and one for each open pair of brackets. */
  private readonly keys: PossibleKey[] = [NO_KEY];
  private readonly keyOfToken = new Map<number, PossibleKey>();
  private isEnded = false;

  /** Returns the next token without consuming it. */
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

  protected override get inBrackets(): boolean {
    return this.keys.length > 1;
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

  private push(kind: MarkToken['kind'], length = 0): void {
    this.queue.push({ kind, at: this.at });
    this.at += length;
  }

  private fetch(): void {
    this.skipToToken();
    this.closeBlocks(this.column);
    const character = this.character();
    if (character === END) return this.fetchEnd();
    if (this.column === 0 && character === PERCENT) return this.fetchEnd('directive');
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
        return this.fetchFlowScalar(() => this.readQuoted(character), 'quoted');
    }
    if (!this.isPlainStart(character)) this.fail('no-token');
    return this.fetchFlowScalar(() => this.readPlain(), 'plain');
  }

  private isPlainStart(character: number): boolean {
    if (!INDICATORS.has(character)) return !isSpaceOrEnd(character);
    if (character === DASH) return !isBlank(this.character(1));
    return (character === QUESTION || character === COLON) && !this.inBrackets;
  }

  /** Ends the blocks and the tokens: at the end of the text, or at a directive, after which nothing is read. */
  private fetchEnd(kind: 'stream-end' | 'directive' = 'stream-end'): void {
    this.closeBlocks(-1);
    this.forgetKey();
    this.mayBeKey = false;
    this.isEnded = true;
    this.push(kind);
  }

  private fetchDocumentMark(character: number): void {
    this.closeBlocks(-1);
    this.forgetKey();
    this.mayBeKey = false;
    this.push(character === DASH ? 'document-start' : 'document-end', 3);
  }

  private isStillPossible(key: PossibleKey): boolean {
    if (!key.isPossible) return false;
    if (key.line === this.line && this.countCharactersFrom(key.at) <= MAX_KEY_LENGTH) return true;
    if (key.isRequired) this.fail('no-colon', key.at);
    key.isPossible = false;
    return false;
  }

  /** Counts the characters since an offset; a character beyond U+FFFF counts as one. */
  private countCharactersFrom(begin: number): number {
    const length = this.at - begin;
    return length <= MAX_KEY_LENGTH || length > 2 * MAX_KEY_LENGTH ? length : Array.from(this.text.slice(begin, this.at)).length;
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

  /** Begins a block if the column is deeper than that of the current block. Its token is inserted before the token with number `before`. */
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
    const name = this.readWord();
    if (name === '' || !(isSpaceOrEnd(this.character()) || ENDS_ANCHOR.has(this.character()))) this.fail('anchor', at);
    this.queue.push({ kind, at, name });
  }

  private fetchTag(): void {
    this.rememberKey();
    this.mayBeKey = false;
    const { at } = this;
    const name = this.text[at + 1] === '<' ? this.readVerbatimTag() : this.readShortTag();
    if (!isSpaceOrEnd(this.character())) this.fail('tag', at);
    this.queue.push({ kind: 'tag', at, name });
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
    this.queue.push({ kind: 'scalar', at, text: this.readBlock(), style: 'block' });
  }
}

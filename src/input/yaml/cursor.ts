import type { SyntaxProblem } from '../../core/findings/input-problem';
import { DocumentError } from './document-error';
import { CHARACTER_CODES } from './characters';

const { CR, DASH, DOT, END, HASH, LF, NINE, SPACE, TAB, ZERO } = CHARACTER_CODES;

export function isBlank(character: number): boolean {
  return character === SPACE || character === TAB;
}

/** Reports whether a character ends a line. kubectl's parser accepts more line breaks than an editor. */
export function isBreak(character: number): boolean {
  return character === LF || character === CR || character === 0x85 || character === 0x2028 || character === 0x2029;
}

export function isBreakOrEnd(character: number): boolean {
  return character === END || isBreak(character);
}

export function isSpaceOrEnd(character: number): boolean {
  return isBlank(character) || isBreakOrEnd(character);
}

export function isDigit(character: number): boolean {
  return character >= ZERO && character <= NINE;
}

export function isWordCharacter(character: number): boolean {
  return (
    isDigit(character) ||
    (character >= 65 && character <= 90) ||
    (character >= 97 && character <= 122) ||
    character === 95 ||
    character === DASH
  );
}

/** Position in the text of a document, which advances through its characters and lines. */
export abstract class YamlCursor {
  protected at: number;
  protected line = 0;
  private lineStart: number;

  constructor(protected readonly text: string) {
    this.at = text.startsWith('\ufeff') ? 1 : 0;
    this.lineStart = this.at;
  }

  protected get column(): number {
    return this.at - this.lineStart;
  }

  protected character(ahead = 0): number {
    const index = this.at + ahead;
    return index < this.text.length ? this.text.charCodeAt(index) : END;
  }

  /** @param at - clamped to the last character, so that an error at the end is not reported on the line of the next document */
  createError(fault: SyntaxProblem, at = this.at): DocumentError {
    return new DocumentError(Math.min(at, Math.max(this.text.trimEnd().length - 1, 0)), { kind: 'syntax', fault });
  }

  fail(fault: SyntaxProblem, at?: number): never {
    throw this.createError(fault, at);
  }

  /** Returns the length of the line break here. CR LF is one break. So is CR CR LF, because kubectl strips one CR when it reads the line. */
  private breakLength(): number {
    if (this.character() !== CR) return 1;
    if (this.character(1) === LF) return 2;
    return this.character(1) === CR && this.character(2) === LF ? 3 : 1;
  }

  /** Advances past a line break and returns it as it appears in a scalar. */
  protected takeBreak(): string {
    const character = this.character();
    this.at += this.breakLength();
    this.line++;
    this.lineStart = this.at;
    return character === 0x2028 || character === 0x2029 ? String.fromCharCode(character) : '\n';
  }

  protected skipComment(): void {
    if (this.character() !== HASH) return;
    this.skipLine();
  }

  /** Advances to the end of the line. */
  protected skipLine(): void {
    while (!isBreakOrEnd(this.character())) this.at++;
  }

  protected skipBlanks(): void {
    while (isBlank(this.character())) this.at++;
  }

  protected isDocumentMark(): boolean {
    if (this.column !== 0) return false;
    const character = this.character();
    if (character !== DASH && character !== DOT) return false;
    return this.character(1) === character && this.character(2) === character && isSpaceOrEnd(this.character(3));
  }
}

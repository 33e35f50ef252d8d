import type { FieldOffsets } from './parsed-document';
import { CHARACTER_CODES } from './characters';

const { CR, DASH, HASH, LF, SPACE, TAB } = CHARACTER_CODES;

/** Thrown for syntax that only the full reader supports. It is one shared object because it is thrown often. */
export const UNSUPPORTED_SYNTAX = new Error('the fast reader does not support this syntax');

/** Number of entries of maps and lists that are read between two checks of the time budget. */
const ENTRIES_PER_TIME_CHECK = 8_192;

/** Iterates over the lines of a text that have content. */
export abstract class FastLines {
  /** Offset of the first non-blank character of the current line; after a value, of the next line that has content. */
  protected at = 0;
  /** Column of this character; -1 at the end of the text. */
  protected column = 0;
  private entries = 0;

  constructor(
    protected readonly text: string,
    protected readonly end: number,
    protected readonly offsets: Map<object, FieldOffsets> | undefined,
    private readonly isLate: (() => boolean) | undefined,
  ) {}

  /** Counts an entry of a map or list. If reading takes too long, the full reader takes over and reports it at once. */
  protected countEntry(): void {
    if (++this.entries % ENTRIES_PER_TIME_CHECK === 0 && this.isLate?.()) throw UNSUPPORTED_SYNTAX;
  }

  /** Moves to the first line with content, starting at the beginning of a line. */
  protected findLine(from: number): void {
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
        if (code === TAB) throw UNSUPPORTED_SYNTAX;
        this.at = at;
        this.column = at - start;
        return;
      }
    }
    this.at = end;
    this.column = -1;
  }

  /** Moves to the next line with content. Only blanks and a comment may follow on the current line. */
  protected endLine(from: number): void {
    const { text } = this;
    let at = from;
    let code = text.charCodeAt(at);
    while (code === SPACE) code = text.charCodeAt(++at);
    if (code === LF) this.findLine(at + 1);
    else if (code === CR) this.findLine(at + 2);
    else if (code === HASH && at > from) this.findLine(text.indexOf('\n', at) + 1);
    else throw UNSUPPORTED_SYNTAX;
  }

  protected isLineEnd(code: number): boolean {
    return code === LF || code === CR;
  }

  /** Reports whether a dash at this offset begins an item. */
  protected isListItem(at: number): boolean {
    if (this.text.charCodeAt(at) !== DASH) return false;
    const next = this.text.charCodeAt(at + 1);
    return next === SPACE || this.isLineEnd(next);
  }
}

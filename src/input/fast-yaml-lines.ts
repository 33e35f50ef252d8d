import type { FieldOffsets } from './yaml-document';
import { CHARACTER_CODES } from './yaml-characters';

const { CR, DASH, HASH, LF, SPACE, TAB } = CHARACTER_CODES;

/** What this reader does not take is left to the other one; one object for all, since it is thrown often. */
export const UNSUPPORTED_SYNTAX = new Error('beyond what the fast reader takes');

/** Entries of maps and lists after which it is asked whether reading takes too long. */
const ENTRIES_PER_TIME_CHECK = 8_192;

/** The lines of a text that have content, one after the other. */
export abstract class FastLines {
  /** The first character of the line at hand that is no blank; behind a value, of the next line that has content. */
  protected at = 0;
  /** Its column; -1 at the end of the text. */
  protected column = 0;
  private entries = 0;

  constructor(
    protected readonly text: string,
    protected readonly end: number,
    protected readonly offsets: Map<object, FieldOffsets> | undefined,
    private readonly isLate: (() => boolean) | undefined,
  ) {}

  /** Counts an entry of a map or list. That reading takes too long is for the other reader to say, which finds it out at once. */
  protected countEntry(): void {
    if (++this.entries % ENTRIES_PER_TIME_CHECK === 0 && this.isLate?.()) throw UNSUPPORTED_SYNTAX;
  }

  /** Looks for the first line with content from the beginning of a line on. */
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

  /** Nothing but blanks and a comment may follow; goes on to the next line with content. */
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

  /** Is there a dash that begins an item? */
  protected isListItem(at: number): boolean {
    if (this.text.charCodeAt(at) !== DASH) return false;
    const next = this.text.charCodeAt(at + 1);
    return next === SPACE || this.isLineEnd(next);
  }
}

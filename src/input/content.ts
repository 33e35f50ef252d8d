import { isAscii } from 'node:buffer';

/** A part of a text that holds whole documents. Offsets are those in the whole text. */
export interface Piece {
  readonly at: number;
  /** Behind its last document. A line that separates this from the next piece is in neither. */
  readonly end: number;
  /** The number of lines before it. */
  readonly line: number;
}

/** A text in ASCII that is read piece by piece, and not held. */
export interface TextInPieces {
  /** Characters of the whole. */
  readonly length: number;
  readonly pieces: readonly Piece[];
  /** @throws ChangedFileError */
  read(piece: Pick<Piece, 'at' | 'end'>): string;
  /** Does it hold a word? @throws ChangedFileError */
  includes(word: string): boolean;
}

/** Thrown where a file that is read again is not what it was. */
export class ChangedFileError extends Error {
  override readonly name = 'ChangedFileError';

  constructor(file: string) {
    super(`${file} was changed while it was read`);
  }
}

/** What a file holds: its bytes, its text, or a text that is read piece by piece. */
export type FileContent = Uint8Array | string | TextInPieces;

export function isInPieces(content: FileContent): content is TextInPieces {
  return typeof content === 'object' && 'pieces' in content;
}

function asBuffer(content: Uint8Array): Buffer {
  return Buffer.from(content.buffer, content.byteOffset, content.length);
}

/** The whole of a text, where its pieces will not do. */
export function wholeText(text: TextInPieces): string {
  return text.read({ at: 0, end: text.length });
}

/** The bytes of a file. */
export function bytesOf(content: FileContent): Buffer {
  if (isInPieces(content)) return Buffer.from(wholeText(content), 'latin1');
  return typeof content === 'string' ? Buffer.from(content) : asBuffer(content);
}

/** The text of a file. A large one that is read as Latin-1, as ASCII can be, Node keeps outside of the heap, which then leaves less garbage lying. */
export function textOf(content: FileContent): string {
  if (isInPieces(content)) return wholeText(content);
  const text = typeof content === 'string' ? content : asBuffer(content).toString(isAscii(content) ? 'latin1' : 'utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Does a file hold a word of ASCII? */
export function includes(content: FileContent, word: string): boolean {
  return typeof content === 'string' || isInPieces(content) ? content.includes(word) : asBuffer(content).includes(word);
}

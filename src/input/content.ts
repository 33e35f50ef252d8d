import { isAscii } from 'node:buffer';

/** A part of a text that holds whole documents. Offsets are those in the whole text. */
export interface Piece {
  readonly at: number;
  /** Behind its last document. A line that separates this from the next piece is in neither. */
  readonly end: number;
  /** The number of lines before it. */
  readonly line: number;
  /** The offsets of its bytes in the file, which are others where a character takes several. */
  readonly bytes: { readonly at: number; readonly end: number };
}

/** A text that is read piece by piece, and not held. */
export interface TextInPieces {
  /** Bytes of the whole. */
  readonly length: number;
  readonly pieces: readonly Piece[];
  /** @throws ChangedFileError */
  read(piece: Piece): string;
  /** The whole, where its pieces will not do. @throws ChangedFileError */
  whole(): string;
  /** Does it hold a word of ASCII? @throws ChangedFileError */
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

/** The bytes of a file. */
export function bytesOf(content: FileContent): Buffer {
  if (isInPieces(content)) return Buffer.from(content.whole());
  return typeof content === 'string' ? Buffer.from(content) : asBuffer(content);
}

/** The text that bytes say. A large one that is read as Latin-1, as ASCII can be, Node keeps outside of the heap, which then leaves less garbage lying. */
export function decoded(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}

/** The text of a file, without the mark of its encoding. */
export function textOf(content: FileContent): string {
  if (isInPieces(content)) return content.whole();
  const text = typeof content === 'string' ? content : decoded(asBuffer(content));
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Does a file hold a word of ASCII? */
export function includes(content: FileContent, word: string): boolean {
  return typeof content === 'string' || isInPieces(content) ? content.includes(word) : asBuffer(content).includes(word);
}

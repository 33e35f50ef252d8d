import { isAscii } from 'node:buffer';

/** A part of a text that holds whole documents. Offsets are those in the whole text. */
export interface TextChunk {
  readonly at: number;
  /** Behind its last document. A line that separates this from the next piece is in neither. */
  readonly end: number;
  /** The number of lines before it. */
  readonly line: number;
  /** The offsets of its bytes in the file, which are others where a character takes several. */
  readonly bytes: { readonly at: number; readonly end: number };
}

/** A text that is read piece by piece, and not held. */
export interface ChunkedText {
  /** Bytes of the whole. */
  readonly length: number;
  readonly pieces: readonly TextChunk[];
  /** @throws ChangedFileError */
  read(piece: TextChunk): string;
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
export type FileContent = Uint8Array | string | ChunkedText;

export function isChunked(content: FileContent): content is ChunkedText {
  return typeof content === 'object' && 'pieces' in content;
}

function toBuffer(content: Uint8Array): Buffer {
  return Buffer.from(content.buffer, content.byteOffset, content.length);
}

/** The bytes of a file. */
export function fileBytesOf(content: FileContent): Buffer {
  if (isChunked(content)) return Buffer.from(content.whole());
  return typeof content === 'string' ? Buffer.from(content) : toBuffer(content);
}

/** The text that bytes say. A large one that is read as Latin-1, as ASCII can be, Node keeps outside of the heap, which then leaves less garbage lying. */
export function decodeText(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}

/** The text of a file, without the mark of its encoding. */
export function fileTextOf(content: FileContent): string {
  if (isChunked(content)) return content.whole();
  const text = typeof content === 'string' ? content : decodeText(toBuffer(content));
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Does a file hold a word of ASCII? */
export function includesWord(content: FileContent, word: string): boolean {
  return typeof content === 'string' || isChunked(content) ? content.includes(word) : toBuffer(content).includes(word);
}

import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { ChangedFileError, decodeText, fileTextOf } from './file-content';
import type { TextChunk, ChunkedText } from './file-content';
import { splitIntoChunks } from './pieces';

/** Bytes from which on a file is read piece by piece. */
export const MIN_CHUNKED_FILE_BYTES = 1024 * 1024;
/** Bytes that are read at once. A piece of them goes as far as their last separator. */
const AT_ONCE = 256 * 1024;
/** One for all that is read. For each time a room of its own the engine would leave garbage lying outside of its heap. */
let sharedBuffer: Buffer | undefined;

/** Room for so many bytes, until room is asked for again. */
function getBuffer(length: number): Buffer {
  if (length > 2 * AT_ONCE) return Buffer.allocUnsafe(length);
  sharedBuffer ??= Buffer.allocUnsafe(2 * AT_ONCE);
  return sharedBuffer.subarray(0, length);
}

function isSame(a: Stats, b: Stats): boolean {
  return a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs;
}

/**
 * Fills some room with the bytes of a file from an offset on.
 *
 * @param shown - the file as messages name it
 * @throws ChangedFileError where it has fewer
 */
export function readFully(file: number, bytes: Buffer, from: number, shown: string): void {
  for (let read = 0; read < bytes.length;) {
    const length = readSync(file, bytes, read, bytes.length - read, from + read);
    if (length === 0) throw new ChangedFileError(shown);
    read += length;
  }
}

/** Fills some room with bytes from an offset on. @throws ChangedFileError */
type Fill = (bytes: Buffer, from: number) => void;

/** A large text in UTF-8, of which one piece after the other is held, so that memory does not grow with it. */
export class LargeFile implements ChunkedText {
  private constructor(
    private readonly fill: Fill,
    readonly length: number,
    readonly pieces: readonly TextChunk[],
  ) {}

  /** The text that so many bytes stand for, where they hold a stream of YAML; else undefined. */
  static of(length: number, fill: Fill): LargeFile | undefined {
    const whole = new LargeFile(fill, length, []);
    const pieces = splitIntoChunks(length, (at, end) => whole.bytes({ at, end }), AT_ONCE);
    return pieces && new LargeFile(fill, length, pieces);
  }

  /**
   * The file at a path, where it is large and holds a stream of YAML; else undefined.
   *
   * @param shown - as messages name it
   * @param most - bytes that it may have
   * @throws what the file system says where it can't be read
   */
  static at(path: string | Buffer, shown: string, most: number): LargeFile | undefined {
    const stats = statSync(path);
    if (!stats.isFile() || stats.size < MIN_CHUNKED_FILE_BYTES || stats.size > most) return undefined;
    return LargeFile.of(stats.size, (bytes, from) => {
      const file = openSync(path, 'r');
      try {
        if (!isSame(fstatSync(file), stats)) throw new ChangedFileError(shown);
        readFully(file, bytes, from, shown);
      } finally {
        closeSync(file);
      }
    });
  }

  /** @throws ChangedFileError */
  read({ bytes }: TextChunk): string {
    return decodeText(this.bytes(bytes));
  }

  /** @throws ChangedFileError */
  whole(): string {
    return fileTextOf(this.bytes({ at: 0, end: this.length }));
  }

  /** @throws ChangedFileError */
  includes(word: string): boolean {
    return this.pieces.some(({ bytes: { at } }, index) =>
      this.bytes({ at, end: this.pieces[index + 1]?.bytes.at ?? this.length }).includes(word),
    );
  }

  /** Some bytes of it, until others are asked for. */
  private bytes({ at, end }: TextChunk['bytes']): Buffer {
    const bytes = getBuffer(end - at);
    this.fill(bytes, at);
    return bytes;
  }
}

import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { ChangedFileError } from './content';
import type { Piece, TextInPieces } from './content';
import { piecesOf } from './pieces';

/** Bytes from which on a file is read piece by piece. */
const LARGE = 1024 * 1024;
/** Bytes that are read at once. A piece of them goes as far as their last separator. */
const AT_ONCE = 256 * 1024;
/** One for all that is read. For each time a room of its own the engine would leave garbage lying outside of its heap. */
let room: Buffer | undefined;

/** Room for so many bytes, until room is asked for again. */
function roomFor(length: number): Buffer {
  if (length > 2 * AT_ONCE) return Buffer.allocUnsafe(length);
  room ??= Buffer.allocUnsafe(2 * AT_ONCE);
  return room.subarray(0, length);
}

function isSame(a: Stats, b: Stats): boolean {
  return a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs;
}

/** A large file of ASCII, of which one piece after the other is held, so that memory does not grow with it. */
export class LargeFile implements TextInPieces {
  private constructor(
    private readonly path: string | Buffer,
    private readonly shown: string,
    private readonly stats: Stats,
    readonly pieces: readonly Piece[],
  ) {}

  /**
   * The file at a path, where it is large and holds a stream of YAML in ASCII, in which an offset is one in its bytes; else undefined.
   *
   * @param shown - as messages name it
   * @param most - bytes that it may have
   * @throws what the file system says where it can't be read
   */
  static at(path: string | Buffer, shown: string, most: number): LargeFile | undefined {
    const stats = statSync(path);
    if (!stats.isFile() || stats.size < LARGE || stats.size > most) return undefined;
    const whole = new LargeFile(path, shown, stats, []);
    const pieces = piecesOf(stats.size, (begin, end) => whole.bytes(begin, end), AT_ONCE);
    return pieces && new LargeFile(path, shown, stats, pieces);
  }

  get length(): number {
    return this.stats.size;
  }

  /** @throws ChangedFileError */
  read({ at, end }: Pick<Piece, 'at' | 'end'>): string {
    return this.bytes(at, end).toString('latin1');
  }

  /** @throws ChangedFileError */
  includes(word: string): boolean {
    return this.pieces.some(({ at }, index) => this.bytes(at, this.pieces[index + 1]?.at ?? this.length).includes(word));
  }

  /** Some bytes of it, until others are asked for. */
  private bytes(from: number, to: number): Buffer {
    const file = openSync(this.path, 'r');
    try {
      if (!isSame(fstatSync(file), this.stats)) throw new ChangedFileError(this.shown);
      const bytes = roomFor(to - from);
      for (let read = 0; read < bytes.length;) {
        const length = readSync(file, bytes, read, bytes.length - read, from + read);
        if (length === 0) throw new ChangedFileError(this.shown);
        read += length;
      }
      return bytes;
    } finally {
      closeSync(file);
    }
  }
}

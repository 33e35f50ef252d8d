import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileContent } from './file-content';
import { readFully, MIN_CHUNKED_FILE_BYTES, LargeFile } from './large-file';

/** Opens a file of no name, for this process alone: what goes through a pipe may be secret. It is gone when the process is, however that ends. */
function openNameless(): number {
  const folder = mkdtempSync(join(tmpdir(), 'rolloutkit-'));
  try {
    return openSync(join(folder, 'stream'), 'wx+', 0o600);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeFully(file: number, bytes: Uint8Array, at: number): void {
  for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written, bytes.length - written, at + written);
}

/** As messages name what is in that file. */
const SPOOL_DISPLAY_NAME = 'the copy of what was piped in';

/** So many bytes from the beginning of a file. */
function readBeginning(file: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  readFully(file, bytes, 0, SPOOL_DISPLAY_NAME);
  return bytes;
}

/** What a stream gives, which can't be read again: held, or put into a file where it is large, so that memory does not grow with it. */
export class Spool {
  private held: Uint8Array[] = [];
  private file: number | undefined;
  private total = 0;

  /** @param mayWrite - is it put into a file? One that can't be written is done without. */
  constructor(private mayWrite: boolean) {}

  /** Bytes so far. */
  get length(): number {
    return this.total;
  }

  /** @param block - which may hold something else afterwards */
  add(block: Uint8Array): void {
    if (this.mayWrite && this.total + block.length >= MIN_CHUNKED_FILE_BYTES) this.write(block);
    else this.held.push(Buffer.from(block));
    this.total += block.length;
  }

  private write(block: Uint8Array): void {
    const { held, total } = this;
    try {
      this.file ??= openNameless();
      if (held.length > 0) writeFully(this.file, Buffer.concat(held), 0);
      writeFully(this.file, block, total);
      this.held = [];
    } catch {
      // No space is left, or there is nowhere to write to.
      this.mayWrite = false;
      const before = held.length > 0 || this.file === undefined ? held : [readBeginning(this.file, total)];
      this.held = [...before, Buffer.from(block)];
      if (this.file !== undefined) closeSync(this.file);
      this.file = undefined;
    }
  }

  content(): FileContent {
    const { file, total } = this;
    if (file === undefined) return Buffer.concat(this.held);
    return LargeFile.of(total, (bytes, from) => readFully(file, bytes, from, SPOOL_DISPLAY_NAME)) ?? readBeginning(file, total);
  }
}

/**
 * What a stream gives.
 *
 * @param most - bytes beyond which no more is read than is needed to tell
 * @param inPieces - is much of it put into a file, and read piece by piece?
 */
export async function readStreamContent(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  most: number,
  inPieces: boolean,
): Promise<FileContent> {
  const spool = new Spool(inPieces);
  for await (const block of stream) {
    spool.add(block);
    if (spool.length > most) break;
  }
  return spool.content();
}

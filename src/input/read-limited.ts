import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { readBlocks } from './blocks';
import { BYTES_PER_MEGABYTE } from './read-budget';
import { fileBytesOf } from './file-content';
import type { FileContent } from './file-content';
import { Spool } from './spool';

/** What a shell hands over as `<(helm template .)` is open at both ends. */
const SHELL_FD_PATH = /^\/(?:dev\/fd|proc\/self\/fd)\/|^\/dev\/stdin$/;

/** What a pipe or a device gives; undefined where that is more than `most` bytes. */
function readStream(blocks: Iterable<Uint8Array>, maxBytes: number, spool: Spool): FileContent | undefined {
  for (const block of blocks) {
    spool.add(block);
    if (spool.length > maxBytes) return undefined;
  }
  return spool.content();
}

function openWithoutBlocking(path: string | Buffer): number {
  // Without it, opening a pipe waits for somebody who writes to it. Windows has neither.
  return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
}

/**
 * What a file, a pipe or a device holds; undefined where that is more than `most` bytes, of which no more is read than that.
 *
 * @param inPieces - is much of what a pipe gives read piece by piece?
 * @throws what the file system says where it can't be read
 */
export function readContent(path: string | Buffer, maxBytes: number, inPieces: boolean): FileContent | undefined {
  const isShellPipe = SHELL_FD_PATH.test(path.toString());
  const file = isShellPipe ? openSync(path, 'r') : openWithoutBlocking(path);
  try {
    const entry = fstatSync(file);
    if (!entry.isFile() && !entry.isDirectory())
      return readStream(readBlocks(file, !isShellPipe && entry.isFIFO()), maxBytes, new Spool(inPieces));
    return entry.size > maxBytes ? undefined : readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * The bytes of the same.
 *
 * @throws what the file system says where it can't be read
 */
export function readLimited(path: string | Buffer, maxBytes: number): Uint8Array | undefined {
  const content = readContent(path, maxBytes, false);
  return content === undefined ? undefined : fileBytesOf(content);
}

/** Of a file that says what the files around it are, such as `Chart.yaml`, in bytes. */
const MAX_MARKER_FILE_BYTES = 10 * BYTES_PER_MEGABYTE;

/** The text of a file that says what the files around it are; undefined of one that can't be read, is too long for that, or is a pipe or a device. */
export function readMarkerFile(path: string): string | undefined {
  try {
    return statSync(path).isFile() ? readLimited(path, MAX_MARKER_FILE_BYTES)?.toString() : undefined;
  } catch {
    return undefined;
  }
}

import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { blocksOf } from './blocks';
import { MEGABYTE } from './budget';
import { bytesOf } from './content';
import type { FileContent } from './content';
import { Spool } from './spool';

/** What a shell hands over as `<(helm template .)` is open at both ends. */
const OF_SHELL = /^\/(?:dev\/fd|proc\/self\/fd)\/|^\/dev\/stdin$/;

/** What a pipe or a device gives; undefined where that is more than `most` bytes. */
function streamed(blocks: Iterable<Uint8Array>, most: number, spool: Spool): FileContent | undefined {
  for (const block of blocks) {
    spool.add(block);
    if (spool.length > most) return undefined;
  }
  return spool.content();
}

function opened(path: string | Buffer): number {
  // Without it, opening a pipe waits for somebody who writes to it. Windows has neither.
  return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
}

/**
 * What a file, a pipe or a device holds; undefined where that is more than `most` bytes, of which no more is read than that.
 *
 * @param inPieces - is much of what a pipe gives read piece by piece?
 * @throws what the file system says where it can't be read
 */
export function readContent(path: string | Buffer, most: number, inPieces: boolean): FileContent | undefined {
  const isOfShell = OF_SHELL.test(path.toString());
  const file = isOfShell ? openSync(path, 'r') : opened(path);
  try {
    const entry = fstatSync(file);
    if (!entry.isFile() && !entry.isDirectory()) return streamed(blocksOf(file, !isOfShell && entry.isFIFO()), most, new Spool(inPieces));
    return entry.size > most ? undefined : readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * The bytes of the same.
 *
 * @throws what the file system says where it can't be read
 */
export function readAtMost(path: string | Buffer, most: number): Uint8Array | undefined {
  const content = readContent(path, most, false);
  return content === undefined ? undefined : bytesOf(content);
}

/** Of a file that says what the files around it are, such as `Chart.yaml`, in bytes. */
const MOST_OF_MARKER = 10 * MEGABYTE;

/** The text of a file that says what the files around it are; undefined of one that can't be read, is too long for that, or is a pipe or a device. */
export function markerText(path: string): string | undefined {
  try {
    return statSync(path).isFile() ? readAtMost(path, MOST_OF_MARKER)?.toString() : undefined;
  } catch {
    return undefined;
  }
}

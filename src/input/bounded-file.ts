import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { MEGABYTE } from './budget';

const CHUNK = 65_536;

/** What a pipe or a device gives, which may have no end. */
function streamed(file: number, most: number): Uint8Array | undefined {
  const chunks: Uint8Array[] = [];
  for (let bytes = 0; bytes <= most;) {
    const chunk = Buffer.alloc(CHUNK);
    const length = readSync(file, chunk);
    if (length === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, length));
    bytes += length;
  }
  return undefined;
}

/**
 * The bytes of a file; undefined where they are more than `most`, of which no more is read than that.
 *
 * @throws what the file system says where it can't be read
 */
export function readAtMost(path: string | Buffer, most: number): Uint8Array | undefined {
  const file = openSync(path, 'r');
  try {
    const entry = fstatSync(file);
    if (!entry.isFile() && !entry.isDirectory()) return streamed(file, most);
    return entry.size > most ? undefined : readFileSync(file);
  } finally {
    closeSync(file);
  }
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

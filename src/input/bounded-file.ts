import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { MEGABYTE } from './budget';

const CHUNK = 65_536;
/** A pipe that nobody opens to write to it for so long is taken to have no writer. */
const MOST_SECONDS_WITHOUT_WRITER = 2;
const MILLISECONDS_BETWEEN_LOOKS = 10;

/** What a shell hands over as `<(helm template .)` is open at both ends. */
const OF_SHELL = /^\/(?:dev\/fd|proc\/self\/fd)\/|^\/dev\/stdin$/;

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, MILLISECONDS_BETWEEN_LOOKS);
}

/** Bytes read into a chunk, 0 at the end; undefined where there are none yet. */
function lengthRead(file: number, chunk: Buffer): number | undefined {
  try {
    return readSync(file, chunk);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
    throw error;
  }
}

/**
 * What a pipe or a device gives, which may have no end.
 *
 * @param needsWriter - may it be a pipe that nobody writes to, which would be waited for without end?
 */
function streamed(file: number, most: number, needsWriter: boolean): Uint8Array | undefined {
  const chunks: Uint8Array[] = [];
  const patience = performance.now() + MOST_SECONDS_WITHOUT_WRITER * 1_000;
  let hasWriter = !needsWriter;
  for (let bytes = 0; bytes <= most;) {
    const chunk = Buffer.alloc(CHUNK);
    const length = lengthRead(file, chunk);
    hasWriter ||= length !== 0;
    if (length === 0 && hasWriter) return Buffer.concat(chunks);
    if (!hasWriter && performance.now() > patience) throw new Error('it is a pipe, and nobody writes to it');
    if (length) {
      chunks.push(chunk.subarray(0, length));
      bytes += length;
    } else {
      pause();
    }
  }
  return undefined;
}

function opened(path: string | Buffer): number {
  // Without it, opening a pipe waits for somebody who writes to it. Windows has neither.
  return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
}

/**
 * The bytes of a file; undefined where they are more than `most`, of which no more is read than that.
 *
 * @throws what the file system says where it can't be read
 */
export function readAtMost(path: string | Buffer, most: number): Uint8Array | undefined {
  const isOfShell = OF_SHELL.test(path.toString());
  const file = isOfShell ? openSync(path, 'r') : opened(path);
  try {
    const entry = fstatSync(file);
    if (!entry.isFile() && !entry.isDirectory()) return streamed(file, most, !isOfShell && entry.isFIFO());
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

import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import { BYTES_PER_MEGABYTE } from './read-budget';
import { isFileOfGit, isSameFile } from './repository-folder';

/** Absolute folders without links, below which this process reads. Undefined if it may read anywhere. */
let readRoots: readonly string[] | undefined;

/**
 * Limits what this process reads from now on to these folders, as a server does that is started for them. A check of a path before it is read
 * is not enough: a program that runs next to it can replace a folder by a link in between.
 *
 * @param roots - absolute paths without links; undefined lifts the limit
 */
export function limitReads(roots: readonly string[] | undefined): void {
  readRoots = roots;
}

/** Reports whether a path is that of a folder, or below it. */
export function isInFolder(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/**
 * Returns the path without links of a file below a folder; undefined if a link leads out of the folder or into `.git`. A link of `/proc` may lead to
 * another file than its text says, and the path of a folder that is not UTF-8 is that of another one.
 *
 * @param root - path of the folder without links
 * @throws the error of the file system if there is no such file
 */
export function resolveInside(root: string, path: string): string | undefined {
  const real = realpathSync.native(path);
  return !root.includes('\ufffd') && isInFolder(root, real) && isSameFile(path, real) && !isFileOfGit(real, root) ? real : undefined;
}

/** Reports whether a path without links may be read. */
export function isBelowReadRoots(path: string): boolean {
  return readRoots === undefined || readRoots.some((root) => isInFolder(root, path));
}

const REFUSAL = 'it is not below the folders that the server was started for';

/** @throws Error for a folder that may not be read */
export function assertReadableFolder(folder: string | Buffer): void {
  if (readRoots !== undefined && !isBelowReadRoots(realpathSync.native(folder.toString()))) throw new Error(REFUSAL);
}

/**
 * Checks that an open file is the one at its path without links, and that this path may be read.
 *
 * @throws Error for any other file
 */
export function assertReadableFile(path: string | Buffer, file: number): void {
  if (readRoots === undefined) return;
  const target = realpathSync.native(path.toString());
  const [opened, found] = [fstatSync(file), statSync(target)];
  if (isBelowReadRoots(target) && opened.ino === found.ino && opened.dev === found.dev) return;
  throw new Error(REFUSAL);
}

/** The path of a pipe that a shell opened, as in `<(helm template .)`. Both ends are open already. */
const SHELL_FD_PATH = /^\/(?:dev\/fd|proc\/self\/fd)\/|^\/dev\/stdin$/;

/** Links of the operating system, which the user names and no repository contains. */
const SYSTEM_LINK = /^\/proc\/|^\/dev\/(?:fd\/)?[^/]+$/;

/** Reports whether a file that is not regular is waited for. A link of a repository to a terminal would never end. */
function mayWaitFor(path: string): boolean {
  return SYSTEM_LINK.test(path) || !lstatSync(path).isSymbolicLink();
}

/** The capacity of a Linux pipe in bytes. */
const PIPE_CAPACITY = 65_536;
/** After this many seconds, a pipe that no process has opened for writing is taken to have no writer. */
const MAX_SECONDS_WITHOUT_WRITER = 2;
const MILLISECONDS_BETWEEN_READS = 10;

function waitForData(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, MILLISECONDS_BETWEEN_READS);
}

/** Reads bytes into a buffer and returns their number: 0 at the end, undefined if there are none yet. */
function readAvailable(file: number, buffer: Buffer): number | undefined {
  try {
    return readSync(file, buffer);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
    throw error;
  }
}

/**
 * Reads an open pipe or device, which may be endless, chunk by chunk. Each chunk is overwritten by the next one.
 *
 * @param needsWriter - whether it may be a pipe without a writer, which would never end
 * @param mayWait - whether it is waited for if it has no data yet
 * @throws the error of the file system if it cannot be read
 */
export function* readChunks(file: number, needsWriter = false, mayWait = true): Generator<Buffer> {
  const buffer = Buffer.allocUnsafe(PIPE_CAPACITY);
  const giveUpAt = performance.now() + MAX_SECONDS_WITHOUT_WRITER * 1_000;
  let hasWriter = !needsWriter;
  for (;;) {
    const length = readAvailable(file, buffer);
    if (length === undefined && !mayWait)
      throw new Error('it has no data yet; name a file with data, or the pipe or device itself instead of a link to it');
    hasWriter ||= length !== 0;
    if (length === 0 && hasWriter) return;
    if (!hasWriter && performance.now() > giveUpAt) throw new Error('it is a pipe that no process writes to');
    if (length) yield buffer.subarray(0, length);
    else waitForData();
  }
}

/** Bytes that are read in pieces. They are kept in one buffer, since thousands of small ones are freed late. */
class GrowingBytes {
  private buffer = Buffer.allocUnsafeSlow(PIPE_CAPACITY);
  length = 0;

  append(chunk: Uint8Array): void {
    const length = this.length + chunk.length;
    if (length > this.buffer.length) {
      const larger = Buffer.allocUnsafeSlow(2 * length);
      larger.set(this.buffer.subarray(0, this.length));
      this.buffer = larger;
    }
    this.buffer.set(chunk, this.length);
    this.length = length;
  }

  toBytes(): Buffer {
    return this.buffer.subarray(0, this.length);
  }
}

function readUpTo(file: number, maxBytes: number, needsWriter: boolean, mayWait: boolean): Buffer | undefined {
  const bytes = new GrowingBytes();
  for (const chunk of readChunks(file, needsWriter, mayWait)) {
    bytes.append(chunk);
    if (bytes.length > maxBytes) return undefined;
  }
  return bytes.toBytes();
}

/** Opens a file. Without O_NONBLOCK, opening a pipe would wait for a writer. Windows has no such flag. */
function openWithoutBlocking(path: string | Buffer): number {
  return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
}

/**
 * Reads a file, a pipe or a device.
 *
 * @returns undefined if there are more than `maxBytes`; no more than that is read
 * @throws the error of the file system if it cannot be read
 */
export function readLimited(path: string | Buffer, maxBytes: number): Buffer | undefined {
  const isShellPipe = SHELL_FD_PATH.test(path.toString());
  const file = isShellPipe ? openSync(path, 'r') : openWithoutBlocking(path);
  try {
    assertReadableFile(path, file);
    const entry = fstatSync(file);
    // A file of /proc has no size, and may be endless. It is not waited for, since a configuration may name it.
    if (!entry.isDirectory() && (!entry.isFile() || entry.size === 0)) {
      return readUpTo(file, maxBytes, !isShellPipe && entry.isFIFO(), !entry.isFile() && mayWaitFor(path.toString()));
    }
    return entry.size > maxBytes ? undefined : readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** Reads a stream to its end, or until there are more than `maxBytes`. */
export async function readStream(stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const bytes = new GrowingBytes();
  for await (const chunk of stream) {
    bytes.append(chunk);
    if (bytes.length > maxBytes) break;
  }
  return bytes.toBytes();
}

/** The largest marker file that is read, such as `Chart.yaml`, in bytes. */
const MAX_MARKER_FILE_BYTES = BYTES_PER_MEGABYTE;

/** Returns the text of a marker file of a revision, with the same limit as in a folder. */
export function toMarkerText(content: Buffer): string | undefined {
  return content.length > MAX_MARKER_FILE_BYTES ? undefined : content.toString('utf8');
}

/**
 * Returns the text of a marker file. Returns undefined if it cannot be read, is too long, or is a pipe or a device.
 *
 * @param root - the folder without links that no link may lead out of. @default - it may lead anywhere
 */
export function readMarkerFile(path: string, root?: string): string | undefined {
  try {
    const real = root === undefined ? path : resolveInside(root, path);
    return real !== undefined && statSync(real).isFile() ? readLimited(real, MAX_MARKER_FILE_BYTES)?.toString() : undefined;
  } catch {
    return undefined;
  }
}

import { existsSync, fstatSync, readFileSync, readlinkSync, writeSync } from 'node:fs';
import type { Printer } from './io';

const STREAMS = { 1: () => process.stdout, 2: () => process.stderr } as const;

/** File descriptor of a standard output stream. */
type StreamNumber = keyof typeof STREAMS;

/**
 * Reports whether a stream is a file, a pipe or a socket, which can be written to synchronously. A terminal is a character device.
 * On Windows a pipe is left to Node.js.
 */
function isSynchronous(number: StreamNumber): boolean {
  if (process.platform === 'win32') return false;
  try {
    return !fstatSync(number).isCharacterDevice();
  } catch {
    return false;
  }
}

/** Shells, whose `>&-` closes a stream. */
const SHELL_NAME = /^(?:ba|da|z|fi|k|a)?sh\n$/;
/** Access mode of a file that is open for reading and writing, in the octal flags of `/proc/self/fdinfo`. */
const READ_AND_WRITE = /^flags:\s*[0-7]*2$/m;

/** Reports whether the process that started this one has no such stream either: `timeout` and similar programs inherit a closed one. */
function isClosedInParent(number: StreamNumber): boolean {
  try {
    readlinkSync(`/proc/${process.ppid}/fd/${number}`);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' && existsSync(`/proc/${process.ppid}/fd`);
  }
}

/**
 * Reports whether a shell closed a stream, as `>&-` does. Node.js then opens /dev/null in its place, for reading and writing, so that output
 * is lost without an error. A program that discards output opens it in the same way, so only what a shell starts is reported, or a program
 * without the stream. Linux only.
 */
export function isClosedByShell(number: StreamNumber): boolean {
  try {
    if (readlinkSync(`/proc/self/fd/${number}`) !== '/dev/null') return false;
    if (!READ_AND_WRITE.test(readFileSync(`/proc/self/fdinfo/${number}`, 'utf8'))) return false;
    // Some shells close their own stream while the program runs.
    if (isClosedInParent(number)) return true;
    if (!SHELL_NAME.test(readFileSync(`/proc/${process.ppid}/comm`, 'utf8'))) return false;
    return readlinkSync(`/proc/${process.ppid}/fd/${number}`) !== '/dev/null';
  } catch {
    return false;
  }
}

/** Writes what the stream accepts now. @returns the rest, if the pipe is full and was opened as non-blocking */
function writeAvailable(number: StreamNumber, text: string): Buffer {
  const bytes = Buffer.from(text);
  try {
    return bytes.subarray(writeSync(number, bytes));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    return bytes;
  }
}

/**
 * Opens standard output or standard error. Writes directly if it is not a terminal: loading a Node.js stream takes as long as planning a small file.
 *
 * @param onError - receives write errors, except when a reader such as `head` closes the pipe, which is not a failure
 */
export function openStandardStream(number: StreamNumber, onError: (error: Error) => void): Printer {
  const handleError = (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') onError(error);
  };
  const stream = () => STREAMS[number]().on('error', handleError);
  if (!isSynchronous(number)) return stream();

  let bufferedStream: NodeJS.WriteStream | undefined;
  return {
    write: (text) => {
      try {
        const rest = bufferedStream ? Buffer.from(text) : writeAvailable(number, text);
        if (rest.length > 0) (bufferedStream ??= stream()).write(rest);
      } catch (error) {
        handleError(error as Error);
      }
    },
  };
}

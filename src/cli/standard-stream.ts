import { fstatSync, writeSync } from 'node:fs';
import type { Printer } from './io';

const STREAMS = { 1: () => process.stdout, 2: () => process.stderr } as const;

/** Number of a standard stream that is written to. */
type StreamNumber = keyof typeof STREAMS;

/**
 * Is it a file, a pipe or a socket, which takes what is written at once? A terminal is a device. On Windows Node.js knows better how to write to a pipe.
 */
function isSynchronous(number: StreamNumber): boolean {
  if (process.platform === 'win32') return false;
  try {
    return !fstatSync(number).isCharacterDevice();
  } catch {
    return false;
  }
}

/** Writes as much as is taken now. @returns what is left, where the other end has to make room first and whoever opened it does not wait */
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
 * Standard output or standard error. Where it is no terminal, it is written to without a stream of Node.js: to load what that stands on takes
 * as long as to plan a small file.
 *
 * @param onError - told of what cannot be written, but not that a reader such as `head` has seen enough and closed the pipe: that is no failure
 */
export function openStandardStream(number: StreamNumber, onError: (error: Error) => void): Printer {
  const failed = (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') onError(error);
  };
  const stream = () => STREAMS[number]().on('error', failed);
  if (!isSynchronous(number)) return stream();

  let bufferedStream: NodeJS.WriteStream | undefined;
  return {
    write: (text) => {
      try {
        const left = bufferedStream ? Buffer.from(text) : writeAvailable(number, text);
        if (left.length > 0) (bufferedStream ??= stream()).write(left);
      } catch (error) {
        failed(error as Error);
      }
    },
  };
}

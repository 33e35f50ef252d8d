import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Source } from '../core/findings/finding';

/** Folder of this package's own code. */
const PACKAGE_ROOT = path.resolve(__dirname, '..') + path.sep;

/** Parses the location of a V8 stack frame, `at new Web (file:///app/main.ts:12:3)` or `at /app/main.js:12:3`. Undefined for one without a file. */
function parseFrameLocation(frame: string): string | undefined {
  const text = frame.trim();
  const location = text.endsWith(')') ? text.slice(text.indexOf(' (') + ' ('.length, -1) : text.slice('at '.length);
  const [line, column] = location.split(':').slice(-2);
  if (!Number.isInteger(Number(line)) || !Number.isInteger(Number(column))) return undefined;
  const file = location.slice(0, -`:${line}:${column}`.length);
  const local = file.startsWith('file://') ? fileURLToPath(file) : file;
  return path.isAbsolute(local) ? `${local}:${line}:${column}` : undefined;
}

function isUserCode(location: string): boolean {
  return !location.startsWith(PACKAGE_ROOT) && !location.includes(`${path.sep}node_modules${path.sep}`);
}

/**
 * Runs a call whose errors are those of the user's input. They get the line of the user's code, and no stack of this package's code.
 */
export function locateErrors<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    const location = findCallSite();
    if (error instanceof Error && location !== undefined) {
      error.message += ` (called at ${location})`;
      error.stack = `${error.name}: ${error.message}`;
    }
    throw error;
  }
}

/**
 * Returns the line of the user's code that created a construct: `src/main.ts:12:3`, relative to the working directory. Undefined if the stack
 * has only code of packages, as in a bundle.
 *
 * @param trace - error created with the construct. Its stack is only formatted here. @default - the call site
 */
export function findCallSite(trace = new Error()): string | undefined {
  const frames = (trace.stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '));
  const location = frames.map(parseFrameLocation).find((candidate) => candidate !== undefined && isUserCode(candidate));
  return location === undefined ? undefined : path.relative(process.cwd(), location);
}

/** Parses a call site, `src/main.ts:12:3`, into the position of a finding. */
export function parseCallSite(callSite: string): Source {
  const [line, column] = callSite.split(':').slice(-2);
  return { file: callSite.slice(0, -`:${line}:${column}`.length), line: Number(line), column: Number(column) };
}

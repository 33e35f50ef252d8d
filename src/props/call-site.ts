import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where this package's own code lies. */
const PACKAGE_ROOT = path.resolve(__dirname, '..') + path.sep;

/** The place of a frame of V8, `at new Web (file:///app/main.ts:12:3)` or `at /app/main.js:12:3`; undefined for one without a file. */
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
 * The line of the user's code from which a construct was made: `src/main.ts:12:3`, from the working directory; undefined where no code but
 * that of packages is at work, as in a bundle.
 *
 * @param trace - made where the construct was; its stack is only written out here. @default - the place of the call
 */
export function findCallSite(trace = new Error()): string | undefined {
  const frames = (trace.stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '));
  const location = frames.map(parseFrameLocation).find((candidate) => candidate !== undefined && isUserCode(candidate));
  return location === undefined ? undefined : path.relative(process.cwd(), location);
}

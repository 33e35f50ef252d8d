import { pluralize } from '../core/text-format';
import { escapeForTerminal } from '../core/escape-output';
import type { Io } from './io';

/** Milliseconds of work before a person is told of it, and between two words. */
const QUIET_MILLISECONDS = 1_000;
const UPDATE_INTERVAL_MILLISECONDS = 200;

const CLEAR_LINE = '\r\u001b[K';

/** Passes the files on; tells a person at a terminal how many there were so far, once it takes longer than a second. */
export function* withProgress<T>(files: Iterable<T>, { stderr }: Io, now: () => number = Date.now): Generator<T> {
  let lastShownAt = now() + QUIET_MILLISECONDS - UPDATE_INTERVAL_MILLISECONDS;
  let isShown = false;
  let count = 0;
  for (const file of files) {
    yield file;
    count++;
    if (stderr.isTTY !== true || now() - lastShownAt < UPDATE_INTERVAL_MILLISECONDS) continue;
    lastShownAt = now();
    isShown = true;
    stderr.write(`${CLEAR_LINE}${pluralize(count, 'file')} read …`);
  }
  if (isShown) stderr.write(CLEAR_LINE);
}

/** Does a piece of work; a person at a terminal reads meanwhile what it is, and nothing once it is done. */
export function withProgressMessage<T>(what: string, { stderr }: Pick<Io, 'stderr'>, work: () => T): T {
  if (stderr.isTTY !== true) return work();
  stderr.write(`${CLEAR_LINE}${escapeForTerminal(what)} …`);
  try {
    return work();
  } finally {
    stderr.write(CLEAR_LINE);
  }
}

/** Objects that take a while to plan. */
const MIN_OBJECTS_WITH_PROGRESS = 1_000;

/** Plans so many objects; a person at a terminal reads meanwhile that it goes on. */
export function withPlanningProgress<T>(objects: number, io: Pick<Io, 'stderr'>, work: () => T): T {
  return objects < MIN_OBJECTS_WITH_PROGRESS ? work() : withProgressMessage(`plans ${objects} objects`, io, work);
}

import { pluralize } from '../../core/text/text-format';
import { escapeForTerminal } from '../../core/text/escape-output';
import type { Io } from './io';

/** Milliseconds until progress is first shown, and between two updates. */
const QUIET_MILLISECONDS = 1_000;
const UPDATE_INTERVAL_MILLISECONDS = 200;

const CLEAR_LINE = '\r\u001b[K';

/** Yields the files, and shows their count so far on a terminal once reading takes longer than a second. */
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

/** Runs a task and shows its description on a terminal until it is done. */
export function withProgressMessage<T>(description: string, { stderr }: Pick<Io, 'stderr'>, work: () => T): T {
  if (stderr.isTTY !== true) return work();
  stderr.write(`${CLEAR_LINE}${escapeForTerminal(description)} …`);
  try {
    return work();
  } finally {
    stderr.write(CLEAR_LINE);
  }
}

/** Number of objects from which planning shows progress. */
const MIN_OBJECTS_WITH_PROGRESS = 1_000;

/** Runs the planning of a number of objects, and shows it on a terminal if there are many. */
export function withPlanningProgress<T>(objects: number, io: Pick<Io, 'stderr'>, work: () => T): T {
  return objects < MIN_OBJECTS_WITH_PROGRESS ? work() : withProgressMessage(`planning ${objects} objects`, io, work);
}

/** Shows on a terminal how many of a number of steps are done: `12 of 30 reads …`. The last step clears the line. */
export function showCount(done: number, total: number, what: string, { stderr }: Pick<Io, 'stderr'>): void {
  if (stderr.isTTY !== true) return;
  stderr.write(done < total ? `${CLEAR_LINE}${done} of ${pluralize(total, what)} …` : CLEAR_LINE);
}

/** Writes a line where progress may be shown on a terminal. */
export function writeOverProgress(line: string, { stderr }: Pick<Io, 'stderr'>): void {
  stderr.write(stderr.isTTY === true ? `${CLEAR_LINE}${line}` : line);
}

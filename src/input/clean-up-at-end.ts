/** Exit codes of a process that a signal ends, as shells report them. */
const SIGNAL_EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

type EndSignal = keyof typeof SIGNAL_EXIT_CODES;

const SIGNALS = Object.keys(SIGNAL_EXIT_CODES) as readonly EndSignal[];

/** Work that is left until the process ends. */
const cleanups = new Set<() => void>();

function runCleanups(): void {
  for (const cleanup of cleanups) cleanup();
  cleanups.clear();
}

function endBySignal(signal: EndSignal): void {
  runCleanups();
  unwatchEnd();
  // A shell that runs a script ends it only if the signal ends this process too.
  process.kill(process.pid, signal);
  // The first process of a container is not ended by a signal.
  process.exit(SIGNAL_EXIT_CODES[signal]);
}

function watchEnd(): void {
  process.on('exit', runCleanups);
  for (const signal of SIGNALS) process.on(signal, endBySignal);
}

function unwatchEnd(): void {
  process.off('exit', runCleanups);
  for (const signal of SIGNALS) process.off(signal, endBySignal);
}

/**
 * Does work when the process exits or a signal ends it. Meanwhile, a signal that arrives during a long calculation, or while another program
 * runs synchronously, is handled after it.
 *
 * @returns a function that cancels the work
 */
export function cleanUpAtEnd(cleanup: () => void): () => void {
  if (cleanups.size === 0) watchEnd();
  cleanups.add(cleanup);
  return () => {
    if (cleanups.delete(cleanup) && cleanups.size === 0) unwatchEnd();
  };
}

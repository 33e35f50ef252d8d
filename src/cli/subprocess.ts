import { spawnSync } from 'node:child_process';
import type { ProgramRunner } from '../input/render';
import { findProgram } from '../input/git/find-program';
import { formatTimeout } from '../core/budget/timeout-message';
import { escapeForTerminal } from '../core/text/escape-output';
import { stripKlogPrefix } from '../live/kubectl';
import { UsageError } from './output/io';
import type { Io } from './output/io';
import { withProgressMessage } from './output/progress';

/** Maximum output of a program, in bytes. */
const MAX_OUTPUT_BYTES = 512 * 1024 * 1024;

/** Returns what a program says about its failure: all lines, as one. A klog error continues on the lines after its prefix. */
function formatErrorOutput(text: string): string {
  return text
    .split('\n')
    .map((line) => stripKlogPrefix(line).trim())
    .filter((line) => line !== '')
    .join(' ');
}

/** Signals with which a user stops the command line and the program that it runs. */
const STOP_SIGNALS: ReadonlySet<NodeJS.Signals | null> = new Set(['SIGINT', 'SIGTERM', 'SIGHUP']);

/** Where programs run, and how long. */
interface RunnerOptions {
  /** The folder in which they run. @default - that of the command line, from which they are searched in any case */
  readonly folder?: string;
  /** Seconds from now until all of them must have ended. @default - no limit */
  readonly seconds?: number | undefined;
}

/** Shortest time that a program gets, in milliseconds: 0 would be no limit. */
const MIN_MILLISECONDS = 1;

/**
 * Creates a function that runs programs without a shell, and logs each command to standard error.
 *
 * @throws UsageError if a program is interrupted
 */
export function createProgramRunner(
  { cwd, env, stderr }: Omit<Io, 'stdin' | 'stdout'>,
  { folder = cwd, seconds }: RunnerOptions,
): ProgramRunner {
  const end = seconds === undefined ? undefined : Date.now() + seconds * 1_000;
  return (program, args) => {
    const found = findProgram(program, { cwd, env });
    if (!found) return 'absent';
    const timeout = end === undefined ? undefined : Math.max(MIN_MILLISECONDS, end - Date.now());
    const start = () =>
      spawnSync(found.file, [...args], {
        cwd: folder,
        env: found.env,
        maxBuffer: MAX_OUTPUT_BYTES,
        ...(timeout !== undefined && Number.isFinite(timeout) && { timeout: Math.ceil(timeout), killSignal: 'SIGKILL' as const }),
      });
    const { error, status, signal, stdout, stderr: errorOutput } = withProgressMessage([program, ...args].join(' '), { stderr }, start);
    stderr.write(`rolloutkit: ran ${escapeForTerminal([program, ...args].join(' '))}\n`);
    if (error && 'code' in error && error.code === 'ETIMEDOUT') return { failed: formatTimeout('rendering', Number(seconds)) };
    if (error) return { failed: error.message };
    if (STOP_SIGNALS.has(signal)) throw new UsageError(`${program} was interrupted by ${signal}; run the command again`);
    if (status !== 0)
      return { failed: formatErrorOutput(errorOutput.toString('utf8')) || `it ended with ${signal ?? `exit code ${status}`}` };
    return { printed: stdout };
  };
}

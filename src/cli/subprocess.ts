import { spawnSync } from 'node:child_process';
import type { ProcessResult } from '../input/render';
import { findProgram } from '../input/find-program';
import { escapeForTerminal } from '../core/escape-output';
import { UsageError } from './io';
import type { Io } from './io';
import { withProgressMessage } from './progress';

/** Maximum output of a program, in bytes. */
const MAX_OUTPUT_BYTES = 512 * 1024 * 1024;

/** Prefix of a klog line: severity, date, time, process, position. It is removed so that a plan is the same on every run. */
const KLOG_PREFIX = /^[EFIW]\d{4} [\d:.]+ +\d+ [^\]]*\] /;

/** Returns what a program says about its failure: all lines, as one. A klog error continues on the lines after its prefix. */
function formatErrorOutput(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(KLOG_PREFIX, '').trim())
    .filter((line) => line !== '')
    .join(' ');
}

/** Signals with which a user stops the command line and the program that it runs. */
const STOP_SIGNALS: ReadonlySet<NodeJS.Signals | null> = new Set(['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * Runs a program without a shell, and logs the command to standard error.
 *
 * @param folder - the folder in which it runs. @default - that of the command line, from which it is searched in any case
 * @throws UsageError if the program is interrupted
 */
export function runProgram(
  program: string,
  args: readonly string[],
  { cwd, env, stderr }: Omit<Io, 'stdin' | 'stdout'>,
  folder = cwd,
): ProcessResult {
  const found = findProgram(program, { cwd, env });
  if (!found) return 'absent';
  const start = () => spawnSync(found.file, [...args], { cwd: folder, env: found.env, maxBuffer: MAX_OUTPUT_BYTES });
  const { error, status, signal, stdout, stderr: errorOutput } = withProgressMessage([program, ...args].join(' '), { stderr }, start);
  stderr.write(`rolloutkit: ran ${escapeForTerminal([program, ...args].join(' '))}\n`);
  if (error) return { failed: error.message };
  if (STOP_SIGNALS.has(signal)) throw new UsageError(`${program} was interrupted by ${signal}; run the command again`);
  if (status !== 0)
    return { failed: formatErrorOutput(errorOutput.toString('utf8')) || `it ended with ${signal ?? `exit code ${status}`}` };
  return { printed: stdout };
}

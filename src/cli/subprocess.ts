import { spawnSync } from 'node:child_process';
import type { ProcessResult } from '../input/render';
import { escapeForTerminal } from '../core/escape-output';
import type { Io } from './io';
import { withProgressMessage } from './progress';

/** Maximum output of a program, in bytes. */
const MAX_OUTPUT_BYTES = 512 * 1024 * 1024;

function isNotInstalled(error: Error | undefined): boolean {
  return error !== undefined && 'code' in error && error.code === 'ENOENT';
}

/** Prefix of a klog line: severity, date, time, process, position. It is removed so that a plan is the same on every run. */
const KLOG_PREFIX = /^[EFIW]\d{4} [\d:.]+ +\d+ [^\]]*\] /;

function getLastLine(text: string): string {
  return (text.trim().split('\n').at(-1) ?? '').replace(KLOG_PREFIX, '');
}

/** Runs a program without a shell, in the folder and environment of the command line, and logs the command to standard error. */
export function runProgram(program: string, args: readonly string[], { cwd, env, stderr }: Io): ProcessResult {
  const start = () => spawnSync(program, [...args], { cwd, env, maxBuffer: MAX_OUTPUT_BYTES });
  const { error, status, signal, stdout, stderr: errorOutput } = withProgressMessage([program, ...args].join(' '), { stderr }, start);
  if (isNotInstalled(error)) return 'absent';
  stderr.write(`rolloutkit: ran ${escapeForTerminal([program, ...args].join(' '))}\n`);
  if (error) return { failed: error.message };
  if (status !== 0) return { failed: getLastLine(errorOutput.toString('utf8')) || `it ended with ${signal ?? `exit code ${status}`}` };
  return { printed: stdout };
}

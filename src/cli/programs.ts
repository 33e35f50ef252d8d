import { spawnSync } from 'node:child_process';
import type { Ran } from '../input/render';
import { visible } from '../core/visible';
import type { Io } from './io';
import { during } from './progress';

/** Bytes that a program may print. */
const MOST = 512 * 1024 * 1024;

function isAbsent(error: Error | undefined): boolean {
  return error !== undefined && 'code' in error && error.code === 'ENOENT';
}

/** How klog begins a line: severity, date, time, process, place. A plan is the same every time. */
const LOG_HEAD = /^[EFIW]\d{4} [\d:.]+ +\d+ [^\]]*\] /;

function lastLine(text: string): string {
  return (text.trim().split('\n').at(-1) ?? '').replace(LOG_HEAD, '');
}

/** Runs a program without a shell, in the folder and with the environment of the command line, and names it on standard error. */
export function runProgram(program: string, args: readonly string[], { cwd, env, stderr }: Io): Ran {
  const ran = () => spawnSync(program, [...args], { cwd, env, maxBuffer: MOST });
  const { error, status, signal, stdout, stderr: said } = during([program, ...args].join(' '), { stderr }, ran);
  if (isAbsent(error)) return 'absent';
  stderr.write(`rolloutkit: ran ${visible([program, ...args].join(' '))}\n`);
  if (error) return { failed: error.message };
  if (status !== 0) return { failed: lastLine(said.toString('utf8')) || `it ended with ${signal ?? `exit code ${status}`}` };
  return { printed: stdout };
}

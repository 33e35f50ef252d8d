#!/usr/bin/env node
import { lstatSync, mkdirSync } from 'node:fs';
import { Module } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getErrorMessage } from '../core/errors/error-message';
import { describeOsError } from '../input/os-error-message';
import { readChunks } from '../input/read-limited';
import { isSameFile } from '../input/repository-folder';
import { EXIT } from './output/exit-codes';
import type * as LazyCommandsModule from './lazy-commands';
import type * as RunModule from './run';
import { isClosedByShell, openStandardStream } from './output/standard-stream';
import { isVersionRequest, printVersion } from './commands/version';

/** Ignores write errors: the exit code still reports the failure. */
const stderr = openStandardStream(2, () => undefined);

function failToWrite(reason: string): never {
  stderr.write(`rolloutkit: cannot write to standard output: ${reason}\n`);
  process.exit(EXIT.unable);
}

/** Reports write errors, such as a full disk. */
const stdout = isClosedByShell(1)
  ? { write: () => failToWrite('it is closed; redirect it to /dev/null if the output is not needed') }
  : openStandardStream(1, (error) => failToWrite(describeOsError(error)));

/**
 * Opens standard input, on Windows with Node.js, which detects the end of a pipe there.
 * Elsewhere, Node.js would read a folder as an empty stream.
 */
function openStandardInput(): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  return process.platform === 'win32' ? (process.stdin as AsyncIterable<Uint8Array>) : readChunks(0);
}

/** Bits of the mode of a folder into which its group or all users may write. */
const WRITABLE_BY_OTHERS = 0o022;

/**
 * Reports whether only this user can have written to the default folder of the cache, and creates it. The folder for temporary files belongs to
 * all users of the machine, so another one could have created the folder, with code that would run here.
 */
function ownsCacheFolder(): boolean {
  if (process.env['NODE_COMPILE_CACHE'] || process.getuid === undefined) return true;
  const folder = join(tmpdir(), 'node-compile-cache');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const stats = lstatSync(folder);
    return stats.isDirectory() && stats.uid === process.getuid() && (stats.mode & WRITABLE_BY_OTHERS) === 0;
  } catch {
    return false;
  }
}

/** Lets Node.js cache compiled code in its default directory. Node.js before 22.1 has no such cache. */
function enableCompileCache(): void {
  const { enableCompileCache: enable } = Module as { readonly enableCompileCache?: () => void };
  if (enable && !process.env['NODE_DISABLE_COMPILE_CACHE'] && ownsCacheFolder()) enable();
}

/**
 * Returns the working directory.
 *
 * @throws Error if it was deleted, or if its path leads to another folder: Node.js replaces each byte that is not UTF-8 by the same character
 */
function findWorkingDirectory(): string {
  let cwd: string;
  try {
    cwd = process.cwd();
  } catch {
    throw new Error('the working directory does not exist any more; change to another one');
  }
  if (isSameFile('.', cwd)) return cwd;
  throw new Error('the path of the working directory does not lead to it: it is not UTF-8, or may not be read; change to another one');
}

/** Runs a command line. The program is loaded here because loading it takes longer than printing its version. */
async function runCommandLine(argv: readonly string[]): Promise<void> {
  enableCompileCache();
  const { run } = require('./run') as typeof RunModule;
  const io = {
    stdout,
    stderr,
    get stdin() {
      return openStandardInput();
    },
    cwd: findWorkingDirectory(),
    env: process.env,
  };
  process.exitCode = await run(argv, io, () => (require('./lazy-commands') as typeof LazyCommandsModule).COMMAND_MODULES);
}

const argv = process.argv.slice(2);
if (isVersionRequest(argv)) printVersion(stdout);
else
  runCommandLine(argv).catch((error: unknown) => {
    stderr.write(`rolloutkit: ${getErrorMessage(error)}\n`);
    process.exitCode = EXIT.unable;
  });

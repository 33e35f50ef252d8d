#!/usr/bin/env node
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
// Node.js would print a stack trace and exit with 1, which has another meaning here.
process.on('uncaughtException', (error) => {
  const { printFailure } = require('./run') as typeof RunModule;
  printFailure(error, stderr);
  process.exit(EXIT.unable);
});
if (isVersionRequest(argv)) printVersion(stdout);
else
  runCommandLine(argv).catch((error: unknown) => {
    stderr.write(`rolloutkit: ${getErrorMessage(error)}\n`);
    process.exitCode = EXIT.unable;
  });

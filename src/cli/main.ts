#!/usr/bin/env node
import { join } from 'node:path';
import { readBlocks } from '../input/blocks';
import { describeOsError } from '../input/os-error-message';
import { configureV8 } from './engine';
import { EXIT } from './exit-codes';
import type * as BundleModule from './lazy-commands';
import { writeCodeCache, loadWithCodeCache } from './kept-code';
import type * as RunModule from './run';
import { openStandardStream } from './standard-stream';
import { isVersionRequest, printVersion } from './version';

/** What cannot be said is not said: the exit code still tells. */
const stderr = openStandardStream(2, () => undefined);

/** A full disk, for one. */
const stdout = openStandardStream(1, (error) => {
  stderr.write(`rolloutkit: cannot write to standard output: ${describeOsError(error)}\n`);
  process.exit(EXIT.unable);
});

/** Read as it is asked for: what Node.js makes of a pipe reads ahead, each time into room of its own. Windows tells the end of a pipe in other ways. */
function openStandardInput(): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  return process.platform === 'win32' ? (process.stdin as AsyncIterable<Uint8Array>) : readBlocks(0);
}

/** Loaded where more than the version is asked for, since to find and read the parts of a program takes longer than to say its version. */
async function runCommandLine(argv: readonly string[]): Promise<void> {
  const { run } = loadWithCodeCache(join(__dirname, 'run.js'), 'program') as typeof RunModule;
  let isLarge = false;
  const io = {
    stdout,
    stderr,
    get stdin() {
      return openStandardInput();
    },
    cwd: process.cwd(),
    env: process.env,
    onLargeInput: () => {
      isLarge = true;
      configureV8(process.versions.node);
    },
  };
  let loaded: typeof BundleModule | undefined;
  const load = (use: string) =>
    (loaded ??= loadWithCodeCache(join(__dirname, 'lazy-commands.js'), use) as typeof BundleModule).COMMAND_MODULES;
  process.exitCode = await run(argv, io, load);
  if (!isLarge) writeCodeCache();
}

const argv = process.argv.slice(2);
if (isVersionRequest(argv)) printVersion(stdout);
else void runCommandLine(argv);

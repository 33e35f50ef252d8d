#!/usr/bin/env node
import { join } from 'node:path';
import { blocksOf } from '../input/blocks';
import { reasonOf } from '../input/reason';
import { spareEngine } from './engine';
import { EXIT } from './exit-codes';
import type * as BundleModule from './bundle';
import { keepCode, loadKept } from './kept-code';
import type * as RunModule from './run';
import { standardStream } from './standard-stream';
import { asksForVersion, printVersion } from './version';

/** What cannot be said is not said: the exit code still tells. */
const stderr = standardStream(2, () => undefined);

/** A full disk, for one. */
const stdout = standardStream(1, (error) => {
  stderr.write(`rolloutkit: cannot write to standard output: ${reasonOf(error)}\n`);
  process.exit(EXIT.unable);
});

/** Read as it is asked for: what Node.js makes of a pipe reads ahead, each time into room of its own. Windows tells the end of a pipe in other ways. */
function standardInput(): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  return process.platform === 'win32' ? (process.stdin as AsyncIterable<Uint8Array>) : blocksOf(0);
}

/** Loaded where more than the version is asked for, since to find and read the parts of a program takes longer than to say its version. */
async function runProgram(argv: readonly string[]): Promise<void> {
  const { run } = loadKept(join(__dirname, 'run.js'), 'program') as typeof RunModule;
  let isLarge = false;
  const io = {
    stdout,
    stderr,
    get stdin() {
      return standardInput();
    },
    cwd: process.cwd(),
    env: process.env,
    onLargeInput: () => {
      isLarge = true;
      spareEngine(process.versions.node);
    },
  };
  let loaded: typeof BundleModule | undefined;
  const load = (use: string) => (loaded ??= loadKept(join(__dirname, 'bundle.js'), use) as typeof BundleModule).BUNDLED;
  process.exitCode = await run(argv, io, load);
  if (!isLarge) keepCode();
}

const argv = process.argv.slice(2);
if (asksForVersion(argv)) printVersion(stdout);
else void runProgram(argv);

#!/usr/bin/env node
import { join } from 'node:path';
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

async function readStdin(most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk as Uint8Array);
    bytes += (chunk as Uint8Array).length;
    if (bytes > most) break;
  }
  return Buffer.concat(chunks);
}

/** Loaded where more than the version is asked for, since to find and read the parts of a program takes longer than to say its version. */
async function runProgram(argv: readonly string[]): Promise<void> {
  const { run } = loadKept(join(__dirname, 'run.js'), 'program') as typeof RunModule;
  let isLarge = false;
  const io = {
    stdout,
    stderr,
    readStdin,
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

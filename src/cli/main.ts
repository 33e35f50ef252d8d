#!/usr/bin/env node
import { join } from 'node:path';
import { reasonOf } from '../input/reason';
import { growNewSpace, spareEngine } from './engine';
import { EXIT } from './exit-codes';
import type * as BundleModule from './bundle';
import { keepCode, loadKept } from './kept-code';
import type * as RunModule from './run';
import { asksForVersion, printVersion } from './version';

/** A reader such as `head` that has seen enough closes the pipe; that is no failure. A full disk is one. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(process.exitCode);
  process.stderr.write(`rolloutkit: cannot write to standard output: ${reasonOf(error)}\n`);
  process.exit(EXIT.unable);
});

/** What cannot be said is not said: the exit code still tells. */
process.stderr.on('error', () => undefined);

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
  const { node } = process.versions;
  spareEngine(node);
  const { run } = loadKept(join(__dirname, 'run.js'), 'program') as typeof RunModule;
  const io = {
    stdout: process.stdout,
    stderr: process.stderr,
    readStdin,
    cwd: process.cwd(),
    env: process.env,
    onLargeInput: () => growNewSpace(node),
  };
  let loaded: typeof BundleModule | undefined;
  const load = (use: string) => (loaded ??= loadKept(join(__dirname, 'bundle.js'), use) as typeof BundleModule).BUNDLED;
  process.exitCode = await run(argv, io, load);
  keepCode();
}

const argv = process.argv.slice(2);
if (asksForVersion(argv)) printVersion(process.stdout);
else void runProgram(argv);

import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Module } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { getPackageVersion } from './package-version';

/** Beside the compiled files: gone with the next build, the next version and the package. */
const FOLDER = join(__dirname, '../.cache');

/** A script whose code is not kept yet. */
interface Unkept {
  readonly script: Script;
  readonly kept: string;
}

const unkept: Unkept[] = [];

function readCachedCode(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

type Wrapped = (...given: readonly unknown[]) => void;

/** As packages that transform modules call it. */
type Compiling = Module & Readonly<Record<'_compile', (text: string, file: string) => void>>;

/** What Node.js compiles as a module it maps to its sources, and a script it does not. */
function compileModule(file: string): Wrapped {
  const holder = new Module(file) as Compiling;
  holder['_compile'](`module.exports = ${readFileSync(file, 'latin1')}`, file);
  return holder.exports as Wrapped;
}

/** The function around a module, with the code that is kept of it. */
function compileScript(file: string, use: string): Wrapped {
  const kept = join(FOLDER, `${use}-${getPackageVersion()}-node-${process.versions.node}-${process.arch}`);
  const mayKeep = process.env.NODE_DISABLE_COMPILE_CACHE === undefined;
  const cachedData = mayKeep ? readCachedCode(kept) : undefined;
  const script = new Script(readFileSync(file, 'latin1'), { filename: file, cachedData });
  if (mayKeep && (cachedData === undefined || script.cachedDataRejected === true)) unkept.push({ script, kept });
  return script.runInThisContext() as Wrapped;
}

/**
 * Loads a script of `npm run bundle`, with the code that the engine made of it in an earlier run: to compile it takes as long as to plan a small repository.
 *
 * Node.js keeps code by itself from version 22.1 on, where it is asked to; version 20 does not. As there, `NODE_DISABLE_COMPILE_CACHE` turns it off.
 * The engine takes nothing that another version of it, or one with other flags, has made: then it compiles, and that is kept instead.
 *
 * @param file - absolute, beside this one; a function around a module, in ASCII
 * @param use - what is asked of the module, since the engine keeps those functions alone that ran
 */
export function loadWithCodeCache(file: string, use: string): unknown {
  const module = { exports: {} };
  const run = process.sourceMapsEnabled ? compileModule(file) : compileScript(file, use);
  run(module.exports, require, module, file, dirname(file));
  return module.exports;
}

/** Writes the file whole, so that another process, and one after a power cut, reads all of it or nothing: the engine itself looks at its length alone. */
function write({ script, kept }: Unkept): void {
  const made = `${kept}.${process.pid}`;
  const file = openSync(made, 'wx');
  try {
    writeFileSync(file, script.createCachedData());
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    renameSync(made, kept);
  } catch (error) {
    rmSync(made, { force: true });
    throw error;
  }
}

/** Keeps the code of what this run had to compile, where the package may be written to. */
export function writeCodeCache(): void {
  if (unkept.length === 0) return;
  try {
    mkdirSync(FOLDER, { recursive: true });
    unkept.forEach(write);
  } catch {
    // Installed by somebody else, on a disk that is full or read-only: the next run compiles again.
  }
}

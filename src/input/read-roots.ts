import { fstatSync, realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';

/** Absolute folders without links, below which this process reads. Undefined if it may read anywhere. */
let readRoots: readonly string[] | undefined;

/**
 * Limits what this process reads from now on to these folders, as a server does that is started for them. A check of a path before it is read
 * is not enough: a program that runs next to it can replace a folder by a link in between.
 *
 * @param roots - absolute paths without links; undefined lifts the limit
 */
export function limitReads(roots: readonly string[] | undefined): void {
  readRoots = roots;
}

/** Reports whether a path without links may be read. */
export function isBelowReadRoots(path: string): boolean {
  return readRoots === undefined || readRoots.some((root) => path === root || path.startsWith(root.endsWith(sep) ? root : root + sep));
}

const REFUSAL = 'it is not below the folders that the server was started for';

/** @throws Error for a folder that may not be read */
export function assertReadableFolder(folder: string | Buffer): void {
  if (readRoots !== undefined && !isBelowReadRoots(realpathSync.native(folder.toString()))) throw new Error(REFUSAL);
}

/**
 * Checks that an open file is the one at its path without links, and that this path may be read.
 *
 * @throws Error for any other file
 */
export function assertReadableFile(path: string | Buffer, file: number): void {
  if (readRoots === undefined) return;
  const target = realpathSync.native(path.toString());
  const [opened, found] = [fstatSync(file), statSync(target)];
  if (isBelowReadRoots(target) && opened.ino === found.ino && opened.dev === found.dev) return;
  throw new Error(REFUSAL);
}

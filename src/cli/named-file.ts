import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Fields } from '../core/manifest';
import type { Locations } from '../input/locations';
import { readMaps } from '../input/read';
import { reasonOf } from '../input/reason';
import { UsageError } from './io';

/** The PATH that is standard input. */
export const STDIN = '-';

/**
 * The bytes of a file that an option names.
 *
 * @param role - what it is for an error: `given with --capacity`
 *
 * @throws UsageError where it can't be read
 */
export function readNamedFile(path: string, cwd: string, role: string): Uint8Array {
  if (path === '') throw new UsageError(`the name of the file ${role} is empty; name a file`);
  try {
    return readFileSync(resolve(cwd, path));
  } catch (error) {
    throw new UsageError(`cannot read ${path}, ${role}: ${reasonOf(error)}`);
  }
}

/**
 * The maps of a file that an option names.
 *
 * @param role - what it is for an error: `given with --capacity`
 *
 * @throws UsageError for a document that can't be read
 */
export function mapsOf(path: string, content: Uint8Array, role: string, locations: Locations): readonly Fields[] {
  const { maps, findings } = readMaps({ file: path, content }, locations);
  const [finding] = findings;
  if (!finding) return maps;
  throw new UsageError(`${path}:${finding.source!.line}, ${role}: ${finding.message}`);
}

import { resolve } from 'node:path';
import type { Fields } from '../core/manifest';
import type { Locations } from '../input/locations';
import { readAtMost } from '../input/bounded-file';
import { DEFAULT_BUDGET, MEGABYTE } from '../input/budget';
import { readMaps } from '../input/read';
import { reasonOf } from '../input/reason';
import { UsageError } from './io';

/** The PATH that is standard input. */
export const STDIN = '-';

/** What a file that an option names may be long: as all manifests together may, unless another budget is given. */
const MOST_MEGABYTES = DEFAULT_BUDGET['total-megabytes'];

function contentOf(path: string, cwd: string, role: string): Uint8Array | undefined {
  try {
    return readAtMost(resolve(cwd, path), MOST_MEGABYTES * MEGABYTE);
  } catch (error) {
    throw new UsageError(`cannot read ${path}, ${role}: ${reasonOf(error)}`);
  }
}

/**
 * The bytes of a file that an option names.
 *
 * @param role - what it is for an error: `given with --capacity`
 *
 * @throws UsageError where it can't be read
 */
export function readNamedFile(path: string, cwd: string, role: string): Uint8Array {
  if (path === '') throw new UsageError(`the name of the file ${role} is empty; name a file`);
  const content = contentOf(path, cwd, role);
  if (content === undefined) throw new UsageError(`${path}, ${role}, is longer than ${MOST_MEGABYTES} MB; name a shorter file`);
  return content;
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

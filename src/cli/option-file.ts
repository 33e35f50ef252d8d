import { resolve } from 'node:path';
import type { Fields } from '../core/manifest';
import type { SourceMap } from '../input/source-map';
import { readLimited } from '../input/read-limited';
import { DEFAULT_BUDGET, BYTES_PER_MEGABYTE } from '../input/read-budget';
import { readMaps } from '../input/read';
import { describeOsError } from '../input/os-error-message';
import { UsageError } from './io';

/** The PATH that is standard input. */
export const STDIN = '-';

/** What a file that an option names may be long: as all manifests together may, unless another budget is given. */
const MAX_OPTION_FILE_MEGABYTES = DEFAULT_BUDGET['total-megabytes'];

function readFileContent(path: string, cwd: string, role: string): Uint8Array | undefined {
  try {
    return readLimited(resolve(cwd, path), MAX_OPTION_FILE_MEGABYTES * BYTES_PER_MEGABYTE);
  } catch (error) {
    throw new UsageError(`cannot read ${path}, ${role}: ${describeOsError(error)}`);
  }
}

/**
 * The bytes of a file that an option names.
 *
 * @param role - what it is for an error: `given with --capacity`
 *
 * @throws UsageError where it can't be read
 */
export function readOptionFile(path: string, cwd: string, role: string): Uint8Array {
  if (path === '') throw new UsageError(`the name of the file ${role} is empty; name a file`);
  const content = readFileContent(path, cwd, role);
  if (content === undefined) throw new UsageError(`${path}, ${role}, is longer than ${MAX_OPTION_FILE_MEGABYTES} MB; name a shorter file`);
  return content;
}

/**
 * The maps of a file that an option names.
 *
 * @param role - what it is for an error: `given with --capacity`
 *
 * @throws UsageError for a document that can't be read
 */
export function parseOptionFile(path: string, content: Uint8Array, role: string, locations: SourceMap): readonly Fields[] {
  const { maps, findings } = readMaps({ file: path, content }, locations);
  const [finding] = findings;
  if (!finding) return maps;
  throw new UsageError(`${path}:${finding.source!.line}, ${role}: ${finding.message}`);
}

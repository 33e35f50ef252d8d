import { resolve } from 'node:path';
import type { Fields } from '../../core/manifest/manifest';
import type { SourceMap } from '../../input/source-map';
import { readLimited } from '../../input/read-limited';
import { DEFAULT_BUDGET, BYTES_PER_MEGABYTE } from '../../input/read-budget';
import { readMaps } from '../../input/read';
import { describeOsError } from '../../input/os-error-message';
import { UsageError } from '../output/io';

/** PATH for standard input. */
export const STDIN = '-';

/** Maximum size of a file that an option names: the default limit for all manifests together. */
const MAX_OPTION_FILE_MEGABYTES = DEFAULT_BUDGET['total-megabytes'];

function readFileContent(path: string, cwd: string, role: string): Uint8Array | undefined {
  try {
    return readLimited(resolve(cwd, path), MAX_OPTION_FILE_MEGABYTES * BYTES_PER_MEGABYTE);
  } catch (error) {
    throw new UsageError(`cannot read ${path}, ${role}: ${describeOsError(error)}`);
  }
}

/**
 * Reads the bytes of a file that an option names.
 *
 * @param role - description of the file for an error: `given with --capacity`
 *
 * @throws UsageError if the file cannot be read
 */
export function readOptionFile(path: string, cwd: string, role: string): Uint8Array {
  if (path === '') throw new UsageError(`the name of the file ${role} is empty; name a file`);
  const content = readFileContent(path, cwd, role);
  if (content === undefined) throw new UsageError(`${path}, ${role}, is larger than ${MAX_OPTION_FILE_MEGABYTES} MB; name a smaller file`);
  return content;
}

/**
 * Reads the maps of a file that an option names.
 *
 * @param role - description of the file for an error: `given with --capacity`
 *
 * @throws UsageError if a document cannot be read
 */
export function parseOptionFile(path: string, content: Uint8Array, role: string, locations: SourceMap): readonly Fields[] {
  const { maps, findings } = readMaps({ file: path, content }, locations);
  const [finding] = findings;
  if (!finding) return maps;
  throw new UsageError(`${path}:${finding.source!.line}, ${role}: ${finding.message}`);
}

import { MAX_FILE_MEGABYTES } from '../../core/findings/input-problem';
import type { Fields } from '../../core/manifest/manifest';
import { SourceMap } from '../../input/source-map';
import { readLimited } from '../../input/read-limited';
import { BudgetTracker, DEFAULT_BUDGET, BYTES_PER_MEGABYTE } from '../../input/read-budget';
import { readMaps } from '../../input/read';
import { resolvePath } from '../../input/follow-path';
import { describeOsError } from '../../input/os-error-message';
import { UsageError } from '../output/io';

/** PATH for standard input. */
export const STDIN = '-';

function readFileContent(path: string, cwd: string, role: string, megabytes: number): Uint8Array | undefined {
  try {
    return readLimited(resolvePath(path, cwd), megabytes * BYTES_PER_MEGABYTE);
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
export function readOptionFile(path: string, cwd: string, role: string, megabytes = MAX_FILE_MEGABYTES): Uint8Array {
  if (path === '') throw new UsageError(`the name of the file ${role} is empty; name a file`);
  const content = readFileContent(path, cwd, role, megabytes);
  if (content === undefined) throw new UsageError(`${path}, ${role}, is larger than ${megabytes} MB; name a smaller file`);
  return content;
}

/**
 * Reads the maps of a file that an option names.
 *
 * @param role - description of the file for an error: `given with --capacity`
 * @param seconds - time that reading may take, since a configuration of the input may name the file
 *
 * @throws UsageError if a document cannot be read
 */
export function parseOptionFile(
  path: string,
  content: Uint8Array,
  role: string,
  { locations = new SourceMap(), seconds = DEFAULT_BUDGET.seconds }: { readonly locations?: SourceMap; readonly seconds?: number } = {},
): readonly Fields[] {
  const spending = new BudgetTracker({ ...DEFAULT_BUDGET, seconds });
  const { maps, findings } = readMaps({ file: path, content }, locations, spending);
  const [finding] = findings;
  if (!finding) return maps;
  throw new UsageError(`${path}:${finding.source!.line}, ${role}: ${finding.message}`);
}

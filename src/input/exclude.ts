import { matchesPattern } from '../core/sources/path-pattern';
import { stripTrailingSlashes } from './folder-paths';
import type { DiscoveredFile, FileExclusion } from './discovered-file';

/** Returns the path of a file, relative to the PATH in which it was found. */
function resolvePathBelowRoot(entry: DiscoveredFile): string {
  if ('inTree' in entry && entry.inTree) return entry.inTree.below;
  const { file, given } = entry;
  if (given?.as !== 'folder') return file;
  const start = `${stripTrailingSlashes(given.path)}/`;
  return file.startsWith(start) ? file.slice(start.length) : file;
}

/** Makes a pattern without a slash match a name at any depth. */
function toAnyDepthPattern(pattern: string): string {
  return stripTrailingSlashes(pattern).includes('/') ? pattern : `**/${pattern}`;
}

/** Patterns of the configuration, and the paths that they are matched against. */
export interface ConfigExclusion extends FileExclusion {
  readonly patterns: readonly string[];
  /** Returns the path of a file from the folder of the configuration; undefined for a file outside it. */
  readonly toConfigPath: (file: string) => string | undefined;
}

/** Exclusion by an option of the command line. */
const BY_OPTION: FileExclusion = { by: '--exclude', isFromInput: false };

/**
 * Returns what excludes a file; undefined if nothing does. A file that was given by name is never excluded.
 *
 * A pattern of the command line is matched against the path below the PATH and against the path as printed.
 * A pattern of the configuration is matched against the path from the folder of the configuration.
 * A pattern without a slash is matched against each name in the path.
 */
export function findExclusion(entry: DiscoveredFile, patterns: readonly string[], configured?: ConfigExclusion): FileExclusion | undefined {
  if (entry.given?.as !== 'folder') return undefined;
  const { file } = 'inTree' in entry && entry.inTree ? entry.inTree : entry;
  const matches = (path: string | undefined) => (pattern: string) => path !== undefined && matchesPattern(toAnyDepthPattern(pattern), path);
  if (patterns.length > 0 && [resolvePathBelowRoot(entry), file].some((path) => patterns.some(matches(path)))) return BY_OPTION;
  if (!configured || configured.patterns.length === 0 || !configured.patterns.some(matches(configured.toConfigPath(file))))
    return undefined;
  return { by: configured.by, isFromInput: configured.isFromInput };
}

/**
 * Marks the files that are excluded, and drops other entries that an option excludes, and markers. A marked file is not planned, and no
 * program renders it.
 */
export function* markExcluded(
  files: Iterable<DiscoveredFile>,
  patterns: readonly string[],
  configured: ConfigExclusion | undefined,
): Generator<DiscoveredFile> {
  for (const file of files) {
    const exclusion = findExclusion(file, patterns, configured);
    if (!exclusion) yield file;
    else if ('content' in file) {
      const { place: _, ...marked } = file;
      yield { ...marked, exclusion };
    } else if (exclusion.isFromInput && ('skipped' in file || 'problem' in file)) yield { ...file, exclusion };
  }
}

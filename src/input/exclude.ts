import { matchesPattern } from '../core/path-pattern';
import { withoutEndSlashes } from './layout';
import type { FoundFile } from './found-file';

/** A path below the PATH that it was found in. */
function belowGiven(entry: FoundFile): string {
  if ('inTree' in entry && entry.inTree) return entry.inTree.below;
  const { file, given } = entry;
  if (given?.as !== 'folder') return file;
  const start = `${withoutEndSlashes(given.path)}/`;
  return file.startsWith(start) ? file.slice(start.length) : file;
}

/** A pattern without a slash stands for a name at any depth. */
function anywhere(pattern: string): string {
  return withoutEndSlashes(pattern).includes('/') ? pattern : `**/${pattern}`;
}

/** Patterns of the configuration, and how it sees a file. */
export interface ConfiguredExclusion {
  readonly patterns: readonly string[];
  /** Undefined for a file outside of its folder. */
  readonly seen: (file: string) => string | undefined;
}

/**
 * Is a file left out? A pattern of the command line is held against the path below the PATH and the path as printed,
 * one of the configuration against the path from its folder; one without a slash against each name. What was given by name stays.
 */
export function isExcluded(entry: FoundFile, patterns: readonly string[], configured?: ConfiguredExclusion): boolean {
  if (entry.given?.as !== 'folder') return false;
  const { file } = 'inTree' in entry && entry.inTree ? entry.inTree : entry;
  const matches = (path: string | undefined) => (pattern: string) => path !== undefined && matchesPattern(anywhere(pattern), path);
  if (patterns.length > 0 && [belowGiven(entry), file].some((path) => patterns.some(matches(path)))) return true;
  return configured !== undefined && configured.patterns.length > 0 && configured.patterns.some(matches(configured.seen(file)));
}

import { matchesPattern } from '../core/path-pattern';
import { stripTrailingSlashes } from './layout';
import type { DiscoveredFile } from './discovered-file';

/** A path below the PATH that it was found in. */
function resolvePathBelowRoot(entry: DiscoveredFile): string {
  if ('inTree' in entry && entry.inTree) return entry.inTree.below;
  const { file, given } = entry;
  if (given?.as !== 'folder') return file;
  const start = `${stripTrailingSlashes(given.path)}/`;
  return file.startsWith(start) ? file.slice(start.length) : file;
}

/** A pattern without a slash stands for a name at any depth. */
function toAnyDepthPattern(pattern: string): string {
  return stripTrailingSlashes(pattern).includes('/') ? pattern : `**/${pattern}`;
}

/** Patterns of the configuration, and how it sees a file. */
export interface ConfigExclusion {
  readonly patterns: readonly string[];
  /** Undefined for a file outside of its folder. */
  readonly toConfigPath: (file: string) => string | undefined;
}

/**
 * Is a file left out? A pattern of the command line is held against the path below the PATH and the path as printed,
 * one of the configuration against the path from its folder; one without a slash against each name. What was given by name stays.
 */
export function isExcluded(entry: DiscoveredFile, patterns: readonly string[], configured?: ConfigExclusion): boolean {
  if (entry.given?.as !== 'folder') return false;
  const { file } = 'inTree' in entry && entry.inTree ? entry.inTree : entry;
  const matches = (path: string | undefined) => (pattern: string) => path !== undefined && matchesPattern(toAnyDepthPattern(pattern), path);
  if (patterns.length > 0 && [resolvePathBelowRoot(entry), file].some((path) => patterns.some(matches(path)))) return true;
  return configured !== undefined && configured.patterns.length > 0 && configured.patterns.some(matches(configured.toConfigPath(file)));
}

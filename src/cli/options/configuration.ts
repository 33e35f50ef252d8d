import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Configuration } from '../../config/configuration';
import { ConfigurationError, MAX_CONFIGURATION_MEGABYTES, parseConfiguration } from '../../config/configuration';
import { resolvePath } from '../../input/follow-path';
import { describeOsError } from '../../input/os-error-message';
import { resolveInside } from '../../input/read-limited';
import { listConfigFolders } from '../../input/read-paths';
import { SourceMap } from '../../input/source-map';
import { RULE_CODES } from '../../plan/rules';
import type { InputOptions } from './input-options';
import { UsageError } from '../output/io';
import { parseOptionFile, readOptionFile, STDIN } from './option-file';

/** File name of a configuration. */
const CONFIG_FILE_NAME = 'rolloutkit.yaml';

/** Configuration, and the folder that its paths are relative to. */
export interface LoadedConfiguration {
  readonly settings: Configuration;
  /** Absolute path. */
  readonly folder: string;
  /** Path of the file from the working directory, as messages show it. */
  readonly displayPath: string;
}

function findNearestFile(folder: string, cwd: string): string | undefined {
  for (const candidate of listConfigFolders(folder, cwd)) {
    const file = join(candidate, CONFIG_FILE_NAME);
    if (existsSync(file)) return file;
  }
  return undefined;
}

/** Reports whether a path is a folder. A path that cannot be read is reported later, when it is read. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function resolveFolder(path: string, cwd: string): string {
  if (path === STDIN) return cwd;
  const full = resolve(cwd, path);
  return isFolder(full) ? full : dirname(full);
}

/** Finds the configuration in the folders of the paths or above them; otherwise in the working directory or above it. The search ends at the root of the repository. */
function findConfigFile(paths: readonly string[], cwd: string): string | undefined {
  const found = new Set(paths.map((path) => findNearestFile(resolveFolder(path, cwd), cwd) ?? findNearestFile(cwd, cwd)));
  if (found.size > 1) {
    const names = [...found].map((file) => (file === undefined ? 'none' : relative(cwd, file))).join(', ');
    throw new UsageError(`the paths have different configurations (${names}); name one with --config, or write --no-config`);
  }
  const [file] = found;
  return file;
}

/** Reports whether a file contains only comments, blank lines and document markers. */
function isBlank(content: Uint8Array): boolean {
  const lines = Buffer.from(content).toString('utf8').split('\n');
  return lines.every((line) => ['', '---', '...'].includes(line.trim()) || line.trimStart().startsWith('#'));
}

/** @param displayPath - path of the file from `cwd`, also used in errors */
function readConfigFile(displayPath: string, cwd: string, role: string): LoadedConfiguration {
  const file = resolve(cwd, displayPath);
  const locations = new SourceMap();
  const content = readOptionFile(displayPath, cwd, role, MAX_CONFIGURATION_MEGABYTES);
  const [document, ...others] = parseOptionFile(displayPath, content, role, { locations });
  if (document === undefined) {
    if (isBlank(content)) return { settings: {}, folder: dirname(file), displayPath };
    throw new UsageError(`${displayPath}, ${role}, is not a map; write a map, for example versions: {kubernetes: "1.34"}`);
  }
  if (others.length > 0) throw new UsageError(`${displayPath} contains ${others.length + 1} documents; write only one`);
  try {
    return { settings: parseConfiguration(document, () => RULE_CODES), folder: dirname(file), displayPath };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const line = locations.locate(document, error.path)?.line;
    throw new UsageError(
      `${displayPath}${line === undefined ? '' : `:${line}`}: ${[error.path, error.message].filter((part) => part !== '').join(': ')}`,
    );
  }
}

/**
 * Returns the configuration for some paths: the file of `--config`, the nearest `rolloutkit.yaml`, or none.
 *
 * @throws UsageError if the configuration is invalid
 */
export function resolveConfiguration(
  paths: readonly string[],
  configOption: string | false | undefined,
  cwd: string,
): LoadedConfiguration | undefined {
  if (configOption === false) return undefined;
  if (configOption !== undefined) return readConfigFile(configOption, cwd, 'given with --config');
  const file = findConfigFile(paths, cwd);
  if (file === undefined) return undefined;
  const displayPath = relative(cwd, file);
  if (!statSync(file).isFile())
    throw new UsageError(`the configuration ${displayPath} is not a file; write --no-config, or name one with --config`);
  const root = realpathSync.native(listConfigFolders(dirname(file), cwd).at(-1)!);
  if (resolveInside(root, file) === undefined)
    throw new UsageError(
      `the configuration ${displayPath} is a symbolic link that leads out of ${relative(cwd, root) || '.'} or into .git; name its target with --config, or write --no-config`,
    );
  return readConfigFile(displayPath, cwd, 'the configuration');
}

/** Returns the absolute path of a file that a configuration names. @throws UsageError for a path that must not be read */
function resolveNamedFile(file: string, { folder, displayPath }: LoadedConfiguration): string {
  try {
    const full = resolvePath(file, folder);
    // A pull request may write the configuration, and could let a run wait for a terminal, or read what another program would.
    if (existsSync(full) && !statSync(full).isFile()) throw new Error('it is not a regular file');
    return full;
  } catch (error) {
    throw new UsageError(`${displayPath} names ${file}, which cannot be read: ${describeOsError(error)}; name another file`);
  }
}

/** Fills options that have no flag with the values of the configuration. */
export function withConfiguration<O extends InputOptions>(options: O, found: LoadedConfiguration | undefined, cwd: string): O {
  if (!found) return options;
  const { versions, capacity, clusters, kserveConfig, startupSeconds } = found.settings;
  const toDisplayPath = (file: string) => {
    const full = resolveNamedFile(file, found);
    return relative(cwd, full) || file;
  };
  return {
    ...(capacity !== undefined && { capacity: toDisplayPath(capacity) }),
    ...(clusters && { clusters: clusters.map(toDisplayPath) }),
    ...(kserveConfig !== undefined && { kserveConfig: toDisplayPath(kserveConfig) }),
    ...(startupSeconds !== undefined && { startupSeconds: String(startupSeconds) }),
    ...options,
    ...(versions && {
      versions: [...Object.entries(versions).map(([product, version]) => `${product}=${version}`), ...(options.versions ?? [])],
    }),
  };
}

/** Returns the files that a configuration names, as paths from the working directory. @throws UsageError if it is invalid */
export function listConfiguredFiles(file: string, cwd: string): string[] {
  const {
    capacity,
    clusters = [],
    kserveConfig,
  } = withConfiguration<InputOptions>({}, readConfigFile(file, cwd, 'the configuration'), cwd);
  return [capacity, kserveConfig, ...clusters].filter((path) => path !== undefined);
}

/** Creates a function that makes a path of the working directory relative to a folder. It returns undefined for a file outside it, and for standard input. */
export function makeRelativeTo(folder: string, cwd: string): (file: string) => string | undefined {
  return (file) => {
    if (file === STDIN) return undefined;
    const relativePath = relative(folder, resolve(cwd, file));
    return isAbsolute(relativePath) || relativePath.startsWith('..') ? undefined : relativePath.split(sep).join('/');
  };
}

import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import type { Dirent, Stats } from 'node:fs';
import { dirname, isAbsolute, join, posix, relative as relativePath, resolve, sep } from 'node:path';
import { checkTimeNow, DeadlineError } from '../core/budget/deadline';
import type { SkippedEntry } from '../core/rules/skipped';
import type { FileProblem } from '../core/findings/input-problem';
import { sortBy } from '../core/collections/sort-by';
import type { ApplyUnit } from '../core/sources/apply-unit';
import { stripTrailingSlashes } from './folder-paths';
import { isOtherTemplate, buildLayout, omitNamedFile } from './layout';
import { MARKER_FILES, isJsonnetFile, isMarker } from './marker-files';
import { mayBelongToChart } from './helm/helm-chart';
import type { FileContext } from './layout';
import { IGNORE_FILES, IgnoreFiles, isIgnoreFile } from './ignore-files';
import type { DiscoveredFile, InputFile, UnreadableFile } from './discovered-file';
import { decodeUtf8 } from './file-content';
import { readMarkerFile, readLimited, assertReadableFolder, isBelowReadRoots } from './read-limited';
import { DEFAULT_BUDGET, BYTES_PER_MEGABYTE } from './read-budget';
import type { BudgetTracker, RunBudget } from './read-budget';
import { describeOsError } from './os-error-message';

/** Thrown for a PATH that cannot be opened. */
export class PathError extends Error {
  override readonly name = 'PathError';
}

/** How the folders below a PATH are listed. */
interface Listing {
  /** The folder that no link may lead out of. */
  readonly root: PathBytes;
  /** Whether hidden folders and `node_modules` are like others. */
  readonly readsAllFolders: boolean;
  readonly countFolder: () => void;
}

/** The names of manifests in a folder. A file that is given by name may have any name. */
const MANIFEST_NAME = /\.(?:yaml|yml|json)$/;

/** Reports whether a folder is hidden or belongs to a package manager, so that its files are usually not applied. */
export function isUnreadFolder(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules';
}

/** The folder of a repository. No commit can contain a file in it. */
export const REPOSITORY_FOLDER = '.git';

/** A path as bytes, since a name need not be UTF-8. */
type PathBytes = Buffer;

interface Entry {
  /** The path below the folder, for messages. */
  readonly relative: string;
  /** The bytes of that path, one per character. Entries are sorted by them. */
  readonly key: string;
  readonly problem?: FileProblem;
  /** The reason why it is skipped. @default - it is read */
  readonly skipped?: SkippedEntry;
  /** Whether it is read only as a marker of the files around it. */
  readonly isSilent?: true;
  /** Whether it has no name of a manifest, so that it is read only if Helm would render it. */
  readonly isOnlyForChart?: true;
  /** Hidden folder or `node_modules` that contains it. @default - none */
  readonly unreadFolder?: string;
}

const SLASH = Buffer.from('/');

function joinPath(folder: PathBytes, name: PathBytes): PathBytes {
  return Buffer.concat([folder, SLASH, name]);
}

/** Detects entries that can be opened but are not files. Reading a pipe might never end. */
function detectSpecialFile(entry: Dirent<Buffer> | Stats): SkippedEntry | undefined {
  if (entry.isFIFO()) return 'pipe';
  if (entry.isSocket()) return 'socket';
  return entry.isBlockDevice() || entry.isCharacterDevice() ? 'device' : undefined;
}

function isWithin(root: PathBytes, target: PathBytes): boolean {
  const prefix = root.equals(SLASH) ? root : Buffer.concat([root, SLASH]);
  return target.equals(root) || target.subarray(0, prefix.length).equals(prefix);
}

/** Resolves a symbolic link. Links to folders are not followed, so no link leads in circles, and neither are links out of the PATH. */
function resolveLinkEntry(entry: Entry, path: PathBytes, { root, readsAllFolders }: Listing): Entry[] {
  const isManifest = MANIFEST_NAME.test(entry.relative) || isMarker(posix.basename(entry.relative));
  try {
    const target = statSync(path);
    const isOnlyForChart = !isManifest && !target.isDirectory();
    if (isOnlyForChart && !mayBelongToChart(path.toString())) return [];
    if (target.isDirectory() && !readsAllFolders && isUnreadFolder(posix.basename(entry.relative))) return [];
    const found = isOnlyForChart ? { ...entry, isOnlyForChart } : entry;
    if (!isWithin(root, realpathSync.native(path, 'buffer'))) return [{ ...found, skipped: 'link' }];
    // The files of a folder below the PATH are read from the folder itself.
    if (target.isDirectory()) return [];
    return target.isFile() ? [found] : toSpecialEntries(entry, detectSpecialFile(target));
  } catch (error) {
    return isManifest ? [{ ...entry, problem: { kind: 'broken-link', reason: describeOsError(error) } }] : [];
  }
}

function toSpecialEntries(entry: Entry, skipped: SkippedEntry | undefined): Entry[] {
  return skipped !== undefined && MANIFEST_NAME.test(entry.relative) ? [{ ...entry, skipped }] : [];
}

function toFileEntries(name: string, path: string, entry: Entry): Entry[] {
  if (MANIFEST_NAME.test(name) || isMarker(name)) return [entry];
  return mayBelongToChart(path) ? [{ ...entry, isOnlyForChart: true }] : [];
}

/** Finds the files of a PATH that an ignore file leaves out: one of their folder, or of a folder around it. */
function findIgnoreFiles(start: string, shown: string, entries: readonly Entry[], cwd: string): IgnoreFiles {
  const root = realpathSync.native(start);
  const ignoreFiles = new IgnoreFiles();
  for (const { relative } of entries) {
    const name = posix.basename(relative);
    if (!IGNORE_FILES.includes(name)) continue;
    const prefix = relative.slice(0, -name.length);
    const toRelative = (file: string) => (file.startsWith(prefix) ? file.slice(prefix.length) : undefined);
    ignoreFiles.add(`${shown}/${relative}`, readMarkerFile(join(start, relative), root), toRelative);
  }
  if (existsSync(join(start, REPOSITORY_FOLDER))) return ignoreFiles;
  for (const folder of iterateAncestors(dirname(start))) {
    const toRelative = (file: string) => posix.join(toRelativePath(folder, start), file);
    for (const name of IGNORE_FILES.filter((each) => existsSync(join(folder, each))))
      ignoreFiles.add(
        `${formatFolderPath(shown, folder, cwd)}/${name}`,
        readMarkerFile(join(folder, name), findLinkRoot(folder)),
        toRelative,
      );
  }
  return ignoreFiles;
}

/** Reports whether a folder may be that of a submodule that is not checked out. Git keeps no other folder without files. */
function isMissingSubmodule(folder: string): boolean {
  if (readdirSync(folder).length > 0) return false;
  return [...iterateAncestors(dirname(folder))].some((at) => existsSync(join(at, '.gitmodules')));
}

/** Lists the folder entries that kubectl would read: those that are named like manifests, and folders that cannot be opened. */
function listUnreadEntries(folder: PathBytes, entry: Entry, listing: Listing): Entry[] {
  return listFolder(folder, entry, { ...listing, readsAllFolders: true })
    .filter(({ relative, problem }) => problem !== undefined || MANIFEST_NAME.test(relative))
    .map((inner) => ({ ...inner, unreadFolder: entry.relative }));
}

/** Lists the entries of a folder below the PATH. A folder that cannot be opened is one entry. */
function listFolder(folder: PathBytes, entry: Entry, listing: Listing): Entry[] {
  try {
    const entries = listEntries(folder, `${entry.key}/`, listing);
    return entries.length === 0 && isMissingSubmodule(folder.toString()) ? [{ ...entry, skipped: 'submodule' }] : entries;
  } catch (error) {
    if (error instanceof DeadlineError) throw error;
    return [{ ...entry, problem: { kind: 'refused', reason: describeOsError(error) } }];
  }
}

function listEntries(folder: PathBytes, prefix: string, listing: Listing): Entry[] {
  assertReadableFolder(folder);
  checkTimeNow();
  listing.countFolder();
  return readdirSync(folder, { withFileTypes: true, encoding: 'buffer' }).flatMap((dirent): Entry[] => {
    // A link may lead through many others.
    checkTimeNow();
    const bytes = dirent.name;
    const name = bytes.toString('utf8');
    const path = joinPath(folder, bytes);
    const key = prefix + bytes.toString('latin1');
    const entry = { relative: Buffer.from(key, 'latin1').toString('utf8'), key };
    if ((isIgnoreFile(name) || isJsonnetFile(name)) && !dirent.isDirectory()) return [{ ...entry, isSilent: true }];
    if (dirent.isSymbolicLink()) return resolveLinkEntry(entry, path, listing);
    if (dirent.isFile()) return toFileEntries(name, path.toString(), entry);
    if (!dirent.isDirectory()) return toSpecialEntries(entry, detectSpecialFile(dirent));
    if (name === REPOSITORY_FOLDER) return [];
    if (!listing.readsAllFolders && isUnreadFolder(name)) return listUnreadEntries(path, entry, listing);
    return listFolder(path, entry, listing);
  });
}

/** Lists the manifests below a folder in bytewise order of their relative paths, those of folders that are not read last. */
function listManifestEntries(folder: string, reading: FileReadOptions): Entry[] {
  const bytes = Buffer.from(folder);
  let folders = 0;
  const listing = {
    root: realpathSync.native(bytes, 'buffer'),
    readsAllFolders: reading.readsAllFolders === true,
    countFolder: () => reading.onListing?.(++folders),
  };
  const entries = sortBy(listEntries(bytes, '', listing), ({ key }) => key);
  return [
    ...entries.filter(({ unreadFolder }) => unreadFolder === undefined),
    ...entries.filter(({ unreadFolder }) => unreadFolder !== undefined),
  ];
}

/** Options for reading files. */
export interface FileReadOptions {
  /** The maximum size of a file. @default - `DEFAULT_BUDGET` */
  readonly budget?: Pick<RunBudget, 'file-megabytes'>;
  /** Whether hidden folders and `node_modules` are read like others. @default false */
  readonly readsAllFolders?: boolean;
  /** Clock of the run, which also ends the listing of folders. @default - none */
  readonly clock?: Pick<BudgetTracker, 'budget' | 'isLate' | 'limit'>;
  /** Receives the number of folders that have been listed; undefined once all are. */
  readonly onListing?: (folders: number | undefined) => void;
}

/** Lists the markers in a folder. It first looks for each by name, since a folder around the PATH may contain thousands of files. */
function listMarkers(folder: string): string[] {
  const exists = (marker: string) => lstatSync(join(folder, marker), { throwIfNoEntry: false }) !== undefined;
  try {
    return [...MARKER_FILES].some(exists) ? readdirSync(folder).filter(isMarker) : [];
  } catch {
    return [];
  }
}

/** Iterates over a folder and its ancestors, up to the root of its repository or of what this process reads. */
function* iterateAncestors(folder: string): Generator<string> {
  for (let at = folder; isBelowReadRoots(at); at = dirname(at)) {
    yield at;
    if (existsSync(`${at}/.git`) || at === dirname(at)) return;
  }
}

/** Returns the folder without links that no link of a folder around a PATH may lead out of: its repository, or else the folder itself. */
function findLinkRoot(folder: string): string {
  const top = [...iterateAncestors(folder)].at(-1) ?? folder;
  return realpathSync.native(existsSync(join(top, REPOSITORY_FOLDER)) ? top : folder);
}

/** Finds the nearest folder with markers, the folder itself or an ancestor. */
function findNearestMarkedFolder(start: string): { readonly folder?: string; readonly markers: readonly string[] } {
  for (const folder of iterateAncestors(start)) {
    const markers = listMarkers(folder);
    if (markers.length > 0) return { folder, markers };
  }
  return { markers: [] };
}

/** Returns the path of a file relative to a folder, with slashes. */
function toRelativePath(folder: string, path: string): string {
  return relativePath(folder, path).split(sep).join('/');
}

/** Formats the path of a folder around a PATH in the style of the PATH: absolute, with `./`, or with neither. */
function formatFolderPath(path: string, folder: string, cwd: string): string {
  if (isAbsolute(path)) return folder;
  const relative = toRelativePath(cwd, folder);
  if (relative === '') return '.';
  const hasDot = path === '.' || path.startsWith('./');
  return hasDot && !relative.startsWith('..') ? `./${relative}` : relative;
}

/**
 * Builds the layout of the files of one PATH. Their unit is the nearest marked folder, which may be above the PATH, or else the PATH.
 *
 * @param start - the PATH, if it is a folder, or the folder of the PATH
 * @param entries - paths below that folder
 */
function buildPathLayout(path: string, start: string, entries: readonly string[], cwd: string): (entry: string) => FileContext {
  const { folder: marked, markers } = findNearestMarkedFolder(start);
  const base = marked ?? start;
  const prefix = toRelativePath(base, start);
  const below = (entry: string) => posix.join(prefix, entry);
  const isPathItself = resolve(cwd, path) === marked;
  const root: ApplyUnit =
    marked === undefined
      ? { id: resolve(cwd, path), name: path, hasMarkerFile: false, isNamedInput: true }
      : {
          id: marked,
          name: isPathItself ? path : formatFolderPath(path, marked, cwd),
          hasMarkerFile: true,
          markers,
          isNamedInput: true,
        };
  const files = [...new Set([...markers, ...entries.map(below)])];
  const isAbove = marked !== undefined && !isPathItself;
  const shown = isAbove ? (folder: string) => formatFolderPath(path, posix.join(base, folder), cwd) : undefined;
  const ownRoot = realpathSync.native(start);
  const aroundRoot = isAbove ? findLinkRoot(base) : ownRoot;
  const rootOf = (file: string) => (prefix === '' || file.startsWith(`${prefix}/`) ? ownRoot : aroundRoot);
  const layout = buildLayout(files, (file) => readMarkerFile(`${base}/${file}`, rootOf(file)), root, shown);
  return (entry) => omitNamedFile(layout(below(entry)), isAbove, root);
}

/** Reads a file. If it is too long, returns that as its problem. */
function readFileContent(
  path: string | PathBytes,
  { budget = DEFAULT_BUDGET }: FileReadOptions,
): Pick<InputFile, 'content'> | Pick<UnreadableFile, 'problem'> {
  const limit = budget['file-megabytes'];
  const bytes = readLimited(path, limit * BYTES_PER_MEGABYTE);
  return bytes === undefined ? { problem: { kind: 'over-budget', budget: 'file-megabytes', limit } } : { content: decodeUtf8(bytes) };
}

/** Reports whether an entry is part of the layout. */
function isPlaced({ unreadFolder, skipped }: Entry): boolean {
  return unreadFolder === undefined && skipped === undefined;
}

/** Does work within the time of the budget; undefined if it takes longer. */
function limitTime<Result>({ clock }: FileReadOptions, work: () => Result): Result | undefined {
  if (!clock) return work();
  try {
    return clock.limit(work);
  } catch (error) {
    if (error instanceof DeadlineError) return undefined;
    throw error;
  }
}

function toTimeProblem({ clock }: FileReadOptions): FileProblem {
  return { kind: 'over-budget', budget: 'seconds', limit: clock!.budget.seconds };
}

function* readFolder(path: string, cwd: string, reading: FileReadOptions): Generator<DiscoveredFile> {
  const folder = resolve(cwd, path);
  const shown = stripTrailingSlashes(path);
  const listed = limitTime(reading, () => {
    const entries = listManifestEntries(folder, reading);
    const placed = entries.filter(isPlaced).map(({ relative }) => relative);
    return { entries, placeOf: buildPathLayout(shown, folder, placed, cwd) };
  });
  reading.onListing?.(undefined);
  if (listed === undefined) {
    yield { file: path, given: { path, as: 'folder' }, problem: toTimeProblem(reading) };
    return;
  }
  const { entries, placeOf } = listed;
  const ignoreFiles = findIgnoreFiles(folder, shown, entries, cwd);
  const root = realpathSync.native(folder);
  const bytesOfFolder = Buffer.from(folder);
  for (const { relative, key, problem, skipped, isSilent, isOnlyForChart, unreadFolder } of entries) {
    const file = `${shown}/${relative}`;
    const isRead = unreadFolder === undefined;
    const entry = { file, given: { path, as: 'folder' }, ...(!isRead && { unreadFolder: `${shown}/${unreadFolder}` }) } as const;
    // No other code looks at the clock for a file that is not opened.
    if (isOnlyForChart && reading.clock?.isLate()) {
      yield { ...entry, problem: toTimeProblem(reading) };
      return;
    }
    if (isOnlyForChart && !isOtherTemplate(placeOf(relative))) continue;
    if (isSilent) {
      const text = readMarkerFile(join(folder, relative), root);
      yield { ...entry, isSilent, place: placeOf(relative), ...(text !== undefined && { text }) };
      continue;
    }
    if (skipped !== undefined) {
      yield { ...entry, skipped };
      continue;
    }
    if (problem !== undefined) {
      yield { ...entry, problem };
      continue;
    }
    try {
      const content = readFileContent(joinPath(bytesOfFolder, Buffer.from(key, 'latin1')), reading);
      const ignoredBy = ignoreFiles.find(relative);
      yield { ...entry, ...content, ...(isRead && { place: placeOf(relative) }), ...(ignoredBy && { ignoredBy }) };
    } catch (error) {
      yield { ...entry, problem: { kind: 'refused', reason: describeOsError(error) } };
    }
  }
}

/**
 * Reads the files of one PATH: the file itself, or every .yaml, .yml and .json file below a folder. Those in hidden folders and node_modules are marked as such.
 *
 * @throws PathError if the PATH itself cannot be opened
 */
export function* readPath(path: string, cwd: string, reading: FileReadOptions = {}): Generator<DiscoveredFile> {
  // An empty path would resolve to the working folder.
  if (path === '') throw new PathError('a PATH is empty, perhaps because a shell variable is not set');
  const absolute = resolve(cwd, path);
  try {
    if (!statSync(absolute).isDirectory()) {
      const content = readFileContent(absolute, reading);
      const name = posix.basename(toRelativePath(dirname(absolute), absolute));
      yield { file: path, ...content, place: buildPathLayout(path, dirname(absolute), [name], cwd)(name), given: { path, as: 'file' } };
      return;
    }
    yield* readFolder(path, cwd, reading);
  } catch (error) {
    throw new PathError(`cannot read ${path}: ${describeOsError(error)}`);
  }
}

/**
 * Lists the folders in which a configuration is searched for: a folder and those around it, up to the root of its repository, since a folder
 * above belongs to another user, such as `/tmp`. Outside a repository, the working directory is the last one, or the folder itself if it
 * is not below the working directory.
 */
export function listConfigFolders(folder: string, cwd: string): readonly string[] {
  const folders: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    folders.push(at);
    if (existsSync(join(at, REPOSITORY_FOLDER))) return folders;
    if (at === dirname(at)) break;
  }
  return folders.includes(cwd) ? folders.slice(0, folders.indexOf(cwd) + 1) : [folder];
}

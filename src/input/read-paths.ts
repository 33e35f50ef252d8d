import { readdirSync, realpathSync, statSync } from 'node:fs';
import type { Dirent, Stats } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { checkTimeNow, DeadlineError } from '../core/budget/deadline';
import type { SkippedEntry } from '../core/rules/skipped';
import type { FileProblem } from '../core/findings/input-problem';
import { sortBy } from '../core/collections/sort-by';
import { stripTrailingSlashes, toVisitKey } from './folder-paths';
import { isOtherTemplate } from './layout';
import { buildPathLayout, findIgnoreFiles, hasFile, iterateAncestors, toRelativePath } from './path-layout';
import { resolvePath } from './follow-path';
import { isJsonnetFile, isMarker } from './marker-files';
import { mayBelongToChart } from './helm/helm-chart';
import type { FileContext } from './layout';
import { isIgnoreFile } from './ignore-files';
import type { IgnoreFiles } from './ignore-files';
import type { DiscoveredFile, InputFile, InputPath, UnreadableFile } from './discovered-file';
import { decodeUtf8 } from './file-content';
import { isBelowReadRoots, readMarkerFile, readLimited, assertReadableFolder } from './read-limited';
import { DEFAULT_BUDGET, BYTES_PER_MEGABYTE } from './read-budget';
import type { BudgetTracker, RunBudget } from './read-budget';
import { describeOsError } from './os-error-message';
import { REPOSITORY_FOLDER, hasRepositoryEntry, isFileOfGit, isSameFile } from './repository-folder';

/** Thrown for a PATH that cannot be opened. */
export class PathError extends Error {
  override readonly name = 'PathError';
}

/** How the folders below a PATH are listed. */
interface Listing {
  /** The folder that no link may lead out of. */
  readonly root: PathBytes;
  /** Whether hidden folders and `node_modules` are like others, and files in the order of kubectl. */
  readonly readsAllFolders: boolean;
  readonly countFolder: () => void;
}

/** The names of manifests in a folder. A file that is given by name may have any name. */
const MANIFEST_NAME = /\.(?:yaml|yml|json)$/;

/** Reports whether a folder is hidden or belongs to a package manager, so that its files are usually not applied. */
export function isUnreadFolder(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules';
}

/** A path as bytes, since a name need not be UTF-8. */
type PathBytes = Buffer;

interface Entry {
  /** The path below the folder, for messages. */
  readonly relative: string;
  /** The bytes of that path, one per character. Entries are sorted by them. */
  readonly key: string;
  /** The path without links of the file that a link leads to. */
  readonly linked?: PathBytes;
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

/** Resolves a symbolic link. Links to folders are not followed, so no link leads in circles, and neither are links out of the PATH or into `.git`. */
function resolveLinkEntry(entry: Entry, path: PathBytes, { root, readsAllFolders }: Listing): Entry[] {
  const isManifest = MANIFEST_NAME.test(entry.relative) || isMarker(posix.basename(entry.relative));
  try {
    const target = statSync(path);
    const isOnlyForChart = !isManifest && !target.isDirectory();
    if (isOnlyForChart && !mayBelongToChart(path.toString())) return [];
    if (target.isDirectory() && !readsAllFolders && isUnreadFolder(posix.basename(entry.relative))) return [];
    const found = isOnlyForChart ? { ...entry, isOnlyForChart } : entry;
    const real = realpathSync.native(path, 'buffer');
    // A link of /proc may lead to another file than its text says.
    if (!isWithin(root, real) || !isSameFile(path, real)) return [{ ...found, skipped: 'link' }];
    // The files of a folder below the PATH are read from the folder itself.
    if (target.isDirectory()) return [];
    if (isFileOfGit(real.toString(), root.toString())) return [{ ...found, skipped: 'link' }];
    return target.isFile() ? [{ ...found, linked: real }] : toSpecialEntries(entry, detectSpecialFile(target));
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

/** Reports whether a folder may be that of a submodule that is not checked out. Git keeps no other folder without files. */
function isMissingSubmodule(folder: string): boolean {
  if (readdirSync(folder).length > 0) return false;
  return [...iterateAncestors(dirname(folder))].some((at) => hasFile(at, '.gitmodules'));
}

/** Lists the folder entries that kubectl would read: those that are named like manifests, and folders that cannot be opened. */
function listUnreadEntries(folder: PathBytes, entry: Entry, listing: Listing): Entry[] {
  return listFolder(folder, entry, { ...listing, readsAllFolders: true })
    .filter(({ relative, problem }) => problem !== undefined || MANIFEST_NAME.test(relative))
    .map((inner) => ({ ...inner, unreadFolder: entry.relative }));
}

/** Maximum number of folders within each other. Each takes a part of the stack of Node.js, which ends after about 1,200. */
const MAX_FOLDER_LEVELS = 500;

/** Lists the entries of a folder below the PATH. A folder that cannot be opened is one entry. */
function listFolder(folder: PathBytes, entry: Entry, listing: Listing): Entry[] {
  if (entry.key.split('/').length > MAX_FOLDER_LEVELS)
    return [{ ...entry, problem: { kind: 'refused', reason: `it is more than ${MAX_FOLDER_LEVELS} folders below the PATH` } }];
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

/**
 * Lists the manifests below a folder in bytewise order of their relative paths, those of folders that are not read last. If all are read, the
 * order is that of kubectl, which decides which copy of an object stays.
 */
function listManifestEntries(folder: string, reading: FileReadOptions): Entry[] {
  const bytes = Buffer.from(folder);
  let folders = 0;
  const listing = {
    root: realpathSync.native(bytes, 'buffer'),
    readsAllFolders: reading.readsAllFolders === true,
    countFolder: () => reading.onListing?.(++folders),
  };
  const entries = sortBy(listEntries(bytes, '', listing), ({ key }) => (listing.readsAllFolders ? toVisitKey(key) : key));
  return [
    ...entries.filter(({ unreadFolder }) => unreadFolder === undefined),
    ...entries.filter(({ unreadFolder }) => unreadFolder !== undefined),
  ];
}

/** Options for reading files. */
export interface FileReadOptions {
  /** The maximum size of a file. @default - `DEFAULT_BUDGET` */
  readonly budget?: Pick<RunBudget, 'file-megabytes'>;
  /** Whether hidden folders and `node_modules` are read like others, and files in the order of kubectl. @default false */
  readonly readsAllFolders?: boolean;
  /** Clock of the run, which also ends the listing of folders. @default - none */
  readonly clock?: Pick<BudgetTracker, 'budget' | 'isLate' | 'limit'>;
  /** Receives the number of folders that have been listed; undefined once all are. */
  readonly onListing?: (folders: number | undefined) => void;
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

/** A folder whose entries are listed. */
interface ListedFolder {
  readonly absolute: string;
  /** The path without links. */
  readonly root: string;
  readonly entries: readonly Entry[];
  readonly placeOf: (relative: string) => FileContext;
  readonly ignoreFiles: IgnoreFiles;
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

/** Reads an entry of a folder. Returns undefined for one that is not read. */
function readEntry(
  entry: Entry,
  file: { readonly file: string; readonly given: InputPath; readonly unreadFolder?: string },
  folder: ListedFolder,
  reading: FileReadOptions,
): DiscoveredFile | undefined {
  const { relative, key, linked, problem, skipped, isSilent, isOnlyForChart } = entry;
  const { absolute, root, placeOf, ignoreFiles } = folder;
  if (isOnlyForChart && !isOtherTemplate(placeOf(relative))) return undefined;
  if (isSilent) {
    const text = readMarkerFile(join(absolute, relative), root);
    return { ...file, isSilent, place: placeOf(relative), ...(text !== undefined && { text }) };
  }
  if (skipped !== undefined) return { ...file, skipped };
  if (problem !== undefined) return { ...file, problem };
  try {
    const content = readFileContent(linked ?? joinPath(Buffer.from(absolute), Buffer.from(key, 'latin1')), reading);
    const ignored = limitTime(reading, () => [ignoreFiles.find(relative)]);
    if (!ignored) return { ...file, problem: toTimeProblem(reading) };
    const [ignoredBy] = ignored;
    return { ...file, ...content, ...(file.unreadFolder === undefined && { place: placeOf(relative) }), ...(ignoredBy && { ignoredBy }) };
  } catch (error) {
    return { ...file, problem: { kind: 'refused', reason: describeOsError(error) } };
  }
}

function* readFolder(path: string, cwd: string, reading: FileReadOptions): Generator<DiscoveredFile> {
  const absolute = resolve(cwd, path);
  const shown = stripTrailingSlashes(path);
  const listed = limitTime(reading, () => {
    const entries = listManifestEntries(absolute, reading);
    const placed = entries.filter(isPlaced).map(({ relative }) => relative);
    const placeOf = buildPathLayout(shown, absolute, placed, cwd);
    const ignoreFiles = findIgnoreFiles(
      absolute,
      shown,
      entries.map(({ relative }) => relative),
      cwd,
    );
    return { absolute, root: realpathSync.native(absolute), entries, placeOf, ignoreFiles };
  });
  reading.onListing?.(undefined);
  const given = { path, as: 'folder' } as const;
  if (listed === undefined) {
    yield { file: path, given, problem: toTimeProblem(reading) };
    return;
  }
  for (const entry of listed.entries) {
    const { relative, unreadFolder } = entry;
    const file = { file: `${shown}/${relative}`, given, ...(unreadFolder !== undefined && { unreadFolder: `${shown}/${unreadFolder}` }) };
    // No other code looks at the clock for a file that is not opened.
    if ((entry.isOnlyForChart || entry.isSilent) && reading.clock?.isLate()) {
      yield { ...file, problem: toTimeProblem(reading) };
      return;
    }
    const found = readEntry(entry, file, listed, reading);
    if (found) yield found;
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
  try {
    const absolute = resolvePath(path, cwd);
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
  for (let at = folder; isBelowReadRoots(at); at = dirname(at)) {
    folders.push(at);
    if (hasRepositoryEntry(at)) return folders;
    if (at === dirname(at)) break;
  }
  return folders.includes(cwd) ? folders.slice(0, folders.indexOf(cwd) + 1) : [folder];
}

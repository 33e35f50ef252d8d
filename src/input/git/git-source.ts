import { realpathSync } from 'node:fs';
import { isAbsolute, join, posix, relative, resolve, sep } from 'node:path';
import type { ApplyUnit } from '../../core/sources/apply-unit';
import { sortBy } from '../../core/collections/sort-by';
import type { DiscoveredFile } from '../discovered-file';
import { GIT_PREFIX, GitError } from './git-revision';
import type { GitRunner, GitSource } from './git-revision';
import { findSubmodule, followLinks, listTree, parseTree, readBlobs } from './git-tree';
import type { GitEntry, GitObject } from './git-tree';
import { toVisitKey } from '../folder-paths';
import { mayBelongToChart } from '../helm/helm-chart';
import { HELM_IGNORE_FILE } from '../helm/helm-ignore';
import { isIgnoreFile } from '../ignore-files';
import { isOtherTemplate, buildLayout, omitNamedFile } from '../layout';
import { MARKER_FILES, isJsonnetFile, isMarker } from '../marker-files';
import { isUnreadFolder } from '../read-paths';
import type { FileContext } from '../layout';
import type { FileReadOptions } from '../read-paths';
import { isBelowReadRoots, toMarkerText } from '../read-limited';
import { checkTimeNow } from '../../core/budget/deadline';
import { limitToGitTime, openRevision } from './run-git';
import type { OpenedRevision } from './run-git';

/**
 * Returns a path of the working directory relative to the root of its repository. Links are resolved in the revision, not in the checkout.
 *
 * @throws GitError for a path outside of the repository, or of the folders that this process may read
 */
function toRepositoryPath(source: GitSource, path: string, cwd: string, root: string): string {
  const absolute = resolve(cwd, path);
  const below = [root, realpathSync.native(root)]
    .map((from) => relative(from, absolute).split(sep).join('/'))
    .find((to) => !/^\.\.(?:\/|$)/.test(to));
  if (below === undefined || isAbsolute(below))
    throw new GitError(
      `${source.argument}: ${path} is outside the repository of the working directory; run the command in the repository that contains it`,
    );
  // A link of the checkout can lead into these folders while the revision has another file at its path.
  if (!isBelowReadRoots(join(realpathSync.native(root), below)))
    throw new GitError(`${source.argument}: ${path} is not below the folders that the server was started for; name a path there`);
  // git drops a carriage return at the end of a line that it reads.
  if (/[\r\n]/.test(below)) throw new GitError(`${source.argument}: the name of ${JSON.stringify(path)} contains a line break; rename it`);
  return below;
}

const MANIFEST_NAME = /\.(?:yaml|yml|json)$/;

function isInUnreadFolder(path: string): boolean {
  return path.split('/').slice(0, -1).some(isUnreadFolder);
}

/** Creates the error for a path that a revision does not have. */
function createNoPathError({ argument, revision }: GitSource, path: string): GitError {
  return new GitError(
    `${argument}: the revision has nothing at ${path}; commit it there, or name a path that git ls-tree ${revision} lists`,
  );
}

/**
 * Returns the files of a path that a revision lacks: none.
 *
 * @throws GitError if the revision may not lack it
 */
export function assertMayLack(source: GitSource, path: string, mayLack: RevisionReadOptions['mayLack']): [] {
  if (!mayLack) throw createNoPathError(source, path);
  if (!mayLack(path)) throw new GitError(`${source.argument}: neither the revision nor the working tree has ${path}; check its spelling`);
  return [];
}

/** Types of a link that leads to no file of the tree, although it stays in it: kubectl applies nothing of it. */
const WITHOUT_FILE: ReadonlySet<string> = new Set(['tree', 'dangling', 'loop', 'notdir']);

/** Options for reading a revision. */
export interface RevisionReadOptions extends Pick<FileReadOptions, 'readsAllFolders'> {
  /** Reports whether the working tree has a path, so that a revision without it is an older one. @default - a revision may lack no path */
  readonly mayLack?: (path: string) => boolean;
}

/** Folder of a revision whose files are read. */
interface TreeFolder extends Pick<OpenedRevision, 'tree' | 'git'> {
  /** Root of the repository. */
  readonly repository: string;
  /** Path from the root of the repository. */
  readonly start: string;
  /** Path from the working directory. */
  readonly shown: string;
  /** Whether only one file of it is read. */
  readonly isFile: boolean;
}

/** Returns the path of a folder whose name is the empty string if it is the root. */
function stripDot(folder: string): string {
  return folder === '.' ? '' : folder;
}

/** Finds the markers of the nearest folder that has some: the folder itself, or one around it that this process may read. */
function findMarkersAround({ repository, tree, git, start, isFile }: TreeFolder): {
  readonly folder: string;
  readonly entries: readonly GitEntry[];
} {
  const parts = start === '' ? [] : start.split('/');
  const root = realpathSync.native(repository);
  const folders = [...parts.map((_, index) => parts.slice(0, parts.length - index).join('/')), ''].filter(
    // The folder of a file may be above what this process may read, if the checkout has a folder instead of the file.
    (folder) => (folder === start && !isFile) || isBelowReadRoots(join(root, folder)),
  );
  // Without a path, git would list the root.
  if (folders.length === 0) return { folder: start, entries: [] };
  const names = folders.flatMap((folder) => [...MARKER_FILES, HELM_IGNORE_FILE].map((name) => posix.join(folder, name)));
  const found = parseTree(git(['ls-tree', '-z', '--full-tree', tree, '--', ...names])).filter(({ kind }) => kind !== 'submodule');
  const entriesOf = (folder: string) => found.filter((entry) => stripDot(posix.dirname(entry.path)) === folder);
  const folder = folders.find((each) => entriesOf(each).some((entry) => isMarker(posix.basename(entry.path)))) ?? start;
  return { folder, entries: entriesOf(folder) };
}

/**
 * Builds the layout of files of a revision. Their unit is the nearest folder with markers, as in a checkout.
 *
 * @param names - paths of the files from their folder
 * @param textOf - returns the text of one
 */
function buildTreeLayout(
  source: GitSource,
  folder: TreeFolder,
  names: readonly string[],
  textOf: (name: string) => string | undefined,
): (name: string) => FileContext {
  const { folder: base, entries } = findMarkersAround(folder);
  const prefix = posix.relative(`/${base}`, `/${folder.start}`);
  const files = entries.filter(({ kind }) => kind === 'file');
  const blobs = files.length === 0 ? new Map<string, Buffer>() : readBlobs(source, files, '', folder.git);
  const textOfBlob = (oid: string) => {
    const content = blobs.get(oid);
    return content && toMarkerText(content);
  };
  const markers = new Map(entries.map(({ path, oid }) => [posix.basename(path), textOfBlob(oid)]));
  const isAbove = prefix !== '' || folder.isFile;
  const nameOf = (at: string) =>
    at === '' && !isAbove
      ? source.argument
      : `${GIT_PREFIX}${source.revision}:${posix.join(folder.shown, posix.relative(`/${prefix}`, `/${at}`))}`;
  const root: ApplyUnit = {
    id: `${GIT_PREFIX}${folder.tree}:${base}`,
    name: markers.size === 0 ? source.argument : nameOf(''),
    hasMarkerFile: markers.size > 0,
    ...(markers.size > 0 && { markers: [...markers.keys()].filter(isMarker) }),
    isNamedInput: true,
  };
  const all = [...new Set([...markers.keys(), ...names.map((name) => posix.join(prefix, name))])];
  const below = (file: string) => posix.relative(`/${prefix}`, `/${file}`);
  const layout = buildLayout(all, (file) => markers.get(file) ?? textOf(below(file)), root, nameOf, prefix);
  return (name) => omitNamedFile(layout(posix.join(prefix, name)), isAbove, root);
}

/** Reports whether an entry of a folder may be read, by its name and what it is. */
function maySelect({ path: name, kind }: GitEntry, path: string, readsAllFolders: boolean): boolean {
  const base = posix.basename(name);
  const isNamed = MANIFEST_NAME.test(name) || isMarker(base) || isIgnoreFile(base) || isJsonnetFile(name);
  return (readsAllFolders || !isInUnreadFolder(name)) && (isNamed || mayBelongToChart(posix.join(path, name)) || kind === 'submodule');
}

/** An entry of a revision, and the names of its file. */
interface NamedEntry {
  readonly kind: GitEntry['kind'];
  /** What git has of it. @default - git cannot follow the link */
  readonly object: GitObject | undefined;
  /** Path from the folder that is read. */
  readonly name: string;
  /** Whether it is the requested path itself. */
  readonly isFile: boolean;
  readonly file: string;
  /** Path from the working directory. */
  readonly inTree: string;
}

/** Converts an entry to what was found. Returns nothing for one that is not read. */
function toDiscoveredFiles(entry: NamedEntry, source: GitSource, placeOf: (name: string) => FileContext): DiscoveredFile[] {
  const { kind, object, name, isFile, file } = entry;
  const given = { path: source.argument, as: isFile ? 'file' : 'folder' } as const;
  if (kind === 'submodule') return [{ file, skipped: 'submodule', given }];
  const inTree = { file: entry.inTree, below: name };
  if (!isFile && object?.type === 'blob' && (isIgnoreFile(posix.basename(name)) || isJsonnetFile(name))) {
    const text = toMarkerText(object.content);
    return [{ file, isSilent: true, ...(text !== undefined && { text }), place: placeOf(name), given, inTree }];
  }
  const isRead = isFile || MANIFEST_NAME.test(name) || isMarker(posix.basename(name)) || isOtherTemplate(placeOf(name));
  if (!isRead || (object && WITHOUT_FILE.has(object.type))) return [];
  if (object?.type !== 'blob') return [{ file, skipped: 'link', given }];
  return [{ file, content: object.content, place: placeOf(name), given, ...(!isFile && { inTree }) }];
}

/** Reads one path of a revision. */
function readTree(
  source: GitSource,
  path: string,
  run: GitRunner,
  { readsAllFolders = false, mayLack }: RevisionReadOptions,
): DiscoveredFile[] {
  const { root: repository, tree, git } = openRevision(source, run);
  const below = toRepositoryPath(source, path, run.cwd, repository);
  const nameInRevision = (at: string) => `${GIT_PREFIX}${source.revision}:${at}`;
  const listed = listTree(source, tree, below, git, run.ignoresLinks);
  if (!listed) {
    const submodule = findSubmodule(tree, below, git);
    if (submodule === undefined) return assertMayLack(source, path, mayLack);
    return [{ file: nameInRevision(submodule), skipped: 'submodule', given: { path: source.argument, as: 'folder' } }];
  }
  const { oid, entries } = listed;
  if (entries.length === 0) throw new GitError(`${source.argument}: the revision has only an empty folder at ${path}; name another path`);
  const isFile = entries.length === 1 && entries[0]!.path === '';
  const selected = isFile ? entries : entries.filter((entry) => maySelect(entry, path, readsAllFolders));
  const files = selected.filter(({ kind }) => kind === 'file');
  const blobs = readBlobs(source, files, path, git);
  const targets = followLinks(source, oid, selected, git);
  const objectOf = (entry: GitEntry): GitObject | undefined =>
    entry.kind === 'file' ? { type: 'blob', content: blobs.get(entry.oid)! } : targets.get(entry);
  const nameOf = (entry: GitEntry) => (isFile ? posix.basename(below) : entry.path);
  const byName = new Map(selected.map((entry) => [nameOf(entry), entry]));
  const textOf = (name: string) => {
    const entry = byName.get(name);
    const object = entry && objectOf(entry);
    return object?.type === 'blob' ? toMarkerText(object.content) : undefined;
  };
  const shown = isFile ? posix.dirname(path) : path;
  const start = isFile ? stripDot(posix.dirname(below)) : below;
  return limitToGitTime(source, run, () => {
    const placeOf = buildTreeLayout(source, { repository, tree, git, start, shown, isFile }, [...byName.keys()], textOf);
    return sortBy(selected, ({ key }) => (readsAllFolders ? toVisitKey(key) : key)).flatMap((entry) => {
      checkTimeNow();
      const name = nameOf(entry);
      const inTree = posix.join(path, name);
      const named = { kind: entry.kind, object: objectOf(entry), name, isFile, file: nameInRevision(isFile ? path : inTree), inTree };
      return toDiscoveredFiles(named, source, placeOf);
    });
  });
}

/**
 * Reads the files of a revision without changing the checkout.
 *
 * @param paths - paths to read if the source has none. If there are none here either, the working directory is read
 * @throws GitError if git is not installed, or if the revision or path does not exist
 */
export function readGitSource(
  source: GitSource,
  paths: readonly string[],
  run: GitRunner,
  reading: RevisionReadOptions = {},
): DiscoveredFile[] {
  const { mayLack, ...others } = reading;
  if (source.path !== undefined) return readTree(source, source.path, run, others);
  return (paths.length > 0 ? paths : ['.']).flatMap((path) => readTree(source, path, run, { ...others, ...(mayLack && { mayLack }) }));
}

/** File of a revision. */
export interface RevisionFile {
  /** Path from the root of the repository. */
  readonly path: string;
  /** Content; for a symbolic link its target. */
  readonly content: Uint8Array;
  readonly isLink: boolean;
}

/** All files of a revision, for programs that read a folder. */
export interface RevisionTree {
  /** Root of the repository that contains the working directory. */
  readonly root: string;
  readonly files: readonly RevisionFile[];
}

/** Names that no folder of a file system may contain as entries. git refuses to check them out, but a tree that a program wrote may have them. */
const UNSAFE_NAME = /^(?:|\.\.?|\.git)$/i;

/** @throws GitError for a file that would be written outside of the folder of its revision, or into its `.git` */
function assertSafePath({ argument }: GitSource, path: string): void {
  if (!path.split(/[/\\]/).some((name) => UNSAFE_NAME.test(name))) return;
  throw new GitError(
    `${argument}: the revision contains ${JSON.stringify(path)}, which git does not check out; name a folder with the old manifests`,
  );
}

/**
 * Reads all files of a revision without changing the checkout. Neither filters nor hooks of the repository run.
 *
 * @throws GitError if git is not installed, if the revision or the content of one of its files does not exist, or if a name is unsafe
 */
export function readRevisionTree(source: GitSource, run: GitRunner): RevisionTree {
  const { root, tree, git } = openRevision(source, run);
  const entries = parseTree(git(['ls-tree', '-r', '-z', '--full-tree', tree]));
  for (const { path } of entries) assertSafePath(source, path);
  const files = entries.filter(({ kind }) => kind !== 'submodule');
  const blobs = readBlobs(source, files, '', git);
  return { root, files: files.map(({ path, oid, kind }) => ({ path, content: blobs.get(oid)!, isLink: kind === 'link' })) };
}

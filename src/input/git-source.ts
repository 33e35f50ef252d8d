import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, posix, relative, resolve, sep } from 'node:path';
import type { ApplyUnit } from '../core/apply-unit';
import { sortBy } from '../core/sort-by';
import type { DiscoveredFile } from './discovered-file';
import { findProgram } from './find-program';
import { isMarker, buildLayout } from './layout';
import { isUnreadFolder, REPOSITORY_FOLDER } from './read-paths';
import type { FileReadOptions } from './read-paths';

/** Error of a revision that cannot be read. Its message says what is wrong and what to write. */
export class GitError extends Error {
  override readonly name = 'GitError';
}

/** Environment in which git runs. */
export interface GitRunner {
  /** Folder that paths are relative to. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Receives a message before each call. */
  readonly log: (what: string) => void;
  /** Whether a PATH that is a link in the revision is not followed. @default false */
  readonly ignoresLinks?: boolean;
}

/** Revision from which OLD is read: `git:HEAD~1`, `git:origin/main:clusters/prod`. */
export interface GitSource {
  /** Argument as given. */
  readonly argument: string;
  readonly revision: string;
  /** Path from the working directory; undefined if the argument has none. */
  readonly path?: string;
}

/** Prefix of an OLD that is a revision, and of the names of its files. */
export const GIT_PREFIX = 'git:';

/** Reports whether a value of `--from` is a revision. `./git:x` is a path. */
export function isGitSource(value: string): boolean {
  return value.startsWith(GIT_PREFIX);
}

/**
 * Parses `git:REVISION[:PATH]`.
 *
 * @throws GitError if the revision is empty, or if git would read it as an option
 */
export function parseGitSource(value: string): GitSource {
  const text = value.slice(GIT_PREFIX.length);
  const colon = text.indexOf(':');
  const revision = colon < 0 ? text : text.slice(0, colon);
  if (revision === '') throw new GitError(`${value} names no revision; write git:REVISION or git:REVISION:PATH, such as git:HEAD~1:dist`);
  if (revision.startsWith('-'))
    throw new GitError(`${value}: a revision cannot begin with "-"; write its full name, such as git:refs/heads/main`);
  if (Array.from(revision).some((character) => character <= ' '))
    throw new GitError(`${value}: a revision cannot contain spaces or control characters; check the spelling`);
  const path = colon < 0 ? undefined : text.slice(colon + 1);
  return { argument: value, revision, ...(path !== undefined && path !== '' && { path }) };
}

/** Protocols over which git would fetch missing objects. `ext` runs any command. An unknown one is refused by `GIT_ALLOW_PROTOCOL`. */
const PROTOCOLS = ['ext', 'file', 'git', 'ssh', 'http', 'https', 'ftp', 'ftps', 'fd', 'rsync', 'bundle'];

/**
 * Options before each git command. They keep a repository's configuration from running programs, prompting, or using the network.
 * Older versions of git ignore some of them, so each promise has several: options, variables, and the folder in which git runs.
 */
const SAFE_GIT_OPTIONS = [
  '--no-pager',
  '--no-optional-locks',
  '--no-replace-objects',
  '--literal-pathspecs',
  ...[
    // A folder of the checkout that contains HEAD, config, objects and refs is not a repository.
    'safe.bareRepository=explicit',
    'core.fsmonitor=false',
    'core.hooksPath=/dev/null',
    'core.sshCommand=false',
    'core.gitProxy=false',
    'credential.helper=',
    'diff.external=',
    'core.attributesFile=/dev/null',
    'protocol.allow=never',
    ...PROTOCOLS.map((protocol) => `protocol.${protocol}.allow=never`),
  ].flatMap((setting) => ['-c', setting]),
];

/** Variables that would make git use another repository or other objects than those of the working directory. */
const REPOSITORY_VARIABLES: ReadonlySet<string> = new Set([
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_DIR',
  'GIT_EXTERNAL_DIFF',
  'GIT_GRAFT_FILE',
  'GIT_INDEX_FILE',
  'GIT_NAMESPACE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_REPLACE_REF_BASE',
  'GIT_WORK_TREE',
]);

/** Builds the environment of git: no prompts, no fetching over any protocol, no replaced objects, no other repository. */
function buildGitEnvironment(env: GitRunner['env']): NodeJS.ProcessEnv {
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !REPOSITORY_VARIABLES.has(name))),
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_SSH_COMMAND: 'false',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_PROTOCOL_FROM_USER: '0',
    LC_ALL: 'C',
  };
}

/** Maximum size of the output of one git command. It limits the size of a revision below one path. */
const MAX_GIT_OUTPUT_BYTES = 1_073_741_824;

interface GitRun {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly input?: string | Buffer;
}

/** Runs git without a shell, and logs the command. */
function runGit({ args, cwd, input }: GitRun, source: GitSource, run: GitRunner): Buffer {
  run.log(`runs git ${args.join(' ')}`);
  const program = findProgram('git', run);
  if (!program)
    throw new GitError(`${source.argument} needs git, which is not installed; install it, or name a folder with the old manifests`);
  const { error, status, stdout, stderr } = spawnSync(program.file, [...SAFE_GIT_OPTIONS, ...args], {
    cwd,
    env: buildGitEnvironment(program.env),
    maxBuffer: MAX_GIT_OUTPUT_BYTES,
    shell: false,
    windowsHide: true,
    ...(input !== undefined && { input }),
  });
  if (error) throw new GitError(`${source.argument}: git could not be run: ${error.message}`);
  if (status === 0) return stdout;
  const reason = stderr.toString('utf8').trim().split('\n')[0] ?? '';
  throw new GitError(`${source.argument}: git fails with "${reason}"; name a revision and a path that the repository has`);
}

/**
 * Returns the folder of the repository that contains the working directory: the nearest one with an entry `.git`.
 * git runs there, and finds this entry before anything else. No commit can contain an entry of this name, but it can contain a folder
 * that git takes for a bare repository.
 */
function findRepositoryRoot(source: GitSource, cwd: string): string {
  for (let at = cwd; ; at = dirname(at)) {
    if (existsSync(join(at, REPOSITORY_FOLDER))) return at;
    if (at === dirname(at)) throw new GitError(`${source.argument}: the working directory is in no git repository; run the command in one`);
  }
}

/** Returns a path of the working directory relative to the root of its repository. Links are resolved in the revision, not in the checkout. */
function toRepositoryPath(source: GitSource, path: string, cwd: string, root: string): string {
  const absolute = resolve(cwd, path);
  const below = [root, realpathSync.native(root)]
    .map((from) => relative(from, absolute).split(sep).join('/'))
    .find((to) => !/^\.\.(?:\/|$)/.test(to));
  if (below === undefined || isAbsolute(below))
    throw new GitError(
      `${source.argument}: ${path} is outside the repository of the working directory; run the command in the repository that contains it`,
    );
  if (below.includes('\n')) throw new GitError(`${source.argument}: the name of ${JSON.stringify(path)} contains a line break; rename it`);
  return below;
}

interface Entry {
  /** Path from the requested folder; empty for a requested file. */
  readonly path: string;
  /** The bytes of that path, one per character. A name need not be UTF-8. */
  readonly key: string;
  readonly oid: string;
  readonly kind: 'file' | 'link' | 'submodule';
}

function toEntryKind(mode: string): Entry['kind'] {
  if (mode === '120000') return 'link';
  return mode === '160000' ? 'submodule' : 'file';
}

function parseTree(listing: Buffer): Entry[] {
  return listing
    .toString('latin1')
    .split('\0')
    .flatMap((line): Entry[] => {
      const [, mode, oid, key] = /^(\d{6}) (?:blob|commit) ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
      if (mode === undefined) return [];
      return [{ path: Buffer.from(key!, 'latin1').toString('utf8'), key: key!, oid: oid!, kind: toEntryKind(mode) }];
    });
}

/** An object of git, or the target of a link that cannot be followed. */
interface GitObject {
  readonly type: string;
  readonly content: Buffer;
}

/** Parses the output of `cat-file --batch`, in the order of its input; undefined for an object that is missing. Git applies no filters and no text conversion. */
function parseBatch(output: Buffer): (GitObject | undefined)[] {
  const objects: (GitObject | undefined)[] = [];
  let at = 0;
  while (at < output.length) {
    const end = output.indexOf(0x0a, at);
    if (end < 0) break;
    const [, type, size] = /^(?:[0-9a-f]+ )?(blob|tree|symlink|dangling|loop|notdir) (\d+)$/.exec(output.toString('latin1', at, end)) ?? [];
    at = end + 1;
    objects.push(type === undefined ? undefined : { type, content: output.subarray(at, at + Number(size)) });
    if (type !== undefined) at += Number(size) + 1;
  }
  return objects;
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

/** Runs git in the repository of the working directory. */
type GitCommand = (args: readonly string[], input?: string | Buffer) => Buffer;

/** The tree of a revision, and how git reads it. */
interface OpenedRevision {
  /** Root of the repository that contains the working directory. */
  readonly root: string;
  /** Object id of the tree. */
  readonly tree: string;
  readonly git: GitCommand;
}

function openRevision(source: GitSource, run: GitRunner): OpenedRevision {
  const root = findRepositoryRoot(source, run.cwd);
  const git: GitCommand = (args, input) => runGit({ args, cwd: root, ...(input !== undefined && { input }) }, source, run);
  const textOf = (...args: readonly string[]) => git(args).toString('utf8').trim();
  const top = textOf('rev-parse', '--show-toplevel');
  if (resolve(top) !== realpathSync.native(root))
    throw new GitError(`${source.argument}: git uses the repository at ${top} instead of the one at ${root}; run the command there`);
  // A tree without its commit may be that of any folder, so a path in it would be another one in the repository.
  return { root, git, tree: textOf('rev-parse', '--verify', '--end-of-options', `${source.revision}^{commit}^{tree}`) };
}

/** Creates the error for a file whose content the repository lacks. Objects would be missing from OLD. */
function createNoContentError({ argument }: GitSource, path: string): GitError {
  return new GitError(
    `${argument}: the repository does not contain the content of ${path}, as in a partial clone; ` +
      'run git fetch --refetch --no-filter, or name a folder with the old manifests',
  );
}

/**
 * Reads the contents of files, and the targets of links, by object id.
 *
 * @throws GitError if the repository lacks one
 */
function readBlobs(source: GitSource, entries: readonly Entry[], folder: string, git: GitCommand): Map<string, Buffer> {
  const objects = parseBatch(git(['cat-file', '--batch'], entries.map(({ oid }) => `${oid}\n`).join('')));
  return new Map(
    entries.map(({ oid, path }, index) => {
      const object = objects[index];
      if (object?.type !== 'blob') throw createNoContentError(source, posix.join(folder, path));
      return [oid, object.content];
    }),
  );
}

/**
 * Follows links within a tree. A link whose name has a line break is missing from the result, since git cannot look it up.
 *
 * @param tree - object id of the tree that no link may leave
 * @throws GitError if the repository lacks the target of one
 */
function followLinks(source: GitSource, tree: string, entries: readonly Entry[], git: GitCommand): Map<Entry, GitObject> {
  const links = entries.filter(({ kind, key }) => kind === 'link' && !key.includes('\n'));
  if (links.length === 0) return new Map();
  const names = Buffer.from(links.map(({ key }) => `${tree}:${key}\n`).join(''), 'latin1');
  const objects = parseBatch(git(['cat-file', '--batch', '--follow-symlinks'], names));
  return new Map(
    links.map((link, index) => {
      const target = objects[index];
      if (!target) throw createNoContentError(source, link.path);
      return [link, target];
    }),
  );
}

/** Types of a link that leads to no file of the tree, although it stays in it: kubectl applies nothing of it. */
const WITHOUT_FILE: ReadonlySet<string> = new Set(['tree', 'dangling', 'loop', 'notdir']);

/** The files at a path of a revision, and the object id of the path. */
interface ListedTree {
  readonly oid: string;
  readonly entries: readonly Entry[];
}

/** Lists the files at a path of a tree; undefined if it has none. Links on the way to it are followed within the tree, unless they are ignored. */
function listTree(tree: string, below: string, git: GitCommand, ignoresLinks = false): ListedTree | undefined {
  const args = ['cat-file', '--batch-check', ...(ignoresLinks ? [] : ['--follow-symlinks'])];
  const line = git(args, `${tree}:${below}\n`).toString('utf8');
  const [, oid, type] = /^([0-9a-f]+) (blob|tree) \d+\n$/.exec(line) ?? [];
  if (oid === undefined) return undefined;
  const entries: Entry[] =
    type === 'blob' ? [{ path: '', key: '', oid, kind: 'file' }] : parseTree(git(['ls-tree', '-r', '-z', '--full-tree', oid]));
  return { oid, entries };
}

/** Returns the submodule that is a path of a tree or contains it; undefined if there is none. */
function findSubmodule(tree: string, below: string, git: GitCommand): string | undefined {
  const names = below.split('/');
  const paths = names.map((_, index) => names.slice(0, index + 1).join('/'));
  return parseTree(git(['ls-tree', '-z', '--full-tree', tree, '--', ...paths])).find(({ kind }) => kind === 'submodule')?.path;
}

/** Options for reading a revision. */
export interface RevisionReadOptions extends Pick<FileReadOptions, 'readsAllFolders'> {
  /** Reports whether the working tree has a path, so that a revision without it is an older one. @default - a revision may lack no path */
  readonly mayLack?: (path: string) => boolean;
}

/** Reads one path of a revision. */
function readTree(source: GitSource, path: string, run: GitRunner, { readsAllFolders, mayLack }: RevisionReadOptions): DiscoveredFile[] {
  const { root: repository, tree, git } = openRevision(source, run);
  const below = toRepositoryPath(source, path, run.cwd, repository);
  const listed = listTree(tree, below, git, run.ignoresLinks);
  if (!listed) {
    const submodule = findSubmodule(tree, below, git);
    if (submodule === undefined) return assertMayLack(source, path, mayLack);
    return [{ file: `${GIT_PREFIX}${source.revision}:${submodule}`, skipped: 'submodule', given: { path: source.argument, as: 'folder' } }];
  }
  const { oid, entries } = listed;
  if (entries.length === 0) throw new GitError(`${source.argument}: the revision has only an empty folder at ${path}; name another path`);
  const isFile = entries.length === 1 && entries[0]!.path === '';
  const selected = isFile
    ? entries
    : entries.filter(
        ({ path: name, kind }) =>
          (readsAllFolders || !isInUnreadFolder(name)) &&
          (MANIFEST_NAME.test(name) || isMarker(posix.basename(name)) || kind === 'submodule'),
      );
  const blobs = readBlobs(
    source,
    selected.filter(({ kind }) => kind === 'file'),
    path,
    git,
  );
  const targets = followLinks(source, oid, selected, git);
  const objectOf = (entry: Entry): GitObject | undefined =>
    entry.kind === 'file' ? { type: 'blob', content: blobs.get(entry.oid)! } : targets.get(entry);
  const markers = isFile ? [] : selected.map((entry) => entry.path).filter(isMarker);
  const root: ApplyUnit = {
    id: `${GIT_PREFIX}${tree}:${below}`,
    name: source.argument,
    hasMarkerFile: markers.length > 0,
    ...(markers.length > 0 && { markers }),
    isNamedInput: true,
  };
  const nameOf = (entry: Entry) => (isFile ? posix.basename(below) : entry.path);
  const byName = new Map(selected.map((entry) => [nameOf(entry), entry]));
  const textOf = (file: string) => {
    const entry = byName.get(file);
    const object = entry && objectOf(entry);
    return object?.type === 'blob' ? object.content.toString('utf8') : undefined;
  };
  const placeOf = buildLayout([...byName.keys()], textOf, root, (folder) =>
    folder === '' ? root.name : `${GIT_PREFIX}${source.revision}:${posix.join(path, folder)}`,
  );
  return sortBy(selected, ({ key }) => key).flatMap((entry): DiscoveredFile[] => {
    const name = nameOf(entry);
    const file = isFile ? `${GIT_PREFIX}${source.revision}:${path}` : `${GIT_PREFIX}${source.revision}:${posix.join(path, name)}`;
    const given = { path: source.argument, as: isFile ? 'file' : 'folder' } as const;
    if (entry.kind === 'submodule') return [{ file, skipped: 'submodule', given }];
    const object = objectOf(entry);
    if ((!isFile && !MANIFEST_NAME.test(name) && !isMarker(posix.basename(name))) || (object && WITHOUT_FILE.has(object.type))) return [];
    if (object?.type !== 'blob') return [{ file, skipped: 'link', given }];
    const { content } = object;
    return [{ file, content, place: placeOf(name), given, ...(!isFile && { inTree: { file: posix.join(path, name), below: name } }) }];
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

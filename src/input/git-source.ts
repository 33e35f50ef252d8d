import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, posix, relative, resolve, sep } from 'node:path';
import type { ApplyUnit } from '../core/apply-unit';
import type { DiscoveredFile } from './discovered-file';
import { isMarker, buildLayout } from './layout';

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

/** Options before each git command. They keep the repository's configuration from running programs, prompting, or using the network. */
const SAFE_GIT_OPTIONS = [
  '--no-pager',
  '--no-optional-locks',
  '--literal-pathspecs',
  ...[
    'core.fsmonitor=false',
    'core.hooksPath=/dev/null',
    'diff.external=',
    'core.attributesFile=/dev/null',
    'protocol.allow=never',
  ].flatMap((setting) => ['-c', setting]),
];

/** Builds the environment of git: no prompts, no lazy fetching, no external diffs, and no repository other than the one that contains the path. */
function buildGitEnvironment(env: GitRunner['env']): NodeJS.ProcessEnv {
  const { GIT_DIR: _, GIT_WORK_TREE: __, GIT_EXTERNAL_DIFF: ___, GIT_INDEX_FILE: ____, ...others } = env;
  return {
    ...others,
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_NO_LAZY_FETCH: '1',
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
  readonly input?: string;
}

/** Runs git without a shell, and logs the command. */
function runGit({ args, cwd, input }: GitRun, source: GitSource, run: GitRunner): Buffer {
  run.log(`runs git ${args.join(' ')}`);
  const { error, status, stdout, stderr } = spawnSync('git', [...SAFE_GIT_OPTIONS, ...args], {
    cwd,
    env: buildGitEnvironment(run.env),
    maxBuffer: MAX_GIT_OUTPUT_BYTES,
    shell: false,
    windowsHide: true,
    ...(input !== undefined && { input }),
  });
  if (error && (error as NodeJS.ErrnoException).code === 'ENOENT') {
    throw new GitError(`${source.argument} needs git, which is not installed; install it, or name a folder with the old manifests`);
  }
  if (error) throw new GitError(`${source.argument}: git could not be run: ${error.message}`);
  if (status === 0) return stdout;
  const reason = stderr.toString('utf8').trim().split('\n')[0] ?? '';
  throw new GitError(`${source.argument}: git fails with "${reason}"; name a revision and a path that the repository has`);
}

/** Returns the nearest existing folder of a path, which may exist only in the revision. */
function findExistingFolder(path: string): string {
  for (let at = path; ; at = dirname(at)) {
    if (existsSync(at)) return statSync(at).isDirectory() ? at : dirname(at);
    if (at === dirname(at)) return at;
  }
}

interface Entry {
  /** Path from the root of the repository. */
  readonly path: string;
  readonly oid: string;
  readonly isLink: boolean;
}

function parseTree(listing: Buffer): Entry[] {
  return listing
    .toString('utf8')
    .split('\0')
    .flatMap((line): Entry[] => {
      const match = /^(\d{6}) blob ([0-9a-f]+)\t(.*)$/s.exec(line);
      return match ? [{ path: match[3]!, oid: match[2]!, isLink: match[1] === '120000' }] : [];
    });
}

/** Parses the output of `cat-file --batch` into contents by object id. Git applies no filters and no text conversion. */
function parseBatch(output: Buffer): Map<string, Buffer> {
  const blobs = new Map<string, Buffer>();
  let at = 0;
  while (at < output.length) {
    const end = output.indexOf(0x0a, at);
    if (end < 0) break;
    const [oid, type, size] = output.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (type !== 'blob') continue;
    blobs.set(oid!, output.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return blobs;
}

const MANIFEST_NAME = /\.(?:yaml|yml|json)$/;

function isHidden(path: string): boolean {
  return path
    .split('/')
    .slice(0, -1)
    .some((part) => part.startsWith('.') || part === 'node_modules');
}

/** Returns the file that a link points to, if it is below the requested path. */
function resolveLink(entry: Entry, target: string, byPath: ReadonlyMap<string, Entry>): Entry | undefined {
  const to = byPath.get(posix.normalize(posix.join(posix.dirname(entry.path), target)));
  return to && !to.isLink ? to : undefined;
}

/** Creates the error for a path that a revision does not have. */
export function createNoPathError({ argument, revision }: GitSource, path: string): GitError {
  return new GitError(
    `${argument}: the revision has nothing at ${path}; commit it there, or name a path that git ls-tree ${revision} lists`,
  );
}

/** Reads one path of a revision. */
function readTree(source: GitSource, path: string, run: GitRunner): DiscoveredFile[] {
  const absolute = resolve(run.cwd, path);
  const cwd = findExistingFolder(absolute);
  const top = runGit({ args: ['rev-parse', '--show-toplevel'], cwd }, source, run)
    .toString('utf8')
    .trim();
  const below = relative(top, resolve(realpathSync(cwd), relative(cwd, absolute)))
    .split(sep)
    .join('/');
  const tree = runGit({ args: ['rev-parse', '--verify', '--end-of-options', `${source.revision}^{tree}`], cwd }, source, run)
    .toString('utf8')
    .trim();
  const entries = parseTree(
    runGit({ args: ['ls-tree', '-r', '-z', '--full-tree', tree, ...(below === '' ? [] : ['--', below])], cwd }, source, run),
  );
  if (entries.length === 0) {
    throw createNoPathError(source, path);
  }
  const isFile = entries.length === 1 && entries[0]!.path === below;
  const inFolder = (entry: Entry) => (below === '' ? entry.path : entry.path.slice(below.length + 1));
  const selected = isFile
    ? entries
    : entries.filter((entry) => !isHidden(inFolder(entry)) && (MANIFEST_NAME.test(entry.path) || isMarker(posix.basename(entry.path))));
  const read = runGit({ args: ['cat-file', '--batch'], cwd, input: selected.map(({ oid }) => `${oid}\n`).join('') }, source, run);
  const blobs = parseBatch(read);
  const missing = selected.find(({ oid }) => !blobs.has(oid));
  if (missing) {
    throw new GitError(
      `${source.argument}: the repository does not contain the content of ${missing.path}, as in a partial clone; ` +
        'run git fetch --refetch --no-filter, or name a folder with the old manifests',
    );
  }
  const byPath = new Map(selected.map((entry) => [entry.path, entry]));
  const contentOf = (entry: Entry): Buffer | undefined => {
    const own = blobs.get(entry.oid);
    if (!entry.isLink || !own) return own;
    const to = resolveLink(entry, own.toString('utf8'), byPath);
    return to && blobs.get(to.oid);
  };
  const root: ApplyUnit = {
    id: `${GIT_PREFIX}${tree}:${below}`,
    name: source.argument,
    hasMarkerFile: !isFile && selected.some((entry) => isMarker(inFolder(entry))),
    isNamedInput: true,
  };
  const contents = new Map(selected.map((entry) => [isFile ? posix.basename(entry.path) : inFolder(entry), entry]));
  const placeOf = buildLayout(
    [...contents.keys()],
    (file) => (contents.has(file) ? contentOf(contents.get(file)!)?.toString('utf8') : undefined),
    root,
    (folder) => (folder === '' ? root.name : `${GIT_PREFIX}${source.revision}:${posix.join(path, folder)}`),
  );
  const sorted = [...contents].toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return sorted.flatMap(([name, entry]): DiscoveredFile[] => {
    if (!isFile && !MANIFEST_NAME.test(name)) return [];
    const file = isFile ? `${GIT_PREFIX}${source.revision}:${path}` : `${GIT_PREFIX}${source.revision}:${posix.join(path, name)}`;
    const given = { path: source.argument, as: isFile ? 'file' : 'folder' } as const;
    const content = contentOf(entry);
    if (content === undefined) return [{ file, skipped: 'link', given }];
    return [{ file, content, place: placeOf(name), given, ...(!isFile && { inTree: { file: posix.join(path, name), below: name } }) }];
  });
}

/**
 * Reads the files of a revision without changing the checkout.
 *
 * @param paths - paths to read if the source has none. If there are none here either, the working directory is read
 * @throws GitError if git is not installed, or if the revision or path does not exist
 */
export function readGitSource(source: GitSource, paths: readonly string[], run: GitRunner): DiscoveredFile[] {
  const selected = source.path !== undefined ? [source.path] : paths.length > 0 ? paths : ['.'];
  return selected.flatMap((path) => readTree(source, path, run));
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

/**
 * Reads all files of a revision without changing the checkout. Neither filters nor hooks of the repository run.
 *
 * @throws GitError if git is not installed, or if the revision does not exist
 */
export function readRevisionTree(source: GitSource, run: GitRunner): RevisionTree {
  const { cwd } = run;
  const root = runGit({ args: ['rev-parse', '--show-toplevel'], cwd }, source, run)
    .toString('utf8')
    .trim();
  const tree = runGit({ args: ['rev-parse', '--verify', '--end-of-options', `${source.revision}^{tree}`], cwd }, source, run)
    .toString('utf8')
    .trim();
  const entries = parseTree(runGit({ args: ['ls-tree', '-r', '-z', '--full-tree', tree], cwd }, source, run));
  const blobs = parseBatch(
    runGit({ args: ['cat-file', '--batch'], cwd, input: entries.map(({ oid }) => `${oid}\n`).join('') }, source, run),
  );
  const files = entries.flatMap(({ path, oid, isLink }): RevisionFile[] => {
    const content = blobs.get(oid);
    return content ? [{ path, content, isLink }] : [];
  });
  return { root, files };
}

import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, posix, relative, resolve, sep } from 'node:path';
import type { ApplyUnit } from '../core/apply-unit';
import type { DiscoveredFile } from './discovered-file';
import { isMarker, buildLayout } from './layout';

/** Why a revision cannot be read: what was seen, why it fails, what to write. */
export class GitError extends Error {
  override readonly name = 'GitError';
}

/** What running git touches besides the repository. */
export interface GitRunner {
  /** Where paths begin. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Hears of each call before it is made. */
  readonly log: (what: string) => void;
}

/** Where OLD is read from a revision: `git:HEAD~1`, `git:origin/main:clusters/prod`. */
export interface GitSource {
  /** As it was given. */
  readonly argument: string;
  readonly revision: string;
  /** From the working directory; undefined where the source names none. */
  readonly path?: string;
}

const GIT_PREFIX = 'git:';

/** Is a value of `--from` a revision? `./git:x` is a path. */
export function isGitSource(value: string): boolean {
  return value.startsWith(GIT_PREFIX);
}

/**
 * Takes `git:REVISION[:PATH]` apart.
 *
 * @throws GitError for a revision that is empty or that git would take for an option
 */
export function parseGitSource(value: string): GitSource {
  const text = value.slice(GIT_PREFIX.length);
  const colon = text.indexOf(':');
  const revision = colon < 0 ? text : text.slice(0, colon);
  if (revision === '') throw new GitError(`${value} names no revision; write git:REVISION or git:REVISION:PATH, such as git:HEAD~1:dist`);
  if (revision.startsWith('-'))
    throw new GitError(`${value}: a revision does not begin with "-"; write its full name, such as git:refs/heads/main`);
  if (Array.from(revision).some((character) => character <= ' '))
    throw new GitError(`${value}: a revision has no blanks and no control characters`);
  const path = colon < 0 ? undefined : text.slice(colon + 1);
  return { argument: value, revision, ...(path !== undefined && path !== '' && { path }) };
}

/** What git is told before its command: nothing of a repository's configuration runs a program, asks, or reaches the network. */
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

/** The environment that git gets: no prompts, no lazy fetching, no external diffs, no repository but the one that the path lies in. */
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

/** Bytes that a revision may hold below one path. */
const MAX_GIT_OUTPUT_BYTES = 1_073_741_824;

interface GitRun {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly input?: string;
}

/** Runs git without a shell, and says on standard error what is run. */
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
    throw new GitError(`${source.argument} needs the program git, which is not there; install it, or name a folder with the old manifests`);
  }
  if (error) throw new GitError(`${source.argument}: git could not be run: ${error.message}`);
  if (status === 0) return stdout;
  const said = stderr.toString('utf8').trim().split('\n')[0] ?? '';
  throw new GitError(`${source.argument}: git says "${said}"; name a revision and a path that the repository has`);
}

/** The nearest folder that is there: a path may exist in the revision alone. */
function findExistingFolder(path: string): string {
  for (let at = path; ; at = dirname(at)) {
    if (existsSync(at)) return statSync(at).isDirectory() ? at : dirname(at);
    if (at === dirname(at)) return at;
  }
}

interface Entry {
  /** From the root of the repository. */
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

/** The contents of blobs by their names, as one `cat-file --batch` gives them; without filters and text conversion. */
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

/** The file that a link leads to, while that stays below the path that was asked for. */
function resolveLink(entry: Entry, target: string, byPath: ReadonlyMap<string, Entry>): Entry | undefined {
  const to = byPath.get(posix.normalize(posix.join(posix.dirname(entry.path), target)));
  return to && !to.isLink ? to : undefined;
}

/** One path of a revision, read. */
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
    throw new GitError(
      `${source.argument}: the revision has nothing at ${path}; commit it there, or name a path that git ls-tree ${source.revision} lists`,
    );
  }
  const isFile = entries.length === 1 && entries[0]!.path === below;
  const inFolder = (entry: Entry) => (below === '' ? entry.path : entry.path.slice(below.length + 1));
  const wanted = isFile
    ? entries
    : entries.filter((entry) => !isHidden(inFolder(entry)) && (MANIFEST_NAME.test(entry.path) || isMarker(posix.basename(entry.path))));
  const read = runGit({ args: ['cat-file', '--batch'], cwd, input: wanted.map(({ oid }) => `${oid}\n`).join('') }, source, run);
  const blobs = parseBatch(read);
  const missing = wanted.find(({ oid }) => !blobs.has(oid));
  if (missing) {
    throw new GitError(
      `${source.argument}: the repository is without what ${missing.path} holds, as a partial clone is; ` +
        'run git fetch --refetch --no-filter, or name a folder with the old manifests',
    );
  }
  const byPath = new Map(wanted.map((entry) => [entry.path, entry]));
  const contentOf = (entry: Entry): Buffer | undefined => {
    const own = blobs.get(entry.oid);
    if (!entry.isLink || !own) return own;
    const to = resolveLink(entry, own.toString('utf8'), byPath);
    return to && blobs.get(to.oid);
  };
  const root: ApplyUnit = {
    id: `${GIT_PREFIX}${tree}:${below}`,
    name: source.argument,
    hasMarkerFile: !isFile && wanted.some((entry) => isMarker(inFolder(entry))),
    isNamedInput: true,
  };
  const contents = new Map(wanted.map((entry) => [isFile ? posix.basename(entry.path) : inFolder(entry), entry]));
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
 * The files of a revision, without touching a checkout.
 *
 * @param paths - those to read where the source names none; the working directory where there is none either
 * @throws GitError where git is not there, or the revision or path is not
 */
export function readGitSource(source: GitSource, paths: readonly string[], run: GitRunner): DiscoveredFile[] {
  const wanted = source.path !== undefined ? [source.path] : paths.length > 0 ? paths : ['.'];
  return wanted.flatMap((path) => readTree(source, path, run));
}

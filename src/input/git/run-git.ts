import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Deadline, DeadlineError } from '../../core/budget/deadline';
import { formatTimeout } from '../../core/budget/timeout-message';
import { findProgram } from './find-program';
import { GitError } from './git-revision';
import type { GitRunner, GitSource } from './git-revision';
import { hasRepositoryEntry, isSameFile, listGitFolders } from '../repository-folder';

/** Protocols over which git would fetch missing objects. `ext` runs any command. Any other one is refused by `GIT_ALLOW_PROTOCOL`. */
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
    // git 2.20 to 2.40 follows this setting even if an option or a variable forbids it.
    'core.useReplaceRefs=false',
    'core.hooksPath=/dev/null',
    'core.sshCommand=false',
    'core.gitProxy=false',
    'credential.helper=',
    'diff.external=',
    // An empty one is none. git would fetch it with a program of its own, whatever protocols are allowed.
    'fetch.bundleURI=',
    // `git fetch`, which git before 2.44 runs for missing objects, refuses these values before it reads a remote or writes a file.
    'fetch.parallel=-1',
    'fetch.recurseSubmodules=refused',
    'core.attributesFile=/dev/null',
    'core.warnAmbiguousRefs=true',
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
  'GIT_INDEX_FILE',
  'GIT_NAMESPACE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_REFERENCE_BACKEND',
  'GIT_REPLACE_REF_BASE',
  'GIT_SHALLOW_FILE',
  'GIT_WORK_TREE',
]);

/**
 * The only protocol that git may use. No configuration can name it: for a remote `none::x`, git would run a program `git-remote-none`, or an alias
 * `remote-none`.
 */
const NO_PROTOCOL = randomUUID();

/** Builds the environment of git: no prompts, no fetching over any protocol, no replaced objects or parents, no other repository. */
function buildGitEnvironment(env: GitRunner['env']): NodeJS.ProcessEnv {
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !REPOSITORY_VARIABLES.has(name))),
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GIT_SSH_COMMAND: 'false',
    GIT_ALLOW_PROTOCOL: NO_PROTOCOL,
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    // A file that does not exist: git prints an advice for any other.
    GIT_GRAFT_FILE: '/dev/null/none',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_PROTOCOL_FROM_USER: '0',
    // A configuration of git in a home folder that is the checkout could name files to write traces to.
    GIT_TRACE2: '0',
    GIT_TRACE2_EVENT: '0',
    GIT_TRACE2_PERF: '0',
    LC_ALL: 'C',
  };
}

/** Maximum size of the output of one git command. It limits the size of a revision below one path. */
const MAX_GIT_OUTPUT_BYTES = 1_073_741_824;

/** What git warns of if a revision is the name of several references: a branch `origin/main` of a stranger comes before that of the remote. */
const AMBIGUOUS_NAME = /^warning: refname '[^\n]*' is ambiguous\.$/m;

/** What `git fetch` says, which git before 2.44 runs for objects that a shallow or a partial clone lacks. */
const REFUSED_FETCH = 'fetch.parallel cannot be negative';

/** What git says of a revision that it does not have. */
const MISSING_REVISION = 'Needed a single revision';

interface GitRun {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly input?: string | Buffer;
}

/** Creates the error for a revision that git does not read in time. */
function createTimeoutError(source: GitSource, seconds: number): GitError {
  return new GitError(formatTimeout(`${source.argument}: reading the revision`, seconds, { reduce: 'name fewer files' }));
}

/** Returns the milliseconds that git may still take; undefined without a limit. @throws GitError if none are left */
function findTimeLeft(source: GitSource, { time }: GitRunner): number | undefined {
  if (!time) return undefined;
  const left = Math.ceil(time.end - Date.now());
  if (left <= 0) throw createTimeoutError(source, time.seconds);
  return left;
}

/** Does work with the files of a revision within the time that is left for it. @throws GitError if it takes longer */
export function limitToGitTime<Result>(source: GitSource, run: GitRunner, work: () => Result): Result {
  const left = findTimeLeft(source, run);
  if (left === undefined) return work();
  try {
    return new Deadline(left / 1_000).limit(work);
  } catch (error) {
    if (error instanceof DeadlineError) throw createTimeoutError(source, run.time!.seconds);
    throw error;
  }
}

/** Creates the error for a git that could not be run, or that was ended because of a limit. */
function createRunError(source: GitSource, { time }: GitRunner, error: NodeJS.ErrnoException): GitError {
  if (error.code === 'ETIMEDOUT' && time) return createTimeoutError(source, time.seconds);
  if (error.code === 'ENOBUFS')
    return new GitError(
      `${source.argument}: the revision has more than ${MAX_GIT_OUTPUT_BYTES / 1_048_576} MiB of names or files there; name a folder in it, or one with the old manifests`,
    );
  return new GitError(`${source.argument}: git could not be run: ${error.message}`);
}

/** Runs git without a shell, and logs the command. */
function runGit({ args, cwd, input }: GitRun, source: GitSource, run: GitRunner): Buffer {
  run.log(`runs git ${args.join(' ')}`);
  const program = findProgram('git', run);
  if (!program)
    throw new GitError(`${source.argument} needs git, which is not installed; install it, or name a folder with the old manifests`);
  const timeout = findTimeLeft(source, run);
  const { error, status, stdout, stderr } = spawnSync(program.file, [...SAFE_GIT_OPTIONS, ...args], {
    cwd,
    env: buildGitEnvironment(program.env),
    maxBuffer: MAX_GIT_OUTPUT_BYTES,
    shell: false,
    windowsHide: true,
    ...(input !== undefined && { input }),
    ...(timeout !== undefined && { timeout, killSignal: 'SIGKILL' as const }),
  });
  if (error) throw createRunError(source, run, error);
  const said = stderr.toString('utf8').trim();
  if (AMBIGUOUS_NAME.test(said))
    throw new GitError(
      `${source.argument}: several branches, tags or remote branches have this name; write the full name, such as git:refs/remotes/origin/main`,
    );
  if (said.includes(REFUSED_FETCH))
    throw new GitError(
      `${source.argument}: the checkout lacks objects of the revision, as a shallow or a partial clone does; fetch them before, such as with fetch-depth: 0 on GitHub, or GIT_DEPTH: 0 on GitLab`,
    );
  if (status === 0) return stdout;
  const lines = said.split('\n');
  const reason = lines.find((line) => /^(?:fatal|error): /.test(line)) ?? lines[0] ?? '';
  const help = reason.includes(MISSING_REVISION)
    ? 'name a revision that the checkout has: a shallow one lacks others, unless it has fetch-depth: 0 on GitHub, or GIT_DEPTH: 0 on GitLab'
    : 'name a revision and a path that the repository has';
  throw new GitError(`${source.argument}: git fails with "${reason}"; ${help}`);
}

/**
 * Returns the folder of the repository that contains the working directory: the nearest one with an entry `.git`.
 * git runs there, and finds this entry before anything else. No commit can contain an entry of this name, but it can contain a folder
 * that git takes for a bare repository.
 */
function findRepositoryRoot(source: GitSource, cwd: string): string {
  for (let at = cwd; ; at = dirname(at)) {
    if (hasRepositoryEntry(at)) return at;
    if (at === dirname(at)) throw new GitError(`${source.argument}: the working directory is in no git repository; run the command in one`);
  }
}

/** Runs git in the repository of the working directory. */
export type GitCommand = (args: readonly string[], input?: string | Buffer) => Buffer;

/** The tree of a revision, and how git reads it. */
export interface OpenedRevision {
  /** Root of the repository that contains the working directory. */
  readonly root: string;
  /** Object id of the tree. */
  readonly tree: string;
  readonly git: GitCommand;
}

export function openRevision(source: GitSource, run: GitRunner): OpenedRevision {
  const root = findRepositoryRoot(source, run.cwd);
  const git: GitCommand = (args, input) => runGit({ args, cwd: root, ...(input !== undefined && { input }) }, source, run);
  const textOf = (...args: readonly string[]) => git(args).toString('utf8').trim();
  const [top = '', folder = '', ...others] = textOf('rev-parse', '--show-toplevel', '--absolute-git-dir').split('\n');
  if (others.length > 0)
    throw new GitError(
      `${source.argument}: the path of the repository ${JSON.stringify(root)} or of its .git contains a line break; rename the folder`,
    );
  // Versions of git before 2.38 take the root itself for a repository if it looks like one and its `.git` is none.
  if (!listGitFolders(root).some((each) => isSameFile(each, folder)))
    throw new GitError(
      `${source.argument}: git uses the repository in ${folder}, which is not that of ${root}/.git; run the command elsewhere`,
    );
  if (resolve(top) !== realpathSync.native(root))
    throw new GitError(`${source.argument}: git uses the repository at ${top} instead of the one at ${root}; run the command there`);
  // A tree without its commit may be that of any folder, so a path in it would be another one in the repository.
  return { root, git, tree: textOf('rev-parse', '--verify', '--end-of-options', `${source.revision}^{commit}^{tree}`) };
}

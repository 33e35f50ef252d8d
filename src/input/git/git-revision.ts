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
  /** Limit of the time in which all commands of git must have ended. @default - none */
  readonly time?: GitTime;
}

/** Limit of the time that git may take. */
export interface GitTime {
  /** Seconds of the budget, for the error. */
  readonly seconds: number;
  /** Milliseconds since 1970 at which they are over. */
  readonly end: number;
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

/** Branches that a branch is set up to pull from or to push to, as git names them. They are in the configuration of git, not in a reflog. */
const TRACKED_BRANCHES = /@\{(?:u|upstream|push)\}/gi;

/**
 * Parses `git:REVISION[:PATH]`.
 *
 * @throws GitError if the revision is empty, if git would read it as an option, or if it is one of the reflog. That of a new checkout has only
 * HEAD, and without one git takes a local branch `origin/main` for `origin/main@{0}`
 */
export function parseGitSource(value: string): GitSource {
  const text = value.slice(GIT_PREFIX.length);
  const colon = text.indexOf(':');
  const revision = colon < 0 ? text : text.slice(0, colon);
  if (revision === '') throw new GitError(`${value} names no revision; write git:REVISION or git:REVISION:PATH, such as git:HEAD~1:dist`);
  if (revision.startsWith('-'))
    throw new GitError(`${value}: a revision cannot begin with "-"; write its full name, such as git:refs/heads/main`);
  if (revision.replaceAll(TRACKED_BRANCHES, '').includes('@{'))
    throw new GitError(`${value}: @{…} reads the reflog, which each checkout has only of itself; name a commit or a branch`);
  if (Array.from(revision).some((character) => character <= ' '))
    throw new GitError(`${value}: a revision cannot contain spaces or control characters; check the spelling`);
  if (value.includes('\ufffd')) throw new GitError(`${value}: it is not UTF-8, so another revision or folder would be read; rename it`);
  const path = colon < 0 ? undefined : text.slice(colon + 1);
  return { argument: value, revision, ...(path !== undefined && path !== '' && { path }) };
}

import { posix } from 'node:path';
import { GitError } from './git-revision';
import type { GitSource } from './git-revision';
import type { GitCommand } from './run-git';

export interface GitEntry {
  /** Path from the requested folder; empty for a requested file. */
  readonly path: string;
  /** The bytes of that path, one per character. A name need not be UTF-8. */
  readonly key: string;
  readonly oid: string;
  readonly kind: 'file' | 'link' | 'submodule';
}

function toEntryKind(mode: string): GitEntry['kind'] {
  if (mode === '120000') return 'link';
  return mode === '160000' ? 'submodule' : 'file';
}

export function parseTree(listing: Buffer): GitEntry[] {
  return listing
    .toString('latin1')
    .split('\0')
    .flatMap((line): GitEntry[] => {
      const [, mode, oid, key] = /^(\d{6}) (?:blob|commit) ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
      if (mode === undefined) return [];
      return [{ path: Buffer.from(key!, 'latin1').toString('utf8'), key: key!, oid: oid!, kind: toEntryKind(mode) }];
    });
}

/** An object of git, or the target of a link that cannot be followed. */
export interface GitObject {
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
export function readBlobs(source: GitSource, entries: readonly GitEntry[], folder: string, git: GitCommand): Map<string, Buffer> {
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
export function followLinks(source: GitSource, tree: string, entries: readonly GitEntry[], git: GitCommand): Map<GitEntry, GitObject> {
  const links = entries.filter(({ kind, key }) => kind === 'link' && !/[\r\n]/.test(key));
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

/** The files at a path of a revision, and the object id of the path. */
interface ListedTree {
  readonly oid: string;
  readonly entries: readonly GitEntry[];
}

/** What a path of a tree is, in the words of git: its object id and type, or `missing`, which the object can be as well. */
interface TreePath {
  readonly oid?: string;
  readonly type: 'blob' | 'tree' | 'missing' | 'dangling';
}

/** Looks a path of a tree up. Links are followed within the tree, unless they are ignored. */
function lookUp(tree: string, below: string, git: GitCommand, ignoresLinks: boolean): TreePath {
  const args = ['cat-file', '--batch-check', ...(ignoresLinks ? [] : ['--follow-symlinks'])];
  const line = git(args, `${tree}:${below}\n`).toString('utf8');
  const [, oid, type] = /^([0-9a-f]+) (blob|tree) \d+\n$/.exec(line) ?? [];
  if (oid !== undefined) return { oid, type: type as TreePath['type'] };
  return { type: line.endsWith(' missing\n') ? 'missing' : 'dangling' };
}

/**
 * Checks that a path which git calls missing is not in a tree.
 *
 * @throws GitError if a folder has an entry for the path, or for a folder on the way to it, whose object the repository lacks
 */
function assertAbsent(source: GitSource, tree: string, below: string, git: GitCommand, ignoresLinks: boolean): void {
  const slash = below.lastIndexOf('/');
  const around = below.slice(0, Math.max(slash, 0));
  const folder = lookUp(tree, around, git, ignoresLinks);
  if (folder.type === 'missing' && around !== '') return assertAbsent(source, tree, around, git, ignoresLinks);
  if (folder.type !== 'tree') return;
  const listing = git(['ls-tree', '-z', '--full-tree', folder.oid!, '--', below.slice(slash + 1)]).toString('latin1');
  if (/^\d{6} (?:blob|tree) /.test(listing)) throw createNoContentError(source, below);
}

/**
 * Lists the files at a path of a tree; undefined if it has none. Links on the way to it are followed within the tree, unless they are ignored.
 *
 * @throws GitError if the repository lacks what the path leads to
 */
export function listTree(source: GitSource, tree: string, below: string, git: GitCommand, ignoresLinks = false): ListedTree | undefined {
  const { oid, type } = lookUp(tree, below, git, ignoresLinks);
  if (type === 'missing') assertAbsent(source, tree, below, git, ignoresLinks);
  if (oid === undefined) return undefined;
  const entries: GitEntry[] =
    type === 'blob' ? [{ path: '', key: '', oid, kind: 'file' }] : parseTree(git(['ls-tree', '-r', '-z', '--full-tree', oid]));
  return { oid, entries };
}

/** Returns the submodule that is a path of a tree or contains it; undefined if there is none. */
export function findSubmodule(tree: string, below: string, git: GitCommand): string | undefined {
  const names = below.split('/');
  const paths = names.map((_, index) => names.slice(0, index + 1).join('/'));
  return parseTree(git(['ls-tree', '-z', '--full-tree', tree, '--', ...paths])).find(({ kind }) => kind === 'submodule')?.path;
}

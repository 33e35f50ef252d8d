import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import { cleanUpAtEnd } from '../../input/clean-up-at-end';
import { GitError } from '../../input/git/git-revision';
import type { GitRunner, GitSource } from '../../input/git/git-revision';
import { readRevisionTree } from '../../input/git/git-source';
import type { RevisionFile } from '../../input/git/git-source';
import { describeOsError } from '../../input/os-error-message';

/** Codes of the errors of a file system in which a name is taken. */
const NAME_IS_TAKEN: ReadonlySet<string | undefined> = new Set(['EEXIST', 'ENOTDIR', 'EISDIR']);

/** Folder with the files of a revision. */
export interface RevisionFolder {
  /** The folder that corresponds to the root of the repository. */
  readonly root: string;
  /** The folder that corresponds to the working directory. Paths are relative to it, as they are to the working directory. */
  readonly cwd: string;
  /** Removes the folder. */
  readonly remove: () => void;
}

/** Reports whether a link stays in the tree. Others are left out, as no program may read outside of the revision. */
function isLinkInTree({ path, content }: RevisionFile): boolean {
  const target = Buffer.from(content).toString('utf8');
  if (target === '' || posix.isAbsolute(target)) return false;
  const to = posix.normalize(posix.join(posix.dirname(path), target));
  return to !== '..' && !to.startsWith('../');
}

/** Writes one entry. @throws GitError if the revision has another file, folder or link of its name, or if the file system refuses it */
function writeEntry({ path }: RevisionFile, { argument }: GitSource, write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!NAME_IS_TAKEN.has((error as NodeJS.ErrnoException).code))
      throw new GitError(
        `${argument}: cannot write ${JSON.stringify(path)} of the revision to a temporary folder: ${describeOsError(error)}; name a folder with the old manifests`,
      );
    throw new GitError(
      `${argument}: the revision contains ${JSON.stringify(path)} more than once, as a file, a folder or a link; name a folder with the old manifests`,
    );
  }
}

/** Maximum number of folders within each other. Node.js 22 has no stack to remove more than about 1,900. */
const MAX_FOLDER_LEVELS = 500;

/** @throws GitError for a revision whose folder could not be removed again */
function checkDepth(files: readonly RevisionFile[], { argument }: GitSource): void {
  const isDeep = files.some(({ path }) => path.split('/').length > MAX_FOLDER_LEVELS + 1);
  if (isDeep)
    throw new GitError(
      `${argument}: a file of the revision is more than ${MAX_FOLDER_LEVELS} folders deep; name a folder with the old manifests`,
    );
}

function writeFiles(files: readonly RevisionFile[], folder: string, source: GitSource): void {
  const links = files.filter((one) => one.isLink && isLinkInTree(one));
  // Folders come first and links last, so that nothing is written through a link: a tree may have a link and a folder of one name.
  for (const file of files) writeEntry(file, source, () => mkdirSync(dirname(join(folder, file.path)), { recursive: true }));
  for (const file of files.filter(({ isLink }) => !isLink))
    writeEntry(file, source, () => writeFileSync(join(folder, file.path), file.content, { flag: 'wx' }));
  for (const link of links)
    writeEntry(link, source, () => symlinkSync(Buffer.from(link.content).toString('utf8'), join(folder, link.path)));
  // A link that passes another link may lead out of the tree although its text does not.
  for (const { path } of links) if (leadsOut(join(folder, path), folder)) rmSync(join(folder, path));
}

/** Reports whether a link leads to a file or a folder outside of a folder. */
function leadsOut(link: string, folder: string): boolean {
  try {
    const target = realpathSync.native(link);
    return target !== folder && !target.startsWith(`${folder}${sep}`);
  } catch {
    return false;
  }
}

/** Folders that exist now. They are removed when the process ends, also by a signal that arrived while a program rendered. */
const folders = new Set<string>();

function removeFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  folders.clear();
}

/**
 * Writes the files of a revision to a temporary folder, so that programs such as kustomize can render it. Nothing of the repository changes:
 * the folder is no worktree of git, and no filter or hook runs.
 *
 * @throws GitError if the revision cannot be read, or if the working directory is outside of its repository
 */
export function writeRevisionFolder(source: GitSource, run: GitRunner): RevisionFolder {
  const { root, files } = readRevisionTree(source, run);
  checkDepth(files, source);
  const below = relative(realpathSync.native(root), realpathSync.native(run.cwd));
  if (below.split(sep)[0] === '..') throw new GitError(`${source.argument}: the working directory is outside of the repository ${root}`);
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'rolloutkit-revision-')));
  folders.add(folder);
  cleanUpAtEnd(removeFolders);
  const remove = () => {
    rmSync(folder, { recursive: true, force: true });
    folders.delete(folder);
  };
  try {
    writeFiles(files, folder, source);
    // Marks the root of the repository, so that nothing above it is read.
    mkdirSync(join(folder, '.git'), { recursive: true });
    mkdirSync(resolve(folder, below), { recursive: true });
  } catch (error) {
    remove();
    throw error;
  }
  return { root: folder, cwd: resolve(folder, below), remove };
}

/** Returns a path of the working directory as a path of a revision's folder; undefined if the revision has nothing there. */
export function toRevisionPath(path: string, cwd: string, folder: Pick<RevisionFolder, 'cwd'>): string | undefined {
  const own = relative(cwd, resolve(cwd, path)) || '.';
  const shown = path.startsWith('./') && own !== '.' ? `./${own}` : own;
  return existsSync(resolve(folder.cwd, own)) ? shown : undefined;
}

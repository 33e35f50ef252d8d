import { existsSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { escapeForTerminal } from '../../core/text/escape-output';
import { listConfigFolders, REPOSITORY_FOLDER } from '../../input/read-paths';
import type { DiscoveredFile } from '../../input/discovered-file';
import { includesWord } from '../../input/file-content';
import { isGitSource, parseGitSource } from '../../input/git/git-revision';
import type { Io } from '../output/io';
import { STDIN } from '../options/option-file';

/** Reports whether an OLD is a folder of a checkout. */
function isFolderOfRepository(old: string, cwd: string): boolean {
  if (old === STDIN) return false;
  const path = resolve(cwd, old);
  if (!existsSync(path) || !statSync(path).isDirectory()) return false;
  const folder = realpathSync(path);
  return existsSync(resolve(listConfigFolders(folder, folder).at(-1)!, REPOSITORY_FOLDER));
}

/** Reports whether a file may contain fields that only a server writes. */
function mayBeLive(file: DiscoveredFile): boolean {
  return 'content' in file && ['uid', 'resourceVersion', 'managedFields'].some((field) => includesWord(file.content, field));
}

/**
 * Marks the files of an OLD whose objects are manifests, whatever fields they write: those of a revision, and those of a folder of a repository.
 * A pull request that was merged may have added a uid there. A file that is named, and a folder outside of any repository, may be what kubectl
 * printed.
 */
export function* markOldManifests(files: Iterable<DiscoveredFile>, old: string, io: Io): Generator<DiscoveredFile> {
  const isRevision = isGitSource(old);
  const hasOnlyManifests = isRevision ? parseGitSource(old).path === undefined : isFolderOfRepository(old, io.cwd);
  let isReported = hasOnlyManifests && isRevision;
  for (const file of files) {
    const isMarked = 'content' in file && (hasOnlyManifests || (isRevision && file.given?.as === 'folder'));
    if (isMarked && !isReported && mayBeLive(file)) {
      isReported = true;
      const text = `${old} is a folder of a repository, so its objects are manifests, also with a uid; if kubectl printed them, name the files`;
      io.stderr.write(`rolloutkit: ${escapeForTerminal(text)}\n`);
    }
    yield isMarked ? { ...file, hasManifests: true } : file;
  }
}

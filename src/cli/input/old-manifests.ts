import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { escapeForTerminal } from '../../core/text/escape-output';
import { hasRepositoryEntry } from '../../input/repository-folder';
import { listConfigFolders } from '../../input/read-paths';
import type { DiscoveredFile } from '../../input/discovered-file';
import { includesWord } from '../../input/file-content';
import { isGitSource, parseGitSource } from '../../input/git/git-revision';
import type { Io } from '../output/io';

/** Reports whether a folder is in a checkout. */
function isInRepository(path: string): boolean {
  if (!existsSync(path) || !statSync(path).isDirectory()) return false;
  const folder = realpathSync(path);
  return hasRepositoryEntry(listConfigFolders(folder, folder).at(-1)!);
}

/** Creates a function that reports whether a file of a folder is in a checkout, which may be around the folder or in it. */
function createCheckoutTest(cwd: string): (file: DiscoveredFile) => boolean {
  const known = new Map<string, boolean>();
  return ({ file, given }) => {
    if (given?.as !== 'folder') return false;
    return [given.path, dirname(file)].some((folder) => {
      const isKnown = known.get(folder) ?? isInRepository(resolve(cwd, folder));
      known.set(folder, isKnown);
      return isKnown;
    });
  };
}

/** Reports whether a file may contain fields that only a server writes. */
function mayBeLive(file: DiscoveredFile): boolean {
  return 'content' in file && ['uid', 'resourceVersion', 'managedFields'].some((field) => includesWord(file.content, field));
}

/**
 * Marks the files of an OLD whose objects are manifests, whatever fields they write: those of a revision, and those of a folder that are in a repository.
 * A pull request that was merged may have added a uid there. A file that is named, and a folder outside of any repository, may be what kubectl
 * printed.
 */
export function* markOldManifests(files: Iterable<DiscoveredFile>, old: string, io: Io): Generator<DiscoveredFile> {
  const isRevision = isGitSource(old);
  const hasOnlyManifests = isRevision && parseGitSource(old).path === undefined;
  const isInCheckout = createCheckoutTest(io.cwd);
  let isReported = hasOnlyManifests;
  for (const file of files) {
    const isInFolder = isRevision ? file.given?.as === 'folder' : isInCheckout(file);
    const isMarked = 'content' in file && (hasOnlyManifests || isInFolder);
    if (isMarked && !isReported && mayBeLive(file)) {
      isReported = true;
      const text = `${old} contains files of a repository, so their objects are manifests, also with a uid; if kubectl printed them, name the files`;
      io.stderr.write(`rolloutkit: ${escapeForTerminal(text)}\n`);
    }
    yield isMarked ? { ...file, hasManifests: true } : file;
  }
}

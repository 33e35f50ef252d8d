import { execFileSync } from 'node:child_process';
import { parseGitSource } from '../../src/input/git/git-revision';
import type { DiscoveredFile } from '../../src/input/discovered-file';
import { readGitSource } from '../../src/input/git/git-source';
import type { RevisionReadOptions } from '../../src/input/git/git-source';
import { folderWith } from '../folder';

const FILES = {
  'shop/clusters/a/kustomization.yaml': 'resources: [web.yaml]\n',
  'shop/clusters/a/web.yaml': 'kind: A\n',
  'shop/clusters/web.yaml': 'kind: B\n',
};

/** Reads the files of a revision. */
function readRevision(
  source: string,
  paths: readonly string[],
  { files = FILES, below = '', reading = {} }: { files?: Record<string, string>; below?: string; reading?: RevisionReadOptions },
): DiscoveredFile[] {
  const folder = folderWith(files);
  try {
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: folder.path });
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    git('commit', '-q', '-m', 'first');
    return readGitSource(parseGitSource(source), paths, { cwd: `${folder.path}${below}`, env: process.env, log: () => {} }, reading);
  } finally {
    folder.remove();
  }
}

/** Lists the files of a revision, each with its unit and the parent of that unit. */
function unitsOf(source: string, paths: readonly string[], below = ''): unknown[] {
  const found = readRevision(source, paths, { below });
  return found.flatMap((entry) => ('content' in entry ? [[entry.file, entry.place!.unit.name, entry.place!.unit.parent?.name]] : []));
}

test.each([
  ['git:HEAD', ['.'], '', 'git:HEAD:shop/clusters'],
  ['git:HEAD', ['shop'], '', 'git:HEAD:shop/clusters'],
  ['git:HEAD', ['clusters'], '/shop', 'git:HEAD:clusters'],
  ['git:HEAD:shop/clusters', [], '', 'git:HEAD:shop/clusters'],
  ['git:HEAD:clusters/', ['elsewhere'], '/shop', 'git:HEAD:clusters'],
])('units of %s with PATH %s are named after the revision and the folder, like their files', (source, paths, below, folder) => {
  expect(unitsOf(source, paths, below)).toEqual([
    [`${folder}/a/kustomization.yaml`, `${folder}/a`, source],
    [`${folder}/a/web.yaml`, `${folder}/a`, source],
    [`${folder}/web.yaml`, source, undefined],
  ]);
});

test('if every folder is read, the files of a revision are in the order in which kubectl visits them', () => {
  const files = { 'q/x.yaml': '', 'q.yaml': '', 'q-1/x.yaml': '' };
  const found = readRevision('git:HEAD', ['.'], { files, reading: { readsAllFolders: true } });
  expect(found.map(({ file }) => file)).toEqual(['git:HEAD:q/x.yaml', 'git:HEAD:q-1/x.yaml', 'git:HEAD:q.yaml']);
});

test('a kustomization of a revision that one above the PATH includes is not built either, as in a checkout', () => {
  const files = { 'kustomization.yaml': 'resources: [in/a]\n', 'in/a/kustomization.yaml': 'resources: [b.yaml]\nreplicas: []\n' };
  const found = readRevision('git:HEAD', ['in'], { files });
  expect(found.map((entry) => 'content' in entry && [entry.file, entry.place!.unbuilt])).toEqual([
    ['git:HEAD:in/a/kustomization.yaml', { folder: 'git:HEAD:in/a' }],
  ]);
});

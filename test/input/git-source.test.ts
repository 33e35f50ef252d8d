import { execFileSync } from 'node:child_process';
import { parseGitSource } from '../../src/input/git/git-revision';
import { readGitSource } from '../../src/input/git/git-source';
import { folderWith } from '../folder';

const FILES = {
  'shop/clusters/a/kustomization.yaml': 'resources: [web.yaml]\n',
  'shop/clusters/a/web.yaml': 'kind: A\n',
  'shop/clusters/web.yaml': 'kind: B\n',
};

/** Lists the files of a revision, each with its unit and the parent of that unit. */
function unitsOf(source: string, paths: readonly string[], below = ''): unknown[] {
  const folder = folderWith(FILES);
  try {
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: folder.path });
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    git('commit', '-q', '-m', 'first');
    const found = readGitSource(parseGitSource(source), paths, { cwd: `${folder.path}${below}`, env: process.env, log: () => {} });
    return found.flatMap((entry) => ('content' in entry ? [[entry.file, entry.place!.unit.name, entry.place!.unit.parent?.name]] : []));
  } finally {
    folder.remove();
  }
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

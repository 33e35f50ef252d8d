import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const CLUSTER = path.resolve(__dirname, '../../src/cluster');

/** The folders of the table in the README, from the top down. */
const LISTED = [...readFileSync(path.join(CLUSTER, 'README.md'), 'utf8').matchAll(/^\| `([\w-]+)\/` \|/gm)].map(([, folder]) => folder!);

/** Lists the other folders of the cluster that the files of a folder import. */
function listImportedFolders(folder: string): string[] {
  const files = readdirSync(path.join(CLUSTER, folder), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const imported = files.flatMap((file) => {
    const text = readFileSync(path.join(CLUSTER, folder, file), 'utf8');
    return [...text.matchAll(/ from '(\.[^']+)'/g)].map(([, target]) =>
      path.relative(CLUSTER, path.join(CLUSTER, folder, file, '..', target!)),
    );
  });
  return [...new Set(imported.map((target) => target.split(path.sep)[0]!))].filter((name) => name !== folder && name !== '..');
}

test('the README lists every folder of the cluster', () => {
  const folders = readdirSync(CLUSTER, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  expect(LISTED.toSorted()).toEqual(folders.toSorted());
});

test.each(LISTED)('%s imports only folders that the README lists below it, so that it can be read without those above', (folder) => {
  const below = LISTED.slice(LISTED.indexOf(folder) + 1);
  expect(listImportedFolders(folder).filter((name) => !below.includes(name))).toEqual([]);
});

import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const CLUSTER = path.resolve(__dirname, '../../src/cluster');

/** Lists the other folders of the cluster that the files of a folder import. */
function listImportedFolders(folder: string): Set<string> {
  const files = readdirSync(path.join(CLUSTER, folder), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const imported = files.flatMap((file) => {
    const text = readFileSync(path.join(CLUSTER, folder, file), 'utf8');
    return [...text.matchAll(/ from '(\.[^']+)'/g)].map(([, target]) =>
      path.relative(CLUSTER, path.join(CLUSTER, folder, file, '..', target!)),
    );
  });
  return new Set(imported.map((target) => target.split(path.sep)[0]!).filter((name) => name !== folder && name !== '..'));
}

test('no folder that the rules import leads back to them, so that a rule can be read without what evaluates it', () => {
  const reached = listImportedFolders('rules');
  for (const folder of reached) for (const imported of listImportedFolders(folder)) reached.add(imported);

  expect([...reached].toSorted()).toEqual([
    'autoscaling',
    'capacity',
    'context',
    'disruption-budgets',
    'kinds',
    'pods',
    'rejections',
    'rollout',
    'services',
  ]);
});

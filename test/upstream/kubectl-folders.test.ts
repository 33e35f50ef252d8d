import { folderWith } from '../folder';
import { findHiddenObjects, recordedFolders } from './kubectl-folders';

test('no object that kubectl lists in 200 hostile folders is hidden', () => {
  const root = folderWith({});
  const all = [...recordedFolders()];
  const folders = [...all.slice(0, 100), ...all.slice(-100)];
  const hidden = folders.flatMap(([seed, listed]) => findHiddenObjects(seed, listed, root.path));
  root.remove();
  expect(hidden).toEqual([]);
});

import { folderWith } from '../folder';
import { findHiddenObjects, recordedFolders } from './kubectl-folders';

test('no object that kubectl lists in the first 200 hostile folders is hidden', () => {
  const root = folderWith({});
  const folders = [...recordedFolders()].slice(0, 200);
  const hidden = folders.flatMap(([seed, listed]) => findHiddenObjects(seed, listed, root.path));
  root.remove();
  expect(hidden).toEqual([]);
});

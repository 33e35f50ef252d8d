import { folderWith } from '../folder';
import { RECORDING_STEP } from '../setup/recording-step';
import { findHiddenObjects, recordedFolders } from './kubectl-folders';

const FOLDERS = [...recordedFolders()];

test('the recording has 24,000 folders, in most of which kubectl lists objects', () => {
  expect(FOLDERS).toHaveLength(24_000);
  expect(FOLDERS.filter(([, listed]) => listed.length > 0).length).toBeGreaterThan(18_000);
});

// Two parts take half a minute. From part 20 on, folders have UTF-16, odd names, and links to links, to nothing and out of the folder.
test.each(RECORDING_STEP === 1 ? Array.from({ length: 24 }, (_, part) => part) : [0, 20])(
  'no object that kubectl lists is hidden: part %i of the hostile folders',
  (part) => {
    const root = folderWith({});
    const folders = FOLDERS.slice(part * 1_000, (part + 1) * 1_000);
    const hidden = folders.flatMap(([seed, listed]) => findHiddenObjects(seed, listed, root.path));
    root.remove();
    expect(hidden).toEqual([]);
  },
);

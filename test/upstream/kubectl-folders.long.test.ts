import { folderWith } from '../folder';
import { RECORDING_STEP } from '../setup/recording-step';
import { findHiddenObjects, recordedFolders } from './kubectl-folders';

const FOLDERS = [...recordedFolders()];

test('the recording has 24,000 folders, in most of which kubectl lists objects', () => {
  expect(FOLDERS).toHaveLength(24_000);
  expect(FOLDERS.filter(([, listed]) => listed.length > 0).length).toBeGreaterThan(18_000);
});

// One part takes a quarter of a minute. The last 4,000 folders have UTF-16, odd names, and links to links, to nothing and out of the folder.
test.each(RECORDING_STEP === 1 ? Array.from({ length: 24 }, (_, part) => part) : [0])(
  'no object that kubectl lists is hidden: part %i of the hostile folders',
  (part) => {
    const root = folderWith({});
    const folders = FOLDERS.filter((_, index) => index % 24 === part);
    const hidden = folders.flatMap(([seed, listed]) => findHiddenObjects(seed, listed, root.path));
    root.remove();
    expect(hidden).toEqual([]);
  },
);

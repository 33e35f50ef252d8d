import { folderWith } from '../folder';
import { RECORDING_STEP } from '../setup/recording-step';
import { findHiddenObjects, recordedFolders } from './kubectl-folders';

const FOLDERS = [...recordedFolders()];

test('the recording has 20,000 folders, in most of which kubectl lists objects', () => {
  expect(FOLDERS).toHaveLength(20_000);
  expect(FOLDERS.filter(([, listed]) => listed.length > 0).length).toBeGreaterThan(15_000);
});

// Two parts take half a minute.
test.each(Array.from({ length: RECORDING_STEP === 1 ? 20 : 2 }, (_, part) => part * RECORDING_STEP))(
  'no object that kubectl lists is hidden: part %i of the hostile folders',
  (part) => {
    const root = folderWith({});
    const folders = FOLDERS.slice(part * 1_000, (part + 1) * 1_000);
    const hidden = folders.flatMap(([seed, listed]) => findHiddenObjects(seed, listed, root.path));
    root.remove();
    expect(hidden).toEqual([]);
  },
);

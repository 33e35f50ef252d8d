import { Deadline, DeadlineError } from '../../src/core/budget/deadline';
import { IgnoreFiles } from '../../src/input/ignore-files';
import { findIgnoreFiles } from '../../src/input/path-layout';
import { folderWith } from '../folder';

test('no pattern of an ignore file is compared after the deadline, since there may be many long ones around one file', () => {
  let now = 0;
  const deadline = new Deadline(1, () => now);
  const ignoreFiles = new IgnoreFiles();
  ignoreFiles.add('.sourceignore', 'apps\n', (file) => file);

  expect(deadline.limit(() => ignoreFiles.find('apps/web.yaml'))).toBe('.sourceignore');
  now = 2_000;
  expect(() => deadline.limit(() => ignoreFiles.find('apps/web.yaml'))).toThrow(DeadlineError);
});

test('no ignore file is read after the deadline, since there may be many in deep folders', () => {
  const folder = folderWith({ 'a/.sourceignore': 'x\n', 'b/.sourceignore': 'x\n', '.git/HEAD': '' });
  let looks = 0;
  const deadline = new Deadline(1, () => 600 * looks++);
  const find = () => findIgnoreFiles(folder.path, '.', ['a/.sourceignore', 'b/.sourceignore'], folder.path);
  expect(() => deadline.limit(find)).toThrow(DeadlineError);
  folder.remove();
});

import { Deadline, DeadlineError } from '../../src/core/budget/deadline';
import { IgnoreFiles } from '../../src/input/ignore-files';

test('no pattern of an ignore file is compared after the deadline, since there may be many long ones around one file', () => {
  let now = 0;
  const deadline = new Deadline(1, () => now);
  const ignoreFiles = new IgnoreFiles();
  ignoreFiles.add('.sourceignore', 'apps\n', (file) => file);

  expect(deadline.limit(() => ignoreFiles.find('apps/web.yaml'))).toBe('.sourceignore');
  now = 2_000;
  expect(() => deadline.limit(() => ignoreFiles.find('apps/web.yaml'))).toThrow(DeadlineError);
});

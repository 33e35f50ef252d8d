import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeOutput } from '../../src/cli/output-file';
import { folderWith } from '../folder';

test('a file that has the name of the temporary one, and is not ours, stays', () => {
  const folder = folderWith({});
  const theirs = path.join(folder.path, `.plan.json.${process.pid}.tmp`);
  writeFileSync(theirs, 'theirs');
  expect(() => writeOutput('plan.json', folder.path, '{}')).toThrow('cannot write plan.json');
  expect(readFileSync(theirs, 'utf8')).toBe('theirs');
  expect(readdirSync(folder.path)).toEqual([path.basename(theirs)]);
  folder.remove();
});

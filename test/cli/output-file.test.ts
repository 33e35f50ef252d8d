import { linkSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeOutput } from '../../src/cli/output-file';
import { folderWith } from '../folder';

test('other files in the folder stay, whatever their names, and no temporary file is left', () => {
  const folder = folderWith({});
  const theirs = [`.plan.json.${process.pid}.tmp`, '.plan.json.tmp'];
  for (const name of theirs) writeFileSync(path.join(folder.path, name), 'theirs');
  writeOutput('plan.json', folder.path, '{}');
  for (const name of theirs) expect(readFileSync(path.join(folder.path, name), 'utf8')).toBe('theirs');
  expect(readdirSync(folder.path).toSorted()).toEqual([...theirs, 'plan.json'].toSorted());
  expect(readFileSync(path.join(folder.path, 'plan.json'), 'utf8')).toBe('{}');
  folder.remove();
});

test('nothing is left behind if the file cannot be replaced', () => {
  const folder = folderWith({ 'plan.json/web.yaml': 'a: 1\n' });
  expect(() => writeOutput('plan.json', folder.path, '{}')).toThrow('cannot write plan.json: it is a folder');
  expect(readdirSync(folder.path)).toEqual(['plan.json']);
  folder.remove();
});

test('a file is replaced completely: who reads the old one, as over another name, never sees a part of the new one', () => {
  const folder = folderWith({ 'plan.json': 'old' });
  const file = path.join(folder.path, 'plan.json');
  linkSync(file, path.join(folder.path, 'reader.json'));
  writeOutput('plan.json', folder.path, 'new');
  expect(readFileSync(file, 'utf8')).toBe('new');
  expect(readFileSync(path.join(folder.path, 'reader.json'), 'utf8')).toBe('old');
  folder.remove();
});

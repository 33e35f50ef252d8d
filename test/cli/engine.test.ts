import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { folderWith } from '../folder';
import type { TestFolder } from '../folder';
import { WEB } from './manifests';

/** `npm test` builds before jest runs. */
const MAIN = path.resolve(__dirname, '../../lib/cli/main.js');

/** Says at the end of a run how many megabytes new space has, of which it needs one half at a time. */
const SAYING = `process.on('exit', () => {
  const { space_size } = require('node:v8').getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  console.log(space_size / 1024 / 1024);
});`;

let folder: TestFolder;
beforeAll(() => {
  const many = Array.from({ length: 3_000 }, (_, index) => WEB.replace('name: web', `name: web-${index}`)).join('---\n');
  folder = folderWith({ 'web.yaml': WEB, 'many.yaml': many, 'saying.cjs': SAYING });
});
afterAll(() => folder.remove());

function newSpaceOf(...args: readonly string[]): number {
  const { stdout } = spawnSync(process.execPath, ['--require', './saying.cjs', MAIN, ...args], { cwd: folder.path, encoding: 'utf8' });
  return Number(stdout.trim().split('\n').at(-1));
}

test.each([['check many.yaml'], ['plan --from many.yaml many.yaml']])(
  'new space is grown to 8 MB for a large input, once, so that it is collected seldom, and holds no more garbage than that: %s',
  (line) => {
    expect(newSpaceOf(...line.split(' '))).toBe(16);
  },
);

test('new space stays as small as it begins for a small input', () => {
  expect(newSpaceOf('check', 'web.yaml')).toBeLessThanOrEqual(2);
});

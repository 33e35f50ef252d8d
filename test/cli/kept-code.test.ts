import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { version } from '../../package.json';
import { folderWith } from '../folder';
import type { TestFolder } from '../folder';
import { WEB } from './manifests';

/** `npm test` builds before jest runs. */
const BUILT = path.resolve(__dirname, '../../lib/cli');

/** The files that the command line loads, as an installed package has them. */
function installed(): TestFolder {
  const folder = folderWith({ 'web.yaml': WEB, 'package.json': JSON.stringify({ version }) });
  mkdirSync(path.join(folder.path, 'lib/cli'), { recursive: true });
  for (const file of ['main.js', 'run.js', 'lazy-commands.js'])
    copyFileSync(path.join(BUILT, file), path.join(folder.path, 'lib/cli', file));
  symlinkSync(path.resolve(__dirname, '../../node_modules'), path.join(folder.path, 'node_modules'));
  return folder;
}

const CLEAN = { status: 0, stdout: '1 rollout on Kubernetes 1.34: no findings\n', stderr: '' };
const ENDING = `${version}-node-${process.versions.node}-${process.arch}`;

function check({ path: cwd }: TestFolder, { flags = [], env = {} }: { flags?: readonly string[]; env?: Record<string, string> } = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, 'lib/cli/main.js', 'check', 'web.yaml'], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...env },
  });
  return { status, stdout, stderr };
}

function keptFile({ path: folder }: TestFolder): string {
  return path.join(folder, 'lib/.cache', `check-${ENDING}`);
}

function kept({ path: folder }: TestFolder): readonly string[] {
  return readdirSync(path.join(folder, 'lib')).includes('.cache') ? readdirSync(path.join(folder, 'lib/.cache')).toSorted() : [];
}

let folder: TestFolder;
beforeEach(() => {
  folder = installed();
});
afterEach(() => folder.remove());

test('the first run keeps what the engine made of the program and of the command, and the next one takes it as it is', () => {
  expect(check(folder)).toEqual(CLEAN);
  expect(kept(folder)).toEqual([`check-${ENDING}`, `program-${ENDING}`]);

  const { mtimeMs } = statSync(keptFile(folder));
  expect(check(folder)).toEqual(CLEAN);
  expect(statSync(keptFile(folder)).mtimeMs).toBe(mtimeMs);
});

test('what was made with other flags is made again', () => {
  check(folder);
  const before = readFileSync(keptFile(folder));

  expect(check(folder, { flags: ['--no-opt'] })).toEqual(CLEAN);
  expect(readFileSync(keptFile(folder)).equals(before)).toBe(false);
});

test.each([
  ['cut short', (code: Buffer) => code.subarray(0, code.length / 2)],
  ['empty', () => Buffer.alloc(0)],
  ['another file', () => Buffer.from('# a note\n'.repeat(1_000))],
])('what is kept is made again where it is %s', (_, spoilt) => {
  check(folder);
  const before = readFileSync(keptFile(folder));
  writeFileSync(keptFile(folder), spoilt(before));

  expect(check(folder)).toEqual(CLEAN);
  expect(readFileSync(keptFile(folder)).length).toBeGreaterThan(before.length / 2);
});

test('nothing is kept where NODE_DISABLE_COMPILE_CACHE says so', () => {
  expect(check(folder, { env: { NODE_DISABLE_COMPILE_CACHE: '1' } })).toEqual(CLEAN);
  expect(kept(folder)).toEqual([]);
});

test('a package that may not be written to runs all the same', () => {
  // Whoever runs as root may write to a folder of mode 555: a file in the place of the folder is in the way of anybody.
  writeFileSync(path.join(folder.path, 'lib/.cache'), '');
  expect(check(folder)).toEqual(CLEAN);

  const own = installed();
  chmodSync(path.join(own.path, 'lib'), 0o555);
  expect(check(own)).toEqual(CLEAN);
  chmodSync(path.join(own.path, 'lib'), 0o755);
  own.remove();
});

test('a run of a large input keeps nothing, since the engine takes no code that it made with the flags for one', () => {
  const many = Array.from({ length: 3_000 }, (_, index) => WEB.replace('name: web', `name: web-${index}`)).join('---\n');
  writeFileSync(path.join(folder.path, 'many.yaml'), many);

  const { stdout } = spawnSync(process.execPath, ['lib/cli/main.js', 'check', 'many.yaml'], { cwd: folder.path, encoding: 'utf8' });
  expect(stdout).toBe('3000 rollouts on Kubernetes 1.34: no findings\n');
  expect(kept(folder)).toEqual([]);
});

test('a command line that prints its version alone keeps nothing', () => {
  spawnSync(process.execPath, ['lib/cli/main.js', '--version'], { cwd: folder.path });
  expect(kept(folder)).toEqual([]);
});

/** Tells the stack wherever a file is opened. */
const TELLING = `
Error.stackTraceLimit = 50;
const fs = require('fs');
const { openSync } = fs;
fs.openSync = (...given) => {
  console.error(new Error().stack);
  return openSync(...given);
};
`;

test('a stack names the TypeScript files under --enable-source-maps, of the program and of the command', () => {
  for (const file of ['run.js.map', 'lazy-commands.js.map']) copyFileSync(path.join(BUILT, file), path.join(folder.path, 'lib/cli', file));
  writeFileSync(path.join(folder.path, 'tell.js'), TELLING);

  const { status, stdout, stderr } = check(folder, { flags: ['--enable-source-maps', '--require', './tell.js'] });
  expect({ status, stdout }).toEqual({ status: CLEAN.status, stdout: CLEAN.stdout });
  expect(stderr).toMatch(/\/src\/cli\/run\.ts:\d+:\d+/);
  expect(stderr).toMatch(/\/src\/input\/bounded-file\.ts:\d+:\d+/);
});

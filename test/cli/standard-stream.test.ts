import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { folderWith } from '../folder';
import type { TestFolder } from '../folder';
import { WEB } from './manifests';

/** `npm test` builds before jest runs. */
const MAIN = path.resolve(__dirname, '../../lib/cli/main.js');
const env = { ...process.env, MAIN, PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}` };

let folder: TestFolder;
let whole: string;
beforeAll(() => {
  const many = Array.from({ length: 300 }, (_, index) => WEB.replace('name: web\n', `name: web-${index}\n`)).join('---\n');
  folder = folderWith({ 'many.yaml': many });
  whole = spawnSync(process.execPath, [MAIN, 'plan', '--format', 'json', 'many.yaml'], { cwd: folder.path, encoding: 'utf8' }).stdout;
});
afterAll(() => folder.remove());

/** More than the capacity of a pipe, which is 64 KB. */
test('the printed text exceeds the capacity of a pipe', () => {
  expect(whole.length).toBeGreaterThan(200_000);
  expect((JSON.parse(whole) as { rollouts: unknown[] }).rollouts).toHaveLength(300);
});

test.each([
  ['a file', `node "$MAIN" plan --format json many.yaml > out.json`],
  ['a pipe', `node "$MAIN" plan --format json many.yaml | cat > out.json`],
  ['a pipe that is read late', `node "$MAIN" plan --format json many.yaml | (sleep 1; cat) > out.json`],
  // Node.js makes its pipes non-blocking for every writer: writing fails while the pipe is full.
  [
    'a pipe that does not wait, and is read late',
    `(node -e 'process.stdout.write(""); setTimeout(() => {}, 1500)' & sleep 0.3; node "$MAIN" plan --format json many.yaml; wait) | (sleep 1; cat) > out.json`,
  ],
])('all of the text reaches %s', (_, command) => {
  const { status, stderr } = spawnSync('sh', ['-c', command], { cwd: folder.path, encoding: 'utf8', env });
  expect([status, stderr]).toEqual([0, '']);
  expect(readFileSync(path.join(folder.path, 'out.json'), 'utf8')).toBe(whole);
});

describe('a named file that the shell redirects a stream to is not replaced, because what is printed would be lost', () => {
  const run = (command: string) => {
    const { status, stderr } = spawnSync('sh', ['-c', command], { cwd: folder.path, encoding: 'utf8', env });
    return [status, stderr];
  };

  test.each([
    ['a report', '--format text --format json=log', '>>log', 'standard output'],
    ['the output', '--output ./log', '> log', 'standard output'],
    ['a link to it', '--format text --format json=link', '> log', 'standard output'],
    ['standard error', '--format text --format json=log', '2> log', 'standard error'],
  ])('%s', (_, options, redirection, stream) => {
    const command = `touch log; ln -sf log link; node "$MAIN" check ${options} many.yaml ${redirection}`;
    const [status, stderr] = run(`${command}; code=$?; cat log >&2; exit $code`);
    const option = options.split(' ').slice(-2).join(' ');
    expect([status, stderr]).toEqual([2, `rolloutkit: ${option} would replace the file that ${stream} goes to; name another file\n`]);
  });

  test('the name of the stream itself is accepted, and so is a file that standard input comes from', () => {
    const [status, stderr] = run(
      'node "$MAIN" plan --output /dev/stdout --format json many.yaml > out.json; echo old > log; node "$MAIN" plan --output log --format json many.yaml < log',
    );
    expect([status, stderr]).toEqual([0, '']);
    expect(['out.json', 'log'].map((file) => readFileSync(path.join(folder.path, file), 'utf8'))).toEqual([whole, whole]);
  });
});

test('a reader that closes the pipe early is no failure', () => {
  const command = `{ "${process.execPath}" "${MAIN}" plan --format json many.yaml; echo "exit $?" >&2; } | head -c 1`;
  const { stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: folder.path, encoding: 'utf8' });
  expect([stdout, stderr]).toEqual(['{', 'exit 0\n']);
});

test('a write error is reported, and the run exits 2', () => {
  const readOnly = openSync(path.join(folder.path, 'many.yaml'), 'r');
  const { status, stderr } = spawnSync(process.execPath, [MAIN, 'plan', 'many.yaml'], {
    cwd: folder.path,
    encoding: 'utf8',
    stdio: ['ignore', readOnly, 'pipe'],
  });
  closeSync(readOnly);
  expect([status, stderr]).toEqual([2, 'rolloutkit: cannot write to standard output: EBADF\n']);
});

test('the exit code reports a failure if standard error cannot be written either', () => {
  const readOnly = openSync(path.join(folder.path, 'many.yaml'), 'r');
  const { status } = spawnSync(process.execPath, [MAIN, 'plan', 'many.yaml'], { cwd: folder.path, stdio: ['ignore', readOnly, readOnly] });
  closeSync(readOnly);
  expect(status).toBe(2);
});

import { execFileSync, spawnSync } from 'node:child_process';
import type { StdioOptions } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { version } from '../../package.json';
import { sortBy } from '../../src/core/collections/sort-by';
import { folderWith } from '../folder';
import type { TestFolder } from '../folder';
import { QUOTED, WEB } from './manifests';

/** `npm test` builds before jest runs. */
const MAIN = path.resolve(__dirname, '../../lib/cli/main.js');

let folder: TestFolder;
beforeAll(() => {
  if (!existsSync(MAIN)) execFileSync('npm', ['run', '--silent', 'build'], { cwd: path.resolve(__dirname, '../..') });
  folder = folderWith({ 'web.yaml': WEB, 'quoted.yaml': QUOTED, 'naming.cjs': NAMING });
});
afterAll(() => folder.remove());

function rolloutkit(args: readonly string[], input = ''): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { cwd: folder.path, input, encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** Prints the modules that a run loaded, after its own output: our files by path, packages by name. */
const NAMING = `process.on('exit', () => {
  const names = Object.keys(require.cache).map((file) => file.split(require('path').sep).join('/'));
  const loaded = names.map((file) => file.split('/node_modules/').at(-1).replace(process.env.LIB + '/', ''));
  console.log(JSON.stringify([...new Set(loaded.map((file) => (file.startsWith('cli/') ? file : file.split('/')[0])))]));
});`;

function loadedBy(...args: readonly string[]): readonly string[] {
  const LIB = path.resolve(__dirname, '../../lib').split(path.sep).join('/');
  const { stdout } = spawnSync(process.execPath, ['--require', path.join(folder.path, 'naming.cjs'), MAIN, ...args], {
    cwd: folder.path,
    encoding: 'utf8',
    env: { ...process.env, LIB },
  });
  return (JSON.parse(stdout.trim().split('\n').at(-1)!) as string[]).slice(1);
}

describe('the program loads no package, and only the bundles it needs', () => {
  test.each([
    ['--version', ['cli/main.js']],
    ['-V', ['cli/main.js']],
    ['--help', ['cli/main.js', 'cli/run.js']],
    ['check web.yaml', ['cli/main.js', 'cli/run.js', 'cli/lazy-commands.js']],
  ])('%s', (line, loaded) => {
    expect(loadedBy(...line.split(' '))).toEqual(loaded);
  });
});

test.each([
  ['mkdir gone && cd gone && rmdir ../gone', 'the working directory does not exist any more; change to another one'],
  [
    `a=$(printf 'a\\377') b=$(printf 'a\\357\\277\\275') && mkdir "$a" "$b" && cd "$a"`,
    'the path of the working directory does not lead to it: it is not UTF-8, or may not be read; change to another one',
  ],
])('a command fails with exit code 2 in a working directory without a path: %s', (enter, message) => {
  const own = folderWith({});
  const { status, stdout, stderr } = spawnSync('sh', ['-c', `${enter} && exec "$@"`, 'sh', process.execPath, MAIN, 'check', '.'], {
    cwd: own.path,
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: '', stderr: `rolloutkit: ${message}\n` });
  own.remove();
});

/** Prints the stack each time a file is opened or written. */
const STACK_PRINTER = `
Error.stackTraceLimit = 50;
const fs = require('fs');
for (const name of ['openSync', 'writeSync']) {
  const original = fs[name];
  fs[name] = (...args) => {
    console.error(new Error().stack);
    return original(...args);
  };
}
`;

test('a stack names the TypeScript files under --enable-source-maps, those of the program and those of its commands', () => {
  writeFileSync(path.join(folder.path, 'print-stack.cjs'), STACK_PRINTER);
  const args = ['--enable-source-maps', '--require', './print-stack.cjs', MAIN, 'check', 'web.yaml'];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder.path, encoding: 'utf8' });
  expect(status).toBe(0);
  expect(stderr).toMatch(/\/src\/cli\/run\.ts:\d+:\d+/);
  expect(stderr).toMatch(/\/src\/input\/read-limited\.ts:\d+:\d+/);
});

test('a run writes nothing to the installation or to the folder for temporary files, and reads no compiled code from there', () => {
  const installation = path.resolve(__dirname, '../../lib');
  const list = () => sortBy(readdirSync(installation, { recursive: true, encoding: 'utf8' }), (name) => name);
  const before = list();
  const own = folderWith({ 'web.yaml': WEB, 'tmp/other': '' });
  const env = { PATH: process.env.PATH, TMPDIR: path.join(own.path, 'tmp') };
  const { status } = spawnSync(process.execPath, [MAIN, 'check', 'web.yaml'], { cwd: own.path, env });
  const written = readdirSync(path.join(own.path, 'tmp'));
  own.remove();
  expect([status, list(), written]).toEqual([0, before, ['other']]);
});

describe('the program itself', () => {
  test.each([[['--version']], [['-V']], [['--version', 'plan', 'none.yaml']], [['-Vh']]])('prints its version, given %j', (args) => {
    expect(rolloutkit(args)).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  test.each([['--help'], ['plan', '--help'], ['check', '--help'], ['explain', '--help'], ['diff', '--help'], ['fix', '--help']])(
    'rolloutkit %s %s prints help',
    (...args) => {
      const { status, stdout, stderr } = rolloutkit(args.filter((arg) => arg !== undefined));
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(/^Usage: rolloutkit/);
    },
  );

  test('plans standard input', () => {
    const { status, stdout } = rolloutkit(['plan', '-'], QUOTED);
    expect(status).toBe(0);
    expect(stdout).toContain('error  kubernetes/quoted-integer  Deployment shop/quoted  -:9:30  spec.strategy.rollingUpdate.maxSurge');
  });

  test('exits 1 if a check fails, 2 if it cannot run', () => {
    expect(rolloutkit(['check', 'quoted.yaml']).status).toBe(1);
    expect(rolloutkit(['check', 'none.yaml'])).toEqual({
      status: 2,
      stdout: '',
      stderr: 'rolloutkit: cannot read none.yaml: no such file or folder; name a file, a folder, or - for standard input\n',
    });
  });

  test('reports in one line that standard output cannot be written, and exits 2', () => {
    if (!existsSync('/dev/full')) return;
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [MAIN, 'plan', 'web.yaml'], {
      cwd: folder.path,
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(full);
    expect([status, stderr.split('\n').length, stderr.startsWith('rolloutkit: cannot write to standard output: ')]).toEqual([2, 2, true]);
  });

  test('exits 2 for a command that could not run, even if standard error cannot be written', () => {
    if (!existsSync('/dev/full')) return;
    const full = openSync('/dev/full', 'w');
    const { status } = spawnSync(process.execPath, [MAIN, 'plan', 'nowhere.yaml'], { cwd: folder.path, stdio: ['ignore', 'pipe', full] });
    closeSync(full);
    expect(status).toBe(2);
  });

  test('names a configuration that is not a file, and a PATH that is a link to itself', () => {
    const own = folderWith({ 'web.yaml': WEB });
    symlinkSync('/dev/null', path.join(own.path, 'rolloutkit.yaml'));
    symlinkSync('self.yaml', path.join(own.path, 'self.yaml'));
    const runs = ['web.yaml', 'self.yaml'].map((file) =>
      spawnSync(process.execPath, [MAIN, 'check', ...(file === 'self.yaml' ? ['--no-config'] : []), file], {
        cwd: own.path,
        encoding: 'utf8',
      }),
    );
    own.remove();
    expect(runs.map(({ status, stderr }) => [status, stderr])).toEqual([
      [2, 'rolloutkit: the configuration rolloutkit.yaml is not a file; write --no-config, or name one with --config\n'],
      [2, 'rolloutkit: cannot read self.yaml: too many symbolic links; name a file, a folder, or - for standard input\n'],
    ]);
  });

  test('reads standard input only up to the size limit of a file', () => {
    const { status, stdout } = rolloutkit(['check', '--budget', 'file-megabytes=1', '-'], `# ${'x'.repeat(3_000_000)}\n`);
    expect([status, stdout]).toEqual([1, expect.stringContaining('error  input/unreadable  -:1')]);
  });

  test('reports why standard input cannot be read', () => {
    const directory = openSync(folder.path, 'r');
    const { status, stderr } = spawnSync(process.execPath, [MAIN, 'check', '-'], { stdio: [directory, 'pipe', 'pipe'], encoding: 'utf8' });
    closeSync(directory);
    expect([status, stderr]).toEqual([2, 'rolloutkit: cannot read standard input: it is a folder\n']);
  });

  test('reads a large text from a pipe as it reads it from a file', () => {
    const many = Array.from(
      { length: 100 },
      (_, index) => `${'# né 😀\n'.repeat(1_300)}${WEB.replace('name: web\n', `name: web-${index}\n`)}`,
    );
    const own = folderWith({ 'many.yaml': [...many, many[7]!].join('---\n') });
    const outputs = ['$check many.yaml', '$check - < many.yaml', 'cat many.yaml | $check -', '$check <(cat many.yaml)'].map((line) => {
      const command = line.replace('$check', `"${process.execPath}" "${MAIN}" check --format json`);
      const { stdout } = spawnSync('bash', ['-c', command], { cwd: own.path, encoding: 'utf8' });
      return stdout.replaceAll(/"file": "[^"]*"/g, '"file": …').replaceAll(/(?:many\.yaml|-|\/dev\/fd\/\d+):(?=\d)/g, '');
    });
    expect(many.join('---\n').length).toBeGreaterThan(1024 * 1024);
    own.remove();
    expect(JSON.parse(outputs[0]!.replaceAll('…', '""'))).toMatchObject({ findings: [{ code: 'input/duplicate-resource' }] });
    expect(new Set(outputs).size).toBe(1);
  });

  test('writes to a pipe that a shell opened, as in --output >(program)', () => {
    const line = '"$0" "$1" plan --output >(cat > copy.txt; : > done) web.yaml; until [ -e done ]; do sleep 0.05; done; cat copy.txt';
    const { stdout, stderr } = spawnSync('bash', ['-c', line, process.execPath, MAIN], {
      cwd: folder.path,
      encoding: 'utf8',
      timeout: 20_000,
    });
    expect({ stdout: stdout.split('\n')[0], stderr }).toEqual({
      stdout: '1 rollout on Kubernetes 1.36 (assumed): no findings',
      stderr: '',
    });
  });

  test('is silent if its reader closes the pipe early', () => {
    const many = folderWith({
      'many.yaml': Array.from({ length: 500 }, (_, index) => WEB.replace('name: web\n', `name: web-${index}\n`)).join('---\n'),
    });
    const command = `"${process.execPath}" "${MAIN}" plan many.yaml | head -n 1`;
    const { stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: many.path, encoding: 'utf8' });
    many.remove();
    expect([stdout, stderr]).toEqual(['500 rollouts on Kubernetes 1.36 (assumed): no findings\n', '']);
  });
});

describe('a closed standard output', () => {
  const inShell = (command: string, prefix = '') => {
    const { status, stderr } = spawnSync('sh', ['-c', `${prefix}"${process.execPath}" "${MAIN}" ${command}`], {
      cwd: folder.path,
      encoding: 'utf8',
    });
    return { status, stderr };
  };

  test('is an error, because the output is lost', () => {
    const closed = {
      status: 2,
      stderr: 'rolloutkit: cannot write to standard output: it is closed; redirect it to /dev/null if the output is not needed\n',
    };
    expect(['plan web.yaml >&-', '--version >&-'].map((args) => inShell(args))).toEqual([closed, closed]);
    // A program in between has no standard output either.
    expect(inShell('plan web.yaml >&-', 'timeout 60 ')).toEqual(closed);
  });

  test('is none if the output goes to a file, or is discarded on purpose', () => {
    expect(inShell('check web.yaml --output closed.txt >&-')).toEqual({ status: 0, stderr: '' });
    expect(inShell('check web.yaml >/dev/null')).toEqual({ status: 0, stderr: '' });
    // Node.js and Python discard output as a closed stream is reopened.
    expect(spawnSync(process.execPath, [MAIN, 'check', 'web.yaml'], { cwd: folder.path, stdio: 'ignore' }).status).toBe(0);
  });
});

test('an error in a callback of Node.js ends a command with exit code 2, without a stack trace', () => {
  writeFileSync(path.join(folder.path, 'break.cjs'), `setTimeout(() => { throw new Error('"a\\u001b[31m"'); }, 200);`);
  const args = ['--require', path.join(folder.path, 'break.cjs'), MAIN, 'mcp', '.'];
  const { status, stdout, stderr } = spawnSync('sh', ['-c', `sleep 3 | node ${args.join(' ')}`], { cwd: folder.path, encoding: 'utf8' });
  expect({ status, stdout, stderr }).toEqual({
    status: 2,
    stdout: '',
    stderr: 'rolloutkit: internal error: "a\\u001b[31m"; please report it, with the command line\n',
  });
});

test('rolloutkit mcp ends without an error if its agent reads no more', () => {
  const request = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  const agent = `(echo '${request}'; sleep 1; echo '${request}'; sleep 1) | { node ${MAIN} mcp . ; echo $? >code; } | head -c 10`;
  const { stdout, stderr } = spawnSync('sh', ['-c', agent], { cwd: folder.path, encoding: 'utf8' });
  expect([stdout, stderr, readFileSync(path.join(folder.path, 'code'), 'utf8')]).toEqual(['{"result":', '', '0\n']);
});

test('rolloutkit mcp reports why standard input cannot be read', () => {
  const writable = openSync(path.join(folder.path, 'requests'), 'w');
  const stdio: StdioOptions = [writable, 'pipe', 'pipe'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'mcp', '.'], { cwd: folder.path, stdio, encoding: 'utf8' });
  closeSync(writable);
  expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: '', stderr: 'rolloutkit: cannot read standard input: EBADF\n' });
});

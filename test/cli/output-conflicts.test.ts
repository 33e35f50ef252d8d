/** A command refuses to write over what it reads, and to write two outputs to one file. */
import { readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { rolloutkit } from './command-line';
import { WEB } from './manifests';

const FILES = { 'web.yaml': WEB, 'new.yaml': WEB, 'app/web.yaml': WEB, 'app/plan.json': '{}' };

/** Returns the exit code and the error of a command, which may change no manifest. */
async function run(line: string): Promise<readonly [number, string]> {
  const { exitCode, stderr } = await rolloutkit(line, {
    files: FILES,
    prepare: (folder) => {
      symlinkSync('web.yaml', path.join(folder, 'link.yaml'));
      symlinkSync('a.json', path.join(folder, 'link.json'));
    },
    inspect: (folder) => {
      for (const name of ['web.yaml', 'new.yaml', 'app/web.yaml']) expect(readFileSync(path.join(folder, name), 'utf8')).toBe(WEB);
    },
  });
  return [exitCode, stderr];
}

test.each([
  ['plan web.yaml --output web.yaml', '--output web.yaml would replace a file that is read; name another file'],
  ['plan web.yaml --output ./app/../web.yaml', '--output ./app/../web.yaml would replace a file that is read; name another file'],
  ['plan link.yaml --output web.yaml', '--output web.yaml would replace a file that is read; name another file'],
  ['plan app --output app/web.yaml', '--output app/web.yaml would replace a file that is read; name another file'],
  ['plan web.yaml --from new.yaml --output new.yaml', '--output new.yaml would replace a file that is read; name another file'],
  ['check web.yaml --format json=web.yaml', '--format json=web.yaml would replace a file that is read; name another file'],
  ['check web.yaml --write-baseline web.yaml', '--write-baseline web.yaml would replace a file that is read; name another file'],
  [
    'check web.yaml --format json=a.json --format sarif=./a.json',
    '--format json=a.json and --format sarif=./a.json write to the same file; name another file for one of them',
  ],
  [
    'check web.yaml --format sarif=a.json --format junit=link.json',
    '--format sarif=a.json and --format junit=link.json write to the same file; name another file for one of them',
  ],
  [
    'check web.yaml --write-baseline a.json --output a.json',
    '--output a.json and --write-baseline a.json write to the same file; name another file for one of them',
  ],
  ['plan web.yaml --output -', '--output - would write a file named "-"; leave the file out to print, or write ./-'],
])('%s', async (line, message) => {
  expect(await run(line)).toEqual([2, `rolloutkit: ${message}\n`]);
});

test('a snapshot may replace an older one next to the manifests for which it is read', async () => {
  const files = { ...FILES, 'app/cluster.yaml': 'apiVersion: v1\nkind: List\nitems: []\n' };
  const { stderr } = await rolloutkit('snapshot app --output app/cluster.yaml', { files });
  expect(stderr).not.toContain('would replace');
});

test.each([
  'plan . --output plan.json',
  'check web.yaml --format json=/dev/null --format sarif=/dev/null',
  'plan web.yaml --output new.txt',
])('%s is allowed: the report of the last run, a device and a new file', async (line) => {
  expect(await run(line)).toEqual([0, '']);
});

test('a path that a file ends halfway is an error of the path', async () => {
  const { exitCode, stderr } = await rolloutkit('plan --output reports/x.json web.yaml', { files: { 'web.yaml': WEB, reports: '' } });
  expect([exitCode, stderr]).toMatchInlineSnapshot(`
[
  2,
  "rolloutkit: cannot write reports/x.json: a part of the path is not a folder; name a file in a writable folder
",
]
`);
});

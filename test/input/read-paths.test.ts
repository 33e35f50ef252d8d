import { spawn, spawnSync } from 'node:child_process';
import fs, { closeSync, mkdirSync, openSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PathError, readPath } from '../../src/input/read-paths';
import { readMarkerFile } from '../../src/input/read-limited';
import { readFiles } from '../../src/input/read';
import { BudgetTracker, DEFAULT_BUDGET } from '../../src/input/read-budget';
import { folderWith } from '../folder';
import type { TestFolder } from '../folder';

let folder: TestFolder | undefined;
afterEach(() => {
  folder?.remove();
  folder = undefined;
});

function within(files: Readonly<Record<string, string | Uint8Array>>): string {
  folder = folderWith(files);
  return folder.path;
}

/** Lists the files of a PATH by their names in findings. */
function filesOf(given: string, cwd: string): string[] {
  return [...readPath(given, cwd)].map(({ file }) => file);
}

describe('a folder includes every .yaml, .yml and .json file below it', () => {
  test('in bytewise order of their relative paths, with names relative to the given path', () => {
    const cwd = within({
      'dist/b.yaml': '',
      'dist/a/z.yml': '',
      'dist/a.yaml': '',
      'dist/B.json': '',
      'dist/é.yaml': '',
      'dist/\u{1f600}.yaml': '',
      'dist/\uffee.yaml': '',
      'dist/readme.md': '',
      'dist/yaml': '',
    });
    const expected = [
      'dist/B.json',
      'dist/a.yaml',
      'dist/a/z.yml',
      'dist/b.yaml',
      'dist/é.yaml',
      'dist/\uffee.yaml',
      'dist/\u{1f600}.yaml',
    ];
    expect(filesOf('dist', cwd)).toEqual(expected);
    expect(filesOf('dist/', cwd)).toEqual(expected);
    expect(filesOf('./dist', cwd)).toEqual(expected.map((file) => `./${file}`));
    expect(filesOf('.', path.join(cwd, 'dist/a'))).toEqual(['./z.yml']);
  });

  test('those in hidden folders and node_modules, at any depth, last and marked with the folder', () => {
    const cwd = within({
      'a.yaml': '',
      '.git/b.yaml': '',
      'x/.cache/c.yaml': '',
      'node_modules/d.yaml': '',
      'x/node_modules/e.yaml': '',
      '.hidden.yaml': '',
    });
    expect(filesOf('.', cwd).slice(0, 2)).toEqual(['./.hidden.yaml', './a.yaml']);
    const unread = [...readPath('.', cwd)].slice(2).map((entry) => ['unreadFolder' in entry && entry.unreadFolder, entry.file]);
    expect(unread).toEqual([
      ['./node_modules', './node_modules/d.yaml'],
      ['./x/.cache', './x/.cache/c.yaml'],
      ['./x/node_modules', './x/node_modules/e.yaml'],
    ]);
    expect([...readPath('.', cwd, { readsAllFolders: true })].map(({ file }) => file)).toEqual([
      './.hidden.yaml',
      './a.yaml',
      './node_modules/d.yaml',
      './x/.cache/c.yaml',
      './x/node_modules/e.yaml',
    ]);
  });

  test('symbolic links to files are followed, but not links to folders', () => {
    const cwd = within({ 'all/real/a.yaml': 'kind: A\napiVersion: v1\n' });
    mkdirSync(path.join(cwd, 'all/in'));
    symlinkSync('../real/a.yaml', path.join(cwd, 'all/in/linked.yaml'));
    symlinkSync('../real', path.join(cwd, 'all/in/folder.yaml'));
    symlinkSync('..', path.join(cwd, 'all/in/loop'));
    expect(filesOf('all', cwd)).toEqual(['all/in/linked.yaml', 'all/real/a.yaml']);
    expect(readFiles(readPath('all', cwd)).objects).toHaveLength(2);
  });

  test('a symbolic link that leaves the PATH through another one is not followed, although its text stays in it', () => {
    const cwd = within({ 'in/a.yaml': 'kind: Inside\n', 'a.yaml': 'kind: Outside\n' });
    symlinkSync('.', path.join(cwd, 'in/here'));
    symlinkSync('here/../a.yaml', path.join(cwd, 'in/link.yaml'));
    const { findings } = readFiles(readPath('in', cwd));
    expect(findings.filter(({ code }) => code === 'input/skipped').map(({ data }) => data)).toEqual([{ file: 'in/link.yaml' }]);
  });

  test('symbolic links into .git are reported and not followed, because a committed one may lead to a password', () => {
    const cwd = within({ 'in/.git/credentials': 'https://token@example.com', 'in/web.yaml': '' });
    symlinkSync('.git/credentials', path.join(cwd, 'in/a.yaml'));
    symlinkSync('.git/credentials', path.join(cwd, 'in/.argocd-source.yaml'));
    const { findings } = readFiles(readPath('in', cwd));
    expect(JSON.stringify(findings)).not.toContain('token');
    expect(findings.map(({ code, data }) => [code, data])).toContainEqual(['input/skipped', { file: 'in/a.yaml' }]);
  });

  test('a PATH in which .. follows a link is refused, because kubectl reads the folder around the target of the link', () => {
    const cwd = within({ 'overlays/base/a.yaml': 'kind: Inside\n', 'evil/base/a.yaml': 'kind: Outside\n', 'evil/sub/b.yaml': '' });
    symlinkSync('../evil/sub', path.join(cwd, 'overlays/prod'));
    symlinkSync('base', path.join(cwd, 'overlays/current'));
    const read = (file: string) => () => readFiles(readPath(file, cwd)).objects.map(({ kind }) => kind);
    for (const linked of ['overlays/prod/..', 'overlays/prod/./../base', 'overlays/x/../prod/../base', `${cwd}/overlays/prod/../base`])
      for (const file of [linked, `${linked}/a.yaml`])
        expect(read(file)).toThrow(`cannot read ${file}: ".." follows the symbolic link prod, so it leads elsewhere for other programs`);
    for (const file of ['overlays/base/../base/a.yaml', 'overlays/current/../base/a.yaml', 'overlays/prod/b.yaml'])
      expect(read(file)).not.toThrow();
  });

  test('a name before .. that is not UTF-8 is refused, because another link may have it', () => {
    const cwd = within({ 'deploy/a.yaml': 'kind: Inside\n' });
    expect(() => readFiles(readPath('n\ufffd/../deploy', cwd))).toThrow('is not UTF-8, so it may lead to another file');
  });

  /** Lists the files of the folder `in` that are not read. No finding shows a password. */
  function skippedOf(cwd: string): unknown[] {
    const { findings } = readFiles(readPath('in', cwd));
    expect(JSON.stringify(findings)).not.toContain('token');
    return findings.filter(({ code }) => code === 'input/skipped').map(({ data }) => data.file);
  }

  test('nor by another name of .git, as where the file system ignores case', () => {
    const cwd = within({ 'in/store/credentials': 'https://token@example.com', 'in/.GIT/credentials': 'https://token@example.com' });
    symlinkSync('store', path.join(cwd, 'in/.git'));
    symlinkSync('store/credentials', path.join(cwd, 'in/a.yaml'));
    symlinkSync('.GIT/credentials', path.join(cwd, 'in/b.yaml'));
    expect(skippedOf(cwd)).toEqual(['in/a.yaml', 'in/b.yaml']);
  });

  test('nor into the folder that a file .git leads to', () => {
    const cwd = within({ 'in/sub/.git': 'gitdir: store/git\n', 'in/sub/store/git/credentials': 'https://token@example.com' });
    symlinkSync('sub/store/git/credentials', path.join(cwd, 'in/a.yaml'));
    expect(skippedOf(cwd)).toEqual(['in/a.yaml']);
  });

  test('nor to another file than their text says, as a link of /proc to a file that was deleted', () => {
    const cwd = within({ 'in/deleted': 'kind: token\n', 'in/deleted (deleted)': 'kind: Inside\n', 'in/web.yaml': '' });
    const file = openSync(path.join(cwd, 'in/deleted'), 'r');
    rmSync(path.join(cwd, 'in/deleted'));
    symlinkSync(`/proc/self/fd/${file}`, path.join(cwd, 'in/a.yaml'));
    expect(skippedOf(cwd)).toEqual(['in/a.yaml']);
    expect(readMarkerFile(path.join(cwd, 'in/a.yaml'), path.join(cwd, 'in'))).toBeUndefined();
    closeSync(file);
  });

  test('symbolic links that leave the PATH are reported and not followed, unless they are given by name', () => {
    const cwd = within({ 'secret.yaml': 'kind: A\napiVersion: v1\n', 'in-side/b.yaml': 'kind: B\napiVersion: v1\n', 'in/c.txt': '' });
    symlinkSync('../secret.yaml', path.join(cwd, 'in/a.yaml'));
    symlinkSync('../in-side/b.yaml', path.join(cwd, 'in/b.yaml'));
    symlinkSync('../in-side', path.join(cwd, 'in/base'));
    symlinkSync('../in-side', path.join(cwd, 'in/.cache'));
    const { objects, findings } = readFiles(readPath('in', cwd));
    expect(objects).toEqual([]);
    expect(findings.map(({ code, messageId, data, severity }) => [code, messageId, data, severity])).toEqual([
      ['input/skipped', 'link', { file: 'in/a.yaml' }, 'info'],
      ['input/skipped', 'link', { file: 'in/b.yaml' }, 'info'],
      ['input/skipped', 'link', { file: 'in/base' }, 'info'],
    ]);
    expect(readFiles(readPath('in/a.yaml', cwd)).objects).toEqual([{ kind: 'A', apiVersion: 'v1' }]);
  });

  test('pipes and devices are reported and not opened', () => {
    const cwd = within({ 'in/a.yaml': 'kind: A\napiVersion: v1\n' });
    spawnSync('mkfifo', [path.join(cwd, 'in/b.yaml'), path.join(cwd, 'in/b.txt')]);
    symlinkSync('b.yaml', path.join(cwd, 'in/c.yaml'));
    const { objects, findings } = readFiles(readPath('in', cwd));
    expect(objects).toHaveLength(1);
    expect(findings.map(({ messageId, data }) => [messageId, data])).toEqual([
      ['special', { file: 'in/b.yaml', entry: 'pipe' }],
      ['special', { file: 'in/c.yaml', entry: 'pipe' }],
    ]);
  });

  test('a pipe given by name is read while a process writes to it; otherwise the program does not wait for one', () => {
    const cwd = within({});
    const pipe = path.join(cwd, 'pipe');
    spawnSync('mkfifo', [pipe]);
    const writer = spawn('bash', ['-c', `(sleep 0.2; printf 'kind: A\n'; sleep 0.2; printf 'apiVersion: v1\n') > ${pipe}`]);
    expect(readFiles(readPath('pipe', cwd)).objects).toEqual([{ kind: 'A', apiVersion: 'v1' }]);
    writer.kill();
    expect(() => readFiles(readPath('pipe', cwd))).toThrow('cannot read pipe: it is a pipe that no process writes to');
  });

  test.each(['/dev/ptmx', '../pipe'])('a link given by name to a pipe or device without data is not waited for: %s', (target) => {
    const cwd = within({});
    spawnSync('mkfifo', [path.join(cwd, 'pipe')]);
    // It has a writer, which writes nothing.
    const writer = openSync(path.join(cwd, 'pipe'), 'r+');
    mkdirSync(path.join(cwd, 'in'));
    symlinkSync(target, path.join(cwd, 'in/app.yaml'));
    expect(() => readFiles(readPath('in/app.yaml', cwd))).toThrow(
      'cannot read in/app.yaml: it has no data yet; name a file with data, or the pipe or device itself instead of a link to it',
    );
    closeSync(writer);
  });

  test('a regular file that has no data yet, such as /proc/kmsg, is not waited for', () => {
    const cwd = within({ kmsg: '' });
    let reads = 0;
    const read = jest.spyOn(fs, 'readSync').mockImplementation(() => {
      if (reads++ === 3) return 0;
      throw Object.assign(new Error('no data'), { code: 'EAGAIN' });
    });
    expect(() => readFiles(readPath('kmsg', cwd))).toThrow('cannot read kmsg: it has no data yet');
    read.mockRestore();
  });

  test('a path that is not UTF-8, or leads to one, is refused, since it would be that of another file', () => {
    const cwd = within({ '\ufffd.yaml': 'kind: A\n', '\ufffd/a.yaml': 'kind: A\n', '\ufffd/.argocd-source.yaml': 'other: true\n' });
    mkdirSync(Buffer.from(`${cwd}/\u00ff`, 'latin1'));
    symlinkSync(Buffer.from([0xff]), path.join(cwd, 'link'));
    for (const file of ['\ufffd.yaml', '\ufffd', 'link'])
      expect(() => filesOf(file, cwd)).toThrow(
        `cannot read ${file}: its path, or that of a link in it, is not UTF-8, so it may lead to another file`,
      );
    expect(() => filesOf('a.yaml', path.join(cwd, '\ufffd'))).toThrow('is not UTF-8');
    expect(readMarkerFile(path.join(cwd, '\ufffd/.argocd-source.yaml'), path.join(cwd, '\ufffd'))).toBeUndefined();
  });

  test('a pipe or device with the name of a chart or kustomization is not opened, nor is a link to one', () => {
    const cwd = within({ 'in/a.yaml': 'kind: A\napiVersion: v1\n' });
    spawnSync('mkfifo', [path.join(cwd, 'in/kustomization.yaml')]);
    symlinkSync('/dev/zero', path.join(cwd, 'in/Chart.yaml'));
    expect(readFiles(readPath('in', cwd)).objects).toEqual([{ kind: 'A', apiVersion: 'v1' }]);
  });

  test('a file is not read beyond the size limit, whether it is found, given by name, or a link to a device', () => {
    const cwd = within({ 'in/a.yaml': 'kind: A\napiVersion: v1\n', 'in/long.yaml': '' });
    truncateSync(path.join(cwd, 'in/long.yaml'), 1_000_000_000_000);
    symlinkSync('/dev/zero', path.join(cwd, 'endless.yaml'));
    const dataOf = (given: string) => readFiles(readPath(given, cwd, { budget: { 'file-megabytes': 1 } })).findings.map(({ data }) => data);
    const problem = { kind: 'over-budget', budget: 'file-megabytes', limit: 1 };
    expect(dataOf('in')).toEqual([{ file: 'in/long.yaml', problem }]);
    expect(dataOf('in/long.yaml')).toEqual([{ file: 'in/long.yaml', problem }]);
    expect(dataOf('endless.yaml')).toEqual([{ file: 'endless.yaml', problem }]);
  });

  test('a file whose name is not UTF-8 is read', () => {
    const cwd = within({ 'in/a.yaml': '' });
    writeFileSync(Buffer.concat([Buffer.from(`${cwd}/in/b`), Buffer.from([0xff]), Buffer.from('.yaml')]), 'kind: B\napiVersion: v1\n');
    expect(readFiles(readPath('in', cwd)).objects).toEqual([{ kind: 'B', apiVersion: 'v1' }]);
    expect(filesOf('in', cwd)).toEqual(['in/a.yaml', 'in/b\ufffd.yaml']);
  });

  test('a broken link is one finding, and the other files are read', () => {
    const cwd = within({ 'in/a.yaml': 'kind: A\napiVersion: v1\n' });
    symlinkSync('nowhere', path.join(cwd, 'in/broken.yaml'));
    symlinkSync('nowhere', path.join(cwd, 'in/other'));
    const { objects, findings } = readFiles(readPath('in', cwd));
    expect(objects).toHaveLength(1);
    expect(findings).toEqual([
      {
        code: 'input/unreadable',
        severity: 'error',
        messageId: 'file',
        data: { file: 'in/broken.yaml', problem: { kind: 'broken-link', reason: 'no such file or folder' } },
        path: '',
        message: expect.any(String),
        source: { file: 'in/broken.yaml', line: 1 },
      },
    ]);
  });

  test('an empty folder includes no files', () => {
    expect(filesOf('.', within({}))).toEqual([]);
  });
});

describe('a file given by name', () => {
  test('may have any name', () => {
    expect(filesOf('manifest.txt', within({ 'manifest.txt': '' }))).toEqual(['manifest.txt']);
  });

  test('must exist', () => {
    expect(() => filesOf('none.yaml', within({}))).toThrow(new PathError('cannot read none.yaml: no such file or folder'));
  });

  test('keeps an absolute path', () => {
    const cwd = within({ 'a.yaml': '' });
    expect(filesOf(path.join(cwd, 'a.yaml'), '/')).toEqual([path.join(cwd, 'a.yaml')]);
  });
});

describe('content that is not text', () => {
  test('a binary file is one finding', () => {
    expect(
      readFiles([{ file: 'a.yaml', content: Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 0, 0xff, 10, 45, 45, 45, 10, 0xfe]) }]).findings,
    ).toEqual([
      {
        code: 'input/unreadable',
        severity: 'error',
        messageId: 'file',
        data: { file: 'a.yaml', problem: { kind: 'not-utf8' } },
        path: '',
        message: expect.any(String),
        help: expect.any(String),
        source: { file: 'a.yaml', line: 1 },
      },
    ]);
  });

  test('a document with bytes that are not UTF-8 is one finding, and the others are read', () => {
    const content = Buffer.concat([
      Buffer.from('kind: A\napiVersion: v1\n---\nkind: B\nx: '),
      Buffer.from([0xe9]),
      Buffer.from('\n---\nkind: C\napiVersion: v1\n'),
    ]);
    const { objects, findings } = readFiles([{ file: 'a.yaml', content }]);
    expect(objects.map(({ kind }) => kind)).toEqual(['A', 'C']);
    expect(findings.map(({ messageId, data, source }) => [messageId, data, source])).toEqual([
      ['document', { startLine: 4, problem: { kind: 'not-utf8' } }, { file: 'a.yaml', line: 5, column: 4 }],
    ]);
  });

  test('a control character is refused, as in kubectl', () => {
    expect(readFiles([{ file: 'a.yaml', content: 'kind: "\u001b[31m"\n' }]).findings).toMatchObject([
      { messageId: 'document', data: { startLine: 1, problem: { kind: 'control-character', code: 0x1b } } },
    ]);
  });
});

describe('listing folders', () => {
  test('ends with the time of the budget: a folder may contain millions of others', () => {
    const cwd = within({ 'dist/a/web.yaml': 'kind: A\n', 'dist/b/web.yaml': 'kind: B\n' });
    let looks = 0;
    const clock = new BudgetTracker({ ...DEFAULT_BUDGET, seconds: 7 }, () => (++looks > 4 ? 8_000 : 0));
    const { files, findings } = readFiles(readPath('dist', cwd, { clock }), { paths: ['dist'] });
    expect([files, findings.map(({ message, help }) => [message, help])]).toEqual([
      ['dist'],
      [
        [
          'The file dist cannot be read: reading takes more than 7 seconds, so no file after it is read either.',
          'Raise the budget with --budget seconds=14, if you trust this input.',
        ],
      ],
    ]);
  });

  test('looks at each folder around the target of a link a few times, since there may be thousands', () => {
    const deep = 'a/'.repeat(200);
    const cwd = within({ [`in/${deep}x.yaml`]: '' });
    symlinkSync(`${deep}x.yaml`, path.join(cwd, 'in/l.yaml'));
    const stat = jest.spyOn(fs, 'statSync');
    expect(filesOf('in', cwd)).toHaveLength(2);
    expect(stat.mock.calls.length).toBeLessThan(2_000);
    stat.mockRestore();
  });

  test('checks the time for each entry, since a link may lead through many others', () => {
    const cwd = within({ 'dist/a.yaml': 'kind: A\n', 'dist/b.yaml': 'kind: B\n', 'dist/c.yaml': 'kind: C\n' });
    let looks = 0;
    const clock = new BudgetTracker({ ...DEFAULT_BUDGET, seconds: 7 }, () => (++looks > 6 ? 8_000 : 0));
    expect(readFiles(readPath('dist', cwd, { clock }), { paths: ['dist'] }).files).toEqual(['dist']);
    expect(looks).toBe(7);
  });

  test('ends while the markers of the folders are read: a link to a long one is a marker in each folder', () => {
    const markers = Array.from({ length: 20 }, (_, level) => [`dist/${level}/kustomization.yaml`, 'resources: []\n']);
    const cwd = within(Object.fromEntries(markers));
    // The time is over after all of the 21 folders and their entries.
    let looks = 0;
    const clock = new BudgetTracker({ ...DEFAULT_BUDGET, seconds: 7 }, () => (++looks > 65 ? 8_000 : 0));
    expect(readFiles(readPath('dist', cwd, { clock }), { paths: ['dist'] }).files).toEqual(['dist']);
  });

  test('ends while files are compared with the ignore files around them, since many long patterns take minutes', () => {
    const cwd = within({ 'dist/.sourceignore': 'a\nb\n', 'dist/web.yaml': 'kind: A\n' });
    // The time is over once the patterns are compared, after the listing and the looks before the first pattern.
    let looks = -Infinity;
    const clock = new BudgetTracker({ ...DEFAULT_BUDGET, seconds: 7 }, () => (++looks > 3 ? 8_000 : 0));
    const onListing = (folders: number | undefined) => {
      if (folders === undefined) looks = 0;
    };
    expect([...readPath('dist', cwd, { clock, onListing })]).toEqual([
      expect.objectContaining({ file: 'dist/.sourceignore', isSilent: true }),
      {
        file: 'dist/web.yaml',
        given: { path: 'dist', as: 'folder' },
        problem: { kind: 'over-budget', budget: 'seconds', limit: 7 },
      },
    ]);
  });

  test('reports the number of folders, and its end', () => {
    const cwd = within({ 'dist/a/web.yaml': 'kind: A\n', 'dist/b/web.yaml': 'kind: B\n' });
    const counts: (number | undefined)[] = [];
    expect([...readPath('dist', cwd, { onListing: (folders) => counts.push(folders) })]).toHaveLength(2);
    expect(counts).toEqual([1, 2, 3, undefined]);
  });
});

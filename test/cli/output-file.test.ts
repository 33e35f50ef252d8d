import { execFileSync, spawn } from 'node:child_process';
import fs, { linkSync, readFileSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { assertWritable, writeOutput } from '../../src/cli/output/output-file';
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

test('a name of the maximum length is written', () => {
  const folder = folderWith({});
  const name = `${'a'.repeat(250)}.json`;
  assertWritable(name, folder.path);
  expect(readdirSync(folder.path)).toEqual([]);
  writeOutput(name, folder.path, '{}');
  expect(readdirSync(folder.path)).toEqual([name]);
  expect(() => assertWritable(`a${name}`, folder.path)).toThrow('the name is too long');
  folder.remove();
});

test('a folder that takes no file, although it is writable, is found before the command runs', () => {
  expect(() => assertWritable('/proc/plan.json', '/')).toThrow('cannot write /proc/plan.json: ');
});

test.each(['out/', 'out//', 'out/.', './out/'])('a path with a slash at its end is a folder, and no file is written: %s', (name) => {
  const folder = folderWith({});
  const message = `cannot write ${name}: a path with a slash at its end is a folder; name a file in it`;
  expect(() => assertWritable(name, folder.path)).toThrow(message);
  expect(() => writeOutput(name, folder.path, '{}')).toThrow(message);
  expect(readdirSync(folder.path)).toEqual([]);
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

test('a link of the repository does not make a report outside of the working directory overwrite a file outside of the repository', () => {
  const folder = folderWith({ 'victim.json': 'theirs', 'checkout/.git/config': '', 'checkout/ci/a': '' });
  symlinkSync('../victim.json', path.join(folder.path, 'checkout/plan.json'));
  symlinkSync('ci/b', path.join(folder.path, 'checkout/inside.json'));
  const cwd = path.join(folder.path, 'checkout/ci');
  expect(() => writeOutput('../plan.json', cwd, '{}')).toThrow(
    'cannot write ../plan.json: a symbolic link leads from it out of the repository; delete the link, or name its target',
  );
  writeOutput('../inside.json', cwd, '{}');
  expect(readFileSync(path.join(cwd, 'b'), 'utf8')).toBe('{}');
  expect(readFileSync(path.join(folder.path, 'victim.json'), 'utf8')).toBe('theirs');
  folder.remove();
});

test('nor if the path names the repository from elsewhere, or by a link to it', () => {
  const folder = folderWith({ 'victim.json': 'theirs', 'checkout/.git/config': '', 'checkout/ci/a': '' });
  symlinkSync('../victim.json', path.join(folder.path, 'checkout/plan.json'));
  symlinkSync('checkout', path.join(folder.path, 'link'));
  symlinkSync('../../victim.json', path.join(folder.path, 'checkout/ci/plan.json'));
  symlinkSync('checkout/ci', path.join(folder.path, 'inner'));
  for (const file of ['checkout/plan.json', 'link/plan.json', 'inner/plan.json'])
    for (const cwd of [folder.path, path.join(folder.path, 'checkout'), path.join(folder.path, 'checkout/ci'), '/'])
      expect(() => writeOutput(path.join(folder.path, file), cwd, '{}')).toThrow('a symbolic link leads from it out of the');
  writeOutput(path.join(folder.path, 'link/new.json'), '/', '{}');
  expect(readFileSync(path.join(folder.path, 'checkout/new.json'), 'utf8')).toBe('{}');
  expect(readFileSync(path.join(folder.path, 'victim.json'), 'utf8')).toBe('theirs');
  folder.remove();
});

test('nor if the entry .git is a link whose target does not exist', () => {
  const folder = folderWith({ 'checkout/ci/a': '' });
  symlinkSync('/not-mounted/git', path.join(folder.path, 'checkout/.git'));
  symlinkSync('../plan.json', path.join(folder.path, 'checkout/plan.json'));
  const write = () => writeOutput('../plan.json', path.join(folder.path, 'checkout/ci'), '{}');
  expect(write).toThrow('a symbolic link leads from it out of the repository');
  folder.remove();
});

test('a path that is not UTF-8, or leads to one, is refused, since another file would be written', () => {
  const folder = folderWith({});
  symlinkSync(Buffer.from('\u00ff/plan.json', 'latin1'), path.join(folder.path, 'link.json'));
  for (const file of ['plan\ufffd.json', 'link.json'])
    expect(() => writeOutput(file, folder.path, '{}')).toThrow(`cannot write ${file}: its path, or that of a link in it, is not UTF-8`);
  expect(readdirSync(folder.path)).toEqual(['link.json']);
  folder.remove();
});

test('an open file of the process is written where it stands, also if it is deleted and another one has the name that the system shows for it', () => {
  const folder = folderWith({ log: 'before\n', 'gone (deleted)': 'theirs' });
  const file = (name: string) => path.join(folder.path, name);
  const [log, gone] = [fs.openSync(file('log'), 'a'), fs.openSync(file('gone'), 'w+')];
  rmSync(file('gone'));
  for (const opened of [log, gone]) {
    assertWritable(`/dev/fd/${opened}`, folder.path);
    writeOutput(`/dev/fd/${opened}`, folder.path, '{}');
  }
  expect([readFileSync(file('log'), 'utf8'), readFileSync(`/dev/fd/${gone}`, 'utf8')]).toEqual(['before\n{}', '{}']);
  expect(readFileSync(file('gone (deleted)'), 'utf8')).toBe('theirs');
  for (const opened of [log, gone]) fs.closeSync(opened);
  folder.remove();
});

test('a pipe that no program reads is an error and not an endless run', () => {
  const folder = folderWith({});
  execFileSync('mkfifo', [path.join(folder.path, 'report')]);
  expect(() => writeOutput('report', folder.path, '{}')).toThrow(
    'cannot write report: it is a pipe, and no program reads it within 5 seconds',
  );
  folder.remove();
}, 20_000);

test('a pipe is written to once a program reads it', async () => {
  const folder = folderWith({});
  const pipe = path.join(folder.path, 'report');
  execFileSync('mkfifo', [pipe]);
  const reader = spawn('sh', ['-c', 'sleep 0.2; cat "$0" > "$1"', pipe, path.join(folder.path, 'copy')]);
  const ended = new Promise((resolve) => reader.on('close', resolve));
  const text = 'x'.repeat(200_000);
  writeOutput('report', folder.path, text);
  await ended;
  expect(readFileSync(path.join(folder.path, 'copy'), 'utf8')).toBe(text);
  folder.remove();
});

test.each([
  ['a link to a file outside', 'plan.json', '../victim.json'],
  ['a link to a file that does not exist', 'plan.json', '../none.json'],
  ['a folder that is a link', 'reports/plan.json', '..'],
])('a link of the checkout does not make the report overwrite another file: %s', (_, file, target) => {
  const folder = folderWith({ 'victim.json': 'theirs', 'checkout/.git/config': 'theirs' });
  const checkout = path.join(folder.path, 'checkout');
  const [link] = file.split('/');
  symlinkSync(target, path.join(checkout, link!));
  expect(() => writeOutput(file, checkout, '{}')).toThrow(
    `cannot write ${file}: a symbolic link leads from it out of the working directory; delete the link, or name its target`,
  );
  expect(readdirSync(folder.path).toSorted()).toEqual(['checkout', 'victim.json']);
  expect(readFileSync(path.join(folder.path, 'victim.json'), 'utf8')).toBe('theirs');
  expect(readFileSync(path.join(checkout, '.git/config'), 'utf8')).toBe('theirs');
  folder.remove();
});

test.each([
  ['.git/y.json', '.'],
  ['../.git/config', 'ci'],
  ['link.json', '.'],
  ['new.json', '.'],
  ['hook', '.'],
])('nothing is written into .git, also where the file system ignores case: %s from the folder %s', (file, cwd) => {
  const folder = folderWith({ '.git/config': 'theirs', '.GIT/hooks/a': '', 'ci/a': '' });
  symlinkSync('.git/config', path.join(folder.path, 'link.json'));
  symlinkSync('.Git', path.join(folder.path, 'new.json'));
  symlinkSync('.GIT/hooks/pre-commit', path.join(folder.path, 'hook'));
  expect(() => writeOutput(file, path.join(folder.path, cwd), '{}')).toThrow(
    `cannot write ${file}: it leads into .git, into which only git writes; name a file elsewhere`,
  );
  expect(readFileSync(path.join(folder.path, '.git/config'), 'utf8')).toBe('theirs');
  folder.remove();
});

test.each([
  ['a link', (checkout: string) => symlinkSync('store', path.join(checkout, '.git'))],
  ['a file', (checkout: string) => writeFileSync(path.join(checkout, '.git'), 'gitdir: ./store\n')],
  ['a file with line breaks of Windows', (checkout: string) => writeFileSync(path.join(checkout, '.git'), 'gitdir: ./store\r\n\r\n')],
])('nor into the folder that %s .git leads to', (_, writeGit) => {
  const folder = folderWith({ 'store/config': 'theirs' });
  writeGit(folder.path);
  symlinkSync('store/hooks', path.join(folder.path, 'reports'));
  symlinkSync('store/config', path.join(folder.path, 'link.json'));
  for (const file of ['store/config', 'link.json'])
    expect(() => writeOutput(file, folder.path, '{}')).toThrow(
      `cannot write ${file}: it leads into .git, into which only git writes; name a file elsewhere`,
    );
  expect(readFileSync(path.join(folder.path, 'store/config'), 'utf8')).toBe('theirs');
  folder.remove();
});

test('nor into the folder of git that a worktree shares', () => {
  const folder = folderWith({ '.git': 'gitdir: store/worktrees/x\n', 'store/worktrees/x/commondir': '../..\n', 'store/hooks/a': '' });
  symlinkSync('store/hooks/post-checkout', path.join(folder.path, 'link.json'));
  expect(() => writeOutput('link.json', folder.path, '{}')).toThrow(
    'cannot write link.json: it leads into .git, into which only git writes',
  );
  folder.remove();
});

test.each([
  ['to a file', 'report.json', '../checkout/report.json', 'report.json'],
  ['to a folder', 'reports', '../checkout/reports', 'reports/new.json'],
  ['by the folder around the target of another link', 'report.json', '../ci/../report.json', 'report.json'],
])('nor if a link of the user leads through the repository: %s', (_, link, linked, named) => {
  const folder = folderWith({ 'victim.json': 'theirs', 'checkout/.git/config': '', 'checkout/ci/a': '', 'outside/a': '' });
  const at = (...names: string[]) => path.join(folder.path, ...names);
  symlinkSync('../victim.json', at('checkout/report.json'));
  symlinkSync('..', at('checkout/reports'));
  symlinkSync('checkout/ci', at('ci'));
  symlinkSync(linked, at('outside', link));
  for (const cwd of [folder.path, at('checkout'), '/'])
    expect(() => writeOutput(at('outside', named), cwd, '{}')).toThrow('a symbolic link leads from it out of the');
  expect(readdirSync(folder.path).toSorted()).toEqual(['checkout', 'ci', 'outside', 'victim.json']);
  expect(readFileSync(at('victim.json'), 'utf8')).toBe('theirs');
  folder.remove();
});

test('a link that leads to itself is an error', () => {
  const folder = folderWith({});
  symlinkSync('plan.json', path.join(folder.path, 'plan.json'));
  expect(() => writeOutput('plan.json', folder.path, '{}')).toThrow('cannot write plan.json: ');
  folder.remove();
});

test.each(['reports/../plan.json', 'reports/../new.json'])('a file is not written if .. follows a link in its path: %s', (file) => {
  const folder = folderWith({ 'checkout/plan.json': 'old', 'checkout/elsewhere/reports/a': '' });
  const checkout = path.join(folder.path, 'checkout');
  symlinkSync('elsewhere/reports', path.join(checkout, 'reports'));
  for (const write of [() => assertWritable(file, checkout), () => writeOutput(file, checkout, '{}')])
    expect(write).toThrow(`cannot write ${file}: ".." follows the symbolic link reports, so it leads elsewhere for other programs; name`);
  expect(readFileSync(path.join(checkout, 'plan.json'), 'utf8')).toBe('old');
  folder.remove();
});

test('a folder that becomes a link after its path was checked is not followed', () => {
  const folder = folderWith({ 'theirs/plan.json': 'theirs', 'checkout/reports/plan.json': 'old' });
  const checkout = path.join(folder.path, 'checkout');
  const { openSync } = fs;
  const opened = jest.spyOn(fs, 'openSync').mockImplementationOnce((...args) => {
    renameSync(path.join(checkout, 'reports'), path.join(checkout, 'moved'));
    symlinkSync('../theirs', path.join(checkout, 'reports'));
    return openSync(...args);
  });
  expect(() => writeOutput('reports/plan.json', checkout, '{}')).toThrow('plan.json: a folder has become a symbolic link');
  opened.mockRestore();
  expect(readdirSync(path.join(folder.path, 'theirs'))).toEqual(['plan.json']);
  expect(readFileSync(path.join(folder.path, 'theirs/plan.json'), 'utf8')).toBe('theirs');
  expect(readFileSync(path.join(checkout, 'moved/plan.json'), 'utf8')).toBe('old');
  folder.remove();
});

test('a link that takes the place of a pipe while it waits for a reader is not followed', () => {
  const folder = folderWith({ 'victim.txt': 'theirs', 'checkout/a': '' });
  const checkout = path.join(folder.path, 'checkout');
  const report = path.join(checkout, 'report');
  execFileSync('mkfifo', [report]);
  const { openSync } = fs;
  const opened = jest.spyOn(fs, 'openSync').mockImplementationOnce((...args) => {
    rmSync(report);
    symlinkSync('../victim.txt', report);
    return openSync(...args);
  });
  expect(() => writeOutput('report', checkout, '{}')).toThrow(
    'cannot write report: another file has taken its place; run the command again',
  );
  opened.mockRestore();
  expect(readFileSync(path.join(folder.path, 'victim.txt'), 'utf8')).toBe('theirs');
  folder.remove();
});

import fs, { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findProgram } from '../../src/input/git/find-program';
import { folderWith } from '../folder';
import type { TestFolder } from '../folder';

let checkout: TestFolder;
let bin: TestFolder;
beforeEach(() => {
  checkout = folderWith({ '.git/HEAD': '', git: '', 'git.exe': '', 'bin/git': '', 'apps/web.yaml': '', 'node_modules/.bin/git': '' });
  bin = folderWith({ git: '', 'git.exe': '', 'git.bat': '', 'data/git': '' });
  for (const file of ['git', 'bin/git', 'node_modules/.bin/git']) chmodSync(path.join(checkout.path, file), 0o755);
  chmodSync(path.join(bin.path, 'git'), 0o755);
  symlinkSync(path.join(checkout.path, 'bin'), path.join(bin.path, 'link'));
});
afterEach(() => {
  checkout.remove();
  bin.remove();
});

/** Finds git from the folder apps of the checkout. */
const find = (PATH: string | undefined, platform: NodeJS.Platform = 'linux', env: NodeJS.ProcessEnv = { PATH }) =>
  findProgram('git', { cwd: path.join(checkout.path, 'apps'), env, platform });

describe('a program is found only in folders of PATH that a pull request cannot write to', () => {
  test('the environment of the program has no others either', () => {
    const PATH = ['', '.', '..', 'bin', '~/bin', checkout.path, `${checkout.path}/node_modules/.bin`, `${bin.path}/link`, bin.path].join(
      ':',
    );
    expect(find(PATH)).toEqual({ file: `${bin.path}/git`, env: { PATH: bin.path } });
  });

  test('quotes around a folder are a part of its name, except on Windows', () => {
    expect(find(`"${bin.path}"`)).toBeUndefined();
  });

  test('a folder whose name is not UTF-8 is passed over, since the name of another folder is read instead', () => {
    const other = folderWith({ '\ufffd/git': '' });
    chmodSync(path.join(other.path, '\ufffd/git'), 0o755);
    expect(find(`${other.path}/\ufffd:${bin.path}`)?.file).toBe(`${bin.path}/git`);
    other.remove();
  });

  test('nor folders of libraries', () => {
    const libraries = `/usr/lib:${checkout.path}/bin;lib:;${bin.path}:`;
    expect(find(bin.path, 'linux', { PATH: bin.path, LD_LIBRARY_PATH: libraries, DYLD_LIBRARY_PATH: '.' })?.env).toEqual({
      PATH: bin.path,
      LD_LIBRARY_PATH: `/usr/lib:${bin.path}`,
      DYLD_LIBRARY_PATH: '',
    });
  });

  test('a link to a file of the checkout is passed over', () => {
    const links = folderWith({});
    symlinkSync(path.join(checkout.path, 'git'), path.join(links.path, 'git'));
    expect(find(links.path)).toBeUndefined();
    expect(find(`${links.path}:${bin.path}`)?.file).toBe(`${bin.path}/git`);
    links.remove();
  });

  test('a committed link to a folder outside of the checkout is passed over, also through a link to the checkout', () => {
    const around = folderWith({});
    symlinkSync(bin.path, path.join(checkout.path, 'tools'));
    symlinkSync(checkout.path, path.join(around.path, 'work'));
    const folders = ['tools', `tools/../${path.basename(bin.path)}`];
    const PATH = [checkout.path, path.join(around.path, 'work')].flatMap((folder) => folders.map((each) => `${folder}/${each}`)).join(':');
    expect(find(PATH)).toBeUndefined();
    expect(find(`${PATH}:${bin.path}`)).toEqual({ file: `${bin.path}/git`, env: { PATH: bin.path } });
    around.remove();
  });

  test('a link outside of the checkout that leads to a committed link is passed over, also one to a program', () => {
    const links = folderWith({ 'bin/.keep': '' });
    symlinkSync(bin.path, path.join(checkout.path, 'tools'));
    symlinkSync(path.join(bin.path, 'git'), path.join(checkout.path, 'tool'));
    symlinkSync(path.join(checkout.path, 'tools'), path.join(links.path, 'chain'));
    symlinkSync('chain', path.join(links.path, 'longer-chain'));
    symlinkSync(path.join(checkout.path, 'tool'), path.join(links.path, 'bin/git'));
    const PATH = ['chain', 'chain/', 'longer-chain', 'bin'].map((folder) => `${links.path}/${folder}`).join(':');
    expect(find(PATH)).toBeUndefined();
    expect(find(`${PATH}:${bin.path}`)).toEqual({ file: `${bin.path}/git`, env: { PATH: `${links.path}/bin:${bin.path}` } });
    links.remove();
  });

  test('a folder of the checkout is passed over by any name, as where the file system ignores case', () => {
    const other = folderWith({ 'SHOP/bin/git': '' });
    chmodSync(path.join(other.path, 'SHOP/bin/git'), 0o755);
    const PATH = `${other.path}/SHOP/bin:${bin.path}`;
    expect(find(PATH)?.env).toEqual({ PATH });
    const { statSync } = fs;
    const identified = jest.spyOn(fs, 'statSync').mockImplementation(((file: string, options: fs.StatSyncOptions) => {
      return statSync(file === path.join(other.path, 'SHOP') ? checkout.path : file, options);
    }) as typeof statSync);
    expect(find(PATH)?.env).toEqual({ PATH: bin.path });
    identified.mockRestore();
    other.remove();
  });

  test('a folder whose links cannot be followed is passed over', () => {
    const links = folderWith({});
    symlinkSync('loop', path.join(links.path, 'loop'));
    expect(find(`${links.path}/loop:${links.path}/missing/bin:${bin.path}`)?.env).toEqual({ PATH: bin.path });
    links.remove();
  });

  test('in a submodule, not in the repository around it either', () => {
    const submodule = path.join(checkout.path, 'apps');
    writeFileSync(path.join(submodule, '.git'), 'gitdir: ../.git/modules/apps\n');
    expect(find(`${checkout.path}/node_modules/.bin`)).toBeUndefined();
    expect(find(`${checkout.path}/node_modules/.bin:${bin.path}`)?.env).toEqual({ PATH: bin.path });
  });

  test('where the entry .git of the checkout is a link whose target does not exist', () => {
    const around = folderWith({ 'bin/git': '' });
    chmodSync(path.join(around.path, 'bin/git'), 0o755);
    const search = { cwd: around.path, env: { PATH: path.join(around.path, 'bin') } };
    expect(findProgram('git', search)).toBeDefined();
    symlinkSync('/not-mounted/git', path.join(around.path, '.git'));
    expect(findProgram('git', search)).toBeUndefined();
    around.remove();
  });

  test('files that cannot be run are passed over', () => {
    expect(find(`${bin.path}/data:/nonexistent:${bin.path}`)?.file).toBe(`${bin.path}/git`);
    expect(find(`${bin.path}/data`)).toBeUndefined();
  });

  test('without PATH, it is one of the system', () => {
    expect(find(undefined)?.env).toEqual({ PATH: '/usr/bin:/bin' });
  });

  test('on Windows, the working directory is not searched, and PATH may be in quotes and named Path', () => {
    const Path = ['.', checkout.path, '', `"${bin.path}"`].join(';');
    expect(find(undefined, 'win32', { Path })).toEqual({
      file: `${bin.path}/git.exe`,
      env: { Path: bin.path, NoDefaultCurrentDirectoryInExePath: '1' },
    });
    expect(find(undefined, 'win32', { Path: checkout.path })).toBeUndefined();
    expect(find(undefined, 'win32', {})).toBeUndefined();
  });
});

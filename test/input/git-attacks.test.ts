import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeRevisionFolder } from '../../src/cli/input/revision-folder';
import { parseGitSource } from '../../src/input/git/git-revision';
import { readGitSource, readRevisionTree } from '../../src/input/git/git-source';
import { isFileOfGit } from '../../src/input/repository-folder';
import { folderWith } from '../folder';
import type { TestFolder } from '../folder';

const OLD = 'kind: Old\n';
const NEW = 'kind: New\n';

let folder: TestFolder;
beforeEach(() => {
  folder = folderWith({ 'deploy/web.yaml': OLD, 'staging/web.yaml': NEW, '.gitattributes': '*.yaml filter=evil diff=evil\n' });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'old');
  writeFileSync(path.join(folder.path, 'deploy/web.yaml'), NEW);
  git('add', '-A');
  git('commit', '-q', '-m', 'new');
});
afterEach(() => folder.remove());

function git(...args: readonly string[]): string {
  return execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: folder.path })
    .toString()
    .trim();
}

/** Reads OLD, as `--from SOURCE PATH` in a folder of the repository. */
function readOld(given: string, below = '', source = 'git:HEAD~1', env: NodeJS.ProcessEnv = process.env): string[] {
  const read = readGitSource(parseGitSource(source), [given], { cwd: path.join(folder.path, below), env, log: () => {} });
  return read.map((entry) => ('content' in entry ? entry.content.toString() : entry.file));
}

/** Reads all files of OLD, as `--render` does before it runs a program on them. */
function readOldTree(): string[] {
  const { files } = readRevisionTree(parseGitSource('git:HEAD~1'), { cwd: folder.path, env: process.env, log: () => {} });
  return files.map((file) => file.path);
}

describe('a folder of the checkout that looks like a repository is none', () => {
  /** Commits a copy of the repository to `deploy`, in which the new commit replaces the old one. */
  function forge(): void {
    const [old, next] = [git('rev-parse', 'HEAD~1'), git('rev-parse', 'HEAD')];
    const at = (name: string) => path.join(folder.path, name);
    for (const name of ['HEAD', 'objects', 'refs']) cpSync(at(`.git/${name}`), at(`deploy/${name}`), { recursive: true });
    mkdirSync(at('deploy/refs/replace'), { recursive: true });
    writeFileSync(at(`deploy/refs/replace/${old}`), `${next}\n`);
    writeFileSync(at('deploy/config'), '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n');
  }

  test('if it is the PATH', () => {
    forge();
    expect(readOld('deploy')).toEqual([OLD]);
  });

  test('if it is the working directory', () => {
    forge();
    expect(readOld('.', 'deploy')).toEqual([OLD]);
  });

  test('if it is the root, whose .git is empty, also for a git that knows no safe.bareRepository', () => {
    forge();
    for (const name of ['HEAD', 'objects', 'refs']) renameSync(path.join(folder.path, 'deploy', name), path.join(folder.path, name));
    writeFileSync(path.join(folder.path, 'config'), '[core]\n\trepositoryformatversion = 0\n\tworktree = .\n');
    rmSync(path.join(folder.path, '.git'), { recursive: true });
    mkdirSync(path.join(folder.path, '.git'));
    const real = execFileSync('sh', ['-c', 'command -v git']).toString().trim();
    const script = `#!/bin/sh\nfor a; do shift; [ "$a" = safe.bareRepository=explicit ] && a=safe.bareRepository=all; set -- "$@" "$a"; done\nexec ${real} "$@"\n`;
    const old = folderWith({ git: script });
    chmodSync(path.join(old.path, 'git'), 0o755);
    const env = { ...process.env, PATH: `${old.path}:${process.env['PATH']}` };
    expect(() => readOld('deploy')).toThrow('git fails with');
    expect(() => readOld('deploy', '', 'git:HEAD~1', env)).toThrow('which is not that of');
    old.remove();
  });

  test('not even if there is no other repository', () => {
    forge();
    rmSync(path.join(folder.path, '.git'), { recursive: true });
    expect(() => readOld('.', 'deploy')).toThrow('the working directory is in no git repository');
  });
});

test('a replaced object of the repository itself is not used', () => {
  git('replace', git('rev-parse', 'HEAD~1'), git('rev-parse', 'HEAD'));
  expect(git('show', 'HEAD~1:deploy/web.yaml')).toBe(NEW.trim());
  expect(readOld('deploy')).toEqual([OLD]);
  git('config', 'core.useReplaceRefs', 'true');
  expect(readOld('deploy')).toEqual([OLD]);
});

test('a commit has the parents that it names, and no others that a file of grafts gives it', () => {
  git('commit', '--quiet', '--allow-empty', '--message', 'later');
  writeFileSync(path.join(folder.path, '.git/info/grafts'), `${git('rev-parse', 'HEAD')} ${git('rev-parse', 'HEAD~2')}\n`);
  expect(git('show', 'HEAD~1:deploy/web.yaml')).toBe(OLD.trim());
  expect(readOld('deploy', '', 'git:HEAD~1')).toEqual([NEW]);
});

test.each(['refs/heads/', 'refs/tags/'])('a branch or tag that has the name of a remote branch is not taken for it: %s', (refs) => {
  git('update-ref', 'refs/remotes/origin/main', 'HEAD~1');
  expect(readOld('deploy', '', 'git:origin/main')).toEqual([OLD]);
  git('update-ref', `${refs}origin/main`, 'HEAD');
  git('config', 'core.warnAmbiguousRefs', 'false');
  expect(() => readOld('deploy', '', 'git:origin/main')).toThrow(
    'git:origin/main: several branches, tags or remote branches have this name; write the full name, such as git:refs/remotes/origin/main',
  );
  expect(readOld('deploy', '', 'git:refs/remotes/origin/main')).toEqual([OLD]);
});

test('a link in place of the PATH does not change what OLD is', () => {
  rmSync(path.join(folder.path, 'deploy'), { recursive: true });
  symlinkSync('staging', path.join(folder.path, 'deploy'));
  expect(readOld('deploy')).toEqual([OLD]);
});

test('a PATH that is a link in OLD is followed there, but not out of the revision', () => {
  symlinkSync('deploy', path.join(folder.path, 'current'));
  symlinkSync('/etc', path.join(folder.path, 'etc'));
  git('add', '-A');
  git('commit', '-q', '-m', 'links');
  expect(readOld('current', '', 'git:HEAD')).toEqual([NEW]);
  expect(readOld('current/web.yaml', '', 'git:HEAD')).toEqual([NEW]);
  expect(() => readOld('etc', '', 'git:HEAD')).toThrow('nothing at etc');
});

test('links in a folder of OLD are followed as in the checkout', () => {
  const inDeploy = (name: string) => path.join(folder.path, 'deploy', name);
  renameSync(inDeploy('web.yaml'), inDeploy('web.txt'));
  symlinkSync('web.txt', inDeploy('first.yaml'));
  symlinkSync('first.yaml', inDeploy('second.yaml'));
  mkdirSync(inDeploy('inner'));
  symlinkSync('..', inDeploy('inner/up.yaml'));
  symlinkSync('../gone.yaml', inDeploy('inner/gone.yaml'));
  symlinkSync('loop.yaml', inDeploy('loop.yaml'));
  symlinkSync('../staging/web.yaml', inDeploy('out.yaml'));
  git('add', '-A');
  git('commit', '-q', '-m', 'links');
  expect(readOld('deploy', '', 'git:HEAD')).toEqual([NEW, 'git:HEAD:deploy/out.yaml', NEW]);
});

test('files of OLD whose names are not UTF-8 are all read', () => {
  for (const byte of [0xfe, 0xff]) {
    const name = Buffer.concat([Buffer.from(`${folder.path}/deploy/`), Buffer.from([byte]), Buffer.from('.yaml')]);
    writeFileSync(name, `kind: Of${byte}\n`);
  }
  git('add', '-A');
  git('commit', '-q', '-m', 'bytes');
  expect(readOld('deploy', '', 'git:HEAD')).toEqual([NEW, 'kind: Of254\n', 'kind: Of255\n']);
});

test('a submodule of OLD, whose files are in another repository, is named', () => {
  git('update-index', '--add', '--cacheinfo', `160000,${git('rev-parse', 'HEAD')},deploy/base`);
  git('commit', '-q', '-m', 'submodule');
  expect(readOld('deploy', '', 'git:HEAD')).toEqual(['git:HEAD:deploy/base', NEW]);
  expect(readOld('deploy/base', '', 'git:HEAD')).toEqual(['git:HEAD:deploy/base']);
  expect(readOld('deploy/base/apps/web.yaml', '', 'git:HEAD')).toEqual(['git:HEAD:deploy/base']);
});

test('variables of git that name another repository are ignored', () => {
  const other = folderWith({ 'deploy/web.yaml': NEW });
  renameSync(path.join(folder.path, 'deploy'), path.join(other.path, 'moved'));
  const env = { ...process.env, GIT_DIR: path.join(other.path, '.git'), GIT_WORK_TREE: other.path, GIT_OBJECT_DIRECTORY: other.path };
  expect(readOld('deploy', '', 'git:HEAD~1', env)).toEqual([OLD]);
  other.remove();
});

test('a working tree elsewhere, which the configuration of the repository names, is refused', () => {
  appendFileSync(path.join(folder.path, '.git/config'), '[core]\n\tworktree = /usr\n');
  expect(() => readOld('deploy')).toThrow('git uses the repository at /usr instead of the one at');
  expect(readOldTree).toThrow('git uses the repository at /usr instead of the one at');
});

test('no program renders a revision of which a file is missing, as in a partial clone', () => {
  expect(readOldTree()).toEqual(['.gitattributes', 'deploy/web.yaml', 'staging/web.yaml']);
  writeFileSync(path.join(folder.path, 'gone.yaml'), 'kind: Gone\n');
  git('add', 'gone.yaml');
  git('commit', '-q', '-m', 'gone');
  const oid = git('rev-parse', 'HEAD:gone.yaml');
  git('rm', '-q', 'gone.yaml');
  git('commit', '-q', '-m', 'last');
  rmSync(path.join(folder.path, '.git/objects', oid.slice(0, 2), oid.slice(2)));
  expect(readOldTree).toThrow('the repository does not contain the content of gone.yaml, as in a partial clone');
});

test.each([
  ['of the file itself', 'HEAD:deploy/web.yaml', 'deploy/web.yaml', 'deploy/web.yaml'],
  ['of its folder', 'HEAD:deploy', 'deploy/web.yaml', 'deploy'],
  ['of a file that a link leads to', 'HEAD:deploy/web.yaml', 'link/web.yaml', 'link/web.yaml'],
])('a PATH whose object is missing is not taken for one that OLD lacks: %s', (_, missing, at, named) => {
  symlinkSync('deploy', path.join(folder.path, 'link'));
  git('checkout', '-q', 'HEAD~1');
  git('add', 'link');
  git('commit', '-q', '--amend', '-m', 'link');
  const oid = git('rev-parse', missing);
  rmSync(path.join(folder.path, '.git/objects', oid.slice(0, 2), oid.slice(2)));
  expect(() => readOld(at, '', 'git:HEAD')).toThrow(`the repository does not contain the content of ${named}, as in a partial clone`);
});

test.each(['deploy\r', 'deploy/web.yaml\r', 'deploy\n'])('%j is refused, since git would read the path without the line break', (at) => {
  expect(() => readOld(at)).toThrow('contains a line break; rename it');
});

test('a repository whose path contains a line break is refused, also if only its .git does', () => {
  mkdirSync(path.join(folder.path, 'a\nb'));
  git('init', '-q', 'a\nb');
  expect(() => readOld('.', 'a\nb')).toThrow(
    `the path of the repository ${JSON.stringify(path.join(folder.path, 'a\nb'))} or of its .git contains a line break; rename the folder`,
  );
  git('-C', 'a\nb', 'commit', '-q', '--allow-empty', '-m', 'first');
  git('-C', 'a\nb', 'worktree', 'add', '-q', path.join(folder.path, 'linked'));
  expect(() => readOld('.', 'linked')).toThrow('or of its .git contains a line break; rename the folder');
});

test('a revision or path that is not UTF-8 is refused, since git would read another one', () => {
  expect(() => readOld('deploy', '', 'git:HEAD:\ufffd')).toThrow('it is not UTF-8, so another revision or folder would be read; rename it');
});

test('a folder of git whose name has a line separator is known', () => {
  renameSync(path.join(folder.path, '.git'), path.join(folder.path, 'a\u2028b'));
  writeFileSync(path.join(folder.path, '.git'), 'gitdir: a\u2028b\n');
  expect(readOld('deploy', '', 'git:HEAD~1')).toEqual([OLD]);
  expect(isFileOfGit(path.join(realpathSync(folder.path), 'a\u2028b/hooks/pre-commit'), realpathSync(folder.path))).toBe(true);
});

test.each([
  'HEAD@{1}',
  'HEAD@{1.week.ago}',
  'HEAD@{1 week ago}',
  'HEAD@{2000-01-01T00:00:00}',
  'origin/main@{0}',
  '@{-1}',
  'main@{u}@{1}',
  '@@{u}{1}',
  'main@{user}',
])('%s is refused, since the reflog of a new checkout has only HEAD', (revision) => {
  expect(() => readOld('deploy', '', `git:${revision}`)).toThrow(
    `git:${revision}: @{…} reads the reflog, which each checkout has only of itself; name a commit or a branch`,
  );
});

test('without a reflog, git takes a local branch for the remote branch of its name, so that none is read', () => {
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  rmSync(path.join(folder.path, '.git/logs'), { recursive: true });
  git('branch', 'origin/main', 'HEAD~1');
  const takenByGit = git('rev-parse', 'origin/main@{0}');
  expect({ takenByGit, main: git('rev-parse', 'refs/remotes/origin/main') }).toEqual({
    takenByGit: git('rev-parse', 'HEAD~1'),
    main: git('rev-parse', 'HEAD'),
  });
  expect(() => readOld('deploy', '', 'git:origin/main@{0}')).toThrow('name a commit or a branch');
  expect(() => readOld('deploy', '', 'git:origin/main')).toThrow('write the full name, such as git:refs/remotes/origin/main');
});

test.each(['@{u}', 'main@{upstream}', 'main@{UPSTREAM}~0', 'HEAD@{push}'])('%s is the branch that main is set up with', (revision) => {
  git('branch', 'base', 'HEAD~1');
  git('branch', '-q', '--set-upstream-to', 'base', 'main');
  git('config', 'push.default', 'upstream');
  expect(readOld('deploy', '', `git:${revision}`)).toEqual([OLD]);
});

test('a PATH outside the repository of the working directory is refused', () => {
  expect(() => readOld('../elsewhere')).toThrow('../elsewhere is outside the repository of the working directory');
});

/** A command that creates a file, as the configuration of a repository names programs. */
function touch(name: string): string {
  const script = path.join(folder.path, `${name}.sh`);
  writeFileSync(script, `#!/bin/sh\ntouch '${path.join(folder.path, name)}'\n`, { mode: 0o755 });
  return script;
}

test.each(['ext', 'evil'])('an object that is missing is not fetched, whatever the configuration allows: %s', (protocol) => {
  const oid = git('rev-parse', 'HEAD~1:deploy/web.yaml');
  rmSync(path.join(folder.path, '.git/objects', oid.slice(0, 2), oid.slice(2)));
  appendFileSync(
    path.join(folder.path, '.git/config'),
    `[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = evil\n[protocol]\n\tallow = always\n[protocol "${protocol}"]\n\tallow = always\n` +
      `[remote "evil"]\n\turl = ${protocol}::${touch('fetched')}\n\tpromisor = true\n`,
  );
  // Without an own program, git cannot run a helper of an unknown name.
  const bin = folderWith({});
  writeFileSync(path.join(bin.path, 'git-remote-evil'), `#!/bin/sh\ntouch '${path.join(folder.path, 'fetched')}'\n`, { mode: 0o755 });
  const env = { ...process.env, PATH: `${bin.path}:${process.env.PATH}` };
  expect(() => readOld('deploy', '', 'git:HEAD~1', env)).toThrow(/git fails with|does not contain the content/);
  expect(existsSync(path.join(folder.path, 'fetched'))).toBe(false);
  try {
    execFileSync('git', ['cat-file', '-p', oid], { cwd: folder.path, env, stdio: 'ignore' });
  } catch {
    // The object does not come, but the program of the attacker has run.
  }
  expect(existsSync(path.join(folder.path, 'fetched'))).toBe(true);
  bin.remove();
});

test.each(['a folder of the checkout', 'a relative folder', 'an empty entry'])(
  'no git of the checkout runs, although PATH names it: %s',
  (entry) => {
    const names = { 'a folder of the checkout': folder.path, 'a relative folder': '.', 'an empty entry': '' };
    renameSync(touch('ran'), path.join(folder.path, 'git'));
    const env = { ...process.env, PATH: `${names[entry as keyof typeof names]}:${process.env.PATH}` };
    expect(readOld('deploy', '', 'git:HEAD~1', env)).toEqual([OLD]);
    expect(existsSync(path.join(folder.path, 'ran'))).toBe(false);
  },
);

test('no program runs that the configuration of the repository names', () => {
  const program = touch('ran');
  appendFileSync(
    path.join(folder.path, '.git/config'),
    `[core]\n\tfsmonitor = ${program}\n\tpager = ${program}\n\thooksPath = ${folder.path}\n\tsshCommand = ${program}\n\tgitProxy = ${program}\n` +
      `[diff]\n\texternal = ${program}\n[diff "evil"]\n\ttextconv = ${program}\n[filter "evil"]\n\tsmudge = ${program}\n\tclean = ${program}\n` +
      `[alias]\n\trev-parse = !${program}\n\tls-tree = !${program}\n\tcat-file = !${program}\n[credential]\n\thelper = !${program}\n[pager]\n\tcat-file = ${program}\n`,
  );
  expect(readOld('deploy')).toEqual([OLD]);
  expect(existsSync(path.join(folder.path, 'ran'))).toBe(false);
});

test('no trace is written that the configuration of git in a home folder names, which may be the checkout', () => {
  const targets = ['normalTarget', 'perfTarget', 'eventTarget'];
  const trace = (name: string) => path.join(folder.path, `trace-${name}`);
  const settings = targets.map((name) => `\t${name} = ${trace(name)}\n`);
  writeFileSync(path.join(folder.path, '.gitconfig'), `[trace2]\n${settings.join('')}`);
  const env = { ...process.env, HOME: folder.path };
  const listTraces = () => targets.filter((name) => existsSync(trace(name)));
  expect([readOld('deploy', '', 'git:HEAD~1', env), listTraces()]).toEqual([[OLD], []]);
  execFileSync('git', ['version'], { cwd: folder.path, env });
  expect(listTraces()).toEqual(targets);
});

test('no bundle is downloaded that the configuration of the repository names: each command has an empty address of it', () => {
  // Versions 2.40 to 2.43 would download it with a program of their own if an object is missing.
  const bin = folderWith({ git: '#!/bin/sh\necho "$@" >>"$0.log"\nPATH=/usr/bin:/bin exec git "$@"\n' });
  chmodSync(path.join(bin.path, 'git'), 0o755);
  expect(readOld('deploy', '', 'git:HEAD~1', { ...process.env, PATH: `${bin.path}:/usr/bin:/bin` })).toEqual([OLD]);
  const commands = readFileSync(path.join(bin.path, 'git.log'), 'utf8').trim().split('\n');
  expect(commands.length).toBeGreaterThan(1);
  expect(commands.filter((command) => !command.includes(' -c fetch.bundleURI= '))).toEqual([]);
  bin.remove();
});

test('no configuration can name a protocol that git may use, and git fetch refuses its settings before it reads a remote', () => {
  // git before 2.44 runs `git fetch` for missing objects of a repository with a promisor remote, whatever GIT_NO_LAZY_FETCH says.
  const write = (lines: readonly string[]) => {
    writeFileSync(path.join(bin.path, 'git'), `#!/bin/sh\nPATH=/usr/bin:/bin\n${lines.join('\n')}\nexec git "$@"\n`);
    chmodSync(path.join(bin.path, 'git'), 0o755);
  };
  const bin = folderWith({});
  const env = { ...process.env, PATH: `${bin.path}:/usr/bin:/bin` };
  write(['echo "$GIT_ALLOW_PROTOCOL $*" >>"$0.log"']);
  expect(readOld('deploy', '', 'git:HEAD~1', env)).toEqual([OLD]);
  for (const command of readFileSync(path.join(bin.path, 'git.log'), 'utf8').trim().split('\n'))
    expect(command).toMatch(/^[\da-f-]{36} .* -c fetch\.parallel=-1 -c fetch\.recurseSubmodules=refused /);
  write(['case "$*" in *--verify*) exec git -c fetch.parallel=-1 fetch;; esac']);
  expect(() => readOld('deploy', '', 'git:HEAD~1', env)).toThrow(
    'git:HEAD~1: the checkout lacks objects of the revision, as a shallow or a partial clone does; fetch them before, such as with fetch-depth: 0 on GitHub, or GIT_DEPTH: 0 on GitLab',
  );
  bin.remove();
});

test.each(['..', '.git', '.GIT'])('a tree that a program wrote cannot write out of the folder that is rendered: it contains %s', (name) => {
  const id = (tree: string) => Buffer.from(git('rev-parse', tree), 'hex');
  const entries = [Buffer.from(`40000 ${name}\0`), id('HEAD:deploy'), Buffer.from('40000 staging\0'), id('HEAD:staging')];
  const tree = execFileSync('git', ['hash-object', '-t', 'tree', '-w', '--stdin', '--literally'], {
    cwd: folder.path,
    input: Buffer.concat(entries),
  });
  git('update-ref', 'refs/heads/forged', git('commit-tree', '-m', 'forged', tree.toString().trim()));
  expect(() => readRevisionTree(parseGitSource('git:forged'), { cwd: folder.path, env: process.env, log: () => {} })).toThrow(
    `git:forged: the revision contains "${name}/web.yaml", which git does not check out; name a folder with the old manifests`,
  );
});

test('a link of a revision that is rendered leads out of it neither by its text nor through another link', () => {
  const outside = folderWith({ 'secret.yaml': 'kind: Secret\n' });
  mkdirSync(path.join(folder.path, 'a/b/c'), { recursive: true });
  symlinkSync('../../..', path.join(folder.path, 'a/b/c/top'));
  symlinkSync(`a/b/c/top/../${path.relative(realpathSync(tmpdir()), outside.path)}/secret.yaml`, path.join(folder.path, 'through.yaml'));
  symlinkSync(`${outside.path}/secret.yaml`, path.join(folder.path, 'absolute.yaml'));
  symlinkSync('a/b/c/top/deploy/web.yaml', path.join(folder.path, 'inside.yaml'));
  git('add', '-A');
  git('commit', '-q', '-m', 'links');
  const { root, remove } = writeRevisionFolder(parseGitSource('git:HEAD'), { cwd: folder.path, env: process.env, log: () => {} });
  expect(readdirSync(root).toSorted()).toEqual(['.git', '.gitattributes', 'a', 'deploy', 'inside.yaml', 'staging']);
  remove();
  outside.remove();
});

test('a revision with more folders within each other than Node.js can remove is not written', () => {
  const importFile = (branch: string, levels: number) =>
    execFileSync('git', ['fast-import', '--quiet'], {
      cwd: folder.path,
      input: `blob\nmark :1\ndata 1\nx\ncommit refs/heads/${branch}\ncommitter a <a@example.com> 0 +0000\ndata 1\nm\nM 100644 :1 ${'a/'.repeat(levels)}f\n`,
    });
  importFile('deep', 500);
  importFile('deeper', 501);
  const write = (branch: string) =>
    writeRevisionFolder(parseGitSource(`git:${branch}`), { cwd: folder.path, env: process.env, log: () => {} });
  const { root, remove } = write('deep');
  remove();
  expect(existsSync(root)).toBe(false);
  expect(() => write('deeper')).toThrow(
    'git:deeper: a file of the revision is more than 500 folders deep; name a folder with the old manifests',
  );
});

test('a revision that no folder can contain is an error: a link and a folder of one name, or a name that is too long', () => {
  const write = (content: string) =>
    execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd: folder.path, input: content }).toString().trim();
  const tree = (...entries: readonly string[]) =>
    execFileSync('git', ['mktree'], { cwd: folder.path, input: entries.join('\n') })
      .toString()
      .trim();
  // `a/b/c/x` is the folder of the revision, so `y` is the one around it, although its text leads to `a/b/c`.
  const c = tree(`120000 blob ${write('../../..')}\tx`);
  const a = tree(`040000 tree ${tree(`040000 tree ${c}\tc`)}\tb`);
  const root = tree(
    `040000 tree ${a}\ta`,
    `120000 blob ${write('a/b/c/x/..')}\ty`,
    `040000 tree ${tree(`120000 blob ${write('x')}\tplanted`)}\ty`,
  );
  git('tag', 'evil', git('commit-tree', '-m', 'evil', root));
  const temporary = folderWith({});
  const env = { ...process.env };
  try {
    process.env['TMPDIR'] = temporary.path;
    const run = { cwd: folder.path, env, log: () => {} };
    expect(() => writeRevisionFolder(parseGitSource('git:evil'), run)).toThrow(
      'git:evil: the revision contains "y" more than once, as a file, a folder or a link; name a folder with the old manifests',
    );
    git('tag', 'twice', git('commit-tree', '-m', 'twice', tree(`100644 blob ${write('a')}\tz`, `100644 blob ${write('b')}\tz`)));
    expect(() => writeRevisionFolder(parseGitSource('git:twice'), run)).toThrow('git:twice: the revision contains "z" more than once');
    const long = 'a'.repeat(300);
    git('tag', 'long', git('commit-tree', '-m', 'long', tree(`100644 blob ${write('a')}\t${long}`)));
    expect(() => writeRevisionFolder(parseGitSource('git:long'), run)).toThrow(
      `git:long: cannot write "${long}" of the revision to a temporary folder: the name is too long; name a folder with the old manifests`,
    );
    expect(readdirSync(temporary.path)).toEqual([]);
  } finally {
    temporary.remove();
  }
});

test('git that takes longer than the seconds of the budget is ended', () => {
  const bin = folderWith({ git: '#!/bin/sh\nsleep 60\n' });
  chmodSync(path.join(bin.path, 'git'), 0o755);
  try {
    const run = {
      cwd: folder.path,
      env: { PATH: `${bin.path}:/usr/bin:/bin` },
      log: () => {},
      time: { seconds: 1, end: Date.now() + 1_000 },
    };
    const startedAt = Date.now();
    expect(() => readGitSource(parseGitSource('git:HEAD~1'), ['deploy'], run)).toThrow(
      'git:HEAD~1: reading the revision takes more than 1 second; name fewer files, or raise the budget with --budget seconds=2, if you trust this input',
    );
    expect(Date.now() - startedAt).toBeLessThan(30_000);
  } finally {
    bin.remove();
  }
});

test('git starts no command once the seconds of the budget are over', () => {
  const log: string[] = [];
  const run = { cwd: folder.path, env: process.env, log: (what: string) => void log.push(what), time: { seconds: 5, end: Date.now() } };
  expect(() => readGitSource(parseGitSource('git:HEAD~1'), ['deploy'], run)).toThrow('takes more than 5 seconds');
});

test('a marker or an ignore file of a revision that is above the limit of 10 MB has no text, as in a checkout', () => {
  const long = `# ${'x'.repeat(10_000_000)}\n`;
  for (const name of ['deploy/kustomization.yaml', 'deploy/.sourceignore', 'kustomization.yaml'])
    writeFileSync(path.join(folder.path, name), `namePrefix: a-\n${long}`);
  git('add', '-A');
  git('commit', '-q', '-m', 'long');
  const read = (given: string) =>
    readGitSource(parseGitSource('git:HEAD'), [given], { cwd: folder.path, env: process.env, log: () => {} }).map((entry) => [
      entry.file,
      'isSilent' in entry && 'text' in entry,
      'place' in entry && entry.place?.unit.name,
    ]);
  expect(read('deploy')).toEqual([
    ['git:HEAD:deploy/.sourceignore', false, 'git:HEAD'],
    ['git:HEAD:deploy/kustomization.yaml', false, 'git:HEAD'],
    ['git:HEAD:deploy/web.yaml', false, 'git:HEAD'],
  ]);
});

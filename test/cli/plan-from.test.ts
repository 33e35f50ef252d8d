import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlanDocument } from '../../src/core/document/plan-document';
import { rolloutkit } from './command-line';

const web = (image: string, replicas = 4) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers: [{ name: web, image: "${image}", readinessProbe: { httpGet: { path: /, port: 80 } } }]
`;

function git(folder: string, ...args: readonly string[]): void {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'ignore' });
}

function committed(folder: string): void {
  git(folder, 'init', '-q', '-b', 'main');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '-m', 'first');
}

test('plan --from reads a folder, and prints a summary line, a line for each object, and the waves', async () => {
  const files = { 'old/web.yaml': web('web:1'), 'new/web.yaml': web('web:2') };
  const { exitCode, stdout, stderr } = await rolloutkit('plan --from old new', { files });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toMatchSnapshot();
});

describe('--from git:', () => {
  const files = { 'dist/web.yaml': web('web:1') };

  async function planned(from: string) {
    const { stdout, stderr } = await rolloutkit(['plan', '--from', from, '--format', 'json', 'dist'], {
      files,
      prepare: (folder) => {
        committed(folder);
        execFileSync('sed', ['-i', 's/web:1/web:2/', 'dist/web.yaml'], { cwd: folder });
      },
    });
    const { change } = JSON.parse(stdout) as { change: { objects: readonly { effect: string }[] } };
    return { effects: change.objects.map(({ effect }) => effect), stderr };
  }

  test('reads a path of a revision, and logs the commands on standard error', async () => {
    const { effects, stderr } = await planned('git:HEAD:dist');
    expect(effects).toEqual(['roll']);
    expect(stderr.replaceAll(/[0-9a-f]{40}/g, '<oid>')).toBe(
      [
        'rolloutkit: runs git rev-parse --show-toplevel --absolute-git-dir',
        'rolloutkit: runs git rev-parse --verify --end-of-options HEAD^{commit}^{tree}',
        'rolloutkit: runs git cat-file --batch-check --follow-symlinks',
        'rolloutkit: runs git ls-tree -r -z --full-tree <oid>',
        'rolloutkit: runs git cat-file --batch',
        'rolloutkit: runs git ls-tree -z --full-tree <oid> -- ' +
          'dist/kustomization.yaml dist/kustomization.yml dist/Kustomization dist/Chart.yaml dist/fleet.yaml dist/fleet.yml dist/.helmignore ' +
          'kustomization.yaml kustomization.yml Kustomization Chart.yaml fleet.yaml fleet.yml .helmignore',
        '',
      ].join('\n'),
    );
  });

  test.each(['git:HEAD', 'git:HEAD:dist'])('%s: files excluded by the configuration or a flag are excluded from OLD too', async (from) => {
    const withTests = { 'dist/web.yaml': web('web:1'), 'dist/testdata/b.yaml': web('web:0').replace('name: web', 'name: b') };
    const objects = async (args: readonly string[], more: Readonly<Record<string, string>> = {}) => {
      const { stdout } = await rolloutkit(['plan', '--from', from, '--format', 'json', ...args, 'dist'], {
        files: { ...withTests, ...more },
        prepare: committed,
      });
      const { change } = JSON.parse(stdout) as { change: { objects: readonly { resource: { name: string } }[] } };
      return change.objects.map(({ resource }) => resource.name);
    };
    expect(await objects([])).toEqual(['b', 'web']);
    expect(await objects([], { 'rolloutkit.yaml': 'exclude: ["dist/testdata"]\n' })).toEqual(['web']);
    expect(await objects(['--exclude', 'testdata'])).toEqual(['web']);
    expect(await objects(['--exclude', 'testdata/*.yaml'])).toEqual(['web']);
  });

  test('reads the paths of NEW if the source names none', async () => {
    expect((await planned('git:HEAD')).effects).toEqual(['roll']);
  });

  test('runs no hooks or helpers of the repository, and changes neither its index nor its work tree', async () => {
    let ran: () => boolean = () => true;
    let before = '';
    let index: () => string = () => '';
    const { stdout } = await rolloutkit('plan --from git:HEAD:dist --format json dist', {
      files: { ...files, '.gitattributes': '*.yaml filter=evil diff=evil\n' },
      prepare: (folder) => {
        committed(folder);
        const marker = join(folder, 'ran');
        const program = join(folder, 'evil.sh');
        writeFileSync(program, `#!/bin/sh\ntouch '${marker}'\ncat\n`, { mode: 0o755 });
        for (const hook of ['post-index-change', 'reference-transaction', 'post-checkout'])
          writeFileSync(join(folder, '.git/hooks', hook), `#!/bin/sh\ntouch '${marker}'\n`, { mode: 0o755 });
        for (const key of [
          'core.fsmonitor',
          'core.pager',
          'diff.evil.textconv',
          'filter.evil.smudge',
          'filter.evil.clean',
          'core.sshCommand',
        ])
          git(folder, 'config', key, program);
        git(folder, 'config', 'alias.ls-tree', `!${program}`);
        git(folder, 'config', 'core.hooksPath', join(folder, '.git/hooks'));
        rmSync(marker, { force: true });
        index = () => readFileSync(join(folder, '.git/index')).toString('base64');
        before = index();
        ran = () => existsSync(marker);
      },
      inspect: () => {
        expect(ran()).toBe(false);
        expect(index()).toBe(before);
      },
    });
    expect(JSON.parse(stdout)).toMatchObject({ change: { objects: [{ effect: 'none' }] } });
  });

  test('fails for a file whose content is missing from the repository, as in a partial clone', async () => {
    const { exitCode, stdout, stderr } = await rolloutkit('plan --from git:HEAD:dist dist', {
      files,
      prepare: (folder) => {
        committed(folder);
        const oid = execFileSync('git', ['rev-parse', 'HEAD:dist/web.yaml'], { cwd: folder, encoding: 'utf8' }).trim();
        rmSync(join(folder, '.git/objects', oid.slice(0, 2), oid.slice(2)));
      },
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('the repository does not contain the content of dist/web.yaml');
  });

  test('does not follow a link that leads out of the revision, and reports it', async () => {
    const { stdout } = await rolloutkit('plan --from git:HEAD:dist --format json new', {
      files: { ...files, 'new/web.yaml': web('web:2'), 'secret.yaml': web('hidden:1').replace('name: web', 'name: hidden') },
      prepare: (folder) => {
        symlinkSync('../secret.yaml', join(folder, 'dist/link.yaml'));
        symlinkSync('/etc/hostname', join(folder, 'dist/host.yaml'));
        committed(folder);
      },
    });
    const { change, findings } = JSON.parse(stdout) as PlanDocument;
    expect(change!.objects.map(({ resource }) => resource.name)).toEqual(['web']);
    expect(findings.filter(({ code }) => code === 'input/skipped').map(({ messageId, data }) => [messageId, data])).toEqual([
      ['link', { file: 'git:HEAD:dist/host.yaml' }],
      ['link', { file: 'git:HEAD:dist/link.yaml' }],
    ]);
  });

  test('lists a note about a file once if both sides have it, and one that only OLD has', async () => {
    const { stdout } = await rolloutkit('plan --from git:HEAD --format json dist', {
      files: {
        ...files,
        'dist/00-assert.yaml': web('web:0'),
        'dist/01-assert.yaml': web('web:0'),
        'dist/kustomization.yaml': 'resources: [web.yaml, ../base]\n',
        'dist/template.yaml': 'a: {{ b }}\n',
        'web.yaml': web('web:0'),
      },
      prepare: (folder) => {
        symlinkSync('../web.yaml', join(folder, 'dist/link.yaml'));
        committed(folder);
        rmSync(join(folder, 'dist/01-assert.yaml'));
      },
    });
    const { findings } = JSON.parse(stdout) as PlanDocument;
    expect(findings.map(({ code, source }) => `${code} ${source?.file}`)).toEqual([
      'input/not-read dist/00-assert.yaml',
      'input/kustomization dist/kustomization.yaml',
      'input/skipped dist/link.yaml',
      'input/template dist/template.yaml',
      'input/not-read git:HEAD:dist/01-assert.yaml',
    ]);
  });

  test.each([
    ['git:--upload-pack=x', 'a revision cannot begin with "-"'],
    ['git:', 'names no revision'],
    ['git:nowhere:dist', 'git fails with'],
    ['git:HEAD:elsewhere', 'nothing at elsewhere'],
  ])('%s cannot be read, and nothing is printed', async (from, reason) => {
    const { exitCode, stdout, stderr } = await rolloutkit(['plan', '--from', from, 'dist'], { files, prepare: committed });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(reason);
  });
});

test.each<[what: string, path: string, change: (folder: string) => void, reason: string]>([
  [
    'leads elsewhere for kubectl, because NEW replaces a folder by a link',
    'prod/../base/web.yaml',
    (folder) => {
      for (const name of ['prod', 'base']) rmSync(join(folder, name), { recursive: true });
      symlinkSync('evil/sub', join(folder, 'prod'));
    },
    'cannot read prod/../base/web.yaml: ".." follows the symbolic link prod, so it leads elsewhere for other programs',
  ],
  [
    'is a pattern for kubectl, because NEW deletes the file of this name',
    '[a].yaml',
    (folder) => rmSync(join(folder, '[a].yaml')),
    'cannot read [a].yaml: the working tree has no file of this name, and kubectl takes it for a pattern; name files',
  ],
])('a PATH that %s does not count as deleted', async (_, file, change, reason) => {
  const files = {
    'prod/keep': '',
    'base/web.yaml': web('web:1'),
    'evil/sub/keep': '',
    'evil/base/web.yaml': web('web:2'),
    '[a].yaml': web('web:1'),
  };
  const prepare = (folder: string) => {
    committed(folder);
    change(folder);
  };
  const { exitCode, stdout, stderr } = await rolloutkit(['plan', '--from', 'git:HEAD', file], { files, prepare });
  expect([exitCode, stdout, stderr]).toEqual([2, '', `rolloutkit: ${reason}\n`]);
});

test.each([
  ['--apply kubectl --from old.yaml new.yaml', '--apply kubectl is not supported'],
  ['--apply server new.yaml', '--apply applies only to a change'],
  ['--prune new.yaml', '--prune applies only to a change'],
  ['--from - -', '- is given twice'],
])('plan %s is not run', async (args, reason) => {
  const { exitCode, stdout, stderr } = await rolloutkit(`plan ${args}`, { files: { 'old.yaml': web('web:1'), 'new.yaml': web('web:2') } });
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(reason);
});

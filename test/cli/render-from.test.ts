import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { folderWith } from '../folder';
import { rolloutkit } from './command-line';

const BASE = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 4
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:1", readinessProbe: {tcpSocket: {port: 80}}}]}
`;

const FILES = {
  'base/web.yaml': BASE,
  'base/kustomization.yaml': 'resources: [web.yaml]\n',
  'prod/kustomization.yaml': 'namespace: prod\nresources: [../base]\n',
};

/** A kustomize that prints the base, in the namespace of the overlay. It reads the folder that it runs in, so each side has its own output. */
const KUSTOMIZE = `[ "$2" = prod ] && ns=prod || ns=base
[ -f base/broken ] && { echo "E0101 00:00:00.000000       1 run.go:72] accumulating resources:" >&2; echo "  $PWD/base/broken: it is broken" >&2; exit 1; }
while IFS= read -r line; do case "$line" in "metadata: {name: web}") echo "metadata: {name: web, namespace: $ns}";; *) printf '%s\\n' "$line";; esac; done < base/web.yaml`;

function git(folder: string, ...args: readonly string[]): void {
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false', ...args], {
    cwd: folder,
    stdio: 'ignore',
  });
}

function programs(script: string): { readonly path: string; readonly remove: () => void } {
  const bin = folderWith({});
  writeFileSync(path.join(bin.path, 'kustomize'), `#!/bin/sh\n${script}\n`);
  chmodSync(path.join(bin.path, 'kustomize'), 0o755);
  return bin;
}

const GIT = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();

/** Runs a command where the files are committed, then changed. */
async function ran(args: string, setting: { readonly change: (folder: string) => void; readonly script?: string | undefined }) {
  const { change, script } = { script: KUSTOMIZE, ...setting };
  const bin = script === undefined ? folderWith({}) : programs(script);
  // A folder with git may contain kubectl too.
  symlinkSync(GIT, path.join(bin.path, 'git'));
  const before = readdirSync(tmpdir());
  const { exitCode, stdout, stderr } = await rolloutkit(args, {
    files: FILES,
    env: { PATH: bin.path },
    prepare: (folder) => {
      git(folder, 'init', '-q', '-b', 'main');
      git(folder, 'add', '-A');
      git(folder, 'commit', '-q', '-m', 'first');
      change(folder);
    },
  });
  bin.remove();
  const left = readdirSync(tmpdir()).filter((name) => name.startsWith('rolloutkit-revision-') && !before.includes(name));
  return { exitCode, stdout, stderr, headline: stdout.split('\n')[0], left };
}

const toImage2 = (folder: string) => writeFileSync(path.join(folder, 'base/web.yaml'), BASE.replace('web:1', 'web:2'));

describe('--from git:REVISION --render renders both sides', () => {
  test('so that only what differs in the rendered objects is a change, and nothing is left behind', async () => {
    const { exitCode, headline, left } = await ran('plan --from git:HEAD --render prod', { change: toImage2 });
    expect({ exitCode, headline, left }).toEqual({
      exitCode: 0,
      headline: '1 of 1 object differs: 1 rolls; 4 pods are replaced; needs up to 1 extra pod; assumes Kubernetes 1.36',
      left: [],
    });
  });

  test('nothing changes if nothing differs', async () => {
    const { headline } = await ran('plan --from git:HEAD --render .', { change: () => undefined });
    expect(headline).toBe('nothing changes: all 2 objects are up to date; assumes Kubernetes 1.36');
  });

  test('an OLD that cannot be rendered is in the headline, no object is called new, and the exit code is 2', async () => {
    const broken = { 'base/broken': '' };
    const change = (folder: string) => {
      for (const [name, text] of Object.entries(broken)) writeFileSync(path.join(folder, name), text);
      git(folder, 'add', '-A');
      git(folder, 'commit', '-q', '-m', 'broken');
      rmSync(path.join(folder, 'base/broken'));
    };
    const script = KUSTOMIZE.replace('it is broken', 'it is broken in $PWD');
    const { exitCode, stdout, headline } = await ran('check --from git:HEAD --render prod', { change, script });
    expect({ exitCode, headline }).toEqual({
      exitCode: 2,
      headline:
        'incomplete: 1 folder is not rendered; 1 of 1 object differs: 1 has an unknown effect; the number of affected pods is unknown; assumes Kubernetes 1.36',
    });
    // All lines of the error, without the temporary folder.
    expect(stdout).toContain(
      'git:HEAD:prod is not planned because kustomize build prod fails: accumulating resources: base/broken: it is broken in .',
    );
  });

  test('a NEW that cannot be rendered deletes nothing, not even with --prune', async () => {
    const change = (folder: string) => writeFileSync(path.join(folder, 'base/broken'), '');
    const { exitCode, headline } = await ran('plan --from git:HEAD --render --prune prod', { change });
    expect({ exitCode, headline }).toEqual({
      exitCode: 2,
      headline: 'incomplete: 1 folder is not rendered; no object of NEW was read',
    });
  });

  test('a program that both sides lack is one finding, with no empty position', async () => {
    const { stdout, headline } = await ran('check --from git:HEAD --render prod base', { change: () => undefined, script: undefined });
    expect(headline).toBe('incomplete: 2 folders are not rendered; the 3 objects that were read do not differ; assumes Kubernetes 1.36');
    expect(stdout.match(/not-rendered/g)).toHaveLength(1);
    expect(stdout).not.toMatch(/at: *$/m);
  });
});

describe('an overlay that only one side has', () => {
  const toOtherFolder = (folder: string) => renameSync(path.join(folder, 'prod'), path.join(folder, 'next'));
  // The fake kustomize takes every other folder for the base.
  const ADDED = '1 of 1 object differs: 1 is new; 4 pods are added; needs up to 4 extra pods; assumes Kubernetes 1.36';

  test.each(['--render', ''])('is new if the revision lacks it %s', async (render) => {
    const { exitCode, headline, stderr } = await ran(`plan --from git:HEAD ${render} next`, { change: toOtherFolder });
    expect([exitCode, headline]).toEqual([
      0,
      render ? ADDED : '1 of 1 object differs: 1 has an unknown effect; the number of affected pods is unknown; assumes Kubernetes 1.36',
    ]);
    expect(stderr).toContain('rolloutkit: git:HEAD has no next: OLD contains nothing of it');
  });

  test.each([
    ['--prune', '1 of 1 object differs: 1 is deleted; 4 pods are removed; needs no extra pods'],
    ['', 'nothing changes: 1 of 1 object is only in OLD, and kept'],
  ])('is gone if the working tree lacks it %s', async (prune, expected) => {
    const { exitCode, headline, stderr } = await ran(`check --from git:HEAD --render ${prune} prod`, { change: toOtherFolder });
    expect([exitCode, headline]).toEqual([0, expected]);
    expect(stderr).toContain('rolloutkit: only git:HEAD has prod: NEW contains nothing of it');
  });

  test('is an error if neither side has it, or if the source names it itself', async () => {
    const misspelt = await ran('plan --from git:HEAD --render prd', { change: () => undefined });
    expect([misspelt.exitCode, misspelt.stdout]).toEqual([2, '']);
    expect(misspelt.stderr).toContain('git:HEAD: neither the revision nor the working tree has prd; check its spelling');
    const named = await ran('plan --from git:HEAD:next --render next', { change: toOtherFolder });
    expect(named.exitCode).toBe(2);
    expect(named.stderr).toContain('git:HEAD:next: the revision has nothing at next');
  });
});

test('NEW on standard input next to an OLD that is not rendered is not called new', async () => {
  const { exitCode, stdout } = await rolloutkit('plan --from prod -', {
    files: FILES,
    stdin: BASE.replace('{name: web}', '{name: web, namespace: prod}'),
  });
  expect(exitCode).toBe(2);
  expect(stdout.split('\n')[0]).toBe(
    'incomplete: 1 folder is not rendered; 1 of 2 objects differs: 1 has an unknown effect; the number of affected pods is unknown; assumes Kubernetes 1.36',
  );
});

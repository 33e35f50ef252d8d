import { execFileSync } from 'node:child_process';
import { delayClockIn } from '../late-clock';
import { rolloutkit } from './command-line';
import type { Setting } from './command-line';
import { WEB } from './manifests';

/* Each stage of a change has the seconds of the budget again, and a command that exceeds them ends, fails and names the budget. */

const SIDES = { 'old/web.yaml': WEB, 'new/web.yaml': WEB.replace('web:1', 'web:2') };
const UNKNOWN = 'apiVersion: apps/v1\nkind: Foo\nmetadata: { name: a }\n';

/** Runs a command whose stage in a file of `src` takes hours. Returns its exit code and its last line. */
async function runLate(
  file: string,
  command: string,
  setting: Setting,
  seconds?: number,
): Promise<readonly [exitCode: number, last: string | undefined]> {
  const restore = delayClockIn(file, seconds);
  try {
    const { exitCode, stderr } = await rolloutkit(command, setting);
    return [exitCode, stderr.trimEnd().split('\n').at(-1)];
  } finally {
    restore();
  }
}

function commitAll(folder: string): void {
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: folder });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
}

test('placing the files of a revision ends', async () => {
  expect(await runLate('input/git/git-source.ts', 'check --from git:HEAD old', { files: SIDES, prepare: commitAll })).toEqual([
    2,
    'rolloutkit: git:HEAD: reading the revision takes more than 300 seconds; name fewer files, or raise the budget with --budget seconds=600, if you trust this input',
  ]);
});

test('computing the digests of Secrets, to compare them with a snapshot, ends', async () => {
  const snapshot = {
    context: 'prod',
    defaultNamespace: 'shop',
    namespaces: ['shop'],
    detectedVersions: {},
    clusterScopedKinds: [],
    unread: [],
  };
  const header = { apiVersion: 'rolloutkit/v1', kind: 'ClusterSnapshot', metadata: { name: 'prod' }, snapshot };
  const files = {
    'snapshot.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [header] }),
    'secret.yaml': 'apiVersion: v1\nkind: Secret\nmetadata: { name: a, namespace: shop }\nstringData: { a: b }\n',
  };
  const command = 'check --from snapshot.json secret.yaml';
  expect(await rolloutkit(command, { files })).toMatchObject({ exitCode: 0 });
  expect(await runLate('live/secret-digest.ts', command, { files })).toEqual([
    2,
    'rolloutkit: computing the digests of Secrets takes more than 300 seconds; raise the budget with --budget seconds=600, if you trust this input',
  ]);
});

test('comparing the findings of both sides ends', async () => {
  const files = { ...SIDES, 'old/foo.yaml': UNKNOWN, 'new/foo.yaml': UNKNOWN };
  expect(await runLate('change/result/relevant-findings.ts', 'check --from old new', { files })).toEqual([
    2,
    'rolloutkit: comparing the findings of OLD and NEW takes more than 300 seconds; raise the budget with --budget seconds=600, if you trust this input',
  ]);
});

test('planning OLD, to know which findings are new, ends', async () => {
  expect(await runLate('cli/input/time-limit.ts', 'check --from old new', { files: SIDES })).toEqual([
    2,
    'rolloutkit: OLD: Nothing is planned: planning takes more than 300 seconds. Raise the budget with --budget seconds=600, if you trust this input.',
  ]);
});

test('searching the findings for the folders of what a tool deletes ends', async () => {
  const source = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: apps }
spec: { path: ./apps, prune: true }
`;
  const files = { 'old/flux.yaml': source, 'old/apps/web.yaml': WEB, 'new/flux.yaml': source };
  expect(await rolloutkit('diff old new', { files })).toMatchObject({ exitCode: 0 });
  expect(await runLate('change/findings/not-pruned-objects.ts', 'diff old new', { files })).toEqual([
    2,
    'rolloutkit: Nothing is planned: planning takes more than 300 seconds. Raise the budget with --budget seconds=600, if you trust this input.',
  ]);
});

test.each([
  ['plan/plan.ts', 'diff old new'],
  ['change/steps/compare-sides.ts', 'diff old new --format json'],
  ['change/steps/evaluate-effects.ts', 'diff old new --fail-on-riskier'],
])('in %s, %s ends', async (file, command) => {
  expect(await runLate(file, command, { files: SIDES })).toEqual([
    2,
    'rolloutkit: Nothing is planned: planning takes more than 300 seconds. Raise the budget with --budget seconds=600, if you trust this input.',
  ]);
});

test.each(['plan/plan.ts', 'change/steps/compare-sides.ts', 'advise/advise.ts'])('in %s, advise --from old new ends', async (file) => {
  expect(await runLate(file, 'advise --from old new', { files: SIDES })).toEqual([
    2,
    'rolloutkit: the advice takes more than 300 seconds; name fewer rollouts with --resource, or raise the budget with --budget seconds=600, if you trust this input',
  ]);
});

test('evaluating the guardrails ends in fix after the seconds of its budget', async () => {
  const files = { 'web.yaml': WEB.replace('replicas: 10', 'replicas: "10"'), 'policy.yaml': 'requireReadinessProbe: true\n' };
  const command = 'fix --policy policy.yaml --budget seconds=5 web.yaml';
  expect(await rolloutkit(command, { files })).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('web.yaml') });
  expect(await runLate('guardrails/add-guardrail-findings.ts', command, { files }, 10)).toEqual([
    2,
    'rolloutkit: Nothing is planned: planning takes more than 5 seconds. Raise the budget with --budget seconds=10, if you trust this input.',
  ]);
});

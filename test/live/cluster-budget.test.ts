import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { PlanDocument } from '../../src/core/document/plan-document';
import { Kubectl } from '../../src/live/kubectl';
import { followCluster } from '../../src/live/verify/follow-cluster';
import type { PlanVerifier } from '../../src/live/verify/verify-plan';
import { rolloutkit } from '../cli/command-line';
import type { Setting } from '../cli/command-line';

// Each command of kubectl is a process of its own.
jest.setTimeout(60_000);

const EMPTY_LIST = `echo '{"apiVersion":"v1","kind":"List","items":[]}'`;

/** A kubectl whose server has ConfigMaps only, and none of them exists. `sleep` seconds pass before each list is printed. */
const scriptOf = (sleep: number, list = EMPTY_LIST, context = 'prod') => `#!/bin/sh
case "$*" in
  *current-context*) printf '${context}' ;;
  *"config view"*) echo shop ;;
  *version*) echo '{"serverVersion":{"major":"1","minor":"34","gitVersion":"v1.34.4"}}' ;;
  *api-resources*) echo 'configmaps cm v1 true ConfigMap' ;;
  *get*) [ ${sleep} = 0 ] || exec sleep ${sleep}; ${list} ;;
esac
`;

function settingOf(files: Readonly<Record<string, string>>, sleep = 0, script = scriptOf(sleep)): Setting {
  const env: Record<string, string> = {};
  return {
    files,
    env,
    prepare: (folder) => {
      const bin = path.join(folder, '.bin');
      mkdirSync(bin);
      writeFileSync(path.join(bin, 'kubectl'), script);
      chmodSync(path.join(bin, 'kubectl'), 0o755);
      env.PATH = [bin, '/usr/bin', '/bin'].join(path.delimiter);
    },
  };
}

const inNamespace = (namespace: string) => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings, namespace: ${namespace} }\n`;

describe('a pull request that names many namespaces', () => {
  const manyNamespaces = Array.from({ length: 103 }, (_, index) => `team-${String(index).padStart(3, '0')}`);
  const files = { 'a.yaml': manyNamespaces.map(inNamespace).join('---\n') };

  test('makes no more than 100 of them be read, and an error names the others', async () => {
    const { exitCode, stdout, stderr } = await rolloutkit('check --from cluster a.yaml', settingOf(files));

    expect(exitCode).toBe(1);
    expect(stderr.match(/ get configmaps settings --namespace=/g)).toHaveLength(100);
    expect(stderr).toContain('does not read 3 further namespaces: team-100, team-101, team-102\n');
    expect(stdout).toContain(
      'The objects are in too many namespaces: of the cluster, 100 namespaces are read, and nothing in team-100, team-101 and team-102.',
    );
  });

  test('leaves open what happens to the objects in them', async () => {
    const { stdout } = await rolloutkit('plan --from cluster --format json a.yaml', settingOf(files));
    const { change } = JSON.parse(stdout) as PlanDocument;

    expect(change!.summary).toMatchObject({ create: 0, unknown: 103 });
  });
});

test('a plan for many namespaces starts no kubectl for each of them', async () => {
  const watches = Array.from({ length: 201 }, (_, index) => ({ resource: 'pods', namespace: `team-${index}` }));
  const started: string[] = [];
  const kubectl = new Kubectl({
    program: '/bin/false',
    cwd: '/',
    env: {},
    log: (command) => started.push(command),
    limit: { seconds: 60 },
  });
  const verifier = { listWatches: () => watches, compare: () => [], hasEnded: false } as unknown as PlanVerifier;

  await expect(followCluster(kubectl, verifier, { timeout: 1_000, onChange: () => {}, onNote: () => {} })).rejects.toThrow(
    'the rollouts of the plan need 201 watches at the same time, and at most 200 are made; plan fewer namespaces, with plan --namespace',
  );
  expect(started).toEqual([]);
});

describe('the seconds of the budget', () => {
  test('limit what the cluster is asked, too', async () => {
    const startedAt = Date.now();
    const { exitCode, stdout, stderr } = await rolloutkit(
      'plan --from cluster --budget seconds=1 a.yaml',
      settingOf({ 'a.yaml': inNamespace('shop') }, 30),
    );

    expect(Date.now() - startedAt).toBeLessThan(25_000);
    expect([exitCode, stdout]).toEqual([2, '']);
    // On a busy machine, an earlier command is not finished.
    expect(stderr.split('\n').at(-2)).toMatch(
      /^rolloutkit: reading the cluster takes more than 1 second, and kubectl .+ was not finished; name fewer files or namespaces, or raise the budget with --budget seconds=2, if you trust this input$/,
    );
  });

  test.each(['current-context', 'config view'])('is the --timeout of verify, while kubectl reads %s', async (hanging) => {
    const manifest = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec: { selector: { matchLabels: { app: web } }, template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: web, image: web }] } } }
`;
    const plan = (await rolloutkit('plan --format json web.yaml', { files: { 'web.yaml': manifest } })).stdout;
    const script = scriptOf(0).replace('case "$*" in', `case "$*" in *"${hanging}"*) exec sleep 30 ;; esac; case "$*" in`);
    const { exitCode, stdout, stderr } = await rolloutkit('verify plan.json --timeout 2s', settingOf({ 'plan.json': plan }, 0, script));

    expect([exitCode, stdout]).toEqual([2, '']);
    // On a busy machine, an earlier command is not finished.
    expect(stderr.split('\n').at(-2)).toMatch(
      /^rolloutkit: reading the cluster takes more than 2 seconds, and kubectl config .+ was not finished; raise --timeout$/,
    );
  });
});

describe('what a cluster or its kubectl answers', () => {
  const files = { 'a.yaml': inNamespace('shop') };

  test('a kubectl that does not stop when it is told to does not keep the run from ending', async () => {
    const script = scriptOf(0, `trap '' TERM; while :; do :; done`);
    const { exitCode, stderr } = await rolloutkit('plan --from cluster --budget seconds=1 a.yaml', settingOf(files, 0, script));
    expect(exitCode).toBe(2);
    expect(stderr).toContain('rolloutkit: reading the cluster takes more than 1 second, and kubectl get ');
  });

  test('an object with more levels than any plan reads is an error that names it', async () => {
    const list = `printf '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"settings","namespace":"shop","x":'
    head -c 100000 /dev/zero | tr '\\0' '['
    head -c 100000 /dev/zero | tr '\\0' ']'
    printf '}}'`;
    const { exitCode, stderr } = await rolloutkit('plan --from cluster a.yaml', settingOf(files, 0, scriptOf(0, list)));
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      'rolloutkit: ConfigMap shop/settings has more than 1,000 levels of maps and lists, so the cluster cannot be read; delete the object, or name other namespaces\n',
    );
  });

  test('the name of a context is text', async () => {
    const setting = settingOf(files, 0, scriptOf(0, EMPTY_LIST, 'prod\\033[2J'));
    const { stdout } = await rolloutkit('plan --from cluster a.yaml', setting);
    expect(stdout).toContain('from cluster prod\\u001b[2J, namespace shop; ');
  });
});

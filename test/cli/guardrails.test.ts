import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlanDocument } from '../../src/core/document/plan-document';
import { expectValidPlan } from '../plan-schema';
import { rolloutkit } from './command-line';
import { WEB } from './manifests';

const POLICY = 'neverBelow: {available: 90%}\nrequireReadinessProbe: true\n';

async function found(args: string, files: Readonly<Record<string, string>>): Promise<unknown[]> {
  const { stdout } = await rolloutkit(`plan ${args} --policy policy.yaml --format json`, { files: { 'policy.yaml': POLICY, ...files } });
  const { rollouts } = expectValidPlan(JSON.parse(stdout) as PlanDocument);
  return rollouts.flatMap(({ findings }) =>
    findings.map(({ severity, code, messageId, path, data, source }) => [severity, code, messageId, path, data, source?.line]),
  );
}

const AVAILABLE = [
  'error',
  'guardrails/refused',
  'available',
  'spec.strategy.rollingUpdate.maxUnavailable',
  { objectKind: 'Deployment', type: 'RollingUpdate', available: 8, replicas: 10, floor: 9 },
  12,
];

test('a Deployment that violates the guardrails is an error of its rollout, with its line', async () => {
  expect(await found('web.yaml', { 'web.yaml': WEB })).toEqual([AVAILABLE]);
  expect(await found('web.yaml', { 'web.yaml': WEB.replace('maxUnavailable: 2', 'maxUnavailable: 1') })).toEqual([]);
});

test('a key of the policy without a value is ignored', async () => {
  const policy = `${POLICY}atMost:\nstrategies:\nrequireBudget:\nexceptions:\nmatch:\n  kinds:\n  namespaces:\n  labels:\n`;
  expect(await found('web.yaml', { 'web.yaml': WEB, 'policy.yaml': policy })).toEqual([AVAILABLE]);
});

test('a violation is an error in the plan of a change too, and no annotation suppresses it', async () => {
  const next = WEB.replace('web:1', 'web:2');
  expect(await found('new.yaml --from old.yaml', { 'old.yaml': WEB, 'new.yaml': next })).toEqual([AVAILABLE]);
  const ignoring = WEB.replace('  name: web\n', "  name: web\n  annotations: {rolloutkit/ignore: 'guardrails/refused: we know'}\n");
  expect((await found('web.yaml', { 'web.yaml': ignoring })).map((row) => (row as unknown[]).slice(0, 3))).toEqual([AVAILABLE.slice(0, 3)]);
});

test('check fails for a violation', async () => {
  expect((await rolloutkit('check web.yaml --policy policy.yaml', { files: { 'policy.yaml': POLICY, 'web.yaml': WEB } })).exitCode).toBe(1);
});

test('a baseline is written without violations, and one that lists them does not suppress them', async () => {
  const files = { 'policy.yaml': POLICY, 'web.yaml': WEB };
  let written = '';
  const wrote = await rolloutkit('check web.yaml --policy policy.yaml --write-baseline baseline.json', {
    files,
    inspect: (folder) => {
      written = readFileSync(join(folder, 'baseline.json'), 'utf8');
    },
  });
  expect([wrote.exitCode, JSON.parse(written)]).toEqual([1, { formatVersion: '1.2', findings: [] }]);

  const entry = {
    code: 'guardrails/refused',
    messageId: 'available',
    file: 'web.yaml',
    resource: 'Deployment/shop/web',
    path: 'spec.strategy.rollingUpdate.maxUnavailable',
    count: 1,
  };
  const baseline = JSON.stringify({ formatVersion: '1.2', findings: [entry] });
  const { exitCode, stdout, stderr } = await rolloutkit('check web.yaml --policy policy.yaml --baseline baseline.json --format json', {
    files: { ...files, 'baseline.json': baseline },
  });
  const { summary } = JSON.parse(stdout) as PlanDocument;
  expect([exitCode, summary.errors, summary.suppressed, stderr]).toEqual([1, 1, 0, '']);
});

test.each([
  ['never: 1\n', 'never: there is no such key; write neverBelow'],
  ['- 1\n', 'contains 0 policies'],
  ['neverBelow: {}\n', 'neverBelow: it requires nothing; write available, or leave it out'],
  ['atMost: {}\n', 'atMost: it requires nothing; write extraPods or extraGpus, or leave it out'],
  ['atMost: {extraGpus: null}\n', 'atMost.extraGpus: null is not a number of GPUs; write 4'],
  ['exceptions: [{namespaces: [a], reason: }]\n', 'exceptions[0]: it gives no reason'],
  ['match: {labels: {team: }}\n', 'match.labels[team]: it has no value; write one in quotes'],
  ['exceptions: [{namespaces: [a]}]\n', 'exceptions[0]: it gives no reason'],
])('a policy %j is refused', async (policy, message) => {
  const { exitCode, stdout, stderr } = await rolloutkit('check web.yaml --policy policy.yaml', {
    files: { 'policy.yaml': policy, 'web.yaml': WEB },
  });
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
});

describe('guardrails about other objects', () => {
  const budget = (app: string, spec: string) =>
    `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: web, namespace: shop}\nspec: {selector: {matchLabels: {app: ${app}}}, ${spec}}\n`;
  const SET = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, namespace: shop}
spec:
  replicas: 5
  serviceName: db
  selector: {matchLabels: {app: db}}
  updateStrategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: 2}}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: db, image: db:1}]}
`;

  async function refused(policy: string, yaml: string, versions = '1.34'): Promise<readonly string[]> {
    const { stdout } = await rolloutkit(`check all.yaml --policy policy.yaml --format json --versions kubernetes=${versions}`, {
      files: { 'policy.yaml': policy, 'all.yaml': yaml },
    });
    const { findings } = JSON.parse(stdout) as { readonly findings: readonly { readonly code: string; readonly messageId: string }[] };
    return findings.filter(({ code }) => code === 'guardrails/refused').map(({ messageId }) => messageId);
  }

  test('a budget must select the pods of several replicas', async () => {
    expect(await refused('requireBudget: true', WEB)).toEqual(['budget']);
    expect(await refused('requireBudget: true', `${WEB}---\n${budget('other', 'maxUnavailable: 1')}`)).toEqual(['budget']);
    expect(await refused('requireBudget: true', `${WEB}---\n${budget('web', 'maxUnavailable: 1')}`)).toEqual([]);
    expect(await refused('requireBudget: true', WEB.replace('replicas: 10', 'replicas: 1'))).toEqual([]);
  });

  test('a budget must not block every eviction', async () => {
    expect(await refused('requireEviction: true', budget('web', 'maxUnavailable: 0'))).toEqual(['eviction']);
    expect(await refused('requireEviction: true', budget('web', 'minAvailable: 100%'))).toEqual(['eviction']);
    expect(await refused('requireEviction: true', budget('web', 'maxUnavailable: 1'))).toEqual([]);
  });

  test('maxUnavailable of a StatefulSet counts in versions that keep it, and one pod is always down', async () => {
    expect(await refused('neverBelow: {available: 100%}', SET)).toEqual([]);
    expect(await refused('neverBelow: {available: 100%}', SET, '1.37')).toEqual(['available']);
    expect(await refused('{neverBelow: {available: 100%}, match: {kinds: [Deployment]}}', SET, '1.37')).toEqual([]);
  });
});

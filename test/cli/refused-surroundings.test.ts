/** What surrounds the rollouts of files that are only checked: an object that the API server refuses does not exist. */
import type { Finding } from '../../src/core/findings/finding';
import { rolloutkit } from './command-line';

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: "x:1", readinessProbe: {exec: {command: [a]}}, resources: {requests: {cpu: 1}, limits: {cpu: 1}}}]}
`;

const BETWEEN_2_AND_1 = 'kind: LimitRange\nspec: {limits: [{type: Container, min: {cpu: 2}, max: {cpu: 1}}]}\n';
const NEGATIVE_QUOTA = 'kind: ResourceQuota\nspec: {hard: {pods: "1", limits.cpu: "-4"}}\n';
const POD = 'kind: Pod\nspec: {serviceAccountName: a_b, containers: [{name: c, image: "x:1", resources: {requests: {cpu: 2}}}]}\n';
const QUOTA_OF_4 = 'kind: ResourceQuota\nspec: {hard: {requests.cpu: "4"}}\n';

/** Writes an object of namespace `shop`. */
function shop(text: string, { apiVersion = 'v1', name = 'web', more = '' } = {}): string {
  return `apiVersion: ${apiVersion}\nmetadata: {name: ${name}, namespace: shop${more}}\n${text}`;
}

const BUDGET = shop(
  'kind: PodDisruptionBudget\nspec: {maxUnavailable: 0, unhealthyPodEvictionPolicy: Never, selector: {matchLabels: {app: web}}}\n',
  { apiVersion: 'policy/v1' },
);
const AUTOSCALER = shop(
  'kind: HorizontalPodAutoscaler\nspec: {minReplicas: 5, maxReplicas: 2, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}\n',
  { apiVersion: 'autoscaling/v2' },
);

/** Runs a command on files, and returns the errors and warnings as `code path`. */
async function problemsOf(files: Readonly<Record<string, string>>, command = 'check .'): Promise<string[]> {
  const { stdout } = await rolloutkit(`${command} --format json`, { files });
  const { findings, rollouts = [] } = JSON.parse(stdout) as {
    findings: readonly Finding[];
    rollouts?: readonly { findings: readonly Finding[] }[];
  };
  return [...findings, ...rollouts.flatMap((rollout) => rollout.findings)].map(({ code, path }) => `${code} ${path}`);
}

test.each([
  ['LimitRange', shop(BETWEEN_2_AND_1), 'kubernetes/refused-object spec.limits[0].min[cpu]'],
  ['quota', shop(NEGATIVE_QUOTA), 'kubernetes/refused-object spec.hard[limits.cpu]'],
  ['budget', BUDGET, 'kubernetes/refused-object spec.unhealthyPodEvictionPolicy'],
  ['autoscaler', AUTOSCALER, 'kubernetes/invalid-strategy spec.maxReplicas'],
  ['Pod', `${shop(POD)}---\n${shop(QUOTA_OF_4)}`, 'kubernetes/refused-object spec.serviceAccountName'],
])('a refused %s has its own finding, and no rollout has one because of it', async (_kind, text, finding) => {
  const files = { 'web.yaml': WEB, 'refused.yaml': text };
  expect(await problemsOf(files)).toEqual([finding]);
  expect(await problemsOf(files, 'plan .')).toEqual([finding]);
});

const NO_ROOM = 'kubernetes/surge-needs-headroom spec.strategy.rollingUpdate.maxUnavailable';

test('an accepted copy in an earlier file counts in place of a refused one', async () => {
  const files = { 'a.yaml': WEB, 'b.yaml': shop('kind: ResourceQuota\nspec: {hard: {pods: "3"}}\n'), 'c.yaml': shop(NEGATIVE_QUOTA) };
  expect(await problemsOf(files)).toEqual(['kubernetes/refused-object spec.hard[limits.cpu]', NO_ROOM]);
});

test('an object that was read from a cluster counts, since it exists', async () => {
  const live = shop('kind: ResourceQuota\nspec: {hard: {pods: "3", limits.cpu: "-4"}}\n', { more: ', uid: "1", resourceVersion: "1"' });
  expect(await problemsOf({ 'a.yaml': WEB, 'b.yaml': live })).toContain(NO_ROOM);
});

test('an object that lacks a value counts in a kustomization, which may fill it in', async () => {
  const text = AUTOSCALER.replace('maxReplicas: 2', 'maxReplicas: 9, metrics: [{type: External}]');
  const files = { 'web.yaml': WEB, 'autoscaler.yaml': text };
  expect(await problemsOf(files)).toEqual(['kubernetes/refused-object spec.metrics[0].external']);
  expect(await problemsOf({ ...files, 'kustomization.yaml': 'resources: []\n' })).toContain('kubernetes/hpa-owns-replicas spec.replicas');
});

test('advice and a comparison with a plan of the same files are those of the plan', async () => {
  const files = { 'web.yaml': `${WEB}---\n${shop(BETWEEN_2_AND_1)}` };
  const { stdout: plan } = await rolloutkit('plan web.yaml --format json', { files });
  const { stdout: diff } = await rolloutkit('diff plan.json web.yaml --format json', { files: { ...files, 'plan.json': plan } });
  expect((JSON.parse(diff) as { changed: readonly object[] }).changed).toEqual([]);
  const { stdout: advice } = await rolloutkit('advise web.yaml --available 3 --format json', { files });
  const [rollout] = (JSON.parse(advice) as { rollouts: readonly { current: object }[] }).rollouts;
  expect(rollout!.current).toMatchObject({ meets: true });
});

import { selectRelevantFindings } from '../../src/change/result/relevant-findings';
import { Deadline } from '../../src/core/budget/deadline';
import type { PlanDocument } from '../../src/core/document/plan-document';
import { planManifests } from '../../src/plan/plan';
import { rolloutkit } from '../cli/command-line';

const FILES = 300;

/** A plan with one equal finding in each file of a folder. */
function planWithFindings(folder: string, files: number): PlanDocument {
  const plan = planManifests([]);
  const finding = {
    code: 'input/template',
    messageId: 'template',
    severity: 'warning',
    path: '$',
    message: 'a template',
    data: {},
  } as const;
  return {
    ...plan,
    findings: Array.from({ length: files }, (_, index) => ({ ...finding, source: { file: `${folder}/${index}.yaml`, line: 1 } })),
  };
}

test('equal findings of many files are compared in linear time, and one more of NEW is new', () => {
  let looks = 0;
  const { plan, untouched } = new Deadline(1, () => {
    looks++;
    return 0;
  }).limit(() => selectRelevantFindings(planWithFindings('new', FILES + 1), planWithFindings('old', FILES)));
  expect([plan.findings.length, untouched.warnings]).toEqual([1, FILES]);
  expect(looks).toBeLessThan(3 * FILES);
});

/** A plan of rollouts of one name, each with one equal finding, in the files of a folder. */
function planWithNamesakes(folder: string): PlanDocument {
  const { findings, ...plan } = planWithFindings(folder, FILES);
  const resource = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
  const rollouts = findings.map((finding) => ({ resource, findings: [finding] }));
  return { ...plan, findings: [], rollouts } as unknown as PlanDocument;
}

test.each([
  ['the same files, in linear time', 'old', 0],
  // Each one is compared with those of all files before it.
  ['other files, until the time ends', 'new', FILES],
])('findings of rollouts of one name are compared with those of %s', (_, folder, looks) => {
  let counted = 0;
  const deadline = new Deadline(1, () => {
    counted++;
    return 0;
  });
  const before = planWithNamesakes('old');
  const { plan, untouched } = deadline.limit(() => selectRelevantFindings(planWithNamesakes(folder), before));
  expect([plan.findings, untouched.warnings, counted - 1]).toEqual([[], FILES, 2 * looks]);
});

test('a refused change fails the check, also if OLD is refused for the same reason', async () => {
  const autoscaler = (minReplicas: number) => `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web }
spec: { minReplicas: ${minReplicas}, scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web } }
`;
  const check = (next: string) => rolloutkit('check --from old new', { files: { 'old/a.yaml': autoscaler(1), 'new/a.yaml': next } });
  expect(await check(autoscaler(1))).toMatchObject({ exitCode: 0 });
  const { exitCode, stdout } = await check(autoscaler(2));
  expect([exitCode, stdout.split('\n').filter((line) => line.startsWith('error'))]).toEqual([
    1,
    ['error  kubernetes/invalid-strategy  new/a.yaml:4:1  spec.maxReplicas'],
  ]);
});

test.each(['\n', ''])('also if an unchanged object follows in the list, with %j between them', async (separator) => {
  const list = (minReplicas: number) =>
    `{ "apiVersion": "v1", "kind": "List", "items": [{ "apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": { "name": "web" }, "spec": { "minReplicas": ${minReplicas}, "scaleTargetRef": { "apiVersion": "apps/v1", "kind": "Deployment", "name": "web" } } },${separator}{ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "c" } }] }`;
  const files = { 'old/a.json': list(1), 'new/a.json': list(2) };
  const { exitCode, stdout } = await rolloutkit('check --from old new', { files });
  expect([exitCode, stdout.match(/^error +\S+/gm)]).toEqual([1, ['error  kubernetes/invalid-strategy']]);
});

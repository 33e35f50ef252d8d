import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { PlanDocument } from '../../src/core/document/plan-document';
import { rolloutkit } from '../cli/command-line';
import { expectValidPlan } from '../plan-schema';

const PROBE = 'kubernetes/no-readiness-probe';

/** A Deployment without a probe. Its image is not part of that problem. */
function web(image: string, { name = 'web', annotation = '' } = {}): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}${annotation === '' ? '' : `, annotations: {rolloutkit/ignore: "${annotation}"}`}}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: app, image: "${image}", ports: [{containerPort: 80}]}]}
`;
}

/** Returns the number of warnings, then the code, file, further files and suppression of each finding. */
async function findingsIn(files: Readonly<Record<string, string>>): Promise<readonly unknown[]> {
  const { stdout } = await rolloutkit('plan . --format json', { files });
  const { rollouts, summary } = expectValidPlan(JSON.parse(stdout) as PlanDocument);
  const findings = rollouts.flatMap((rollout) => rollout.findings);
  return [
    summary.warnings,
    ...findings.map(({ code, source, data, suppressed }) => [code, source!.file, data.alsoIn, ...(suppressed ? ['suppressed'] : [])]),
  ];
}

describe('the same container of one name in several files', () => {
  test('is one finding in the first file, which names the others', async () => {
    expect(await findingsIn({ 'a.yaml': web('web:1'), 'b.yaml': web('web:2'), 'c.yaml': web('web:1', { name: 'api' }) })).toEqual([
      2,
      [PROBE, './a.yaml', ['./b.yaml']],
      [PROBE, './c.yaml', undefined],
    ]);
  });

  test('names three of many files in its message', async () => {
    const files = Object.fromEntries([1, 2, 3, 4, 5, 6].map((file) => [`${file}.yaml`, web('web:1')]));
    const { stdout } = await rolloutkit('check .', { files });
    expect(stdout).toContain('This also applies to ./2.yaml, ./3.yaml, ./4.yaml and 2 more files.');
    expect(stdout).toContain('1 warning');
  });

  test('is one finding for each if all are in one file', async () => {
    const both = `${web('web:1')}---\n${web('web:1').replace('name: web}', 'name: web, namespace: shop}')}`;
    expect(await findingsIn({ 'a.yaml': both })).toEqual([2, [PROBE, './a.yaml', undefined], [PROBE, './a.yaml', undefined]]);
  });

  test('suppressed in one file is still reported in the others', async () => {
    const known = web('web:1', { annotation: `${PROBE}: an example` });
    expect(await findingsIn({ 'a.yaml': known, 'b.yaml': web('web:1'), 'c.yaml': web('web:1') })).toEqual([
      1,
      [PROBE, './a.yaml', undefined, 'suppressed'],
      [PROBE, './b.yaml', ['./c.yaml']],
    ]);
  });

  test('is suppressed by a configuration that names all the files', async () => {
    const files = { 'examples/a.yaml': web('web:1'), 'examples/b.yaml': web('web:1'), 'prod/web.yaml': web('web:1') };
    const ignoring = (paths: string) => `ignore: [{rule: ${PROBE}, paths: [${paths}], reason: examples}]\n`;
    const some = await rolloutkit('check . --fail-on warning', { files: { ...files, 'rolloutkit.yaml': ignoring('examples/**') } });
    expect([some.exitCode, some.stdout]).toEqual([
      1,
      expect.stringContaining('This also applies to ./examples/b.yaml and ./prod/web.yaml.'),
    ]);
    const all = await rolloutkit('check . --fail-on warning', { files: { ...files, 'rolloutkit.yaml': ignoring('examples/**, prod/**') } });
    expect([all.exitCode, all.stdout]).toEqual([0, '3 rollouts on Kubernetes 1.36 (assumed): no findings (1 suppressed)\n']);
  });

  test('is new in a file that a baseline does not contain', async () => {
    let baseline = '';
    await rolloutkit('check . --write-baseline baseline.json', {
      files: { 'a.yaml': web('web:1'), 'b.yaml': web('web:1') },
      inspect: (folder) => void (baseline = readFileSync(path.join(folder, 'baseline.json'), 'utf8')),
    });
    expect(JSON.parse(baseline)).toMatchObject({ findings: [{ code: PROBE, file: 'a.yaml', count: 2 }] });
    const check = async (files: Readonly<Record<string, string>>) =>
      (await rolloutkit('check . --fail-on warning --baseline baseline.json', { files: { ...files, 'baseline.json': baseline } })).exitCode;
    expect(await check({ 'a.yaml': web('web:1'), 'b.yaml': web('web:2') })).toBe(0);
    expect(await check({ 'a.yaml': web('web:1'), 'b.yaml': web('web:1'), 'c.yaml': web('web:1') })).toBe(1);
  });
});

test('replicas with an autoscaler, and headroom for the same pods, are reported once', async () => {
  const gpus = (image: string) =>
    web(image).replace('ports: [{containerPort: 80}]', 'readinessProbe: {tcpSocket: {port: 80}}, resources: {limits: {nvidia.com/gpu: 1}}');
  const hpa =
    'apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\n' +
    'spec: {minReplicas: 3, maxReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, ' +
    'metrics: [{type: Pods, pods: {metric: {name: requests}, target: {type: AverageValue, averageValue: 10}}}]}\n';
  expect(await findingsIn({ 'a/web.yaml': `${gpus('web:1')}---\n${hpa}`, 'b/web.yaml': `${gpus('web:2')}---\n${hpa}` })).toEqual([
    2,
    ['kubernetes/surge-needs-headroom', './a/web.yaml', ['./b/web.yaml']],
    ['kubernetes/hpa-owns-replicas', './a/web.yaml', ['./b/web.yaml']],
  ]);
});

test('a budget next to five renderings of its workload is reported once, and again for a rendering that it affects differently', async () => {
  const budget =
    'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: web}\nspec: {minAvailable: 3, selector: {matchLabels: {app: web}}}\n';
  const probed = (version: number) =>
    web(`web:${version}`).replace('ports: [{containerPort: 80}]', 'readinessProbe: {tcpSocket: {port: 80}}');
  const golden = Object.fromEntries([1, 2, 3, 4, 5].map((version) => [`${version}.golden.yaml`, probed(version)]));
  expect(await findingsIn({ ...golden, 'pdb.yaml': budget })).toEqual([1, ['kubernetes/pdb-blocks-eviction', './pdb.yaml', undefined]]);
  const fewer = { ...golden, '5.golden.yaml': probed(5).replace('replicas: 3', 'replicas: 2') };
  expect(await findingsIn({ ...fewer, 'pdb.yaml': budget })).toEqual([
    2,
    ['kubernetes/pdb-blocks-eviction', './pdb.yaml', undefined],
    ['kubernetes/pdb-blocks-eviction', './pdb.yaml', undefined],
  ]);
});

describe('a severity for the paths of one of the files', () => {
  const severityBy = async (rules: string) => {
    const files = { 'dev/a.yaml': web('web:1'), 'prod/a.yaml': web('web:1'), 'rolloutkit.yaml': `rules: {${PROBE}: ${rules}}\n` };
    const { rollouts } = JSON.parse((await rolloutkit('plan . --format json', { files })).stdout) as PlanDocument;
    return rollouts.flatMap(({ findings }) => findings.map(({ severity, suppressed }) => (suppressed ? 'suppressed' : severity)));
  };

  test('raises the finding about all of them', async () => {
    expect(await severityBy('{severity: error, paths: [prod]}')).toEqual(['error']);
  });

  test('neither lowers it nor switches it off', async () => {
    expect(await severityBy('{severity: info, paths: [dev]}')).toEqual(['warning']);
    expect(await severityBy('{severity: off, paths: [dev]}')).toEqual(['warning']);
    expect(await severityBy('{severity: info, paths: [dev, prod]}')).toEqual(['info']);
  });
});

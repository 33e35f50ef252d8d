import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ApiObject, App, Chart } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { DeploymentPolicy, IncrementalRayService, InferenceServiceRollout, LeaderWorkerSetRollout, Rollout, RolloutPlan } from 'rolloutkit';
import { planManifests } from 'rolloutkit/plan';
import { parseAllDocuments } from 'yaml';
import { stripColours } from '../../src/render/layout/columns';

const outdir = mkdtempSync(path.join(tmpdir(), 'rolloutkit-'));
afterAll(() => rmSync(outdir, { recursive: true, force: true }));

function deployment(chart: Chart, name: string, image: string, replicas = 4): void {
  new ApiObject(chart, name, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name, image, readinessProbe: { httpGet: { path: '/', port: 80 } } }] },
      },
    },
  });
}

/** Returns an app with a web Deployment of this version, in a nested chart. */
function shop(image: string, replicas = 4, folder = outdir): App {
  const app = new App({ outdir: folder });
  const chart = new Chart(app, 'shop', { namespace: 'shop' });
  deployment(chart, 'search', 'search:7', replicas);
  deployment(new Chart(chart, 'web', { namespace: 'shop' }), 'web', image);
  return app;
}

/** Returns what synth writes, as plain data. */
function synthesized(app: App): unknown[] {
  return parseAllDocuments(app.synthYaml()).map((document) => document.toJS() as unknown);
}

/** Returns `kind name: effect` for every object of a change. */
function effects({ document }: ReturnType<RolloutPlan['from']>): string[] {
  return document.change.objects.map(({ resource, effect }) => `${resource.name}: ${effect}`);
}

test('the plan of an app has what it synthesizes, each object once', () => {
  const { document } = RolloutPlan.of(shop('web:1'), { versions: { kubernetes: '1.33' } });
  const names = document.rollouts.map(({ resource }) => resource.name);

  expect(names.toSorted()).toEqual(['search', 'web']);
  const planned = planManifests(synthesized(shop('web:1')), { versions: { kubernetes: '1.33' } });
  expect({ ...document, rollouts: [] }).toEqual({ ...planned, rollouts: [] });
  expect(new Set(document.rollouts)).toEqual(new Set(planned.rollouts));
});

test('the folder of the last synth is OLD', () => {
  shop('web:1').synth();

  expect(effects(RolloutPlan.of(shop('web:2', 8)).from(outdir))).toEqual(['search: scale', 'web: roll']);
});

test('OLD may be objects, and missing objects are deleted on request', () => {
  const old = synthesized(shop('web:1'));
  const app = new App();
  deployment(new Chart(app, 'shop', { namespace: 'shop' }), 'web', 'web:1');

  expect(effects(RolloutPlan.of(app).from(old))).toEqual(['web: none', 'search: none']);
  expect(effects(RolloutPlan.of(app).from(old, { prune: true }))).toEqual(['web: none', 'search: delete']);
  expect(RolloutPlan.of(app).from(old, { apply: 'helm' }).document.change.apply).toBe('helm');
});

test('OLD may be a revision; git commands are logged to standard error', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rolloutkit-'));
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
  const git = (...args: readonly string[]) => execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'ignore' });
  const stderr = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const cwd = jest.spyOn(process, 'cwd').mockReturnValue(folder);
  git('init', '-q');
  shop('web:1', 4, path.join(folder, 'dist')).synth();
  git('add', '-A');
  git('commit', '-q', '-m', 'first');

  const change = RolloutPlan.of(shop('web:2')).from('git:HEAD:dist');
  const said = stderr.mock.calls.map(([text]) => String(text).split(' ').slice(0, 4).join(' '));
  cwd.mockRestore();
  stderr.mockRestore();
  rmSync(folder, { recursive: true, force: true });

  expect(effects(change)).toEqual(['search: none', 'web: roll']);
  expect(said).toEqual(
    ['rev-parse', 'rev-parse', 'cat-file', 'ls-tree', 'cat-file', 'ls-tree'].map((command) => `rolloutkit: runs git ${command}`),
  );
});

test('a missing OLD is an error with its name', () => {
  expect(() => RolloutPlan.of(shop('web:2')).from(path.join(outdir, 'nowhere'))).toThrow('no such file or folder');
  expect(() => RolloutPlan.of(shop('web:2')).from('git:')).toThrow('git: names no revision');
});

test('the folder that cdk8s synth deletes before it runs the app can’t be OLD', () => {
  const gone = path.join(outdir, 'dist');
  process.env.CDK8S_OUTDIR = gone;
  try {
    expect(() => RolloutPlan.of(shop('web:2')).from(gone)).toThrow('is the output of cdk8s synth, which deletes it before the app runs');
  } finally {
    delete process.env.CDK8S_OUTDIR;
  }
});

test('the app is not changed: cdk8s-plus, which adds a spread each time it renders, writes the same as without a plan', () => {
  const app = () => {
    const made = new App();
    const chart = new Chart(made, 'shop');
    const service = new kplus.Service(chart, 'service', { ports: [{ port: 80 }] });
    const props = { containers: [{ image: 'web:1', portNumber: 80 }], replicas: 3, spread: true };
    new kplus.Deployment(chart, 'web', props);
    new kplus.StatefulSet(chart, 'db', { ...props, service });
    new kplus.DaemonSet(chart, 'agent', { containers: [{ image: 'agent:1' }] });
    new kplus.Job(chart, 'job', { containers: [{ image: 'job:1' }] });
    return made;
  };
  const planned = app();
  const first = RolloutPlan.of(planned).document;

  expect(RolloutPlan.of(planned).document).toEqual(first);
  expect(planned.synthYaml()).toBe(app().synthYaml());
});

test('an object whose props are refused is listed as not planned, and not as an object without a predictor', () => {
  const app = shop('web:2');
  new InferenceServiceRollout(new Chart(app, 'models'), 'iris', { predictor: { minReplicas: 2 } });
  const { notPlanned, findings, rollouts, summary } = RolloutPlan.of(app).document;

  expect(rollouts).toHaveLength(RolloutPlan.of(shop('web:2')).document.rollouts.length);
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(notPlanned.at(-1)).toEqual({
    apiVersion: 'serving.kserve.io/v1beta1',
    kind: 'InferenceService',
    count: 1,
    reason: 'the props of models/iris are refused, so the others are planned without it; app.synth() says why',
  });
  expect(summary.notPlanned).toBe(notPlanned.reduce((sum, { count }) => sum + count, 0));
});

test.each([
  [
    'a goal that no strategy meets',
    (web: ApiObject) => DeploymentPolicy.stateless({ rollout: Rollout.goal({ available: 9 }) }).applyTo(web),
  ],
  ['a limit that the API server refuses', (web) => DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurge: -1 }).applyTo(web)],
  ['a prop that is missing', (web) => DeploymentPolicy.stateless({} as never).applyTo(web)],
  ['a prop that is missing, for all', (web) => DeploymentPolicy.stateless({} as never).applyToAll(web.chart)],
])('a workload whose policy has %s is not planned with another strategy', (_, apply: (web: ApiObject) => unknown) => {
  const app = new App();
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } };
  const web = new ApiObject(new Chart(app, 'shop'), 'web', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas: 4, selector: { matchLabels: { app: 'web' } }, template },
  });
  apply(web);
  const { notPlanned, rollouts } = RolloutPlan.of(app).document;

  expect(rollouts).toEqual([]);
  const reason = 'the policy of shop/web is refused, so the others are planned without it; app.synth() says why';
  expect(notPlanned).toEqual([{ apiVersion: 'apps/v1', kind: 'Deployment', count: 1, reason }]);
  expect(() => app.synth()).toThrow('[shop');
});

test('an object whose construct has a misspelt prop is not planned without that prop', () => {
  const app = new App();
  const template = { spec: { containers: [{ name: 'vllm', image: 'vllm:1' }] } };
  const props = { replicas: 3, sizes: 2, leaderWorkerTemplate: { workerTemplate: template } };
  new LeaderWorkerSetRollout(new Chart(app, 'models'), 'llm', props);
  const { notPlanned, rollouts } = RolloutPlan.of(app).document;

  expect(rollouts).toEqual([]);
  const reason = 'the props of models/llm are refused, so the others are planned without it; app.synth() says why';
  expect(notPlanned).toEqual([{ apiVersion: 'leaderworkerset.x-k8s.io/v1', kind: 'LeaderWorkerSet', count: 1, reason }]);
  expect(() => app.synth()).toThrow('[models/llm] sizes is not a prop; write size, or leave it out');
});

test('the charts of the stages of an upgrade are separate, so that the same objects in them are no duplicates', () => {
  const app = new App();
  const rayCluster = (image: string) => {
    const template = { spec: { containers: [{ name: 'ray', image }] } };
    return { headGroupSpec: { template }, workerGroupSpecs: [{ groupName: 'w', replicas: 2, minReplicas: 0, maxReplicas: 2, template }] };
  };
  const serveConfig = { applications: [{ name: 'llm', import_path: 'llm:app' }] };
  new IncrementalRayService(new Chart(app, 'ray', { namespace: 'ray' }), 'llm', {
    ownership: 'gitops',
    upgrade: { gatewayClassName: 'istio', maxSurgePercent: 50, stepSizePercent: 50, intervalSeconds: 60 },
    current: { serveConfig, rayCluster: rayCluster('llm:1') },
    next: { serveConfig, rayCluster: rayCluster('llm:2') },
  });
  const { findings, rollouts } = RolloutPlan.of(app).document;

  expect(findings).toEqual([]);
  expect([...new Set(rollouts.map(({ resource }) => resource.name))]).toEqual(['llm-current', 'llm-next']);
});

test('the plan is printed as by the command line, to standard error by default', () => {
  const change = RolloutPlan.of(shop('web:2')).from(synthesized(shop('web:1')));
  const printed: string[] = [];
  const stream = { write: (text: string) => printed.push(text) };
  change.print(stream);
  const stderr = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  change.print();
  const onStderr = stderr.mock.calls.map(([text]) => text);
  stderr.mockRestore();

  expect(printed).toEqual([change.text()]);
  expect(onStderr).toHaveLength(1);
  expect(change.text().split('\n')[0]).toBe(
    '1 of 2 objects differs: 1 rolls; 4 pods are replaced; needs up to 1 extra pod; assumes Kubernetes 1.36',
  );
  expect(change.markdown()).toContain('| ! **roll** |');
});

describe('the plan is in colour', () => {
  const plan = RolloutPlan.of(shop('web:2'));
  const before = process.env;
  afterEach(() => {
    process.env = before;
  });

  test.each<[string, boolean, Record<string, string>, boolean]>([
    ['on a terminal', true, {}, true],
    ['not if NO_COLOR is set', true, { NO_COLOR: '1' }, false],
    ['not in a file', false, {}, false],
    ['in a CI log with FORCE_COLOR', false, { FORCE_COLOR: '1' }, true],
    ['not on a terminal without colours', true, { TERM: 'dumb' }, false],
  ])('%s', (_, isTTY, env, colour) => {
    const texts: string[] = [];
    process.env = env;
    plan.print({ isTTY, write: (text) => texts.push(text) });
    expect(texts).toEqual([plan.text({ colour })]);
  });
});

test('the plan has the width of a terminal, and is not wrapped elsewhere', () => {
  const plan = RolloutPlan.of(shop('web:2'));
  const printed = (stream: { isTTY?: boolean; columns?: number }) => {
    const texts: string[] = [];
    plan.print({ ...stream, write: (text) => texts.push(text) });
    return stripColours(texts.join(''));
  };

  expect(printed({ isTTY: true, columns: 50 })).toBe(plan.text({ width: 50 }));
  expect(printed({ isTTY: true, columns: 50 })).not.toBe(plan.text());
  expect(printed({ columns: 50 })).toBe(plan.text());
});

test('nothing is written', () => {
  const folder = path.join(outdir, 'unwritten');
  RolloutPlan.of(shop('web:1', 4, folder));

  expect(() => readFileSync(path.join(folder, 'shop.k8s.yaml'))).toThrow('ENOENT');
});

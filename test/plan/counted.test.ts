import { rolloutkit } from '../cli/command-line';
import { SourceMap } from '../../src/input/source-map';
import { planInput } from '../../src/plan/plan';
import { planSources, readSources } from '../../src/plan/plan-sources';
import { RULES } from '../../src/plan/rules';
import { describeRolloutOutcome } from '../../src/render/outcome-text';

/** A Deployment; without a probe there is something to say about it. */
function deployment(name: string, { probe = true, annotations = '' } = {}): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}${annotations}}
spec:
  replicas: 2
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec:
      containers:
        - name: app
          image: app:1
          ports: [{containerPort: 80}]
${probe ? '          readinessProbe: {tcpSocket: {port: 80}}\n' : ''}`;
}

const BUDGET = `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: counted, namespace: counted}
spec: {maxUnavailable: 1, selector: {matchLabels: {app: counted}}}
`;

/** With a group of its own, so that a check names its product. */
const LEADER_WORKER_SET = `apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: {name: llm}
spec:
  replicas: 2
  leaderWorkerTemplate:
    size: 2
    workerTemplate:
      spec:
        containers:
          - {name: app, image: 'app:1', ports: [{containerPort: 80}], readinessProbe: {tcpSocket: {port: 80}}}
`;

/** What is planned of it is one of its components. */
const INFERENCE_SERVICE = `apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: {name: iris, annotations: {serving.kserve.io/deploymentMode: Standard}}
spec:
  predictor:
    model: {modelFormat: {name: sklearn}, storageUri: 's3://models/iris'}
`;

const QUOTA = `apiVersion: v1
kind: ResourceQuota
metadata: {name: pods, namespace: limited}
spec: {hard: {pods: "4"}}
`;

const inNamespace = (namespace: string, name: string) =>
  deployment(name).replace(`{name: ${name}}`, `{name: ${name}, namespace: ${namespace}}`);

const FILES = {
  'a/web.yaml': deployment('web'),
  'b/web.yaml': deployment('web', { probe: false }),
  'c/api.yaml': [
    deployment('api'),
    deployment('batch', { annotations: ', annotations: {rolloutkit/ignore: kubernetes/no-readiness-probe}' }),
  ].join('---\n'),
  'd/all.yaml': [inNamespace('counted', 'counted'), BUDGET].join('---\n'),
  'e/all.yaml': [LEADER_WORKER_SET, INFERENCE_SERVICE].join('---\n'),
  // Two folders of which one is applied, for both have a Deployment that is counted: what the quota counts of one is not there beside the other.
  'f/quota.yaml': QUOTA,
  'f/one/all.yaml': [deployment('either'), inNamespace('limited', 'one')].join('---\n'),
  'f/two/all.yaml': [deployment('either'), inNamespace('limited', 'two')].join('---\n'),
};
const SOURCES = Object.entries(FILES).map(([path, text]) => ({ path, text }));

const input = () => readSources(SOURCES, new SourceMap());
const plan = planInput(input());
const counted = planInput({ ...input(), isCounted: ({ findings }) => findings.length === 0 });

test('rollouts that nothing is shown of are in the summary, and not among those of the plan', () => {
  expect(plan.rollouts.map(({ resource: { name }, findings }) => `${name} ${findings.length}`)).toMatchInlineSnapshot(`
[
  "web 0",
  "web 1",
  "api 0",
  "batch 1",
  "counted 0",
  "llm 0",
  "iris 0",
  "either 0",
  "one 0",
  "either 0",
  "two 0",
]
`);
  expect(counted.rollouts.map(({ resource: { name }, findings }) => `${name} ${findings.length}`)).toMatchInlineSnapshot(`
[
  "web 1",
  "batch 1",
  "counted 0",
  "iris 0",
  "one 0",
  "two 0",
]
`);
  expect(counted.summary).toEqual(plan.summary);
  expect(counted.notPlanned).toEqual(plan.notPlanned);
});

test('those that are shown are what they are beside the others, told apart from namesakes that are counted too', () => {
  const shown = new Set(counted.rollouts.map(({ resource, unit }) => JSON.stringify([resource, unit])));
  expect(counted.rollouts).toEqual(plan.rollouts.filter(({ resource, unit }) => shown.has(JSON.stringify([resource, unit]))));
  expect(counted.rollouts.map(({ resource: { name }, unit }) => `${name}: ${unit}`)).toContain('web: b');
});

test('what never ends has a finding that says why, so that none is counted for want of one', () => {
  const sources = RULES.flatMap(({ code, example, fixedExample }) => [
    { path: `${code}/example.yaml`, text: example },
    { path: `${code}/fixed.yaml`, text: fixedExample },
  ]);
  const planned = sources.flatMap((source) => planSources([source]).rollouts);
  const stuck = planned.filter((rollout) => describeRolloutOutcome(rollout).isStuck);
  expect(stuck.length).toBeGreaterThan(5);
  expect(stuck.filter(({ findings }) => findings.length === 0)).toEqual([]);
});

describe('a check counts those of which nothing is found', () => {
  test.each(['text', 'json', 'sarif', 'github', 'gitlab'])('which %s says in no other way than of what a plan holds', async (format) => {
    const { stdout, exitCode } = await rolloutkit(`check --format ${format} a b c d e f`, { files: FILES });
    const all = await rolloutkit(`check --format ${format} --format junit=all.xml a b c d e f`, { files: FILES });
    expect([exitCode, all.exitCode]).toEqual([1, 1]);
    expect(stdout).toBe(all.stdout);
  });

  test('and junit, which has a case for each, plans them', async () => {
    const { stdout } = await rolloutkit('check --format junit a b c d e f', { files: FILES });
    const passed = plan.rollouts.filter(({ findings }) => findings.length === 0);
    expect([stdout.match(/<testcase classname="rollout"/g)!.length, passed.length]).toEqual([9, 9]);
  });
});

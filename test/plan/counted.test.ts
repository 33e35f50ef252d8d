import { rolloutkit } from '../cli/command-line';
import { Locations } from '../../src/input/locations';
import { planInput } from '../../src/plan/plan';
import { readSources } from '../../src/plan/plan-sources';

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

const FILES = {
  'a/web.yaml': deployment('web'),
  'b/web.yaml': deployment('web', { probe: false }),
  'c/api.yaml': [
    deployment('api'),
    deployment('batch', { annotations: ', annotations: {rolloutkit/ignore: kubernetes/no-readiness-probe}' }),
  ].join('---\n'),
  'd/all.yaml': [deployment('counted').replace('{name: counted}', '{name: counted, namespace: counted}'), BUDGET].join('---\n'),
};
const SOURCES = Object.entries(FILES).map(([path, text]) => ({ path, text }));

const input = () => readSources(SOURCES, new Locations(), true);
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
]
`);
  expect(counted.rollouts.map(({ resource: { name }, findings }) => `${name} ${findings.length}`)).toMatchInlineSnapshot(`
[
  "web 1",
  "batch 1",
  "counted 0",
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

describe('a check counts those of which nothing is found', () => {
  test.each(['text', 'json', 'sarif', 'github', 'gitlab'])('which %s says in no other way than of what a plan holds', async (format) => {
    const { stdout, exitCode } = await rolloutkit(`check --format ${format} a b c d`, { files: FILES });
    const all = await rolloutkit(`check --format ${format} --format junit=all.xml a b c d`, { files: FILES });
    expect([exitCode, all.exitCode]).toEqual([1, 1]);
    expect(stdout).toBe(all.stdout);
  });

  test('and junit, which has a case for each, plans them', async () => {
    const { stdout } = await rolloutkit('check --format junit a b c d', { files: FILES });
    expect(stdout.match(/<testcase [^>]*name="[^"]*"/g)).toHaveLength(5);
  });
});

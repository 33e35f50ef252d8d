import { planManifests } from '../../src/plan/plan';
import { planChange } from '../../src/change/plan-change';
import { checkCustomResources } from '../../src/crds/check-custom-resources';
import { CrdRegistry } from '../../src/crds/crd-registry';
import { applyGuardrailPolicy } from '../../src/change/compare/apply-guardrails';
import { expectValidPlan } from '../plan-schema';
import { countCpuSeconds } from '../setup/cpu-seconds';

/** A container with so many resources that are not valid amounts. */
function flooded(resources: number, annotations: object = {}): object {
  const requests = Object.fromEntries(Array.from({ length: resources }, (_, index) => [`example.com/r${index}`, 'much']));
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', annotations },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'a' } },
      template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'a', image: 'a:1', resources: { requests } }] } },
    },
  };
}

test('an object with 5,000 errors has a hundred findings and one for the others, in 100 kB', () => {
  const plan = expectValidPlan(planManifests([flooded(5_000)]));
  const errors = plan.rollouts[0]!.findings.filter(({ severity }) => severity === 'error');
  expect(errors.slice(0, 100).map(({ path }) => path)).toEqual(
    Array.from({ length: 100 }, (_, index) => `spec.template.spec.containers[0].resources.requests[example.com/r${index}]`),
  );
  expect(errors.slice(100)).toMatchObject([
    { code: 'input/wrong-type', messageId: 'omittedFindings', data: { listed: 100, omitted: 4_900 }, path: '' },
  ]);
  expect(plan.summary.errors).toBe(101);
  expect(JSON.stringify(plan).length).toBeLessThan(100_000);
});

test('a refused change with 60,000 errors takes linear time', () => {
  const deployment = (image: string) => {
    const template = {
      metadata: { labels: { app: 'a' } },
      spec: { containers: [{ name: 'a', image }], tolerations: Array(60_000).fill(1) },
    };
    const spec = { replicas: 2, selector: { matchLabels: { app: 'a' } }, template };
    return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec };
  };
  const readSeconds = countCpuSeconds();
  const { change, summary } = planChange([deployment('a:1')], [deployment('a:2')]);
  const seconds = readSeconds();
  expect([change.objects.map(({ effect }) => effect), summary.errors]).toEqual([['refused'], 101]);
  // Each error was compared with each other one, which took 9 seconds.
  expect(seconds).toBeLessThan(4);
});

test('a change of an object with 40,000 fields takes linear time', () => {
  const fields = Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`field${index}`, 1]));
  const box = { apiVersion: 'shop.example/v1', kind: 'Box', metadata: { name: 'a' } };
  const readSeconds = countCpuSeconds();
  const { change } = planChange([box], [{ ...box, ...fields }]);
  const seconds = readSeconds();
  expect(change.objects.map(({ effect }) => effect)).toEqual(['unknown']);
  // All fields were looked at for each of them, which took more than 100 seconds.
  expect(seconds).toBeLessThan(4);
});

test('a server-side apply of 30,000 variables and 30,000 keys of labels takes linear time', () => {
  const names = Array.from({ length: 30_000 }, (_, index) => `V${index}`);
  const deployment = (variables: readonly string[]) => {
    const labelSelector = { matchLabels: { app: 'a' } };
    const term = { topologyKey: 'zone', labelSelector, matchLabelKeys: names, mismatchLabelKeys: names };
    const podAntiAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
    const env = variables.map((name) => ({ name, value: 'x' }));
    const template = {
      metadata: { labels: { app: 'a' } },
      spec: { containers: [{ name: 'a', image: 'a', env }], affinity: { podAntiAffinity } },
    };
    return {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: { selector: { matchLabels: { app: 'a' } }, template },
    };
  };
  const readSeconds = countCpuSeconds();
  const { change } = planChange([deployment(names)], [deployment(names.toReversed())], { apply: 'server' });
  const seconds = readSeconds();
  expect(change.objects.map(({ effect }) => effect)).toEqual(['refused']);
  // Each item was compared with each other one, which took 40 seconds.
  expect(seconds).toBeLessThan(12);
});

test('an annotation that ignores a rule also ignores its omitted findings', () => {
  const { rollouts, summary } = planManifests([flooded(150, { 'rolloutkit/ignore': 'input/wrong-type: filled in later' })]);
  const [found] = rollouts[0]!.findings.filter(({ messageId }) => messageId === 'omittedFindings');
  expect(found).toMatchObject({ data: { listed: 100, omitted: 50 }, suppressed: { by: 'annotation', reason: 'filled in later' } });
  expect(summary.errors).toBe(0);
});

test('an annotation with 5,000 entries without a reason has a hundred findings and one for the others', () => {
  const entries = (entry: string) => Array.from({ length: 5_000 }, (_, index) => `${entry}${index}`);
  const annotation = [...entries('no-reason'), ...entries('kubernetes/outag: known')].join(';');
  const { findings } = planManifests([flooded(0, { 'rolloutkit/ignore': annotation })]).rollouts[0]!;
  expect(findings.filter(({ code }) => code === 'input/ignore-without-reason')).toHaveLength(101);
  expect(JSON.stringify(findings).length).toBeLessThan(100_000);
});

test('a change with 2,000 unknown fields names a hundred of them', () => {
  const unknown = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`field${index}`, 1]));
  const object = flooded(0) as { spec: object };
  const { change } = planChange([object], [{ ...object, spec: { ...object.spec, ...unknown } }]);
  expect(change.objects[0]!.refusal!.message).toMatch(/^strict decoding error: unknown field "spec.field0", .* and 1900 more fields$/);
  expect(JSON.stringify(change).length).toBeLessThan(10_000);
});

test.each([
  ['a text', (letter: string) => letter.repeat(1_000_000)],
  ['a list', (letter: string) => Array.from({ length: 100_000 }, () => letter)],
  [
    'lists in maps',
    (letter: string) => Object.fromEntries(Array.from({ length: 200 }, (_, a) => [`a${a}`, Array.from({ length: 200 }, () => letter)])),
  ],
  ['a key', (letter: string) => ({ [letter.repeat(1_000_000)]: 1 })],
])('a change of a long value repeats a part of it: %s', (_, valueOf) => {
  const box = (letter: string) => ({
    apiVersion: 'shop.example/v1',
    kind: 'Box',
    metadata: { name: 'a' },
    spec: { value: valueOf(letter) },
  });
  const { change } = expectValidPlan(planChange([box('a')], [box('b')]));
  expect(change.objects[0]!.because.length).toBeGreaterThan(0);
  expect(JSON.stringify(change).length).toBeLessThan(50_000);
});

test('a refusal that quotes a long value repeats its beginning and its end', () => {
  const service = (protocol: string) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'a' },
    spec: { ports: [{ port: 80, protocol }] },
  });
  const plan = expectValidPlan(planChange([service('TCP')], [service('x'.repeat(1_000_000))]));
  expect(plan.findings[0]!.message).toMatch(
    /^Applying Service a is refused: .*Unsupported value: "x+ … x+": supported values: "SCTP", "TCP", "UDP"/,
  );
  expect(JSON.stringify(plan).length).toBeLessThan(20_000);
});

test('a tool that deletes an object because of a long value repeats its beginning and its end, for both refusals', () => {
  const job = (restartPolicy: string) => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'migrate', annotations: { 'kustomize.toolkit.fluxcd.io/force': 'enabled' } },
    spec: { template: { spec: { restartPolicy, containers: [{ name: 'migrate', image: 'web:1' }] } } },
  });
  const plan = expectValidPlan(planChange([job('Never')], [job('x'.repeat(1_000_000))]));
  const [lost] = plan.findings.filter(({ code }) => code === 'change/force-recreates');
  expect(lost!.message).toMatch(/^Flux deletes Job migrate, .*Unsupported value: "x+ … x+": .* refuses the new object too: .*"x+ … x+"/);
  expect(JSON.stringify(plan).length).toBeLessThan(40_000);
});

test('a schema with long lists and texts is quoted in part', () => {
  const choices = Array.from({ length: 2_000 }, (_, index) => `choice-${index}`);
  const properties = {
    choice: { type: 'string', enum: choices },
    pattern: { type: 'string', pattern: `^${'a'.repeat(2_000)}$` },
    ruled: { type: 'string', 'x-kubernetes-validations': [{ rule: 'false', message: 'm'.repeat(100_000) }] },
    named: { type: 'object', required: ['n'.repeat(50_000)] },
    ...Object.fromEntries(choices.map((choice) => [choice, { type: 'string' }])),
  };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'boxes.shop.example' },
    spec: { group: 'shop.example', names: { kind: 'Box' }, versions: [{ name: 'v1', served: true, schema }] },
  };
  const box = (spec: object) => ({ apiVersion: 'shop.example/v1', kind: 'Box', metadata: { name: 'a' }, spec });
  // Rules are evaluated once the schema accepts the object.
  const boxes = [box({ choice: 'x', pattern: 'b', unknown: 1 }), box({ ruled: 'c' }), box({ named: {} })];
  const found = checkCustomResources(boxes, new CrdRegistry([definition]), () => undefined);
  expect(found.map(({ help }) => help).join('\n')).toContain('"choice-19" or 1,980 more.');
  expect(found.map(({ messageId }) => messageId).toSorted()).toEqual(['enum', 'pattern', 'required', 'rule', 'unknown']);
  expect(JSON.stringify(found).length).toBeLessThan(10_000);
});

test('findings of guardrails use the output budget', () => {
  const objects = Array.from({ length: 500 }, (_, index) => ({
    ...(flooded(0) as { apiVersion: string; kind: string }),
    metadata: { name: `web-${index}` },
  }));
  const budget = { 'output-megabytes': 0.1 };
  const plan = planManifests(objects, { budget });
  const guarded = expectValidPlan(applyGuardrailPolicy(plan, { objects }, { requireReadinessProbe: true }, budget));
  expect(JSON.stringify(guarded).length).toBeLessThan(150_000);
  expect(guarded.findings.at(-1)).toMatchObject({ code: 'input/unreadable', severity: 'error', messageId: 'overBudget' });
});

test('one object that takes longer than the seconds of the budget ends the plan', () => {
  const env = Array.from({ length: 20_000 }, (_, index) => ({ name: `E${index}`, value: `$(E${index - 1})` }));
  const object = flooded(0) as { spec: { template: { spec: { containers: readonly object[] } } } };
  const containers = [{ ...object.spec.template.spec.containers[0], env }];
  const large = { ...object, spec: { ...object.spec, template: { ...object.spec.template, spec: { containers } } } };
  const budget = { seconds: 0.02 };
  for (const { findings } of [planManifests([large], { budget }), planChange([object], [large], { budget })])
    expect(findings.map(({ messageId }) => messageId)).toContain('overBudget');
});

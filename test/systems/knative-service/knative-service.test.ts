import { planChange, planManifests } from '../../../src/headless';
import { invalidScale } from '../../../src/systems/knative-service/rules/invalid-scale';
import { invalidTraffic } from '../../../src/systems/knative-service/rules/invalid-traffic';
import { pinnedTraffic } from '../../../src/systems/knative-service/rules/pinned-traffic';
import { quota as quotaOf } from '../../builders/quota';
import { testRule } from '../../rule-tester';

/** A Service of Knative with these annotations of its template, this image, and further fields of its spec. */
function service(annotations: Record<string, string> = {}, image = 'hello:1', spec: object = {}, metadata: object = {}) {
  return {
    apiVersion: 'serving.knative.dev/v1',
    kind: 'Service',
    metadata: { name: 'hello', namespace: 'shop' },
    spec: { template: { metadata: { annotations, ...metadata }, spec: { containers: [{ image }] } }, ...spec },
  };
}

const MIN_SCALE = 'autoscaling.knative.dev/min-scale';

/** The effect of applying a service over another, and the rows of its rollout as [new, old, percent to the new Revision]. */
function change(old: object, next: object) {
  const { change: applied, rollouts } = planChange([old], [next]);
  const simulation = rollouts[0]?.simulation;
  const rows =
    simulation?.kind === 'revision' ? simulation.waves.map((wave) => [wave.newPods, wave.oldPods, wave.latestTrafficPercent]) : [];
  const [object] = applied.objects;
  return { effect: object?.effect, ...(object?.refusal && { refusal: object.refusal.path }), rows };
}

test('a new Revision starts next to the old one', () => {
  expect(change(service({ [MIN_SCALE]: '2' }), service({ [MIN_SCALE]: '2' }, 'hello:2'))).toEqual({
    effect: 'roll',
    rows: [
      [1, 2, 0],
      [2, 2, 0],
      [2, 2, 100],
      [2, 0, 100],
    ],
  });
});

test('every annotation of the template is part of a Revision', () => {
  expect(change(service({ note: '1' }), service({ note: '2' })).effect).toBe('roll');
});

describe('a new Revision with another min-scale', () => {
  const containers = [{ image: 'hello:1', resources: { requests: { cpu: '1' } } }];
  const scaled = (minScale: string) => {
    const { spec: _, ...object } = service();
    return { ...object, spec: { template: { metadata: { annotations: { [MIN_SCALE]: minScale } }, spec: { containers } } } };
  };
  const capacityOf = (before: string, after: string, cpu: number) =>
    planChange([scaled(before)], [scaled(after), quotaOf({ 'requests.cpu': cpu }, { name: 'team', namespace: 'shop' })]).rollouts[0]!
      .capacity?.message;

  test('starts next to an old one that keeps its own', () => {
    expect(change(scaled('2'), scaled('3'))).toEqual({
      effect: 'roll-and-scale',
      rows: [
        [1, 2, 0],
        [3, 2, 0],
        [3, 2, 100],
        [3, 0, 100],
      ],
    });
    expect(change(scaled('3'), scaled('2')).rows).toEqual([
      [1, 3, 0],
      [2, 3, 0],
      [2, 3, 100],
      [2, 0, 100],
    ]);
  });

  test('needs capacity for both', () => {
    expect(capacityOf('2', '3', 5)).toBe('Fits: there is capacity for its peak of 5 pods.');
    expect(capacityOf('2', '3', 4)).toBe('Deadlocks at wave 2: it peaks at 5 requests.cpu and ResourceQuota "team" has 4 left.');
    expect(capacityOf('3', '2', 4)).toBe('Deadlocks at wave 2: it peaks at 5 requests.cpu and ResourceQuota "team" has 4 left.');
    expect(capacityOf('3', '2', 5)).toBe('Fits: there is capacity for its peak of 5 pods.');
  });
});

test('spelling out a default of Knative creates no Revision', () => {
  const old = service();
  const next = service({}, 'hello:1', {
    template: { spec: { containerConcurrency: 0, timeoutSeconds: 300, containers: [{ name: 'user-container', image: 'hello:1' }] } },
  });
  expect(change(old, next).effect).not.toBe('roll');
});

/** Traffic of the newest Revision, and of another one. */
function split(latest: number, other: number, revisionName = 'hello-00001') {
  return {
    traffic: [
      { latestRevision: true, percent: latest },
      { revisionName, percent: other },
    ],
  };
}

test('traffic alone creates no Revision', () => {
  expect(change(service({}, 'hello:1', split(50, 50)), service({}, 'hello:1', split(10, 90)))).toEqual({ effect: 'settings', rows: [] });
});

const PINNED = { traffic: [{ revisionName: 'hello-00001', percent: 100 }] };

test.each([
  ['names another Revision', {}, split(10, 90)],
  ['names one Revision less', split(10, 90), {}],
  ['names the newest Revision again', PINNED, {}],
  ['no longer names the newest Revision', {}, PINNED],
  [
    'names another Revision with a tag only',
    split(10, 90),
    { traffic: [...split(10, 90).traffic, { revisionName: 'hello-00002', tag: 'old' }] },
  ],
])('traffic that %s starts or removes pods that no object in view shows', (_what, old, next) => {
  const { change: applied, notPlanned } = planChange([service({}, 'hello:1', old)], [service({}, 'hello:1', next)]);
  expect([applied.objects[0]!.effect, notPlanned.map(({ kind, count }) => `${count} ${kind}`)]).toEqual(['unknown', ['1 Service']]);
});

test('traffic may name the newest Revision by its name', () => {
  const named = { name: 'hello-v1' };
  const pinned = { traffic: [{ revisionName: 'hello-v1', percent: 100 }] };
  expect(change(service({}, 'hello:1', {}, named), service({}, 'hello:1', pinned, named)).effect).toBe('settings');
});

test('a Revision with the name of the running one is refused', () => {
  expect(change(service({}, 'hello:1', {}, { name: 'hello-v1' }), service({}, 'hello:2', {}, { name: 'hello-v1' }))).toEqual({
    effect: 'refused',
    refusal: 'spec.template.metadata.name',
    rows: [],
  });
});

describe('a Revision of 3 pods', () => {
  /** Plans a Service with pods of 1 CPU and these scales, on a node with some CPUs. */
  function planOnNode(minScale: string, initialScale: string, cpu: string, knative: string) {
    const annotations = { [MIN_SCALE]: minScale, 'autoscaling.knative.dev/initial-scale': initialScale };
    const spec = { containers: [{ image: 'hello:1', resources: { requests: { cpu: '1' } } }] };
    const scaled = service({}, 'hello:1', { template: { metadata: { annotations }, spec } });
    const node = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'node-1' },
      status: { allocatable: { cpu, memory: '8Gi', pods: '110' } },
    };
    const { simulation, capacity } = planManifests([scaled, node], { versions: { knative } }).rollouts[0]!;
    const waves = simulation?.kind === 'revision' ? simulation.waves : [];
    return { verdict: capacity?.verdict, rows: waves.map(({ newPods, oldPods, available }) => [newPods, oldPods, available]) };
  }

  test('next to 1 old pod fits on a node for 4 pods', () => {
    expect(planOnNode('1', '3', '4', '1.21')).toEqual({
      verdict: 'fits',
      rows: [
        [3, 1, 1],
        [3, 1, 4],
        [1, 1, 2],
        [1, 0, 1],
      ],
    });
  });

  test('next to 1 old pod deadlocks on a node for 3 pods', () => {
    expect(planOnNode('1', '3', '3', '1.21')).toEqual({ verdict: 'deadlocks', rows: [[3, 1, 1]] });
  });

  test('next to 3 old pods goes on with the pod that a node for 4 pods runs, if Knative is ready at one pod', () => {
    expect(planOnNode('3', '3', '4', '1.17')).toEqual({
      verdict: 'slower',
      rows: [
        [3, 3, 3],
        [3, 3, 4],
        [3, 0, 1],
        [3, 0, 3],
      ],
    });
  });
});

test('a new Revision waits until traffic names it', () => {
  const pinned = { traffic: [{ revisionName: 'hello-00001', percent: 100 }] };
  expect(change(service({}, 'hello:1', pinned), service({}, 'hello:2', pinned)).effect).toBe('held');
});

test.each([
  [[{ image: 'hello:1' }], 'user-container'],
  [[{ image: 'hello:1' }, { name: 'user-container-0', image: 'side:1' }], 'user-container-0,user-container-1'],
])('containers without a name get that of Knative: %j', (containers, name) => {
  const quota = {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'cpu', namespace: 'shop' },
    spec: { hard: { 'requests.cpu': 4 } },
  };
  const named = { ...service(), spec: { template: { spec: { containers } } } };

  expect(planManifests([named, quota]).rollouts[0]!.capacity!.message).toContain(`must specify requests.cpu for: ${name}`);
});

test('a Service of Kubernetes is none of Knative', () => {
  expect(planManifests([{ ...service(), apiVersion: 'v1' }]).rollouts).toEqual([]);
});

test('a Service whose min-scale is above its max-scale is refused', () => {
  const [object] = planChange([], [service({ [MIN_SCALE]: '3', 'autoscaling.knative.dev/max-scale': '1' })]).change.objects;
  expect([object!.effect, object!.refusal?.message]).toEqual(['refused', 'Knative refuses a min-scale of 3 above the max-scale of 1.']);
});

test('the pods are counted by either spelling of min-scale', () => {
  const older = { 'autoscaling.knative.dev/minScale': '2' };
  expect(change(service(older), service(older, 'hello:2')).rows).toEqual([
    [1, 2, 0],
    [2, 2, 0],
    [2, 2, 100],
    [2, 0, 100],
  ]);
});

/** Writes a Service with these annotations of its template, and of its own metadata. */
function writeAnnotated(template: string, own = ''): string {
  return `apiVersion: serving.knative.dev/v1
kind: Service
metadata: { name: hello, annotations: { ${own} } }
spec: { template: { metadata: { annotations: { ${template} } }, spec: { containers: [{ image: hello }] } } }
`;
}

testRule(invalidScale, {
  valid: [
    { name: 'no limit', yaml: writeAnnotated('autoscaling.knative.dev/min-scale: "3", autoscaling.knative.dev/max-scale: "0"') },
    { name: 'a plus sign', yaml: writeAnnotated('autoscaling.knative.dev/min-scale: "+3", autoscaling.knative.dev/max-scale: "003"') },
    { name: 'an annotation of another group', yaml: writeAnnotated('', 'serving.knative.dev/rollout-duration: "60s"') },
  ],
  invalid: [
    {
      name: 'the older spelling',
      yaml: writeAnnotated('autoscaling.knative.dev/minScale: "3", autoscaling.knative.dev/maxScale: "1"'),
      findings: [
        {
          messageId: 'aboveMaximum',
          path: 'spec.template.metadata.annotations[autoscaling.knative.dev/minScale]',
          data: { minimum: 3, maximum: 1 },
        },
      ],
    },
    {
      name: 'no number, a negative number and one above 32 bits',
      yaml: ['many', '-1', '2147483648']
        .map((count) => writeAnnotated(`autoscaling.knative.dev/min-scale: "${count}"`).replace('hello', `n${count}`))
        .join('---\n'),
      findings: ['many', '-1', '2147483648'].map((value) => ({
        messageId: 'notCount',
        path: 'spec.template.metadata.annotations[autoscaling.knative.dev/min-scale]',
        data: { key: 'autoscaling.knative.dev/min-scale', value },
      })),
    },
    {
      name: 'in the metadata of the Service',
      yaml: writeAnnotated('', 'autoscaling.knative.dev/min-scale: "3"'),
      findings: [
        {
          messageId: 'misplaced',
          path: 'metadata.annotations[autoscaling.knative.dev/min-scale]',
          data: { key: 'autoscaling.knative.dev/min-scale' },
        },
      ],
    },
  ],
});

testRule(invalidTraffic, {
  valid: [
    'apiVersion: serving.knative.dev/v1\nkind: Service\nmetadata: { name: a }\nspec: { template: { spec: { containers: [{ image: a }] } } }\n',
  ],
  invalid: [
    {
      name: 'a share above 100',
      yaml: invalidTraffic.example.replace('percent: 70', 'percent: 170'),
      findings: [{ messageId: 'range', path: 'spec.traffic[1].percent', data: { percent: 170 } }],
    },
  ],
});

testRule(pinnedTraffic, {
  valid: [invalidTraffic.fixedExample],
  invalid: [{ yaml: pinnedTraffic.example, findings: [{ messageId: 'pinned', path: 'spec.traffic', severity: 'info' }] }],
});

import { planChange } from '../../../src/headless';
import type { Manifest } from '../../../src/headless';

function rollout(image: string, spec: Record<string, unknown> = {}): Manifest {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Rollout',
    metadata: { name: 'web' },
    spec: {
      replicas: 4,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'app', image }] } },
      strategy: { canary: {} },
      ...spec,
    },
  };
}

const OLD = rollout('app:1');

const RESTART_AT = '2026-01-01T00:00:00Z';

test.each([
  ['another image', rollout('app:2'), 'roll'],
  ['more replicas', rollout('app:1', { replicas: 6 }), 'scale'],
  ['both', rollout('app:2', { replicas: 6 }), 'roll-and-scale'],
  ['only the steps', rollout('app:1', { strategy: { canary: { steps: [{ setWeight: 50 }] } } }), 'settings'],
  ['another image while it is paused', rollout('app:2', { paused: true }), 'held'],
  ['a restart', rollout('app:1', { restartAt: RESTART_AT }), 'roll'],
  ['a restart while it is paused', rollout('app:1', { restartAt: RESTART_AT, paused: true }), 'roll'],
  ['a restart with more replicas', rollout('app:1', { restartAt: RESTART_AT, replicas: 6 }), 'roll-and-scale'],
  ['a restart with more replicas while it is paused', rollout('app:1', { restartAt: RESTART_AT, replicas: 6, paused: true }), 'held'],
  ['a restart with other steps', rollout('app:1', { restartAt: RESTART_AT, strategy: { canary: { steps: [{ setWeight: 50 }] } } }), 'roll'],
  ['nothing', OLD, 'none'],
])('%s: %#', (_name, next, effect) => {
  expect(planChange([OLD], [next]).change.objects.map((object) => object.effect)).toEqual([effect]);
});

test.each([
  ['a selector that the old pods lack', { selector: { matchLabels: { app: 'shop' } } }, 'scale', 4],
  ['one label more in both', { selector: { matchLabels: { app: 'web', tier: 'a' } } }, 'scale', 4],
  ['a label more in the template only', {}, 'roll', 0],
  ['while it is paused', { selector: { matchLabels: { app: 'shop' } }, paused: true }, 'held', 0],
])('a Rollout whose selector no longer matches its old pods leaves them running: %s', (what, spec, effect, podsAdded) => {
  const labels = { app: JSON.stringify(spec).includes('shop') ? 'shop' : 'web', tier: 'a' };
  const next = rollout('app:2', { ...spec, template: { metadata: { labels }, spec: { containers: [{ name: 'app', image: 'app:2' }] } } });
  const { change, rollouts } = planChange([OLD], [next]);
  const found = rollouts[0]!.findings.filter(({ code }) => code === 'argo-rollouts/orphaned-pods').map(({ message }) => message);
  expect({ effect: change.objects[0]!.effect, podsAdded: change.summary.podsAdded, found }).toEqual({
    effect,
    podsAdded,
    found: what.startsWith('a label')
      ? []
      : [
          'The selector no longer matches the 4 old pods: the controller gives up their ReplicaSet, so they run on next to the new pods, which are all created at once without steps.',
        ],
  });
});

test.each([
  ['according to the spec, in another format', { ...rollout('app:1', { restartAt: '2026-01-01T01:00:00+01:00' }) }],
  ['according to the status', { ...OLD, status: { restartedAt: RESTART_AT } }],
])('a completed restart is not repeated: %s', (_by, old) => {
  expect(planChange([old], [rollout('app:1', { restartAt: RESTART_AT })]).change.objects.map(({ effect }) => effect)).toEqual(['settings']);
});

test('a restart evicts maxUnavailable pods at once, passes no step, and has no version to roll back to', () => {
  const strategy = {
    canary: {
      maxUnavailable: 2,
      steps: [{ pause: {} }],
      stableService: 'one',
      canaryService: 'two',
      trafficRouting: { nginx: { stableIngress: 'one' } },
    },
  };
  const { change, rollouts } = planChange([rollout('app:1', { strategy })], [rollout('app:1', { strategy, restartAt: RESTART_AT })]);
  expect(change.summary).toMatchObject({ podsReplaced: 4, peakExtraPods: 0, lowest: { available: 2, replicas: 4 } });
  expect(rollouts[0]?.simulation).toEqual({
    kind: 'argorollout',
    type: 'restart',
    replicas: 4,
    surge: 0,
    unavailable: 2,
    waves: [
      { wave: 1, newPods: 2, oldPods: 2, total: 4, available: 2, until: 'ready' },
      { wave: 2, newPods: 4, oldPods: 0, total: 4, available: 2, until: 'ready' },
      { wave: 3, newPods: 4, oldPods: 0, total: 4, available: 4 },
    ],
    peakPods: 4,
    minAvailable: 2,
    waitSeconds: 0,
  });
  expect(rollouts[0]?.rollback).toMatchObject({ works: true });
  expect(rollouts[0]?.findings.map(({ code }) => code)).not.toContain('argo-rollouts/endless-pause');
});

function autoscaler(minReplicas: number): Manifest {
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'web' },
    spec: { scaleTargetRef: { apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', name: 'web' }, minReplicas, maxReplicas: 8 },
  };
}

function rolloutWithoutReplicas(image: string): Manifest {
  return rollout(image, { replicas: undefined });
}

function changeUnderAutoscaler(image: string, minReplicas: number) {
  return planChange([rolloutWithoutReplicas('app:1'), autoscaler(2)], [rolloutWithoutReplicas(image), autoscaler(minReplicas)]).change;
}

test('a Rollout without replicas has as many pods as its autoscaler sets, on both sides', () => {
  const rolled = changeUnderAutoscaler('app:2', 2);
  expect(rolled.objects.map(({ effect }) => effect)).toEqual(['roll', 'none']);
  expect(rolled.summary).toMatchObject({ podsReplaced: 2, lowest: { available: 2 } });

  const scaled = changeUnderAutoscaler('app:1', 4);
  expect(scaled.objects.map(({ effect }) => effect)).toEqual(['scale', 'settings']);
});

test('a change of replicas and image starts with the running pods: 5 of 8 are available', () => {
  const canary = { strategy: { canary: { maxSurge: 1, maxUnavailable: 0 } } };
  const { change, rollouts } = planChange([rollout('app:1', { replicas: 5, ...canary })], [rollout('app:2', { replicas: 8, ...canary })]);
  expect(change.summary).toMatchObject({ podsReplaced: 8, podsAdded: 3, peakExtraPods: 4, lowest: { available: 5, replicas: 8 } });
  expect(rollouts.map(({ simulation }) => simulation?.kind === 'argorollout' && simulation.waves.slice(0, 2))).toEqual([
    [
      { wave: 1, newPods: 4, oldPods: 5, total: 9, available: 5, until: 'ready' },
      { wave: 2, newPods: 5, oldPods: 4, total: 9, available: 8, until: 'ready' },
    ],
  ]);
});

test('its capacity depends on the pods that run before: with 2 of 6, all new ones fit at once', () => {
  const strategy = { canary: { maxSurge: 2, maxUnavailable: 1 } };
  const withCpu = (image: string, replicas: number) => {
    const container = { name: 'app', image, resources: { requests: { cpu: 1 } } };
    return rollout(image, {
      replicas,
      strategy,
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [container] } },
    });
  };
  const quota: Manifest = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'cpu' }, spec: { hard: { 'requests.cpu': 6 } } };
  const capacityFrom = (before: number) =>
    planChange([withCpu('app:1', before), quota], [withCpu('app:2', 6), quota]).rollouts[0]!.capacity;
  expect(capacityFrom(2)).toMatchObject({ verdict: 'slower', podsThatFit: 6, peakPods: 8, iterations: 1 });
  expect(capacityFrom(6)).toMatchObject({ verdict: 'slower', podsThatFit: 6, peakPods: 8, iterations: 6 });
});

describe('a Rollout that uses the pod template of another object', () => {
  const TEMPLATE = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'app', image: 'app:1' }] } };
  const image = (name: string, container: object = {}) => ({
    ...TEMPLATE,
    spec: { containers: [{ name: 'app', image: name, ...container }] },
  });
  const ref = (kind: string, apiVersion = 'apps/v1') => ({ template: undefined, workloadRef: { apiVersion, kind, name: 'base' } });
  const base = (template: object, metadata: object = {}, kind = 'Deployment'): Manifest => ({
    apiVersion: 'apps/v1',
    kind,
    metadata: { name: 'base', ...metadata },
    spec: { replicas: 0, selector: { matchLabels: { app: 'web' } }, template },
  });
  const podTemplate = (template: object): Manifest => ({ apiVersion: 'v1', kind: 'PodTemplate', metadata: { name: 'base' }, template });
  const effectOf = (old: readonly Manifest[], next: readonly Manifest[]) => {
    const { effect, causedBy = [] } = planChange(old, next).change.objects[0]!;
    return [effect, ...causedBy.map(({ kind }) => kind)];
  };
  const named = rollout('app:1', ref('Deployment'));

  test.each<[string, readonly Manifest[], readonly Manifest[], readonly string[]]>([
    ['rolls with a Deployment', [named, base(image('app:1'))], [named, base(image('app:2'))], ['roll', 'Deployment']],
    [
      'rolls with a ReplicaSet',
      [rollout('app:1', ref('ReplicaSet')), base(image('app:1'), {}, 'ReplicaSet')],
      [rollout('app:1', ref('ReplicaSet')), base(image('app:2'), {}, 'ReplicaSet')],
      ['roll', 'ReplicaSet'],
    ],
    [
      'rolls with a PodTemplate',
      [rollout('app:1', ref('PodTemplate', 'v1')), podTemplate(image('app:1'))],
      [rollout('app:1', ref('PodTemplate', 'v1')), podTemplate(image('app:2'))],
      ['roll', 'PodTemplate'],
    ],
    [
      'stays if the object spells out a default or gets another label',
      [named, base(image('app:1'))],
      [named, base(image('app:1', { imagePullPolicy: 'IfNotPresent' }), { labels: { team: 'a' } })],
      ['none'],
    ],
    [
      'waits while it is paused',
      [rollout('app:1', { ...ref('Deployment'), paused: true }), base(image('app:1'))],
      [rollout('app:1', { ...ref('Deployment'), paused: true }), base(image('app:2'))],
      ['held', 'Deployment'],
    ],
    [
      'stays if the API server refuses the object',
      [named, base(image('app:1'))],
      [named, { ...base(image('app:2')), spec: { replicas: 0, selector: { matchLabels: { app: 'api' } }, template: image('app:2') } }],
      ['none'],
    ],
    [
      'rolls because of its own change if it then references other pods',
      [rollout('app:1'), base(image('app:2'))],
      [named, base(image('app:2'))],
      ['roll'],
    ],
    ['keeps its pods if the object has the same', [rollout('app:1'), base(TEMPLATE)], [named, base(TEMPLATE)], ['settings']],
    ['is unknown if OLD lacks the object', [named], [named, base(image('app:1'))], ['unknown', 'Deployment']],
    ['stays if neither side has the object', [named], [named], ['none']],
  ])('%s', (_name, old, next, expected) => {
    expect(effectOf(old, next)).toEqual(expected);
  });
});

test('a template that spells out a default is the same template to the controller', () => {
  const spelled = {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'app', image: 'app:1', imagePullPolicy: 'IfNotPresent' }] },
  };
  expect(planChange([OLD], [rollout('app:1', { template: spelled })]).change.objects.map(({ effect }) => effect)).toEqual(['settings']);
});

import { planChange, planManifests } from '../../../src/headless';
import { podTemplate, workload } from '../../builders/workload';
import { expectValidPlan } from '../../plan-schema';

function target(spec: object = {}, image = 'web:1'): object {
  const template = podTemplate({ name: 'web', image, readinessProbe: { httpGet: { path: '/', port: 80 } } });
  return workload('Deployment', { template, ...spec }, { name: 'web', namespace: 'shop' });
}

function canary(spec: object = {}): object {
  return {
    apiVersion: 'flagger.app/v1beta1',
    kind: 'Canary',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      targetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      analysis: { interval: '30s', maxWeight: 50, stepWeight: 10 },
      ...spec,
    },
  };
}

const HPA = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'web', namespace: 'shop' },
  spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, minReplicas: 4, maxReplicas: 9 },
};

test('a new template rolls the primary while the pods of the target run next to it', () => {
  const { change, rollouts } = expectValidPlan(
    planChange([target({ replicas: 4 }), canary()], [target({ replicas: 4 }, 'web:2'), canary()]),
  );
  expect(change.objects[0]).toMatchObject({ effect: 'roll', pods: { before: 4, after: 4 } });
  // 4 pods of the target, and the surge of the primary.
  expect(change.summary).toMatchObject({ podsReplaced: 4, peakExtraPods: 5, podsAdded: 0 });
  expect(rollouts.map(({ system, resource, simulation }) => [system, resource.component, simulation?.kind])).toEqual([
    ['flagger', 'primary', 'deployment'],
    ['flagger', 'canary', undefined],
  ]);
  expect(rollouts[0]!.creates).toMatchObject([{ name: 'web-primary', replicas: 4, selector: { app: 'web-primary' } }]);
  const explanation = rollouts[0]!.findings.find(({ code }) => code === 'flagger/primary-serves')!;
  expect(explanation.message).toBe(
    'Canary "web" of Flagger keeps Deployment "web" at 0 pods and serves from "web-primary". A new template starts 4 pods of "web", ' +
      'shifts 10, 20, 30, 40 and 50% of the requests to them, one step every 30 s, then replaces the pods of "web-primary" by its strategy, and scales "web" to 0.',
  );
});

test('with an autoscaler the primary keeps its number of pods, whatever the manifest says', () => {
  const withHpa = canary({ autoscalerRef: { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', name: 'web' } });
  const { change, rollouts } = planChange([target(), withHpa, HPA], [target({}, 'web:2'), withHpa, HPA]);
  expect(change.objects[0]).toMatchObject({ effect: 'roll', pods: { before: 4, after: 4 } });
  expect(rollouts[0]!.autoscaled).toMatchObject({ maximum: { replicas: 9 } });
  expect(rollouts[0]!.findings.map(({ code }) => code)).toEqual(['flagger/primary-serves']);
});

test.each<[string, object, object, string]>([
  ['the number of pods alone waits for the next promotion', target({ replicas: 6 }), canary(), 'settings'],
  ['a suspended Canary holds a new template', target({ replicas: 4 }, 'web:2'), canary({ suspend: true }), 'held'],
])('%s', (_what, next, nextCanary, effect) => {
  const { change } = planChange([target({ replicas: 4 }), canary()], [next, nextCanary]);
  expect(change.objects[0]!.effect).toBe(effect);
});

test('a DaemonSet gets one line that says whose pods they are, and no waves', () => {
  const agent = workload('DaemonSet', { template: podTemplate() }, { name: 'web', namespace: 'shop' });
  const { rollouts } = planManifests([agent, canary({ targetRef: { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'web' } })]);
  expect(rollouts).toMatchObject([{ system: 'flagger', simulation: null, findings: [{ messageId: 'not-simulated' }] }]);
});

test('a DaemonSet whose template changes is not said to have kept its pods from updating', () => {
  const flagger = canary({ targetRef: { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'web' } });
  const agent = (image: string) => workload('DaemonSet', { template: podTemplate({ image }) }, { name: 'web', namespace: 'shop' });
  const { change, findings, notPlanned } = planChange([agent('web:1'), flagger], [agent('web:2'), flagger]);
  expect(change.objects.map(({ effect }) => effect)).toEqual(['unknown', 'none']);
  expect(findings.filter(({ code }) => code === 'change/incomplete-information')).toEqual([]);
  expect(notPlanned.map(({ kind }) => kind)).toEqual(['DaemonSet']);
});

test('a DaemonSet that the API server refuses is refused as the target of a Canary too', () => {
  const agent = workload('DaemonSet', { template: podTemplate(), updateStrategy: { type: 'Foo' } }, { name: 'web', namespace: 'shop' });
  const { rollouts } = planManifests([agent, canary({ targetRef: { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'web' } })]);
  expect(rollouts).toMatchObject([{ system: 'flagger', findings: [{ code: 'kubernetes/invalid-strategy' }] }]);
});

test.each([
  ['StatefulSet', ['kubernetes'], []],
  ['ReplicaSet', [], ['ReplicaSet']],
])('a %s, which no Canary can target, is planned or counted as before', (kind, systems, counted) => {
  const object = workload(kind, { template: podTemplate(), serviceName: 'web' }, { name: 'web', namespace: 'shop' });
  const plan = planManifests([object, canary({ targetRef: { apiVersion: 'apps/v1', kind, name: 'web' } })]);
  expect([plan.rollouts.map(({ system }) => system), plan.notPlanned.map((each) => each.kind)]).toEqual([systems, counted]);
});

test('the pods of the target need capacity next to the primary', () => {
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'pods', namespace: 'shop' }, spec: { hard: { pods: '8' } } };
  const verdictOf = (pods: string) =>
    planChange([target({ replicas: 4 }), canary()], [target({ replicas: 4 }, 'web:2'), canary(), { ...quota, spec: { hard: { pods } } }])
      .rollouts[0]!.capacity?.verdict;
  expect([verdictOf('9'), verdictOf('8')]).toEqual(['fits', 'slower']);
});

test('a Deployment that a Canary of a version targets which no server has is planned as before', () => {
  const { rollouts } = planManifests([target({ replicas: 4 }), { ...canary({ suspend: true }), apiVersion: 'flagger.app/v9' }]);
  expect(rollouts).toMatchObject([{ system: 'kubernetes', simulation: { kind: 'deployment', replicas: 4 } }]);
});

test('a Deployment that no Canary targets is planned as before', () => {
  const { rollouts } = planManifests([
    target({ replicas: 4 }),
    canary({ targetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'api' } }),
  ]);
  expect(rollouts.map(({ system }) => system)).toEqual(['kubernetes']);
});

test('the analysis is planned check by check', () => {
  const { rollouts } = expectValidPlan(
    planChange([target({ replicas: 4 }), canary()], [target({ replicas: 4 }, 'web:2'), canary({ provider: 'istio' })]),
  );
  const { checks, ...analysis } = rollouts[0]!.analysis!;
  expect(analysis).toEqual({ strategy: 'canary', provider: 'istio', intervalSeconds: 30, durationSeconds: 240, outcome: 'promoted' });
  expect(
    checks.map(({ elapsedSeconds, phase, pods, newWeight }) => `${elapsedSeconds} s: ${phase}, ${pods} pods get ${newWeight} %`),
  ).toEqual([
    '0 s: Progressing, 4 pods get 0 %',
    '30 s: Progressing, 4 pods get 10 %',
    '60 s: Progressing, 4 pods get 20 %',
    '90 s: Progressing, 4 pods get 30 %',
    '120 s: Progressing, 4 pods get 40 %',
    '150 s: Progressing, 4 pods get 50 %',
    '180 s: Promoting, 4 pods get 50 %',
    '210 s: Finalising, 4 pods get 0 %',
    '240 s: Succeeded, 0 pods get 0 %',
  ]);
});

test.each<[string, object, string]>([
  [
    'iterations win over weights',
    { analysis: { interval: '1m', iterations: 3, stepWeight: 10 } },
    'checks it 3 times without requests, once every 60 s, then sends all requests to it',
  ],
  [
    'without a router no requests are shifted',
    { provider: 'kubernetes', analysis: { interval: '1m', stepWeight: 10 } },
    'checks it 10 times without requests, once every 60 s',
  ],
  [
    'an A/B test',
    { analysis: { iterations: 2, match: [{ headers: {} }] } },
    'sends the requests that match to it for 2 checks, one every 60 s',
  ],
  ['many steps', { analysis: { stepWeight: 5, maxWeight: 50 } }, 'shifts 5 to 50% in 10 steps of the requests to it, one step every 60 s'],
  [
    'a mirror',
    { analysis: { iterations: 2, mirror: true } },
    'checks it 2 times with copies of the requests, once every 60 s, then sends all requests to it',
  ],
])('%s', (_what, spec, text) => {
  const [rollout] = planManifests([target(), canary(spec)]).rollouts;
  expect(rollout!.findings.find(({ code }) => code === 'flagger/primary-serves')!.message).toContain(`, ${text}, then replaces`);
});

test('an analysis that is skipped starts the pods, and promotes them at once', () => {
  const [rollout] = planManifests([target(), canary({ skipAnalysis: true })]).rollouts;
  expect(rollout!.findings.find(({ code }) => code === 'flagger/primary-serves')!.message).toContain(
    'A new template starts 1 pod of "web". Once it is ready, Flagger skips the analysis: it scales "web" to 0 at once and replaces the pods of "web-primary" by its strategy.',
  );
});

test('an iteration is a check, however many there are', () => {
  const { analysis } = planManifests([target(), canary({ provider: 'istio', analysis: { iterations: 2_000_000 } })]).rollouts[0]!;
  expect(analysis).toMatchObject({ elided: 1_999_905, durationSeconds: 2_000_004 * 60 });
});

test('new data of a ConfigMap that the pods read starts an analysis too, unless Flagger does not track it', () => {
  const reads = { template: podTemplate({ name: 'web', image: 'web:1', envFrom: [{ configMapRef: { name: 'settings' } }] }) };
  const settings = (value: string, annotations: object = {}) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'settings', namespace: 'shop', annotations },
    data: { value },
  });
  const change = (old: object, next: object) =>
    planChange([target(reads), canary(), old], [target(reads), canary(), next]).change.objects.map(
      ({ resource, effect }) => `${resource.kind} ${effect}`,
    );
  const effectsOf = (annotations: object) => change(settings('a', annotations), settings('b', annotations));
  expect(effectsOf({})).toEqual(['Deployment roll', 'Canary none', 'ConfigMap settings']);
  expect(effectsOf({ 'flagger.app/config-tracking': 'disabled' })).toEqual(['Deployment none', 'Canary none', 'ConfigMap restart-needed']);
  const untracked = settings('a', { 'flagger.app/config-tracking': 'disabled' });
  expect(change(settings('a'), untracked)).toEqual(['Deployment roll', 'Canary none', 'ConfigMap metadata']);
  expect(change(untracked, settings('a'))).toEqual(['Deployment roll', 'Canary none', 'ConfigMap metadata']);
});

test('an optional ConfigMap that is created or deleted starts an analysis', () => {
  const configMapRef = { name: 'settings', optional: true };
  const reads = { template: podTemplate({ name: 'web', image: 'web:1', envFrom: [{ configMapRef }] }) };
  const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace: 'shop' }, data: { a: 'b' } };
  const pair = [target(reads), canary()];
  const effectsOf = (old: readonly object[], next: readonly object[], prune: boolean) =>
    planChange(old, next, { prune }).change.objects.map(({ resource, effect }) => `${resource.kind} ${effect}`);
  expect(effectsOf(pair, [...pair, settings], false)).toEqual(['Deployment roll', 'Canary none', 'ConfigMap create']);
  expect(effectsOf([...pair, settings], pair, true)).toEqual(['Deployment roll', 'Canary none', 'ConfigMap delete']);
  expect(effectsOf([...pair, settings], pair, false)).toEqual(['Deployment none', 'Canary none', 'ConfigMap none']);
});

test('the live primary, which the Canary controls, decides how many pods are replaced', () => {
  const live = { ...target({ replicas: 0 }), metadata: { name: 'web', namespace: 'shop', uid: '1' } };
  const owner = { apiVersion: 'flagger.app/v1beta1', kind: 'Canary', name: 'web', uid: '3', controller: true };
  const primary = workload(
    'Deployment',
    { replicas: 6, template: podTemplate() },
    { name: 'web-primary', namespace: 'shop', ownerReferences: [owner] },
  );
  const { change, rollouts } = planChange([live, primary, canary()], [target({}, 'web:2'), canary()]);
  expect(change.objects[0]).toMatchObject({ effect: 'roll', pods: { before: 6, after: 6 } });
  expect(rollouts[0]!.creates).toMatchObject([{ name: 'web-primary', replicas: 6 }]);
});

test.each<[what: string, analysis: object]>([
  ['without steps', { interval: '30s', maxWeight: 50 }],
  ['up to more than all requests', { interval: '30s', maxWeight: 101, stepWeight: 1 }],
  ['up to the largest number', { maxWeight: 2_147_483_647, stepWeight: 1 }],
])('an analysis %s, which can never end, holds the new version, and its pods stay', (_, analysis) => {
  const endless = canary({ analysis });
  const { change, rollouts } = planChange([target({ replicas: 4 }), endless], [target({ replicas: 4 }, 'web:2'), endless]);
  expect(change.objects[0]).toMatchObject({ effect: 'held', heldUntil: 'the analysis of the Canary can end' });
  expect(change.summary.peakExtraPods).toBe(4);
  expect(rollouts[0]!.findings.map(({ code }) => code)).toContain('flagger/never-promoted');
});

test('a selector without a label that Flagger looks for: its Canary has no effect', () => {
  const other = {
    selector: { matchLabels: { component: 'web' } },
    template: { ...podTemplate(), metadata: { labels: { component: 'web' } } },
  };
  const { rollouts, findings } = planManifests([target(other), canary()]);
  expect(rollouts.map(({ system }) => system)).toEqual(['kubernetes']);
  expect(findings.map(({ code }) => code)).toEqual(['flagger/selector-label']);
});

test('without an analysis the pods of the target are gone before the primary surges', () => {
  const extraPods = (spec: object) =>
    planChange([target({ replicas: 4 }), canary(spec)], [target({ replicas: 4 }, 'web:2'), canary(spec)]).change.summary.peakExtraPods;
  expect([extraPods({}), extraPods({ skipAnalysis: true })]).toEqual([5, 4]);
});

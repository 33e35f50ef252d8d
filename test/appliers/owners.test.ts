import { planChange, planManifests } from '../../src/headless';
import { podTemplate, workload } from '../builders/workload';

function web(kind: string, spec: object = {}, labels: object = {}, image = 'web:1'): object {
  return workload(
    kind,
    { replicas: 3, template: podTemplate({ name: 'web', image }), ...spec },
    { name: 'web', namespace: 'shop', labels },
  );
}

const QUEUE = { 'kueue.x-k8s.io/queue-name': 'gpu' };

test.each<[string, object, object, string]>([
  ['a new template of a StatefulSet', web('StatefulSet', {}, QUEUE), web('StatefulSet', {}, QUEUE, 'web:2'), 'spec.template.spec'],
  ['more pods of a StatefulSet', web('StatefulSet', {}, QUEUE), web('StatefulSet', { replicas: 5 }, QUEUE), 'spec.replicas'],
  ['a queue for a running Deployment', web('Deployment'), web('Deployment', {}, QUEUE), 'metadata.labels[kueue.x-k8s.io/queue-name]'],
])('Kueue refuses %s', (_what, old, next, path) => {
  const { objects } = planChange([old], [next]).change;
  expect(objects[0]).toMatchObject({ effect: 'refused', refusal: { path } });
});

test.each<[string, object, object, string]>([
  ['a StatefulSet that is scaled to 0', web('StatefulSet', {}, QUEUE), web('StatefulSet', { replicas: 0 }, QUEUE), 'scale'],
  ['a new template of a Deployment', web('Deployment', {}, QUEUE), web('Deployment', {}, QUEUE, 'web:2'), 'roll'],
  ['a StatefulSet without a queue', web('StatefulSet'), web('StatefulSet', {}, {}, 'web:2'), 'roll'],
])('Kueue accepts %s', (_what, old, next, effect) => {
  expect(planChange([old], [next]).change.objects[0]!.effect).toBe(effect);
});

test('a Deployment of an OpenKruise Rollout has no waves, and one line says whose pods they are', () => {
  const rollout = {
    apiVersion: 'rollouts.kruise.io/v1beta1',
    kind: 'Rollout',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
  };
  const [planned] = planManifests([web('Deployment'), rollout]).rollouts;
  expect(planned!.simulation).toBeNull();
  expect(planned!.findings.map(({ code, messageId }) => [code, messageId])).toContainEqual(['kubernetes/other-owner', 'kruise']);
  const [disabled] = planManifests([web('Deployment'), { ...rollout, spec: { ...rollout.spec, disabled: true } }]).rollouts;
  expect(disabled!.simulation).not.toBeNull();
});

test.each<[string, boolean]>([
  ['Recreate', true],
  ['Off', false],
])('a VerticalPodAutoscaler in mode %s sets the requests of new pods: %s', (updateMode, isNamed) => {
  const vpa = {
    apiVersion: 'autoscaling.k8s.io/v1',
    kind: 'VerticalPodAutoscaler',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { targetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, updatePolicy: { updateMode } },
  };
  const [planned] = planManifests([web('Deployment'), vpa]).rollouts;
  expect(planned!.simulation).not.toBeNull();
  expect(planned!.findings.some(({ messageId }) => messageId === 'vpa')).toBe(isNamed);
});

test.each<[what: string, triggers: readonly string[], spec: object, annotations: object, isNamed: boolean]>([
  ['a trigger of events', ['kafka'], {}, {}, true],
  ['cpu and a trigger of events', ['cpu', 'kafka'], { minReplicaCount: 0 }, {}, true],
  ['cpu and memory alone, which never scale to 0', ['cpu', 'memory'], {}, {}, false],
  ['a minimum', ['kafka'], { minReplicaCount: 1 }, {}, false],
  ['a pause', ['kafka'], {}, { 'autoscaling.keda.sh/paused': 'true' }, false],
])('a ScaledObject with %s', (_what, triggers, spec, annotations, isNamed) => {
  const scaledObject = {
    apiVersion: 'keda.sh/v1alpha1',
    kind: 'ScaledObject',
    metadata: { name: 'web', namespace: 'shop', annotations },
    spec: { scaleTargetRef: { name: 'web' }, triggers: triggers.map((type) => ({ type, metadata: {} })), ...spec },
  };
  const [planned] = planManifests([web('Deployment'), scaledObject]).rollouts;
  expect(planned!.findings.some(({ messageId }) => messageId === 'keda-zero')).toBe(isNamed);
});

import { planChange, planManifests } from '../../src/headless';
import { podTemplate, workload } from '../builders/workload';
import { rolloutkit } from '../cli/command-line';

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

test('Kueue refuses a new template of a LeaderWorkerSet in a queue, since the pods of a group are admitted together, and accepts more groups', () => {
  const groups = (labels: object, image: string, replicas = 2) => ({
    apiVersion: 'leaderworkerset.x-k8s.io/v1',
    kind: 'LeaderWorkerSet',
    metadata: { name: 'llm', namespace: 'shop', labels },
    spec: { replicas, leaderWorkerTemplate: { size: 4, workerTemplate: podTemplate({ name: 'llm', image }) } },
  });
  const changeOf = (old: object, next: object) => planChange([old], [next]).change.objects[0]!;
  expect(changeOf(groups(QUEUE, 'llm:1'), groups(QUEUE, 'llm:2'))).toMatchObject({
    effect: 'refused',
    refusal: { path: 'spec.leaderWorkerTemplate.workerTemplate.spec' },
  });
  expect(changeOf(groups(QUEUE, 'llm:1'), groups(QUEUE, 'llm:1', 3)).effect).toBe('scale');
  expect(changeOf(groups({}, 'llm:1'), groups({}, 'llm:2')).effect).toBe('roll');
});

test('a plan says which live value Argo CD keeps, because its Application ignores the field', async () => {
  const application = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'web', namespace: 'argocd' },
    spec: {
      source: { repoURL: 'https://example.com/shop.git', path: 'deploy/new' },
      destination: { namespace: 'shop' },
      ignoreDifferences: [{ group: 'apps', kind: 'Deployment', jsonPointers: ['/spec/replicas'] }],
      syncPolicy: { syncOptions: ['RespectIgnoreDifferences=true'] },
    },
  };
  const files = {
    'old/web.json': JSON.stringify(web('Deployment', { replicas: 1 })),
    'new/web.json': JSON.stringify(web('Deployment', { replicas: 0 })),
    'app/web.json': JSON.stringify(application),
  };
  const line = 'Argo CD keeps the live spec.replicas 1 of Deployment shop/web: its Application ignores this field';
  expect((await rolloutkit('plan --from old new app', { files })).stdout).toContain(`\n${line}\n`);
  expect((await rolloutkit('plan --from old old app', { files })).stdout).not.toContain('keeps');
  const { change } = JSON.parse((await rolloutkit('plan --from old new app --format json', { files })).stdout);
  expect(change.objects[0]).toMatchObject({ effect: 'none', keeps: [{ path: 'spec.replicas', value: 1 }] });
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

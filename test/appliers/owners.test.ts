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

const PRIORITY = { 'kueue.x-k8s.io/priority-class': 'high' };
const QUEUE_PATH = 'metadata.labels[kueue.x-k8s.io/queue-name]';

/** A workload whose only container has more fields. */
const withContainer = (kind: string, fields: object, spec: object = {}, pod: object = {}) => {
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1', ...fields }], ...pod } };
  return web(kind, { ...spec, template }, QUEUE);
};

const requests = (cpu: string) => ({ resources: { requests: { cpu } } });

/** Groups of a LeaderWorkerSet. */
const groups = (labels: object, fields: object, { replicas = 2, size = 4 } = {}) => ({
  apiVersion: 'leaderworkerset.x-k8s.io/v1',
  kind: 'LeaderWorkerSet',
  metadata: { name: 'llm', namespace: 'shop', labels },
  spec: {
    replicas,
    leaderWorkerTemplate: { size, workerTemplate: { spec: { containers: [{ name: 'llm', image: 'llm:1', ...fields }] } } },
  },
});

const job = (labels: object, suspend?: boolean) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'train', namespace: 'shop', labels },
  spec: {
    ...(suspend !== undefined && { suspend }),
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a:1' }] } },
  },
});

const rayCluster = (labels: object) => ({
  apiVersion: 'ray.io/v1',
  kind: 'RayCluster',
  metadata: { name: 'ray', namespace: 'shop', labels },
  spec: { headGroupSpec: { rayStartParams: {}, template: { spec: { containers: [{ name: 'head', image: 'ray:2' }] } } } },
});

test.each<[string, object, object, string]>([
  [
    'other requests of a StatefulSet',
    withContainer('StatefulSet', requests('1')),
    withContainer('StatefulSet', requests('2')),
    'spec.template.spec.containers[0].resources.requests',
  ],
  [
    'other requests of a StatefulSet at 0 replicas',
    withContainer('StatefulSet', requests('1'), { replicas: 0 }),
    withContainer('StatefulSet', requests('2'), { replicas: 0 }),
    'spec.template.spec.containers[0].resources.requests',
  ],
  [
    'a new port of a StatefulSet',
    withContainer('StatefulSet', {}),
    withContainer('StatefulSet', { ports: [{ containerPort: 80 }] }),
    'spec.template.spec.containers[0].ports',
  ],
  [
    'a node selector of a StatefulSet',
    withContainer('StatefulSet', {}),
    withContainer('StatefulSet', {}, {}, { nodeSelector: { gpu: 'h100' } }),
    'spec.template.spec.nodeSelector',
  ],
  [
    'an init container of a StatefulSet',
    withContainer('StatefulSet', {}),
    withContainer('StatefulSet', {}, {}, { initContainers: [{ name: 'init', image: 'init:1' }] }),
    'spec.template.spec.initContainers',
  ],
  ['more pods of a StatefulSet', web('StatefulSet', {}, QUEUE), web('StatefulSet', { replicas: 5 }, QUEUE), 'spec.replicas'],
  ['a queue for a running Deployment', web('Deployment'), web('Deployment', {}, QUEUE), QUEUE_PATH],
  ['a queue for a running StatefulSet', web('StatefulSet'), web('StatefulSet', {}, QUEUE), QUEUE_PATH],
  ['no queue for a Deployment at 0 replicas', web('Deployment', { replicas: 0 }, QUEUE), web('Deployment', { replicas: 0 }), QUEUE_PATH],
  [
    'a priority for running pods',
    web('Deployment', {}, QUEUE),
    web('Deployment', {}, { ...QUEUE, ...PRIORITY }),
    'metadata.labels[kueue.x-k8s.io/priority-class]',
  ],
  [
    'other requests of a LeaderWorkerSet',
    groups(QUEUE, requests('1')),
    groups(QUEUE, requests('2')),
    'spec.leaderWorkerTemplate.workerTemplate.spec.containers[0].resources.requests',
  ],
  ['larger groups of a LeaderWorkerSet', groups(QUEUE, {}), groups(QUEUE, {}, { size: 5 }), 'spec.leaderWorkerTemplate.size'],
  ['a queue for a running LeaderWorkerSet', groups({}, {}), groups(QUEUE, {}), QUEUE_PATH],
  ['another queue for a running Job', job(QUEUE), job({ 'kueue.x-k8s.io/queue-name': 'cpu' }), QUEUE_PATH],
  ['a queue for a running RayCluster', rayCluster({}), rayCluster(QUEUE), QUEUE_PATH],
])('Kueue refuses %s', (_what, old, next, path) => {
  const { objects } = planChange([old], [next]).change;
  expect(objects[0]).toMatchObject({ effect: 'refused', refusal: { path } });
});

test.each<[string, object, object, string]>([
  ['a StatefulSet that is scaled to 0', web('StatefulSet', {}, QUEUE), web('StatefulSet', { replicas: 0 }, QUEUE), 'scale'],
  ['a new image of a StatefulSet', web('StatefulSet', {}, QUEUE), web('StatefulSet', {}, QUEUE, 'web:2'), 'roll'],
  [
    'new limits of a StatefulSet',
    withContainer('StatefulSet', {}),
    withContainer('StatefulSet', { resources: { limits: { cpu: '2' } } }),
    'roll',
  ],
  [
    'the same requests in another unit',
    withContainer('StatefulSet', requests('1')),
    withContainer('StatefulSet', { image: 'web:2', ...requests('1000m') }),
    'roll',
  ],
  ['a new template of a Deployment', web('Deployment', {}, QUEUE), web('Deployment', {}, QUEUE, 'web:2'), 'roll'],
  ['other requests of a Deployment', withContainer('Deployment', requests('1')), withContainer('Deployment', requests('2')), 'roll'],
  ['a queue for a Deployment at 0 replicas', web('Deployment', { replicas: 0 }), web('Deployment', { replicas: 0 }, QUEUE), 'metadata'],
  ['other requests of a StatefulSet without a queue', web('StatefulSet'), web('StatefulSet', {}, {}, 'web:2'), 'roll'],
  ['a new image of a LeaderWorkerSet', groups(QUEUE, {}), groups(QUEUE, { image: 'llm:2' }), 'roll'],
  ['more groups of a LeaderWorkerSet', groups(QUEUE, {}), groups(QUEUE, {}, { replicas: 3 }), 'scale'],
  ['another queue for a suspended Job', job(QUEUE, true), job({ 'kueue.x-k8s.io/queue-name': 'cpu' }, true), 'metadata'],
])('Kueue accepts %s', (_what, old, next, effect) => {
  expect(planChange([old], [next]).change.objects[0]!.effect).toBe(effect);
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

test.each([
  [
    'an OpenKruise Rollout',
    'Deployment',
    'rollouts.kruise.io/v1beta1',
    'Rollout',
    { workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
    'Rollout "web" of OpenKruise replaces the pods',
  ],
  [
    'a Canary of Flagger',
    'DaemonSet',
    'flagger.app/v1beta1',
    'Canary',
    { targetRef: { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'web' }, analysis: {} },
    'Canary "web" of Flagger decides about the pods',
  ],
])(
  'the plan of a change says that %s decides about the pods, and not that none is replaced',
  async (_what, kind, apiVersion, ownerKind, spec, line) => {
    const owner = { apiVersion, kind: ownerKind, metadata: { name: 'web', namespace: 'shop' }, spec };
    const list = (image: string) =>
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'List',
        items: [web(kind, kind === 'DaemonSet' ? { replicas: undefined } : {}, {}, image), owner],
      });
    const { stdout } = await rolloutkit('plan --from old.json new.json', {
      files: { 'old.json': list('web:1'), 'new.json': list('web:2') },
    });
    expect(stdout).toContain(line);
    expect(stdout).toContain('no simulation: see the findings');
  },
);

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

const scaledObject = (triggers: readonly string[], spec: object, annotations: object) => ({
  apiVersion: 'keda.sh/v1alpha1',
  kind: 'ScaledObject',
  metadata: { name: 'web', namespace: 'shop', annotations },
  spec: { scaleTargetRef: { name: 'web' }, triggers: triggers.map((type) => ({ type, metadata: {} })), ...spec },
});

test.each<[what: string, triggers: readonly string[], spec: object, annotations: object, isNamed: boolean]>([
  ['a trigger of events', ['kafka'], {}, {}, true],
  ['cpu and a trigger of events', ['cpu', 'kafka'], { minReplicaCount: 0 }, {}, true],
  ['cpu and memory alone, which never scale to 0', ['cpu', 'memory'], {}, {}, false],
  ['a minimum', ['kafka'], { minReplicaCount: 1 }, {}, false],
  ['a pause', ['kafka'], {}, { 'autoscaling.keda.sh/paused': 'true' }, false],
  ['0 pods while idle', ['kafka'], { minReplicaCount: 2, idleReplicaCount: 0 }, {}, true],
  ['a pause of scaling in', ['kafka'], {}, { 'autoscaling.keda.sh/paused-scale-in': 'true' }, false],
  ['forced activation', ['kafka'], {}, { 'autoscaling.keda.sh/force-activation': 'true' }, false],
])('a ScaledObject with %s is said to scale to 0 only if it does', (_what, triggers, spec, annotations, isNamed) => {
  const [planned] = planManifests([web('Deployment'), scaledObject(triggers, spec, annotations)]).rollouts;
  expect(planned!.findings.some(({ messageId }) => messageId === 'keda-zero')).toBe(isNamed);
});

test.each<[what: string, spec: object, annotations: object, text: string]>([
  [
    'paused',
    {},
    { 'autoscaling.keda.sh/paused': 'true' },
    'ScaledObject "web" is paused: KEDA keeps the current number of pods of this Deployment and deletes its autoscaler, so no load and no failure changes the number.',
  ],
  [
    'paused at a number',
    {},
    { 'autoscaling.keda.sh/paused-replicas': '2' },
    'ScaledObject "web" is paused: KEDA keeps 2 pods of this Deployment and deletes its autoscaler, so no load and no failure changes the number.',
  ],
  [
    'with a fallback',
    { minReplicaCount: 1, fallback: { failureThreshold: 3, replicas: 6, behavior: 'currentReplicasIfHigher' } },
    {},
    'While a trigger of ScaledObject "web" fails, KEDA asks for at least 6 pods of this Deployment (fallback), within its minimum and maximum.',
  ],
])('one line says what a ScaledObject %s does to the pods', (_what, spec, annotations, text) => {
  const [planned] = planManifests([web('Deployment'), scaledObject(['kafka'], spec, annotations)]).rollouts;
  expect(planned!.findings.filter(({ code }) => code === 'kubernetes/other-owner').map(({ message }) => message)).toEqual([text]);
});

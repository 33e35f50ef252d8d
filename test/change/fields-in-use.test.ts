/** Fields of a live object that its version drops by default: a gate of the cluster is on, and the API server keeps them in an update. */
import { planChange } from '../../src/headless';

type Pod = Readonly<Record<string, unknown>>;

function deployment(pod: Pod, container: Pod = {}, replicas = 2) {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { ...pod, containers: [{ name: 'web', image: 'web:1', ...container }] } },
    },
  };
}

function statefulSet(maxUnavailable?: unknown) {
  const { spec, ...rest } = deployment({});
  const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { ...(maxUnavailable !== undefined && { maxUnavailable }) } };
  return { ...rest, kind: 'StatefulSet', spec: { ...spec, serviceName: 'web', updateStrategy } };
}

function asLive<Workload extends { readonly metadata?: object }>(object: Workload): Workload {
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(object) };
  return { ...object, metadata: { ...object.metadata, uid: 'u', resourceVersion: '1', annotations } };
}

function effectOf(old: object, next: object, kubernetes: string): string {
  return planChange([old], [next], { versions: { kubernetes } }).change.objects[0]!.effect;
}

const image = (reference: string) => deployment({ volumes: [{ name: 'm', image: { reference } }] });
const stop = (stopSignal: string, pod: Pod = {}) => deployment({ os: { name: 'linux' }, ...pod }, { lifecycle: { stopSignal } });
const restart = (restartPolicy: string) => deployment({}, { restartPolicy });

test.each<[what: string, version: string, old: object, next: object, fromLive: string, fromManifest: string]>([
  ['hostUsers', '1.32', deployment({ hostUsers: true }), deployment({ hostUsers: false }), 'roll', 'none'],
  ['hostUsers that are removed', '1.32', deployment({ hostUsers: true }), deployment({}), 'roll', 'none'],
  ['hostUsers that are not in use', '1.32', deployment({}), deployment({ hostUsers: false }), 'none', 'none'],
  [
    'resources next to a field that is in use',
    '1.33',
    stop('SIGTERM'),
    stop('SIGTERM', { resources: { limits: { cpu: '1' } } }),
    'none',
    'none',
  ],
  ['hostUsers that stay', '1.32', deployment({ hostUsers: true }), deployment({ hostUsers: true }, {}, 3), 'scale', 'scale'],
  ['the image of a volume', '1.34', image('model:1'), image('model:2'), 'roll', 'none'],
  ['the signal that stops a container', '1.36', stop('SIGTERM'), stop('SIGKILL'), 'roll', 'none'],
  ['the restartPolicy of a container', '1.34', restart('Always'), restart('Never'), 'roll', 'none'],
  ['the maxUnavailable of a StatefulSet', '1.36', statefulSet(2), statefulSet(3), 'settings', 'none'],
  ['a maxUnavailable that is not in use', '1.36', statefulSet(), statefulSet(3), 'none', 'none'],
])('%s in %s', (_, version, old, next, fromLive, fromManifest) => {
  expect([effectOf(asLive(old), next, version), effectOf(old, next, version)]).toEqual([fromLive, fromManifest]);
  expect(effectOf(asLive(next), next, version)).toBe('none');
});

test('the ReplicaSet of a template with such a field is that of the Deployment', () => {
  const live = asLive(image('model:1'));
  const set = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: 'web-1',
      namespace: 'shop',
      uid: 's',
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'u', controller: true }],
    },
    spec: live.spec,
    status: { replicas: 2, availableReplicas: 2 },
  };
  const { change } = planChange([live, set], [image('model:1')], { versions: { kubernetes: '1.34' } });
  expect(change.objects.map(({ effect }) => effect)).toEqual(['none']);
});

test.each(['1.33', '1.34', '1.35'])(
  'a new restartPolicy of a container is refused before 1.34, dropped in 1.34 and kept since: %s',
  (version) => {
    const job = (container: object) => ({
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'web', namespace: 'shop' },
      spec: {
        schedule: '* * * * *',
        jobTemplate: {
          spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'web', image: 'web:1', ...container }] } } },
        },
      },
    });
    const effect = { '1.33': 'refused', '1.34': 'none', '1.35': 'settings' }[version];
    expect(effectOf(job({}), job({ restartPolicy: 'Never' }), version)).toBe(effect);
  },
);

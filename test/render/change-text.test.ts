import { planChange } from '../../src/headless';
import { renderPlanText } from '../../src/render/text/plan';
import { quota } from '../builders/quota';
import { podTemplate, workload } from '../builders/workload';

interface Web {
  readonly image?: string;
  readonly replicas?: number;
  readonly limits?: object;
  readonly app?: string;
}

function deployment(name: string, { image = `${name}:1`, replicas = 4, limits = {}, app = name }: Web = {}): object {
  const template = { metadata: { labels: { app } }, ...podTemplate({ name, image, readinessProbe: { tcpSocket: { port: 80 } } }) };
  return workload('Deployment', { replicas, strategy: { rollingUpdate: limits }, template }, { name, namespace: 'shop' });
}

const SAME = Array.from({ length: 37 }, (_, index) => deployment(`same-${index}`));
const API = { replicas: 12, limits: { maxSurge: 0, maxUnavailable: 9 } };
const CART = { replicas: 15, limits: { maxSurge: 5, maxUnavailable: 0 } };

/** Returns the lines of the text of a change up to the first empty one. */
function overview(old: readonly object[], next: readonly object[]): string[] {
  const lines = renderPlanText(planChange(old, next)).split('\n');
  return lines.slice(0, lines.indexOf(''));
}

test('the text of a change begins as in the contract', () => {
  const old = [deployment('web'), deployment('api', API), deployment('search'), deployment('cart', CART), ...SAME];
  const next = [
    deployment('web', { app: 'web-2' }),
    deployment('api', { ...API, image: 'api:2' }),
    deployment('search', { replicas: 8 }),
    deployment('cart', { ...CART, image: 'cart:2' }),
    ...SAME,
  ];

  expect(overview(old, next)).toEqual([
    '4 of 41 objects differ: 2 roll, 1 scales, 1 is refused; 27 pods are replaced; needs up to 9 extra pods; assumes Kubernetes 1.36',
    '✗ refused   Deployment shop/web      spec.selector is immutable',
    '! roll      Deployment shop/api      3 of 12 available at the worst moment   image api:1 -> api:2',
    '! roll      Deployment shop/cart     15 of 15 available at the worst moment   image cart:1 -> cart:2',
    '~ scale     Deployment shop/search   4 -> 8 pods, nothing is replaced',
  ]);
});

test('a roll shows its image before all other fields, and no full map that is added or removed', () => {
  const env = (...names: readonly string[]) => names.map((name) => ({ name, value: 'x' }));
  const api = (image: string, names: readonly string[]) => {
    const { spec, ...rest } = deployment('api', API) as { spec: { template: object } };
    const containers = [{ name: 'api', image, env: env(...names), readinessProbe: { tcpSocket: { port: 80 } } }];
    return { ...rest, spec: { ...spec, template: { ...spec.template, spec: { containers } } } };
  };
  const line = (old: object, next: object) => overview([old], [next])[1];
  const moment = '! roll   Deployment shop/api   3 of 12 available at the worst moment';
  expect(line(api('api:1', ['A']), api('api:2', ['A', 'B']))).toBe(`${moment}   image api:1 -> api:2 and 1 more`);
  expect(line(api('api:1', ['A']), api('api:1', ['A', 'B']))).toBe(`${moment}   env[B] added`);
  expect(line(api('api:1', ['A', 'B']), api('api:1', ['B']))).toBe(`${moment}   env[A] removed`);
});

test('two long values that are equal once truncated are not written twice', () => {
  const role = (verbs: readonly string[]) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'api' },
    rules: [{ apiGroups: ['apps'], resources: ['deployments', 'statefulsets', 'daemonsets'], verbs }],
  });
  expect(overview([role(['get'])], [role(['get', 'list'])])[1]).toBe('~ settings   Role api   verbs ["get"] -> ["get","list"]');
  const command = (last: string) => ({ ...role([]), rules: [{ verbs: ['get'], resourceNames: ['a'.repeat(100), last] }] });
  expect(overview([command('x')], [command('y')])[1]).toBe('~ settings   Role api   resourceNames differs');
});

test('a refusal that names no more than the spec also has the field that it is about', () => {
  const orders = (image: string, storage: string) => ({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'orders', namespace: 'shop' },
    spec: {
      serviceName: 'orders',
      selector: { matchLabels: { app: 'orders' } },
      template: { metadata: { labels: { app: 'orders' } }, spec: { containers: [{ name: 'orders', image }] } },
      volumeClaimTemplates: [
        { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } } },
      ],
    },
  });
  const old = orders('orders:1', '10Gi');
  const next = orders('orders:2', '20Gi');
  const [object] = planChange([old], [next]).change.objects;

  expect(object!.because).toEqual([
    { path: 'spec.volumeClaimTemplates[0].spec.resources.requests[storage]', old: '10Gi', new: '20Gi' },
    { path: 'spec.template.spec.containers[orders].image', old: 'orders:1', new: 'orders:2' },
  ]);
  expect(overview([old], [next])[1]).toBe(
    "✗ refused   StatefulSet shop/orders   spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', " +
      "'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden   " +
      'requests[storage] 10Gi -> 20Gi and 1 more',
  );
});

test.each([
  ['more pods', 4, 8, '1 of 1 object differs: 1 scales; 4 pods are added; needs up to 4 extra pods; assumes Kubernetes 1.36'],
  ['fewer pods', 8, 4, '1 of 1 object differs: 1 scales; 4 pods are removed; needs no extra pods; assumes Kubernetes 1.36'],
])('a scale to %s is counted if nothing is replaced', (_, before, after, headline) => {
  expect(overview([deployment('web', { replicas: before })], [deployment('web', { replicas: after })])[0]).toBe(headline);
});

test('removed pods are counted in addition to replaced ones', () => {
  const old = [deployment('web', { replicas: 9 }), deployment('api')];
  const next = [deployment('web', { replicas: 2 }), deployment('api', { image: 'api:2' })];

  expect(overview(old, next)[0]).toBe(
    '2 of 2 objects differ: 1 rolls, 1 scales; 4 pods are replaced, 7 removed; needs up to 1 extra pod; assumes Kubernetes 1.36',
  );
});

test('a rollout without a simulation affects an unknown number of pods', () => {
  const role = (name: string, image: string) => ({
    name,
    spec: {
      replicas: 9_000,
      leaderWorkerTemplate: { size: 1, workerTemplate: { spec: { containers: [{ name: 'vllm', image }] } } },
    },
  });
  // More than 5,000 steps are not simulated.
  const set = (image: string) => ({
    apiVersion: 'disaggregatedset.x-k8s.io/v1',
    kind: 'DisaggregatedSet',
    metadata: { name: 'chat' },
    spec: { roles: [role('prefill', image), role('decode', image)] },
  });
  expect(overview([set('vllm:1')], [set('vllm:2')])[0]).toBe(
    '1 of 1 object differs: 1 rolls; the number of affected pods is unknown; assumes Kubernetes 1.36 and LeaderWorkerSet 0.9',
  );
});

test('a roll that does not fit replaces no pods, for each kind with planned capacity', () => {
  const container = (image: string) => ({ name: 'app', image, resources: { requests: { cpu: '1' } } });
  const pods = (image: string) => ({ metadata: { labels: { app: 'web' } }, spec: { containers: [container(image)] } });
  const cpuQuota = (cpu: string) => quota({ 'requests.cpu': cpu });
  const surging = (maxUnavailable: number) => (image: string) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas: 4,
      strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable } },
      selector: { matchLabels: { app: 'web' } },
      template: pods(image),
    },
  });
  const groups = (image: string) => ({
    apiVersion: 'leaderworkerset.x-k8s.io/v1',
    kind: 'LeaderWorkerSet',
    metadata: { name: 'web' },
    spec: {
      replicas: 4,
      rolloutStrategy: { rollingUpdateConfiguration: { maxSurge: 1, maxUnavailable: 0 } },
      leaderWorkerTemplate: { size: 1, workerTemplate: { spec: { containers: [container(image)] } } },
    },
  });
  const role = (image: string) => ({
    replicas: 2,
    leaderWorkerTemplate: { size: 1, workerTemplate: { spec: { containers: [container(image)] } } },
  });
  const roles = (image: string) => ({
    apiVersion: 'disaggregatedset.x-k8s.io/v1',
    kind: 'DisaggregatedSet',
    metadata: { name: 'web' },
    spec: { roles: ['prefill', 'decode'].map((name) => ({ name, spec: role(image) })) },
  });
  const service = (image: string) => ({
    apiVersion: 'serving.kserve.io/v1beta1',
    kind: 'InferenceService',
    metadata: { name: 'web', annotations: { 'serving.kserve.io/deploymentMode': 'Knative' } },
    spec: { predictor: { minReplicas: 4, containers: [container(image)] } },
  });
  const canary = (image: string) => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Rollout',
    metadata: { name: 'web' },
    spec: {
      replicas: 4,
      strategy: { canary: { maxSurge: 1, maxUnavailable: 0 } },
      selector: { matchLabels: { app: 'web' } },
      template: pods(image),
    },
  });
  const headline = (object: (image: string) => object) =>
    overview([object('app:1'), cpuQuota('4')], [object('app:2'), cpuQuota('4')])[0]?.split('; assumes')[0];
  const blocked = '1 of 2 objects differs: 1 rolls; no pods are replaced';
  expect([surging(0), groups, roles, service, canary].map(headline)).toEqual(Array.from({ length: 5 }, () => blocked));
  expect(headline(surging(1))).toBe('1 of 2 objects differs: 1 rolls; 4 pods are replaced; needs no extra pods');
});

test('a changed ConfigMap lists its readers, those that need a restart first', () => {
  const reader = (name: string, fields: object, podSpec: object = {}, annotations: object = {}) => ({
    ...deployment(name),
    metadata: { name, namespace: 'shop', annotations },
    spec: {
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name, image: 'a:1', ...fields }], ...podSpec } },
    },
  });
  const variables = { envFrom: [{ configMapRef: { name: 'settings' } }] };
  const volume = { volumes: [{ name: 'v', configMap: { name: 'settings' } }] };
  const mounted = { volumeMounts: [{ name: 'v', mountPath: '/etc/a' }] };
  const settings = (mode: string) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'settings', namespace: 'shop' },
    data: { mode },
  });
  const readers = [
    reader('follows', mounted, volume),
    reader('web', variables),
    reader('both', { ...variables, ...mounted }, volume),
    reader('api', variables, {}, { 'reloader.stakater.com/auto': 'true' }),
  ];
  const change = (...some: readonly object[]) => overview([...some, settings('a')], [...some, settings('b')]).at(-1);
  const begin = '! restart-needed   ConfigMap shop/settings   ';
  expect(change(...readers.slice(0, 2))).toBe(
    `${begin}Deployment shop/web keeps the old values until it is restarted (read by envFrom)   ` +
      'Deployment shop/follows gets the new values within about two minutes (read by a volume)',
  );
  expect(change(...readers.slice(2))).toBe(
    `${begin}Deployment shop/both keeps the old values until it is restarted; its volume gets the new ones within about two minutes (read by envFrom and a volume)   ` +
      'Deployment shop/api keeps the old values until Reloader restarts it, as its annotations request (read by envFrom)',
  );
  expect(change(...readers)?.endsWith('(read by envFrom)   and 1 more')).toBe(true);
});

describe('the headline says how many Services lose all ready endpoints', () => {
  const service = (app: string, name = 'web') => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'shop' },
    spec: { selector: { app }, ports: [{ port: 80, targetPort: 80 }] },
  });
  const headline = (old: readonly object[], next: readonly object[]) => overview(old, next)[0];
  const web = deployment('web');

  test('because a selector selects nothing any more', () => {
    expect(headline([web, service('web')], [web, service('wbe')])).toBe(
      '1 of 2 objects differs: 1 changes settings; no pods are affected; 1 Service loses all ready endpoints; assumes Kubernetes 1.36',
    );
  });

  test('because their pods are scaled to 0', () => {
    expect(
      headline(
        [web, service('web'), service('web', 'web-2')],
        [deployment('web', { replicas: 0 }), service('web'), service('web', 'web-2')],
      ),
    ).toBe(
      '1 of 3 objects differs: 1 scales; 4 pods are removed; needs no extra pods; 2 Services lose all ready endpoints; assumes Kubernetes 1.36',
    );
  });

  test('because all pods are replaced at once', () => {
    const [old, next] = ['web:1', 'web:2'].map((image) => deployment('web', { image, limits: { maxSurge: 0, maxUnavailable: '100%' } }));
    expect(headline([old!, service('web')], [next!, service('web')])).toBe(
      '1 of 2 objects differs: 1 rolls; 4 pods are replaced; needs no extra pods; 1 Service loses all ready endpoints; assumes Kubernetes 1.36',
    );
  });

  test('and nothing if some are left', () => {
    const [old, next] = ['web:1', 'web:2'].map((image) => deployment('web', { image }));
    expect(headline([old!, service('web')], [next!, service('web')])).toBe(
      '1 of 2 objects differs: 1 rolls; 4 pods are replaced; needs up to 1 extra pod; assumes Kubernetes 1.36',
    );
  });
});

import { planChange } from '../../../src/headless';
import { renderPlanText } from '../../../src/render/text/plan';
import { describeEffects, workload } from './effects';

/* Section g: ConfigMaps and Secrets edited in place. */

const config = (data: object, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings', namespace: 'shop' },
  data,
  ...more,
});
const secret = (data: object) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'keys', namespace: 'shop' }, stringData: data });
const reading = (pod: object) => workload('Deployment', pod);
const web = (fields: object, pod: object = {}) => ({ containers: [{ name: 'web', image: 'web:1', ...fields }], ...pod });
const mounted = (more: object, source: object = { configMap: { name: 'settings' } }) =>
  web({ volumeMounts: [{ name: 'v', mountPath: '/etc/a', ...more }] }, { volumes: [{ name: 'v', ...source }] });

describe('a ConfigMap edited in place', () => {
  test.each<[string, object, string]>([
    [
      'a variable',
      web({ env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'settings', key: 'a' } } }] }),
      'restart-needed | data[a] | Deployment web reads by env',
    ],
    [
      'all its variables',
      web({ envFrom: [{ configMapRef: { name: 'settings' } }] }),
      'restart-needed | data[a] | Deployment web reads by envFrom',
    ],
    ['a subPath', mounted({ subPath: 'a' }), 'restart-needed | data[a] | Deployment web reads by subPath'],
    ['a subPathExpr', mounted({ subPathExpr: '$(A)' }), 'restart-needed | data[a] | Deployment web reads by subPath'],
    ['a volume, which is updated in place', mounted({}), 'restart-needed | data[a] | Deployment web reads by volume'],
    [
      'a projected volume',
      mounted({}, { projected: { sources: [{ configMap: { name: 'settings' } }] } }),
      'restart-needed | data[a] | Deployment web reads by volume',
    ],
    ['no pod', web({}), 'settings | data[a]'],
  ])('is read by %s', (_what, pod, expected) => {
    const [, describeEffect] = describeEffects([reading(pod), config({ a: '1' })], [reading(pod), config({ a: '2' })]);
    expect(describeEffect).toBe(expected);
  });

  test.each([
    ['CronWorkflow', { workflowSpec: { templates: [{ name: 'a', container: { envFrom: [{ configMapRef: { name: 'settings' } }] } }] } }],
    ['SparkApplication', { driver: { env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'settings', key: 'a' } } }] } }],
  ])('is read by a container outside of a pod spec, in a %s', (kind, spec) => {
    const reader = { apiVersion: 'example.com/v1', kind, metadata: { name: 'a', namespace: 'shop' }, spec };
    const [, effect] = describeEffects([reader, config({ a: '1' })], [reader, config({ a: '2' })]);
    expect(effect).toMatch(new RegExp(`^restart-needed \\| data\\[a\\] \\| ${kind} a reads by env`));
  });

  test.each([
    ['SparkApplication', { driver: { configMaps: [{ name: 'settings', path: '/etc/a' }] } }],
    ['SparkApplication', { executor: { configMaps: [{ name: 'settings', path: '/etc/a' }] } }],
    ['SparkApplication', { sparkConfigMap: 'settings' }],
    ['SparkApplication', { volumes: [{ name: 'v', configMap: { name: 'settings' } }], driver: {} }],
    ['Prometheus', { replicas: 2, configMaps: ['settings'], containers: [{ name: 'a' }] }],
  ])('is read by what an operator mounts from a field of its own, in a %s: %j', (kind, spec) => {
    for (const apiVersion of ['example.com/v1', 'sparkoperator.k8s.io/v1beta2', 'monitoring.coreos.com/v1']) {
      const reader = { apiVersion, kind, metadata: { name: 'a', namespace: 'shop' }, spec };
      const [, effect] = describeEffects([reader, config({ a: '1' })], [reader, config({ a: '2' })]);
      expect(effect).toMatch(new RegExp(`^restart-needed \\| data\\[a\\] \\| ${kind} a reads by volume`));
    }
  });

  test.each([
    ['Thing', 'shop', { configMaps: ['others'] }],
    ['Thing', 'other', { configMaps: ['settings'] }],
  ])('is not read by a %s in the namespace %s with %j', (kind, namespace, spec) => {
    const reader = { apiVersion: 'example.com/v1', kind, metadata: { name: 'a', namespace }, spec };
    expect(describeEffects([reader, config({ a: '1' })], [reader, config({ a: '2' })])[1]).toBe('settings | data[a]');
  });

  test('replaces no pod of its readers', () => {
    const pod = web({ envFrom: [{ configMapRef: { name: 'settings' } }] });
    expect(describeEffects([reading(pod), config({ a: '1' })], [reading(pod), config({ a: '2' })])[0]).toBe('none');
  });

  test.each([
    ['config-deployment', 'queue-sidecar-image', 'unknown'],
    ['config-logging', 'loglevel.queueproxy', 'unknown'],
    ['config-features', 'queueproxy.mount-podinfo', 'unknown'],
    ['config-features', 'multi-container-probing', 'unknown'],
    ['config-observability', 'logging.enable-request-log', 'unknown'],
    ['config-deployment', 'runtime-class-name', 'unknown'],
    ['config-network', 'system-internal-tls', 'unknown'],
    ['config-defaults', 'enable-service-links', 'unknown'],
    ['config-autoscaler', 'enable-scale-to-zero', 'unknown'],
    ['config-autoscaler', '_example', 'settings'],
    ['config-network', 'rollout-duration', 'settings'],
    ['config-defaults', 'revision-timeout-seconds', 'settings'],
    ['config-deployment', 'digest-resolution-timeout', 'settings'],
    ['config-logging', 'loglevel.controller', 'settings'],
    ['config-features', 'kubernetes.podspec-affinity', 'settings'],
  ])('of Knative may concern the pods of each Revision: %s %s', (name, key, effect) => {
    const settings = (value: string) => config({ [key]: value }, { metadata: { name, namespace: 'knative-serving' } });
    expect(describeEffects([settings('a')], [settings('b')])).toEqual([`${effect} | data[${key}]`]);
  });

  test('is refused if it is immutable', () => {
    expect(describeEffects([config({ a: '1' }, { immutable: true })], [config({ a: '2' }, { immutable: true })])).toEqual([
      'refused | data: Forbidden: field is immutable when `immutable` is set',
    ]);
  });
});

test('a Secret edited in place needs a restart, and its values are redacted', () => {
  const pod = web({ envFrom: [{ secretRef: { name: 'keys' } }] });
  const [, describeEffect] = describeEffects([reading(pod), secret({ token: 'one' })], [reading(pod), secret({ token: 'two' })]);
  expect(describeEffect).toBe('restart-needed | data[token] | Deployment web reads by envFrom');
});

test.each([
  ['secrets', { driver: { secrets: [{ name: 'keys', path: '/etc/a', secretType: 'Generic' }] } }, 'volume'],
  ['variables', { driver: { envSecretKeyRefs: { TOKEN: { name: 'keys', key: 'token' } } } }, 'env'],
])('a Secret is read by the %s of a SparkApplication', (_what, spec, by) => {
  const reader = { apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', metadata: { name: 'a', namespace: 'shop' }, spec };
  const [, effect] = describeEffects([reader, secret({ token: 'one' })], [reader, secret({ token: 'two' })]);
  expect(effect).toBe(`restart-needed | data[token] | SparkApplication a reads by ${by}`);
});

describe('pods roll', () => {
  test('if the name contains a hash, as with kustomize and Pulumi', () => {
    const named = (name: string) => reading(web({ envFrom: [{ configMapRef: { name } }] }));
    const hashed = (name: string) => config({ a: name }, { metadata: { name, namespace: 'shop' } });
    expect(describeEffects([named('settings-1'), hashed('settings-1')], [named('settings-2'), hashed('settings-2')]).slice(0, 2)).toEqual([
      'roll by ConfigMap settings-2 | spec.template.spec.containers[web].envFrom[0].configMapRef.name',
      'create',
    ]);
  });

  test('if the template contains a checksum, as with Helm', () => {
    const summed = (sum: string) => {
      const metadata = { labels: { app: 'web' }, annotations: { 'checksum/config': sum } };
      return workload('Deployment', {}, { template: { metadata, spec: web({ envFrom: [{ configMapRef: { name: 'settings' } }] }) } });
    };
    expect(describeEffects([summed('a'), config({ a: '1' })], [summed('b'), config({ a: '2' })])).toEqual([
      'roll | spec.template.metadata.annotations[checksum/config]',
      'settings | data[a]',
    ]);
  });
});

describe('Reloader', () => {
  const watched = (annotations: object) =>
    workload('Deployment', web({ envFrom: [{ configMapRef: { name: 'settings' } }] }), {}, { annotations });

  const changed = (annotations: object, onConfig: object = {}) => {
    const of = (a: string) => config({ a }, { metadata: { name: 'settings', namespace: 'shop', annotations: onConfig } });
    return describeEffects([watched(annotations), of('1')], [watched(annotations), of('2')]);
  };
  const WAITING = 'restart-needed | data[a] | Deployment web reads by envFrom';

  test.each<[string, object]>([
    ['to watch every object', { 'reloader.stakater.com/auto': 'true' }],
    ['to watch ConfigMaps', { 'configmap.reloader.stakater.com/auto': 'true' }],
    ['to watch this ConfigMap', { 'configmap.reloader.stakater.com/reload': 'other, settings' }],
  ])('is requested %s: the plan reports who restarts the pods, and counts no roll', (_what, annotations) => {
    expect(changed(annotations)).toEqual(['none', `${WAITING}, asks Reloader`]);
  });

  test('restarts pods that do not read the object, if the annotations of the workload or its pods name it', () => {
    const annotations = { 'configmap.reloader.stakater.com/reload': 'settings' };
    const template = { metadata: { labels: { app: 'web' }, annotations }, spec: web({}) };
    for (const named of [workload('Deployment', {}, {}, { annotations }), workload('Deployment', {}, { template })]) {
      const [old, next] = [config({ a: '1' }), config({ a: '2' })];
      expect(describeEffects([named, old], [named, next])).toEqual([
        'none',
        'restart-needed | data[a] | Deployment web reads by , asks Reloader',
      ]);
      const text = renderPlanText(planChange([named, old], [named, next]));
      expect(text).toContain('1 needs a restart; the number of affected pods is unknown');
      expect(text).toContain('Deployment shop/web is restarted by Reloader, as its annotations request');
    }
  });

  test.each(['settings', 'set.*', 'set.ings', 'other, s[a-z]+', 'settings|x', '(?i)SETTINGS'])(
    'restarts pods if an expression of their annotations matches the name: %s',
    (expression) => {
      const named = workload('Deployment', {}, {}, { annotations: { 'configmap.reloader.stakater.com/reload': expression } });
      expect(describeEffects([named, config({ a: '1' })], [named, config({ a: '2' })])).toEqual([
        'none',
        'restart-needed | data[a] | Deployment web reads by , asks Reloader',
      ]);
    },
  );

  test.each(['sett', 'ettings', 'Settings', 'set*', 'set.', 'settings(', '[a-z'])(
    'restarts none if it does not match the whole name, or is none of Go: %s',
    (expression) => {
      const named = workload('Deployment', {}, {}, { annotations: { 'configmap.reloader.stakater.com/reload': expression } });
      expect(describeEffects([named, config({ a: '1' })], [named, config({ a: '2' })])).toEqual(['none', 'settings | data[a]']);
    },
  );

  test('is also requested for objects that match its search', () => {
    const search = { 'reloader.stakater.com/search': 'true' };
    expect(changed(search, { 'reloader.stakater.com/match': 'true' })).toEqual(['none', `${WAITING}, asks Reloader`]);
    expect(changed(search)).toEqual(['none', WAITING]);
  });

  test.each<[string, object]>([
    ['to watch only Secrets', { 'secret.reloader.stakater.com/auto': 'true' }],
    ['to watch another ConfigMap', { 'configmap.reloader.stakater.com/reload': 'other' }],
    ['to watch none', {}],
  ])('is requested %s: the pods wait until the user restarts them', (_what, annotations) => {
    expect(changed(annotations)).toEqual(['none', WAITING]);
  });
});

describe('a ConfigMap that is read by the pods of', () => {
  const pods = { containers: [{ name: 'main', image: 'web:1', envFrom: [{ configMapRef: { name: 'settings' } }] }] };
  const plain = { containers: [{ name: 'main', image: 'web:1' }] };
  const object = (apiVersion: string, kind: string, spec: object) => ({
    apiVersion,
    kind,
    metadata: { name: 'web', namespace: 'shop', annotations: { 'serving.kserve.io/deploymentMode': 'Standard' } },
    spec,
  });
  const role = (name: string, spec: object) => ({
    name,
    spec: { replicas: 1, leaderWorkerTemplate: { size: 1, workerTemplate: { spec } } },
  });
  const iris = object('serving.kserve.io/v1beta1', 'InferenceService', {
    predictor: { model: { modelFormat: { name: 'sklearn' }, runtime: 'web', storageUri: 'gs://a' } },
  });
  test.each<[string, readonly object[], string]>([
    [
      'workers of a LeaderWorkerSet',
      [object('leaderworkerset.x-k8s.io/v1', 'LeaderWorkerSet', { leaderWorkerTemplate: { size: 2, workerTemplate: { spec: pods } } })],
      'LeaderWorkerSet web',
    ],
    [
      'a DisaggregatedSet',
      [object('disaggregatedset.x-k8s.io/v1', 'DisaggregatedSet', { roles: [role('prefill', pods), role('decode', plain)] })],
      'DisaggregatedSet web',
    ],
    [
      'an LLMInferenceService',
      [object('serving.kserve.io/v1alpha2', 'LLMInferenceService', { model: { uri: 'hf://a/b' }, template: pods })],
      'LLMInferenceService web',
    ],
    ['a RayCluster', [object('ray.io/v1', 'RayCluster', { headGroupSpec: { template: { spec: pods } } })], 'RayCluster web'],
    [
      'an InferenceService, by its runtime',
      [iris, object('serving.kserve.io/v1alpha1', 'ServingRuntime', { supportedModelFormats: [{ name: 'sklearn' }], ...pods })],
      'InferenceService web',
    ],
    [
      'an InferenceService, by a runtime of the cluster',
      [iris, object('serving.kserve.io/v1alpha1', 'ClusterServingRuntime', { supportedModelFormats: [{ name: 'sklearn' }], ...pods })],
      'InferenceService web',
    ],
    ['a kind that no system plans', [object('example.com/v1', 'Engine', { nodes: [{ pod: pods }] })], 'Engine web'],
  ])('%s needs their restart', (_what, readers, reader) => {
    const effects = describeEffects([...readers, config({ a: '1' })], [...readers, config({ a: '2' })]);
    expect(effects.at(-1)).toBe(`restart-needed | data[a] | ${reader} reads by envFrom`);
  });
});

test('the names of a workload are read once, however many of its configurations change', () => {
  const names = Array.from({ length: 200 }, (_, index) => `settings-${index}`);
  const named = workload('Deployment', {}, {}, { annotations: { 'configmap.reloader.stakater.com/reload': names.join(',') } });
  const configs = (value: string) => names.map((name) => config({ a: value }, { metadata: { name, namespace: 'shop' } }));
  const split = jest.spyOn(String.prototype, 'split');
  try {
    expect(planChange([named, ...configs('1')], [named, ...configs('2')]).change.summary['restart-needed']).toBe(200);
    const annotations = split.mock.contexts.filter((text) => String(text).startsWith('settings-0,'));
    // Once in OLD and once in NEW.
    expect(annotations.length).toBeLessThanOrEqual(2);
  } finally {
    split.mockRestore();
  }
});

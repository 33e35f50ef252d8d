import { planChange } from '../../src/headless';
import type { Manifest } from '../../src/headless';
import type { Fields } from '../../src/core/manifest/manifest';
import { expectValidPlan } from '../plan-schema';

/** Returns an object as `kubectl get -o yaml` prints it, with the defaults of the API server. */
function live(object: Manifest): Manifest {
  return { ...object, metadata: { ...(object.metadata as Fields), uid: '1', resourceVersion: '7' } };
}

function effects(old: readonly Manifest[], next: readonly Manifest[], apply: 'client' | 'replace' = 'client') {
  return expectValidPlan(planChange(old, next, { apply })).change.objects.map(({ effect }) => effect);
}

const container = (more: Fields, limits: Fields): Fields => ({
  image: 'app:1',
  ports: [{ containerPort: 80, ...more }],
  resources: { limits },
});

const MODE = { annotations: { 'serving.kserve.io/deploymentMode': 'Standard' } };

const KINDS: readonly (readonly [kind: string, (protocol: Fields, limits: Fields, filled: boolean) => Manifest])[] = [
  [
    'an InferenceService',
    (protocol, limits) => ({
      apiVersion: 'serving.kserve.io/v1beta1',
      kind: 'InferenceService',
      metadata: { name: 'iris', ...MODE },
      spec: { predictor: { minReplicas: 2, containers: [{ name: 'kserve-container', ...container(protocol, limits) }] } },
    }),
  ],
  [
    'a RayService',
    (protocol, limits, filled) => ({
      apiVersion: 'ray.io/v1',
      kind: 'RayService',
      metadata: { name: 'llm' },
      spec: {
        rayClusterConfig: {
          headGroupSpec: { rayStartParams: {}, template: { spec: { containers: [{ name: 'head', ...container(protocol, limits) }] } } },
          workerGroupSpecs: [
            {
              groupName: 'small',
              rayStartParams: {},
              template: { spec: { containers: [{ name: 'worker', ...container(protocol, limits) }] } },
              ...(filled && { maxReplicas: 2_147_483_647, minReplicas: 0, numOfHosts: 1, priority: 0, replicas: 0 }),
            },
          ],
        },
      },
    }),
  ],
  [
    'a LeaderWorkerSet',
    (protocol, limits, filled) => ({
      apiVersion: 'leaderworkerset.x-k8s.io/v1',
      kind: 'LeaderWorkerSet',
      metadata: { name: 'llama' },
      spec: {
        ...(filled && { replicas: 1, startupPolicy: 'LeaderCreated' }),
        leaderWorkerTemplate: {
          size: 2,
          ...(filled && { restartPolicy: 'RecreateGroupOnPodRestart' }),
          workerTemplate: { spec: { containers: [{ name: 'vllm', ...container(protocol, limits) }] } },
        },
        rolloutStrategy: {
          type: 'RollingUpdate',
          rollingUpdateConfiguration: filled ? { maxSurge: 1, maxUnavailable: 1, partition: 0 } : { maxSurge: 1 },
        },
      },
    }),
  ],
  [
    'a Rollout',
    (protocol, limits) => ({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Rollout',
      metadata: { name: 'web' },
      spec: {
        replicas: 4,
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'app', ...container(protocol, limits) }] } },
        strategy: { canary: {} },
      },
    }),
  ],
];

describe.each(KINDS)('%s', (_kind, object) => {
  test('does not change if the server shows defaults that the manifest omits', () => {
    const old = live(object({ protocol: 'TCP' }, { cpu: '1' }, true));
    expect(effects([old], [object({}, { cpu: '1' }, false)])).toEqual(['none']);
    expect(effects([old], [object({}, { cpu: '1' }, false)], 'replace')).toEqual(['none']);
  });

  test('with another spelling of its quantities is stored again, without replacing a pod', () => {
    expect(effects([object({}, { cpu: '1000m', memory: '1Gi' }, false)], [object({}, { cpu: 1, memory: '1024Mi' }, false)])).toEqual([
      'settings',
    ]);
  });

  test('with defaults on one side rolls for another image and for another protocol', () => {
    const old = object({ protocol: 'TCP' }, { cpu: '1' }, true);
    const next = JSON.parse(JSON.stringify(object({}, { cpu: '1' }, false)).replaceAll('app:1', 'app:2')) as Manifest;
    expect(effects([old], [next])).toEqual(['roll']);
    expect(effects([old], [object({ protocol: 'UDP' }, { cpu: '1' }, false)])).toEqual(['roll']);
  });
});

test('a serving runtime with another spelling rolls no service', () => {
  const [, service] = KINDS[0]!;
  const runtime = (cpu: string | number, protocol: Fields): Manifest => ({
    apiVersion: 'serving.kserve.io/v1alpha1',
    kind: 'ClusterServingRuntime',
    metadata: { name: 'sk' },
    spec: { supportedModelFormats: [{ name: 'sklearn' }], containers: [{ name: 'kserve-container', ...container(protocol, { cpu }) }] },
  });
  const using = { ...service({}, {}, false), spec: { predictor: { model: { modelFormat: { name: 'sklearn' }, runtime: 'sk' } } } };
  expect(effects([using, live(runtime('1000m', { protocol: 'TCP' }))], [using, runtime(1, {})])).toEqual(['none', 'settings']);
  expect(effects([using, runtime(1, {})], [using, runtime(2, {})])).toEqual(['roll', 'settings']);
});

test('a value of a Fleet bundle that looks like a port stays as it is written', () => {
  const bundle = (port: Fields): Manifest => ({
    apiVersion: 'fleet.cattle.io/v1alpha1',
    kind: 'Bundle',
    metadata: { name: 'shop', namespace: 'fleet' },
    spec: { helm: { values: { ports: [{ port: 80, ...port }] } }, targets: [{ clusterSelector: {} }] },
  });
  expect(effects([bundle({})], [bundle({ protocol: 'TCP' })])).toEqual(['roll']);
});

test('a value of the plugin of a Rollout that looks like a port is stored as it is written', () => {
  const rollout = (port: Fields): Manifest => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Rollout',
    metadata: { name: 'web' },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      strategy: { canary: { trafficRouting: { plugins: { 'a/b': { ports: [{ port: 80, ...port }] } } } } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
    },
  });
  expect(effects([rollout({})], [rollout({ protocol: 'TCP' })])).toEqual(['settings']);
});

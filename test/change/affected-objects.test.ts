import { planChange } from '../../src/headless';
import type { ChangeOptions } from '../../src/headless';
import { renderPlanText } from '../../src/render/text/plan';
import { podTemplate, workload } from '../builders/workload';
import { expectValidPlan } from '../plan-schema';

const named = (name: string) => ({ name, namespace: 'shop' });

const web = workload('Deployment', { template: podTemplate({ image: 'web:1' }) }, named('web'));

const autoscaler = (minReplicas: number) => ({
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: named('web'),
  spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, minReplicas, maxReplicas: 30 },
});

const runtime = (image: string, more: object = {}) => ({
  apiVersion: 'serving.kserve.io/v1alpha1',
  kind: 'ServingRuntime',
  metadata: named('sklearn'),
  spec: { containers: [{ name: 'kserve-container', image }], supportedModelFormats: [{ name: 'sklearn' }], ...more },
});

const service = (runtimeName: string) => ({
  apiVersion: 'serving.kserve.io/v1beta1',
  kind: 'InferenceService',
  metadata: { ...named('iris'), annotations: { 'serving.kserve.io/deploymentMode': 'Standard' } },
  spec: { predictor: { minReplicas: 2, model: { runtime: runtimeName, modelFormat: { name: 'sklearn' } } } },
});

/** Returns the headline and the lines of the objects. */
function linesOf(old: readonly object[], next: readonly object[], options?: ChangeOptions): string[] {
  const lines = renderPlanText(expectValidPlan(planChange(old, next, options))).split('\n');
  return lines.slice(0, lines.indexOf(''));
}

describe('an object that NEW lacks and that the apply changes all the same', () => {
  test('the target of an autoscaler is scaled', () => {
    expect(linesOf([web, autoscaler(2)], [autoscaler(5)])).toEqual([
      '2 of 2 objects differ: 1 scales, 1 changes settings; 3 pods are added; needs up to 3 extra pods; assumes Kubernetes 1.36',
      '~ scale      Deployment shop/web                2 -> 5 pods, nothing is replaced   because of HorizontalPodAutoscaler shop/web',
      '~ settings   HorizontalPodAutoscaler shop/web   minReplicas 2 -> 5',
    ]);
  });

  test('the target of an autoscaler is scaled although an annotation makes it a hook, since nothing writes it', () => {
    const hook = { ...web, metadata: { ...web.metadata, annotations: { 'helm.sh/hook': 'pre-install' } } };
    expect(linesOf([hook, autoscaler(2)], [autoscaler(5)], { apply: 'helm' }).slice(0, 2)).toEqual([
      '2 of 2 objects differ: 1 scales, 1 changes settings; 3 pods are added; needs up to 3 extra pods; assumes Kubernetes 1.36',
      '~ scale      Deployment shop/web                2 -> 5 pods, nothing is replaced   because of HorizontalPodAutoscaler shop/web',
    ]);
  });

  test('a service rolls with its runtime', () => {
    expect(linesOf([runtime('server:1'), service('sklearn')], [runtime('server:2')])).toEqual([
      '2 of 2 objects differ: 1 rolls, 1 changes settings; 2 pods are replaced; needs up to 1 extra pod; assumes Kubernetes 1.36 and KServe 0.17',
      '! roll       InferenceService shop/iris    2 of 2 available at the worst moment   because of ServingRuntime shop/sklearn',
      '~ settings   ServingRuntime shop/sklearn   image server:1 -> server:2',
    ]);
  });

  test('a Rollout rolls with the template of its Deployment, and a new Rollout takes over the pods of its Deployment', () => {
    const rollout = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Rollout',
      metadata: named('web'),
      spec: {
        replicas: 2,
        workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', scaleDown: 'onsuccess' },
        strategy: { canary: {} },
      },
    };
    const next = workload('Deployment', { template: podTemplate({ image: 'web:2' }) }, named('web'));
    expect(linesOf([web, rollout], [next])).toEqual([
      '2 of 2 objects differ: 1 rolls, 1 changes settings; 2 pods are replaced; needs up to 1 extra pod; assumes Kubernetes 1.36 and Argo Rollouts 1.9',
      '! roll       Rollout shop/web      2 of 2 available at the worst moment   because of Deployment shop/web',
      '~ settings   Deployment shop/web   image web:1 -> web:2',
    ]);
    expect(linesOf([web], [rollout])).toEqual([
      '2 of 2 objects differ: 1 scales, 1 is new; 2 pods are added, 1 removed; needs up to 2 extra pods; assumes Kubernetes 1.36 and Argo Rollouts 1.9',
      '~ scale    Deployment shop/web   1 -> 0 pods, nothing is replaced   because of Rollout shop/web',
      '+ create   Rollout shop/web      2 pods',
    ]);
  });

  test('the target of a Canary rolls with the data that its pods read, and needs no restart then', () => {
    const config = (level: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: named('web'), data: { level } });
    const canary = {
      apiVersion: 'flagger.app/v1beta1',
      kind: 'Canary',
      metadata: named('web'),
      spec: {
        targetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        service: { port: 80 },
        analysis: { interval: '1m', threshold: 5, stepWeight: 10, maxWeight: 50 },
      },
    };
    const reader = workload(
      'Deployment',
      { template: podTemplate({ image: 'web:1', envFrom: [{ configMapRef: { name: 'web' } }] }) },
      named('web'),
    );
    expect(linesOf([reader, canary, config('info')], [config('debug')])).toEqual([
      '2 of 3 objects differ: 1 rolls, 1 changes settings; 1 pod is replaced; needs up to 2 extra pods; assumes Kubernetes 1.36',
      '! roll       Deployment shop/web   1 of 1 available at the worst moment   because of ConfigMap shop/web',
      '~ settings   ConfigMap shop/web    data[level] info -> debug',
      '1 object in OLD is not in NEW and is kept; --prune deletes it',
    ]);
  });

  test('a Bundle of Fleet is deployed to the first cluster in view, to those that a group gains, and no longer to the last one', () => {
    const bundle = {
      apiVersion: 'fleet.cattle.io/v1alpha1',
      kind: 'Bundle',
      metadata: named('b'),
      spec: { resources: [{ name: 'a.yaml', content: 'a: b' }], targets: [{ clusterGroup: 'prod' }] },
    };
    const cluster = { apiVersion: 'fleet.cattle.io/v1alpha1', kind: 'Cluster', metadata: { ...named('c1'), labels: { env: 'prod' } } };
    const group = (env: string) => ({
      apiVersion: 'fleet.cattle.io/v1alpha1',
      kind: 'ClusterGroup',
      metadata: named('prod'),
      spec: { selector: { matchLabels: { env } } },
    });
    const effects = (old: readonly object[], next: readonly object[], options?: ChangeOptions) =>
      linesOf(old, next, options).filter((line) => line.includes('Bundle'));
    expect(effects([bundle, group('prod')], [cluster])).toEqual([
      '! roll     Bundle shop/b     on cluster c1   because of Cluster shop/c1',
    ]);
    expect(effects([bundle, cluster, group('dev')], [group('prod')])).toEqual([
      '! roll       Bundle shop/b            on cluster c1   because of ClusterGroup shop/prod',
    ]);
    expect(effects([bundle, cluster, group('prod')], [bundle, group('prod')], { prune: true })).toEqual([
      '! roll     Bundle shop/b     on cluster c1   because of Cluster shop/c1',
    ]);
  });

  test('a workload whose pods the changed objects refuse or keep has a finding, unless OLD has it already', () => {
    const namespace = (level?: string) => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'shop', ...(level !== undefined && { labels: { 'pod-security.kubernetes.io/enforce': level } }) },
    });
    const budget = {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: named('web'),
      spec: { maxUnavailable: 0, selector: {} },
    };
    const findingsOf = (old: readonly object[], next: readonly object[]) =>
      planChange(old, next).rollouts.flatMap(({ resource, findings }) =>
        findings.map(({ code, severity }) => `${resource.kind} ${resource.name}: ${severity} ${code}`),
      );
    const refused = ['Deployment web: error kubernetes/pod-security'];

    expect(findingsOf([web, namespace()], [namespace('restricted')])).toEqual(expect.arrayContaining(refused));
    expect(findingsOf([web, namespace()], [web, namespace('restricted')])).toEqual(expect.arrayContaining(refused));
    expect(findingsOf([web], [budget])).toEqual(expect.arrayContaining(['Deployment web: warning kubernetes/pdb-blocks-eviction']));
    expect(findingsOf([web, namespace('restricted')], [namespace('restricted'), budget])).toEqual(
      findingsOf([web, namespace('restricted')], [web, namespace('restricted'), budget]),
    );
    expect(findingsOf([web, namespace('restricted')], [namespace('baseline')])).toEqual([]);
  });

  test('what the apply does not touch is only counted', () => {
    expect(linesOf([web, autoscaler(2), service('other')], [autoscaler(2)])).toEqual([
      'nothing changes: 2 of 3 objects are only in OLD, and kept; assumes Kubernetes 1.36',
      '2 objects in OLD are not in NEW and are kept; --prune deletes them',
    ]);
    expect(linesOf([web, autoscaler(2), service('other')], [autoscaler(5)])[2]).toBe(
      '~ settings   HorizontalPodAutoscaler shop/web   minReplicas 2 -> 5',
    );
  });

  test('what the apply deletes is deleted', () => {
    expect(linesOf([web, autoscaler(2)], [autoscaler(5)], { prune: true })[0]).toBe(
      '2 of 2 objects differ: 1 is deleted, 1 changes settings; 2 pods are removed; needs no extra pods; assumes Kubernetes 1.36',
    );
  });
});

test.each([
  ['client', '1 of 2 objects differs: 1 is deleted; no pods are affected'],
  ['replace', '2 of 2 objects differ: 1 scales, 1 is deleted; 4 pods are removed; needs no extra pods'],
] as const)('a deleted autoscaler leaves its last number of pods, except if apply mode %s writes the default', (apply, headline) => {
  const changed = planChange([web, autoscaler(5)], [web], { prune: true, apply });
  expect(renderPlanText(expectValidPlan(changed)).split('\n')[0]).toBe(`${headline}; assumes Kubernetes 1.36`);
});

test('a deleted autoscaler whose bounds exclude the number of a manifest lets each apply bring that number back', () => {
  const written = { ...web, spec: { ...web.spec, replicas: 3 } };
  const headlineOf = (minReplicas: number) =>
    renderPlanText(expectValidPlan(planChange([written, autoscaler(minReplicas)], [written], { prune: true }))).split('\n')[0];
  expect(headlineOf(5)).toBe(
    '2 of 2 objects differ: 1 scales, 1 is deleted; 2 pods are removed; needs no extra pods; assumes Kubernetes 1.36',
  );
  expect(headlineOf(2)).toBe('1 of 2 objects differs: 1 is deleted; no pods are affected; assumes Kubernetes 1.36');
});

test.each([
  ['argoproj.io/v1alpha1', 'Rollout', { selector: {}, strategy: { canary: {} }, template: podTemplate({ image: 'web:1' }) }],
  [
    'leaderworkerset.x-k8s.io/v1',
    'LeaderWorkerSet',
    { leaderWorkerTemplate: { size: 1, workerTemplate: podTemplate({ image: 'web:1' }) } },
  ],
])('the same for an object of %s %s', (apiVersion, kind, spec) => {
  const written = { apiVersion, kind, metadata: named('web'), spec: { ...spec, replicas: 3 } };
  const scaler = { ...autoscaler(5), spec: { ...autoscaler(5).spec, scaleTargetRef: { apiVersion, kind, name: 'web' } } };
  const plan = expectValidPlan(planChange([written, scaler], [written], { prune: true }));
  expect(renderPlanText(plan).split('\n')[0]).toContain('1 scales, 1 is deleted; 2 pods are removed');
});

describe('a runtime that no service of the input uses', () => {
  const effectOf = (old: object, next: object, others: readonly object[] = []) =>
    planChange([old, ...others], [next, ...others]).change.objects[0]!.effect;

  test('has an unknown effect, since KServe rolls every service that uses it', () => {
    expect(effectOf(runtime('server:1'), runtime('server:2'))).toBe('unknown');
    expect(effectOf(runtime('server:1'), runtime('server:2'), [service('other')])).toBe('unknown');
  });

  test('has an unknown effect too if only what selects it changes, and changes settings if a service of the input uses it', () => {
    expect(effectOf(runtime('server:1'), runtime('server:1', { disabled: true }))).toBe('unknown');
    expect(effectOf(runtime('server:1'), runtime('server:2'), [service('sklearn')])).toBe('settings');
  });
});

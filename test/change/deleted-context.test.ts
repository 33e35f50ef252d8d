/** Objects that decide about the pods of others, and that a change adds or deletes. */
import { planChange } from '../../src/headless';
import { renderPlanText } from '../../src/render/text/plan';
import { expectValidPlan } from '../plan-schema';

const WEB = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop' },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
  },
};

function canary(target: string): object {
  return {
    apiVersion: 'flagger.app/v1beta1',
    kind: 'Canary',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      targetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: target },
      service: { port: 80 },
      analysis: { interval: '1m', threshold: 5, stepWeight: 10, maxWeight: 50 },
    },
  };
}

const cluster = (name: string) => ({ apiVersion: 'fleet.cattle.io/v1alpha1', kind: 'Cluster', metadata: { name, namespace: 'fleet' } });
const BUNDLE = {
  apiVersion: 'fleet.cattle.io/v1alpha1',
  kind: 'Bundle',
  metadata: { name: 'b', namespace: 'fleet' },
  spec: { resources: [{ name: 'a.yaml', content: 'a: b' }], targets: [{ clusterSelector: {} }] },
};
const deploymentOfBundle = (deploymentID: string) => ({
  apiVersion: 'fleet.cattle.io/v1alpha1',
  kind: 'BundleDeployment',
  metadata: { name: 'b', namespace: 'cluster-a' },
  spec: { deploymentID, options: {} },
});
const CONFIG = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'shop' } };
const NAMESPACE = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
const DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'rollouts.argoproj.io' },
  spec: { group: 'argoproj.io', scope: 'Namespaced', names: { kind: 'Rollout', plural: 'rollouts' }, versions: [] },
};

test.each<[what: string, old: readonly object[], next: readonly object[], headline: string, effects: readonly string[]]>([
  [
    'a new Canary of Flagger starts a primary and scales its target to 0',
    [WEB],
    [WEB, canary('web')],
    '2 of 2 objects differ: 1 scales, 1 is new; 3 pods are added, 3 removed; needs up to 3 extra pods',
    ['Deployment scale by Canary', 'Canary create'],
  ],
  [
    'a deleted Canary takes its primary with it',
    [WEB, canary('web')],
    [WEB],
    '2 of 2 objects differ: 1 is deleted, 1 has an unknown effect; the number of affected pods is unknown',
    ['Deployment unknown', 'Canary delete'],
  ],
  [
    'a Canary that gets another target leaves the first one without pods',
    [WEB, canary('web')],
    [WEB, canary('other')],
    '2 of 2 objects differ: 2 have unknown effects; the number of affected pods is unknown',
    ['Deployment unknown', 'Canary unknown'],
  ],
  [
    'a deleted Cluster of Fleet leaves its Bundle',
    [BUNDLE, cluster('c1'), cluster('c2')],
    [BUNDLE, cluster('c2')],
    '2 of 3 objects differ: 1 rolls, 1 is deleted; the number of affected pods is unknown',
    ['Bundle roll by Cluster', 'Cluster none', 'Cluster delete'],
  ],
  [
    'a BundleDeployment is deployed as soon as it differs',
    [deploymentOfBundle('a')],
    [deploymentOfBundle('b')],
    '1 of 1 object differs: 1 has an unknown effect; the number of affected pods is unknown',
    ['BundleDeployment unknown'],
  ],
  [
    'a deleted Namespace takes everything in it, in view or not',
    [CONFIG, NAMESPACE],
    [CONFIG],
    '1 of 2 objects differs: 1 is deleted; the number of affected pods is unknown',
    ['ConfigMap none', 'Namespace delete'],
  ],
  [
    'a deleted definition takes every object of its kind, in view or not',
    [CONFIG, DEFINITION],
    [CONFIG],
    '1 of 2 objects differs: 1 is deleted; the number of affected pods is unknown',
    ['ConfigMap none', 'CustomResourceDefinition delete'],
  ],
])('%s', (_what, old, next, headline, effects) => {
  const plan = expectValidPlan(planChange(old, next, { prune: true }));
  expect(
    renderPlanText(plan)
      .split('\n')[0]!
      .replace(/; assumes .*/, ''),
  ).toBe(headline);
  expect(
    plan.change.objects.map(
      ({ resource, effect, causedBy = [] }) => `${resource.kind} ${effect}${causedBy.map(({ kind }) => ` by ${kind}`).join('')}`,
    ),
  ).toEqual(effects);
});

test('a workload without its Canary has a warning', () => {
  const { findings } = expectValidPlan(planChange([WEB, canary('web')], [WEB], { prune: true }));
  expect(findings.map(({ code, severity, message }) => `${severity} ${code} ${message}`)).toEqual([
    'warning change/incomplete-information NEW has no Canary of Flagger for Deployment shop/web, which OLD has: a deleted Canary takes its primary with it, which runs the pods. Without revertOnDeletion in the live Canary, the workload stays at 0 pods.',
  ]);
});

describe('an object with the pod template of others', () => {
  const runtime = (kind: string) => ({
    apiVersion: 'serving.kserve.io/v1alpha1',
    kind,
    metadata: { name: 'sk', ...(kind === 'ServingRuntime' && { namespace: 'shop' }) },
    spec: { supportedModelFormats: [{ name: 'sklearn' }], containers: [{ name: 'kserve-container', image: 'sk:1' }] },
  });
  const iris = {
    apiVersion: 'serving.kserve.io/v1beta1',
    kind: 'InferenceService',
    metadata: { name: 'iris', namespace: 'shop', annotations: { 'serving.kserve.io/deploymentMode': 'Standard' } },
    spec: { predictor: { model: { modelFormat: { name: 'sklearn' }, runtime: 'sk', storageUri: 'gs://a' } } },
  };
  const rollout = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Rollout',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { replicas: 3, workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, strategy: { canary: {} } },
  };
  const removed = (old: readonly object[], next: readonly object[]) =>
    expectValidPlan(planChange(old, next, { prune: true }))
      .findings.filter(({ code }) => code === 'change/reference-removed')
      .map(({ severity, data }) => [severity, data.object, data.consumers]);

  test('is reported if it is deleted', () => {
    expect(removed([iris, runtime('ClusterServingRuntime')], [iris])).toEqual([
      ['warning', 'ClusterServingRuntime sk', { names: ['InferenceService shop/iris'] }],
    ]);
    expect(removed([rollout, WEB], [rollout])).toEqual([['warning', 'Deployment shop/web', { names: ['Rollout shop/web'] }]]);
  });

  test('is not if another one has the template, or it has none', () => {
    const both = [iris, runtime('ServingRuntime'), runtime('ClusterServingRuntime')];
    expect(removed(both, [iris, runtime('ClusterServingRuntime')])).toEqual([]);
    expect(removed([rollout, WEB], [WEB])).toEqual([]);
  });
});

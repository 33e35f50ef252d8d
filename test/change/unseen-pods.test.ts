/** What a change says of objects that no system plans: which kinds are configuration, and when they concern pods all the same. */
import { planChange } from '../../src/headless';
import { renderPlanText } from '../../src/render/text';
import { expectValidPlan } from '../plan-schema';

/** Returns an object whose spec has a field of any value. */
function object(apiVersion: string, kind: string, value = '1', metadata: object = {}) {
  return { apiVersion, kind, metadata: { name: 'a', ...metadata }, spec: { value } };
}

/** Plans a change that prunes, and returns its effects, what the headline says of pods, and how many objects are not planned. */
function summarize(old: readonly object[], next: readonly object[]): string {
  const plan = expectValidPlan(planChange(old, next, { prune: true }));
  const pods = /no pods are affected|affected pods is unknown/.exec(renderPlanText(plan).split('\n')[0]!);
  const counted = plan.notPlanned.reduce((sum, { count }) => sum + count, 0);
  return [plan.change.objects.map(({ effect }) => effect).join(' '), String(pods), `${counted} not planned`].join(', ');
}

/** Summarizes what happens to an object that is created, changed, labeled, deleted and gets a finalizer. */
function summarizeEach(apiVersion: string, kind: string) {
  const before = object(apiVersion, kind);
  return {
    create: summarize([], [before]),
    change: summarize([before], [object(apiVersion, kind, '2')]),
    label: summarize([before], [object(apiVersion, kind, '1', { labels: { team: 'shop' } })]),
    finalizer: summarize([before], [object(apiVersion, kind, '1', { finalizers: ['example.com/a'] })]),
    delete: summarize([before], []),
  };
}

test.each([
  ['networking.k8s.io/v1', 'NetworkPolicy'],
  ['networking.k8s.io/v1', 'IngressClass'],
  ['gateway.networking.k8s.io/v1', 'ReferenceGrant'],
  ['networking.istio.io/v1', 'DestinationRule'],
  ['monitoring.coreos.com/v1', 'ServiceMonitor'],
  ['cert-manager.io/v1', 'Issuer'],
  ['external-secrets.io/v1', 'SecretStore'],
  ['cilium.io/v2', 'CiliumNetworkPolicy'],
  ['notification.toolkit.fluxcd.io/v1beta3', 'Alert'],
  ['traefik.io/v1alpha1', 'Middleware'],
])('%s %s concerns no pods', (apiVersion, kind) => {
  expect(summarizeEach(apiVersion, kind)).toEqual({
    create: 'create, no pods are affected, 0 not planned',
    change: 'settings, no pods are affected, 0 not planned',
    label: 'metadata, no pods are affected, 0 not planned',
    finalizer: 'metadata, no pods are affected, 0 not planned',
    delete: 'delete, no pods are affected, 0 not planned',
  });
});

test.each([
  ['keda.sh/v1alpha1', 'ScaledJob'],
  ['gateway.networking.k8s.io/v1', 'Gateway'],
  ['gateway.networking.k8s.io/v1', 'GatewayClass'],
  ['serving.kserve.io/v1alpha1', 'LocalModelCache'],
  ['storage.k8s.io/v1', 'VolumeAttachment'],
  ['policy/v1', 'Eviction'],
  ['scheduling.k8s.io/v1alpha1', 'Workload'],
  ['fleet.cattle.io/v1alpha1', 'BundleDeployment'],
  ['example.com/v1', 'Widget'],
])('%s %s is not known, whatever else its group contains', (apiVersion, kind) => {
  expect(summarizeEach(apiVersion, kind)).toEqual({
    create: 'create, affected pods is unknown, 1 not planned',
    change: 'unknown, affected pods is unknown, 1 not planned',
    label: 'unknown, affected pods is unknown, 1 not planned',
    finalizer: 'metadata, no pods are affected, 0 not planned',
    delete: 'delete, affected pods is unknown, 1 not planned',
  });
});

const NONE = 'no pods are affected, 0 not planned';
const UNKNOWN = 'affected pods is unknown, 1 not planned';

function argoCdCluster(server: string, labels: object = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'a', labels: { 'argocd.argoproj.io/secret-type': 'cluster', ...labels } },
    stringData: { server },
  };
}

function fleet(kind: string, spec: object, labels: object = {}) {
  return { apiVersion: 'fleet.cattle.io/v1alpha1', kind, metadata: { name: kind.toLowerCase(), namespace: 'fleet-default', labels }, spec };
}

const BUNDLE = fleet('Bundle', { targets: [{ clusterSelector: {} }] });

function clusterExternalSecret(secretKey: string) {
  const spec = { namespaceSelectors: [{}], externalSecretSpec: { target: { name: 'db' }, data: [{ secretKey, remoteRef: { key: 'a' } }] } };
  return { apiVersion: 'external-secrets.io/v1', kind: 'ClusterExternalSecret', metadata: { name: 'a' }, spec };
}

function scaledObject(restores: boolean) {
  return {
    apiVersion: 'keda.sh/v1alpha1',
    kind: 'ScaledObject',
    metadata: { name: 'a' },
    spec: { scaleTargetRef: { name: 'web' }, triggers: [], advanced: { restoreToOriginalReplicaCount: restores } },
  };
}

const TAINT = { key: 'a', effect: 'NoSchedule' };

function node(taints: readonly object[], unschedulable = false) {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' }, spec: { taints, unschedulable } };
}

function nodePool(consolidateAfter: string, cpu: string) {
  const spec = { template: { spec: {} }, disruption: { consolidateAfter }, limits: { cpu } };
  return { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', metadata: { name: 'a' }, spec };
}

function runtime(priority: number, autoSelect: boolean) {
  const spec = { supportedModelFormats: [{ name: 'sklearn', autoSelect, priority }], containers: [{ name: 'a', image: 'a:1' }] };
  return { apiVersion: 'serving.kserve.io/v1alpha1', kind: 'ServingRuntime', metadata: { name: 'a' }, spec };
}

function inferenceService(namespace?: string) {
  const metadata = { name: 'b', namespace, annotations: { 'serving.kserve.io/deploymentMode': 'Standard' } };
  const spec = { predictor: { containers: [{ name: 'kserve-container', image: 'b:1' }] } };
  return { apiVersion: 'serving.kserve.io/v1beta1', kind: 'InferenceService', metadata, spec };
}

const CLUSTER_RUNTIME = { ...runtime(1, false), kind: 'ClusterServingRuntime' };

function verticalAutoscaler(updateMode: string, mode = 'Auto') {
  const spec = { updatePolicy: { updateMode }, resourcePolicy: { containerPolicies: [{ containerName: '*', mode }] } };
  return { apiVersion: 'autoscaling.k8s.io/v1', kind: 'VerticalPodAutoscaler', metadata: { name: 'a' }, spec };
}

const CANARY = {
  apiVersion: 'flagger.app/v1beta1',
  kind: 'Canary',
  metadata: { name: 'a' },
  spec: { targetRef: { kind: 'Deployment', name: 'web' } },
};

test.each<[string, readonly object[], readonly object[], string]>([
  ['a Namespace', [], [object('v1', 'Namespace')], `create, ${NONE}`],
  ['a deleted Namespace, with what it contains', [object('v1', 'Namespace')], [], `delete, ${UNKNOWN}`],
  [
    'a deleted definition, with the objects of its kind',
    [object('apiextensions.k8s.io/v1', 'CustomResourceDefinition')],
    [],
    `delete, ${UNKNOWN}`,
  ],
  ['a cluster of Argo CD, for which ApplicationSets create Applications', [], [argoCdCluster('https://a')], `unknown, ${UNKNOWN}`],
  ['a changed cluster of Argo CD', [argoCdCluster('https://a')], [argoCdCluster('https://b')], `unknown, ${UNKNOWN}`],
  ['a label of a cluster of Argo CD', [argoCdCluster('https://a')], [argoCdCluster('https://a', { env: 'b' })], `unknown, ${UNKNOWN}`],
  ['a deleted cluster of Argo CD', [argoCdCluster('https://a')], [], `delete, ${UNKNOWN}`],
  ['a new ClusterExternalSecret', [], [clusterExternalSecret('a')], `create, ${NONE}`],
  ['a ClusterExternalSecret with other keys', [clusterExternalSecret('a')], [clusterExternalSecret('b')], `unknown, ${UNKNOWN}`],
  ['a deleted ClusterExternalSecret, with the Secrets of its namespaces', [clusterExternalSecret('a')], [], `delete, ${UNKNOWN}`],
  ['a deleted ScaledObject that restores the replicas', [scaledObject(true)], [], `delete, ${UNKNOWN}`],
  ['a deleted ScaledObject that leaves the replicas', [scaledObject(false)], [], `delete, ${NONE}`],
  ['a Node that loses a taint, where DaemonSets then run', [node([TAINT])], [node([])], `unknown, ${UNKNOWN}`],
  ['a Node without a change of its taints', [node([TAINT])], [node([TAINT], true)], `settings, ${NONE}`],
  ['a NodePool that consolidates nodes sooner', [nodePool('1h', '5')], [nodePool('1m', '5')], `unknown, ${UNKNOWN}`],
  ['a NodePool with other limits', [nodePool('1h', '5')], [nodePool('1h', '6')], `settings, ${NONE}`],
  [
    'a ResourceSlice, whose devices may get a taint',
    [object('resource.k8s.io/v1', 'ResourceSlice')],
    [object('resource.k8s.io/v1', 'ResourceSlice', '2')],
    `unknown, ${UNKNOWN}`,
  ],
  ['a VerticalPodAutoscaler that only recommends', [], [verticalAutoscaler('Off')], `create, ${NONE}`],
  ['its other policies', [verticalAutoscaler('Off')], [verticalAutoscaler('Off', 'Off')], `settings, ${NONE}`],
  ['a VerticalPodAutoscaler that begins to evict pods', [verticalAutoscaler('Off')], [verticalAutoscaler('Auto')], `unknown, ${UNKNOWN}`],
  ['a new Cluster of Fleet', [], [fleet('Cluster', {})], `unknown, ${UNKNOWN}`],
  ['a label of a Cluster of Fleet', [fleet('Cluster', {})], [fleet('Cluster', {}, { env: 'b' })], `unknown, ${UNKNOWN}`],
  ['a deleted Cluster of Fleet', [fleet('Cluster', {})], [], `delete, ${UNKNOWN}`],
  [
    'a label of a Cluster next to the Bundles',
    [BUNDLE, fleet('Cluster', {})],
    [BUNDLE, fleet('Cluster', {}, { env: 'b' })],
    'roll metadata, affected pods is unknown, 0 not planned',
  ],
  ['a new ClusterGroup', [], [fleet('ClusterGroup', {})], `unknown, ${UNKNOWN}`],
  ['a new GitRepo', [], [fleet('GitRepo', { repo: 'https://a' })], `unknown, ${UNKNOWN}`],
  ['a new GitRepo that is paused', [], [fleet('GitRepo', { repo: 'https://a', paused: true })], `create, ${NONE}`],
  ['a new Canary of a workload that is not in view', [], [CANARY], `unknown, ${UNKNOWN}`],
  ['a deleted Canary of a workload that is not in view', [CANARY], [], `delete, ${UNKNOWN}`],
  ['a new runtime that services may select', [], [runtime(1, true)], `unknown, ${UNKNOWN}`],
  ['a runtime that services prefer from now on', [runtime(1, true)], [runtime(2, true)], `unknown, ${UNKNOWN}`],
  [
    'a new runtime next to a service of another namespace',
    [inferenceService('other')],
    [inferenceService('other'), runtime(1, true)],
    `none unknown, ${UNKNOWN}`,
  ],
  [
    'a new runtime next to a service of its namespace',
    [inferenceService()],
    [inferenceService(), runtime(1, true)],
    `none create, ${NONE}`,
  ],
  ['a deleted runtime that services may select', [runtime(1, true)], [], `delete, ${UNKNOWN}`],
  ['a runtime that services may no longer select', [runtime(1, true)], [runtime(1, false)], `unknown, ${UNKNOWN}`],
  ['a runtime in place of one for all namespaces', [CLUSTER_RUNTIME], [CLUSTER_RUNTIME, runtime(1, false)], `none unknown, ${UNKNOWN}`],
  ['its deletion', [CLUSTER_RUNTIME, runtime(1, false)], [CLUSTER_RUNTIME], `none delete, ${UNKNOWN}`],
  ['a new runtime that services must name', [], [runtime(1, false)], `create, ${NONE}`],
])('%s', (_what, old, next, summary) => {
  expect(summarize(old, next)).toBe(summary);
});

test.each([
  ['apps/v1', 'DaemonSet', { selector: { matchLabels: { app: 'a' } } }],
  ['serving.knative.dev/v1', 'Service', {}],
  ['fleet.cattle.io/v1alpha1', 'Bundle', { targets: [{ clusterSelector: {} }] }],
])('no plan counts the pods of a new or deleted object of %s %s', (apiVersion, kind, spec) => {
  const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'a', image: 'a:1' }] } };
  const one = { apiVersion, kind, metadata: { name: 'a' }, spec: { ...spec, template } };
  const headlines = [planChange([], [one]), planChange([one], [], { prune: true })].map((plan) => renderPlanText(plan).split('\n')[0]);
  expect(headlines).toEqual(Array(2).fill(expect.stringContaining('the number of affected pods is unknown')));
});

test('running Jobs of a CronJob are deleted with it, and a new one has none', () => {
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a:1' }] } };
  const spec = { schedule: '0 0 * * *', jobTemplate: { spec: { template } } };
  const cronJob = { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: 'a' }, spec };
  expect(summarize([cronJob], [])).toBe('delete, affected pods is unknown, 1 not planned');
  expect(summarize([], [cronJob])).toBe('create, no pods are affected, 0 not planned');
});

test('an annotation makes the controller of a Deployment write an older template', () => {
  const deployment = (annotations: object = {}) => {
    const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'a', image: 'a:1' }] } };
    const spec = { replicas: 2, selector: { matchLabels: { app: 'a' } }, template };
    return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a', annotations }, spec };
  };
  const rollback = { 'deprecated.deployment.rollback.to': '1' };
  expect(summarize([deployment()], [deployment(rollback)])).toBe(`unknown, ${UNKNOWN}`);
  expect(summarize([deployment(rollback)], [deployment(rollback)])).toBe(`unknown, ${UNKNOWN}`);
  expect(summarize([deployment(rollback)], [deployment()])).toBe(`metadata, ${NONE}`);
  expect(summarize([deployment()], [deployment({ 'deprecated.deployment.rollback.to': 'v1' })])).toBe(`metadata, ${NONE}`);
});

/** Returns what is said of a definition whose schema of `spec` changes. */
function changeSchema(old: object, next: object, kind = 'Widget', group = 'example.com'): string {
  const definition = (spec: object) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${kind.toLowerCase()}s.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural: `${kind.toLowerCase()}s` },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } }],
    },
  });
  return summarize([definition({ type: 'object', ...old })], [definition({ type: 'object', ...next })]);
}

const INTEGER = { type: 'integer' };
const PRESERVES = 'x-kubernetes-preserve-unknown-fields';
const EMBEDS = 'x-kubernetes-embedded-resource';

describe('a changed definition', () => {
  test.each([
    ['sets a default', { properties: { size: INTEGER } }, { properties: { size: { ...INTEGER, default: 2 } } }],
    ['sets another default', { properties: { size: { ...INTEGER, default: 1 } } }, { properties: { size: { ...INTEGER, default: 2 } } }],
    ['has a new field with a default', {}, { properties: { size: { ...INTEGER, default: 2 } } }],
    ['drops a field', { properties: { size: INTEGER } }, {}],
    [
      'drops a field of an item',
      { properties: { all: { type: 'array', items: { type: 'object', properties: { size: INTEGER } } } } },
      { properties: { all: { type: 'array', items: { type: 'object' } } } },
    ],
    ['drops the values of a map', { additionalProperties: INTEGER }, {}],
    ['drops the fields of a map', { additionalProperties: INTEGER }, { properties: { size: INTEGER } }],
    ['drops what it does not list', { [PRESERVES]: true }, {}],
    [
      'describes a field of which it kept everything',
      { [PRESERVES]: true },
      { [PRESERVES]: true, properties: { pool: { type: 'object' } } },
    ],
    ['describes the values of a map', { additionalProperties: true }, { additionalProperties: { type: 'object' } }],
    ['drops the kind of an object inside', { [EMBEDS]: true, properties: { size: INTEGER } }, { properties: { size: INTEGER } }],
    [
      'sets a default in place of a null',
      { properties: { size: { ...INTEGER, nullable: true, default: 2 } } },
      { properties: { size: { ...INTEGER, default: 2 } } },
    ],
  ])('may change what its controller reads if it %s', (_what, old, next) => {
    expect(changeSchema(old, next)).toBe(`unknown, ${UNKNOWN}`);
  });

  test.each([
    ['has another description', { description: 'a' }, { description: 'b' }],
    ['has a new field', {}, { properties: { size: INTEGER } }],
    ['has a default in a new field', {}, { properties: { pool: { type: 'object', properties: { size: { ...INTEGER, default: 2 } } } } }],
    ['keeps more', {}, { [PRESERVES]: true }],
    ['has a new map', {}, { additionalProperties: INTEGER }],
    ['has a new list', {}, { properties: { all: { type: 'array', items: { type: 'object', properties: { size: INTEGER } } } } }],
    [
      'describes values that it keeps',
      { [PRESERVES]: true },
      { [PRESERVES]: true, properties: { size: INTEGER, all: { [PRESERVES]: true } } },
    ],
    ['permits null', { properties: { size: INTEGER } }, { properties: { size: { ...INTEGER, nullable: true } } }],
    ['has other limits', { properties: { size: INTEGER } }, { properties: { size: { ...INTEGER, maximum: 5 } } }],
  ])('changes no object if it %s', (_what, old, next) => {
    expect(changeSchema(old, next)).toBe(`settings, ${NONE}`);
  });

  test('may change what its controller reads if it is converted otherwise', () => {
    const definition = (conversion?: object) => ({
      ...object('apiextensions.k8s.io/v1', 'CustomResourceDefinition'),
      spec: { group: 'example.com', names: { kind: 'Widget' }, versions: [], conversion },
    });
    const webhook = { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'] } };
    expect(summarize([definition()], [definition(webhook)])).toBe(`unknown, ${UNKNOWN}`);
    expect(summarize([definition()], [definition({ strategy: 'None' })])).toBe(`settings, ${NONE}`);
  });

  test('concerns no pods if its kind is configuration', () => {
    expect(changeSchema({ properties: { size: INTEGER } }, {}, 'ServiceMonitor', 'monitoring.coreos.com')).toBe(`settings, ${NONE}`);
  });
});

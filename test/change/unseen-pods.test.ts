/** What a change says of objects that no system plans: which kinds are configuration, and when they concern pods all the same. */
import { planChange } from '../../src/headless';
import { renderPlanText } from '../../src/render/text/plan';
import { NONE, summarize, UNKNOWN } from './summarize-change';

/** Returns an object whose spec has a field of any value. */
function object(apiVersion: string, kind: string, value = '1', metadata: object = {}) {
  return { apiVersion, kind, metadata: { name: 'a', ...metadata }, spec: { value } };
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
  ['flagger.app/v1beta1', 'MetricTemplate'],
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

const SELECTING_SECRET = {
  ...clusterExternalSecret('a'),
  spec: { ...clusterExternalSecret('a').spec, namespaceSelectors: [{ matchLabels: { team: 'shop' } }] },
};

function labeledNamespace(team: string) {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { team } } };
}

function scaledObject(restores: boolean) {
  return {
    apiVersion: 'keda.sh/v1alpha1',
    kind: 'ScaledObject',
    metadata: { name: 'a' },
    spec: {
      scaleTargetRef: { name: 'web' },
      minReplicaCount: 1,
      triggers: [{ type: 'cron', metadata: {} }],
      advanced: { restoreToOriginalReplicaCount: restores },
    },
  };
}

const PROTECTED_NODE = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a', annotations: { 'karpenter.sh/do-not-disrupt': 'true' } } };

function cronJob(concurrencyPolicy?: string) {
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a:1' }] } };
  const spec = { schedule: '0 0 * * *', concurrencyPolicy, jobTemplate: { spec: { template } } };
  return { apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: 'a' }, spec };
}

const podTemplate = (image: string) => ({
  apiVersion: 'v1',
  kind: 'PodTemplate',
  metadata: { name: 'a' },
  template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'a', image }] } },
});

const ROLLOUT_OF_TEMPLATE = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Rollout',
  metadata: { name: 'b' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'a' } },
    workloadRef: { apiVersion: 'v1', kind: 'PodTemplate', name: 'a' },
    strategy: { canary: {} },
  },
};

function knativeConfig(name: string, data: object, namespace: string | undefined = 'knative-serving') {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data };
}

const clusterAccess = (value: string) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'access' }, stringData: { value } });

const ARGO_CD = { 'argocd.argoproj.io/secret-type': 'cluster' };

/** Returns an object of which a controller writes a Secret with these labels. */
function writtenSecret(
  kind: 'ExternalSecret' | 'SealedSecret',
  name: string,
  value: string,
  labels: Readonly<Record<string, string>> = {},
) {
  const template = { metadata: { labels } };
  const [apiVersion, spec] =
    kind === 'SealedSecret'
      ? ['bitnami.com/v1alpha1', { encryptedData: { value }, template }]
      : ['external-secrets.io/v1', { target: { template }, data: [{ secretKey: 'a', remoteRef: { key: value } }] }];
  return { apiVersion, kind, metadata: { name }, spec };
}

const TAINT = { key: 'a', effect: 'NoSchedule' };

function node(taints: readonly object[], unschedulable = false) {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' }, spec: { taints, unschedulable } };
}

const EVICTION = { key: 'b', effect: 'NoExecute' };

function labeled(manifest: ReturnType<typeof node>) {
  return { ...manifest, metadata: { ...manifest.metadata, labels: { pool: 'b' } } };
}

function nodePool(consolidateAfter: string, cpu: string, replicas?: number) {
  const spec = { template: { spec: {} }, disruption: { consolidateAfter }, limits: { cpu }, replicas };
  return { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', metadata: { name: 'a' }, spec };
}

function externalSecret(kind: string, key: string) {
  const target = { manifest: { apiVersion: 'apps/v1', kind }, template: { templateFrom: [{ literal: key, target: 'spec' }] } };
  return { apiVersion: 'external-secrets.io/v1', kind: 'ExternalSecret', metadata: { name: 'a' }, spec: { target } };
}

function idleScaledObject(idleReplicaCount?: number) {
  const { spec, ...more } = scaledObject(false);
  return { ...more, spec: { ...spec, idleReplicaCount } };
}

function configMap(name: string, data: object) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
}

const fleetConfig = (agentImage: string) => configMap('fleet-controller', { config: JSON.stringify({ agentImage }) });

const kserveConfig = (storageInitializer: object, serviceAnnotationDisallowedList: readonly string[] = []) =>
  configMap('inferenceservice-config', {
    storageInitializer: JSON.stringify({ ...storageInitializer }),
    inferenceService: JSON.stringify({ serviceAnnotationDisallowedList }),
  });

const deepKserveConfig = (inner: string) =>
  configMap('inferenceservice-config', { credentials: `${'['.repeat(100_000)}${inner}${']'.repeat(100_000)}` });

const LLM_SERVICE = {
  apiVersion: 'serving.kserve.io/v1alpha1',
  kind: 'LLMInferenceService',
  metadata: { name: 'llm' },
  spec: { model: { uri: 'hf://a/b', name: 'b' }, template: { containers: [{ name: 'main', image: 'a:1' }] } },
};

const SCHEDULED_LLM_SERVICE = {
  ...LLM_SERVICE,
  spec: { ...LLM_SERVICE.spec, router: { scheduler: { config: { ref: { name: 'epp', key: 'epp' } } } } },
};

const COPYING_BUNDLE = fleet('Bundle', {
  targets: [{ clusterSelector: {} }],
  downstreamResources: [{ kind: 'ConfigMap', name: 'values' }],
});

const serviceAccount = (name: string) => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a' }, secrets: [{ name }] });

const storageSecret = (endpoint: string) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'a', annotations: { 'serving.kserve.io/s3-endpoint': endpoint } },
});

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
  [
    'a Namespace that a ClusterExternalSecret no longer selects',
    [SELECTING_SECRET, labeledNamespace('shop')],
    [SELECTING_SECRET, labeledNamespace('other')],
    `none unknown, ${UNKNOWN}`,
  ],
  [
    'a Namespace that it selects',
    [SELECTING_SECRET, labeledNamespace('other')],
    [SELECTING_SECRET, labeledNamespace('shop')],
    `none metadata, ${NONE}`,
  ],
  ['a deleted ScaledObject that restores the replicas', [scaledObject(true)], [], `delete, ${UNKNOWN}`],
  ['a deleted ScaledObject that leaves the replicas', [scaledObject(false)], [], `delete, ${NONE}`],
  ['a ScaledObject with a number for no activity', [idleScaledObject()], [idleScaledObject(0)], `unknown, ${UNKNOWN}`],
  ['a new ExternalSecret of a Deployment', [], [externalSecret('Deployment', 'a')], `unknown, ${UNKNOWN}`],
  ['its change', [externalSecret('Deployment', 'a')], [externalSecret('Deployment', 'b')], `unknown, ${UNKNOWN}`],
  ['an ExternalSecret of a ConfigMap', [externalSecret('ConfigMap', 'a')], [externalSecret('ConfigMap', 'b')], `settings, ${NONE}`],
  ['a Node that loses a taint, where DaemonSets then run', [node([TAINT])], [node([])], `unknown, ${UNKNOWN}`],
  ['a Node without a change of its taints', [node([TAINT])], [node([TAINT], true)], `settings, ${NONE}`],
  ['a NodePool that consolidates nodes sooner', [nodePool('1h', '5')], [nodePool('1m', '5')], `unknown, ${UNKNOWN}`],
  ['a NodePool that keeps fewer nodes', [nodePool('1h', '5', 5)], [nodePool('1h', '5', 1)], `unknown, ${UNKNOWN}`],
  ['a NodePool with other limits', [nodePool('1h', '5')], [nodePool('1h', '6')], `settings, ${NONE}`],
  [
    'a ResourceSlice, whose devices may get a taint',
    [object('resource.k8s.io/v1', 'ResourceSlice')],
    [object('resource.k8s.io/v1', 'ResourceSlice', '2')],
    `unknown, ${UNKNOWN}`,
  ],
  [
    'a new ResourceSlice, whose devices may have another slice in the cluster',
    [],
    [object('resource.k8s.io/v1', 'ResourceSlice')],
    `unknown, ${UNKNOWN}`,
  ],
  ['a Node that Karpenter may drain from now on', [PROTECTED_NODE], [object('v1', 'Node')], `unknown, ${UNKNOWN}`],
  ['a Node that evicts pods, which a warning names', [node([])], [node([EVICTION])], 'unknown, affected pods is unknown, 0 not planned'],
  ['a Node that evicts pods, and accepts others', [node([TAINT])], [node([EVICTION])], `unknown, ${UNKNOWN}`],
  ['a Node that evicts pods, and that DaemonSets leave', [node([])], [labeled(node([EVICTION]))], `unknown, ${UNKNOWN}`],
  ['a Node that it no longer may', [object('v1', 'Node')], [PROTECTED_NODE], `settings, ${NONE}`],
  ['a CronJob whose next Job replaces one that runs', [cronJob('Forbid')], [cronJob('Replace')], `unknown, ${UNKNOWN}`],
  ['a CronJob whose next Job does so no longer', [cronJob('Replace')], [cronJob()], `settings, ${NONE}`],
  ['a PodTemplate of a Rollout that is not in view', [podTemplate('a:1')], [podTemplate('a:2')], `unknown, ${UNKNOWN}`],
  ['its deletion', [podTemplate('a:1')], [], `delete, ${UNKNOWN}`],
  ['a new PodTemplate', [], [podTemplate('a:1')], `create, ${NONE}`],
  [
    'a PodTemplate of a Rollout',
    [ROLLOUT_OF_TEMPLATE, podTemplate('a:1')],
    [ROLLOUT_OF_TEMPLATE, podTemplate('a:2')],
    'roll settings, null, 0 not planned',
  ],
  [
    'a new setting of Knative for each Revision',
    [],
    [knativeConfig('config-features', { 'autodetect-http2': 'enabled' })],
    `unknown, ${UNKNOWN}`,
  ],
  ['its deletion', [knativeConfig('config-features', { 'autodetect-http2': 'enabled' })], [], `delete, ${UNKNOWN}`],
  [
    'the same if the command line sets the namespace',
    [{ ...knativeConfig('config-autoscaler', {}), metadata: { name: 'config-autoscaler' } }],
    [{ ...knativeConfig('config-autoscaler', { 'min-scale': '1' }), metadata: { name: 'config-autoscaler' } }],
    `unknown, ${UNKNOWN}`,
  ],
  [
    'a setting of that name in another namespace',
    [knativeConfig('config-autoscaler', {}, 'shop')],
    [knativeConfig('config-autoscaler', { 'min-scale': '1' }, 'shop')],
    `settings, ${NONE}`,
  ],
  ['a new ConfigMap of Knative with an example only', [], [knativeConfig('config-autoscaler', { _example: 'a' })], `create, ${NONE}`],
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
  [
    'other variables of its agent next to the Bundles',
    [BUNDLE, fleet('Cluster', {})],
    [BUNDLE, fleet('Cluster', { agentEnvVars: [{ name: 'A', value: 'b' }] })],
    `none unknown, ${UNKNOWN}`,
  ],
  ['another image of the agents of Fleet', [fleetConfig('a:1')], [fleetConfig('a:2')], `unknown, ${UNKNOWN}`],
  ['a new image of the agents of Fleet', [], [fleetConfig('a:1')], `unknown, ${UNKNOWN}`],
  [
    'the access of Fleet to a cluster',
    [BUNDLE, fleet('Cluster', { kubeConfigSecret: 'access' }), clusterAccess('a')],
    [BUNDLE, fleet('Cluster', { kubeConfigSecret: 'access' }), clusterAccess('b')],
    `none none unknown, ${UNKNOWN}`,
  ],
  [
    'its deletion',
    [BUNDLE, fleet('Cluster', { kubeConfigSecret: 'access' }), clusterAccess('a')],
    [BUNDLE, fleet('Cluster', { kubeConfigSecret: 'access' })],
    `none none delete, ${UNKNOWN}`,
  ],
  [
    'the access of Fleet to a cluster that an ExternalSecret writes',
    [BUNDLE, fleet('Cluster', { kubeConfigSecret: 'access' }), writtenSecret('ExternalSecret', 'access', 'a')],
    [BUNDLE, fleet('Cluster', { kubeConfigSecret: 'access' }), writtenSecret('ExternalSecret', 'access', 'b')],
    `none none unknown, ${UNKNOWN}`,
  ],
  [
    'its deletion, with the SealedSecret',
    [BUNDLE, fleet('Cluster', { kubeConfigSecret: 'access' }), writtenSecret('SealedSecret', 'access', 'a')],
    [BUNDLE, fleet('Cluster', { kubeConfigSecret: 'access' })],
    `none none delete, ${UNKNOWN}`,
  ],
  ['a new cluster of Argo CD in an ExternalSecret', [], [writtenSecret('ExternalSecret', 'a', 'a', ARGO_CD)], `unknown, ${UNKNOWN}`],
  [
    'a cluster of Argo CD in a SealedSecret',
    [writtenSecret('SealedSecret', 'a', 'a', ARGO_CD)],
    [writtenSecret('SealedSecret', 'a', 'b', ARGO_CD)],
    `unknown, ${UNKNOWN}`,
  ],
  ['a deleted cluster of Argo CD in an ExternalSecret', [writtenSecret('ExternalSecret', 'a', 'a', ARGO_CD)], [], `delete, ${UNKNOWN}`],
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
  ['annotations that KServe keeps from pods', [kserveConfig({})], [kserveConfig({}, ['a'])], `unknown, ${UNKNOWN}`],
  [
    'the same next to a service without them',
    [inferenceService(), kserveConfig({})],
    [inferenceService(), kserveConfig({}, ['a'])],
    `none settings, ${NONE}`,
  ],
  ['settings of KServe with 100,000 levels', [deepKserveConfig('[]')], [deepKserveConfig('[1]')], `unknown, ${UNKNOWN}`],
  ['a new ConfigMap of KServe', [], [kserveConfig({})], `unknown, ${UNKNOWN}`],
  ['a deleted ConfigMap of KServe', [kserveConfig({})], [], `delete, ${UNKNOWN}`],
  ['a new ConfigMap of KServe with its services in view', [], [inferenceService(), kserveConfig({})], `create create, null, 0 not planned`],
  ['another image of the storage initializer', [kserveConfig({ image: 'a:1' })], [kserveConfig({ image: 'a:2' })], `settings, ${NONE}`],
  [
    'its resources next to an LLMInferenceService',
    [LLM_SERVICE, kserveConfig({ cpuRequest: '1' })],
    [LLM_SERVICE, kserveConfig({ cpuRequest: '2' })],
    `none unknown, ${UNKNOWN}`,
  ],
  [
    'its resources next to an InferenceService, which gets them with its next pods',
    [inferenceService(), kserveConfig({ cpuRequest: '1' })],
    [inferenceService(), kserveConfig({ cpuRequest: '2' })],
    `none settings, ${NONE}`,
  ],
  [
    'credentials of an LLMInferenceService',
    [LLM_SERVICE, serviceAccount('a')],
    [LLM_SERVICE, serviceAccount('b')],
    `none unknown, ${UNKNOWN}`,
  ],
  ['where its storage is', [LLM_SERVICE, storageSecret('a')], [LLM_SERVICE, storageSecret('b')], `none unknown, ${UNKNOWN}`],
  [
    'the configuration of its scheduler, which is an argument of it',
    [SCHEDULED_LLM_SERVICE, configMap('epp', { epp: 'a' })],
    [SCHEDULED_LLM_SERVICE, configMap('epp', { epp: 'b' })],
    `none unknown, ${UNKNOWN}`,
  ],
  ['its deletion', [SCHEDULED_LLM_SERVICE, configMap('epp', { epp: 'a' })], [SCHEDULED_LLM_SERVICE], `none delete, ${UNKNOWN}`],
  [
    'a ConfigMap that Fleet copies to the clusters of a bundle',
    [COPYING_BUNDLE, configMap('values', { values: 'a' })],
    [COPYING_BUNDLE, configMap('values', { values: 'b' })],
    `none unknown, ${UNKNOWN}`,
  ],
  ['the Secrets of a ServiceAccount', [serviceAccount('a')], [serviceAccount('b')], `settings, ${NONE}`],
  ['a new runtime that services must name', [], [runtime(1, false)], `create, ${NONE}`],
])('%s', (_what, old, next, summary) => {
  expect(summarize(old, next)).toBe(summary);
});

const TEMPLATE = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'a', image: 'a:1' }] } };

test.each([
  ['apps/v1', 'DaemonSet', { selector: { matchLabels: { app: 'a' } }, template: TEMPLATE }],
  ['serving.knative.dev/v1', 'Service', { template: TEMPLATE }],
  ['fleet.cattle.io/v1alpha1', 'Bundle', { targets: [{ clusterSelector: {} }] }],
])('no plan counts the pods of a new or deleted object of %s %s', (apiVersion, kind, spec) => {
  const one = { apiVersion, kind, metadata: { name: 'a' }, spec };
  const headlines = [planChange([], [one]), planChange([one], [], { prune: true })].map((plan) => renderPlanText(plan).split('\n')[0]);
  expect(headlines).toEqual(Array(2).fill(expect.stringContaining('the number of affected pods is unknown')));
});

test('running Jobs of a CronJob are deleted with it, and a new one has none', () => {
  expect(summarize([cronJob()], [])).toBe('delete, affected pods is unknown, 1 not planned');
  expect(summarize([], [cronJob()])).toBe('create, no pods are affected, 0 not planned');
});

test('another controller decides about the pods of a Job that names it', () => {
  const job = (managedBy: string) => {
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a:1' }] } };
    return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'a' }, spec: { managedBy, template } };
  };
  expect(summarize([], [job('kueue.x-k8s.io/multikueue')])).toBe('unknown, null, 1 not planned');
  expect(summarize([], [job('kubernetes.io/job-controller')])).toBe('create, null, 0 not planned');
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
  expect(summarize([deployment()], [deployment({ 'deprecated.deployment.rollback.to': '' })])).toBe(`metadata, ${NONE}`);
});

describe('the status that a manifest of an unknown kind writes', () => {
  const widget = (status?: object) => ({ ...object('example.com/v1', 'Widget'), ...(status && { status }) });
  const definition = (subresources: object) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' },
      versions: [{ name: 'v1', served: true, storage: true, subresources, schema: { openAPIV3Schema: ANY } }],
    },
  });
  const ANY = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const changed = (old: object, next: object, ...around: readonly object[]) => summarize([...around, old], [...around, next]);

  test('is stored, unless its definition has a subresource for it', () => {
    const [one, other] = [widget({ desired: 1 }), widget({ desired: 0 })];
    expect(changed(one, other)).toBe(`unknown, ${UNKNOWN}`);
    expect(changed(one, other, definition({}))).toBe(`none unknown, ${UNKNOWN}`);
    expect(changed(one, other, definition({ status: {} }))).toBe('none none, null, 0 not planned');
  });

  test('is stored in an Application of Argo CD, whose definition has no such subresource', () => {
    const application = (sync: string) => ({ ...object('argoproj.io/v1alpha1', 'Application'), status: { sync: { status: sync } } });
    expect(changed(application('Synced'), application('OutOfSync'))).toMatch(/^unknown, /);
    expect(changed(application('Synced'), application('Synced'))).toMatch(/^none, /);
  });

  test('may differ, like a null and an annotation that a controller writes for other kinds', () => {
    const { spec, ...rest } = widget();
    expect(changed({ ...rest, spec: { ...spec, y: null } }, widget())).toBe(`unknown, ${UNKNOWN}`);
    const revised = (revision: string) => ({
      ...widget(),
      metadata: { name: 'a', annotations: { 'deployment.kubernetes.io/revision': revision } },
    });
    expect(changed(revised('1'), revised('2'))).toBe(`unknown, ${UNKNOWN}`);
  });

  test('is that of its controller in a live object, except for the fields that NEW writes, and nothing if it is empty', () => {
    const live = { ...widget({ desired: 1 }), metadata: { name: 'a', uid: '1', managedFields: [] } };
    expect(changed(live, widget())).toBe('none, null, 0 not planned');
    expect(changed(live, widget({ desired: 1 }))).toBe('none, null, 0 not planned');
    expect(changed(live, widget({ desired: 0 }))).toBe(`unknown, ${UNKNOWN}`);
    expect(changed(live, widget({ desired: 0 }), definition({ status: {} }))).toBe('none none, null, 0 not planned');
    expect(changed(widget(), widget({}))).toBe('none, null, 0 not planned');
  });
});

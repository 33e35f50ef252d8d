import type { Fields, Manifest } from '../src/core/manifest/manifest';
import type { Simulation } from '../src/core/simulations/simulation';
import type { PlanOptions } from '../src/headless';

/** An object with one kind of simulation. */
export interface Simulated {
  /** Returns the object with the content of a version. Another version is rolled out. */
  readonly object: (version: number) => Manifest;
  /** Further objects of the input. */
  readonly otherObjects?: readonly Manifest[];
  readonly options?: PlanOptions;
}

function podTemplate(version: number): Fields {
  return { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: `web:${version}` }] } };
}

/** Returns a workload of apps/v1, or of a kind with the same fields. */
function podSet(kind: string, spec: Fields, apiVersion = 'apps/v1'): Simulated {
  return {
    object: (version) => ({
      apiVersion,
      kind,
      metadata: { name: 'web', namespace: 'shop' },
      spec: { selector: { matchLabels: { app: 'web' } }, template: podTemplate(version), ...spec },
    }),
  };
}

function groups(version: number): Fields {
  return { size: 2, workerTemplate: { spec: { containers: [{ name: 'vllm', image: `vllm:${version}` }] } } };
}

function rayPods(version: number): Fields {
  return { template: { spec: { containers: [{ name: 'ray', image: `ray:${version}` }] } } };
}

const CLUSTER = { apiVersion: 'fleet.cattle.io/v1alpha1', kind: 'Cluster', metadata: { name: 'a', namespace: 'fleet' } };
const PROGRESSIVE = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'argocd-cmd-params-cm', namespace: 'argocd' },
  data: { 'applicationsetcontroller.enable.progressive.syncs': 'true' },
};

/** One object for each kind of simulation. A missing kind is a type error. */
export const SIMULATED: { readonly [K in Simulation['kind']]: Simulated } = {
  deployment: podSet('Deployment', { replicas: 3 }),
  statefulset: podSet('StatefulSet', { replicas: 3, serviceName: 'web' }),
  daemonset: {
    ...podSet('DaemonSet', {}),
    options: { capacity: { nodePools: [{ name: 'a', count: 3 }] } },
  },
  revision: {
    object: (version) => ({
      apiVersion: 'serving.kserve.io/v1beta1',
      kind: 'InferenceService',
      metadata: { name: 'iris', namespace: 'models', annotations: { 'serving.kserve.io/deploymentMode': 'Knative' } },
      spec: { predictor: { minReplicas: 2, containers: [{ name: 'kserve-container', image: `sklearn:${version}` }] } },
    }),
  },
  leaderworkerset: {
    object: (version) => ({
      apiVersion: 'leaderworkerset.x-k8s.io/v1',
      kind: 'LeaderWorkerSet',
      metadata: { name: 'llama', namespace: 'models' },
      spec: { replicas: 2, leaderWorkerTemplate: groups(version) },
    }),
  },
  disaggregatedset: {
    object: (version) => ({
      apiVersion: 'disaggregatedset.x-k8s.io/v1',
      kind: 'DisaggregatedSet',
      metadata: { name: 'chat', namespace: 'models' },
      spec: { roles: ['prefill', 'decode'].map((name) => ({ name, spec: { replicas: 2, leaderWorkerTemplate: groups(version) } })) },
    }),
  },
  rayservice: {
    object: (version) => ({
      apiVersion: 'ray.io/v1',
      kind: 'RayService',
      metadata: { name: 'llm', namespace: 'models' },
      spec: {
        rayClusterConfig: {
          headGroupSpec: rayPods(version),
          workerGroupSpecs: [{ groupName: 'cpu', replicas: 2, minReplicas: 2, maxReplicas: 2, ...rayPods(version) }],
        },
      },
    }),
  },
  fleet: {
    object: (version) => ({
      apiVersion: 'fleet.cattle.io/v1alpha1',
      kind: 'Bundle',
      metadata: { name: 'shop', namespace: 'fleet' },
      spec: { resources: [{ name: 'web.yaml', content: `web:${version}` }], targets: [{ clusterSelector: {} }] },
    }),
    options: { clusters: [CLUSTER] },
  },
  argorollout: podSet(
    'Rollout',
    { replicas: 3, strategy: { canary: { steps: [{ setWeight: 34 }, { pause: {} }] } } },
    'argoproj.io/v1alpha1',
  ),
  rollingsync: {
    object: (version) => ({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'ApplicationSet',
      metadata: { name: 'shop', namespace: 'argocd' },
      spec: {
        generators: [{ list: { elements: [{ name: 'dev' }, { name: 'prod' }] } }],
        template: {
          metadata: { name: 'shop-{{name}}', labels: { env: '{{name}}' } },
          spec: { project: 'default', source: { repoURL: 'https://example.com/shop.git', path: 'app', targetRevision: `v${version}` } },
        },
        strategy: {
          type: 'RollingSync',
          rollingSync: { steps: ['dev', 'prod'].map((env) => ({ matchExpressions: [{ key: 'env', operator: 'In', values: [env] }] })) },
        },
      },
    }),
    otherObjects: [PROGRESSIVE],
  },
};

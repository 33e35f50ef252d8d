/** Rollouts of five systems in one Pulumi program: `pulumi preview` shows their plans, and fails if a cluster would refuse them. */
import * as pulumi from '@pulumi/pulumi';
import {
  DeploymentPolicy,
  FleetBundle,
  IncrementalRayService,
  InferenceServiceRollout,
  Inventory,
  KServePlatformConfig,
  OperatorRollingUpdate,
  partitionsByLabel,
  Rollout,
  safeMaxSurgePercent,
} from 'rolloutkit/pulumi';
import type { GitOpsRayServiceArgs } from 'rolloutkit/pulumi';

const config = new pulumi.Config();

// A tag that is only known during the update, from another stack or a build. It may be used in strings that do not affect a rollout.
const tag = pulumi.output(config.get('tag') ?? '2');

// KServe: the platform level of the cluster, written to the ConfigMap of its installation, and a model that always has at least four ready pods.
const platform = new KServePlatformConfig('platform', {
  defaultRollout: { mode: 'Availability', maxSurge: '25%', maxUnavailable: '25%' },
  emit: 'patch',
});

const iris = new InferenceServiceRollout(
  'iris',
  {
    platform,
    metadata: { namespace: 'models' },
    predictor: {
      minReplicas: 4,
      maxReplicas: 8,
      model: { modelFormat: { name: 'sklearn' }, storageUri: pulumi.interpolate`s3://my-bucket/model/${tag}` },
      rollout: Rollout.availability('25%'),
    },
    transformer: {
      minReplicas: 2,
      containers: [{ name: 'kserve-container', image: pulumi.interpolate`my-transformer:${tag}` }],
      rollout: { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: 1 },
    },
  },
  { dependsOn: platform },
);

// KubeRay: driven by the operator, and stage by stage.
function cluster(image: pulumi.Input<string>): GitOpsRayServiceArgs['next']['rayCluster'] {
  const head = { containers: [{ name: 'ray-head', image, resources: { limits: { cpu: '2', memory: '8Gi' } } }] };
  const worker = { containers: [{ name: 'ray-worker', image, resources: { limits: { cpu: '8', memory: '64Gi', 'nvidia.com/gpu': 1 } } }] };
  return {
    headGroupSpec: { template: { spec: head } },
    workerGroupSpecs: [{ groupName: 'gpu', replicas: 5, minReplicas: 0, maxReplicas: 5, template: { spec: worker } }],
  };
}
const serveConfig = { applications: [{ name: 'llm', import_path: 'llm:app', route_prefix: '/' }] };
const maxSurgePercent = safeMaxSurgePercent({ gpusPerPod: 1, totalGpus: 5 });
const upgrade = { gatewayClassName: 'istio', maxSurgePercent, stepSizePercent: 10, intervalSeconds: 60 };

const llm = new IncrementalRayService('llm', {
  metadata: { namespace: 'llm' },
  upgrade,
  gatewayClass: { controllerName: 'istio.io/gateway-controller' },
  serveConfig,
  rayCluster: cluster(pulumi.interpolate`my-llm:${tag}`),
});

const staged = new IncrementalRayService(
  'llm-staged',
  {
    ownership: 'gitops',
    metadata: { namespace: 'llm-staged' },
    upgrade,
    current: { serveConfig, rayCluster: cluster('my-llm:1') },
    next: { serveConfig, rayCluster: cluster(pulumi.interpolate`my-llm:${tag}`) },
    stage: config.getNumber('stage') ?? 0,
  },
  { dependsOn: llm },
);

// Fleet: staging clusters first, then production, a tenth at a time.
const shop = new FleetBundle('shop', {
  metadata: { namespace: 'fleet-default' },
  targets: [{ clusterSelector: {} }],
  rollout: { maxUnavailable: '10%', maxUnavailablePartitions: 0, partitions: partitionsByLabel('env', ['staging', 'prod']) },
  inventory: Inventory.of({
    clusters: [
      { name: 'test-1', namespace: 'fleet-default', labels: { env: 'staging' } },
      { name: 'berlin', namespace: 'fleet-default', labels: { env: 'prod' } },
      { name: 'tokyo', namespace: 'fleet-default', labels: { env: 'prod' } },
    ],
  }),
  resources: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'shop' }, data: { greeting: 'hello' } }],
});

// Kubernetes: one policy for every stateless service. An autoscaler owns the replicas of one.
function service(name: string, image: pulumi.Input<string>) {
  const labels = { app: name };
  const containers = [
    { name, image, readinessProbe: { httpGet: { path: '/ready', port: 8080 } }, resources: { requests: { cpu: '250m' } } },
  ];
  const template = { metadata: { labels }, spec: { containers } };
  return { metadata: { name, namespace: 'shop' }, spec: { replicas: 4, selector: { matchLabels: labels }, template } };
}

const services = new DeploymentPolicy('services', {
  stateless: { update: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0, revisionHistory: 5 },
  workloads: [service('web', pulumi.interpolate`shop/web:${tag}`), service('search', 'shop/search:7')],
  surroundings: [
    {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'search', namespace: 'shop' },
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'search' }, minReplicas: 2, maxReplicas: 9 },
    },
  ],
});

const databases = new DeploymentPolicy('databases', {
  stateful: { update: 'RollingUpdate', partition: 2, replicas: 5 },
  workloads: [{ ...service('orders', 'postgres:17'), metadata: { name: 'orders', namespace: 'shop' } }],
});

// IBM BAW: the operator creates Deployments with this strategy.
const baw = new OperatorRollingUpdate('baw', {
  resource: { metadata: { name: 'workflow', namespace: 'baw' }, spec: { license: 'accept' } },
  replicas: 5,
  strategy: { type: 'RollingUpdate', maxSurge: 1, maxUnavailable: '25%' },
});

/** Outputs of the stack: the rollouts and their findings. */
export const plans = {
  iris: iris.plan.summary,
  llm: llm.plan.summary,
  shop: shop.plan.summary,
  services: services.plan.summary,
  databases: databases.plan.summary,
  baw: baw.plan.summary,
};
export const irisProvenance = iris.plan.rollouts[0]!.provenance;
export const llmPeakPercent = llm.simulation.apply((simulation) => simulation?.peakCapacityPercent);
export const stages = staged.stageCount;

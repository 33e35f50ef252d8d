/** An app with every construct, as a new user writes it. */
import { ApiObject, App, Chart } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import {
  ApplicationSetRollout,
  DaemonSetPolicy,
  DeploymentPolicy,
  DisaggregatedSetRollout,
  FleetBundle,
  IncrementalRayService,
  InferenceServiceRollout,
  Inventory,
  KServePlatformConfig,
  LeaderWorkerSetRollout,
  LLMInferenceServiceRollout,
  OperatorRollingUpdate,
  partitionsByLabel,
  Rollout,
  RolloutGuardrails,
  safeMaxSurgePercent,
} from 'rolloutkit';

const platform = KServePlatformConfig.of({ defaultRollout: { mode: 'Availability', maxSurge: '25%', maxUnavailable: '25%' } });
const inventory = Inventory.of({
  clusters: [
    { name: 'staging-1', namespace: 'fleet-default', labels: { env: 'staging' } },
    { name: 'berlin', namespace: 'fleet-default', labels: { env: 'prod', canary: 'true' } },
    { name: 'tokyo', namespace: 'fleet-default', labels: { env: 'prod' } },
  ],
});

function rayCluster(image: string) {
  const head = { containers: [{ name: 'head', image, resources: { limits: { cpu: '2', memory: '8Gi' } } }] };
  const worker = { containers: [{ name: 'worker', image, resources: { limits: { cpu: '8', memory: '64Gi', 'nvidia.com/gpu': 1 } } }] };
  return {
    headGroupSpec: { rayStartParams: {}, template: { spec: head } },
    workerGroupSpecs: [{ groupName: 'gpu', replicas: 5, minReplicas: 0, maxReplicas: 5, rayStartParams: {}, template: { spec: worker } }],
  };
}

/** Creates the app. Each construct is created as the guides show it. */
export function buildApp(): App {
  const app = new App();
  const models = new Chart(app, 'models', { namespace: 'models' });
  new InferenceServiceRollout(models, 'iris', {
    platform,
    predictor: { minReplicas: 4, model: { modelFormat: { name: 'sklearn' }, storageUri: 's3://models/iris' } },
    transformer: {
      minReplicas: 2,
      containers: [{ name: 'kserve-container', image: 'transformer:1' }],
      rollout: Rollout.resourceAware('50%'),
    },
  });
  new LLMInferenceServiceRollout(models, 'chat', { model: { uri: 'hf://Qwen/Qwen3-8B', name: 'Qwen/Qwen3-8B' }, replicas: 2 });
  const workerTemplate = { spec: { containers: [{ name: 'vllm', image: 'vllm:1' }] } };
  new LeaderWorkerSetRollout(models, 'llama', {
    replicas: 2,
    size: 4,
    rollout: Rollout.groups({ surge: 1 }),
    leaderWorkerTemplate: { workerTemplate },
  });
  new DisaggregatedSetRollout(models, 'split', {
    roles: [
      { name: 'prefill', replicas: 2, rollout: Rollout.groups({ surge: 1 }), leaderWorkerTemplate: { workerTemplate } },
      { name: 'decode', replicas: 2, rollout: Rollout.groups({ surge: 1 }), leaderWorkerTemplate: { workerTemplate } },
    ],
  });

  const ray = new Chart(app, 'ray', { namespace: 'ray' });
  const serveConfig = { applications: [{ name: 'llm', import_path: 'llm:app', route_prefix: '/' }] };
  const maxSurgePercent = safeMaxSurgePercent({ gpusPerPod: 1, totalGpus: 5 });
  const upgrade = { gatewayClassName: 'istio', maxSurgePercent, stepSizePercent: 10, intervalSeconds: 60 };
  new IncrementalRayService(ray, 'llm', { upgrade, serveConfig, rayCluster: rayCluster('llm:1') });
  new IncrementalRayService(ray, 'staged', {
    ownership: 'gitops',
    upgrade,
    current: { serveConfig, rayCluster: rayCluster('llm:1') },
    next: { serveConfig, rayCluster: rayCluster('llm:2') },
    stage: 3,
  });

  const fleet = new Chart(app, 'fleet', { namespace: 'fleet-default' });
  const group = { name: 'canaries', selector: { matchLabels: { canary: 'true' } } };
  new FleetBundle(fleet, 'shop', {
    targets: [{ clusterSelector: {} }],
    rollout: { maxUnavailable: '50%', partitions: [{ name: 'canaries', group }, ...partitionsByLabel('env', ['staging'])] },
    inventory,
  });
  new ApplicationSetRollout(new Chart(app, 'argo', { namespace: 'argocd' }), 'shop', {
    generators: [{ clusters: { selector: { matchExpressions: [{ key: 'env', operator: 'Exists' }] } } }],
    template: {
      metadata: { name: 'shop-{{name}}', labels: { env: '{{metadata.labels.env}}' } },
      spec: {
        project: 'default',
        source: { repoURL: 'https://example.com/shop.git', path: 'app' },
        destination: { server: '{{server}}', namespace: 'shop' },
      },
    },
    steps: [{ match: { env: 'staging' } }, { match: { env: 'prod' }, maxUpdate: '50%' }],
    inventory,
  });

  const shop = new Chart(app, 'apps', { namespace: 'shop' });
  const readiness = kplus.Probe.fromHttpGet('/ready');
  const web = new kplus.Deployment(shop, 'web', { containers: [{ image: 'web:2', portNumber: 80, readiness }], replicas: 4 });
  DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0 }).applyTo(web);
  const pods = (name: string) => ({
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name, image: `${name}:1` }] } },
  });
  const agent = new ApiObject(shop, 'agent', {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'agent' },
    spec: pods('agent'),
  });
  DaemonSetPolicy.of({ maxUnavailable: '10%' }).applyTo(agent);
  const db = { ...pods('db'), serviceName: 'db', replicas: 5 };
  const orders = new ApiObject(shop, 'db', { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'db' }, spec: db });
  DeploymentPolicy.stateful({ update: 'RollingUpdate', partition: 2 }).applyTo(orders);
  new OperatorRollingUpdate(shop, 'baw', {
    resource: { apiVersion: 'icp4a.ibm.com/v1', kind: 'ICP4ACluster', metadata: { name: 'baw' }, spec: { license: 'accept' } },
    replicas: 5,
    strategy: { type: 'RollingUpdate', maxSurge: 1, maxUnavailable: '25%' },
  });
  new RolloutGuardrails(shop, 'guard', { neverBelow: { available: '50%' }, enforce: 'ValidatingAdmissionPolicy' });
  return app;
}

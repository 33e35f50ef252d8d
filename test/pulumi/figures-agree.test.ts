import { ApiObject, App, Chart } from 'cdk8s';
import * as cdk8s from 'rolloutkit';
import * as components from 'rolloutkit/pulumi';
import { parseAllDocuments } from 'yaml';
import { Inventory, Rollout } from '../../src';
import type { PlanDocument } from '../../src/core/document/plan-document';
import { planManifests } from '../../src/headless';
import { run, valueOf } from './program';

const gpu = { resources: { limits: { 'nvidia.com/gpu': 1 } } };
const versions = { kubernetes: '1.34' };
const metadata = { namespace: 'models' };
const container = (name: string) => ({ name, image: `${name}:1`, readinessProbe: { tcpSocket: { port: 8080 } }, ...gpu });
const quota = {
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'pods', namespace: 'models' },
  spec: { hard: { pods: 100 } },
};
const inventory = Inventory.of({ clusters: ['a', 'b', 'c', 'd'].map((name) => ({ name, namespace: 'models' })) });

/** The same app for both engines: four systems, limits and goals. */
const service = {
  metadata,
  predictor: { minReplicas: 8, containers: [{ ...container('kserve-container') }], rollout: Rollout.goal({ available: 6, extraGpus: 2 }) },
} as const;
const groups = {
  metadata,
  replicas: 4,
  size: 2,
  rollout: Rollout.groups({ surge: 1 }),
  leaderWorkerTemplate: { workerTemplate: { spec: { containers: [container('vllm')] } } },
};
const worker = { groupName: 'gpu', replicas: 5, minReplicas: 1, maxReplicas: 5, template: { spec: { containers: [container('worker')] } } };
const upgrade = {
  metadata,
  upgrade: { gatewayClassName: 'istio', goal: { extraGpus: 1, within: '2h' } },
  serveConfig: { applications: [{ name: 'app', import_path: 'model:app' }] },
  rayCluster: { headGroupSpec: { template: { spec: { containers: [{ name: 'head', image: 'ray:2' }] } } }, workerGroupSpecs: [worker] },
};
const bundle = { metadata, targets: [{ clusterSelector: {} }], rollout: { goal: { stopAfterBroken: 1, waves: 2 } }, inventory };
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [container('web')] } };
const web = { metadata: { name: 'web', namespace: 'models' }, spec: { replicas: 10, selector: { matchLabels: { app: 'web' } }, template } };
const policy = { update: 'RollingUpdate', maxSurge: '30%', maxUnavailable: 1 } as const;

function createApp(): App {
  const app = new App();
  const chart = new Chart(app, 'models', { namespace: 'models' });
  new ApiObject(chart, 'quota', quota);
  new cdk8s.InferenceServiceRollout(chart, 'iris', service);
  new cdk8s.LeaderWorkerSetRollout(chart, 'llama', groups);
  new cdk8s.IncrementalRayService(chart, 'ray', upgrade);
  new cdk8s.FleetBundle(chart, 'shop', bundle);
  const object = new ApiObject(chart, 'web', { apiVersion: 'apps/v1', kind: 'Deployment', ...web });
  cdk8s.DeploymentPolicy.stateless(policy).applyTo(object);
  return app;
}

/** Returns the plans of the Pulumi preview, one for each component. */
async function previewPlans(): Promise<PlanDocument[]> {
  const plans: PlanDocument[] = [];
  await run(async () => {
    const surroundings = [quota];
    const created = [
      new components.InferenceServiceRollout('iris', { ...service, surroundings }),
      new components.LeaderWorkerSetRollout('llama', { ...groups, surroundings }),
      new components.IncrementalRayService('ray', { ...upgrade, surroundings }),
      new components.FleetBundle('shop', bundle),
      new components.DeploymentPolicy('policy', { stateless: policy, workloads: [web], surroundings }),
    ];
    for (const { plan } of created) plans.push(await valueOf(plan));
  });
  return plans;
}

/** Returns the figures of each rollout by its object: what a user decides by. */
function figuresOf(rollouts: PlanDocument['rollouts']): Record<string, unknown> {
  return Object.fromEntries(
    rollouts.map(({ resource: { kind, name, component }, strategy, simulation, duration, workers, groups: size, capacity }) => [
      [kind, name, component].filter(Boolean).join('/'),
      { strategy, simulation, duration, workers, groups: size, verdict: capacity?.verdict },
    ]),
  );
}

test('the plan of the cdk8s app, the preview of the Pulumi program and the plan of the YAML have the same figures', async () => {
  const app = createApp();
  const ofApp = figuresOf(cdk8s.RolloutPlan.of(app, { versions }).document.rollouts);
  const yaml = parseAllDocuments(app.synthYaml()).map((document): unknown => document.toJS());
  const ofYaml = figuresOf(planManifests(yaml, { versions, clusters: { clusters: inventory.clusters, groups: [] } }).rollouts);
  const ofPreview = figuresOf((await previewPlans()).flatMap(({ rollouts }) => rollouts));

  expect(Object.keys(ofApp).toSorted()).toEqual([
    'Bundle/shop',
    'Deployment/web',
    'InferenceService/iris/predictor',
    'LeaderWorkerSet/llama',
    'RayService/ray',
  ]);
  expect(ofPreview).toEqual(ofApp);
  expect(ofYaml).toEqual(ofApp);
});

/** The public API by example, as in the documentation. */
import { App, Chart, Testing, Yaml } from 'cdk8s';
import * as kplus from 'cdk8s-plus-28';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  DaemonSetPolicy,
  DeploymentPolicy,
  IncrementalRayService,
  InferenceServiceRollout,
  KServePlatformConfig,
  Rollout,
  safeMaxSurgePercent,
} from 'rolloutkit';

const app = new App();
const chart = new Chart(app, 'models', { namespace: 'models' });

const platform = KServePlatformConfig.of({
  defaultDeploymentMode: 'Standard',
  defaultRollout: { mode: 'Availability', maxSurge: '25%', maxUnavailable: '25%' },
});

const iris = new InferenceServiceRollout(chart, 'iris', {
  platform,
  predictor: {
    minReplicas: 4,
    maxReplicas: 8,
    model: { modelFormat: { name: 'sklearn' }, storageUri: 's3://my-bucket/model' },
    rollout: Rollout.availability('25%'),
  },
  transformer: {
    containers: [{ name: 'kserve-container', image: 'my-transformer:latest' }],
    rollout: { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: 1 },
  },
});

const web = new kplus.Deployment(chart, 'web', { containers: [{ image: 'web:2' }], replicas: 4 });
DeploymentPolicy.stateless({ update: 'RollingUpdate', maxSurge: 1, maxUnavailable: 0, revisionHistory: 5 }).applyTo(web);
const orders = new kplus.StatefulSet(chart, 'orders', {
  containers: [{ image: 'db:2', portNumber: 5432 }],
  metadata: { labels: { tier: 'db' } },
});
DeploymentPolicy.stateful({ update: 'RollingUpdate', partition: 2, replicas: 5 }).applyToAll(chart, { matchLabels: { tier: 'db' } });

const agent = new kplus.DaemonSet(chart, 'agent', { containers: [{ image: 'agent:2' }] });
DaemonSetPolicy.of({ maxUnavailable: '10%' }).applyTo(agent);

const serveConfig = { applications: [{ name: 'my_app', import_path: 'my_model:app', route_prefix: '/', deployments: [] }] };
const rayCluster = { headGroupSpec: { template: { spec: { containers: [{ name: 'ray-head' }] } } }, workerGroupSpecs: [] };

const llm = new IncrementalRayService(chart, 'llm', {
  ownership: 'operator',
  upgrade: { gatewayClassName: 'istio', maxSurgePercent: 20, stepSizePercent: 5, intervalSeconds: 10 },
  serveConfig,
  rayCluster,
});

const staged = new IncrementalRayService(chart, 'llm-staged', {
  ownership: 'gitops',
  upgrade: {
    gatewayClassName: 'istio',
    maxSurgePercent: safeMaxSurgePercent({ gpusPerPod: 1, totalGpus: 5 }),
    stepSizePercent: 10,
    intervalSeconds: 60,
  },
  current: { serveConfig, rayCluster },
  next: { serveConfig, rayCluster },
  stage: 'all',
});

const reason = 'The component sets it.';
const lost = 'the component sets its own value';

test('an intent becomes the strategy of its component', () => {
  expect(iris.predictor.strategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 0 } });
  expect(iris.transformer!.strategy).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } });
});

test('the provenance lists the level that decided each field, and the overridden levels with their values', () => {
  expect(iris.predictor.provenance).toEqual([
    {
      field: 'type',
      value: 'RollingUpdate',
      layer: 'user',
      reason,
      overridden: [{ layer: 'kserve-default', value: 'RollingUpdate', reason: lost }],
    },
    {
      field: 'maxSurge',
      value: '25%',
      layer: 'user',
      reason,
      overridden: [
        { layer: 'platform-config', value: '25%', reason: lost },
        { layer: 'kserve-default', value: '25%', reason: lost },
      ],
    },
    {
      field: 'maxUnavailable',
      value: 0,
      layer: 'user',
      reason,
      overridden: [
        { layer: 'platform-config', value: '0%', reason: lost },
        { layer: 'kserve-default', value: '25%', reason: lost },
      ],
    },
  ]);
});

test('the rollouts are those of the plan, with the provenance of the intent', () => {
  const [predictor, transformer] = iris.rollouts;

  expect(predictor).toMatchObject({
    system: 'kserve',
    resource: { kind: 'InferenceService', namespace: 'models', name: 'iris', component: 'predictor' },
    strategy: iris.predictor.strategy,
    provenance: iris.predictor.provenance,
    simulation: { replicas: 4, surge: 1, unavailable: 0, iterations: 4, peakPods: 5, minAvailable: 4 },
    creates: [{ kind: 'Deployment', name: 'iris-predictor' }],
  });
  expect(transformer).toMatchObject({
    resource: { component: 'transformer' },
    strategy: iris.transformer!.strategy,
    findings: [{ code: 'kubernetes/outage', severity: 'warning' }],
  });
});

test('the manifest is a plain InferenceService with the name of the construct and integers as numbers', () => {
  expect(Yaml.stringify(iris.apiObject.toJson())).toMatchInlineSnapshot(`
"apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata:
  annotations:
    serving.kserve.io/deploymentMode: Standard
  name: iris
  namespace: models
spec:
  predictor:
    deploymentStrategy:
      rollingUpdate:
        maxSurge: 25%
        maxUnavailable: 0
      type: RollingUpdate
    maxReplicas: 8
    minReplicas: 4
    model:
      modelFormat:
        name: sklearn
      storageUri: s3://my-bucket/model
  transformer:
    containers:
      - image: my-transformer:latest
        name: kserve-container
    deploymentStrategy:
      rollingUpdate:
        maxSurge: 0
        maxUnavailable: 1
      type: RollingUpdate
"
`);
});

test('the policies are written into the workloads', () => {
  const objects = Testing.synth(chart);

  expect(objects.find(({ kind }) => kind === 'Deployment').spec).toMatchObject({
    replicas: 4,
    revisionHistoryLimit: 5,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
  });
  expect(objects.find(({ metadata }) => metadata.name === orders.name).spec).toMatchObject({
    replicas: 5,
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } },
  });
  expect(objects.find(({ kind }) => kind === 'DaemonSet').spec).toMatchObject({
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '10%' } },
  });
});

test('the platform level can be read from the cluster’s ConfigMap', () => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'rolloutkit-')), 'inferenceservice-config.yaml');
  writeFileSync(file, Yaml.stringify(platform.configMap));

  expect(KServePlatformConfig.fromFile(file).defaultRollout).toEqual({ maxSurge: '25%', maxUnavailable: '0%' });
});

test('a RayService is upgraded by the operator, or by Git: the same steps, each as a separate chart', () => {
  expect(llm.simulation).toMatchObject({ outcome: 'promoted', durationSeconds: 200, peakCapacityPercent: 120 });
  expect(staged.simulation).toMatchObject({ outcome: 'promoted', durationSeconds: 600, peakCapacityPercent: 120 });
  expect(
    Testing.synth(chart)
      .filter(({ kind }) => kind === 'RayService')
      .map(({ metadata }) => metadata.name),
  ).toEqual(['llm']);
  expect(app.charts.map(({ node }) => node.id)).toEqual([
    'models',
    ...staged.stages.map((_, stage) => `models-llm-staged-stage-${String(stage).padStart(2, '0')}`),
  ]);
});

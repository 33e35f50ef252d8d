import { planChange } from '../../src/headless';
import { renderPlanText } from '../../src/render/text/plan';
import { expectValidPlan } from '../plan-schema';
import { podTemplate, workload } from '../builders/workload';

/* The plan of a held object says what must happen before pods change, so that the user need not find the reason in the manifest. */

function web(kind: string, spec: object, image: string) {
  const service = kind === 'StatefulSet' ? { serviceName: 'web' } : {};
  const replicas = kind === 'DaemonSet' ? {} : { replicas: 3 };
  return workload(kind, { ...service, ...replicas, template: podTemplate({ image }), ...spec }, { name: 'web', namespace: 'shop' });
}

const NODE = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1', labels: { disk: 'ssd' } }, status: { allocatable: { pods: '10' } } };
const ON_NO_NODE = (image: string) => ({
  template: {
    metadata: { labels: { app: 'web' } },
    spec: { nodeSelector: { disk: 'hdd' }, containers: [{ name: 'web', image }] },
  },
});

function rollout(spec: object, image: string) {
  return { ...web('Deployment', { strategy: { canary: {} }, ...spec }, image), apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout' };
}

function leaderWorkerSet(spec: object, image: string) {
  return {
    apiVersion: 'leaderworkerset.x-k8s.io/v1',
    kind: 'LeaderWorkerSet',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      replicas: 2,
      leaderWorkerTemplate: { size: 2, workerTemplate: { spec: { containers: [{ name: 'web', image }] } } },
      ...spec,
    },
  };
}

function inferenceService(image: string) {
  return {
    apiVersion: 'serving.kserve.io/v1beta1',
    kind: 'InferenceService',
    metadata: {
      name: 'web',
      namespace: 'shop',
      annotations: { 'serving.kserve.io/deploymentMode': 'Standard', 'serving.kserve.io/disable-auto-update': 'true' },
    },
    spec: { predictor: { minReplicas: 2, containers: [{ name: 'kserve-container', image }] } },
  };
}

function bundle(content: string) {
  return {
    apiVersion: 'fleet.cattle.io/v1alpha1',
    kind: 'Bundle',
    metadata: { name: 'web', namespace: 'fleet-default' },
    spec: { paused: true, resources: [{ name: 'a.yaml', content }], targets: [{ clusterSelector: {} }] },
  };
}

function rayService(replicas: number) {
  const template = { spec: { containers: [{ name: 'ray', image: 'ray:2.46' }] } };
  return {
    apiVersion: 'ray.io/v1',
    kind: 'RayService',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      serveConfigV2: 'applications: []',
      rayClusterConfig: {
        headGroupSpec: { rayStartParams: {}, template },
        workerGroupSpecs: [{ groupName: 'gpu', replicas, minReplicas: 1, maxReplicas: 9, rayStartParams: {}, template }],
      },
    },
  };
}

test.each<[string, (image: string) => object, string]>([
  ['a Deployment that is paused', (image) => web('Deployment', { paused: true }, image), 'it is resumed'],
  ['a Deployment without pods', (image) => web('Deployment', { replicas: 0 }, image), 'it has pods'],
  ['a StatefulSet under OnDelete', (image) => web('StatefulSet', { updateStrategy: { type: 'OnDelete' } }, image), 'its pods are deleted'],
  [
    'a StatefulSet whose partition is above every ordinal',
    (image) => web('StatefulSet', { updateStrategy: { rollingUpdate: { partition: 3 } } }, image),
    'its partition is lowered',
  ],
  [
    'a StatefulSet without pods, below a partition',
    (image) => web('StatefulSet', { replicas: 0, updateStrategy: { rollingUpdate: { partition: 3 } } }, image),
    'it has pods',
  ],
  ['a DaemonSet under OnDelete', (image) => web('DaemonSet', { updateStrategy: { type: 'OnDelete' } }, image), 'its pods are deleted'],
  ['a DaemonSet that fits no node', (image) => web('DaemonSet', ON_NO_NODE(image), image), 'a node accepts its pods'],
  ['a bare ReplicaSet', (image) => web('ReplicaSet', {}, image), 'its pods are deleted'],
  ['an Argo Rollout that is paused', (image) => rollout({ paused: true }, image), 'it is resumed'],
  ['an Argo Rollout without pods', (image) => rollout({ replicas: 0 }, image), 'it has pods'],
  [
    'a LeaderWorkerSet whose partition is above every group',
    (image) => leaderWorkerSet({ rolloutStrategy: { rollingUpdateConfiguration: { maxUnavailable: 1, partition: 2 } } }, image),
    'its partition is lowered',
  ],
  [
    'an InferenceService with automatic updates disabled',
    inferenceService,
    'serving.kserve.io/disable-auto-update is removed, or it is not Ready',
  ],
  ['a Fleet bundle that is paused', bundle, 'it is no longer paused'],
  ['the workers of a RayService', (image) => rayService(image.endsWith('1') ? 2 : 4), 'another change creates a new cluster'],
])('%s reports until when it is held', (_what, object, until) => {
  const plan = expectValidPlan(planChange([object('web:1'), NODE], [object('web:2'), NODE]));
  const [change] = plan.change.objects;
  expect(change).toMatchObject({ effect: 'held', heldUntil: until });
  const line = renderPlanText(plan)
    .split('\n')
    .find((text) => text.startsWith('! held'));
  expect(line).toContain(`until ${until}`);
});

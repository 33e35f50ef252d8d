/** JSON patches are applied last, so errors that they introduce are found when the app is synthesized. */
import { App, Chart, JsonPatch } from 'cdk8s';
import type { ApiObject } from 'cdk8s';
import {
  ApplicationSetRollout,
  DisaggregatedSetRollout,
  FleetBundle,
  IncrementalRayService,
  InferenceServiceRollout,
  KServePlatformConfig,
  LeaderWorkerSetRollout,
  LLMInferenceServiceRollout,
  OperatorRollingUpdate,
  Rollout,
} from 'rolloutkit';
import { headsOf } from '../facts';
import { synthError } from './synth-error';
import { model } from '../builders/served-model';

const workers = { workerTemplate: { spec: { containers: [{ name: 'vllm', image: 'vllm/vllm-openai:v0.11.0' }] } } };
const serveConfig = { applications: [{ name: 'llm', import_path: 'llm:app' }] };
const rayCluster = { headGroupSpec: { template: { spec: { containers: [{ name: 'head', image: 'rayproject/ray:2.50.0' }] } } } };
const upgrade = { gatewayClassName: 'istio', maxSurgePercent: 50, stepSizePercent: 25, intervalSeconds: 60 };

const MADE: Readonly<Record<string, (chart: Chart) => ApiObject>> = {
  InferenceService: (chart) => {
    const props = { predictor: { model, minReplicas: 4, rollout: Rollout.availability('25%') } };
    return new InferenceServiceRollout(chart, 'it', props).apiObject;
  },
  LLMInferenceService: (chart) => new LLMInferenceServiceRollout(chart, 'it', { model: { uri: 'hf://Qwen/Qwen3-8B' } }).apiObject,
  LeaderWorkerSet: (chart) => new LeaderWorkerSetRollout(chart, 'it', { replicas: 2, size: 2, leaderWorkerTemplate: workers }).apiObject,
  DisaggregatedSet: (chart) => {
    const roles = [
      { name: 'prefill', replicas: 2, leaderWorkerTemplate: workers },
      { name: 'decode', replicas: 2, leaderWorkerTemplate: workers },
    ];
    return new DisaggregatedSetRollout(chart, 'it', { roles }).apiObject;
  },
  ApplicationSet: (chart) => {
    const template = {
      metadata: { name: '{{name}}', labels: { env: '{{metadata.labels.env}}' } },
      spec: { project: 'default', destination: { server: '{{server}}' } },
    };
    const steps = [{ match: { env: 'dev' } }, { match: { env: 'prod' } }];
    return new ApplicationSetRollout(chart, 'it', { generators: [{ clusters: {} }], template, steps }).apiObject;
  },
  Bundle: (chart) => new FleetBundle(chart, 'it', { targets: [{ clusterSelector: {} }], rollout: { maxUnavailable: 1 } }).apiObject,
  RayService: (chart) => new IncrementalRayService(chart, 'it', { ownership: 'operator', upgrade, serveConfig, rayCluster }).apiObjects[0]!,
  'RayService of a stage': (chart) => {
    const service = { serveConfig, rayCluster };
    const llm = new IncrementalRayService(chart, 'it', { ownership: 'gitops', upgrade, current: service, next: service });
    return llm.apiObjects.find(({ kind }) => kind === 'RayService')!;
  },
  "an operator's resource": (chart) =>
    new OperatorRollingUpdate(chart, 'it', { replicas: 5, strategy: { type: 'RollingUpdate' } }).apiObject,
  "KServe's ConfigMap": (chart) => KServePlatformConfig.of({ defaultRollout: { mode: 'Availability' } }).emit(chart, { id: 'it' }),
};

function refusedAfter(made: (chart: Chart) => ApiObject, ...patches: readonly JsonPatch[]): readonly string[] {
  return headsOf(synthError((chart) => made(chart).addJsonPatch(...patches)));
}

test.each([
  [
    'InferenceService',
    '/spec/predictor/deploymentStrategy/rollingUpdate/maxSurge',
    '3',
    '[shop/it] [kubernetes/quoted-integer] spec.predictor.deploymentStrategy.rollingUpdate.maxSurge:',
  ],
  ['LLMInferenceService', '/spec/replicas', 'two', '[shop/it] [input/wrong-type] spec.replicas:'],
  [
    'LeaderWorkerSet',
    '/spec/rolloutStrategy/rollingUpdateConfiguration/maxUnavailable',
    -1,
    '[shop/it] [kubernetes/invalid-strategy] spec.rolloutStrategy.rollingUpdateConfiguration.maxUnavailable:',
  ],
  ['DisaggregatedSet', '/spec/roles/0/name', 'Prefill', '[shop/it] [lws/invalid-roles] spec.roles[0].name:'],
  [
    'ApplicationSet',
    '/spec/strategy/rollingSync/steps/0/matchExpressions/0/operator',
    'Within',
    '[shop/it] [argo-cd/invalid-operator] spec.strategy.rollingSync.steps[0].matchExpressions[0].operator:',
  ],
  ['Bundle', '/spec/rolloutStrategy/maxUnavailable', 0, '[shop/it] [fleet/zero-max-unavailable] spec.rolloutStrategy.maxUnavailable:'],
  [
    'RayService',
    '/spec/upgradeStrategy/clusterUpgradeOptions/stepSizePercent',
    0,
    '[shop/it] [kuberay/zero-step] spec.upgradeStrategy.clusterUpgradeOptions.stepSizePercent:',
  ],
  ['RayService of a stage', '/spec/serveConfigV2', 'applications: [', '[shop/it] [kuberay/serve-config-conflict] spec.serveConfigV2:'],
  [
    "an operator's resource",
    '/spec/strategy/rolling_update/max_surge',
    'a',
    '[shop/it] [kubernetes/invalid-strategy] spec.strategy.rolling_update.max_surge:',
  ],
  ["KServe's ConfigMap", '/data/deploy', '{', '[shop/it] [kserve/invalid-config] data[deploy]:'],
])('a patch that breaks %s fails the synth', (kind, path, value, said) => {
  expect(refusedAfter(MADE[kind]!)).toEqual(['nothing: the chart was synthesized']);
  expect(refusedAfter(MADE[kind]!, JsonPatch.add(path, value))).toEqual(['Validation failed with the following errors:', said]);
});

test.each(Object.keys(MADE))('a patch that breaks nothing of %s is written', (kind) => {
  expect(refusedAfter(MADE[kind]!, JsonPatch.add('/metadata/labels', { tier: 'gold' }))).toEqual(['nothing: the chart was synthesized']);
});

test('an object that a patch makes invalid by removal is refused', () => {
  expect(refusedAfter(MADE.InferenceService!, JsonPatch.replace('/spec', 'none'))).toEqual([
    'Validation failed with the following errors:',
    '[shop/it] [input/wrong-type] spec:',
  ]);
});

test('a patch between two synths is found by the second', () => {
  const app = new App();
  const iris = MADE.InferenceService!(new Chart(app, 'shop'));
  expect(app.synthYaml()).toContain('kind: InferenceService');
  iris.addJsonPatch(JsonPatch.replace('/spec/predictor/minReplicas', 'four'));
  expect(() => app.synthYaml()).toThrow('[shop/it] [input/wrong-type] spec.predictor.minReplicas:');
});

test('errors of the props are reported once, whatever was patched', () => {
  const app = new App();
  // @ts-expect-error a number in quotes
  const props: ConstructorParameters<typeof LeaderWorkerSetRollout>[2] = { replicas: '2', size: 2, leaderWorkerTemplate: workers };
  new LeaderWorkerSetRollout(new Chart(app, 'shop'), 'it', props).apiObject.addJsonPatch(
    JsonPatch.add('/metadata/labels', { tier: 'gold' }),
  );
  expect(() => app.synthYaml()).toThrow(/^Validation failed with the following errors:\n {2}\[shop\/it\] [^\n]*replicas[^\n]*$/);
});

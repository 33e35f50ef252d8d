import { planChange } from '../../src/headless';
import type { Fields, Manifest } from '../../src/core/manifest/manifest';
import { renderPlanText } from '../../src/render/text/plan';
import { expectValidPlan } from '../plan-schema';

function changeOf(old: readonly Manifest[], next: Manifest) {
  return expectValidPlan(planChange(old, [next]));
}

function owner(apiVersion: string, kind: string, name: string) {
  return [{ apiVersion, kind, name, uid: name, controller: true }];
}

function findingsFor({ rollouts }: ReturnType<typeof changeOf>) {
  return rollouts[0]!.findings.filter(({ code }) => code === 'change/assumes-steady-state').map(({ severity, data }) => [severity, data]);
}

describe('an Argo Rollout', () => {
  const rollout = (image: string): Manifest => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Rollout',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      replicas: 4,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image }] } },
      strategy: { canary: { steps: [{ setWeight: 25 }, { pause: {} }] } },
    },
  });
  const live = (status: Fields): Manifest => ({
    ...rollout('web:2'),
    metadata: { name: 'web', namespace: 'shop', uid: 'web', resourceVersion: '8' },
    status,
  });
  const set = (hash: string, replicas: number, availableReplicas: number): Manifest => ({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `web-${hash}`,
      namespace: 'shop',
      uid: hash,
      labels: { 'rollouts-pod-template-hash': hash },
      ownerReferences: owner('argoproj.io/v1alpha1', 'Rollout', 'web'),
    },
    spec: { replicas },
    status: { availableReplicas },
  });

  test('during a canary reports its state, and that its rows start from a steady state', () => {
    const old = [live({ stableRS: 'a', currentPodHash: 'b', phase: 'Paused' }), set('b', 1, 1), set('a', 4, 4), set('old', 0, 0)];
    const plan = changeOf(old, rollout('web:3'));
    expect(plan.rollouts[0]!.initialState).toEqual({
      replicas: 4,
      revisions: [
        { revision: 'a', replicas: 4, available: 4 },
        { revision: 'b', replicas: 1, available: 1 },
      ],
      underWay: true,
      health: 'paused',
    });
    expect(findingsFor(plan)).toEqual([['warning', { kind: 'Rollout' }]]);
    expect(renderPlanText(plan)).toContain('Rollout shop/web: the last rollout has not finished: 1 of 4 updated, paused');
  });

  test('without ReplicaSets in the input has the state in its status', () => {
    const status = { stableRS: 'a', currentPodHash: 'b', replicas: 5, updatedReplicas: 1, availableReplicas: 4 };
    expect(changeOf([live(status)], rollout('web:3')).rollouts[0]!.initialState).toEqual({
      replicas: 4,
      revisions: [
        { replicas: 4, available: 4 },
        { replicas: 1, available: 0 },
      ],
      underWay: true,
    });
  });

  test('whose current version is the stable one starts from a steady state', () => {
    const plan = changeOf([live({ stableRS: 'b', currentPodHash: 'b' }), set('b', 4, 4)], rollout('web:3'));
    expect(plan.rollouts[0]!.initialState).toEqual({
      replicas: 4,
      revisions: [{ revision: 'b', replicas: 4, available: 4 }],
      underWay: false,
    });
    expect(findingsFor(plan)).toEqual([]);
  });
});

describe('the child workload that KServe creates for a live service', () => {
  const service = (image: string, metadata: Fields = {}): Manifest => ({
    apiVersion: 'serving.kserve.io/v1beta1',
    kind: 'InferenceService',
    metadata: { name: 'iris', namespace: 'models', annotations: { 'serving.kserve.io/deploymentMode': 'Standard' }, ...metadata },
    spec: { predictor: { minReplicas: 4, containers: [{ name: 'kserve-container', image }] } },
  });
  const deployment = (name: string, replicas: number, updatedReplicas: number): Manifest => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'models', ownerReferences: owner('serving.kserve.io/v1beta1', 'InferenceService', 'iris') },
    spec: { replicas: 4 },
    status: { replicas, updatedReplicas },
  });
  const live = service('iris:2', { uid: 'iris', resourceVersion: '8' });

  test.each<[string, Manifest, boolean]>([
    ['with two running versions', deployment('iris-predictor', 5, 1), true],
    ['that lacks pods', deployment('iris-predictor', 3, 3), true],
    ['in a steady state', deployment('iris-predictor', 4, 4), false],
    ['of another component', deployment('iris-transformer', 5, 1), false],
  ])('a Deployment %s', (_what, made, isUnderWay) => {
    const expected = isUnderWay ? [['warning', { kind: 'InferenceService' }]] : [];
    expect(findingsFor(changeOf([live, made], service('iris:3')))).toEqual(expected);
    expect(findingsFor(changeOf([live, made], service('iris:1')))).toEqual(expected);
  });

  test('a LeaderWorkerSet of an LLMInferenceService', () => {
    const llm = (image: string, metadata: Fields = {}): Manifest => ({
      apiVersion: 'serving.kserve.io/v1alpha2',
      kind: 'LLMInferenceService',
      metadata: { name: 'chat', namespace: 'models', ...metadata },
      spec: {
        model: { uri: 'hf://Qwen/Qwen3-8B' },
        replicas: 2,
        parallelism: { pipeline: 2 },
        template: { containers: [{ name: 'main', image }] },
        worker: { containers: [{ name: 'main', image }] },
      },
    });
    const groups = (status: string): Manifest => ({
      apiVersion: 'leaderworkerset.x-k8s.io/v1',
      kind: 'LeaderWorkerSet',
      metadata: {
        name: 'chat-kserve-mn',
        namespace: 'models',
        ownerReferences: owner('serving.kserve.io/v1alpha2', 'LLMInferenceService', 'chat'),
      },
      spec: { replicas: 2 },
      status: { conditions: [{ type: 'UpdateInProgress', status }] },
    });
    const old = llm('vllm:2', { uid: 'chat', resourceVersion: '8' });
    const versions = { kserve: '0.20' };
    const findingsWith = (status: string) => findingsFor(expectValidPlan(planChange([old, groups(status)], [llm('vllm:3')], { versions })));
    expect(findingsWith('True')).toEqual([['warning', { kind: 'LLMInferenceService' }]]);
    expect(findingsWith('False')).toEqual([]);
  });
});

import { planChange } from '../../src/headless';
import type { Fields, Manifest } from '../../src/core/manifest';
import { renderPlanText } from '../../src/render/text';
import { expectValidPlan } from '../plan-schema';

function changeOf(old: readonly Manifest[], next: Manifest) {
  return expectValidPlan(planChange(old, [next]));
}

function owner(apiVersion: string, kind: string, name: string) {
  return [{ apiVersion, kind, name, uid: name, controller: true }];
}

function told({ rollouts }: ReturnType<typeof changeOf>) {
  return rollouts[0]!.findings.filter(({ code }) => code === 'change/rows-from-rest').map(({ severity, data }) => [severity, data]);
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

  test('in the middle of a canary says where it stands, and that its rows begin at rest', () => {
    const old = [live({ stableRS: 'a', currentPodHash: 'b', phase: 'Paused' }), set('b', 1, 1), set('a', 4, 4), set('old', 0, 0)];
    const plan = changeOf(old, rollout('web:3'));
    expect(plan.rollouts[0]!.start).toEqual({
      replicas: 4,
      revisions: [
        { revision: 'a', replicas: 4, available: 4 },
        { revision: 'b', replicas: 1, available: 1 },
      ],
      underWay: true,
      health: 'paused',
    });
    expect(told(plan)).toEqual([['warning', { kind: 'Rollout' }]]);
    expect(renderPlanText(plan)).toContain('Rollout shop/web: the last rollout has not finished: 1 of 4 updated, paused');
  });

  test('whose ReplicaSets are not in view stands as its status says', () => {
    const status = { stableRS: 'a', currentPodHash: 'b', replicas: 5, updatedReplicas: 1, availableReplicas: 4 };
    expect(changeOf([live(status)], rollout('web:3')).rollouts[0]!.start).toEqual({
      replicas: 4,
      revisions: [
        { replicas: 4, available: 4 },
        { replicas: 1, available: 0 },
      ],
      underWay: true,
    });
  });

  test('whose last version is the stable one begins at rest indeed', () => {
    const plan = changeOf([live({ stableRS: 'b', currentPodHash: 'b' }), set('b', 4, 4)], rollout('web:3'));
    expect(plan.rollouts[0]!.start).toEqual({ replicas: 4, revisions: [{ revision: 'b', replicas: 4, available: 4 }], underWay: false });
    expect(told(plan)).toEqual([]);
  });
});

describe('a DisaggregatedSet', () => {
  const disaggregated = (image: string, metadata: Fields = {}): Manifest => ({
    apiVersion: 'disaggregatedset.x-k8s.io/v1',
    kind: 'DisaggregatedSet',
    metadata: { name: 'chat', namespace: 'models', ...metadata },
    spec: {
      roles: ['prefill', 'decode'].map((name) => ({
        name,
        spec: { replicas: 2, leaderWorkerTemplate: { workerTemplate: { spec: { containers: [{ name: 'vllm', image }] } } } },
      })),
    },
  });
  const groups = (revision: string, role: string, replicas: number): Manifest => ({
    apiVersion: 'leaderworkerset.x-k8s.io/v1',
    kind: 'LeaderWorkerSet',
    metadata: {
      name: `chat-${revision}-${role}`,
      namespace: 'models',
      labels: { 'disaggregatedset.x-k8s.io/revision': revision },
      ownerReferences: owner('disaggregatedset.x-k8s.io/v1', 'DisaggregatedSet', 'chat'),
    },
    spec: { replicas },
    status: { readyReplicas: replicas },
  });
  const old = (...sets: Manifest[]) => [disaggregated('vllm:2', { uid: 'chat', resourceVersion: '8' }), ...sets];

  test('that runs groups of two versions says so, and that its rows begin at rest', () => {
    const sets = [groups('a', 'prefill', 1), groups('a', 'decode', 1), groups('b', 'prefill', 2), groups('b', 'decode', 1)];
    const plan = changeOf(old(...sets), disaggregated('vllm:3'));
    expect(plan.rollouts[0]!.start).toEqual({
      replicas: 4,
      revisions: [
        { revision: 'a', replicas: 2, available: 2 },
        { revision: 'b', replicas: 3, available: 3 },
      ],
      underWay: true,
      health: 'progressing',
    });
    expect(told(plan)).toEqual([['warning', { kind: 'DisaggregatedSet' }]]);
  });

  test('of one version begins at rest indeed', () => {
    const sets = [groups('a', 'prefill', 0), groups('b', 'prefill', 2), groups('b', 'decode', 2)];
    expect(told(changeOf(old(...sets), disaggregated('vllm:3')))).toEqual([]);
  });
});

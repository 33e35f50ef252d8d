import { planManifests } from '../../../src/plan';
import { deployment, lines } from './plan';

function object(apiVersion: string, kind: string, spec: unknown) {
  return { apiVersion, kind, metadata: { name: 'other' }, spec };
}

function budget(spec: unknown) {
  return object('policy/v1', 'PodDisruptionBudget', spec);
}

function autoscaler(spec: unknown) {
  return object('autoscaling/v2', 'HorizontalPodAutoscaler', spec);
}

describe('objects that a rollout is planned among are findings of the plan where the API server refuses them', () => {
  test.each([
    ['a budget in quotes', budget({ minAvailable: '1' }), 'error kubernetes/quoted-integer spec.minAvailable'],
    ['a budget above 100 %', budget({ maxUnavailable: '150%' }), 'error kubernetes/invalid-strategy spec.maxUnavailable'],
    ['a selector that is a list', budget({ selector: [] }), 'error input/wrong-type spec.selector'],
    ['minReplicas in quotes', autoscaler({ minReplicas: '2' }), 'error kubernetes/quoted-integer spec.minReplicas'],
    [
      'a negative maximum',
      object('keda.sh/v1alpha1', 'ScaledObject', { maxReplicaCount: -1 }),
      'error kubernetes/invalid-strategy spec.maxReplicaCount',
    ],
    ['hard limits that are a list', object('v1', 'ResourceQuota', { hard: [] }), 'error input/wrong-type spec.hard'],
    [
      'access modes that are text',
      object('v1', 'PersistentVolumeClaim', { accessModes: 'ReadWriteOnce' }),
      'error input/wrong-type spec.accessModes',
    ],
  ])('%s', (_what, context, line) => {
    const { findings, rollouts } = planManifests([deployment({ replicas: 2 }), context]);
    expect(lines(findings)).toEqual([line]);
    expect(rollouts).toHaveLength(1);
  });

  test.each([
    ['a budget', budget({ minAvailable: '50%', selector: { matchLabels: { app: 'web' } } })],
    ['an autoscaler', autoscaler({ minReplicas: 1, maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'web' } })],
    ['a quota', object('v1', 'ResourceQuota', { hard: { pods: '4' } })],
    ['a claim', object('v1', 'PersistentVolumeClaim', { accessModes: ['ReadWriteOnce'] })],
    ['no spec at all', budget(undefined)],
  ])('%s that is right is silent', (_what, context) => {
    expect(planManifests([context]).findings).toEqual([]);
  });

  test('no rubbish in them keeps a rollout from being planned', () => {
    const rubbish = [
      null,
      1,
      'text',
      [],
      { selector: 'all', hard: 'much', scaleTargetRef: [], accessModes: {}, minAvailable: {}, scopes: {} },
    ];
    const kinds: [string, string][] = [
      ['policy/v1', 'PodDisruptionBudget'],
      ['autoscaling/v2', 'HorizontalPodAutoscaler'],
      ['keda.sh/v1alpha1', 'ScaledObject'],
      ['v1', 'ResourceQuota'],
      ['v1', 'PersistentVolumeClaim'],
    ];
    const objects = kinds.flatMap(([apiVersion, kind]) => rubbish.map((spec) => object(apiVersion, kind, spec)));
    const plan = planManifests([
      deployment({ replicas: 2, template: { metadata: { labels: 'all' }, spec: null } }),
      deployment({ replicas: 3 }, { name: 'api' }),
      ...objects,
    ]);
    expect(plan.rollouts[1]!.simulation).toMatchObject({ replicas: 3 });
  });
});

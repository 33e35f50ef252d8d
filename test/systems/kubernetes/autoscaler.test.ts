import { expectValidPlan } from '../../plan-schema';
import { planManifests } from '../../../src/plan';
import { deployment, findingsOf, rolloutOf, statefulSet } from './plan';

function hpa(spec: object) {
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'scaler' },
    spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, ...spec },
  };
}

function keda(spec: object, namespace?: string) {
  return {
    apiVersion: 'keda.sh/v1alpha1',
    kind: 'ScaledObject',
    metadata: { name: 'queue', ...(namespace && { namespace }) },
    spec: { scaleTargetRef: { name: 'web' }, ...spec },
  };
}

function autoscaled(...objects: object[]) {
  return expectValidPlan(planManifests(objects)).rollouts[0]!.autoscaled;
}

describe('a rollout is simulated at both ends of what its autoscaler may choose', () => {
  test('of a HorizontalPodAutoscaler', () => {
    const quarter = { rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } };
    expect(autoscaled(deployment({ strategy: quarter }), hpa({ minReplicas: 2, maxReplicas: 10 }))).toMatchObject({
      by: 'HorizontalPodAutoscaler "scaler"',
      minimum: { replicas: 2, surge: 1, unavailable: 0, peakPods: 3, iterations: 2 },
      maximum: { replicas: 10, surge: 3, unavailable: 2, peakPods: 13, iterations: 2 },
    });
  });

  test('of a KEDA ScaledObject, which may go down to 0 and up to 100 unless it says otherwise', () => {
    expect(autoscaled(deployment({}), keda({}))).toMatchObject({
      by: 'ScaledObject "queue"',
      minimum: { replicas: 0, waves: [] },
      maximum: { replicas: 100 },
    });
    expect(
      autoscaled(statefulSet({}), keda({ scaleTargetRef: { kind: 'StatefulSet', name: 'db' }, minReplicaCount: 2, maxReplicaCount: 5 })),
    ).toMatchObject({
      minimum: { kind: 'statefulset', replicas: 2 },
      maximum: { kind: 'statefulset', replicas: 5 },
    });
  });

  test('nothing without one, for another target, and for a paused Deployment', () => {
    expect(autoscaled(deployment({}))).toBeUndefined();
    expect(autoscaled(deployment({}), keda({ scaleTargetRef: { name: 'api' } }))).toBeUndefined();
    expect(
      autoscaled(deployment({}), keda({ scaleTargetRef: { apiVersion: 'argoproj.io/v1alpha1', kind: 'Deployment', name: 'web' } })),
    ).toBeUndefined();
    expect(autoscaled(deployment({}), keda({}, 'shop'))).toBeUndefined();
    expect(autoscaled(deployment({ paused: true }), keda({}))).toBeUndefined();
  });
});

describe('a KEDA ScaledObject owns the replicas as a HorizontalPodAutoscaler does', () => {
  test('kubernetes/hpa-owns-replicas', () => {
    expect(findingsOf([deployment({ replicas: 3 }), keda({})], 'kubernetes/hpa-owns-replicas')).toMatchObject([
      { message: 'replicas is 3, but the ScaledObject "queue" sets it too: every apply puts 3 back, whatever the load.' },
    ]);
    expect(findingsOf([deployment({}), keda({})], 'kubernetes/hpa-owns-replicas')).toEqual([]);
  });

  test('replicas left out are its minReplicaCount, or the 1 that a Deployment starts with', () => {
    expect(rolloutOf([deployment({}), keda({ minReplicaCount: 4 })]).simulation).toMatchObject({ replicas: 4 });
    expect(rolloutOf([deployment({}), keda({ minReplicaCount: 0 })]).simulation).toMatchObject({ replicas: 1 });
  });

  test('of two on one workload the HorizontalPodAutoscaler counts', () => {
    expect(autoscaled(deployment({}), keda({}), hpa({ minReplicas: 2, maxReplicas: 3 }))).toMatchObject({
      by: 'HorizontalPodAutoscaler "scaler"',
    });
  });

  test('a maximum below the minimum counts as the minimum', () => {
    expect(autoscaled(deployment({}), hpa({ minReplicas: 5, maxReplicas: 3 }))).toMatchObject({
      minimum: { replicas: 5 },
      maximum: { replicas: 5 },
    });
  });
});

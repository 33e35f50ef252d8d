import { expectValidPlan } from '../plan-schema';
import { planManifests } from '../../src/headless';
import { deployment, statefulSet } from '../builders/workload';
import { findingsOf, rolloutOf } from '../workloads/plan';
import { autoscaler } from '../builders/autoscaler';

function keda(spec: object, namespace?: string, annotations: Record<string, string> = {}) {
  return {
    apiVersion: 'keda.sh/v1alpha1',
    kind: 'ScaledObject',
    metadata: { name: 'queue', annotations, ...(namespace && { namespace }) },
    spec: { scaleTargetRef: { name: 'web' }, ...spec },
  };
}

function autoscaled(...objects: object[]) {
  return expectValidPlan(planManifests(objects)).rollouts[0]!.autoscaled;
}

describe('a rollout is simulated at both ends of the range of its autoscaler', () => {
  test('for a HorizontalPodAutoscaler', () => {
    const quarter = { rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } };
    expect(autoscaled(deployment({ strategy: quarter }), autoscaler({ minReplicas: 2, maxReplicas: 10 }))).toMatchObject({
      by: 'HorizontalPodAutoscaler "web"',
      minimum: { replicas: 2, surge: 1, unavailable: 0, peakPods: 3, iterations: 2 },
      maximum: { replicas: 10, surge: 3, unavailable: 2, peakPods: 13, iterations: 2 },
    });
  });

  test('for a KEDA ScaledObject, which scales from 0 to 100 by default', () => {
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

  test('but not without one, for another target, or for a paused Deployment', () => {
    expect(autoscaled(deployment({}))).toBeUndefined();
    expect(autoscaled(deployment({}), keda({ scaleTargetRef: { name: 'api' } }))).toBeUndefined();
    expect(
      autoscaled(deployment({}), keda({ scaleTargetRef: { apiVersion: 'argoproj.io/v1alpha1', kind: 'Deployment', name: 'web' } })),
    ).toBeUndefined();
    expect(autoscaled(deployment({}), keda({}, 'shop'))).toBeUndefined();
    expect(autoscaled(deployment({ paused: true }), keda({}))).toBeUndefined();
  });
});

describe('an autoscaler finds its target as its controller does', () => {
  const BOUNDS = { minReplicas: 2, maxReplicas: 4, minReplicaCount: 2, maxReplicaCount: 4 };

  test.each<[string, { apiVersion?: string; kind?: string }, boolean, boolean]>([
    ['apps/v1', { apiVersion: 'apps/v1', kind: 'Deployment' }, true, true],
    ['another version of the group', { apiVersion: 'apps/v1beta2', kind: 'Deployment' }, true, true],
    ['no apiVersion, which means the core group for an HPA and apps/v1 for KEDA', { kind: 'Deployment' }, false, true],
    ['neither apiVersion nor kind', {}, false, true],
    ['no kind', { apiVersion: 'apps/v1' }, false, true],
    ['the core group', { apiVersion: 'v1', kind: 'Deployment' }, false, false],
    ['a group that no longer has Deployments', { apiVersion: 'extensions/v1beta1', kind: 'Deployment' }, false, false],
    ['a kind of the same name in another group', { apiVersion: 'apps.example.com/v1', kind: 'Deployment' }, false, false],
    ['another kind of the group', { apiVersion: 'apps/v1', kind: 'StatefulSet' }, false, false],
  ])('%s', (_what, target, byHpa, byKeda) => {
    const scaleTargetRef = { name: 'web', ...target };
    expect(autoscaled(deployment({}), autoscaler({ ...BOUNDS, scaleTargetRef })) !== undefined).toBe(byHpa);
    expect(autoscaled(deployment({}), keda({ ...BOUNDS, scaleTargetRef })) !== undefined).toBe(byKeda);
  });
});

describe('a paused ScaledObject', () => {
  function paused(annotations: Record<string, string>) {
    return keda({ minReplicaCount: 2, maxReplicaCount: 9 }, undefined, annotations);
  }
  const AT_4 = { 'autoscaling.keda.sh/paused-replicas': '4' };

  test('keeps the replicas at its paused number', () => {
    const { autoscaled: range, simulation } = rolloutOf([deployment({}), paused(AT_4)]);
    expect(simulation).toMatchObject({ replicas: 4 });
    expect(range).toMatchObject({ by: 'ScaledObject "queue"', minimum: { replicas: 4 }, maximum: { replicas: 4 } });
    expect(findingsOf([deployment({ replicas: 3 }), paused(AT_4)], 'kubernetes/hpa-owns-replicas')).toHaveLength(1);
    const both = paused({ ...AT_4, 'autoscaling.keda.sh/paused': 'true' });
    expect(rolloutOf([deployment({}), both]).simulation).toMatchObject({ replicas: 4 });
  });

  test('leaves the replicas as they are if the number is not valid for a workload, as KEDA does since 2.18', () => {
    for (const number of ['four', '-1', '99999999999']) {
      const annotations = { 'autoscaling.keda.sh/paused-replicas': number };
      expect(autoscaled(deployment({}), paused(annotations))).toBeUndefined();
    }
  });

  test.each([
    ['true', false],
    ['yes', false],
    ['false', true],
    ['0', true],
  ])('with paused: "%s" scales: %s', (value, moves) => {
    const objects = [deployment({ replicas: 3 }), paused({ 'autoscaling.keda.sh/paused': value })];
    expect(autoscaled(...objects) !== undefined).toBe(moves);
    expect(findingsOf(objects, 'kubernetes/hpa-owns-replicas')).toHaveLength(moves ? 1 : 0);
  });

  test('has no equivalent in a HorizontalPodAutoscaler, which ignores the annotation', () => {
    const annotated = { ...autoscaler({ minReplicas: 2, maxReplicas: 3 }), metadata: { name: 'web', annotations: AT_4 } };
    expect(autoscaled(deployment({}), annotated)).toMatchObject({ minimum: { replicas: 2 } });
  });
});

describe('a KEDA ScaledObject owns the replicas as a HorizontalPodAutoscaler does', () => {
  test('kubernetes/hpa-owns-replicas', () => {
    expect(findingsOf([deployment({ replicas: 3 }), keda({})], 'kubernetes/hpa-owns-replicas')).toMatchObject([
      { messageId: 'applied', data: { replicas: 3, autoscaler: 'ScaledObject "queue"' } },
    ]);
    expect(findingsOf([deployment({}), keda({})], 'kubernetes/hpa-owns-replicas')).toEqual([]);
  });

  test('unset replicas are its minReplicaCount, or 1, with which a Deployment starts', () => {
    expect(rolloutOf([deployment({}), keda({ minReplicaCount: 4 })]).simulation).toMatchObject({ replicas: 4 });
    expect(rolloutOf([deployment({}), keda({ minReplicaCount: 0 })]).simulation).toMatchObject({ replicas: 1 });
  });

  test('if both target one workload, the HorizontalPodAutoscaler counts', () => {
    expect(autoscaled(deployment({}), keda({}), autoscaler({ minReplicas: 2, maxReplicas: 3 }))).toMatchObject({
      by: 'HorizontalPodAutoscaler "web"',
    });
  });

  test('a maximum below the minimum counts as the minimum', () => {
    expect(autoscaled(deployment({}), autoscaler({ minReplicas: 5, maxReplicas: 3 }))).toMatchObject({
      minimum: { replicas: 5 },
      maximum: { replicas: 5 },
    });
  });
});

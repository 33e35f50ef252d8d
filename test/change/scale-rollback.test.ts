import { planChange } from '../../src/headless';
import type { Manifest } from '../../src/core/manifest';
import { expectValidPlan } from '../plan-schema';
import { sound } from '../sound-workload';
import { leaderWorkerSet } from '../systems/leaderworkerset/plan';

function workload(kind: string, replicas: number, { image = 'web:1', spec = {} }: { image?: string; spec?: object } = {}) {
  return sound({
    apiVersion: 'apps/v1',
    kind,
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      replicas,
      ...(kind === 'StatefulSet' && { serviceName: 'web' }),
      template: { spec: { containers: [{ name: 'web', image }] } },
      ...spec,
    },
  });
}

const CLAIMS = {
  volumeClaimTemplates: [
    { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOncePod'], resources: { requests: { storage: '1Gi' } } } },
  ],
};
const DELETE = { ...CLAIMS, persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete' } };

function rollbackOf(old: readonly object[], next: readonly object[]) {
  return expectValidPlan(planChange(old, next)).rollouts[0]!.rollback;
}

const RESTORED = 'the old number of pods is restored, and nothing is replaced; the next apply of NEW scales again';

describe('the rollback of a scale', () => {
  test.each([
    [4, 8],
    [8, 4],
    [4, 0],
    [0, 4],
  ])('of a Deployment from %i to %i restores the old number', (before, after) => {
    expect(rollbackOf([workload('Deployment', before)], [workload('Deployment', after)])).toEqual({
      works: true,
      message: RESTORED,
      command: `kubectl scale deployment/web --replicas=${before} -n shop`,
    });
  });

  test('of a StatefulSet that keeps its claims lets the pods reuse them', () => {
    expect(rollbackOf([workload('StatefulSet', 5, { spec: CLAIMS })], [workload('StatefulSet', 3, { spec: CLAIMS })])).toEqual({
      works: true,
      message: `${RESTORED}; the pods reuse their claims`,
      command: 'kubectl scale statefulset/web --replicas=5 -n shop',
    });
  });

  test('of a StatefulSet that deletes its claims does not restore the data', () => {
    expect(rollbackOf([workload('StatefulSet', 5, { spec: CLAIMS })], [workload('StatefulSet', 3, { spec: DELETE })])).toEqual({
      works: false,
      message: `${RESTORED}; whenScaled is Delete, so the claims of the removed pods are deleted, and the pods return with empty ones`,
      command: 'kubectl scale statefulset/web --replicas=5 -n shop',
    });
  });

  test('by an autoscaler restores its old bounds, within which it decides', () => {
    const autoscaler = (minReplicas: number) => ({
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, minReplicas, maxReplicas: 9 },
    });
    const web = workload('Deployment', 4);
    expect(rollbackOf([web, autoscaler(2)], [web, autoscaler(6)])).toEqual({
      works: true,
      message:
        'HorizontalPodAutoscaler "web" sets the number of pods: apply OLD again to restore its bounds, within which its metrics decide',
    });
  });

  test('with another template restores the template, then the number', () => {
    expect(rollbackOf([workload('Deployment', 4)], [workload('Deployment', 8, { image: 'web:2' })])).toMatchObject({
      works: true,
      command: 'kubectl rollout undo deployment/web -n shop && kubectl scale deployment/web --replicas=4 -n shop',
    });
  });

  test('of groups scales them back', () => {
    const name = (object: Manifest) => (object.metadata as { name: string }).name;
    const old = leaderWorkerSet();
    expect(rollbackOf([old], [leaderWorkerSet({ replicas: 3 })])).toMatchObject({
      works: true,
      command: expect.stringMatching(new RegExp(`^kubectl scale leaderworkerset/${name(old)} --replicas=2( -n .*)?$`)) as string,
    });
  });

  test('is not reported for an object that keeps its number', () => {
    expect(rollbackOf([workload('Deployment', 4)], [workload('Deployment', 4, { spec: { minReadySeconds: 5 } })])).toBeUndefined();
  });
});

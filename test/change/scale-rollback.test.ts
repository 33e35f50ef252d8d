import { planChange } from '../../src/headless';
import type { Manifest } from '../../src/core/manifest/manifest';
import { expectValidPlan } from '../plan-schema';
import { leaderWorkerSet } from '../systems/leaderworkerset/plan';
import { autoscaler } from '../builders/autoscaler';
import { podTemplate, workload } from '../builders/workload';

function workloadOf(kind: string, replicas: number, { image = 'web:1', spec = {} }: { image?: string; spec?: object } = {}) {
  const service = kind === 'StatefulSet' ? { serviceName: 'web' } : {};
  return workload(kind, { replicas, ...service, template: podTemplate({ image }), ...spec }, { name: 'web', namespace: 'shop' });
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
    expect(rollbackOf([workloadOf('Deployment', before)], [workloadOf('Deployment', after)])).toEqual({
      works: true,
      message: RESTORED,
      command: `kubectl scale deployment/web --replicas=${before} -n shop`,
    });
  });

  test('of a StatefulSet that keeps its claims lets the pods reuse them', () => {
    expect(rollbackOf([workloadOf('StatefulSet', 5, { spec: CLAIMS })], [workloadOf('StatefulSet', 3, { spec: CLAIMS })])).toEqual({
      works: true,
      message: `${RESTORED}; the pods reuse their claims`,
      command: 'kubectl scale statefulset/web --replicas=5 -n shop',
    });
  });

  test('of a StatefulSet that deletes its claims does not restore the data', () => {
    expect(rollbackOf([workloadOf('StatefulSet', 5, { spec: CLAIMS })], [workloadOf('StatefulSet', 3, { spec: DELETE })])).toEqual({
      works: false,
      message: `${RESTORED}; whenScaled is Delete, so the claims of the removed pods are deleted, and the pods return with empty ones`,
      command: 'kubectl scale statefulset/web --replicas=5 -n shop',
    });
  });

  test('by an autoscaler restores its old bounds, within which it decides', () => {
    const hpa = (minReplicas: number) => autoscaler({ minReplicas, maxReplicas: 9 }, { namespace: 'shop' });
    const web = workloadOf('Deployment', 4);
    expect(rollbackOf([web, hpa(2)], [web, hpa(6)])).toEqual({
      works: true,
      message:
        'HorizontalPodAutoscaler "web" sets the number of pods: apply OLD again to restore its bounds, within which its metrics decide',
    });
  });

  test('with another template restores the template, then the number', () => {
    expect(rollbackOf([workloadOf('Deployment', 4)], [workloadOf('Deployment', 8, { image: 'web:2' })])).toMatchObject({
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
    expect(rollbackOf([workloadOf('Deployment', 4)], [workloadOf('Deployment', 4, { spec: { minReadySeconds: 5 } })])).toBeUndefined();
  });
});

import { planChange, planManifests } from '../../src/headless';
import { expectValidPlan } from '../plan-schema';
import { sound } from '../sound-workload';

function web({ image = 'web:1', replicas = 4, cpu = '2' }: { image?: string; replicas?: number; cpu?: string } = {}) {
  return sound({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { replicas, template: { spec: { containers: [{ name: 'web', image, resources: { limits: { cpu } } }] } } },
  });
}

function limitRange(max: string) {
  return {
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: { name: 'defaults', namespace: 'shop' },
    spec: { limits: [{ type: 'Container', max: { cpu: max } }] },
  };
}

const MESSAGE = 'maximum cpu usage per Container is 1, but limit is 2';
const REJECTION = {
  kind: 'limit-range',
  limitRange: 'defaults',
  words: MESSAGE,
  containers: ['web'],
  field: ['containers', 0, 'resources'],
};

function change(old: readonly object[], next: readonly object[]) {
  const { change: plan, rollouts, findings } = expectValidPlan(planChange(old, next));
  return {
    effects: plan.objects.map(({ effect }) => effect),
    replaced: plan.summary.podsReplaced,
    findings: [...rollouts.flatMap((rollout) => rollout.findings), ...findings]
      .filter(({ code }) => code === 'kubernetes/insufficient-capacity')
      .map(({ messageId, severity, path, data }) => ({ messageId, severity, path, data })),
  };
}

describe('a LimitRange that an apply changes', () => {
  test('affects no running pod, and is reported if it refuses new pods like them', () => {
    expect(change([web(), limitRange('4')], [web(), limitRange('1')])).toEqual({
      effects: ['none', 'settings'],
      replaced: 0,
      findings: [
        {
          messageId: 'narrowed',
          severity: 'warning',
          path: 'spec.limits',
          data: { limitRange: 'LimitRange "defaults"', object: { names: ['Deployment shop/web'] }, reason: MESSAGE },
        },
      ],
    });
  });

  test('is also reported if it is new', () => {
    expect(change([web()], [web(), limitRange('1')]).findings).toMatchObject([{ messageId: 'narrowed' }]);
  });

  test.each<[string, object[], object[]]>([
    ['unchanged', [web(), limitRange('1')], [web(), limitRange('1')]],
    ['with sufficient limits', [web(), limitRange('4')], [web(), limitRange('2')]],
    ['without pods', [web({ replicas: 0 }), limitRange('4')], [web({ replicas: 0 }), limitRange('1')]],
    ['with pods changed to fit', [web(), limitRange('4')], [web({ cpu: '1' }), limitRange('1')]],
  ])('is not reported: %s', (_what, old, next) => {
    expect(change(old, next).findings).toEqual([]);
  });

  test('stops a rollout of the same apply at its first new pods, with one old pod down', () => {
    expect(change([web(), limitRange('4')], [web({ image: 'web:2' }), limitRange('1')])).toEqual({
      effects: ['roll', 'settings'],
      replaced: 1,
      findings: [
        {
          messageId: 'rejected',
          severity: 'error',
          path: 'spec.template.spec.containers[0].resources',
          data: { rejection: REJECTION, unit: 'wave', deadlockWave: 1 },
        },
      ],
    });
  });

  test('blocks pods that the same apply adds', () => {
    expect(change([web(), limitRange('4')], [web({ replicas: 6 }), limitRange('1')]).findings).toMatchObject([
      { messageId: 'addedRejected', data: { pods: 6, running: 4, rejection: REJECTION } },
      { messageId: 'narrowed' },
    ]);
  });
});

test('a LimitRange also refuses the pods of a plan without an apply', () => {
  const { rollouts } = expectValidPlan(planManifests([web(), limitRange('1')]));
  expect(rollouts[0]!.capacity?.verdict).toBe('deadlocks');
  expect(rollouts[0]!.findings.map(({ code, messageId }) => `${code} ${messageId}`)).toContain('kubernetes/insufficient-capacity rejected');
});

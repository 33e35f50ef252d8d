import { planChange, planManifests } from '../../src/headless';
import { expectValidPlan } from '../plan-schema';
import { limitRange } from '../builders/quota';
import { deployment, podTemplate } from '../builders/workload';

function web({ image = 'web:1', replicas = 4, cpu = '2' }: { image?: string; replicas?: number; cpu?: string } = {}) {
  const template = podTemplate({ name: 'web', image, resources: { limits: { cpu } } });
  return deployment({ replicas, template }, { name: 'web', namespace: 'shop' });
}

function maxCpu(cpu: string) {
  return limitRange([{ type: 'Container', max: { cpu } }], { namespace: 'shop' });
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
    expect(change([web(), maxCpu('4')], [web(), maxCpu('1')])).toEqual({
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
    expect(change([web()], [web(), maxCpu('1')]).findings).toMatchObject([{ messageId: 'narrowed' }]);
  });

  test.each<[string, object[], object[]]>([
    ['unchanged', [web(), maxCpu('1')], [web(), maxCpu('1')]],
    ['with sufficient limits', [web(), maxCpu('4')], [web(), maxCpu('2')]],
    ['without pods', [web({ replicas: 0 }), maxCpu('4')], [web({ replicas: 0 }), maxCpu('1')]],
    ['with pods changed to fit', [web(), maxCpu('4')], [web({ cpu: '1' }), maxCpu('1')]],
  ])('is not reported: %s', (_what, old, next) => {
    expect(change(old, next).findings).toEqual([]);
  });

  test('stops a rollout of the same apply at its first new pods, with one old pod down', () => {
    expect(change([web(), maxCpu('4')], [web({ image: 'web:2' }), maxCpu('1')])).toEqual({
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
    expect(change([web(), maxCpu('4')], [web({ replicas: 6 }), maxCpu('1')]).findings).toMatchObject([
      { messageId: 'addedRejected', data: { pods: 6, running: 4, rejection: REJECTION } },
      { messageId: 'narrowed' },
    ]);
  });
});

test('a LimitRange also refuses the pods of a plan without an apply', () => {
  const { rollouts } = expectValidPlan(planManifests([web(), maxCpu('1')]));
  expect(rollouts[0]!.capacity?.verdict).toBe('deadlocks');
  expect(rollouts[0]!.findings.map(({ code, messageId }) => `${code} ${messageId}`)).toContain('kubernetes/insufficient-capacity rejected');
});

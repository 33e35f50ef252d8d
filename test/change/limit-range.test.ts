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

const WORDS = 'maximum cpu usage per Container is 1, but limit is 2';
const REFUSAL = { kind: 'limit-range', limitRange: 'defaults', words: WORDS, containers: ['web'], field: ['containers', 0, 'resources'] };

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
  test('touches no pod that runs, and is warned of where it refuses their like', () => {
    expect(change([web(), limitRange('4')], [web(), limitRange('1')])).toEqual({
      effects: ['none', 'settings'],
      replaced: 0,
      findings: [
        {
          messageId: 'narrowed',
          severity: 'warning',
          path: 'spec.limits',
          data: { limitRange: 'LimitRange "defaults"', of: { names: ['Deployment shop/web'] }, words: WORDS },
        },
      ],
    });
  });

  test('is warned of where it is new as well', () => {
    expect(change([web()], [web(), limitRange('1')]).findings).toMatchObject([{ messageId: 'narrowed' }]);
  });

  test.each<[string, object[], object[]]>([
    ['as it was', [web(), limitRange('1')], [web(), limitRange('1')]],
    ['wide enough', [web(), limitRange('4')], [web(), limitRange('2')]],
    ['with no pods there', [web({ replicas: 0 }), limitRange('4')], [web({ replicas: 0 }), limitRange('1')]],
    ['with the pods changed to fit', [web(), limitRange('4')], [web({ cpu: '1' }), limitRange('1')]],
  ])('is not: %s', (_what, old, next) => {
    expect(change(old, next).findings).toEqual([]);
  });

  test('stops a rollout of the same apply at its first new pods, one old pod down', () => {
    expect(change([web(), limitRange('4')], [web({ image: 'web:2' }), limitRange('1')])).toEqual({
      effects: ['roll', 'settings'],
      replaced: 1,
      findings: [
        {
          messageId: 'refused',
          severity: 'error',
          path: 'spec.template.spec.containers[0].resources',
          data: { refusal: REFUSAL, unit: 'wave', deadlockWave: 1 },
        },
      ],
    });
  });

  test('keeps pods that the same apply adds from coming', () => {
    expect(change([web(), limitRange('4')], [web({ replicas: 6 }), limitRange('1')]).findings).toMatchObject([
      { messageId: 'addedRefused', data: { pods: 6, running: 4, refusal: REFUSAL } },
      { messageId: 'narrowed' },
    ]);
  });
});

test('a LimitRange refuses the pods of a plan without an apply as well', () => {
  const { rollouts } = expectValidPlan(planManifests([web(), limitRange('1')]));
  expect(rollouts[0]!.capacity?.verdict).toBe('deadlocks');
  expect(rollouts[0]!.findings.map(({ code, messageId }) => `${code} ${messageId}`)).toContain('kubernetes/insufficient-capacity refused');
});

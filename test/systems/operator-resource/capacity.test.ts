/** Only the number of an operator's pods is known: quotas on pods count them, and nothing else can be checked. */
import { planManifests } from '../../../src/headless';
import { factsOf } from '../../facts';
import { operatorResource, planOne } from './plan';
import { sound } from '../../sound-workload';
import { quota } from '../../builders/quota';

const NEVER_FEWER = { rolling_update: { max_surge: '1', max_unavailable: '0' } };

const smallQuota = (hard: object, spec: object = {}) => quota(hard, { name: 'small', spec });

describe.each(['pods', 'count/pods'])('a quota on %s', (resource) => {
  test('without capacity for the surge is an error, with the field names of the resource', () => {
    const { capacity: actual, findings } = planOne({ replicas: 3, strategy: NEVER_FEWER }, smallQuota({ [resource]: 3 }));
    const shortage = { kind: 'quota', limit: 'ResourceQuota "small"', resource, needed: '4', available: '3' };
    const names = { rollingUpdate: 'rolling_update', maxSurge: 'max_surge', maxUnavailable: 'max_unavailable' };
    expect(actual).toEqual({
      verdict: 'deadlocks',
      deadlockWave: 1,
      peakPods: 4,
      podsThatFit: 3,
      newPodsAtLeast: 0,
      newPodsAtMost: 0,
      shortage,
      message: `Deadlocks at wave 1: it peaks at 4 ${resource} and ResourceQuota "small" has 3 left.`,
    });
    expect(factsOf(findings.filter(({ severity }) => severity === 'error'))).toEqual([
      {
        code: 'kubernetes/surge-needs-headroom',
        severity: 'error',
        messageId: 'insufficientCapacity',
        path: 'spec.strategy.rolling_update.max_unavailable',
        data: {
          replicas: 3,
          podsThatFit: 3,
          isZero: true,
          shortage,
          deadlockWave: 1,
          names,
          remedy: { way: 'in-place', names, peakPods: 4, shortage },
        },
      },
    ]);
  });

  test('with enough capacity reports nothing: whether the pods fit depends on their requests', () => {
    const { capacity: actual, findings } = planOne(
      { replicas: 3, strategy: NEVER_FEWER },
      smallQuota({ [resource]: 4, 'requests.cpu': 1 }),
    );
    expect(actual).toBeUndefined();
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});

test('a quota that the replicas exceed is an error at the replicas', () => {
  const strategy = { rolling_update: { max_surge: 0, max_unavailable: 1 } };
  expect(planOne({ replicas: 3, strategy }, smallQuota({ pods: 2 })).findings).toMatchObject([
    { code: 'kubernetes/insufficient-capacity', severity: 'error', path: 'spec.replicas' },
  ]);
});

test('with autoscaling, a quota that is too small for the maximum is a warning', () => {
  const autoscaling = { enabled: true, min_replicas: 2, max_replicas: 6 };
  const { capacity: actual, autoscaled, findings } = planOne({ strategy: NEVER_FEWER, autoscaling }, smallQuota({ pods: 5 }));
  expect(actual).toBeUndefined();
  expect(autoscaled!.maximumCapacity).toMatchObject({ verdict: 'deadlocks' });
  expect(findings.filter(({ severity }) => severity === 'warning')).toMatchObject([
    { code: 'kubernetes/insufficient-capacity', path: 'spec.replicas' },
  ]);
});

test.each([
  ['on CPU', smallQuota({ 'requests.cpu': 1 })],
  ['on pods with a scope, such as pods without requests', smallQuota({ pods: 1 }, { scopes: ['BestEffort'] })],
  ['in another namespace', { ...quota({ pods: 1 }), metadata: { name: 'small', namespace: 'other' } }],
])('a quota %s reports nothing', (_what, other) => {
  const { capacity: actual, findings } = planOne({ replicas: 3, strategy: NEVER_FEWER }, other);
  expect(actual).toBeUndefined();
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
});

test('node pools report nothing either, and a budget does not match pods with unknown labels', () => {
  const metadata = { name: 'all' };
  const budget = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata, spec: { minAvailable: 3, selector: {} } };
  const capacity = { nodePools: [{ name: 'small', count: 0, allocatable: { cpu: 1 } }] };
  const resource = operatorResource({ replicas: 3, strategy: NEVER_FEWER });
  const { rollouts, capacity: actual } = planManifests([resource, budget], { capacity });
  expect(rollouts[0]!.findings.map(({ severity }) => severity)).not.toContain('error');
  expect(rollouts[0]!.findings.map(({ code }) => code)).not.toContain('kubernetes/pdb-blocks-eviction');
  expect([rollouts[0]!.capacity, actual]).toEqual([undefined, undefined]);
});

describe('together with a Deployment whose pods are known', () => {
  const strategy = { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
  const spec = { replicas: 2, strategy, template: { spec: { containers: [{ name: 'web', readinessProbe: {} }] } } };
  const web = sound({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec });

  function planBoth(pods: number, capacity?: object) {
    return planManifests([operatorResource({ replicas: 3, strategy: NEVER_FEWER }), web, smallQuota({ pods })], {
      ...(capacity && { capacity }),
    });
  }

  test('its pods count in a quota on pods that both share', () => {
    const { rollouts, capacity: actual } = planBoth(6);
    expect(rollouts.map((rollout) => rollout.capacity?.verdict)).toEqual([undefined, 'fits']);
    expect(actual).toMatchObject({
      sequential: 'fits',
      concurrent: 'slower',
      limits: [{ limit: 'ResourceQuota "small"', resource: 'pods', available: '6', steady: '5', sequential: '6', concurrent: '7' }],
    });
  });

  test('it has the name of the resource, because the name of its Deployment is unknown', () => {
    expect(planBoth(5).capacity!.message).toBe(
      'One after another: deadlocks (Deployment web, ICP4ACluster baw). All at once: deadlocks (Deployment web, ICP4ACluster baw), because ' +
        'the peaks together need 7 of 5 pods (ResourceQuota "small").',
    );
  });

  test('its pods do not count on nodes, because their requests are unknown', () => {
    const { rollouts, capacity: actual } = planBoth(7, { nodePools: [{ name: 'small', count: 1, allocatable: { cpu: 1, pods: 3 } }] });
    expect(rollouts.map((rollout) => rollout.capacity?.verdict)).toEqual([undefined, 'fits']);
    expect(actual).toMatchObject({ sequential: 'fits', concurrent: 'fits' });
  });
});

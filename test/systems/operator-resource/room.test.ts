/** Of an operator's pods nothing is known but how many they are: quotas on pods count them, and nothing else can be told. */
import { planManifests } from '../../../src/headless';
import { factsOf } from '../../facts';
import { operatorResource, planOne } from './plan';
import { sound } from '../../sound-workload';

const NEVER_FEWER = { rolling_update: { max_surge: '1', max_unavailable: '0' } };

function quota(hard: object, more: object = {}) {
  return { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'small' }, spec: { hard, ...more } };
}

describe.each(['pods', 'count/pods'])('a quota on %s', (resource) => {
  test('without room for the surge is an error, in the words of the resource', () => {
    const { capacity: room, findings } = planOne({ replicas: 3, strategy: NEVER_FEWER }, quota({ [resource]: 3 }));
    const shortage = { kind: 'quota', limit: 'ResourceQuota "small"', resource, needed: '4', available: '3' };
    const names = { rollingUpdate: 'rolling_update', maxSurge: 'max_surge', maxUnavailable: 'max_unavailable' };
    expect(room).toEqual({
      verdict: 'deadlocks',
      deadlockWave: 1,
      peakPods: 4,
      podsThatFit: 3,
      shortage,
      message: `Deadlocks at wave 1: its peak needs 4 ${resource}, and ResourceQuota "small" has 3 for it.`,
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
          shortage,
          deadlockWave: 1,
          names,
          remedy: { way: 'in-place', names, peakPods: 4, shortage },
        },
      },
    ]);
  });

  test('with room says nothing: whether the pods fit depends on what they ask for', () => {
    const { capacity: room, findings } = planOne({ replicas: 3, strategy: NEVER_FEWER }, quota({ [resource]: 4, 'requests.cpu': 1 }));
    expect(room).toBeUndefined();
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});

test('a quota that the replicas themselves exceed is an error at the replicas', () => {
  const strategy = { rolling_update: { max_surge: 0, max_unavailable: 1 } };
  expect(planOne({ replicas: 3, strategy }, quota({ pods: 2 })).findings).toMatchObject([
    { code: 'kubernetes/insufficient-capacity', severity: 'error', path: 'spec.replicas' },
  ]);
});

test('with autoscaling, a quota without room at the maximum is a warning', () => {
  const autoscaling = { enabled: true, min_replicas: 2, max_replicas: 6 };
  const { capacity: room, autoscaled, findings } = planOne({ strategy: NEVER_FEWER, autoscaling }, quota({ pods: 5 }));
  expect(room).toBeUndefined();
  expect(autoscaled!.maximumCapacity).toMatchObject({ verdict: 'deadlocks' });
  expect(findings.filter(({ severity }) => severity === 'warning')).toMatchObject([
    { code: 'kubernetes/insufficient-capacity', path: 'spec.replicas' },
  ]);
});

test.each([
  ['on CPU', quota({ 'requests.cpu': 1 })],
  ['of pods with a scope, such as those that ask for nothing', quota({ pods: 1 }, { scopes: ['BestEffort'] })],
  ['of another namespace', { ...quota({ pods: 1 }), metadata: { name: 'small', namespace: 'other' } }],
])('a quota %s says nothing', (_what, other) => {
  const { capacity: room, findings } = planOne({ replicas: 3, strategy: NEVER_FEWER }, other);
  expect(room).toBeUndefined();
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
});

test('node pools say nothing either, and a budget of the namespace is not held against pods whose labels are not known', () => {
  const metadata = { name: 'all' };
  const budget = { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata, spec: { minAvailable: 3, selector: {} } };
  const capacity = { nodePools: [{ name: 'small', count: 0, allocatable: { cpu: 1 } }] };
  const resource = operatorResource({ replicas: 3, strategy: NEVER_FEWER });
  const { rollouts, capacity: room } = planManifests([resource, budget], { capacity });
  expect(rollouts[0]!.findings.map(({ severity }) => severity)).not.toContain('error');
  expect(rollouts[0]!.findings.map(({ code }) => code)).not.toContain('kubernetes/pdb-blocks-eviction');
  expect([rollouts[0]!.capacity, room]).toEqual([undefined, undefined]);
});

describe('beside a Deployment whose pods are known', () => {
  const strategy = { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
  const spec = { replicas: 2, strategy, template: { spec: { containers: [{ name: 'web', readinessProbe: {} }] } } };
  const web = sound({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec });

  function planned(pods: number, capacity?: object) {
    return planManifests([operatorResource({ replicas: 3, strategy: NEVER_FEWER }), web, quota({ pods })], {
      ...(capacity && { capacity }),
    });
  }

  test('its pods take room in a quota on pods that both share', () => {
    const { rollouts, capacity: room } = planned(6);
    expect(rollouts.map((rollout) => rollout.capacity?.verdict)).toEqual([undefined, 'fits']);
    expect(room).toMatchObject({
      sequential: 'fits',
      together: 'slower',
      limits: [{ limit: 'ResourceQuota "small"', resource: 'pods', available: '6', steady: '5', sequential: '6', together: '7' }],
    });
  });

  test('it bears the name of the resource, since that of its Deployment is not known', () => {
    expect(planned(5).capacity!.message).toBe(
      'One after another: deadlocks (Deployment web, ICP4ACluster baw). All at once: deadlocks (Deployment web, ICP4ACluster baw), since ' +
        'the peaks together need 7 of 5 pods (ResourceQuota "small").',
    );
  });

  test('its pods take no room on nodes, for what they ask for is not known', () => {
    const { rollouts, capacity: room } = planned(7, { nodePools: [{ name: 'small', count: 1, allocatable: { cpu: 1, pods: 3 } }] });
    expect(rollouts.map((rollout) => rollout.capacity?.verdict)).toEqual([undefined, 'fits']);
    expect(room).toMatchObject({ sequential: 'fits', together: 'fits' });
  });
});

import { planManifests } from '../../../src/headless';
import { expectValidPlan } from '../../plan-schema';
import { deployment, statefulSet } from '../../workloads/plan';

const GPU = 'nvidia.com/gpu';
const GPUS = (count: number) => ({ spec: { containers: [{ resources: { limits: { [GPU]: count } } }] } });
const NEVER_FEWER = { maxSurge: 1, maxUnavailable: 0 };
const IN_PLACE = { maxSurge: 0, maxUnavailable: 1 };

function model(name: string, replicas: number, gpus: number, rollingUpdate: object = NEVER_FEWER, namespace?: string) {
  return deployment({ replicas, strategy: { rollingUpdate }, template: GPUS(gpus) }, { name, ...(namespace && { namespace }) });
}

function quota(hard: object, namespace?: string) {
  return { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'gpus', ...(namespace && { namespace }) }, spec: { hard } };
}

function sharedCapacity(objects: readonly object[], capacity?: unknown) {
  return expectValidPlan(planManifests(objects, { capacity })).capacity;
}

describe('rollouts that share capacity', () => {
  test('fit one after another and wait for each other all at once, if only one surge fits', () => {
    expect(sharedCapacity([model('a', 2, 1), model('b', 3, 1), quota({ [`requests.${GPU}`]: 6 })])).toEqual({
      sequential: 'fits',
      concurrent: 'slower',
      limits: [
        {
          limit: 'ResourceQuota "gpus"',
          resource: 'requests.nvidia.com/gpu',
          available: '6',
          steady: '5',
          sequential: '6',
          concurrent: '7',
        },
      ],
      message:
        'One after another: fits. All at once: finishes, with fewer pods at once than planned, because the peaks together need 7 of 6 ' +
        'requests.nvidia.com/gpu (ResourceQuota "gpus").',
    });
  });

  test('fit all at once if all surges fit together', () => {
    expect(sharedCapacity([model('a', 2, 1), model('b', 3, 1)], { total: { [GPU]: 7 } })).toMatchObject({
      sequential: 'fits',
      concurrent: 'fits',
      message: 'One after another: fits. All at once: fits.',
    });
  });

  test('deadlock either way if one of them deadlocks on its own', () => {
    expect(sharedCapacity([model('a', 2, 1), model('b', 3, 2)], { free: { [GPU]: 1 } })).toMatchObject({
      sequential: 'deadlocks',
      concurrent: 'deadlocks',
      limits: [{ limit: 'capacity', steady: '8', available: '9', sequential: '10', concurrent: '11' }],
      message:
        'One after another: deadlocks (Deployment b). All at once: deadlocks (Deployment b), because the peaks together need 11 of 9 ' +
        'nvidia.com/gpu (capacity).',
    });
  });

  test('need no additional capacity if all delete an old pod first', () => {
    expect(
      sharedCapacity([model('a', 2, 1, IN_PLACE), statefulSet({ replicas: 3, template: GPUS(1) })], { total: { [GPU]: 5 } }),
    ).toMatchObject({
      concurrent: 'fits',
      limits: [{ steady: '5', sequential: '5', concurrent: '5' }],
    });
  });

  test('report how many more nodes would let all roll out at once', () => {
    const capacity = { nodePools: [{ name: 'a100', count: 3, allocatable: { [GPU]: 2 } }] };
    expect(sharedCapacity([model('a', 2, 1), model('b', 3, 1)], capacity)).toMatchObject({
      concurrent: 'slower',
      limits: [{ limit: 'node pools', resource: GPU, available: '6', concurrent: '7' }],
      message:
        'One after another: fits. All at once: finishes, with fewer pods at once than planned, because the peaks together need 7 of 6 nvidia.com/gpu ' +
        '(node pools); fits with 1 more node in pool "a100".',
    });
  });

  test('report no additional nodes if a quota is too small as well', () => {
    const models = [model('a', 2, 1), model('b', 2, 1)];
    const capacity = { nodePools: [{ name: 'a100', count: 5, allocatable: { [GPU]: 1 } }] };
    expect(sharedCapacity(models, capacity)!.message).toContain('; fits with 1 more node in pool "a100"');
    const both = sharedCapacity([...models, quota({ [`requests.${GPU}`]: 5 })], capacity)!;
    expect(both).toMatchObject({ sequential: 'fits', concurrent: 'slower' });
    expect(both.message).not.toContain('pool "a100"');
  });

  test('only share a quota within a namespace', () => {
    const objects = [
      model('a', 2, 1, NEVER_FEWER, 'x'),
      model('b', 3, 1, NEVER_FEWER, 'y'),
      quota({ pods: 3 }, 'x'),
      quota({ pods: 4 }, 'y'),
    ];
    expect(sharedCapacity(objects)).toBeUndefined();
  });

  test('ignore a rollout that shares nothing', () => {
    const unrelated = model('c', 3, 1, NEVER_FEWER, 'other');
    const objects = [model('a', 2, 1), model('b', 3, 1), quota({ pods: 7 }), unrelated, quota({ pods: 3 }, 'other')];
    expect(sharedCapacity(objects)).toMatchObject({ sequential: 'fits', concurrent: 'fits' });
  });

  test('list the first three of many', () => {
    const many = ['a', 'b', 'c', 'd', 'e'].map((name) => model(name, 1, 1));
    expect(sharedCapacity([...many, quota({ pods: 5 })])!.message).toMatch(
      /^One after another: deadlocks \(Deployment a, Deployment b, Deployment c and 2 more\)/,
    );
  });

  test('are not reported if fewer than two are limited', () => {
    expect(sharedCapacity([model('a', 2, 1), model('b', 3, 1)])).toBeUndefined();
    expect(sharedCapacity([model('a', 2, 1), quota({ pods: 3 })])).toBeUndefined();
  });
});

import { planManifests } from '../../../src/headless';
import { expectValidPlan } from '../../plan-schema';
import { podTemplate, statefulSet } from '../../builders/workload';
import { GPU, model } from '../../builders/model';
import { quota } from '../../builders/quota';

const IN_PLACE = { maxSurge: 0, maxUnavailable: 1 };

function sharedCapacity(objects: readonly object[], capacity?: unknown) {
  return expectValidPlan(planManifests(objects, { capacity })).capacity;
}

describe('rollouts that share capacity', () => {
  test('fit one after another and wait for each other all at once, if only one surge fits', () => {
    expect(
      sharedCapacity([
        model({ name: 'a', replicas: 2, gpus: 1 }),
        model({ name: 'b', replicas: 3, gpus: 1 }),
        quota({ [`requests.${GPU}`]: 6 }),
      ]),
    ).toEqual({
      sequential: 'fits',
      concurrent: 'slower',
      limits: [
        {
          limit: 'ResourceQuota "compute"',
          resource: 'requests.nvidia.com/gpu',
          available: '6',
          steady: '5',
          sequential: '6',
          concurrent: '7',
        },
      ],
      message:
        'One after another: fits. All at once: finishes, with fewer pods at once than planned, because the peaks together need 7 of 6 ' +
        'requests.nvidia.com/gpu (ResourceQuota "compute").',
    });
  });

  test('fit all at once if all surges fit together', () => {
    expect(
      sharedCapacity([model({ name: 'a', replicas: 2, gpus: 1 }), model({ name: 'b', replicas: 3, gpus: 1 })], { total: { [GPU]: 7 } }),
    ).toMatchObject({
      sequential: 'fits',
      concurrent: 'fits',
      message: 'One after another: fits. All at once: fits.',
    });
  });

  test('deadlock either way if one of them deadlocks on its own', () => {
    expect(
      sharedCapacity([model({ name: 'a', replicas: 2, gpus: 1 }), model({ name: 'b', replicas: 3, gpus: 2 })], { free: { [GPU]: 1 } }),
    ).toMatchObject({
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
      sharedCapacity(
        [
          model({ name: 'a', replicas: 2, gpus: 1, rollingUpdate: IN_PLACE }),
          statefulSet({ replicas: 3, template: podTemplate({ resources: { limits: { [GPU]: 1 } } }) }),
        ],
        { total: { [GPU]: 5 } },
      ),
    ).toMatchObject({
      concurrent: 'fits',
      limits: [{ steady: '5', sequential: '5', concurrent: '5' }],
    });
  });

  test('report how many more nodes would let all roll out at once', () => {
    const capacity = { nodePools: [{ name: 'a100', count: 3, allocatable: { [GPU]: 2 } }] };
    expect(
      sharedCapacity([model({ name: 'a', replicas: 2, gpus: 1 }), model({ name: 'b', replicas: 3, gpus: 1 })], capacity),
    ).toMatchObject({
      concurrent: 'slower',
      limits: [{ limit: 'node pools', resource: GPU, available: '6', concurrent: '7' }],
      message:
        'One after another: fits. All at once: finishes, with fewer pods at once than planned, because the peaks together need 7 of 6 nvidia.com/gpu ' +
        '(node pools); fits with 1 more node in pool "a100".',
    });
  });

  test('report no additional nodes if a quota is too small as well', () => {
    const models = [model({ name: 'a', replicas: 2, gpus: 1 }), model({ name: 'b', replicas: 2, gpus: 1 })];
    const capacity = { nodePools: [{ name: 'a100', count: 5, allocatable: { [GPU]: 1 } }] };
    expect(sharedCapacity(models, capacity)!.message).toContain('; fits with 1 more node in pool "a100"');
    const both = sharedCapacity([...models, quota({ [`requests.${GPU}`]: 5 })], capacity)!;
    expect(both).toMatchObject({ sequential: 'fits', concurrent: 'slower' });
    expect(both.message).not.toContain('pool "a100"');
  });

  test('only share a quota within a namespace', () => {
    const objects = [
      model({ name: 'a', replicas: 2, gpus: 1, namespace: 'x' }),
      model({ name: 'b', replicas: 3, gpus: 1, namespace: 'y' }),
      quota({ pods: 3 }, { namespace: 'x' }),
      quota({ pods: 4 }, { namespace: 'y' }),
    ];
    expect(sharedCapacity(objects)).toBeUndefined();
  });

  test('ignore a rollout that shares nothing', () => {
    const unrelated = model({ name: 'c', replicas: 3, gpus: 1, namespace: 'other' });
    const objects = [
      model({ name: 'a', replicas: 2, gpus: 1 }),
      model({ name: 'b', replicas: 3, gpus: 1 }),
      quota({ pods: 7 }),
      unrelated,
      quota({ pods: 3 }, { namespace: 'other' }),
    ];
    expect(sharedCapacity(objects)).toMatchObject({ sequential: 'fits', concurrent: 'fits' });
  });

  test('list the first three of many', () => {
    const many = ['a', 'b', 'c', 'd', 'e'].map((name) => model({ name, replicas: 1, gpus: 1 }));
    expect(sharedCapacity([...many, quota({ pods: 5 })])!.message).toMatch(
      /^One after another: deadlocks \(Deployment a, Deployment b, Deployment c and 2 more\)/,
    );
  });

  test('are not reported if fewer than two are limited', () => {
    expect(sharedCapacity([model({ name: 'a', replicas: 2, gpus: 1 }), model({ name: 'b', replicas: 3, gpus: 1 })])).toBeUndefined();
    expect(sharedCapacity([model({ name: 'a', replicas: 2, gpus: 1 }), quota({ pods: 3 })])).toBeUndefined();
  });
});

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

function room(objects: readonly object[], capacity?: unknown) {
  return expectValidPlan(planManifests(objects, { capacity })).capacity;
}

describe('rollouts that share room', () => {
  test('fit one after another and wait for each other all at once, where the surge of one alone has room', () => {
    expect(room([model('a', 2, 1), model('b', 3, 1), quota({ [`requests.${GPU}`]: 6 })])).toEqual({
      sequential: 'fits',
      together: 'slower',
      limits: [
        {
          limit: 'ResourceQuota "gpus"',
          resource: 'requests.nvidia.com/gpu',
          available: '6',
          steady: '5',
          sequential: '6',
          together: '7',
        },
      ],
      message:
        'One after another: fits. All at once: ends, with fewer pods at once than planned, since the peaks together need 7 of 6 ' +
        'requests.nvidia.com/gpu (ResourceQuota "gpus").',
    });
  });

  test('fit all at once, where all surges together have room', () => {
    expect(room([model('a', 2, 1), model('b', 3, 1)], { total: { [GPU]: 7 } })).toMatchObject({
      sequential: 'fits',
      together: 'fits',
      message: 'One after another: fits. All at once: fits.',
    });
  });

  test('deadlock either way, where one of them deadlocks by itself', () => {
    expect(room([model('a', 2, 1), model('b', 3, 2)], { free: { [GPU]: 1 } })).toMatchObject({
      sequential: 'deadlocks',
      together: 'deadlocks',
      limits: [{ limit: 'capacity', steady: '8', available: '9', sequential: '10', together: '11' }],
      message:
        'One after another: deadlocks (Deployment b). All at once: deadlocks (Deployment b), since the peaks together need 11 of 9 ' +
        'nvidia.com/gpu (capacity).',
    });
  });

  test('need nothing more, where all delete an old pod first', () => {
    expect(room([model('a', 2, 1, IN_PLACE), statefulSet({ replicas: 3, template: GPUS(1) })], { total: { [GPU]: 5 } })).toMatchObject({
      together: 'fits',
      limits: [{ steady: '5', sequential: '5', together: '5' }],
    });
  });

  test('say how many nodes would let all go at once', () => {
    const capacity = { nodePools: [{ name: 'a100', count: 3, allocatable: { [GPU]: 2 } }] };
    expect(room([model('a', 2, 1), model('b', 3, 1)], capacity)).toMatchObject({
      together: 'slower',
      limits: [{ limit: 'node pools', resource: GPU, available: '6', together: '7' }],
      message:
        'One after another: fits. All at once: ends, with fewer pods at once than planned, since the peaks together need 7 of 6 nvidia.com/gpu ' +
        '(node pools); fits with 1 more node of pool "a100".',
    });
  });

  test('are promised no nodes where a quota is too small as well', () => {
    const models = [model('a', 2, 1), model('b', 2, 1)];
    const capacity = { nodePools: [{ name: 'a100', count: 5, allocatable: { [GPU]: 1 } }] };
    expect(room(models, capacity)!.message).toContain('; fits with 1 more node of pool "a100"');
    const both = room([...models, quota({ [`requests.${GPU}`]: 5 })], capacity)!;
    expect(both).toMatchObject({ sequential: 'fits', together: 'slower' });
    expect(both.message).not.toContain('pool "a100"');
  });

  test('share a quota within a namespace only', () => {
    const objects = [
      model('a', 2, 1, NEVER_FEWER, 'x'),
      model('b', 3, 1, NEVER_FEWER, 'y'),
      quota({ pods: 3 }, 'x'),
      quota({ pods: 4 }, 'y'),
    ];
    expect(room(objects)).toBeUndefined();
  });

  test('say nothing of a rollout that shares none of it', () => {
    const alone = model('c', 3, 1, NEVER_FEWER, 'other');
    const objects = [model('a', 2, 1), model('b', 3, 1), quota({ pods: 7 }), alone, quota({ pods: 3 }, 'other')];
    expect(room(objects)).toMatchObject({ sequential: 'fits', together: 'fits' });
  });

  test('name the first three of many', () => {
    const many = ['a', 'b', 'c', 'd', 'e'].map((name) => model(name, 1, 1));
    expect(room([...many, quota({ pods: 5 })])!.message).toMatch(
      /^One after another: deadlocks \(Deployment a, Deployment b, Deployment c and 2 more\)/,
    );
  });

  test('are not spoken of where fewer than two are limited', () => {
    expect(room([model('a', 2, 1), model('b', 3, 1)])).toBeUndefined();
    expect(room([model('a', 2, 1), quota({ pods: 3 })])).toBeUndefined();
  });
});

import { planChange } from '../../src/headless';
import { expectValidPlan } from '../plan-schema';
import { GPU } from '../builders/model';
import { quota } from '../builders/quota';
import { deployment, podTemplate } from '../builders/workload';

interface Model {
  readonly name: string;
  readonly image?: string;
  readonly replicas?: number;
  readonly resources?: object;
  readonly rollingUpdate?: object;
}

function model({
  name,
  image = 'm:1',
  replicas = 2,
  resources = { limits: { [GPU]: 1 } },
  rollingUpdate = { maxSurge: 1, maxUnavailable: 0 },
}: Model) {
  const template = podTemplate({ image, resources, readinessProbe: { httpGet: { path: '/', port: 80 } } });
  return deployment({ replicas, strategy: { rollingUpdate }, template }, { name, namespace: 'models' });
}

function capacityOf(old: readonly object[], next: readonly object[], capacity: unknown) {
  const plan = expectValidPlan(planChange(old, next, { capacity }));
  return { capacity: plan.capacity, separate: plan.rollouts.map(({ capacity: own }) => own?.verdict) };
}

const OLD = [model({ name: 'a' }), model({ name: 'b' })];
const BOTH = [model({ name: 'a', image: 'm:2' }), model({ name: 'b', image: 'm:2' })];
const ONE = [model({ name: 'a', image: 'm:2' }), model({ name: 'b' })];

describe('two rollouts of one change that compete for the last accelerator', () => {
  const LAST = { total: { [GPU]: 5 } };

  test('wait for each other, and finish', () => {
    expect(capacityOf(OLD, BOTH, LAST)).toMatchObject({
      separate: ['fits', 'fits'],
      capacity: {
        sequential: 'fits',
        concurrent: 'slower',
        limits: [{ limit: 'capacity', resource: GPU, available: '5', steady: '4', sequential: '5', concurrent: '6' }],
      },
    });
  });

  test('fit if one of them is unchanged, and nothing is shared', () => {
    expect(capacityOf(OLD, ONE, LAST)).toEqual({ separate: ['fits', undefined], capacity: undefined });
  });

  test('may not fit if the other one scales into the capacity', () => {
    const scaled = [model({ name: 'a', image: 'm:2' }), model({ name: 'b', replicas: 3 })];
    expect(capacityOf(OLD, scaled, LAST).separate).toEqual(['may-not-fit', 'fits']);
  });

  test('may not fit if a new object of the change takes the capacity', () => {
    expect(capacityOf(OLD, [...ONE, model({ name: 'c', replicas: 1 })], LAST).separate).toEqual(['may-not-fit', undefined, 'fits']);
  });

  test('share the capacity with the objects that OLD keeps, until they are pruned', () => {
    const old = [...OLD, model({ name: 'gone', replicas: 1 })];
    const kept = expectValidPlan(planChange(old, BOTH, { capacity: LAST }));
    expect(kept.capacity).toMatchObject({ concurrent: 'deadlocks', limits: [{ steady: '5', concurrent: '7' }] });
    const pruned = expectValidPlan(planChange(old, BOTH, { capacity: LAST, prune: true }));
    expect(pruned.capacity).toMatchObject({ concurrent: 'slower', limits: [{ steady: '4', concurrent: '6' }] });
  });
});

describe('two rollouts of one change that compete for the last node', () => {
  const nodes = (count: number) => ({ nodePools: [{ name: 'a100', count, allocatable: { [GPU]: 1 } }] });

  test('wait for each other, and the plan reports how many nodes are enough', () => {
    expect(capacityOf(OLD, BOTH, nodes(5))).toMatchObject({
      separate: ['fits', 'fits'],
      capacity: {
        sequential: 'fits',
        concurrent: 'slower',
        limits: [{ limit: 'node pools', available: '5', steady: '4', concurrent: '6' }],
      },
    });
    expect(capacityOf(OLD, BOTH, nodes(6)).capacity).toMatchObject({ sequential: 'fits', concurrent: 'fits' });
  });

  test('fit if one of them is unchanged, and nothing is shared', () => {
    expect(capacityOf(OLD, ONE, nodes(5))).toEqual({ separate: ['fits', undefined], capacity: undefined });
    expect(capacityOf(OLD, ONE, nodes(4)).separate).toEqual(['deadlocks', undefined]);
  });

  test('may deadlock if a small pod takes the node that a large one left', () => {
    const pool = { nodePools: [{ name: 'big', count: 2, allocatable: { cpu: 4 } }] };
    const large = (image: string) =>
      model({ name: 'large', image, replicas: 1, resources: { requests: { cpu: 4 } }, rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } });
    const small = (image: string) => model({ name: 'small', image, replicas: 3, resources: { requests: { cpu: 1 } } });
    const { capacity } = capacityOf([large('m:1'), small('m:1')], [large('m:2'), small('m:2')], pool);
    expect(capacity).toMatchObject({ sequential: 'fits', concurrent: 'deadlocks' });
  });
});

describe('a rollout next to pods that the same change adds', () => {
  const QUOTA = quota({ pods: '16' }, { namespace: 'models' });
  const quarter = { maxSurge: '25%', maxUnavailable: '25%' };
  const old = [model({ name: 'api', replicas: 12, rollingUpdate: quarter }), model({ name: 'search', replicas: 4 }), QUOTA];
  const api = model({ name: 'api', replicas: 12, rollingUpdate: quarter, image: 'm:2' });

  function describeRollouts(next: readonly object[]) {
    const { rollouts } = expectValidPlan(planChange(old, next));
    return rollouts.map(({ capacity, findings }) => ({
      pods: `${capacity?.podsThatFit} to ${capacity?.mostPodsThatFit ?? capacity?.podsThatFit} of ${capacity?.peakPods}`,
      finding: findings.find(({ code }) => code === 'kubernetes/insufficient-capacity')?.message,
    }));
  }

  test('keeps the capacity of the pods available at its worst moment, and the other keeps that of its running pods', () => {
    expect(describeRollouts([api, model({ name: 'search', replicas: 8 }), QUOTA])).toEqual([
      {
        pods: '9 to 12 of 15',
        finding:
          'Only 9 of 12 replicas fit: the rollout peaks at 15 pods and ResourceQuota "compute" has 9 left. ' +
          'The rollout deadlocks at wave 1 if Deployment models/search, which gets more pods from the same apply, is scheduled first.',
      },
      {
        pods: '4 to 4 of 8',
        finding:
          'Only 4 of 8 pods fit: together they request 8 pods and ResourceQuota "compute" has 4 left. The other 4 pods are refused and retried until there is capacity.',
      },
    ]);
  });

  test('waits for the pods of a Job, which end by themselves', () => {
    const job = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'load', namespace: 'models' },
      spec: { parallelism: 4, template: { spec: { restartPolicy: 'Never', containers: [{ name: 'load', image: 'load:1' }] } } },
    };
    expect(describeRollouts([api, model({ name: 'search', replicas: 4 }), job, QUOTA])[0]!.finding).toBe(
      'Only 9 of 12 replicas fit: the rollout peaks at 15 pods and ResourceQuota "compute" has 9 left. ' +
        'If Job models/load is scheduled first, the rollout waits at wave 1 until it has ended.',
    );
  });

  test('continues with fewer pods at once if nothing is added', () => {
    expect(describeRollouts([api, model({ name: 'search', replicas: 4 }), QUOTA])[0]).toEqual({
      pods: '12 to 12 of 15',
      finding: undefined,
    });
  });
});

describe('a rollout next to a RayService whose workers are held', () => {
  const service = (replicas: number, gpus: number) => ({
    apiVersion: 'ray.io/v1',
    kind: 'RayService',
    metadata: { name: 'llm', namespace: 'models' },
    spec: {
      upgradeStrategy: { type: 'None' },
      rayClusterConfig: {
        rayVersion: '2.52.0',
        headGroupSpec: { rayStartParams: {}, template: { spec: { containers: [{ name: 'head', image: 'ray:1' }] } } },
        workerGroupSpecs: [
          {
            groupName: 'workers',
            replicas,
            minReplicas: replicas,
            maxReplicas: replicas,
            rayStartParams: {},
            template: { spec: { containers: [{ name: 'worker', image: 'ray:1', resources: { limits: { [GPU]: gpus } } }] } },
          },
        ],
      },
    },
  });
  const planNextTo = (next: object) => {
    const plan = expectValidPlan(
      planChange([service(2, 1), model({ name: 'api' })], [next, model({ name: 'api', image: 'm:2' })], {
        capacity: { total: { [GPU]: 5 } },
      }),
    );
    return {
      effects: plan.change.objects.map(({ effect }) => effect),
      capacity: plan.rollouts.map(({ capacity }) => capacity && `${capacity.verdict}: ${capacity.podsThatFit} of ${capacity.peakPods}`),
    };
  };

  test('gets the capacity next to the running workers: the stored ones are not created', () => {
    const fits = { effects: ['held', 'roll'], capacity: [undefined, 'fits: 3 of 3'] };
    expect(planNextTo(service(9, 1))).toEqual(fits);
    expect(planNextTo(service(2, 4))).toEqual(fits);
  });
});

describe('a scale-up next to a rollout of the same change', () => {
  const CPU = 'requests.cpu';
  const web = (replicas: number) => model({ name: 'web', replicas, resources: { requests: { cpu: '1' } } });
  const api = (cpu: string, rollingUpdate = { maxSurge: 1, maxUnavailable: 0 }) =>
    model({ name: 'api', resources: { requests: { cpu } }, rollingUpdate });
  const planWith = (old: object, next: object, used?: string) => {
    const limit = { ...quota({ [CPU]: '6' }, { namespace: 'models' }), ...(used && { status: { used: { [CPU]: used } } }) };
    const plan = expectValidPlan(planChange([old, web(2), limit], [next, web(3), limit]));
    const { verdict, podsThatFit, mostPodsThatFit } = plan.rollouts[1]!.capacity!;
    return { verdict, podsThatFit, ...(mostPodsThatFit !== undefined && { mostPodsThatFit }) };
  };

  test.each([
    [
      'of larger pods fits if it is first, and may not after it',
      api('1'),
      api('2'),
      undefined,
      { verdict: 'deadlocks', podsThatFit: 2, mostPodsThatFit: 3 },
    ],
    [
      'is judged by what the status of the quota counts now',
      api('1'),
      api('2'),
      '4',
      { verdict: 'deadlocks', podsThatFit: 2, mostPodsThatFit: 3 },
    ],
    [
      'of smaller pods that may never finish has what its old pods may keep',
      api('2'),
      api('1'),
      '6',
      { verdict: 'deadlocks', podsThatFit: 2, mostPodsThatFit: 3 },
    ],
    [
      'of smaller pods that finishes has what they leave later',
      api('2', { maxSurge: 0, maxUnavailable: 1 }),
      api('1', { maxSurge: 0, maxUnavailable: 1 }),
      '6',
      { verdict: 'slower', podsThatFit: 2 },
    ],
  ])('%s', (_, old, next, used, expected) => {
    expect(planWith(old, next, used)).toEqual(expected);
  });
});

import { planChange } from '../../src/headless';
import { expectValidPlan } from '../plan-schema';
import { sound } from '../sound-workload';

const GPU = 'nvidia.com/gpu';

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
  return sound({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'models' },
    spec: {
      replicas,
      strategy: { rollingUpdate },
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'm', image, resources, readinessProbe: { httpGet: { path: '/', port: 80 } } }] },
      },
    },
  });
}

function roomOf(old: readonly object[], next: readonly object[], capacity: unknown) {
  const plan = expectValidPlan(planChange(old, next, { capacity }));
  return { room: plan.capacity, alone: plan.rollouts.map(({ capacity: room }) => room?.verdict) };
}

const OLD = [model({ name: 'a' }), model({ name: 'b' })];
const BOTH = [model({ name: 'a', image: 'm:2' }), model({ name: 'b', image: 'm:2' })];
const ONE = [model({ name: 'a', image: 'm:2' }), model({ name: 'b' })];

describe('two rollouts of one change that want the last accelerator', () => {
  const LAST = { total: { [GPU]: 5 } };

  test('wait for each other, and end', () => {
    expect(roomOf(OLD, BOTH, LAST)).toMatchObject({
      alone: ['fits', 'fits'],
      capacity: {
        sequential: 'fits',
        together: 'slower',
        limits: [{ limit: 'capacity', resource: GPU, available: '5', steady: '4', sequential: '5', together: '6' }],
      },
    });
  });

  test('have room where one of them only stays as it is, and nothing is shared', () => {
    expect(roomOf(OLD, ONE, LAST)).toEqual({ alone: ['fits', undefined], room: undefined });
  });

  test('have none where the other one scales into it', () => {
    const scaled = [model({ name: 'a', image: 'm:2' }), model({ name: 'b', replicas: 3 })];
    expect(roomOf(OLD, scaled, LAST).alone).toEqual(['deadlocks', 'fits']);
  });

  test('have none where what is new in the change takes it', () => {
    expect(roomOf(OLD, [...ONE, model({ name: 'c', replicas: 1 })], LAST).alone).toEqual(['deadlocks', undefined, 'fits']);
  });

  test('find it beside what OLD keeps, and once that is pruned', () => {
    const old = [...OLD, model({ name: 'gone', replicas: 1 })];
    const kept = expectValidPlan(planChange(old, BOTH, { capacity: LAST }));
    expect(kept.capacity).toMatchObject({ together: 'deadlocks', limits: [{ steady: '5', together: '7' }] });
    const pruned = expectValidPlan(planChange(old, BOTH, { capacity: LAST, prune: true }));
    expect(pruned.capacity).toMatchObject({ together: 'slower', limits: [{ steady: '4', together: '6' }] });
  });
});

describe('two rollouts of one change that want the last node', () => {
  const nodes = (count: number) => ({ nodePools: [{ name: 'a100', count, allocatable: { [GPU]: 1 } }] });

  test('wait for each other, and the plan says how many nodes would do', () => {
    expect(roomOf(OLD, BOTH, nodes(5))).toMatchObject({
      alone: ['fits', 'fits'],
      capacity: { sequential: 'fits', together: 'slower', limits: [{ limit: 'node pools', available: '5', steady: '4', together: '6' }] },
    });
    expect(roomOf(OLD, BOTH, nodes(6)).room).toMatchObject({ sequential: 'fits', together: 'fits' });
  });

  test('have room where one of them only stays as it is, and nothing is shared', () => {
    expect(roomOf(OLD, ONE, nodes(5))).toEqual({ alone: ['fits', undefined], room: undefined });
    expect(roomOf(OLD, ONE, nodes(4)).alone).toEqual(['deadlocks', undefined]);
  });

  test('may wait for ever where a small pod takes the place that a large one left', () => {
    const pool = { nodePools: [{ name: 'big', count: 2, allocatable: { cpu: 4 } }] };
    const large = (image: string) =>
      model({ name: 'large', image, replicas: 1, resources: { requests: { cpu: 4 } }, rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } });
    const small = (image: string) => model({ name: 'small', image, replicas: 3, resources: { requests: { cpu: 1 } } });
    const { room } = roomOf([large('m:1'), small('m:1')], [large('m:2'), small('m:2')], pool);
    expect(room).toMatchObject({ sequential: 'fits', together: 'deadlocks' });
  });
});

describe('a rollout beside pods that the same change adds', () => {
  const QUOTA = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q', namespace: 'models' }, spec: { hard: { pods: '16' } } };
  const quarter = { maxSurge: '25%', maxUnavailable: '25%' };
  const old = [model({ name: 'api', replicas: 12, rollingUpdate: quarter }), model({ name: 'search', replicas: 4 }), QUOTA];
  const api = model({ name: 'api', replicas: 12, rollingUpdate: quarter, image: 'm:2' });

  function told(next: readonly object[]) {
    const { rollouts } = expectValidPlan(planChange(old, next));
    return rollouts.map(({ capacity: room, findings }) => ({
      pods: `${room?.podsThatFit} to ${room?.mostPodsThatFit ?? room?.podsThatFit} of ${room?.peakPods}`,
      finding: findings.find(({ code }) => code === 'kubernetes/insufficient-capacity')?.message,
    }));
  }

  test('keeps the places of its pods that are available at its worst moment, and they those that run', () => {
    expect(told([api, model({ name: 'search', replicas: 8 }), QUOTA])).toEqual([
      {
        pods: '9 to 12 of 15',
        finding:
          'Of 12 replicas only 9 find room: its peak needs 15 pods, and ResourceQuota "q" has 9 for it. ' +
          'The rollout stands still at wave 1 for good if Deployment models/search, to which the same apply adds pods, comes first.',
      },
      {
        pods: '4 to 4 of 8',
        finding:
          'Of 8 pods only 4 find room: it asks for 8 pods, and ResourceQuota "q" has 4 for it. The other 4 are refused and tried again until there is room.',
      },
    ]);
  });

  test('goes on with fewer pods at once where nothing is added', () => {
    expect(told([api, model({ name: 'search', replicas: 4 }), QUOTA])[0]).toEqual({ pods: '12 to 12 of 15', finding: undefined });
  });
});

describe('a rollout beside a RayService whose workers are held', () => {
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
  const besides = (next: object) => {
    const plan = expectValidPlan(
      planChange([service(2, 1), model({ name: 'api' })], [next, model({ name: 'api', image: 'm:2' })], {
        capacity: { total: { [GPU]: 5 } },
      }),
    );
    return {
      effects: plan.change.objects.map(({ effect }) => effect),
      room: plan.rollouts.map(({ capacity: room }) => room && `${room.verdict}: ${room.podsThatFit} of ${room.peakPods}`),
    };
  };

  test('finds the room that the workers leave which run: nothing is made of those that are stored', () => {
    const fits = { effects: ['held', 'roll'], room: [undefined, 'fits: 3 of 3'] };
    expect(besides(service(9, 1))).toEqual(fits);
    expect(besides(service(2, 4))).toEqual(fits);
  });
});

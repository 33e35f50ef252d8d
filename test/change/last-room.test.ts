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
  return { room: plan.room, alone: plan.rollouts.map(({ room }) => room?.verdict) };
}

const OLD = [model({ name: 'a' }), model({ name: 'b' })];
const BOTH = [model({ name: 'a', image: 'm:2' }), model({ name: 'b', image: 'm:2' })];
const ONE = [model({ name: 'a', image: 'm:2' }), model({ name: 'b' })];

describe('two rollouts of one change that want the last accelerator', () => {
  const LAST = { total: { [GPU]: 5 } };

  test('wait for each other, and end', () => {
    expect(roomOf(OLD, BOTH, LAST)).toMatchObject({
      alone: ['fits', 'fits'],
      room: {
        oneAfterAnother: 'fits',
        together: 'slower',
        limits: [{ limit: 'capacity', resource: GPU, available: '5', steady: '4', oneAfterAnother: '5', together: '6' }],
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
    expect(kept.room).toMatchObject({ together: 'deadlocks', limits: [{ steady: '5', together: '7' }] });
    const pruned = expectValidPlan(planChange(old, BOTH, { capacity: LAST, prune: true }));
    expect(pruned.room).toMatchObject({ together: 'slower', limits: [{ steady: '4', together: '6' }] });
  });
});

describe('two rollouts of one change that want the last node', () => {
  const nodes = (count: number) => ({ nodePools: [{ name: 'a100', count, allocatable: { [GPU]: 1 } }] });

  test('wait for each other, and the plan says how many nodes would do', () => {
    expect(roomOf(OLD, BOTH, nodes(5))).toMatchObject({
      alone: ['fits', 'fits'],
      room: { oneAfterAnother: 'fits', together: 'slower', limits: [{ limit: 'node pools', available: '5', steady: '4', together: '6' }] },
    });
    expect(roomOf(OLD, BOTH, nodes(6)).room).toMatchObject({ oneAfterAnother: 'fits', together: 'fits' });
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
    expect(room).toMatchObject({ oneAfterAnother: 'fits', together: 'deadlocks' });
  });
});

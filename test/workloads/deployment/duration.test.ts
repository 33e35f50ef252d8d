import * as fc from 'fast-check';
import { deployment, durationOf, MINUTE } from '../plan';
import { runDeployment } from './clock';

function rolling(maxSurge: number, maxUnavailable: number, more: object = {}) {
  return deployment({ replicas: 4, strategy: { rollingUpdate: { maxSurge, maxUnavailable } }, ...more });
}

const QUOTA = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, spec: { hard: { pods: 4 } } };

describe('how long a Deployment takes, where it is known how long a pod takes to become ready', () => {
  test('an iteration lasts start-up and minReadySeconds; a broken image is noticed at the progress deadline', () => {
    expect(durationOf(rolling(1, 0))).toEqual({
      startupSeconds: 60,
      lowerBoundSeconds: 240,
      expectedSeconds: 240,
      abortSeconds: 600,
      blastRadius: 1,
    });
    expect(durationOf(rolling(2, 2, { minReadySeconds: 10, progressDeadlineSeconds: 120 }))).toEqual({
      startupSeconds: 60,
      lowerBoundSeconds: 70,
      expectedSeconds: 70,
      abortSeconds: 120,
      blastRadius: 4,
    });
  });

  test('an old pod whose place the new one needs is waited for, its whole grace period', () => {
    expect(durationOf(rolling(0, 1), MINUTE, QUOTA)).toMatchObject({ lowerBoundSeconds: 240, expectedSeconds: 4 * (60 + 30) });
    const graceful = rolling(0, 1, { template: { spec: { terminationGracePeriodSeconds: 300 } } });
    expect(durationOf(graceful, MINUTE, QUOTA)).toMatchObject({ expectedSeconds: 4 * (60 + 300) });
    expect(durationOf(rolling(0, 1))).toMatchObject({ expectedSeconds: 240 });
  });

  test('Recreate waits for all old pods first', () => {
    expect(durationOf(deployment({ replicas: 4, strategy: { type: 'Recreate' } }))).toEqual({
      startupSeconds: 60,
      lowerBoundSeconds: 60,
      expectedSeconds: 90,
      abortSeconds: 630,
      blastRadius: 4,
    });
  });

  test('less room makes more iterations, and fewer pods broken', () => {
    const quota = { ...QUOTA, spec: { hard: { pods: 6 } } };
    expect(durationOf(rolling(4, 0), MINUTE, quota)).toMatchObject({
      lowerBoundSeconds: 120,
      // The first two find room at once.
      expectedSeconds: 60 + 30 + 60,
      blastRadius: 2,
    });
    expect(durationOf(rolling(4, 0))).toMatchObject({ lowerBoundSeconds: 60, blastRadius: 4 });
  });

  test.each([
    // replicas, surge, unavailable, start-up, grace, pods of the quota, seconds
    [4, 1, 0, 60, 300, 5, 1140],
    [2, 1, 0, 60, 30, 3, 150],
    // A grace period longer than the start-up: deleted pods of several waves hold places at once.
    [10, 1, 0, 10, 120, 12, 540],
    [3, 0, 2, 39, 198, 5, 237],
    // The three free places are used up by the fourth pod, but two waits for readiness take longer than one for a place.
    [5, 2, 0, 20, 11, 8, 60],
  ])('%i replicas, surge %i, unavailable %i, start-up %i s, grace %i s in a quota of %i pods: %i s', (...row) => {
    const [replicas, maxSurge, maxUnavailable, startupSeconds, terminationGracePeriodSeconds, hard, expectedSeconds] = row;
    const template = { spec: { terminationGracePeriodSeconds } };
    const quota = { ...QUOTA, spec: { hard: { pods: hard } } };
    const object = rolling(maxSurge, maxUnavailable, { replicas, template });
    expect(durationOf(object, { startupSeconds }, quota)).toMatchObject({ expectedSeconds });
  });

  test('a pod that a quota refuses at first is created later, which is progress; one that waits for a node is created at once', () => {
    const nodes = { nodePools: [{ name: 'small', count: 4, allocatable: { pods: 1 } }] };
    expect(durationOf(rolling(0, 1), MINUTE, QUOTA)).toMatchObject({ abortSeconds: 30 + 600, blastRadius: 1 });
    expect(durationOf(rolling(0, 1), { ...MINUTE, capacity: nodes })).toMatchObject({ abortSeconds: 600, blastRadius: 1 });
  });

  test('a rollout without room never ends, and the deadline tells of it', () => {
    expect(durationOf(rolling(1, 0), MINUTE, QUOTA)).toMatchObject({ expectedSeconds: null, abortSeconds: 600, blastRadius: 0 });
  });

  test('the largest progress deadline is none: nothing notices a broken image', () => {
    expect(durationOf(rolling(1, 0, { progressDeadlineSeconds: 2_147_483_647 }))).toMatchObject({ abortSeconds: null });
  });

  test('nothing is said where it is not known, for no replicas, and of a paused Deployment', () => {
    expect(durationOf(rolling(1, 0), {})).toBeUndefined();
    expect(durationOf(rolling(1, 0, { replicas: 0 }))).toBeUndefined();
    expect(durationOf(rolling(1, 0, { paused: true }))).toBeUndefined();
  });
});

/** A place for each of so many pods: in a quota, in the cluster, or on nodes that hold one pod each. */
const ROOM: Readonly<Record<string, (places: number) => { others: object[]; capacity?: object }>> = {
  'without limit': () => ({ others: [] }),
  'with a quota': (places) => ({ others: [{ ...QUOTA, spec: { hard: { pods: places } } }] }),
  'with a capacity': (places) => ({ others: [], capacity: { total: { cpu: places } } }),
  'with nodes': (places) => ({ others: [], capacity: { nodePools: [{ name: 'n', count: places, allocatable: { cpu: 1 } }] } }),
};

describe('the duration of a Deployment is what the controller takes against a clock', () => {
  const pods = fc.record({
    replicas: fc.integer({ min: 1, max: 12 }),
    surge: fc.nat(6),
    unavailable: fc.nat(6),
    spare: fc.integer({ min: -2, max: 14 }),
  });
  const times = fc.record({
    startupSeconds: fc.integer({ min: 1, max: 60 }),
    minReadySeconds: fc.nat(20),
    graceSeconds: fc.oneof(fc.nat(30), fc.nat(200)),
  });

  test.each(Object.keys(ROOM))('%s', (limit) => {
    fc.assert(
      fc.property(pods, times, fc.boolean(), ({ replicas, surge, unavailable, spare }, clock, isRecreate) => {
        fc.pre(surge + unavailable > 0);
        const type = isRecreate ? 'Recreate' : 'RollingUpdate';
        const places = Math.max(1, replicas + spare);
        const { others, capacity } = ROOM[limit]!(places);
        const { startupSeconds, minReadySeconds, graceSeconds } = clock;
        const containers = [{ name: 'app', resources: { requests: { cpu: 1 } } }];
        const planned = durationOf(
          deployment({
            replicas,
            minReadySeconds,
            strategy: isRecreate ? { type } : { rollingUpdate: { maxSurge: surge, maxUnavailable: unavailable } },
            template: { spec: { terminationGracePeriodSeconds: graceSeconds, containers } },
          }),
          { startupSeconds, capacity },
          ...others,
        )!;

        const limits = { replicas, surge, unavailable: Math.min(unavailable, replicas) };
        const room = { places: limit === 'without limit' ? Infinity : places, createsWithoutPlace: limit !== 'with a quota' };
        const healthy = runDeployment(limits, { ...clock, ...room }, type);
        const broken = runDeployment(limits, { ...clock, ...room, isBroken: true }, type);
        expect(planned).toEqual({
          startupSeconds,
          lowerBoundSeconds: planned.lowerBoundSeconds,
          expectedSeconds: healthy.seconds,
          abortSeconds: broken.lastProgress + 600,
          blastRadius: broken.newPods,
        });
        const atBest = runDeployment(limits, { ...clock, ...room, graceSeconds: 0 }, type);
        expect(planned.lowerBoundSeconds).toBeLessThanOrEqual(atBest.seconds ?? Infinity);
      }),
      { numRuns: 300 },
    );
  });
});

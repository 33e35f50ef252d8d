import * as fc from 'fast-check';
import { deployment, durationOf, MINUTE } from '../plan';
import { runDeployment } from './clock';
import { scaleRuns } from '../../setup/scale-runs';

function rolling(maxSurge: number, maxUnavailable: number, more: object = {}) {
  return deployment({ replicas: 4, strategy: { rollingUpdate: { maxSurge, maxUnavailable } }, ...more });
}

const QUOTA = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, spec: { hard: { pods: 4 } } };

describe('the duration of a Deployment', () => {
  test('an iteration takes start-up plus minReadySeconds; a broken image is detected at the progress deadline', () => {
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

  test('a new pod that needs the slot of an old one waits for its full grace period', () => {
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

  test('less capacity means more iterations and a smaller blast radius', () => {
    const quota = { ...QUOTA, spec: { hard: { pods: 6 } } };
    expect(durationOf(rolling(4, 0), MINUTE, quota)).toMatchObject({
      lowerBoundSeconds: 120,
      // The first two fit immediately.
      expectedSeconds: 60 + 30 + 60,
      blastRadius: 2,
    });
    expect(durationOf(rolling(4, 0))).toMatchObject({ lowerBoundSeconds: 60, blastRadius: 4 });
  });

  test.each([
    // replicas, surge, unavailable, start-up, grace, pods of the quota, seconds
    [4, 1, 0, 60, 300, 5, 1140],
    [2, 1, 0, 60, 30, 3, 150],
    // A grace period longer than the start-up: deleted pods of several waves use slots at the same time.
    [10, 1, 0, 10, 120, 12, 540],
    [3, 0, 2, 39, 198, 5, 237],
    // The fourth pod finds no free slot, but two waits for readiness take longer than one wait for a slot.
    [5, 2, 0, 20, 11, 8, 60],
  ])('%i replicas, surge %i, unavailable %i, start-up %i s, grace %i s in a quota of %i pods: %i s', (...row) => {
    const [replicas, maxSurge, maxUnavailable, startupSeconds, terminationGracePeriodSeconds, hard, expectedSeconds] = row;
    const template = { spec: { terminationGracePeriodSeconds } };
    const quota = { ...QUOTA, spec: { hard: { pods: hard } } };
    const object = rolling(maxSurge, maxUnavailable, { replicas, template });
    expect(durationOf(object, { startupSeconds }, quota)).toMatchObject({ expectedSeconds });
  });

  test('a pod that a quota first refuses is created later, which is progress; a pod that waits for a node is created immediately', () => {
    const nodes = { nodePools: [{ name: 'small', count: 4, allocatable: { pods: 1 } }] };
    expect(durationOf(rolling(0, 1), MINUTE, QUOTA)).toMatchObject({ abortSeconds: 30 + 600, blastRadius: 1 });
    expect(durationOf(rolling(0, 1), { ...MINUTE, capacity: nodes })).toMatchObject({ abortSeconds: 600, blastRadius: 1 });
  });

  test('a rollout without capacity deadlocks, and the deadline reports it', () => {
    expect(durationOf(rolling(1, 0), MINUTE, QUOTA)).toMatchObject({ expectedSeconds: null, abortSeconds: 600, blastRadius: 0 });
  });

  test('the largest progress deadline disables it: a broken image is never detected', () => {
    expect(durationOf(rolling(1, 0, { progressDeadlineSeconds: 2_147_483_647 }))).toMatchObject({ abortSeconds: null });
  });

  test('is undefined if the start-up is unknown, for 0 replicas, and for a paused Deployment', () => {
    expect(durationOf(rolling(1, 0), {})).toBeUndefined();
    expect(durationOf(rolling(1, 0, { replicas: 0 }))).toBeUndefined();
    expect(durationOf(rolling(1, 0, { paused: true }))).toBeUndefined();
  });
});

/** Limits the number of slots: by a quota, by the capacity of the cluster, or by nodes with one slot each. */
const LIMITS: Readonly<Record<string, (slots: number) => { others: object[]; capacity?: object }>> = {
  'without limit': () => ({ others: [] }),
  'with a quota': (slots) => ({ others: [{ ...QUOTA, spec: { hard: { pods: slots } } }] }),
  'with a capacity': (slots) => ({ others: [], capacity: { total: { cpu: slots } } }),
  'with nodes': (slots) => ({ others: [], capacity: { nodePools: [{ name: 'n', count: slots, allocatable: { cpu: 1 } }] } }),
};

describe('the duration of a Deployment equals that of the controller run against a clock', () => {
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

  test.each(Object.keys(LIMITS))('%s', (limit) => {
    fc.assert(
      fc.property(pods, times, fc.boolean(), ({ replicas, surge, unavailable, spare }, clock, isRecreate) => {
        fc.pre(surge + unavailable > 0);
        const type = isRecreate ? 'Recreate' : 'RollingUpdate';
        const slots = Math.max(1, replicas + spare);
        const { others, capacity } = LIMITS[limit]!(slots);
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
        const capacityLimit = { slots: limit === 'without limit' ? Infinity : slots, createsWithoutSlot: limit !== 'with a quota' };
        const healthy = runDeployment(limits, { ...clock, ...capacityLimit }, type);
        const broken = runDeployment(limits, { ...clock, ...capacityLimit, isBroken: true }, type);
        expect(planned).toEqual({
          startupSeconds,
          lowerBoundSeconds: planned.lowerBoundSeconds,
          expectedSeconds: healthy.seconds,
          abortSeconds: broken.lastProgress + 600,
          blastRadius: broken.newPods,
        });
        const atBest = runDeployment(limits, { ...clock, ...capacityLimit, graceSeconds: 0 }, type);
        expect(planned.lowerBoundSeconds).toBeLessThanOrEqual(atBest.seconds ?? Infinity);
      }),
      { numRuns: scaleRuns(300) },
    );
  });
});

import * as fc from 'fast-check';
import { durationOf, MINUTE, statefulSet } from '../plan';
import { runStatefulSet } from './clock';

/** Five pods, of which the upper three are updated, two at a time. */
function set(more: object = {}) {
  return statefulSet({ replicas: 5, updateStrategy: { rollingUpdate: { partition: 2, maxUnavailable: 2 } }, ...more });
}

describe('how long a StatefulSet takes', () => {
  const withGate = { ...MINUTE, versions: { kubernetes: '1.37' } };

  test('every batch waits for its old pods; in order its new pods start one after another, in parallel together', () => {
    expect(durationOf(set(), withGate)).toEqual({
      startupSeconds: 60,
      lowerBoundSeconds: 3 * 60,
      expectedSeconds: 3 * 60 + 2 * 30,
      abortSeconds: null,
      blastRadius: 2,
    });
    expect(durationOf(set({ podManagementPolicy: 'Parallel' }), withGate)).toMatchObject({
      lowerBoundSeconds: 2 * 60,
      expectedSeconds: 2 * 90,
    });
  });

  test('of many pods is that of all batches, listed or not', () => {
    const many = statefulSet({ replicas: 3000, updateStrategy: { rollingUpdate: { partition: 1000, maxUnavailable: 3 } } });
    expect(durationOf(many, withGate)).toMatchObject({
      lowerBoundSeconds: 2000 * 60,
      expectedSeconds: 2000 * 60 + 667 * 30,
      blastRadius: 3,
    });
  });

  test('one by one where the version drops maxUnavailable', () => {
    expect(durationOf(set())).toMatchObject({ lowerBoundSeconds: 180, expectedSeconds: 3 * 90, blastRadius: 1 });
  });

  test('Parallel goes on as soon as a pod is ready before Kubernetes 1.34, which waits for minReadySeconds too', () => {
    const parallel = statefulSet({ replicas: 3, minReadySeconds: 100, podManagementPolicy: 'Parallel' });
    expect(durationOf(parallel, { ...MINUTE, versions: { kubernetes: '1.33' } })).toMatchObject({
      lowerBoundSeconds: 3 * 60 + 100,
      expectedSeconds: 3 * (30 + 60) + 100,
    });
    expect(durationOf(parallel)).toMatchObject({ lowerBoundSeconds: 3 * 160, expectedSeconds: 3 * (30 + 160) });
    const inOrder = statefulSet({ replicas: 3, minReadySeconds: 100 });
    expect(durationOf(inOrder, { ...MINUTE, versions: { kubernetes: '1.33' } })).toMatchObject({ lowerBoundSeconds: 3 * 160 });
  });

  test('a broken image takes down a whole batch, though OrderedReady starts but one pod of it again', () => {
    expect(durationOf(set(), withGate)).toMatchObject({ abortSeconds: null, blastRadius: 2 });
  });

  test('a change that reaches no pod by itself takes no time', () => {
    expect(durationOf(statefulSet({ replicas: 3, updateStrategy: { type: 'OnDelete' } }))).toBeUndefined();
    expect(durationOf(statefulSet({ replicas: 3, updateStrategy: { rollingUpdate: { partition: 3 } } }))).toBeUndefined();
  });
});

describe('the duration of a StatefulSet is what the controller takes against a clock', () => {
  const settings = fc.record({
    replicas: fc.integer({ min: 1, max: 8 }),
    partition: fc.nat(4),
    maxUnavailable: fc.integer({ min: 1, max: 4 }),
    policy: fc.constantFrom('OrderedReady' as const, 'Parallel' as const),
  });
  const times = fc.record({ startupSeconds: fc.integer({ min: 1, max: 60 }), minReadySeconds: fc.nat(20), graceSeconds: fc.nat(100) });

  test.each([
    ['1.33', false],
    ['1.34', false],
    ['1.37', true],
  ])('in Kubernetes %s', (kubernetes, gate) => {
    fc.assert(
      fc.property(settings, times, ({ replicas, partition, maxUnavailable, policy }, clock) => {
        fc.pre(partition < replicas);
        const { startupSeconds, minReadySeconds, graceSeconds } = clock;
        const planned = durationOf(
          statefulSet({
            replicas,
            minReadySeconds,
            podManagementPolicy: policy,
            updateStrategy: { rollingUpdate: { partition, maxUnavailable } },
            template: { spec: { terminationGracePeriodSeconds: graceSeconds } },
          }),
          { startupSeconds, versions: { kubernetes } },
        )!;

        const controller = { replicas, partition, maxUnavailable, policy, gate };
        const awaitsMinReady = policy === 'OrderedReady' || kubernetes !== '1.33';
        expect(planned).toEqual({
          startupSeconds,
          lowerBoundSeconds: runStatefulSet(controller, { ...clock, graceSeconds: 0 }, awaitsMinReady).seconds,
          expectedSeconds: runStatefulSet(controller, clock, awaitsMinReady).seconds,
          abortSeconds: null,
          blastRadius: runStatefulSet(controller, { ...clock, isBroken: true }, awaitsMinReady).mostDown,
          // Only where the gate is on are several pods down at once.
          ...(policy === 'Parallel' && gate && Math.min(maxUnavailable, replicas - partition) > 1 && { startsInParallel: true }),
        });
      }),
      { numRuns: 300 },
    );
  });
});

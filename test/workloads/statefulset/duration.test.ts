import * as fc from 'fast-check';
import { durationOf, MINUTE, statefulSet } from '../plan';
import { runStatefulSet } from './clock';
import { scaleRuns } from '../../setup/scale-runs';

/** Returns a StatefulSet of five pods that updates the upper three, two at a time. */
function set(more: object = {}) {
  return statefulSet({ replicas: 5, updateStrategy: { rollingUpdate: { partition: 2, maxUnavailable: 2 } }, ...more });
}

describe('the duration of a StatefulSet', () => {
  const withGate = { ...MINUTE, versions: { kubernetes: '1.37' } };

  test('every batch waits for its old pods; new pods start one after another with OrderedReady, and together with Parallel', () => {
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

  test('includes all batches, also those that are not listed', () => {
    const many = statefulSet({ replicas: 3000, updateStrategy: { rollingUpdate: { partition: 1000, maxUnavailable: 3 } } });
    expect(durationOf(many, withGate)).toMatchObject({
      lowerBoundSeconds: 2000 * 60,
      expectedSeconds: 2000 * 60 + 667 * 30,
      blastRadius: 3,
    });
  });

  test('assumes one pod at a time if the version drops maxUnavailable', () => {
    expect(durationOf(set())).toMatchObject({ lowerBoundSeconds: 180, expectedSeconds: 3 * 90, blastRadius: 1 });
  });

  test('Parallel ignores minReadySeconds before Kubernetes 1.34', () => {
    const parallel = statefulSet({ replicas: 3, minReadySeconds: 100, podManagementPolicy: 'Parallel' });
    expect(durationOf(parallel, { ...MINUTE, versions: { kubernetes: '1.33' } })).toMatchObject({
      lowerBoundSeconds: 3 * 60 + 100,
      expectedSeconds: 3 * (30 + 60) + 100,
    });
    expect(durationOf(parallel)).toMatchObject({ lowerBoundSeconds: 3 * 160, expectedSeconds: 3 * (30 + 160) });
    const inOrder = statefulSet({ replicas: 3, minReadySeconds: 100 });
    expect(durationOf(inOrder, { ...MINUTE, versions: { kubernetes: '1.33' } })).toMatchObject({ lowerBoundSeconds: 3 * 160 });
  });

  test('a broken image takes down an entire batch, although OrderedReady restarts only one pod of it', () => {
    expect(durationOf(set(), withGate)).toMatchObject({ abortSeconds: null, blastRadius: 2 });
  });

  test('is undefined for a change that replaces no pod by itself', () => {
    expect(durationOf(statefulSet({ replicas: 3, updateStrategy: { type: 'OnDelete' } }))).toBeUndefined();
    expect(durationOf(statefulSet({ replicas: 3, updateStrategy: { rollingUpdate: { partition: 3 } } }))).toBeUndefined();
  });
});

describe('the duration of a StatefulSet equals that of the controller run against a clock', () => {
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
          // Several pods are down at once only if the gate is on.
          ...(policy === 'Parallel' && gate && Math.min(maxUnavailable, replicas - partition) > 1 && { startsInParallel: true }),
        });
      }),
      { numRuns: scaleRuns(300) },
    );
  });
});

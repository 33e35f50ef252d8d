import * as fc from 'fast-check';
import { expectValidPlan } from '../plan-schema';
import { planManifests } from '../../src/headless';
import type { PlanOptions } from '../../src/headless';
import { deployment, findingsOf, statefulSet } from './plan';
import { runDeployment, runStatefulSet } from './rollout-clock';

const MINUTE = { startupSeconds: 60 };

function durationOf(object: object, options: PlanOptions = MINUTE, ...others: object[]) {
  return expectValidPlan(planManifests([object, ...others], options)).rollouts[0]!.duration;
}

function rolling(maxSurge: number, maxUnavailable: number, more: object = {}) {
  return deployment({ replicas: 4, strategy: { rollingUpdate: { maxSurge, maxUnavailable } }, ...more });
}

/** Four pods, one more at a time, of a template with the annotation. */
function annotated(seconds: unknown) {
  return rolling(1, 0, { template: { metadata: { annotations: { 'rolloutkit/startup-seconds': seconds } } } });
}

/** Five pods, of which the upper three are updated, two at a time. */
function set(more: object = {}) {
  return statefulSet({ replicas: 5, updateStrategy: { rollingUpdate: { partition: 2, maxUnavailable: 2 } }, ...more });
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
        });
      }),
      { numRuns: 300 },
    );
  });
});

describe('the annotation rolloutkit/startup-seconds of a pod template', () => {
  test('says it for one workload, and wins over what is given for all', () => {
    expect(durationOf(annotated('90'), {})).toMatchObject({ startupSeconds: 90, lowerBoundSeconds: 360 });
    expect(durationOf(annotated('90'))).toMatchObject({ startupSeconds: 90 });
    expect(durationOf(annotated('0'))).toMatchObject({ startupSeconds: 0, lowerBoundSeconds: 0 });
  });

  test.each(['', 'soon', '2m', '-1', 'Infinity'])('is passed over, with a warning, where it is no number of seconds: %j', (text) => {
    expect(durationOf(annotated(text), {})).toBeUndefined();
    expect(durationOf(annotated(text))).toMatchObject({ startupSeconds: 60 });
    expect(findingsOf([annotated(text)], 'input/wrong-type')).toEqual([
      {
        code: 'input/wrong-type',
        severity: 'warning',
        path: 'spec.template.metadata.annotations[rolloutkit/startup-seconds]',
        message: `rolloutkit/startup-seconds is ${JSON.stringify(text)}, which is no number of seconds: the plan passes it over.`,
        help: 'Write seconds as a number in quotes, such as "120", or delete the annotation.',
      },
    ]);
    const template = { metadata: { annotations: { 'rolloutkit/startup-seconds': text } } };
    expect(findingsOf([statefulSet({ template })], 'input/wrong-type')).toHaveLength(1);
  });

  test.each(['0', '90', '1.5'])('is read without a word where it is one: %j', (text) => {
    expect(findingsOf([annotated(text)], 'input/wrong-type')).toEqual([]);
  });

  test('counts for the progress deadline too', () => {
    expect(findingsOf([annotated('600')], 'kubernetes/progress-deadline-too-short')).toMatchObject([{ severity: 'warning' }]);
    expect(findingsOf([annotated('599')], 'kubernetes/progress-deadline-too-short')).toEqual([]);
  });
});

test('the Deployment of an operator, of which only the number of pods is known, has the usual grace period and deadline', () => {
  const spec = { replicas: 5, strategy: { rolling_update: { max_surge: 1, max_unavailable: '25%' } } };
  const resource = { apiVersion: 'icp4a.ibm.com/v1', kind: 'ICP4ACluster', metadata: { name: 'baw' }, spec };
  expect(durationOf(resource)).toMatchObject({ lowerBoundSeconds: 180, expectedSeconds: 180, abortSeconds: 600, blastRadius: 2 });
  expect(durationOf(resource, {})).toBeUndefined();
});

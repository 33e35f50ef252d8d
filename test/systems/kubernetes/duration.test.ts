import { expectValidPlan } from '../../plan-schema';
import { planManifests } from '../../../src/plan';
import type { PlanOptions } from '../../../src/plan';
import { deployment, findingsOf, statefulSet } from './plan';

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
      expectedSeconds: 120 + 2 * 30,
      blastRadius: 2,
    });
    expect(durationOf(rolling(4, 0))).toMatchObject({ lowerBoundSeconds: 60, blastRadius: 4 });
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

  test('nothing happens by itself with OnDelete', () => {
    expect(durationOf(statefulSet({ replicas: 3, updateStrategy: { type: 'OnDelete' } }))).toMatchObject({
      lowerBoundSeconds: 0,
      blastRadius: 0,
    });
  });
});

describe('the annotation rolloutkit/startup-seconds of a pod template', () => {
  test('says it for one workload, and wins over what is given for all', () => {
    expect(durationOf(annotated('90'), {})).toMatchObject({ startupSeconds: 90, lowerBoundSeconds: 360 });
    expect(durationOf(annotated('90'))).toMatchObject({ startupSeconds: 90 });
    expect(durationOf(annotated('0'))).toMatchObject({ startupSeconds: 0, lowerBoundSeconds: 0 });
  });

  test.each(['', 'soon', '-1', 'Infinity'])('is passed over where it is no number of seconds: %j', (text) => {
    expect(durationOf(annotated(text), {})).toBeUndefined();
    expect(durationOf(annotated(text))).toMatchObject({ startupSeconds: 60 });
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

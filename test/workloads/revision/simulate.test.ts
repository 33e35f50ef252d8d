import * as fc from 'fast-check';
import { UNLIMITED } from '../../../src/cluster/rollout/limited-run';
import type { RevisionSimulation } from '../../../src/core/simulations/revision';
import type { RevisionScale } from '../../../src/workloads/revision/scale';
import {
  computeRevisionDuration,
  computeRevisionOutcome,
  simulateRevision,
  computeTrafficSteps,
} from '../../../src/workloads/revision/simulate';
import { simulateRevisionWithin } from '../../../src/workloads/revision/simulate-within';
import { scaleRuns } from '../../setup/scale-runs';

/** Returns the scale of a Revision with this minimum, with the defaults of Knative. */
function scaleOf(minScale: number, parts: Partial<RevisionScale> = {}): RevisionScale {
  const initialScale = parts.initialScale ?? 1;
  return {
    minScale,
    initialScale,
    requiredReadyPods: Math.max(minScale, initialScale),
    leftoverPods: 0,
    trafficPercent: 100,
    rolloutSeconds: 0,
    progressDeadline: 600,
    graceSeconds: 30,
    ...parts,
  };
}

/** Formats rows: `6/4/10` is old pods, new pods, percent to the new ones. */
function rowsOf({ waves }: RevisionSimulation): string[] {
  return waves.map(({ oldPods, newPods, latestTrafficPercent }) => `${oldPods}/${newPods}/${latestTrafficPercent}`);
}

describe('a new Revision starts next to the old one', () => {
  test.each([
    ['no pods while idle', scaleOf(0), 0, ['0/1/0', '0/1/100', '0/0/100'], 1],
    ['no pods while idle, and 3 needed now', scaleOf(0), 3, ['3/1/0', '3/1/100', '3/3/100', '0/3/100'], 6],
    ['1 pod', scaleOf(1), 1, ['1/1/0', '1/1/100', '0/1/100'], 2],
    ['4 pods', scaleOf(4), 4, ['4/1/0', '4/4/0', '4/4/100', '0/4/100'], 8],
    ['4 pods at least, and 6 needed now', scaleOf(4), 6, ['6/1/0', '6/4/0', '6/4/100', '6/6/100', '0/6/100'], 12],
    ['the same with a canary of 10%', scaleOf(4, { trafficPercent: 10 }), 6, ['6/1/0', '6/4/0', '6/4/10'], 10],
    ['the same with a canary of 50%', scaleOf(4, { trafficPercent: 50 }), 6, ['6/1/0', '6/4/0', '6/4/50', '4/4/50'], 10],
    ['4 pods and a canary of 0%', scaleOf(4, { trafficPercent: 0 }), 4, ['4/1/0', '4/4/0'], 8],
    ['1 pod and an initial scale of 3', scaleOf(1, { initialScale: 3 }), 1, ['1/3/0', '1/3/100', '1/1/100', '0/1/100'], 4],
    [
      '2 pods and the HPA class, which keeps one of the old',
      scaleOf(2, { leftoverPods: 1 }),
      2,
      ['2/1/0', '2/2/0', '2/2/100', '1/2/100'],
      4,
    ],
  ] as const)('%s', (_, scale, needed, rows, peak) => {
    const simulation = simulateRevision(scale, needed);
    expect(rowsOf(simulation)).toEqual(rows);
    expect(simulation.peakPods).toBe(peak);
  });

  test('its rows count pods that are ready before the new pods of the row', () => {
    expect(simulateRevision(scaleOf(4), 6)).toEqual({
      kind: 'revision',
      replicas: 6,
      peakPods: 12,
      minAvailable: 6,
      latestTrafficPercent: 100,
      waves: [
        { wave: 1, newPods: 1, oldPods: 6, total: 7, available: 6, latestTrafficPercent: 0 },
        { wave: 2, newPods: 4, oldPods: 6, total: 10, available: 6, latestTrafficPercent: 0 },
        { wave: 3, newPods: 4, oldPods: 6, total: 10, available: 10, latestTrafficPercent: 100 },
        { wave: 4, newPods: 6, oldPods: 6, total: 12, available: 10, latestTrafficPercent: 100 },
        { wave: 5, newPods: 6, oldPods: 0, total: 6, available: 6, latestTrafficPercent: 100 },
      ],
    });
  });

  test('requests move in the steps of a rollout-duration, while both keep their pods', () => {
    expect(computeTrafficSteps(scaleOf(1, { rolloutSeconds: 10 }))).toEqual({
      percents: [1, 12, 23, 34, 45, 56, 67, 78, 89, 100],
      seconds: 1,
    });
    expect(computeTrafficSteps(scaleOf(1, { rolloutSeconds: 120 })).percents).toHaveLength(100);
    expect(computeTrafficSteps(scaleOf(1, { rolloutSeconds: 10, trafficPercent: 5 }))).toEqual({
      percents: [1, 2, 3, 4, 5],
      seconds: 2.25,
    });
    expect(rowsOf(simulateRevision(scaleOf(2, { rolloutSeconds: 3 }), 2))).toEqual([
      '2/1/0',
      '2/2/0',
      '2/2/1',
      '2/2/51',
      '2/2/100',
      '0/2/100',
    ]);
  });

  test('requests of one percent or none move without steps', () => {
    expect(computeTrafficSteps(scaleOf(1, { rolloutSeconds: 10, trafficPercent: 1 }))).toEqual({ percents: [1], seconds: 0 });
    expect(computeTrafficSteps(scaleOf(1, { rolloutSeconds: 10, trafficPercent: 0 }))).toEqual({ percents: [0], seconds: 0 });
  });

  test('at each step both have the pods for their share, and the old one keeps those of the last step until it gets no requests', () => {
    expect(rowsOf(simulateRevision(scaleOf(2, { rolloutSeconds: 4 }), 10))).toEqual([
      '10/1/0',
      '10/2/0',
      '10/2/1',
      '7/4/34',
      '4/7/67',
      '4/10/100',
      '0/10/100',
    ]);
  });
});

describe('the duration of a Revision whose pods start in 60 s', () => {
  const seconds = { startup: 60, minReady: 0, grace: 30 };

  test.each([
    ['30 s more until the old one is deleted', scaleOf(4), 4, 90],
    ['nothing more if no pods are deleted', scaleOf(0), 0, 60],
    ['nothing more if the old one keeps its share of the requests', scaleOf(4, { trafficPercent: 10 }), 4, 60],
    ['the steps of a rollout-duration as well', scaleOf(4, { rolloutSeconds: 10 }), 4, 99],
    ['the steps of a canary', scaleOf(4, { rolloutSeconds: 10, trafficPercent: 5 }), 4, 69],
  ] as const)('%s', (_, scale, needed, total) => {
    const duration = computeRevisionDuration(scale, simulateRevision(scale, needed), seconds);
    expect(duration).toMatchObject({ startupSeconds: 60, lowerBoundSeconds: total, expectedSeconds: total, abortSeconds: 630 });
  });
});

describe('without capacity for the new Revision', () => {
  const runWithin = (scale: RevisionScale, needed: number, room: number, quota = room) =>
    simulateRevisionWithin(scale, needed, { admitted: (old) => quota - old, placed: (old) => room - old });

  test('with none of its pods: Knative abandons it after the deadline and the grace period', () => {
    const { simulation: halted } = runWithin(scaleOf(4), 4, 4);
    expect(rowsOf(halted)).toEqual(['4/0/0', '4/0/0', '4/0/0']);
    expect(halted).toMatchObject({ peakPods: 4, minAvailable: 4, halted: { wave: 2, reason: 'insufficient-capacity', afterSeconds: 630 } });
  });

  test('with no node for its pods: they wait until then', () => {
    const { simulation: halted } = runWithin(scaleOf(4), 4, 4, Infinity);
    expect(rowsOf(halted)).toEqual(['4/1/0', '4/4/0', '4/0/0']);
    expect(halted.halted).toEqual({ wave: 2, reason: 'insufficient-capacity', afterSeconds: 630 });
  });

  test('with some of its pods: they keep their capacity permanently', () => {
    const { simulation: halted } = runWithin(scaleOf(4), 4, 6);
    expect(rowsOf(halted)).toEqual(['4/1/0', '4/2/0']);
    expect(halted).toMatchObject({ peakPods: 6, halted: { wave: 2, reason: 'insufficient-capacity' } });
    expect(halted.halted).not.toHaveProperty('afterSeconds');
  });

  test('with one of its pods, and a Knative that is ready at one pod: the others start once the old Revision is gone', () => {
    const run = runWithin(scaleOf(4, { requiredReadyPods: 1 }), 4, 5, Infinity);
    expect(run.simulation.waves.map(({ oldPods, newPods, available }) => [oldPods, newPods, available])).toEqual([
      [4, 1, 4],
      [4, 4, 4],
      [4, 4, 5],
      [0, 4, 1],
      [0, 4, 4],
    ]);
    expect(run).toMatchObject({ isFinished: true, isUnlimited: false, ready: 4, old: 0, startingRows: 2 });
  });

  test('with all of its pods: its rows are those without limits', () => {
    fc.assert(
      fc.property(SCALE, ({ scale, needed }) => {
        const { simulation, isUnlimited } = simulateRevisionWithin(scale, needed, UNLIMITED);
        expect(simulation).toEqual(simulateRevision(scale, needed));
        expect(isUnlimited).toBe(true);
      }),
      { numRuns: scaleRuns(200) },
    );
  });

  test.each([
    ['all of its pods', 8, false, { verdict: 'fits' }],
    ['some of its pods', 7, false, { verdict: 'deadlocks', deadlockWave: 2 }],
    ['some of its pods with a Knative that is ready at one pod', 5, true, { verdict: 'slower', iterations: 3 }],
    ['none of its pods with such a Knative', 4, true, { verdict: 'deadlocks', deadlockWave: 2 }],
  ] as const)('%s fit', (_, capacity, readyEarly, outcome) => {
    const scale = scaleOf(4, readyEarly ? { requiredReadyPods: 1 } : {});
    expect(computeRevisionOutcome(scale, simulateRevision(scale, 4), capacity, false)).toEqual(outcome);
  });

  test('a Revision that starts with all of its pods waits for them in its first wave', () => {
    const outcome = (scale: RevisionScale, capacity: number) => computeRevisionOutcome(scale, simulateRevision(scale, 1), capacity, false);
    expect(outcome(scaleOf(1), 1)).toEqual({ verdict: 'deadlocks', deadlockWave: 1 });
    expect(outcome(scaleOf(1, { initialScale: 3 }), 3)).toEqual({ verdict: 'deadlocks', deadlockWave: 1 });
  });

  test('takes one more iteration for each wave that creates pods: with 1, 4 and 6', () => {
    const scale = scaleOf(4, { requiredReadyPods: 1 });
    expect(computeRevisionOutcome(scale, simulateRevision(scale, 6), 8, false)).toEqual({ verdict: 'slower', iterations: 4 });
  });

  test('pods that a quota refuses keep even such a Knative from becoming ready', () => {
    const scale = scaleOf(4, { requiredReadyPods: 1 });
    expect(computeRevisionOutcome(scale, simulateRevision(scale, 4), 5, true)).toEqual({ verdict: 'deadlocks', deadlockWave: 2 });
  });
});

/**
 * An independent model of Knative, second by second: each Revision has a Deployment and an autoscaler, and the route depends on ready pods.
 * It shares no code with the simulation and has no waves.
 */
function runModel(scale: RevisionScale, needed: number, capacity: number) {
  const old = { desired: needed, ready: needed, idleSince: Infinity };
  const next = { desired: scale.initialScale, ready: 0 };
  let percent = 0;
  let peak = needed;
  let minAvailable = needed;
  const share = (percentage: number) => Math.max(scale.minScale, Math.ceil((needed * percentage) / 100));
  const isMoved = () => percent === scale.trafficPercent && next.ready >= 0 && wasReady;
  let wasReady = false;
  for (let second = 0; second < 700; second++) {
    // The autoscalers raise the new Revision to min-scale and, once it serves, to its share.
    if (!wasReady) next.desired = Math.max(scale.minScale, scale.initialScale);
    else next.desired = percent === 100 ? share(100) : share(percent);
    if (wasReady && percent === 100 && old.idleSince === Infinity) old.idleSince = second;
    if (wasReady && percent < 100) old.desired = Math.min(old.desired, share(100 - percent));
    if (second - old.idleSince >= 30) old.desired = Math.min(old.desired, scale.leftoverPods);
    old.ready = old.desired;
    // Pods become ready one second after they are scheduled; pods of the old Revision keep their capacity.
    next.ready = Math.min(next.desired, Math.max(0, capacity - old.ready), next.ready + (second % 2 === 1 ? next.desired : 0));
    peak = Math.max(peak, old.desired + Math.min(next.desired, Math.max(0, capacity - old.desired)));
    minAvailable = Math.min(minAvailable, old.ready + next.ready);
    // The readiness gate, then the route.
    if (!wasReady && next.ready >= Math.max(scale.minScale, scale.initialScale)) wasReady = true;
    if (wasReady && !isMoved()) percent = scale.trafficPercent;
  }
  return { isReady: wasReady, peak, minAvailable, oldPods: old.desired, newPods: next.ready };
}

const SCALE = fc
  .record({
    minScale: fc.nat(12),
    initialScale: fc.integer({ min: 1, max: 12 }),
    trafficPercent: fc.oneof(fc.constant(100), fc.nat(100)),
    leftoverPods: fc.constantFrom(0 as const, 1 as const),
    more: fc.nat(12),
  })
  .map(({ minScale, more, ...parts }) => ({ scale: scaleOf(minScale, parts), needed: minScale + more }));

describe('an independent model without waves', () => {
  test('has the same peak, the same minimum and the same end, with capacity for all pods', () => {
    fc.assert(
      fc.property(SCALE, ({ scale, needed }) => {
        const simulation = simulateRevision(scale, needed);
        const last = simulation.waves.at(-1)!;
        const actual = runModel(scale, needed, Infinity);
        expect(actual).toEqual({
          isReady: true,
          peak: simulation.peakPods,
          minAvailable: simulation.minAvailable,
          oldPods: last.oldPods,
          newPods: last.newPods,
        });
      }),
      { numRuns: scaleRuns(500) },
    );
  });

  test('deadlocks in the same cases', () => {
    fc.assert(
      fc.property(SCALE, fc.nat(40), ({ scale, needed }, more) => {
        const capacity = needed + more;
        const { verdict } = computeRevisionOutcome(scale, simulateRevision(scale, needed), capacity, true);
        expect(runModel(scale, needed, capacity).isReady).toBe(verdict !== 'deadlocks');
      }),
      { numRuns: scaleRuns(500) },
    );
  });
});

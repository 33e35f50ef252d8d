import * as fc from 'fast-check';
import type { RevisionSimulation } from '../../../../src/core/simulations/revision';
import type { RevisionScale } from '../../../../src/systems/kserve/knative/scale';
import {
  simulateHaltedRevision,
  computeRevisionDuration,
  computeRevisionOutcome,
  simulateRevision,
  computeTrafficSteps,
} from '../../../../src/systems/kserve/knative/simulate';

/** A Revision with so many pods at least, as Knative is shipped. */
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

/** `6/4/10`: old pods, new pods, percent to the new ones. */
function rowsOf({ waves }: RevisionSimulation): string[] {
  return waves.map(({ oldPods, newPods, latestTrafficPercent }) => `${oldPods}/${newPods}/${latestTrafficPercent}`);
}

describe('a new Revision comes up beside the old one', () => {
  test.each([
    ['no pods while idle', scaleOf(0), 0, ['0/1/0', '0/1/100', '0/0/100'], 1],
    ['no pods while idle, and 3 needed now', scaleOf(0), 3, ['3/1/0', '3/1/100', '3/3/100', '0/3/100'], 6],
    ['1 pod', scaleOf(1), 1, ['1/1/0', '1/1/100', '0/1/100'], 2],
    ['4 pods', scaleOf(4), 4, ['4/1/0', '4/4/0', '4/4/100', '0/4/100'], 8],
    ['4 pods at least, and 6 needed now', scaleOf(4), 6, ['6/1/0', '6/4/0', '6/4/100', '6/6/100', '0/6/100'], 12],
    ['the same with a canary of 10 %', scaleOf(4, { trafficPercent: 10 }), 6, ['6/1/0', '6/4/0', '6/4/10'], 10],
    ['the same with a canary of 50 %', scaleOf(4, { trafficPercent: 50 }), 6, ['6/1/0', '6/4/0', '6/4/50', '4/4/50'], 10],
    ['4 pods and a canary of 0 %', scaleOf(4, { trafficPercent: 0 }), 4, ['4/1/0', '4/4/0'], 8],
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

  test('its rows count what is ready before the new pods of the row are', () => {
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

  test('requests move by the steps of a rollout-duration, while both keep their pods', () => {
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

  test('requests of one percent or none have no steps to move by', () => {
    expect(computeTrafficSteps(scaleOf(1, { rolloutSeconds: 10, trafficPercent: 1 }))).toEqual({ percents: [1], seconds: 0 });
    expect(computeTrafficSteps(scaleOf(1, { rolloutSeconds: 10, trafficPercent: 0 }))).toEqual({ percents: [0], seconds: 0 });
  });

  test('at each step both have the pods of their share, and the old one keeps those of the last step until nothing goes there', () => {
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

describe('how long a Revision takes, whose pods start in 60 s', () => {
  const seconds = { startup: 60, minReady: 0, grace: 30 };

  test.each([
    ['30 s more until the old one is gone', scaleOf(4), 4, 90],
    ['no longer where there are no pods that go', scaleOf(0), 0, 60],
    ['no longer where the old one keeps its share of the requests', scaleOf(4, { trafficPercent: 10 }), 4, 60],
    ['the steps of a rollout-duration too', scaleOf(4, { rolloutSeconds: 10 }), 4, 99],
    ['the steps of a canary', scaleOf(4, { rolloutSeconds: 10, trafficPercent: 5 }), 4, 69],
  ] as const)('%s', (_, scale, needed, total) => {
    const duration = computeRevisionDuration(scale, simulateRevision(scale, needed), seconds);
    expect(duration).toMatchObject({ startupSeconds: 60, lowerBoundSeconds: total, expectedSeconds: total, abortSeconds: 630 });
  });
});

describe('without room for the new Revision', () => {
  const delay = (podsWithRoom: number, podsAdmitted = podsWithRoom) => ({ deadlocks: true, podsWithRoom, podsAdmitted });

  test('none of whose pods comes: Knative gives up after the deadline and the grace period', () => {
    const halted = simulateHaltedRevision(scaleOf(4), simulateRevision(scaleOf(4), 4), delay(4));
    expect(rowsOf(halted)).toEqual(['4/0/0', '4/0/0', '4/0/0']);
    expect(halted).toMatchObject({ peakPods: 4, minAvailable: 4, halted: { wave: 2, reason: 'insufficient-capacity', afterSeconds: 630 } });
  });

  test('none of whose pods finds a node: they wait until then', () => {
    const halted = simulateHaltedRevision(scaleOf(4), simulateRevision(scaleOf(4), 4), delay(4, Infinity));
    expect(rowsOf(halted)).toEqual(['4/1/0', '4/4/0', '4/0/0']);
    expect(halted.halted).toEqual({ wave: 2, reason: 'insufficient-capacity', afterSeconds: 630 });
  });

  test('some of whose pods come: they hold their places for good', () => {
    const halted = simulateHaltedRevision(scaleOf(4), simulateRevision(scaleOf(4), 4), delay(6));
    expect(rowsOf(halted)).toEqual(['4/1/0', '4/2/0']);
    expect(halted).toMatchObject({ peakPods: 6, halted: { wave: 2, reason: 'insufficient-capacity' } });
    expect(halted.halted).not.toHaveProperty('afterSeconds');
  });

  test.each([
    ['all of them', 8, false, { verdict: 'fits' }],
    ['some of them', 7, false, { verdict: 'deadlocks', deadlockWave: 2 }],
    ['some of them under a Knative that is ready at one pod', 5, true, { verdict: 'slower', iterations: 3 }],
    ['none of them under it', 4, true, { verdict: 'deadlocks', deadlockWave: 2 }],
  ] as const)('%s find room', (_, room, readyEarly, outcome) => {
    const scale = scaleOf(4, readyEarly ? { requiredReadyPods: 1 } : {});
    expect(computeRevisionOutcome(scale, simulateRevision(scale, 4), room, false)).toEqual(outcome);
  });

  test('a Revision that begins with all of its pods waits for them in its first wave', () => {
    const outcome = (scale: RevisionScale, room: number) => computeRevisionOutcome(scale, simulateRevision(scale, 1), room, false);
    expect(outcome(scaleOf(1), 1)).toEqual({ verdict: 'deadlocks', deadlockWave: 1 });
    expect(outcome(scaleOf(1, { initialScale: 3 }), 3)).toEqual({ verdict: 'deadlocks', deadlockWave: 1 });
  });

  test('takes a turn more for each wave that starts pods: with 1, 4 and 6', () => {
    const scale = scaleOf(4, { requiredReadyPods: 1 });
    expect(computeRevisionOutcome(scale, simulateRevision(scale, 6), 8, false)).toEqual({ verdict: 'slower', iterations: 4 });
  });

  test('pods that a quota refuses keep even that Knative from being ready', () => {
    const scale = scaleOf(4, { requiredReadyPods: 1 });
    expect(computeRevisionOutcome(scale, simulateRevision(scale, 4), 5, true)).toEqual({ verdict: 'deadlocks', deadlockWave: 2 });
  });
});

/**
 * Knative as a machine of small rules, second by second: each Revision has a Deployment and an autoscaler,
 * and the route looks at what is ready. It shares nothing with the simulation, and knows no waves.
 */
function machine(scale: RevisionScale, needed: number, room: number) {
  const old = { wanted: needed, ready: needed, idleSince: Infinity };
  const next = { wanted: scale.initialScale, ready: 0 };
  let percent = 0;
  let peak = needed;
  let least = needed;
  const share = (of: number) => Math.max(scale.minScale, Math.ceil((needed * of) / 100));
  const isMoved = () => percent === scale.trafficPercent && next.ready >= 0 && wasReady;
  let wasReady = false;
  for (let second = 0; second < 700; second++) {
    // Autoscalers: the new one is pulled up to min-scale and, once it serves, to its share.
    if (!wasReady) next.wanted = Math.max(scale.minScale, scale.initialScale);
    else next.wanted = percent === 100 ? share(100) : share(percent);
    if (wasReady && percent === 100 && old.idleSince === Infinity) old.idleSince = second;
    if (wasReady && percent < 100) old.wanted = Math.min(old.wanted, share(100 - percent));
    if (second - old.idleSince >= 30) old.wanted = Math.min(old.wanted, scale.leftoverPods);
    old.ready = old.wanted;
    // Pods become ready a second after they found room; those of the old Revision hold theirs.
    next.ready = Math.min(next.wanted, Math.max(0, room - old.ready), next.ready + (second % 2 === 1 ? next.wanted : 0));
    peak = Math.max(peak, old.wanted + Math.min(next.wanted, Math.max(0, room - old.wanted)));
    least = Math.min(least, old.ready + next.ready);
    // The gate, and the route behind it.
    if (!wasReady && next.ready >= Math.max(scale.minScale, scale.initialScale)) wasReady = true;
    if (wasReady && !isMoved()) percent = scale.trafficPercent;
  }
  return { isReady: wasReady, peak, least, oldPods: old.wanted, newPods: next.ready };
}

const SCALE = fc
  .record({
    minScale: fc.nat(12),
    initialScale: fc.integer({ min: 1, max: 12 }),
    trafficPercent: fc.oneof(fc.constant(100), fc.nat(100)),
    remainingOldPods: fc.constantFrom(0 as const, 1 as const),
    more: fc.nat(12),
  })
  .map(({ minScale, more, ...parts }) => ({ scale: scaleOf(minScale, parts), needed: minScale + more }));

describe('a machine of small rules that knows no waves', () => {
  test('has the same peak, the same least and the same end, with room for all', () => {
    fc.assert(
      fc.property(SCALE, ({ scale, needed }) => {
        const simulation = simulateRevision(scale, needed);
        const last = simulation.waves.at(-1)!;
        const seen = machine(scale, needed, Infinity);
        expect(seen).toEqual({
          isReady: true,
          peak: simulation.peakPods,
          least: simulation.minAvailable,
          oldPods: last.oldPods,
          newPods: last.newPods,
        });
      }),
      { numRuns: 500 },
    );
  });

  test('stands still in the same places', () => {
    fc.assert(
      fc.property(SCALE, fc.nat(40), ({ scale, needed }, more) => {
        const room = needed + more;
        const { verdict } = computeRevisionOutcome(scale, simulateRevision(scale, needed), room, true);
        expect(machine(scale, needed, room).isReady).toBe(verdict !== 'deadlocks');
      }),
      { numRuns: 500 },
    );
  });
});

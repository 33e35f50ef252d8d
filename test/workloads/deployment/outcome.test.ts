import * as fc from 'fast-check';
import { computeDeploymentOutcome } from '../../../src/workloads/deployment/outcome';
import { simulateDeployment } from '../../../src/workloads/deployment/simulate';

function rolling(replicas: number, maxSurge: number, maxUnavailable: number) {
  return simulateDeployment({ type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } }, replicas);
}

function outcomeOf(simulation: ReturnType<typeof rolling>, room: number) {
  return computeDeploymentOutcome(simulation, room, false);
}

/** The controller's loop, wave by wave, where only `room` pods of the Deployment can run: asked-for pods count, running ones get ready. */
function loop({ replicas, surge, unavailable }: { replicas: number; surge: number; unavailable: number }, room: number) {
  let ready = 0;
  let asked = 0;
  let old = replicas;
  let wave = 0;
  let iterations = 0;
  for (;;) {
    const before = [asked, old];
    old = Math.min(old, Math.max(0, replicas - unavailable - ready));
    asked = Math.min(replicas, Math.max(asked, replicas + surge - old));
    const running = Math.min(asked, Math.max(ready, room - old));
    if (before[0] === asked && before[1] === old && running === ready) {
      return ready === replicas && old === 0 ? { wave, iterations, ends: true } : { wave, iterations, ends: false };
    }
    wave++;
    if (running > ready) iterations++;
    ready = running;
  }
}

describe('a rollout while only so many of its pods find room', () => {
  test('25 % and 25 % on 3 replicas is surge 1, unavailable 0: without room for a fourth pod nothing ever moves', () => {
    expect(
      outcomeOf(simulateDeployment({ type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } }, 3), 3),
    ).toEqual({
      verdict: 'deadlocks',
      deadlockWave: 1,
    });
  });

  test('surge 0, unavailable 1 replaces pods in place, so the room that they have is enough', () => {
    expect(outcomeOf(rolling(3, 0, 1), 3)).toEqual({ verdict: 'fits' });
  });

  test('room for a part of the surge only makes it slower: 2 pods in flight instead of 3', () => {
    expect(outcomeOf(rolling(6, 2, 1), 7)).toEqual({ verdict: 'slower', iterations: 3 });
    expect(rolling(6, 2, 1).iterations).toBe(2);
  });

  test('where the replicas themselves no longer fit, it goes on until the room is used up', () => {
    expect(outcomeOf(rolling(4, 1, 2), 3)).toEqual({ verdict: 'deadlocks', deadlockWave: 3 });
  });

  test('Recreate needs room for its replicas, not for more', () => {
    const recreate = simulateDeployment({ type: 'Recreate' }, 3);
    expect(computeDeploymentOutcome(recreate, 3, true)).toEqual({ verdict: 'fits' });
    expect(computeDeploymentOutcome(recreate, 2, true)).toEqual({ verdict: 'deadlocks', deadlockWave: 2 });
  });

  test('no replicas fit anywhere', () => {
    expect(outcomeOf(rolling(0, 1, 0), 0)).toEqual({ verdict: 'fits' });
  });

  test('the formula is the loop, for every small rollout and room', () => {
    const small = fc.nat({ max: 25 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 25 }), small, small, fc.nat({ max: 60 }), (replicas, surge, unavailable, room) => {
        const simulation = rolling(replicas, surge, unavailable);
        const outcome = outcomeOf(simulation, room);
        const looped = loop(simulation, room);
        const fits = room >= simulation.peakPods;
        const slower = { verdict: 'slower', iterations: looped.iterations };
        const expected = looped.ends ? (fits ? { verdict: 'fits' } : slower) : { verdict: 'deadlocks', deadlockWave: looped.wave };
        expect(outcome).toEqual(expected);
        expect(!fits || looped.iterations === simulation.iterations).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  test('the largest number of replicas is judged at once', () => {
    expect(outcomeOf(rolling(2_147_483_647, 1, 0), 2_147_483_647)).toEqual({ verdict: 'deadlocks', deadlockWave: 1 });
  });
});

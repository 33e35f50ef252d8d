import * as fc from 'fast-check';
import { simulateArgoRollout } from '../../../src/systems/argo-rollouts/simulate';
import { strategyOf } from '../../../src/systems/argo-rollouts/strategy';
import { rolloutsBehaviour } from '../../../src/systems/argo-rollouts/versions';

const behaviour = rolloutsBehaviour('1.9');

function query(replicas: number, canary: Record<string, unknown>) {
  return { strategy: strategyOf({ spec: { strategy: { canary } } }, behaviour)!, replicas, behaviour };
}

test('rows that are alike are skipped, and what is shown is what a walk through all of them shows', () => {
  const limits = fc.record({ maxSurge: fc.integer({ min: 0, max: 3 }), maxUnavailable: fc.integer({ min: 1, max: 3 }) });
  const steps = fc.array(
    fc.integer({ min: 0, max: 100 }).map((setWeight) => ({ setWeight })),
    { maxLength: 3 },
  );
  fc.assert(
    fc.property(fc.integer({ min: 2_000, max: 6_000 }), limits, steps, (replicas, canary, weights) => {
      const asked = query(replicas, { ...canary, steps: weights });
      expect(simulateArgoRollout(asked)).toEqual(simulateArgoRollout({ ...asked, isWhole: true }));
    }),
    { numRuns: 30 },
  );
});

test.each([
  [1_500, { maxSurge: 1, maxUnavailable: 0 }],
  [1_600, { maxSurge: 0, maxUnavailable: 1, steps: [{ setWeight: 50 }, { setWeight: 90 }] }],
  [3_000, { maxSurge: 1, maxUnavailable: 1, steps: [{ setWeight: 80 }, { pause: { duration: 5 } }] }],
])('so they are of %i pods with %j', (replicas, canary) => {
  const asked = query(replicas, canary);
  expect(simulateArgoRollout(asked)).toEqual(simulateArgoRollout({ ...asked, isWhole: true }));
});

describe('a blue-green rollout waits for its analyses, and the clock', () => {
  const analysis = { templates: [{ templateName: 'errors' }] };
  /** New pods, old ones, the share of the new ones, and what is waited for. */
  const rows = (blueGreen: object) => {
    const strategy = strategyOf({ spec: { strategy: { blueGreen: { activeService: 'web', ...blueGreen } } } }, behaviour)!;
    const { waves, halted } = simulateArgoRollout({ strategy, replicas: 2, behaviour });
    expect(halted).toBeUndefined();
    return waves.map(({ newPods, oldPods, newWeight, until }) => [newPods, oldPods, newWeight, until]);
  };

  test('the one before it is promoted', () => {
    expect(rows({ prePromotionAnalysis: analysis })).toEqual([
      [2, 2, 0, 'ready'],
      [2, 2, 0, 'analysis'],
      [2, 2, 100, 'seconds'],
      [2, 0, 100, undefined],
    ]);
  });

  test('the one after it is promoted', () => {
    expect(rows({ postPromotionAnalysis: analysis })).toEqual([
      [2, 2, 0, 'ready'],
      [2, 2, 100, 'analysis'],
      [2, 2, 100, 'seconds'],
      [2, 0, 100, undefined],
    ]);
  });

  test('both, one after the other', () => {
    expect(rows({ prePromotionAnalysis: analysis, postPromotionAnalysis: analysis })).toEqual([
      [2, 2, 0, 'ready'],
      [2, 2, 0, 'analysis'],
      [2, 2, 100, 'analysis'],
      [2, 2, 100, 'seconds'],
      [2, 0, 100, undefined],
    ]);
  });
});

test('the largest number of pods is walked in no time, step by step and back', () => {
  const simulation = simulateArgoRollout(
    query(2_147_483_647, { maxSurge: 1, maxUnavailable: 0, steps: [{ setWeight: 50 }, { pause: {} }] }),
  );
  expect(simulation.waves.at(-1)).toMatchObject({ newPods: 2_147_483_647, oldPods: 0 });
  expect(simulation.halted).toEqual({ wave: 1_073_741_825, reason: 'promotion' });
  expect(simulation.abort!.waves.at(-1)).toMatchObject({ newPods: 0, oldPods: 2_147_483_647 });
});

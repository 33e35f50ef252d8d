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

test('the largest number of pods is walked in no time, step by step and back', () => {
  const simulation = simulateArgoRollout(
    query(2_147_483_647, { maxSurge: 1, maxUnavailable: 0, steps: [{ setWeight: 50 }, { pause: {} }] }),
  );
  expect(simulation.waves.at(-1)).toMatchObject({ newPods: 2_147_483_647, oldPods: 0 });
  expect(simulation.halted).toEqual({ wave: 1_073_741_825, reason: 'promotion' });
  expect(simulation.abort!.waves.at(-1)).toMatchObject({ newPods: 0, oldPods: 2_147_483_647 });
});

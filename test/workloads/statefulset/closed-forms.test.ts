import * as fc from 'fast-check';
import { simulateStatefulSet } from '../../../src/workloads/statefulset/simulate';
import { rollOut } from './controller';
import { scaleRuns } from '../../setup/scale-runs';

describe("a StatefulSet's closed forms and the controller's loop agree", () => {
  const settings = fc.record({
    replicas: fc.integer({ min: 0, max: 40 }),
    partition: fc.integer({ min: 0, max: 45 }),
    maxUnavailable: fc.integer({ min: 1, max: 45 }),
    policy: fc.constantFrom('OrderedReady' as const, 'Parallel' as const),
    gate: fc.boolean(),
    start: fc.integer({ min: 0, max: 10 }),
  });

  test('on the batches, the untouched pods and the lowest number of available pods', () => {
    fc.assert(
      fc.property(settings, ({ start, ...loop }) => {
        const { replicas, partition, gate, maxUnavailable } = loop;
        const rollingUpdate = { partition, ...(gate && { maxUnavailable }) };
        const simulation = simulateStatefulSet({ type: 'RollingUpdate', rollingUpdate }, replicas, { firstOrdinal: start });
        const rolled = rollOut(loop);
        expect(simulation.batches).toEqual(rolled.batches.map((batch) => batch.map((index) => index + start)));
        expect(simulation.order).toEqual(rolled.batches.flat().map((index) => index + start));
        expect(simulation.untouched).toEqual(rolled.untouched.map((index) => index + start));
        expect(simulation.minAvailable).toBe(rolled.minAvailable);
      }),
      { numRuns: scaleRuns(2_000) },
    );
  });

  test('that OnDelete replaces nothing by itself', () => {
    fc.assert(
      fc.property(settings, ({ start, ...loop }) => {
        const { batches, untouched, minAvailable } = rollOut({ ...loop, type: 'OnDelete' });
        const simulation = simulateStatefulSet({ type: 'OnDelete' }, loop.replicas, { firstOrdinal: start });
        expect(batches).toEqual([]);
        expect(simulation).toEqual({
          kind: 'statefulset',
          replicas: loop.replicas,
          partition: 0,
          maxUnavailable: 1,
          order: [],
          batches: [],
          untouched: untouched.map((index) => index + start),
          minAvailable,
        });
      }),
    );
  });
});

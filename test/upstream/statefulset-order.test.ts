import type { IntOrPercent } from '../../src/core/values/int-or-percent';
import { simulateStatefulSet } from '../../src/workloads/statefulset/simulate';
import { defaultStatefulSetStrategy } from '../../src/workloads/statefulset/strategy';
import { recorded } from './recording';

interface Update {
  /** Whether the feature gate MaxUnavailableStatefulSet is on. */
  readonly gate: boolean;
  readonly replicas: number;
  readonly podManagementPolicy: 'OrderedReady' | 'Parallel';
  readonly type: 'RollingUpdate' | 'OnDelete';
  readonly partition: number;
  readonly maxUnavailable?: IntOrPercent;
  readonly start: number;
  readonly order: readonly number[];
  readonly batches: readonly (readonly number[])[];
  readonly untouched: readonly number[];
  readonly minAvailable: number;
}

const updates = recorded('kubernetes-statefulset-order') as readonly Update[];

function ourUpdate(update: Update): Update {
  const rollingUpdate = { partition: update.partition, maxUnavailable: update.maxUnavailable };
  const spec = update.type === 'OnDelete' ? { type: update.type } : { type: update.type, rollingUpdate };
  const strategy = defaultStatefulSetStrategy(spec, update.gate ? '1.35.0' : '1.34');
  const { order, batches, untouched, minAvailable } = simulateStatefulSet(strategy, update.replicas, { firstOrdinal: update.start });
  return { ...update, order, batches, untouched, minAvailable };
}

test('the StatefulSet controller replaces pods in the order and batches that we show', () => {
  expect(updates.length).toBeGreaterThan(400);
  expect(updates.map(ourUpdate)).toEqual(updates);
});

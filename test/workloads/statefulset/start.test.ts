/* Rollouts from states other than the end of a rollout. `test/upstream/changes.long.test.ts` compares the same with upstream's loop. */
import { simulateStatefulSet } from '../../../src/workloads/statefulset/simulate';
import type { StatefulSetState } from '../../../src/cluster/rollout/initial-state';
import type { PodManagement } from '../../../src/workloads/statefulset/simulate';
import type { StatefulSetUpdateStrategy } from '../../../src/workloads/statefulset/types';

/** Parses pods by index, one letter each: o is old, b is broken and old, n is new, s is new and starting, and a dot is a missing pod. */
function pods(letters: string) {
  return Array.from(letters, (letter, index) => ({ index, isNew: 'ns'.includes(letter), available: 'on'.includes(letter) })).filter(
    ({ index }) => letters[index] !== '.',
  );
}

const rolling = (rollingUpdate: StatefulSetUpdateStrategy['rollingUpdate'] = {}): StatefulSetUpdateStrategy => ({
  type: 'RollingUpdate',
  rollingUpdate,
});
/** Simulates a rollout of 4 pods. */
function rolloutOf(
  strategy: StatefulSetUpdateStrategy,
  podManagement: PodManagement,
  start: StatefulSetState & { readonly before?: number },
) {
  const { order, batches, untouched, minAvailable, blocked } = simulateStatefulSet(strategy, 4, podManagement, start);
  return { order, batches, untouched, minAvailable, ...(blocked && { blocked }) };
}

const UNREADY = (ordinal: number) => ({ ordinal, reason: 'unready' });

test.each([
  ['missing pods are created new, and count as down', rolling(), { before: 2 }, { batches: [[1], [0]], untouched: [], minAvailable: 2 }],
  [
    'missing pods below the partition are created old',
    rolling({ partition: 3 }),
    { before: 2 },
    { batches: [], untouched: [0, 1, 2], minAvailable: 2 },
  ],
  ['missing pods are created new with OnDelete', { type: 'OnDelete' }, { before: 2 }, { batches: [], untouched: [0, 1], minAvailable: 2 }],
  [
    'pods that the previous rollout has replaced stay',
    rolling(),
    { updatedFrom: 2 },
    { batches: [[1], [0]], untouched: [], minAvailable: 3 },
  ],
  [
    'pods are replaced down to the partition',
    rolling({ partition: 1 }),
    { updatedFrom: 3 },
    { batches: [[2], [1]], untouched: [0], minAvailable: 3 },
  ],
  ['nothing is left to do if all pods are new', rolling(), { updatedFrom: 0 }, { batches: [], untouched: [], minAvailable: 4 }],
  [
    'without rollingUpdate as many missing pods are created old as are old',
    { type: 'RollingUpdate' },
    { before: 3, updatedFrom: 2 },
    { batches: [[1], [0]], untouched: [], minAvailable: 3 },
  ],
  [
    'without rollingUpdate a missing pod below that number is old',
    { type: 'RollingUpdate' },
    { pods: pods('.oon') },
    { batches: [[2], [1], [0]], untouched: [], minAvailable: 3 },
  ],
  [
    'without rollingUpdate a missing pod above that number is new',
    { type: 'RollingUpdate' },
    { pods: pods('o.nn') },
    { batches: [[0]], untouched: [], minAvailable: 3 },
  ],
  [
    'no missing pod is created old if the current revision is the new one',
    rolling({ partition: 2 }),
    { pods: pods('n...'), isCurrentNew: true },
    { batches: [], untouched: [], minAvailable: 1 },
  ],
  [
    'missing pods below the partition are created old if it is not',
    rolling({ partition: 2 }),
    { pods: pods('n...') },
    { batches: [], untouched: [1], minAvailable: 1 },
  ],
  [
    'a broken pod blocks everything',
    rolling(),
    { pods: pods('obno') },
    { batches: [], untouched: [0, 1, 3], minAvailable: 3, blocked: UNREADY(1) },
  ],
  [
    'a broken pod also blocks the start of pods above it',
    rolling({ partition: 2 }),
    { pods: pods('ob..') },
    { batches: [], untouched: [0, 1], minAvailable: 1, blocked: UNREADY(1) },
  ],
  [
    'the controller waits for a starting pod',
    rolling(),
    { pods: pods('ooos') },
    { batches: [[2], [1], [0]], untouched: [], minAvailable: 3 },
  ],
] as const)('in order, %s', (_what, strategy, start, expected) => {
  expect(rolloutOf(strategy, {}, start)).toEqual({ ...expected, order: expected.batches.flat() });
});

test.each([
  [
    'the controller waits for the highest of several broken pods beyond the replicas',
    'oobob',
    { batches: [], untouched: [0, 1, 2, 3, 4], minAvailable: 2, blocked: UNREADY(4) },
  ],
  ['pods above the broken one are deleted first', 'oobbo', { batches: [], untouched: [0, 1, 2, 3], minAvailable: 2, blocked: UNREADY(3) }],
  ['a single broken pod is deleted', 'oobo', { batches: [[1], [0]], untouched: [], minAvailable: 1 }],
  [
    'a broken pod within the replicas blocks the deletion of pods beyond them',
    'obno',
    { batches: [], untouched: [0, 1, 3], minAvailable: 2, blocked: UNREADY(1) },
  ],
] as const)('scaled down in order, %s', (_what, letters, expected) => {
  expect(simulateStatefulSet(rolling(), 2, {}, { pods: pods(letters) })).toMatchObject(expected);
});

test.each([
  ['a broken pod is replaced like any other', rolling(), false, 'oboo', { batches: [[3], [2], [1], [0]], untouched: [], minAvailable: 2 }],
  ['lower pods wait for a starting one', rolling(), false, 'ooos', { batches: [[2], [1], [0]], untouched: [], minAvailable: 3 }],
  [
    'with the gate a broken pod below the partition counts against maxUnavailable, and does not block',
    rolling({ partition: 1, maxUnavailable: 2 }),
    true,
    'booo',
    { batches: [[3], [2], [1]], untouched: [0], minAvailable: 2 },
  ],
  [
    'no pod below the partition is replaced',
    rolling({ partition: 3 }),
    false,
    'so.o',
    { batches: [[3]], untouched: [1, 2], minAvailable: 1 },
  ],
  [
    'with the gate unavailable pods use up maxUnavailable',
    rolling(),
    true,
    'oboo',
    { batches: [], untouched: [0, 1, 2, 3], minAvailable: 3, blocked: UNREADY(1) },
  ],
  [
    'with the gate the rest of maxUnavailable is used',
    rolling({ maxUnavailable: 2 }),
    true,
    'obos',
    { batches: [[2], [1, 0]], untouched: [], minAvailable: 2 },
  ],
] as const)('with Parallel, %s', (_what, strategy, countsUnavailable, letters, expected) => {
  const podManagement = { isParallel: true, countsUnavailable };
  expect(rolloutOf(strategy, podManagement, { pods: pods(letters) })).toEqual({ ...expected, order: expected.batches.flat() });
});

test('with Parallel and the default gate, a broken pod is replaced like any other', () => {
  expect(simulateStatefulSet(rolling(), 2, { isParallel: true }, { pods: pods('bo') })).toMatchObject({ batches: [[1], [0]] });
});

test('with the gate a broken pod below the first ordinal does not count against maxUnavailable, since it is deleted', () => {
  const below = { index: -1, isNew: false, available: false };
  const start = { pods: [below, ...pods('oo')] };
  expect(simulateStatefulSet(rolling(), 2, { firstOrdinal: 3, isParallel: true, countsUnavailable: true }, start)).toStrictEqual({
    kind: 'statefulset',
    replicas: 2,
    partition: 0,
    maxUnavailable: 1,
    order: [4, 3],
    batches: [[4], [3]],
    untouched: [],
    minAvailable: 1,
  });
});

test('pods are listed by their ordinals, which may begin above 0', () => {
  const podManagement = { firstOrdinal: 5 };
  expect(simulateStatefulSet(rolling(), 3, podManagement, { before: 2 })).toEqual({
    kind: 'statefulset',
    replicas: 3,
    partition: 0,
    maxUnavailable: 1,
    order: [6, 5],
    batches: [[6], [5]],
    untouched: [],
    minAvailable: 2,
  });
  expect(simulateStatefulSet(rolling({ partition: 2 }), 3, podManagement, { before: 2 })).toMatchObject({ order: [], untouched: [5, 6] });
  expect(simulateStatefulSet(rolling(), 3, podManagement, { pods: pods('obo') })).toMatchObject({
    untouched: [5, 6, 7],
    blocked: UNREADY(6),
  });
});

test('pods beyond the listed rows are assumed to be available, and old up to the first new one', () => {
  const { order, minAvailable, elided } = simulateStatefulSet(rolling(), 2_000, {}, { before: 1_500 });
  expect([order[0], order.at(-1), minAvailable, elided]).toEqual([1_499, 0, 1_500, 1_400]);
  expect(simulateStatefulSet(rolling(), 2_000).minAvailable).toBe(1_999);
  expect(simulateStatefulSet({ type: 'OnDelete' }, 2_000)).toMatchObject({ order: [], minAvailable: 2_000 });
  expect(simulateStatefulSet(rolling(), 2_000, {}, { updatedFrom: 700 }).order[0]).toBe(699);
  expect(simulateStatefulSet(rolling(), 2_000, {}, { before: 2_500, updatedFrom: 2_200 }).order[0]).toBe(1_999);
});

test('1,000 pods are tracked one by one, 1,001 are not', () => {
  const broken = (count: number) => ({ pods: pods(`ob${'o'.repeat(count - 2)}`) });
  expect(simulateStatefulSet(rolling(), 1_000, {}, broken(1_000)).blocked).toEqual(UNREADY(1));
  expect(simulateStatefulSet(rolling(), 1_001, {}, broken(1_001))).not.toHaveProperty('blocked');
});

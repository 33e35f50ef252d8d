/** What the controller does with pods that do not all stand where a rollout leaves them. `test/upstream/changes.long.test.ts` holds the same to upstream's loop. */
import { simulateStatefulSet } from '../../../src/workloads/statefulset/simulate';
import type { StatefulSetState } from '../../../src/cluster/initial-state';
import type { PodManagement } from '../../../src/workloads/statefulset/simulate';
import type { StatefulSetUpdateStrategy } from '../../../src/workloads/statefulset/types';

/** Pods by index, a letter each: old, broken and old, new, new and starting; a point where there is none. */
function pods(letters: string) {
  return Array.from(letters, (letter, index) => ({ index, isNew: 'ns'.includes(letter), available: 'on'.includes(letter) })).filter(
    ({ index }) => letters[index] !== '.',
  );
}

const rolling = (rollingUpdate: StatefulSetUpdateStrategy['rollingUpdate'] = {}): StatefulSetUpdateStrategy => ({
  type: 'RollingUpdate',
  rollingUpdate,
});
/** What becomes of 4 pods. */
function course(strategy: StatefulSetUpdateStrategy, manner: PodManagement, start: StatefulSetState & { readonly before?: number }) {
  const { order, batches, untouched, minAvailable, blocked } = simulateStatefulSet(strategy, 4, manner, start);
  return { order, batches, untouched, minAvailable, ...(blocked && { blocked }) };
}

const UNREADY = (ordinal: number) => ({ ordinal, reason: 'unready' });

test.each([
  [
    'pods that are not there yet are made new, and count as down',
    rolling(),
    { before: 2 },
    { batches: [[1], [0]], untouched: [], minAvailable: 2 },
  ],
  [
    'below the partition they are made old',
    rolling({ partition: 3 }),
    { before: 2 },
    { batches: [], untouched: [0, 1, 2], minAvailable: 2 },
  ],
  ['with OnDelete they are made new', { type: 'OnDelete' }, { before: 2 }, { batches: [], untouched: [0, 1], minAvailable: 2 }],
  [
    'pods that the rollout before has replaced stay',
    rolling(),
    { updatedFrom: 2 },
    { batches: [[1], [0]], untouched: [], minAvailable: 3 },
  ],
  ['down to the partition', rolling({ partition: 1 }), { updatedFrom: 3 }, { batches: [[2], [1]], untouched: [0], minAvailable: 3 }],
  ['all of them: nothing is left to do', rolling(), { updatedFrom: 0 }, { batches: [], untouched: [], minAvailable: 4 }],
  [
    'without rollingUpdate as many missing ones are made old as are old',
    { type: 'RollingUpdate' },
    { before: 3, updatedFrom: 2 },
    { batches: [[1], [0]], untouched: [], minAvailable: 3 },
  ],
  [
    'without rollingUpdate a missing one below so many is old',
    { type: 'RollingUpdate' },
    { pods: pods('.oon') },
    { batches: [[2], [1], [0]], untouched: [], minAvailable: 3 },
  ],
  ['and one above is new', { type: 'RollingUpdate' }, { pods: pods('o.nn') }, { batches: [[0]], untouched: [], minAvailable: 3 }],
  [
    'where the current revision is the new one, none is made old',
    rolling({ partition: 2 }),
    { pods: pods('n...'), isCurrentNew: true },
    { batches: [], untouched: [], minAvailable: 1 },
  ],
  [
    'where it is not, those below the partition are',
    rolling({ partition: 2 }),
    { pods: pods('n...') },
    { batches: [], untouched: [1], minAvailable: 1 },
  ],
  [
    'one that is broken holds everything up',
    rolling(),
    { pods: pods('obno') },
    { batches: [], untouched: [0, 1, 3], minAvailable: 3, blocked: UNREADY(1) },
  ],
  [
    'also what is to be started above it',
    rolling({ partition: 2 }),
    { pods: pods('ob..') },
    { batches: [], untouched: [0, 1], minAvailable: 1, blocked: UNREADY(1) },
  ],
  ['one that starts is waited for', rolling(), { pods: pods('ooos') }, { batches: [[2], [1], [0]], untouched: [], minAvailable: 3 }],
] as const)('in order, %s', (_what, strategy, start, expected) => {
  expect(course(strategy, {}, start)).toEqual({ ...expected, order: expected.batches.flat() });
});

test.each([
  [
    'of several broken ones beyond the replicas the highest is waited for',
    'oobob',
    { batches: [], untouched: [0, 1, 2, 3, 4], minAvailable: 2, blocked: UNREADY(4) },
  ],
  ['those above it are gone by then', 'oobbo', { batches: [], untouched: [0, 1, 2, 3], minAvailable: 2, blocked: UNREADY(3) }],
  ['a single one that is broken goes', 'oobo', { batches: [[1], [0]], untouched: [], minAvailable: 1 }],
  [
    'one that is broken within the replicas holds up those beyond',
    'obno',
    { batches: [], untouched: [0, 1, 3], minAvailable: 2, blocked: UNREADY(1) },
  ],
] as const)('scaled down in order, %s', (_what, letters, expected) => {
  expect(simulateStatefulSet(rolling(), 2, {}, { pods: pods(letters) })).toMatchObject(expected);
});

test.each([
  ['a broken pod is replaced like all', rolling(), false, 'oboo', { batches: [[3], [2], [1], [0]], untouched: [], minAvailable: 2 }],
  ['one that starts is waited for by those below', rolling(), false, 'ooos', { batches: [[2], [1], [0]], untouched: [], minAvailable: 3 }],
  [
    'under the gate one that is broken below the partition takes up room, and is not waited for',
    rolling({ partition: 1, maxUnavailable: 2 }),
    true,
    'booo',
    { batches: [[3], [2], [1]], untouched: [0], minAvailable: 2 },
  ],
  ['below the partition none is', rolling({ partition: 3 }), false, 'so.o', { batches: [[3]], untouched: [1, 2], minAvailable: 1 }],
  [
    'under the gate what is down uses up maxUnavailable',
    rolling(),
    true,
    'oboo',
    { batches: [], untouched: [0, 1, 2, 3], minAvailable: 3, blocked: UNREADY(1) },
  ],
  [
    'and what is left of it is used',
    rolling({ maxUnavailable: 2 }),
    true,
    'obos',
    { batches: [[2], [1, 0]], untouched: [], minAvailable: 2 },
  ],
] as const)('with Parallel, %s', (_what, strategy, countsUnavailable, letters, expected) => {
  const manner = { isParallel: true, countsUnavailable };
  expect(course(strategy, manner, { pods: pods(letters) })).toEqual({ ...expected, order: expected.batches.flat() });
});

test('with Parallel and nothing said of the gate, a broken pod is replaced like all', () => {
  expect(simulateStatefulSet(rolling(), 2, { isParallel: true }, { pods: pods('bo') })).toMatchObject({ batches: [[1], [0]] });
});

test('under the gate a broken pod below the first ordinal takes up no room, since it goes', () => {
  const below = { index: -1, isNew: false, available: false };
  const held = { pods: [below, ...pods('oo')] };
  expect(simulateStatefulSet(rolling(), 2, { firstOrdinal: 3, isParallel: true, countsUnavailable: true }, held)).toStrictEqual({
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

test('pods are named by their ordinals, which may begin above 0', () => {
  const manner = { firstOrdinal: 5 };
  expect(simulateStatefulSet(rolling(), 3, manner, { before: 2 })).toEqual({
    kind: 'statefulset',
    replicas: 3,
    partition: 0,
    maxUnavailable: 1,
    order: [6, 5],
    batches: [[6], [5]],
    untouched: [],
    minAvailable: 2,
  });
  expect(simulateStatefulSet(rolling({ partition: 2 }), 3, manner, { before: 2 })).toMatchObject({ order: [], untouched: [5, 6] });
  expect(simulateStatefulSet(rolling(), 3, manner, { pods: pods('obo') })).toMatchObject({ untouched: [5, 6, 7], blocked: UNREADY(6) });
});

test('more pods than are shown one by one are taken to be old up to the first that is new, and available', () => {
  const { order, minAvailable, elided } = simulateStatefulSet(rolling(), 2_000, {}, { before: 1_500 });
  expect([order[0], order.at(-1), minAvailable, elided]).toEqual([1_499, 0, 1_500, 1_400]);
  expect(simulateStatefulSet(rolling(), 2_000).minAvailable).toBe(1_999);
  expect(simulateStatefulSet({ type: 'OnDelete' }, 2_000)).toMatchObject({ order: [], minAvailable: 2_000 });
  expect(simulateStatefulSet(rolling(), 2_000, {}, { updatedFrom: 700 }).order[0]).toBe(699);
  expect(simulateStatefulSet(rolling(), 2_000, {}, { before: 2_500, updatedFrom: 2_200 }).order[0]).toBe(1_999);
});

test('of 1,000 pods each is followed, of 1,001 none is', () => {
  const broken = (count: number) => ({ pods: pods(`ob${'o'.repeat(count - 2)}`) });
  expect(simulateStatefulSet(rolling(), 1_000, {}, broken(1_000)).blocked).toEqual(UNREADY(1));
  expect(simulateStatefulSet(rolling(), 1_001, {}, broken(1_001))).not.toHaveProperty('blocked');
});

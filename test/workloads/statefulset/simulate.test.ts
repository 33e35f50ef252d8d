import { simulateStatefulSet } from '../../../src/workloads/statefulset/simulate';
import { rolloutOf, statefulSet } from '../plan';

function simulationOf(spec: object, kubernetes = '1.34') {
  return rolloutOf([statefulSet(spec)], { versions: { kubernetes } }).simulation;
}

test('pods are replaced one at a time from the highest ordinal down', () => {
  expect(simulationOf({ replicas: 3 })).toEqual({
    kind: 'statefulset',
    replicas: 3,
    partition: 0,
    maxUnavailable: 1,
    order: [2, 1, 0],
    batches: [[2], [1], [0]],
    untouched: [],
    minAvailable: 2,
  });
});

test('with maxUnavailable 2 and partition 2, KEP-961: 4 and 3 together, then 2', () => {
  const spec = { replicas: 5, updateStrategy: { rollingUpdate: { partition: 2, maxUnavailable: 2 } } };
  expect(simulationOf(spec, '1.37')).toEqual({
    kind: 'statefulset',
    replicas: 5,
    partition: 2,
    maxUnavailable: 2,
    order: [4, 3, 2],
    batches: [[4, 3], [2]],
    untouched: [0, 1],
    minAvailable: 3,
  });
});

test('a version that drops maxUnavailable replaces pods one by one, also with Parallel', () => {
  const spec = { replicas: 3, podManagementPolicy: 'Parallel', updateStrategy: { rollingUpdate: { maxUnavailable: 3 } } };
  expect(simulationOf(spec, '1.34')).toMatchObject({ maxUnavailable: 1, batches: [[2], [1], [0]], minAvailable: 2 });
  expect(simulationOf(spec, '1.35.3')).toMatchObject({ maxUnavailable: 3, batches: [[2, 1, 0]], minAvailable: 0 });
  expect(simulationOf(spec, '1.35.4')).toMatchObject({ maxUnavailable: 1, batches: [[2], [1], [0]], minAvailable: 2 });
});

test('the partition counts from 0 regardless of the first ordinal', () => {
  expect(simulationOf({ replicas: 3, ordinals: { start: 10 }, updateStrategy: { rollingUpdate: { partition: 1 } } })).toMatchObject({
    partition: 1,
    order: [12, 11],
    untouched: [10],
  });
});

test('a partition at or above the replicas updates nothing', () => {
  expect(simulationOf({ replicas: 2, updateStrategy: { rollingUpdate: { partition: 7 } } })).toMatchObject({
    partition: 7,
    order: [],
    batches: [],
    untouched: [0, 1],
    minAvailable: 2,
  });
});

test('maxUnavailable may exceed the replicas; the minimum does not go below 0', () => {
  const spec = { replicas: 3, updateStrategy: { rollingUpdate: { maxUnavailable: 8 } } };
  expect(simulationOf(spec, '1.37')).toMatchObject({ maxUnavailable: 8, batches: [[2, 1, 0]], minAvailable: 0 });
});

test('OnDelete replaces nothing by itself', () => {
  expect(simulationOf({ replicas: 3, updateStrategy: { type: 'OnDelete' } })).toEqual({
    kind: 'statefulset',
    replicas: 3,
    partition: 0,
    maxUnavailable: 1,
    order: [],
    batches: [],
    untouched: [0, 1, 2],
    minAvailable: 3,
  });
});

test('0 replicas: nothing happens', () => {
  expect(simulationOf({ replicas: 0 })).toMatchObject({ order: [], batches: [], untouched: [], minAvailable: 0 });
});

describe('long StatefulSets', () => {
  test('the first and last 50 of 1,001 ordinals are listed, with the complete batches that contain them', () => {
    const { order, batches, elided } = simulateStatefulSet(rolling(0, 7), 1_001);
    expect(order).toEqual([...down(1_000, 951), ...down(49, 0)]);
    expect(elided).toBe(901);
    expect(batches).toHaveLength(16);
    // The eighth batch contains the fiftieth ordinal, 951, and the ninth from the end contains 49.
    expect(batches[7]).toEqual(down(951, 945));
    expect(batches[8]).toEqual(down(55, 49));
    expect(batches[15]).toEqual(down(6, 0));
  });

  test('a batch of more than 1,000 has only the listed ordinals; one of 1,000 is complete', () => {
    const { batches, elided } = simulateStatefulSet(rolling(0, 3_000), 4_000);
    expect(batches).toEqual([down(3_999, 3_950), down(999, 0)]);
    expect(elided).toBe(3_900);
  });

  test('order and untouched are elided separately, and counted together', () => {
    const { order, untouched, elided } = simulateStatefulSet(rolling(2_000, 1), 4_000);
    expect([order.length, untouched.length, elided]).toEqual([100, 100, 3_800]);
    expect([untouched[0], untouched[49], untouched[50], untouched[99]]).toEqual([0, 49, 1_950, 1_999]);
  });

  test('the largest count that the API accepts, for any partition and maxUnavailable', () => {
    const most = 2_147_483_647;
    for (const partition of [0, 1, 1_073_741_823, most - 1, most]) {
      for (const maxUnavailable of [1, 2, 999, 1_000, 1_001, most]) {
        const {
          order,
          batches,
          untouched,
          elided = 0,
        } = simulateStatefulSet(rolling(partition, maxUnavailable), most, { firstOrdinal: 5 });
        expect(order.length + untouched.length + elided).toBe(most);
        expect(new Set(batches.flat().concat(order))).toEqual(new Set(batches.flat()));
        expect(Math.max(0, ...batches.map((batch) => batch.length))).toBeLessThanOrEqual(1_000);
      }
    }
  });
});

function rolling(partition: number, maxUnavailable: number) {
  return { type: 'RollingUpdate', rollingUpdate: { partition, maxUnavailable } } as const;
}

function down(first: number, last: number): number[] {
  return Array.from({ length: first - last + 1 }, (_, index) => first - index);
}

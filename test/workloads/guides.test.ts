import type { IntOrPercent } from '../../src/core/values/int-or-percent';
import { simulateDeployment } from '../../src/workloads/deployment/simulate';
import { simulateStatefulSet } from '../../src/workloads/statefulset/simulate';
import { iterationsOf, rollOut } from './deployment/controller';
import type { Readiness } from './deployment/controller';
import { updateStatefulSet } from './statefulset/controller';

function rollingUpdate(replicas: number, maxSurge: IntOrPercent, maxUnavailable: IntOrPercent) {
  return simulateDeployment({ type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } }, replicas);
}

/** Counts syncs of the controller, and syncs that create a pod, depending on when pods become ready. */
function ticks(limits: { replicas: number; surge: number; unavailable: number }, readiness: Readiness) {
  const rows = rollOut(limits, readiness);
  return { ticks: rows.length, creating: iterationsOf(rows) };
}

describe('the gopaddle deployment policy guide, 4 desired replicas', () => {
  test('scenario 1, surge 1 and unavailable 0: 4 iterations; "about", since a wave that only deletes pods follows', () => {
    expect(rollingUpdate(4, 1, 0)).toMatchObject({ iterations: 4, waves: { length: 5 }, peakPods: 5, minAvailable: 4 });
  });

  test('scenario 2, surge 2 and unavailable 2: 1 iteration', () => {
    expect(rollingUpdate(4, 2, 2)).toMatchObject({ iterations: 1, waves: { length: 2 }, peakPods: 6, minAvailable: 2 });
  });

  test('scenario 3, surge 0 and unavailable 2: 2 iterations', () => {
    expect(rollingUpdate(4, 0, 2)).toMatchObject({ iterations: 2, waves: { length: 2 }, peakPods: 4, minAvailable: 2 });
  });

  test('the guide counts waves of readiness: counting syncs or single pods does not result in its 4, 1, 2', () => {
    const scenarios = [
      { replicas: 4, surge: 1, unavailable: 0 },
      { replicas: 4, surge: 2, unavailable: 2 },
      { replicas: 4, surge: 0, unavailable: 2 },
    ];
    expect(scenarios.map((limits) => ticks(limits, 'wave'))).toEqual([
      { ticks: 5, creating: 4 },
      { ticks: 2, creating: 1 },
      { ticks: 2, creating: 2 },
    ]);
    expect(scenarios.map((limits) => ticks(limits, 'sync'))).toEqual([
      { ticks: 8, creating: 4 },
      { ticks: 3, creating: 2 },
      { ticks: 4, creating: 2 },
    ]);
    expect(scenarios.map((limits) => ticks(limits, 'staggered').ticks)).toEqual([5, 3, 3]);
  });
});

describe('differences between the gopaddle guide and the controllers', () => {
  test('the guide describes batches; pods that become ready one at a time are replaced one at a time', () => {
    const rows = rollOut({ replicas: 4, surge: 1, unavailable: 1 }, 'staggered');
    expect(rows.map(({ newReplicas, oldReplicas }) => [newReplicas, oldReplicas])).toEqual([
      [2, 3],
      [3, 2],
      [4, 1],
      [4, 0],
    ]);
  });

  test('the guide keeps an old replica serving; the controller keeps pods available, old or new', () => {
    const { waves, minAvailable } = rollingUpdate(4, 0, 3);
    expect(minAvailable).toBe(1);
    expect(waves).toEqual([
      { wave: 1, newReplicas: 3, oldReplicas: 1, total: 4, available: 1 },
      { wave: 2, newReplicas: 4, oldReplicas: 0, total: 4, available: 3 },
    ]);
  });

  test('the guide calls scenario 2 faster; half of the pods are deleted before a new one is ready', () => {
    expect(rollingUpdate(4, 2, 2).waves[0]).toEqual({ wave: 1, newReplicas: 4, oldReplicas: 2, total: 6, available: 2 });
  });

  test('the guide starts ordinals at 0; spec.ordinals.start moves them, and the partition still counts from 0', () => {
    const { order, untouched } = simulateStatefulSet({ type: 'RollingUpdate', rollingUpdate: { partition: 1 } }, 3, { firstOrdinal: 10 });
    expect({ order, untouched }).toEqual({ order: [12, 11], untouched: [10] });
  });

  test('the guide equates ordinals with the order of creation; with Parallel all missing pods are created at once', () => {
    const settings = { replicas: 3, partition: 0, maxUnavailable: 1, gate: false };
    expect(updateStatefulSet({ ...settings, policy: 'OrderedReady' }, []).created).toEqual([0]);
    expect(updateStatefulSet({ ...settings, policy: 'Parallel' }, []).created).toEqual([0, 1, 2]);
  });

  test('the guide replaces stateful pods one after another; with maxUnavailable 2 (Kubernetes 1.37) two are down together', () => {
    const strategy = { type: 'RollingUpdate', rollingUpdate: { partition: 2, maxUnavailable: 2 } } as const;
    expect(simulateStatefulSet(strategy, 5)).toMatchObject({ batches: [[4, 3], [2]], minAvailable: 3 });
  });

  test('both agree on the partition: a pod deleted below it is recreated with the old version', () => {
    const settings = { replicas: 3, partition: 2, maxUnavailable: 1, gate: false, policy: 'OrderedReady' } as const;
    const present = [0, 2].map((index) => ({ index, isUpdated: index === 2, isAvailable: true, isTerminating: false }));
    const { created, pods } = updateStatefulSet(settings, present);
    expect(created).toEqual([1]);
    expect(pods[1]).toEqual({ index: 1, isUpdated: false, isAvailable: false, isTerminating: false });
  });
});

describe("the IBM page's walk-through: 5 replicas, surge 1, unavailable 25%", () => {
  test('the controller needs 3 waves with two pods in flight instead of 5 rounds of one, and at least 4 pods are available', () => {
    expect(rollingUpdate(5, 1, '25%')).toEqual({
      kind: 'deployment',
      replicas: 5,
      surge: 1,
      unavailable: 1,
      waves: [
        { wave: 1, newReplicas: 2, oldReplicas: 4, total: 6, available: 4 },
        { wave: 2, newReplicas: 4, oldReplicas: 2, total: 6, available: 4 },
        { wave: 3, newReplicas: 5, oldReplicas: 0, total: 5, available: 4 },
      ],
      iterations: 3,
      peakPods: 6,
      minAvailable: 4,
    });
    expect(ticks({ replicas: 5, surge: 1, unavailable: 1 }, 'sync')).toEqual({ ticks: 6, creating: 4 });
    expect(ticks({ replicas: 5, surge: 1, unavailable: 1 }, 'staggered').ticks).toBe(5);
  });

  test("the page's own trace, up and down between 6 and 5, is surge 1 with unavailable 0", () => {
    const rows = rollOut({ replicas: 5, surge: 1, unavailable: 0 }, 'sync');
    expect(rows.map((row) => row.total)).toEqual([6, 5, 6, 5, 6, 5, 6, 5, 6, 5]);
    expect(Math.min(...rows.map((row) => row.available))).toBe(5);
  });

  test('99% of 2 is 1 pod, and surge 1 with 2 replicas is at most 3 pods, as the page says', () => {
    expect(rollingUpdate(2, 1, '99%')).toMatchObject({ surge: 1, unavailable: 1 });
    expect(rollingUpdate(2, 1, 0)).toMatchObject({ peakPods: 3 });
  });
});

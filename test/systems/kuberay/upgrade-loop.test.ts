/** One turn of each rule by itself; whole upgrades stand beside it, and are held to the real controller in test/upstream. */
import { restoreCapacity, shiftTraffic } from '../../../src/systems/kuberay/upgrade-loop';

type Four = readonly [active: number, pending: number, activeTraffic: number, pendingTraffic: number];

function state([activeTargetCapacity, pendingTargetCapacity, activeTraffic, pendingTraffic]: Four) {
  return { activeTargetCapacity, pendingTargetCapacity, activeTraffic, pendingTraffic };
}

const PACE = { maxSurgePercent: 20, stepSizePercent: 5, intervalSeconds: 10 };

test.each([
  ['before the interval has passed', 9, true, 0],
  ['once it has passed, to the second', 10, true, 5],
  ['later', 11, true, 5],
  ['of a cluster that is not ready', 10, false, 0],
] as const)('traffic moves by a step, or not: %s', (_, secondsSinceShift, ready, moved) => {
  expect(shiftTraffic(state([100, 20, 100, 0]), PACE, { secondsSinceShift, ready })).toEqual(state([100, 20, 100 - moved, moved]));
});

test.each<[string, Four, number, Four]>([
  ['both change where the new cluster makes room for the old one', [60, 60, 60, 40], 20, [80, 40, 60, 40]],
  ['the old one alone grows where both are 100 together', [60, 40, 60, 40], 20, [80, 40, 60, 40]],
  ['the new one alone shrinks where that makes no room', [80, 60, 80, 20], 10, [80, 50, 80, 20]],
  ['nothing changes before the traffic is back', [60, 60, 55, 45], 20, [60, 60, 55, 45]],
  ['a surge takes the new cluster no further down than 0, and the old one no further up than 100', [90, 20, 90, 10], 30, [100, 0, 90, 10]],
])('capacity on the way back: %s', (_, before, surge, after) => {
  expect(restoreCapacity(state(before), surge)).toEqual(state(after));
});

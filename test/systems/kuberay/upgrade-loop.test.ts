/** Tests one application of each rule. upgrade.test.ts covers full upgrades, and test/upstream compares them with the real controller. */
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
  ['for a cluster that is not ready', 10, false, 0],
] as const)('traffic moves by a step, or not: %s', (_, secondsSinceShift, ready, moved) => {
  expect(shiftTraffic(state([100, 20, 100, 0]), PACE, { secondsSinceShift, ready })).toEqual(state([100, 20, 100 - moved, moved]));
});

test.each<[string, Four, number, Four]>([
  ['both change if the new cluster frees capacity for the old one', [60, 60, 60, 40], 20, [80, 40, 60, 40]],
  ['only the old one grows if both are 100 in total', [60, 40, 60, 40], 20, [80, 40, 60, 40]],
  ['only the new one shrinks if that does not free enough capacity', [80, 60, 80, 20], 10, [80, 50, 80, 20]],
  ['nothing changes before the traffic has returned', [60, 60, 55, 45], 20, [60, 60, 55, 45]],
  ['the new cluster does not shrink below 0, and the old one does not grow above 100', [90, 20, 90, 10], 30, [100, 0, 90, 10]],
])('capacity during a rollback: %s', (_, before, surge, after) => {
  expect(restoreCapacity(state(before), surge)).toEqual(state(after));
});

import { truncateStatefulSetAtDeadlock, computeStatefulSetOutcome } from '../../../src/workloads/statefulset/outcome';
import { simulateStatefulSet } from '../../../src/workloads/statefulset/simulate';

function set(partition: number) {
  return simulateStatefulSet({ type: 'RollingUpdate', rollingUpdate: { partition } }, 3);
}

test('a StatefulSet needs room for its replicas, not for more, and none where it updates nothing', () => {
  expect(computeStatefulSetOutcome(set(0), 3, 3)).toEqual({ verdict: 'fits' });
  expect(computeStatefulSetOutcome(set(0), 2, 3)).toEqual({ verdict: 'deadlocks', deadlockWave: 1 });
  expect(computeStatefulSetOutcome(set(3), 2, 3)).toEqual({ verdict: 'fits' });
});

test('a StatefulSet that gets more pods with its new template never gets to the template where they find no room', () => {
  expect(computeStatefulSetOutcome(set(3), 2, 1)).toEqual({ verdict: 'deadlocks', deadlockWave: 1 });
  expect(computeStatefulSetOutcome(set(3), 3, 1)).toEqual({ verdict: 'fits' });
});

test('where pods are missing that find no room none is replaced; else the first batch is where it ends', () => {
  const simulated = set(1);
  expect(simulated).toMatchObject({ order: [2, 1], batches: [[2], [1]], untouched: [0], minAvailable: 2 });
  expect(truncateStatefulSetAtDeadlock(simulated, 3)).toMatchObject({ order: [2], batches: [[2]], untouched: [0, 1] });
  expect(truncateStatefulSetAtDeadlock(simulated, 1)).toMatchObject({ order: [], batches: [], untouched: [0, 1, 2], minAvailable: 1 });
});

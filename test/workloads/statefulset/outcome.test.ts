import { truncateStatefulSetAtDeadlock, computeStatefulSetOutcome } from '../../../src/workloads/statefulset/outcome';
import { simulateStatefulSet } from '../../../src/workloads/statefulset/simulate';

function set(partition: number) {
  return simulateStatefulSet({ type: 'RollingUpdate', rollingUpdate: { partition } }, 3);
}

test('a StatefulSet needs no extra pods, and always fits if it updates nothing', () => {
  expect(computeStatefulSetOutcome(set(0), 3, 3)).toEqual({ verdict: 'fits' });
  expect(computeStatefulSetOutcome(set(0), 2, 3)).toEqual({ verdict: 'deadlocks', deadlockWave: 1 });
  expect(computeStatefulSetOutcome(set(3), 2, 3)).toEqual({ verdict: 'fits' });
});

test('a StatefulSet that is scaled up beyond the capacity never rolls out its new template', () => {
  expect(computeStatefulSetOutcome(set(3), 2, 1)).toEqual({ verdict: 'deadlocks', deadlockWave: 1 });
  expect(computeStatefulSetOutcome(set(3), 3, 1)).toEqual({ verdict: 'fits' });
});

test('no pod is replaced if missing pods do not fit; otherwise the rollout ends at the first batch', () => {
  const simulated = set(1);
  expect(simulated).toMatchObject({ order: [2, 1], batches: [[2], [1]], untouched: [0], minAvailable: 2 });
  expect(truncateStatefulSetAtDeadlock(simulated, 3)).toMatchObject({ order: [2], batches: [[2]], untouched: [0, 1] });
  expect(truncateStatefulSetAtDeadlock(simulated, 1)).toMatchObject({ order: [], batches: [], untouched: [0, 1, 2], minAvailable: 1 });
});

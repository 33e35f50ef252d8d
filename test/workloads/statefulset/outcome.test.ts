import { statefulSetOutcome } from '../../../src/workloads/statefulset/outcome';
import { simulateStatefulSet } from '../../../src/workloads/statefulset/simulate';

function set(partition: number) {
  return simulateStatefulSet({ type: 'RollingUpdate', rollingUpdate: { partition } }, 3);
}

test('a StatefulSet needs room for its replicas, not for more, and none where it updates nothing', () => {
  expect(statefulSetOutcome(set(0), 3)).toEqual({ verdict: 'fits' });
  expect(statefulSetOutcome(set(0), 2)).toEqual({ verdict: 'deadlocks', deadlockWave: 1 });
  expect(statefulSetOutcome(set(3), 2)).toEqual({ verdict: 'fits' });
});

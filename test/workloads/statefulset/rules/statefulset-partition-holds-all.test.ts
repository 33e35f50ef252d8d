import { factsOf } from '../../../facts';
import { findingsOf, statefulSet } from '../../plan';

function holdsAll(replicas: number, partition: number) {
  const object = statefulSet({ replicas, updateStrategy: { rollingUpdate: { partition } } });
  return findingsOf([object], 'kubernetes/statefulset-partition-holds-all');
}

test('the partition is at or above the replicas', () => {
  expect(factsOf(holdsAll(3, 3))).toEqual([
    {
      code: 'kubernetes/statefulset-partition-holds-all',
      severity: 'info',
      messageId: 'holdsAll',
      path: 'spec.updateStrategy.rollingUpdate.partition',
      data: { partition: 3, replicas: 3 },
    },
  ]);
});

test('it is silent below, and for 0 replicas', () => {
  expect(holdsAll(3, 2)).toEqual([]);
  expect(holdsAll(0, 0)).toEqual([]);
});

import { factsOf } from '../../../facts';
import { findingsOf, statefulSet } from '../../plan';

function holdsAll(replicas: number, partition: number) {
  const object = statefulSet({ replicas, updateStrategy: { rollingUpdate: { partition } } });
  return findingsOf([object], 'kubernetes/statefulset-partition-holds-all');
}

test('reports a partition at or above the replicas', () => {
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

test('reports nothing for a lower partition, and nothing for 0 replicas', () => {
  expect(holdsAll(3, 2)).toEqual([]);
  expect(holdsAll(0, 0)).toEqual([]);
});

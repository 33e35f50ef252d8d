import type { IntOrPercent } from '../../../src/core/int-or-percent';
import { factsOf } from '../../facts';
import { deployment, findingsOf } from '../plan';

function fencepost(replicas: number, maxSurge?: IntOrPercent, maxUnavailable?: IntOrPercent) {
  return findingsOf([deployment({ replicas, strategy: { rollingUpdate: { maxSurge, maxUnavailable } } })], 'kubernetes/fencepost');
}

test('a percentage of few replicas that comes to 0, beside a surge of 0', () => {
  expect(factsOf(fencepost(3, 0, '25%'))).toEqual([
    {
      code: 'kubernetes/fencepost',
      severity: 'info',
      messageId: 'bothZero',
      path: 'spec.strategy.rollingUpdate.maxUnavailable',
      data: {
        maxSurge: 0,
        maxUnavailable: '25%',
        replicas: 3,
        names: { rollingUpdate: 'rollingUpdate', maxSurge: 'maxSurge', maxUnavailable: 'maxUnavailable' },
      },
    },
  ]);
});

test('it is silent where one of the two is a pod, and for 0 replicas', () => {
  expect(fencepost(4, 0, '25%')).toEqual([]);
  expect(fencepost(3)).toEqual([]);
  expect(fencepost(0, 0, '25%')).toEqual([]);
});

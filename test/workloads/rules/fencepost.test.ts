import { KUBERNETES_FIELD_NAMES } from '../../../src/cluster/strategy-field-names';
import type { Workload } from '../../../src/cluster/workload';
import { toFieldPath } from '../../../src/core/field-path';
import { checkFencepost } from '../../../src/workloads/rules/fencepost';
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

test('where the user writes no strategy the advice is that of its owner, and there is nothing to edit', () => {
  const place = { strategyPath: toFieldPath`spec.predictor`, names: KUBERNETES_FIELD_NAMES };
  const findings = (strategyOwner?: 'kserve-canary') =>
    checkFencepost({ ...place, ...(strategyOwner && { strategyOwner }) } as Workload, 3, { maxSurge: 0, maxUnavailable: '25%' });
  const data = { maxSurge: 0, maxUnavailable: '25%', replicas: 3, names: KUBERNETES_FIELD_NAMES };
  const [owned] = findings('kserve-canary');
  expect([owned?.data, owned?.help]).toStrictEqual([
    { ...data, strategyOwner: 'kserve-canary' },
    'Change it in the rollout defaults of the ConfigMap: a canary has no other level.',
  ]);
  const [own] = findings();
  expect([own?.data, own?.help]).toStrictEqual([
    data,
    'Write maxUnavailable: 1 if that is meant, or maxSurge: 1 and maxUnavailable: 0 to keep every replica available.',
  ]);
});

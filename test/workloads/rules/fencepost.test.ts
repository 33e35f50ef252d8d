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

test('reports a percentage of few replicas that rounds to 0, with a surge of 0', () => {
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

test('reports nothing if one limit is at least 1, and nothing for 0 replicas', () => {
  expect(fencepost(4, 0, '25%')).toEqual([]);
  expect(fencepost(3)).toEqual([]);
  expect(fencepost(0, 0, '25%')).toEqual([]);
});

test('the advice is that of the strategy owner if the user cannot write the strategy', () => {
  const location = { strategyPath: toFieldPath`spec.predictor`, names: KUBERNETES_FIELD_NAMES };
  const findings = (strategyOwner?: 'kserve-canary') =>
    checkFencepost({ ...location, ...(strategyOwner && { strategyOwner }) } as Workload, 3, { maxSurge: 0, maxUnavailable: '25%' });
  const data = { maxSurge: 0, maxUnavailable: '25%', replicas: 3, names: KUBERNETES_FIELD_NAMES };
  const [owned] = findings('kserve-canary');
  expect([owned?.data, owned?.help]).toStrictEqual([
    { ...data, strategyOwner: 'kserve-canary' },
    'Change the rollout defaults of the ConfigMap: a canary has no strategy of its own.',
  ]);
  const [own] = findings();
  expect([own?.data, own?.help]).toStrictEqual([
    data,
    'Write maxUnavailable: 1 if that is intended, or maxSurge: 1 and maxUnavailable: 0 to keep every replica available.',
  ]);
});

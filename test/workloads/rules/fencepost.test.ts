import { KUBERNETES_FIELD_NAMES } from '../../../src/cluster/rollout/strategy-field-names';
import type { Workload } from '../../../src/cluster/rollout/workload';
import { toFieldPath } from '../../../src/core/manifest/field-path';
import { checkFencepost, fencepost } from '../../../src/workloads/rules/fencepost';
import { testRule } from '../../rule-tester';

function deployment(replicas: number, limits: string): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: ${replicas}
  strategy: { rollingUpdate: { ${limits} } }
  selector: { matchLabels: { app: web } }
  template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: web, image: web }] } }
`;
}

testRule(fencepost, {
  valid: [
    { name: 'one limit is at least 1', yaml: deployment(4, 'maxSurge: 0, maxUnavailable: 25%') },
    { name: 'the defaults', yaml: deployment(3, '') },
    { name: '0 replicas', yaml: deployment(0, 'maxSurge: 0, maxUnavailable: 25%') },
  ],
  invalid: [
    {
      name: 'a percentage of few replicas that rounds to 0, with a surge of 0',
      yaml: deployment(3, 'maxSurge: 0, maxUnavailable: 25%'),
      findings: [
        {
          messageId: 'bothZero',
          severity: 'info',
          path: 'spec.strategy.rollingUpdate.maxUnavailable',
          data: {
            maxSurge: 0,
            maxUnavailable: '25%',
            replicas: 3,
            names: { rollingUpdate: 'rollingUpdate', maxSurge: 'maxSurge', maxUnavailable: 'maxUnavailable' },
          },
        },
      ],
    },
  ],
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

import { canaryVanishes } from '../../../../src/systems/argo-rollouts/rules/canary-vanishes';
import { splitByWeight } from '../../../../src/systems/argo-rollouts/canary-pod-counts';
import { testRule } from '../../../rule-tester';

const rollout = (replicas: number, canary: string) => `apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: { name: ledger }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: ledger } }
  strategy: { canary: { ${canary} } }
  template:
    metadata: { labels: { app: ledger } }
    spec: { containers: [{ name: c, image: "l:1", readinessProbe: { tcpSocket: { port: 80 } } }] }
`;

testRule(canaryVanishes, {
  valid: [
    { name: 'a surge', yaml: rollout(5, 'maxSurge: 1, steps: [{ setWeight: 90 }]') },
    { name: 'a weight that the pods reach', yaml: rollout(5, 'maxSurge: 0, maxUnavailable: 1, steps: [{ setWeight: 80 }]') },
    { name: 'one replica, which may lack its canary', yaml: rollout(1, 'maxSurge: 0, maxUnavailable: 1, steps: [{ setWeight: 10 }]') },
  ],
  invalid: [
    {
      yaml: rollout(5, 'maxSurge: 0, maxUnavailable: 1, steps: [{ setWeight: 50 }, { setWeight: 90 }]'),
      findings: [
        {
          messageId: 'noPod',
          severity: 'error',
          path: 'spec.strategy.canary.steps[1].setWeight',
          data: { weight: 90, replicas: 5, nearest: 80 },
        },
      ],
    },
  ],
});

test('up to 50 replicas without a surge, the canary vanishes exactly if the weight is half a pod below all of them', () => {
  const vanishing: string[] = [];
  for (let replicas = 2; replicas <= 50; replicas++) {
    for (let weight = 1; weight <= 99; weight++) {
      if (splitByWeight(replicas, weight, 100, 0).next === 0) vanishing.push(`${replicas} at ${weight} %`);
    }
  }
  expect(vanishing).toEqual(['2 at 75 %', '5 at 90 %', '10 at 95 %', '25 at 98 %', '50 at 99 %']);
});

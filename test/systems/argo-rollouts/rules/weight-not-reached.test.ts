import { weightNotReached } from '../../../../src/systems/argo-rollouts/rules/weight-not-reached';
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

testRule(weightNotReached, {
  valid: [
    { name: 'weights that the pods reach', yaml: rollout(10, 'steps: [{ setWeight: 10 }, { setWeight: 30 }, { setWeight: 100 }]') },
    { name: 'a difference of one point', yaml: rollout(3, 'steps: [{ setWeight: 33 }]') },
    {
      name: 'a router',
      yaml: rollout(1, 'stableService: a, canaryService: b, trafficRouting: { nginx: { stableIngress: a } }, steps: [{ setWeight: 10 }]'),
    },
    { name: 'trafficRouting without weights', yaml: rollout(1, 'trafficRouting: {}, steps: [{ pause: { duration: 5m } }]') },
    { name: 'no weights', yaml: rollout(1, 'steps: [{ pause: { duration: 5m } }]') },
  ],
  invalid: [
    {
      name: 'trafficRouting without a router, even if the pods reach the weight',
      yaml: rollout(4, 'trafficRouting: {}, steps: [{ setWeight: 20 }, { pause: {} }]'),
      findings: [{ messageId: 'noRouter', severity: 'warning', path: 'spec.strategy.canary.trafficRouting' }],
    },
    {
      name: 'an empty list of plugins is no router',
      yaml: rollout(4, 'trafficRouting: { plugins: {} }, steps: [{ setWeight: 50 }]'),
      findings: [{ messageId: 'noRouter' }],
    },
    {
      name: 'one replica',
      yaml: rollout(1, 'steps: [{ setWeight: 10 }, { pause: {} }, { setWeight: 50 }, { setWeight: 75 }]'),
      findings: [
        {
          messageId: 'rounded',
          severity: 'warning',
          path: 'spec.strategy.canary.steps[0].setWeight',
          data: {
            replicas: 1,
            surge: 1,
            weights: [
              { weight: 10, reached: 50 },
              { weight: 75, reached: 50 },
            ],
          },
        },
      ],
    },
    {
      name: 'three replicas with a surge of one',
      yaml: rollout(3, 'steps: [{ setWeight: 10 }]'),
      findings: [{ messageId: 'rounded', data: { replicas: 3, surge: 1, weights: [{ weight: 10, reached: 25 }] } }],
    },
    {
      name: 'one replica without a surge gets the canary no pod below half',
      yaml: rollout(1, 'maxSurge: 0, maxUnavailable: 1, steps: [{ setWeight: 20 }]'),
      findings: [{ messageId: 'rounded', data: { replicas: 1, surge: 0, weights: [{ weight: 20, reached: 0 }] } }],
    },
  ],
});

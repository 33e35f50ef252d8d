import { guardrailsRefused } from '../../../src/guardrails/rules/refused';
import { testRule } from '../../rule-tester';

function deployment(maxUnavailable: number): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 4
  strategy: { rollingUpdate: { maxUnavailable: ${maxUnavailable} } }
  selector: { matchLabels: { app: web } }
  template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: web, image: web }] } }
`;
}

const policy = { neverBelow: { available: '75%' } };

testRule(guardrailsRefused, {
  valid: [
    { name: 'without a policy', yaml: deployment(2) },
    { name: 'what the policy allows', policy, yaml: deployment(1) },
  ],
  invalid: [
    {
      name: 'fewer available pods than the policy requires',
      policy,
      yaml: deployment(2),
      findings: [{ messageId: 'available', severity: 'error', path: 'spec.strategy.rollingUpdate.maxUnavailable' }],
    },
  ],
});

import { scaledDown } from '../../../src/change/rules/scaled-down';
import { testRule } from '../../rule-tester';

function web(replicas: number): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: web } }
  template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: web, image: web }] } }
`;
}

const AUTOSCALER = `---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web }
spec: { scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }, minReplicas: 1, maxReplicas: 9 }
`;

const SERVICE = `---
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [{ port: 80 }] }
`;

const ROLLOUT = `---
apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: { name: web }
spec:
  replicas: 6
  selector: { matchLabels: { app: web } }
  workloadRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  strategy: { canary: {} }
`;

testRule(scaledDown, {
  valid: [
    { name: 'one pod fewer', old: web(6), yaml: web(5) },
    { name: 'half of the pods', old: web(6), yaml: web(3) },
    { name: 'more pods', old: web(1), yaml: web(6) },
    { name: 'an autoscaler that chooses the number', old: web(6) + AUTOSCALER, yaml: web(1) + AUTOSCALER },
    { name: 'no pods next to a Rollout that already runs the same template', old: web(6) + ROLLOUT, yaml: web(0) + ROLLOUT },
    { name: 'no pods behind a Service, which has a finding of its own', old: web(6) + SERVICE, yaml: web(0) + SERVICE },
  ],
  invalid: [
    { name: 'to no pod', old: web(1), yaml: web(0), findings: [{ messageId: 'to-zero', severity: 'warning', path: 'spec.replicas' }] },
    { name: 'to no pod, with a new Rollout', old: web(6), yaml: web(0) + ROLLOUT, findings: [{ messageId: 'to-zero' }] },
    { name: 'to a single pod', old: web(6), yaml: web(1), findings: [{ messageId: 'to-one', data: { before: 6, after: 1 } }] },
    { name: 'to less than half', old: web(10), yaml: web(4), findings: [{ messageId: 'by-most', data: { before: 10, after: 4 } }] },
  ],
});

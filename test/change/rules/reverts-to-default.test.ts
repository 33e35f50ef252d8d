import { revertsToDefault } from '../../../src/change/rules/reverts-to-default';
import { testRule } from '../../rule-tester';

function deployment(...lines: readonly string[]): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
${lines.map((line) => `  ${line}\n`).join('')}  selector: { matchLabels: { app: web } }
  template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: web, image: web }] } }
`;
}

const AUTOSCALER = `---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web }
spec: { scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }, minReplicas: 2, maxReplicas: 9 }
`;

const PATH = 'spec.replicas';
const BY_KUBECTL = { apply: 'client', tool: 'kubectl', applied: { kind: 'Deployment', name: 'web' } };

function statefulSet(updateStrategy: string): string {
  return deployment('serviceName: web', `updateStrategy: ${updateStrategy}`).replace('Deployment', 'StatefulSet');
}

testRule(revertsToDefault, {
  valid: [
    {
      name: 'a partition that goes with OnDelete, which replaces no pod',
      old: statefulSet('{ rollingUpdate: { partition: 2 } }'),
      yaml: statefulSet('{ type: OnDelete }'),
    },
    { name: 'the same replicas', old: deployment('replicas: 4'), yaml: deployment('replicas: 4') },
    { name: 'one replica, which is the default', old: deployment('replicas: 1'), yaml: deployment() },
  ],
  invalid: [
    {
      name: 'replicas that are no longer set',
      old: deployment('replicas: 4'),
      yaml: deployment(),
      findings: [{ messageId: 'replicas', severity: 'warning', path: PATH, data: { replicas: 4, ...BY_KUBECTL } }],
    },
    {
      name: 'replicas that an autoscaler is to own',
      old: deployment('replicas: 4'),
      yaml: deployment() + AUTOSCALER,
      findings: [{ messageId: 'replicas', path: PATH, data: { replicas: 4, autoscaler: 'HorizontalPodAutoscaler "web"', ...BY_KUBECTL } }],
    },
    {
      name: 'a server-side apply',
      old: deployment('replicas: 4'),
      yaml: deployment(),
      args: ['--apply', 'server'],
      findings: [{ messageId: 'replicas', data: { replicas: 4, ...BY_KUBECTL, apply: 'server', tool: 'kubectl-server-side' } }],
    },
    {
      name: 'Recreate that becomes a rolling update',
      old: deployment('replicas: 4', 'strategy: { type: Recreate }'),
      yaml: deployment('replicas: 4'),
      findings: [
        {
          messageId: 'default',
          path: 'spec.strategy.type',
          data: { field: 'type', before: 'Recreate', after: 'RollingUpdate', harm: 'two-versions' },
        },
      ],
    },
  ],
});

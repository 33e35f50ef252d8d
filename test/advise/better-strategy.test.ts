import { betterStrategy } from '../../src/cluster/rules/better-strategy';
import { findingsOfExample, testRule } from '../rule-tester';

/** A Deployment with limits. Its pods have a probe and no other fault. */
function deployment(replicas: number, strategy: string): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: ${replicas}
  strategy: ${strategy}
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - name: web
          image: web:1
          resources: { requests: { cpu: 1 }, limits: { cpu: 1 } }
          readinessProbe: { tcpSocket: { port: 80 } }
`;
}

const limits = (surge: number | string, unavailable: number | string) =>
  `{ type: RollingUpdate, rollingUpdate: { maxSurge: ${surge}, maxUnavailable: ${unavailable} } }`;

/** An autoscaler of the Deployment, and a quota that leaves 2 CPUs. */
const autoscaler = `---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web }
spec: { scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }, minReplicas: 8, maxReplicas: 20 }
`;
const quota = (cpu: number) => `---
apiVersion: v1
kind: ResourceQuota
metadata: { name: cpus }
spec: { hard: { requests.cpu: ${cpu} } }
`;

testRule(betterStrategy, {
  valid: [
    { name: 'every pair of smaller limits takes longer', yaml: deployment(10, limits('25%', '25%')) },
    { name: 'a strategy that recreates all pods has a reason that no figure shows', yaml: deployment(11, '{ type: Recreate }') },
    { name: 'the API server refuses the strategy', yaml: deployment(11, limits(0, 0)) },
    { name: 'the rollout deadlocks, which is an error of its own', yaml: deployment(11, limits(3, 0)) + quota(11) },
    { name: 'an autoscaler changes what percentages mean', yaml: deployment(11, limits('25%', '25%')) + autoscaler },
    { name: 'a change of the replicas makes the limits worse', yaml: deployment(11, limits(3, 2)) + autoscaler },
  ],
  invalid: [
    {
      name: 'fewer pods in flight take as many waves',
      yaml: deployment(11, limits('25%', '25%')),
      findings: [
        {
          messageId: 'better',
          path: 'spec.strategy',
          severity: 'info',
          data: {
            limits: 'maxSurge 3, maxUnavailable 1',
            figures: [{ figure: 'leastAvailable', present: 9, better: 10 }],
            value: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 3, maxUnavailable: 1 } },
          },
        },
      ],
    },
    {
      name: 'with known start-up seconds, a bad version breaks fewer pods too',
      yaml: deployment(11, limits(3, 2)),
      startupSeconds: 60,
      findings: [
        {
          messageId: 'better',
          data: {
            limits: 'maxSurge 3, maxUnavailable 1',
            figures: [
              { figure: 'leastAvailable', present: 9, better: 10 },
              { figure: 'brokenByBadVersion', present: 5, better: 4 },
            ],
            value: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 3, maxUnavailable: 1 } },
          },
        },
      ],
    },
    {
      name: 'nodes of a DaemonSet',
      yaml: `apiVersion: apps/v1
kind: DaemonSet
metadata: { name: agent }
spec:
  updateStrategy: { type: RollingUpdate, rollingUpdate: { maxUnavailable: 4 } }
  selector: { matchLabels: { app: agent } }
  template:
    metadata: { labels: { app: agent } }
    spec: { containers: [{ name: agent, image: 'agent:1', readinessProbe: { tcpSocket: { port: 80 } } }] }
${['a', 'b', 'c', 'd', 'e'].map((name) => `---\napiVersion: v1\nkind: Node\nmetadata: { name: ${name} }\n`).join('')}`,
      findings: [
        {
          messageId: 'better',
          path: 'spec.updateStrategy',
          data: {
            limits: 'maxUnavailable 3',
            figures: [{ figure: 'leastAvailable', present: 1, better: 2 }],
            value: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 3 } },
          },
        },
      ],
    },
  ],
});

test('an annotation of the object suppresses it', async () => {
  const annotated = betterStrategy.example.replace(
    'name: web',
    'name: web\n  annotations: { rolloutkit/ignore: "kubernetes/better-strategy: the replicas often change" }',
  );
  const found = (await findingsOfExample(annotated)).filter(({ code }) => code === betterStrategy.code);
  expect(found.map(({ suppressed }) => suppressed?.by)).toEqual(['annotation']);
});

import { podSecurity } from '../../../src/cluster/rules/pod-security';
import { testRule } from '../../rule-tester';

function namespace(labels: string): string {
  return `---
apiVersion: v1
kind: Namespace
metadata: { name: shop, labels: { ${labels} } }
`;
}

const BASELINE = namespace('pod-security.kubernetes.io/enforce: baseline');

function deployment(pod: string, image = 'web:1'): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 4
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers: [{ name: web, image: ${image}, ${pod} }]
`;
}

const PRIVILEGED = 'securityContext: { privileged: true }';
const LOCAL_PROBE = 'readinessProbe: { tcpSocket: { port: 80, host: 127.0.0.1 } }';

function jobTemplate(pod: string): string {
  return `{ restartPolicy: Never, ${pod}, containers: [{ name: job, image: job:1 }] }`;
}

testRule(podSecurity, {
  valid: [
    { name: 'no Namespace in the input', yaml: deployment(PRIVILEGED) },
    { name: 'a Namespace that only warns', yaml: deployment(PRIVILEGED) + namespace('pod-security.kubernetes.io/warn: restricted') },
    { name: 'the privileged level', yaml: deployment(PRIVILEGED) + namespace('pod-security.kubernetes.io/enforce: privileged') },
    {
      name: 'a check of a later version than the label names',
      yaml:
        deployment(LOCAL_PROBE) +
        namespace('pod-security.kubernetes.io/enforce: baseline, pod-security.kubernetes.io/enforce-version: v1.33'),
    },
    { name: 'a check of a later version than the API server', yaml: deployment(LOCAL_PROBE) + BASELINE, versions: { kubernetes: '1.33' } },
  ],
  invalid: [
    {
      name: 'a check that the API server has since 1.34',
      yaml: deployment(LOCAL_PROBE) + BASELINE,
      versions: { kubernetes: '1.34' },
      findings: [{ messageId: 'refused', path: 'spec.template.spec.containers[0]' }],
    },
    {
      name: 'an unknown level, which counts as restricted',
      yaml: deployment('ports: []') + namespace('pod-security.kubernetes.io/enforce: strict'),
      findings: [{ messageId: 'refused' }],
    },
    {
      name: 'a Namespace that gets the label while nothing rolls',
      old: deployment(PRIVILEGED) + namespace('team: a'),
      yaml: deployment(PRIVILEGED) + BASELINE,
      findings: [{ messageId: 'pending', path: 'spec.template.spec.containers[0].securityContext.privileged' }],
    },
    {
      name: 'a Deployment that rolls',
      old: deployment(PRIVILEGED) + BASELINE,
      yaml: deployment(PRIVILEGED, 'web:2') + BASELINE,
      findings: [{ messageId: 'refused' }],
    },
    {
      name: 'a new Deployment',
      old: BASELINE,
      yaml: deployment(PRIVILEGED) + BASELINE,
      findings: [{ messageId: 'not-created' }],
    },
    {
      name: 'a Job',
      yaml: `apiVersion: batch/v1
kind: Job
metadata: { name: load, namespace: shop }
spec: { template: { spec: ${jobTemplate('hostPID: true')} } }
${BASELINE}`,
      findings: [{ messageId: 'object', path: 'spec.template.spec.hostPID' }],
    },
    {
      name: 'a CronJob',
      yaml: `apiVersion: batch/v1
kind: CronJob
metadata: { name: load, namespace: shop }
spec: { schedule: "* * * * *", jobTemplate: { spec: { template: { spec: ${jobTemplate('hostIPC: true')} } } } }
${BASELINE}`,
      findings: [{ messageId: 'object', path: 'spec.jobTemplate.spec.template.spec.hostIPC' }],
    },
    {
      name: 'a ReplicationController',
      yaml: `apiVersion: v1
kind: ReplicationController
metadata: { name: load, namespace: shop }
spec: { selector: { app: load }, template: { metadata: { labels: { app: load } }, spec: { hostPID: true, containers: [{ name: load, image: load:1 }] } } }
${BASELINE}`,
      findings: [{ messageId: 'object', path: 'spec.template.spec.hostPID' }],
    },
    {
      name: 'the workers of a RayCluster',
      yaml: `apiVersion: ray.io/v1
kind: RayCluster
metadata: { name: load, namespace: shop }
spec:
  headGroupSpec: { rayStartParams: {}, template: { spec: { containers: [{ name: head, image: ray:1 }] } } }
  workerGroupSpecs: [{ groupName: w, rayStartParams: {}, template: { spec: ${jobTemplate('hostPID: true')} } }]
${BASELINE}`,
      findings: [{ messageId: 'object', path: 'spec.workerGroupSpecs[0].template.spec.hostPID' }],
    },
  ],
});

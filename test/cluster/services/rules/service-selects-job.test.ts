import { serviceSelectsJob } from '../../../../src/cluster/services/rules/service-selects-job';
import { testRule } from '../../../rule-tester';
import { renderDeployment, renderService } from './manifests';

const job = (spec = '', probe = '', annotations = '{}') => `apiVersion: batch/v1
kind: Job
metadata: { name: migrate, annotations: ${annotations}, labels: { app.kubernetes.io/managed-by: Helm } }
spec:
  ${spec}
  template:
    metadata: { labels: { app: shop, component: api } }
    spec: { restartPolicy: Never, containers: [{ name: migrate, image: "api:1"${probe} }] }
---
`;
const CRON_JOB = `apiVersion: batch/v1
kind: CronJob
metadata: { name: backup }
spec:
  schedule: "0 3 * * *"
  jobTemplate:
    spec:
      parallelism: 2
      template:
        metadata: { labels: { app: shop, component: api } }
        spec: { restartPolicy: Never, containers: [{ name: backup, image: "api:1" }] }
---
`;
const service = (targetPort: string, more = '') =>
  renderService(`selector: { app: shop, component: api }, ${more} ports: [{ port: 80, targetPort: ${targetPort} }]`);
const HOOK = (phase: string) => `{ helm.sh/hook: "${phase}" }`;

testRule(serviceSelectsJob, {
  valid: [
    { name: 'suspended', yaml: renderDeployment() + job('suspend: true') + service('8080') },
    {
      name: 'a readiness probe',
      yaml: renderDeployment() + job('', ', readinessProbe: { exec: { command: ["false"] } }') + service('8080'),
    },
    { name: 'a named port that its pods lack', yaml: renderDeployment() + job() + service('http') },
    { name: 'a Service for the pods of the Job only', yaml: job() + service('8080') },
    { name: 'a hook that no upgrade runs', yaml: renderDeployment() + job('', '', HOOK('pre-install')) + service('8080') },
  ],
  invalid: [
    {
      yaml: renderDeployment() + job() + service('8080'),
      findings: [
        {
          messageId: 'requests',
          severity: 'warning',
          path: 'spec.selector',
          data: { service: 'Service api', job: 'Job migrate', jobPods: 1, pods: 4 },
        },
      ],
    },
    {
      name: 'a hook of an upgrade',
      yaml: renderDeployment() + job('', '', HOOK('pre-install,pre-upgrade')) + service('8080'),
      findings: [{ messageId: 'requests' }],
    },
    {
      name: 'a CronJob with 2 pods at once',
      yaml: renderDeployment() + CRON_JOB + service('8080'),
      findings: [{ messageId: 'requests', data: { service: 'Service api', job: 'CronJob backup', jobPods: 2, pods: 5 } }],
    },
    {
      name: 'a headless Service',
      yaml: renderDeployment() + job() + service('8080', 'clusterIP: None,'),
      findings: [{ messageId: 'dns' }],
    },
  ],
});

import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding, Source } from '../../../core/findings/finding';
import { toFieldPath } from '../../../core/manifest/field-path';
import { describeObject } from '../../../core/manifest/manifest';
import type { Manifest } from '../../../core/manifest/manifest';
import { isHeadless } from '../endpoints';
import { hasReadinessProbe } from '../jobs';
import type { JobPods } from '../jobs';
import type { ServiceMember } from '../service-members';
import { isEndpointOf, listCountedPorts } from '../service-plan';
import { renderServiceExample, SERVICE_SELECTOR } from './examples';

interface JobData {
  /** The Service: `Service shop/api`. */
  readonly service: string;
  /** The Job or CronJob: `Job shop/migrate`. */
  readonly job: string;
  /** Pods of the Job that run at once. */
  readonly jobPods: number;
  /** All pods that the Service then selects. */
  readonly pods: number;
}

const SAMPLE: JobData = { service: 'Service shop/api', job: 'Job shop/migrate', jobPods: 1, pods: 4 };

function buildExample(labels: string): string {
  return `${renderServiceExample(`${SERVICE_SELECTOR}\n  ports: [{ port: 80, targetPort: 8080 }]`)}---
apiVersion: batch/v1
kind: Job
metadata:
  name: migrate
spec:
  template:
    metadata:
      labels: ${labels}
    spec:
      restartPolicy: Never
      containers: [{ name: migrate, image: "api:1" }]
`;
}

/** Reports Services that send requests to the pods of a Job. */
export const serviceSelectsJob = defineRule({
  code: 'kubernetes/service-selects-job',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A Service that selects pods of a workload also selects those of a Job or CronJob.',
  why:
    'A pod without a readiness probe is ready as soon as it runs. While the Job runs, its pods are endpoints of the Service and get requests, which they do not answer. ' +
    'The rule is silent if the Job is suspended, if its pods have a readiness probe, and if a named targetPort resolves in none of them. ' +
    'Source: k8s.io/endpointslice v0.34.4, `ShouldPodBeInEndpoints`.',
  fix: 'Give the pods of the Job other labels, or select a label that only the workload has.',
  example: buildExample('{ app: shop, component: api }'),
  fixedExample: buildExample('{ app: shop, component: migrate }'),
  messages: {
    requests: defineMessage<JobData>({
      text: ({ service, job, jobPods, pods }) => `While ${job} runs, ${service} sends it ${jobPods} of ${pods} connections.`,
      help: () => 'Give the pods of the Job other labels, or select a label that only the workload has.',
      sample: SAMPLE,
      variants: [{ ...SAMPLE, job: 'CronJob shop/backup', jobPods: 2, pods: 5 }],
    }),
    dns: defineMessage<JobData>({
      text: ({ service, job, jobPods, pods }) =>
        `While ${job} runs, the DNS name of the headless ${service} lists ${jobPods} of its pods among ${pods}.`,
      help: () => 'Give the pods of the Job other labels, or select a label that only the workload has.',
      sample: SAMPLE,
    }),
  },
});

/** Reports the Jobs that a Service selects next to the pods of a workload. */
export function checkServiceSelectsJob(
  service: Manifest,
  members: readonly ServiceMember[],
  jobs: readonly JobPods[],
  locate: (object: object, path: string) => Source | undefined,
): Finding[] {
  if (members.length === 0) return [];
  const ports = listCountedPorts(service);
  const pods = members.reduce((sum, member) => sum + member.pods, 0);
  const path = toFieldPath`spec.selector`;
  return jobs
    .filter(({ template }) => ports.some((port) => isEndpointOf(template, service, port)) && !hasReadinessProbe(template))
    .map(({ object, pods: jobPods }) => {
      const source = locate(service, path);
      const data = { service: describeObject(service), job: describeObject(object), jobPods, pods: pods + jobPods };
      return serviceSelectsJob.createFinding(isHeadless(service) ? 'dns' : 'requests', { path, ...(source && { source }), data });
    });
}

import { toFieldPath } from '../../core/manifest/field-path';
import type { Finding } from '../../core/findings/finding';
import { defineMessage, defineRule } from '../../core/findings/finding';

interface ScaledDownData {
  readonly before: number;
  readonly after: number;
}

function renderDeployment(replicas: number): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers: [{ name: web, image: "web:1", readinessProbe: { tcpSocket: { port: 80 } } }]
`;
}

/** A scale-down that takes a workload away, leaves it one pod, or removes most of its pods. */
export const scaledDown = defineRule({
  code: 'change/scaled-down',
  since: '0.1.0',
  severity: 'warning',
  fires: 'An apply scales a workload without an autoscaler to 0 pods, to a single one, or to less than half of its pods.',
  why:
    'A scale-down deletes pods at once. It is no rollout, so neither maxUnavailable nor a PodDisruptionBudget limits it. ' +
    'With 0 pods nothing serves; with 1 pod each eviction, node failure or Recreate is an outage. ' +
    'If a Service loses its last endpoint, [service-without-endpoints](service-without-endpoints.md) reports that instead.',
  fix: 'Restore the number, or record the finding in a baseline if the smaller one is intended.',
  example: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${renderDeployment(6)}# new.yaml
${renderDeployment(1)}`,
  fixedExample: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${renderDeployment(6)}# new.yaml
${renderDeployment(5)}`,
  messages: {
    'to-zero': defineMessage<ScaledDownData>({
      text: ({ before }) =>
        `The apply deletes ${before === 1 ? 'the only pod' : `all ${before} pods`}: nothing runs until the number is raised again.`,
      help: ({ before }) => `Write replicas: ${before}, unless the workload is meant to stop.`,
      sample: { before: 6, after: 0 },
      variants: [{ before: 1, after: 0 }],
    }),
    'to-one': defineMessage<ScaledDownData>({
      text: ({ before }) => `The apply scales from ${before} pods to 1: from then on, the loss of that pod or of its node is an outage.`,
      help: ({ before }) => `Write at least 2 replicas, or ${before} as before.`,
      sample: { before: 6, after: 1 },
    }),
    'by-most': defineMessage<ScaledDownData>({
      text: ({ before, after }) => `The apply scales from ${before} to ${after} pods, which deletes more than half of them at once.`,
      help: () => 'Restore the number, or scale in smaller steps while the load on each pod is watched.',
      sample: { before: 10, after: 4 },
    }),
  },
});

function classify({ before, after }: ScaledDownData): keyof typeof scaledDown.messages | undefined {
  if (after >= before) return undefined;
  if (after === 0) return 'to-zero';
  if (after === 1) return 'to-one';
  return after < before / 2 ? 'by-most' : undefined;
}

/** Reports a scale-down of a workload whose number of pods the manifest decides. */
export function checkScaledDown(before: number, after: number): Finding[] {
  const messageId = classify({ before, after });
  return messageId === undefined
    ? []
    : [scaledDown.createFinding(messageId, { path: toFieldPath`spec.replicas`, data: { before, after } })];
}

import { suggestManualFix } from '../../../core/findings/suggested-fix';
import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { pluralize } from '../../../core/text/text-format';

interface RollbackData {
  /** The number of pods of both versions that stay available during that reconcile. */
  readonly available: number;
  /** The number of ready pods of the stable version before the apply. */
  readonly before: number;
  readonly replicas: number;
}

function renderPodTemplate(image: string, hash?: string): string {
  const label = hash === undefined ? '' : `, rollouts-pod-template-hash: "${hash}"`;
  return `template:
    metadata: { labels: { app: web${label} } }
    spec:
      containers: [{ name: web, image: "${image}", readinessProbe: { httpGet: { path: /healthz, port: 8080 } } }]
`;
}

function renderLiveRollout(replicas: number, image: string, metadata = ''): string {
  return `apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: { name: web, namespace: shop${metadata} }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: web } }
  strategy:
    canary:
      stableService: web
      canaryService: web-canary
      trafficRouting: { nginx: { stableIngress: web } }
      steps: [{ setWeight: 10 }, { pause: { duration: 1h } }]
  ${renderPodTemplate(image)}`;
}

function renderReplicaSet(hash: string, replicas: number, image: string): string {
  return `---
apiVersion: apps/v1
kind: ReplicaSet
metadata:
  name: web-${hash}
  namespace: shop
  uid: ${hash}
  labels: { app: web, rollouts-pod-template-hash: "${hash}" }
  ownerReferences: [{ apiVersion: argoproj.io/v1alpha1, kind: Rollout, name: web, uid: web, controller: true }]
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: web, rollouts-pod-template-hash: "${hash}" } }
  ${renderPodTemplate(image, hash)}status: { availableReplicas: ${replicas} }
`;
}

/** The manifests in the cluster: web:1 is stable, web:2 is at the first pause. */
const OLD_MANIFESTS = `${renderLiveRollout(10, 'web:2', ', uid: web, resourceVersion: "8"')}status:
  phase: Paused
  stableRS: one
  currentPodHash: two
  currentStepIndex: 1
  canary: { weights: { canary: { weight: 10 }, stable: { weight: 90 } } }
${renderReplicaSet('one', 10, 'web:1')}${renderReplicaSet('two', 1, 'web:2')}`;

function renderExample(next: string): string {
  return `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${OLD_MANIFESTS}# new.yaml
${next}`;
}

/** Reports an apply that rolls a routed canary back to its stable version and changes its replicas. */
export const rollbackWithScaling = defineRule({
  code: 'argo-rollouts/rollback-with-scaling',
  since: '0.1.0',
  severity: 'warning',
  fires: 'An apply rolls a canary with a router back to its stable version and also changes the replicas, which removes available pods.',
  why:
    'The controller scales before its status records that the stable version is back. It treats the stable version as the canary and scales it to the number of pods of the current step, while the router sends it most of the requests. ' +
    'The next reconcile scales it up to all replicas again, which takes as long as a pod takes to start. Recorded from the controller at 1.10.2.',
  fix: 'First roll back with the old replicas, then change the replicas once the Rollout is Healthy.',
  example: renderExample(renderLiveRollout(12, 'web:1')),
  fixedExample: renderExample(renderLiveRollout(10, 'web:1')),
  messages: {
    scaled: defineMessage<RollbackData>({
      text: ({ available, before, replicas }) =>
        `The apply rolls back to the stable version and changes replicas to ${replicas}: the controller first scales the stable version to the size of the canary. Only ${pluralize(available, 'pod')} of both versions ${available === 1 ? 'is' : 'are'} available until new ones are ready, ` +
        `instead of ${before} of the stable version.`,
      help: () => 'First apply the old template with unchanged replicas, then change the replicas once the Rollout is Healthy.',
      suggestedFix: () => suggestManualFix(),
      sample: { available: 2, before: 10, replicas: 12 },
      variants: [{ available: 1, before: 4, replicas: 5 }],
    }),
  },
});

/** Reports the lost pods; returns nothing if no available pod is lost. */
export function checkRollbackWithScaling(data: RollbackData): Finding[] {
  if (data.available >= Math.min(data.before, data.replicas)) return [];
  return [rollbackWithScaling.createFinding('scaled', { path: toFieldPath`spec.replicas`, data })];
}

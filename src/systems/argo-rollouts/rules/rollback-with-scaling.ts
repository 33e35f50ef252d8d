import { suggestManualFix } from '../../../core/suggested-fix';
import { toFieldPath } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { pluralize } from '../../../core/text-format';

interface RollbackData {
  /** Pods that are left available for that turn, of both versions. */
  readonly available: number;
  /** Pods of the stable version that are ready before. */
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

/** What the cluster has: web:1 is stable, web:2 is at the first pause. */
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

/** The stable version again and other replicas in one apply, with a router. */
export const rollbackWithScaling = defineRule({
  code: 'argo-rollouts/rollback-with-scaling',
  since: '0.1.0',
  severity: 'warning',
  fires:
    'An apply takes a canary with a router back to its stable version and gives the Rollout other replicas as well, by which available pods go.',
  why:
    'The controller scales before its status knows that the stable version is back: it takes that for the canary, and gives it the pods of the canary at its step, while the router sends it most of the requests. ' +
    'In the turn after it scales it up to all again, which takes as long as a pod takes to start. Recorded from the controller at 1.10.2.',
  fix: 'Take it back first, with the old replicas, and change these once the Rollout is Healthy.',
  example: renderExample(renderLiveRollout(12, 'web:1')),
  fixedExample: renderExample(renderLiveRollout(10, 'web:1')),
  messages: {
    scaled: defineMessage<RollbackData>({
      text: ({ available, before, replicas }) =>
        `The stable version comes back and replicas become ${replicas} in one apply: the controller first scales it to the pods of the canary, so that ${pluralize(available, 'pod')} of all ${available === 1 ? 'is' : 'are'} available, ` +
        `where ${before} of the stable version were, until new ones are ready.`,
      help: () => 'Apply the old template first, with the replicas as they are, and other replicas once the Rollout is Healthy.',
      suggestedFix: () => suggestManualFix(),
      sample: { available: 2, before: 10, replicas: 12 },
      variants: [{ available: 1, before: 4, replicas: 5 }],
    }),
  },
});

/** Nothing where no available pod goes. */
export function checkRollbackWithScaling(data: RollbackData): Finding[] {
  if (data.available >= Math.min(data.before, data.replicas)) return [];
  return [rollbackWithScaling.createFinding('scaled', { path: toFieldPath`spec.replicas`, data })];
}

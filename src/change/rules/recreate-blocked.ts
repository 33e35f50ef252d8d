import { toFieldPath } from '../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';

interface BlockedScaleData {
  /** The replicas to which the ReplicaSets were last resized. */
  readonly before: number;
  readonly after: number;
}

function renderDeployment(replicas: number, type: string): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop, uid: 5b5b1a3e-0000-4000-8000-000000000001 }
spec:
  replicas: ${replicas}
  strategy: { type: ${type} }
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers: [{ name: web, image: "web:2", readinessProbe: { tcpSocket: { port: 80 } } }]
`;
}

const OLD_EXAMPLE = `${renderDeployment(4, 'RollingUpdate')}status: { observedGeneration: 1, replicas: 5, updatedReplicas: 2, availableReplicas: 3, unavailableReplicas: 2 }
`;

/** A Deployment whose controller neither scales nor rolls it, because two ReplicaSets have pods and type Recreate resizes neither. */
export const recreateBlocked = defineRule({
  code: 'change/recreate-blocked',
  since: '0.1.0',
  severity: 'error',
  fires: 'An apply sets the strategy of a Deployment to type Recreate and another number of replicas while pods of two versions run.',
  why:
    'The controller scales before it rolls. With type Recreate it resizes no ReplicaSet while two of them have pods, and as long as their number ' +
    'differs from the replicas it only tries to scale: no pod is created or deleted until the replicas are restored.',
  fix: 'Change the type or the replicas in a later apply, once the rollout has finished.',
  example: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${OLD_EXAMPLE}# new.yaml
${renderDeployment(8, 'Recreate')}`,
  fixedExample: `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${OLD_EXAMPLE}# new.yaml
${renderDeployment(4, 'Recreate')}`,
  messages: {
    scale: defineMessage<BlockedScaleData>({
      text: ({ before, after }) =>
        `Pods of two versions run, and with type Recreate the controller resizes neither: with replicas ${after} instead of ${before} it creates and deletes no pod, permanently.`,
      help: ({ before }) => `Keep type RollingUpdate until the rollout has finished, or keep ${before} replicas until then.`,
      sample: { before: 4, after: 8 },
    }),
  },
});

/** Reports a Deployment whose controller neither scales nor rolls it. */
export function checkRecreateBlocked(data: BlockedScaleData): Finding {
  return recreateBlocked.createFinding('scale', { path: toFieldPath`spec.replicas`, data });
}

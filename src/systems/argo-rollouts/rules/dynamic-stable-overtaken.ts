import { toFieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { pluralize } from '../../../core/text/text-format';

interface OvertakenData {
  /** Ready pods of the stable version. */
  readonly stable: number;
  readonly replicas: number;
}

function renderSpec(image: string): string {
  return `spec:
  replicas: 4
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers: [{ name: app, image: "${image}", readinessProbe: { tcpSocket: { port: 8080 } } }]
  strategy:
    canary:
      stableService: web
      canaryService: web-canary
      dynamicStableScale: true
      trafficRouting: { nginx: { stableIngress: web } }
      steps: [{ setWeight: 75 }, { pause: {} }]
`;
}

/** Renders a canary that gets a third version. OLD is live, at its second version. */
function renderOvertaken(stable: string): string {
  const rollout = 'apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata:\n  name: web\n';
  return `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${rollout}  uid: "1"
  annotations: { kubectl.kubernetes.io/last-applied-configuration: "{}" }
${renderSpec('app:2')}status:
  currentPodHash: second
  stableRS: ${stable}
  currentStepIndex: 1
  canary: { weights: { canary: { weight: 75 } } }
# new.yaml
${rollout}${renderSpec('app:3')}`;
}

/** A canary with dynamicStableScale that another version overtakes while the stable version has few pods. */
export const dynamicStableOvertaken = defineRule({
  code: 'argo-rollouts/dynamic-stable-overtaken',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A new template overtakes a canary with dynamicStableScale, whose stable version is scaled down.',
  why:
    'With dynamicStableScale the stable version has only the pods for its share of the requests. A new version sets the share of the canary back, ' +
    'so all requests go to the stable version before it has all of its pods again. The plan does not simulate this state.',
  fix: 'Abort or promote the canary first, wait until the stable version has all of its pods, and then apply.',
  example: renderOvertaken('first'),
  fixedExample: renderOvertaken('second'),
  messages: {
    overtaken: defineMessage<OvertakenData>({
      text: ({ stable, replicas }) =>
        `dynamicStableScale has scaled the stable version down to ${stable} of ${pluralize(replicas, 'pod')}, and this version overtakes the canary that has the others: ` +
        `until the stable version is scaled up again, only ${stable} of ${pluralize(replicas, 'pod')} serve${stable === 1 ? 's' : ''} it. The plan shows no waves from this state.`,
      help: () =>
        'Abort the canary first (kubectl argo rollouts abort), wait until the stable version has all of its pods, and then apply.',
      sample: { stable: 1, replicas: 4 },
    }),
  },
});

/** Warns about a version that overtakes a canary with dynamicStableScale. */
export function checkDynamicStableOvertaken(stable: number, replicas: number): Finding[] {
  return [
    dynamicStableOvertaken.createFinding('overtaken', {
      path: toFieldPath`spec.strategy.canary.dynamicStableScale`,
      data: { stable, replicas },
    }),
  ];
}

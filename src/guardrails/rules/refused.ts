import { message, rule } from '../../core/finding';
import type { Finding } from '../../core/finding';
import { listed } from '../../core/words';
import { violationPath, violationText } from '../violation';
import type { Violation } from '../violation';

type DataOf<Kind extends Violation['kind']> = Omit<Extract<Violation, { readonly kind: Kind }>, 'kind'>;

function exampleOf(maxUnavailable: number): string {
  return `# rolloutkit plan --policy policy.yaml web.yaml
# policy.yaml
neverBelow: {available: 75%}
# web.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 4
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxUnavailable: ${maxUnavailable}
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: app
          image: app:1
          readinessProbe:
            tcpSocket:
              port: 8080
`;
}

function said(violation: Violation): string {
  return `The guardrails refuse this ${violation.of}: ${violationText(violation)}.`;
}

function availableHelp({ of, type, replicas, floor }: DataOf<'available'>): string {
  const most = `maxUnavailable: ${replicas - floor}${replicas === floor ? ', with a maxSurge of at least 1' : ' or less'}`;
  return type === 'Recreate' && of === 'Deployment' ? `Write type: RollingUpdate, with ${most}.` : `Write ${most}.`;
}

/** A workload or a budget that the guardrails of a platform team do not allow. */
export const refusedByGuardrails = rule({
  code: 'guardrails/refused',
  since: '0.1.0',
  severity: 'error',
  fires:
    'A Deployment, StatefulSet, DaemonSet or PodDisruptionBudget does what the policy of `--policy` or of `RolloutGuardrails` does not allow.',
  why:
    'The same policy, enforced by a ValidatingAdmissionPolicy, makes the API server refuse the object with the same words. ' +
    'The first of several is what the server says; here all are. No annotation and no baseline of the repository suppresses it: exceptions stand in the policy.',
  fix: 'Write what the policy asks for, or ask for an exception.',
  example: exampleOf(2),
  fixed: exampleOf(1),
  messages: {
    strategy: message<DataOf<'strategy'>>({
      text: (data) => said({ kind: 'strategy', ...data }),
      help: ({ allowed }) => `Write type: ${listed(allowed, 'or')}.`,
      sample: { of: 'Deployment', type: 'Recreate', allowed: ['RollingUpdate'] },
    }),
    available: message<DataOf<'available'>>({
      text: (data) => said({ kind: 'available', ...data }),
      help: availableHelp,
      sample: { of: 'Deployment', type: 'RollingUpdate', available: 2, replicas: 4, floor: 3 },
      variants: [
        { of: 'Deployment', type: 'RollingUpdate', available: 0, replicas: 1, floor: 1 },
        { of: 'Deployment', type: 'Recreate', available: 0, replicas: 4, floor: 3 },
        { of: 'StatefulSet', type: 'RollingUpdate', available: 2, replicas: 5, floor: 4 },
      ],
    }),
    share: message<DataOf<'share'>>({
      text: (data) => said({ kind: 'share', ...data }),
      help: ({ asked }) => {
        const most = 100 - Number(asked.slice(0, -1));
        return most > 0 ? `Write maxUnavailable: ${most}% or less.` : 'Write maxUnavailable: 0, with a maxSurge of at least 1.';
      },
      sample: { of: 'DaemonSet', unavailable: '50%', asked: '75%' },
      variants: [{ of: 'DaemonSet', unavailable: '50%', asked: '100%' }],
    }),
    extraPods: message<DataOf<'extraPods'>>({
      text: (data) => said({ kind: 'extraPods', ...data }),
      help: ({ allowed }) => `Write a maxSurge of at most ${allowed}.`,
      sample: { of: 'Deployment', extra: 4, allowed: 1 },
      variants: [{ of: 'DaemonSet', extra: '30%', allowed: '25%' }],
    }),
    extraGpus: message<DataOf<'extraGpus'>>({
      text: (data) => said({ kind: 'extraGpus', ...data }),
      help: () => 'Write a smaller maxSurge; with maxSurge: 0, maxUnavailable: 1 beside it.',
      sample: { of: 'Deployment', extra: 8, allowed: 1 },
    }),
    probe: message<DataOf<'probe'>>({
      text: (data) => said({ kind: 'probe', ...data }),
      help: () => 'Give a container a readinessProbe that succeeds only when the application can serve.',
      sample: { of: 'Deployment' },
    }),
    eviction: message<DataOf<'eviction'>>({
      text: (data) => said({ kind: 'eviction', ...data }),
      help: () => 'Write maxUnavailable: 1, and no minAvailable beside it.',
      sample: { of: 'PodDisruptionBudget', field: 'maxUnavailable', value: '0' },
      variants: [{ of: 'PodDisruptionBudget', field: 'minAvailable', value: '100%' }],
    }),
    budget: message<DataOf<'budget'>>({
      text: (data) => said({ kind: 'budget', ...data }),
      help: () => 'Add a PodDisruptionBudget of its namespace whose selector has the labels of the pods, with maxUnavailable: 1.',
      sample: { of: 'Deployment', replicas: 3 },
    }),
  },
});

/** Says a violation. */
export function violationFinding(violation: Violation): Finding {
  const { kind, ...data } = violation;
  return refusedByGuardrails.finding(kind, { path: violationPath(violation), data: data });
}

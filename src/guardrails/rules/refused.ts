import { message, rule } from '../../core/finding';
import type { Finding } from '../../core/finding';
import { listed } from '../../core/words';
import { violationPath, violationText } from '../verdict';
import type { Violation } from '../verdict';

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
  return `The guardrails refuse this Deployment: ${violationText(violation)}.`;
}

/** A Deployment that the guardrails of a platform team do not allow. */
export const refusedByGuardrails = rule({
  code: 'guardrails/refused',
  since: '0.1.0',
  severity: 'error',
  fires: 'A Deployment does what the policy of `--policy` or of `RolloutGuardrails` does not allow.',
  why:
    'The same policy, enforced by a ValidatingAdmissionPolicy, makes the API server refuse the Deployment with the same words. ' +
    'The first of several is what the server says; here all are. No annotation and no baseline of the repository suppresses it: exceptions stand in the policy.',
  fix: 'Write what the policy asks for, or ask for an exception.',
  example: exampleOf(2),
  fixed: exampleOf(1),
  messages: {
    strategy: message<DataOf<'strategy'>>({
      text: (data) => said({ kind: 'strategy', ...data }),
      help: ({ allowed }) => `Write type: ${listed(allowed, 'or')}.`,
      sample: { type: 'Recreate', allowed: ['RollingUpdate'] },
    }),
    available: message<DataOf<'available'>>({
      text: (data) => said({ kind: 'available', ...data }),
      help: ({ replicas, floor }) =>
        `Write maxUnavailable: ${replicas - floor}${replicas === floor ? ', with a maxSurge of at least 1' : ' or less'}.`,
      sample: { available: 2, replicas: 4, floor: 3 },
      variants: [{ available: 0, replicas: 1, floor: 1 }],
    }),
    extraPods: message<DataOf<'extraPods'>>({
      text: (data) => said({ kind: 'extraPods', ...data }),
      help: ({ allowed }) => `Write a maxSurge of at most ${allowed}.`,
      sample: { extra: 4, allowed: 1 },
    }),
    extraGpus: message<DataOf<'extraGpus'>>({
      text: (data) => said({ kind: 'extraGpus', ...data }),
      help: () => 'Write a smaller maxSurge; with maxSurge: 0, maxUnavailable: 1 beside it.',
      sample: { extra: 8, allowed: 1 },
    }),
    probe: message<object>({
      text: () => said({ kind: 'probe' }),
      help: () => 'Give a container a readinessProbe that succeeds only when the application can serve.',
      sample: {},
    }),
  },
});

/** Says a violation. */
export function violationFinding(violation: Violation): Finding {
  const { kind, ...data } = violation;
  return refusedByGuardrails.finding(kind, { path: violationPath(violation), data: data });
}

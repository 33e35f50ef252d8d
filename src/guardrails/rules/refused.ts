import { defineMessage, defineRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import { formatUnavailableLimit, joinWords } from '../../core/text/text-format';
import type { UncertainBudget } from '../required-budget';
import { getViolationPath, formatViolation } from '../violation';
import type { Violation } from '../violation';

type ViolationData<Kind extends Violation['kind']> = Omit<Extract<Violation, { readonly kind: Kind }>, 'kind'>;

function formatExample(maxUnavailable: number): string {
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

function formatRefusal(violation: Violation): string {
  return `The guardrails refuse this ${violation.objectKind}: ${formatViolation(violation)}.`;
}

function formatAvailableHelp({ objectKind, type, replicas, floor }: ViolationData<'available'>): string {
  const limitText =
    replicas === floor ? 'maxUnavailable: 0, with a maxSurge of at least 1' : formatUnavailableLimit('maxUnavailable', replicas - floor);
  return type === 'Recreate' && objectKind === 'Deployment' ? `Write type: RollingUpdate, with ${limitText}.` : `Write ${limitText}.`;
}

const BUDGET_HELP: Readonly<Record<UncertainBudget['lacks'] | 'budget', string>> = {
  budget: 'Add a PodDisruptionBudget to its namespace, with maxUnavailable: 1 and a selector that matches the labels of the pods.',
  namespace:
    'Write the same namespace in both, and let the same kustomizations and the same fleet.yaml move them: kubectl ignores these files, and they may move one of the two.',
  permanence:
    'Give the PodDisruptionBudgets different names, or write their namespaces in them: which of them is applied last depends on the tool.',
};

/** A workload or budget that the guardrails of a platform team do not allow. */
export const guardrailsRefused = defineRule({
  code: 'guardrails/refused',
  since: '0.1.0',
  severity: 'error',
  fires: 'A Deployment, StatefulSet, DaemonSet or PodDisruptionBudget violates the policy of `--policy` or `RolloutGuardrails`.',
  why:
    'A ValidatingAdmissionPolicy that enforces the same policy makes the API server refuse the object with the same message. ' +
    'The server reports only the first violation; this rule reports all of them. No annotation and no baseline of the repository suppresses it: exceptions belong in the policy.',
  fix: 'Write what the policy requires, or request an exception.',
  example: formatExample(2),
  fixedExample: formatExample(1),
  messages: {
    strategy: defineMessage<ViolationData<'strategy'>>({
      text: (data) => formatRefusal({ kind: 'strategy', ...data }),
      help: ({ allowed }) => `Write type: ${joinWords(allowed, 'or')}.`,
      sample: { objectKind: 'Deployment', type: 'Recreate', allowed: ['RollingUpdate'] },
    }),
    available: defineMessage<ViolationData<'available'>>({
      text: (data) => formatRefusal({ kind: 'available', ...data }),
      help: formatAvailableHelp,
      sample: { objectKind: 'Deployment', type: 'RollingUpdate', available: 2, replicas: 4, floor: 3 },
      variants: [
        { objectKind: 'Deployment', type: 'RollingUpdate', available: 0, replicas: 1, floor: 1 },
        { objectKind: 'Deployment', type: 'Recreate', available: 0, replicas: 4, floor: 3 },
        { objectKind: 'StatefulSet', type: 'RollingUpdate', available: 2, replicas: 5, floor: 4 },
      ],
    }),
    share: defineMessage<ViolationData<'share'>>({
      text: (data) => formatRefusal({ kind: 'share', ...data }),
      help: ({ required }) => {
        const maxPercent = 100 - Number(required.slice(0, -1));
        return maxPercent > 0
          ? `Write maxUnavailable: ${maxPercent}% or less, but not 0 unless maxSurge is at least 1.`
          : 'Write maxUnavailable: 0, with a maxSurge of at least 1.';
      },
      sample: { objectKind: 'DaemonSet', unavailable: '50%', required: '75%' },
      variants: [{ objectKind: 'DaemonSet', unavailable: '50%', required: '100%' }],
    }),
    extraPods: defineMessage<ViolationData<'extraPods'>>({
      text: (data) => formatRefusal({ kind: 'extraPods', ...data }),
      help: ({ allowed }) => `Write a maxSurge of at most ${allowed}.`,
      sample: { objectKind: 'Deployment', extra: 4, allowed: 1 },
      variants: [{ objectKind: 'DaemonSet', extra: '30%', allowed: '25%' }],
    }),
    extraGpus: defineMessage<ViolationData<'extraGpus'>>({
      text: (data) => formatRefusal({ kind: 'extraGpus', ...data }),
      help: () => 'Write a smaller maxSurge; with maxSurge: 0, also write maxUnavailable: 1.',
      sample: { objectKind: 'Deployment', extra: 8, allowed: 1 },
    }),
    unknown: defineMessage<ViolationData<'unknown'>>({
      text: (data) => formatRefusal({ kind: 'unknown', ...data }),
      help: () => 'Write values that the API server accepts.',
      sample: { objectKind: 'Deployment' },
    }),
    probe: defineMessage<ViolationData<'probe'>>({
      text: (data) => formatRefusal({ kind: 'probe', ...data }),
      help: () => 'Give a container a readinessProbe that succeeds only when the application can serve.',
      sample: { objectKind: 'Deployment' },
    }),
    eviction: defineMessage<ViolationData<'eviction'>>({
      text: (data) => formatRefusal({ kind: 'eviction', ...data }),
      help: () => 'Write maxUnavailable: 1, and delete minAvailable if it is set.',
      sample: { objectKind: 'PodDisruptionBudget', field: 'maxUnavailable', value: '0' },
      variants: [{ objectKind: 'PodDisruptionBudget', field: 'minAvailable', value: '100%' }],
    }),
    budget: defineMessage<ViolationData<'budget'>>({
      text: (data) => formatRefusal({ kind: 'budget', ...data }),
      help: ({ uncertain }) => BUDGET_HELP[uncertain?.lacks ?? 'budget'],
      sample: { objectKind: 'Deployment', replicas: 3 },
      variants: [
        { objectKind: 'Deployment', replicas: 3, uncertain: { name: 'web', lacks: 'namespace' } },
        { objectKind: 'Deployment', replicas: 3, uncertain: { name: 'web', lacks: 'permanence' } },
      ],
    }),
  },
});

/** Creates the finding for a violation. */
export function createViolationFinding(violation: Violation): Finding {
  const { kind, ...data } = violation;
  return guardrailsRefused.createFinding(kind, { path: getViolationPath(violation), data });
}

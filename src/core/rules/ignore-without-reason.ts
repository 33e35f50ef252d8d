import { defineMessage, defineRule } from '../findings/finding';

interface EntryData {
  readonly entry: string;
}

interface ServiceData extends EntryData {
  /** Kind whose annotations reach the pods. Advice to edit the annotation would roll these pods. */
  readonly kind: string;
}

interface EntryOfChangeData {
  /** Code of a rule about a change or an upgrade. */
  readonly code: string;
}

interface CodeData {
  readonly code: string;
  /** Code that was probably intended; absent if none is similar. */
  readonly nearest?: string;
}

/** A suppression on an object that gives no reason, or that names no existing rule. */
export const ignoreWithoutReason = defineRule({
  code: 'input/ignore-without-reason',
  since: '0.1.0',
  severity: ['error', 'warning'],
  fires:
    'The annotation `rolloutkit/ignore` names a rule without a reason, a rule that does not exist, or a rule about a change (`change/…`, `upgrade/…`).',
  why:
    'Without a reason, later readers do not know why a finding is suppressed; with a misspelled code, the finding is not suppressed at all. ' +
    'The annotation stays when the change is over, and would hide the next one. ' +
    'In all cases the suppression has no effect, and the findings are reported as they would be without it.',
  fix: 'Write a code, a colon and a reason, and separate entries with a semicolon: `kubernetes/outage: one consumer only, by design`.',
  example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: consumer
  annotations:
    rolloutkit/ignore: kubernetes/outage
spec:
  replicas: 2
  strategy:
    type: Recreate
  selector:
    matchLabels:
      app: consumer
  template:
    metadata:
      labels:
        app: consumer
    spec:
      containers:
        - name: consumer
          image: consumer
`,
  fixedExample: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: consumer
  annotations:
    rolloutkit/ignore: "kubernetes/outage: two consumers must never run side by side"
spec:
  replicas: 2
  strategy:
    type: Recreate
  selector:
    matchLabels:
      app: consumer
  template:
    metadata:
      labels:
        app: consumer
    spec:
      containers:
        - name: consumer
          image: consumer
`,
  messages: {
    noReason: defineMessage<EntryData>({
      text: ({ entry }) => `The suppression "${entry}" gives no reason, so it has no effect.`,
      help: () => 'Write a code, a colon and a reason: "kubernetes/outage: one consumer only, by design".',
      sample: { entry: 'kubernetes/outage' },
    }),
    noReasonOnPods: defineMessage<ServiceData>({
      text: ({ entry }) => `The suppression "${entry}" gives no reason, so it has no effect.`,
      help: ({ kind }) =>
        `Suppress it in rolloutkit.yaml or a baseline: an annotation on ${chooseArticle(kind)} ${kind} reaches its pods, and changing it rolls them.`,
      sample: { entry: 'kubernetes/outage', kind: 'InferenceService' },
    }),
    unknownCode: defineMessage<CodeData>({
      text: ({ code }) => `The suppression names "${code}", which is not the code of a rule, so it has no effect.`,
      help: ({ nearest }) => (nearest === undefined ? 'Write the code as the finding shows it.' : `Write ${nearest}.`),
      sample: { code: 'kubernetes/outtage', nearest: 'kubernetes/outage' },
      variants: [{ code: 'outage' }],
    }),
    codeOfChange: defineMessage<EntryOfChangeData>({
      text: ({ code }) => `The suppression names "${code}", which is about one apply and not about the manifest, so it has no effect.`,
      help: () => 'Delete the suppression. A baseline (--write-baseline) can record the findings of one change.',
      sample: { code: 'change/scaled-down' },
    }),
  },
});

function chooseArticle(noun: string): string {
  return /^[AEIOU]/.test(noun) ? 'an' : 'a';
}

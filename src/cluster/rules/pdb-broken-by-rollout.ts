import { message, rule } from '../../core/finding';
import { show } from '../../core/seen';
import type { Seen } from '../../core/seen';
import { counted } from '../../core/words';

interface BrokenData {
  readonly budget: string;
  readonly field: 'minAvailable' | 'maxUnavailable';
  readonly value: Seen;
  readonly desiredHealthy: number;
  /** Pods that the rollout leaves. */
  readonly lowest: number;
}

interface TogetherData extends BrokenData {
  /** Workloads that it covers besides this one. */
  readonly others: number;
  /** The only other one: `Deployment "api"`. */
  readonly other?: string;
}

const ADVICE = 'Allow the rollout fewer unavailable pods, such as maxSurge: 1 and maxUnavailable: 0, or loosen the budget.';

function text({ budget, field, value, desiredHealthy, lowest }: BrokenData, because: string): string {
  return (
    `PodDisruptionBudget "${budget}" (${field} ${show(value)}) wants ${counted(desiredHealthy, 'pod')} healthy, but ${because} leaves ${lowest}: ` +
    'a rollout does not ask the budget, and no node can be drained meanwhile.'
  );
}

const SAMPLE: BrokenData = { budget: 'web', field: 'minAvailable', value: 3, desiredHealthy: 3, lowest: 2 };

/** A rollout that goes below a budget. */
export const pdbBrokenByRollout = rule({
  code: 'kubernetes/pdb-broken-by-rollout',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A rollout leaves fewer pods available than a PodDisruptionBudget asks for.',
  why:
    'Controllers delete pods directly and never ask a budget (k/k#34776), so the promise that it makes holds for drains and not for ' +
    'rollouts. While a rollout is below the budget, nodes cannot be drained either. Pods of several workloads under one budget add up.',
  fix: 'Lower maxUnavailable of the rollout to what the budget allows, or loosen the budget.',
  example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 4
  strategy:
    rollingUpdate: { maxSurge: 0, maxUnavailable: 2 }
  template:
    metadata:
      labels: { app: web }
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: web
spec:
  minAvailable: 3
  selector: { matchLabels: { app: web } }
`,
  fixed: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 4
  strategy:
    rollingUpdate: { maxSurge: 0, maxUnavailable: 1 }
  template:
    metadata:
      labels: { app: web }
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: web
spec:
  minAvailable: 3
  selector: { matchLabels: { app: web } }
`,
  messages: {
    alone: message<BrokenData>({
      text: (data) => text(data, 'this rollout'),
      help: () => ADVICE,
      sample: SAMPLE,
    }),
    together: message<TogetherData>({
      text: (data) =>
        text(data, `a rollout of this workload together with ${data.other ?? `the ${data.others} other workloads that it covers`}`),
      help: () => ADVICE,
      sample: { ...SAMPLE, others: 1, other: 'Deployment "api"' },
      variants: [{ ...SAMPLE, field: 'maxUnavailable', value: '25%', others: 2 }],
    }),
  },
});

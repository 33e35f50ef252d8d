import { message, rule } from '../../core/finding';
import { show } from '../../core/seen';
import type { Seen } from '../../core/seen';
import { counted, listed } from '../../core/words';

interface BlockedData {
  readonly budget: string;
  readonly field: 'minAvailable' | 'maxUnavailable';
  readonly value: Seen;
  /** Pods that it covers at full strength. */
  readonly pods: number;
}

interface OverlapData {
  readonly budgets: readonly string[];
  readonly kind: string;
  readonly name: string;
}

function looser({ field, pods }: BlockedData): string {
  if (field === 'maxUnavailable') return 'Write maxUnavailable: 1 or more.';
  if (pods === 1) return 'Run 2 replicas or more, or write maxUnavailable: 1 instead.';
  return `Write maxUnavailable: 1 instead, or minAvailable: ${pods - 1} or less.`;
}

/** A budget that allows no eviction. */
export const pdbBlocksEviction = rule({
  code: 'kubernetes/pdb-blocks-eviction',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A PodDisruptionBudget allows no eviction even while all of its pods are healthy, or two of them select the same pods.',
  why:
    'A drain evicts pods and retries for as long as the budget says no; a budget that asks for all of its pods says no for ever, so ' +
    'nodes can be neither drained nor upgraded. minAvailable and maxUnavailable are both rounded up: 50% of 1 is 1. An eviction of a ' +
    'pod that two budgets select fails whatever they allow. Rollouts delete pods without asking the budget and are not stopped by it.',
  fix: 'Write `maxUnavailable: 1`, which holds for any number of replicas, run at least 2, and have one budget for them.',
  example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
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
  replicas: 3
  template:
    metadata:
      labels: { app: web }
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: web
spec:
  maxUnavailable: 1
  selector: { matchLabels: { app: web } }
`,
  messages: {
    blocked: message<BlockedData>({
      text: ({ budget, field, value, pods }) =>
        `PodDisruptionBudget "${budget}" has ${field} ${show(value)}, and it covers ${counted(pods, 'pod')} at full strength: ` +
        'none may ever be evicted, so draining a node waits for good.',
      help: looser,
      sample: { budget: 'web', field: 'minAvailable', value: 3, pods: 3 },
      variants: [
        { budget: 'web', field: 'minAvailable', value: '50%', pods: 1 },
        { budget: 'web', field: 'maxUnavailable', value: '0%', pods: 3 },
      ],
    }),
    overlap: message<OverlapData>({
      text: ({ budgets, kind, name }) =>
        `${budgets.length} PodDisruptionBudgets (${listed(budgets.map((budget) => `"${budget}"`))}) select the pods of ${kind} "${name}": ` +
        'every eviction of a pod under more than one budget fails with error 500, so draining a node never succeeds.',
      help: () => 'Keep one of them, or narrow their selectors until no pod is under two.',
      sample: { budgets: ['web', 'all'], kind: 'Deployment', name: 'web' },
      variants: [{ budgets: ['a', 'b', 'c'], kind: 'StatefulSet', name: 'db' }],
    }),
  },
});

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
  /** A maxUnavailable of the budget that a rollout keeps to as well, where one can. */
  readonly maxUnavailable: number;
  /** The same as minAvailable; absent where it would ask for no pod. */
  readonly minAvailable?: number;
  /** Of the only pod: how many there have to be for the budget as it is; absent where no number of up to ten will do. */
  readonly replicas?: number;
  /** Who changes the number of pods; absent where nobody does. */
  readonly autoscaled?: Autoscaled;
}

/** Autoscalers of the pods that a budget covers. */
interface Autoscaled {
  readonly by: readonly string[];
  /** Of all the pods. */
  readonly minimum: number;
  readonly maximum: number;
  /** Does the budget allow no eviction at any number of pods between? */
  readonly always: boolean;
}

interface OverlapData {
  readonly budgets: readonly string[];
  readonly kind: string;
  readonly name: string;
}

function looser({ field, maxUnavailable, minAvailable, replicas, autoscaled }: BlockedData): string {
  if (field === 'maxUnavailable') return `Write maxUnavailable: ${maxUnavailable}.`;
  const instead = `maxUnavailable: ${maxUnavailable} instead${minAvailable === undefined ? '' : `, or minAvailable: ${minAvailable}`}`;
  if (replicas === undefined) return `Write ${instead}.`;
  const more = autoscaled ? `Let ${listed(autoscaled.by)} keep at least ${replicas} replicas` : `Run ${replicas} replicas`;
  return `${more}, or write ${instead}.`;
}

/** How long a drain waits: for good only where nobody changes the number of pods. */
function waitText({ autoscaled }: BlockedData): string {
  if (!autoscaled) return 'none may ever be evicted, so draining a node waits for good.';
  const { by, minimum, maximum, always } = autoscaled;
  const range = `from ${minimum} to ${maximum}, by ${listed(by)}`;
  return always
    ? `none may be evicted at any number of them (${range}), so draining a node waits.`
    : `none may be evicted while there are so few (${range}), so draining a node waits until there are more.`;
}

const SCALED = { by: ['HorizontalPodAutoscaler "web"'], minimum: 1, maximum: 10 };

/** A budget that allows no eviction. */
export const pdbBlocksEviction = rule({
  code: 'kubernetes/pdb-blocks-eviction',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A PodDisruptionBudget allows no eviction even while all of its pods are healthy, or two of them select the same pods.',
  why:
    'A drain evicts pods and retries for as long as the budget says no; a budget that asks for all of its pods says no for ever, ' +
    'so nodes can be neither drained nor upgraded. minAvailable and maxUnavailable are both rounded up: 50% of 1 is 1. ' +
    'An eviction of a pod that two budgets select fails whatever they allow. ' +
    'Rollouts delete pods without asking the budget and are not stopped by it.',
  fix: 'Write `maxUnavailable: 1`, which holds for any number of replicas, run as many that one may be missing, and have one budget for them.',
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
      text: (data) =>
        `PodDisruptionBudget "${data.budget}" has ${data.field} ${show(data.value)}, and it covers ${counted(data.pods, 'pod')} at full strength: ` +
        waitText(data),
      help: looser,
      sample: { budget: 'web', field: 'minAvailable', value: 3, pods: 3, maxUnavailable: 1, minAvailable: 2 },
      variants: [
        { budget: 'web', field: 'minAvailable', value: '80%', pods: 1, maxUnavailable: 1, replicas: 5 },
        { budget: 'web', field: 'minAvailable', value: '100%', pods: 1, maxUnavailable: 1 },
        {
          budget: 'web',
          field: 'maxUnavailable',
          value: '0%',
          pods: 3,
          maxUnavailable: 1,
          minAvailable: 2,
          autoscaled: { ...SCALED, always: true },
        },
        {
          budget: 'web',
          field: 'minAvailable',
          value: 1,
          pods: 1,
          maxUnavailable: 1,
          replicas: 2,
          autoscaled: { ...SCALED, always: false },
        },
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

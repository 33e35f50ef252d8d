import { byChoice } from '../../core/advice';
import { message, rule } from '../../core/finding';
import type { Finding } from '../../core/finding';
import type { Manifest } from '../../core/manifest';
import { show } from '../../core/seen';
import type { Seen } from '../../core/seen';
import { counted } from '../../core/words';
import type { PlanContext } from '../context';
import { budgetData, budgetDemand, placeOf, podsOf, unlessElsewhere } from '../disruption-budget';
import type { BudgetDemand, Covered } from '../disruption-budget';

interface NeverData {
  readonly budget: string;
  readonly field: 'minAvailable' | 'maxUnavailable';
  readonly value: Seen;
  /** Pods of other units that it selects too, in view of which it would let some go, or as many as the rollout would. @default - none */
  readonly podsElsewhere?: number;
}

interface SlowerData extends NeverData {
  /** Pods that it lets go at once. */
  readonly allowed: number;
  /** Pods that the rollout would evict at once. */
  readonly atOnce: number;
}

const RESTARTED = `apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata:
  name: web
spec:
  replicas: 4
  selector:
    matchLabels: { app: web }
  template:
    metadata:
      labels: { app: web }
    spec:
      containers:
        - name: web
          image: web:1
          readinessProbe: { tcpSocket: { port: 8080 } }
  strategy:
    canary: { maxUnavailable: 2 }
`;

function example(budget: string): string {
  return `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${RESTARTED}# new.yaml
${RESTARTED.replace('  replicas: 4\n', '  replicas: 4\n  restartAt: 2026-01-01T00:00:00Z\n')}---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: web
spec:
  ${budget}
  selector: { matchLabels: { app: web } }
`;
}

/** A rollout that evicts its pods asks the budgets, which say no. */
export const pdbRefusesEviction = rule({
  code: 'kubernetes/pdb-refuses-eviction',
  since: '0.1.0',
  severity: ['error', 'info'],
  fires:
    'A controller that evicts the pods of a workload, and does not delete them, meets a PodDisruptionBudget that lets none go, or fewer than it would. ' +
    'An info where pods of other units decide that, for nobody knows whether they run in the same cluster.',
  why:
    'An eviction asks the budgets, as the restart of an Argo Rollout does, which tries again every 30 seconds. Under a budget that lets no pod go nothing is ever ' +
    'restarted, and no deadline notices; under one that lets fewer go than the workload would, the rest of them comes later than the rows show.',
  fix: 'Loosen the budget, such as to `maxUnavailable: 1`, or lower maxUnavailable of the workload to what the budget lets go.',
  example: example('minAvailable: 4'),
  fixed: example('maxUnavailable: 2'),
  messages: {
    never: message<NeverData>({
      text: ({ budget, field, value, ...data }) =>
        `PodDisruptionBudget "${budget}" (${field} ${show(value)}) lets no pod go, and these pods are evicted: none is ever restarted${unlessElsewhere(data)}`,
      help: () => 'Loosen the budget as long as the restart takes, such as to maxUnavailable: 1.',
      advice: () => byChoice(),
      sample: { budget: 'web', field: 'minAvailable', value: 4 },
      variants: [{ budget: 'web', field: 'minAvailable', value: 4, podsElsewhere: 4 }],
    }),
    slower: message<SlowerData>({
      text: ({ budget, allowed, atOnce, ...data }) =>
        `PodDisruptionBudget "${budget}" lets ${counted(allowed, 'pod')} go at once, and the rows show ${atOnce}: ` +
        `the others are evicted later, as those before them get ready${unlessElsewhere(data)}`,
      help: ({ allowed }) => `Count on ${counted(allowed, 'pod')} at once, or write maxUnavailable: ${allowed} into the workload.`,
      advice: () => byChoice(),
      sample: { budget: 'web', field: 'minAvailable', value: 3, allowed: 1, atOnce: 2 },
      variants: [{ budget: 'web', field: 'minAvailable', value: 3, allowed: 1, atOnce: 2, podsElsewhere: 1 }],
    }),
  },
});

/** What a budget means for the rollouts under it whose pods are evicted. */
export function refusedEvictions(
  budget: Manifest,
  covered: readonly Covered[],
  demand: BudgetDemand,
  context: PlanContext,
  podsElsewhere: (budget: Manifest) => number,
): [Covered['rollout'], Finding][] {
  const pods = podsOf(covered);
  const allowed = Math.max(0, pods - demand.desiredHealthy);
  const place = placeOf(budget, demand.field, context);
  return covered.flatMap((one): [Covered['rollout'], Finding][] => {
    const { rollout, replicas } = one.workload;
    if (rollout?.evicts !== true) return [];
    const more = podsElsewhere(budget);
    const allowedBesideThem = Math.max(0, pods + more - budgetDemand(budget, pods + more)!.desiredHealthy);
    const dataOf = (isChanged: boolean) => ({ ...budgetData(budget, demand), ...(isChanged && { podsElsewhere: more }) });
    if (allowed === 0) {
      const severity = allowedBesideThem > 0 ? 'info' : 'error';
      return [[one.rollout, pdbRefusesEviction.finding('never', { ...place, severity, data: dataOf(allowedBesideThem > 0) })]];
    }
    const atOnce = replicas - rollout.leastAvailable;
    if (atOnce <= allowed) return [];
    const data = { ...dataOf(atOnce <= allowedBesideThem), allowed, atOnce };
    return [[one.rollout, pdbRefusesEviction.finding('slower', { ...place, severity: 'info', data })]];
  });
}

import { suggestManualFix } from '../../core/suggested-fix';
import { defineMessage, defineRule } from '../../core/finding';
import type { Finding } from '../../core/finding';
import type { Manifest } from '../../core/manifest';
import { formatDisplayValue } from '../../core/display-value';
import type { DisplayValue } from '../../core/display-value';
import { pluralize } from '../../core/text-format';
import type { PlanContext } from '../context';
import { toBudgetData, resolveBudgetDemand, budgetLocationOf, countCoveredPods, formatOtherUnitsCaveat } from '../disruption-budget';
import type { BudgetDemand, CoveredWorkload } from '../disruption-budget';

interface NeverData {
  readonly budget: string;
  readonly field: 'minAvailable' | 'maxUnavailable';
  readonly value: DisplayValue;
  /** Pods of other units that it selects too, in view of which it would let some go, or as many as the rollout would. @default - none */
  readonly podsInOtherUnits?: number;
}

interface SlowerData extends NeverData {
  /** Pods that it lets go at once. */
  readonly allowed: number;
  /** Pods that the rollout would evict at once. */
  readonly atOnce: number;
}

const RESTARTED_ROLLOUT = `apiVersion: argoproj.io/v1alpha1
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

function buildExample(budget: string): string {
  return `# rolloutkit plan --from old.yaml new.yaml
# old.yaml
${RESTARTED_ROLLOUT}# new.yaml
${RESTARTED_ROLLOUT.replace('  replicas: 4\n', '  replicas: 4\n  restartAt: 2026-01-01T00:00:00Z\n')}---
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
export const pdbRefusesEviction = defineRule({
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
  example: buildExample('minAvailable: 4'),
  fixedExample: buildExample('maxUnavailable: 2'),
  messages: {
    never: defineMessage<NeverData>({
      text: ({ budget, field, value, ...data }) =>
        `PodDisruptionBudget "${budget}" (${field} ${formatDisplayValue(value)}) lets no pod go, and these pods are evicted: none is ever restarted${formatOtherUnitsCaveat(data)}`,
      help: () => 'Loosen the budget as long as the restart takes, such as to maxUnavailable: 1.',
      suggestedFix: () => suggestManualFix(),
      sample: { budget: 'web', field: 'minAvailable', value: 4 },
      variants: [{ budget: 'web', field: 'minAvailable', value: 4, podsInOtherUnits: 4 }],
    }),
    slower: defineMessage<SlowerData>({
      text: ({ budget, allowed, atOnce, ...data }) =>
        `PodDisruptionBudget "${budget}" lets ${pluralize(allowed, 'pod')} go at once, and the rows show ${atOnce}: ` +
        `the others are evicted later, as those before them get ready${formatOtherUnitsCaveat(data)}`,
      help: ({ allowed }) => `Count on ${pluralize(allowed, 'pod')} at once, or write maxUnavailable: ${allowed} into the workload.`,
      suggestedFix: () => suggestManualFix(),
      sample: { budget: 'web', field: 'minAvailable', value: 3, allowed: 1, atOnce: 2 },
      variants: [{ budget: 'web', field: 'minAvailable', value: 3, allowed: 1, atOnce: 2, podsInOtherUnits: 1 }],
    }),
  },
});

/** What a budget means for the rollouts under it whose pods are evicted. */
export function checkPdbRefusesEviction(
  budget: Manifest,
  covered: readonly CoveredWorkload[],
  demand: BudgetDemand,
  context: PlanContext,
  countPodsInOtherUnits: (budget: Manifest) => number,
): [CoveredWorkload['rollout'], Finding][] {
  const pods = countCoveredPods(covered);
  const allowed = Math.max(0, pods - demand.desiredHealthy);
  const location = budgetLocationOf(budget, demand.field, context);
  return covered.flatMap((item): [CoveredWorkload['rollout'], Finding][] => {
    const { rollout, replicas } = item.workload;
    if (rollout?.evicts !== true) return [];
    const otherUnitPods = countPodsInOtherUnits(budget);
    const allowedWithOtherUnits = Math.max(0, pods + otherUnitPods - resolveBudgetDemand(budget, pods + otherUnitPods)!.desiredHealthy);
    const buildData = (isChanged: boolean) => ({ ...toBudgetData(budget, demand), ...(isChanged && { podsInOtherUnits: otherUnitPods }) });
    if (allowed === 0) {
      const severity = allowedWithOtherUnits > 0 ? 'info' : 'error';
      return [
        [item.rollout, pdbRefusesEviction.createFinding('never', { ...location, severity, data: buildData(allowedWithOtherUnits > 0) })],
      ];
    }
    const atOnce = replicas - rollout.leastAvailable;
    if (atOnce <= allowed) return [];
    const data = { ...buildData(atOnce <= allowedWithOtherUnits), allowed, atOnce };
    return [[item.rollout, pdbRefusesEviction.createFinding('slower', { ...location, severity: 'info', data })]];
  });
}

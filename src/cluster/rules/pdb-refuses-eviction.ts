import { suggestManualFix } from '../../core/findings/suggested-fix';
import { defineMessage, defineRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import type { Manifest } from '../../core/manifest/manifest';
import { formatDisplayValue } from '../../core/text/display-value';
import type { DisplayValue } from '../../core/text/display-value';
import { pluralize } from '../../core/text/text-format';
import type { PlanContext } from '../context/context';
import {
  toBudgetData,
  resolveBudgetDemand,
  budgetLocationOf,
  countCoveredPods,
  formatOtherUnitsCaveat,
} from '../disruption-budgets/disruption-budget';
import type { BudgetDemand, CoveredWorkload } from '../disruption-budgets/disruption-budget';

interface NeverData {
  readonly budget: string;
  readonly field: 'minAvailable' | 'maxUnavailable';
  readonly value: DisplayValue;
  /**
   * Pods of other units that it also selects. Set if the budget would allow evictions with them, or as many as the rollout makes. @default
   * - none
   */
  readonly podsInOtherUnits?: number;
}

interface SlowerData extends NeverData {
  /** Pods that it allows to be evicted at once. */
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

/** A rollout that evicts its pods, and budgets that refuse the evictions. */
export const pdbRefusesEviction = defineRule({
  code: 'kubernetes/pdb-refuses-eviction',
  since: '0.1.0',
  severity: ['error', 'info'],
  fires:
    'A controller evicts the pods of a workload instead of deleting them, and a PodDisruptionBudget allows no eviction, or fewer than the controller makes.',
  why:
    'Budgets can refuse evictions. The restart of an Argo Rollout evicts pods and retries every 30 seconds. ' +
    'If the budget allows no eviction, nothing is ever restarted, and no deadline reports it. ' +
    'If it allows fewer evictions than the workload would make, the rest happen later than the rows show. ' +
    'The severity is info if the result depends on pods of other units (folders, charts or kustomizations that are planned in the same run), ' +
    'because they may or may not run in the same cluster.',
  fix: 'Loosen the budget, for example to `maxUnavailable: 1`, or lower maxUnavailable of the workload to the evictions that the budget allows.',
  example: buildExample('minAvailable: 4'),
  fixedExample: buildExample('maxUnavailable: 2'),
  messages: {
    never: defineMessage<NeverData>({
      text: ({ budget, field, value, ...data }) =>
        `PodDisruptionBudget "${budget}" (${field} ${formatDisplayValue(value)}) allows no eviction, and the controller evicts these pods: none is ever restarted${formatOtherUnitsCaveat(data)}`,
      help: () => 'Loosen the budget for the duration of the restart, for example to maxUnavailable: 1.',
      suggestedFix: () => suggestManualFix(),
      sample: { budget: 'web', field: 'minAvailable', value: 4 },
      variants: [{ budget: 'web', field: 'minAvailable', value: 4, podsInOtherUnits: 4 }],
    }),
    slower: defineMessage<SlowerData>({
      text: ({ budget, allowed, atOnce, ...data }) =>
        `PodDisruptionBudget "${budget}" allows ${pluralize(allowed, 'eviction')} at once, but the rows show ${atOnce}: ` +
        `the other pods are evicted later, as earlier ones become ready${formatOtherUnitsCaveat(data)}`,
      help: ({ allowed }) => `Expect ${pluralize(allowed, 'pod')} at once, or write maxUnavailable: ${allowed} in the workload.`,
      suggestedFix: () => suggestManualFix(),
      sample: { budget: 'web', field: 'minAvailable', value: 3, allowed: 1, atOnce: 2 },
      variants: [{ budget: 'web', field: 'minAvailable', value: 3, allowed: 1, atOnce: 2, podsInOtherUnits: 1 }],
    }),
  },
});

/** Reports what a budget means for the rollouts under it whose pods are evicted. */
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

import { suggestManualFix, setField } from '../../core/findings/suggested-fix';
import type { Edit, EditTarget } from '../../core/findings/suggested-fix';
import { toFieldPath } from '../../core/manifest/field-path';
import type { FieldPath } from '../../core/manifest/field-path';
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
  sumMinAvailable,
  minAvailableOf,
  budgetLocationOf,
  countCoveredPods,
  formatOtherUnitsCaveat,
} from '../disruption-budgets/disruption-budget';
import type { BudgetDemand, CoveredWorkload } from '../disruption-budgets/disruption-budget';
import { getMaxUnavailablePath } from '../rollout/strategy-field-names';
import type { BudgetedPods } from '../rollout/pod-groups';
import type { SystemRollout } from '../rollout/system-rollout';

interface BrokenData {
  readonly budget: string;
  readonly field: 'minAvailable' | 'maxUnavailable';
  readonly value: DisplayValue;
  readonly desiredHealthy: number;
  /** Pods that it covers while nothing rolls out. */
  readonly pods: number;
  /** Pods that the rollout leaves available. */
  readonly lowestAvailable: number;
  /** Location of maxUnavailable of the rolling update in the workload's own object. Unset if there is none to lower. */
  readonly limit?: EditTarget & { readonly path: FieldPath };
  /** Pods of other units that it also selects. Set if the budget is respected with them. @default - none */
  readonly podsInOtherUnits?: number;
  /** Pods of the budget in each group, if maxUnavailable counts groups. @default 1 */
  readonly perGroup?: number;
}

interface SeveralWorkloadsData extends BrokenData {
  /** Other workloads that it covers. */
  readonly otherWorkloads: number;
  /** The other workload, if there is only one: `Deployment "api"`. */
  readonly otherWorkload?: string;
}

/** Formats the budget that the rollout respects. Returns undefined if the rollout leaves no pod. */
function formatLooserBudget({ field, pods, lowestAvailable }: BrokenData): string | undefined {
  if (lowestAvailable === 0) return undefined;
  return field === 'minAvailable' ? `minAvailable: ${lowestAvailable}` : `maxUnavailable: ${pods - lowestAvailable}`;
}

/** Formats the advice for pods that are replaced group by group. */
function formatSlowerGroups(data: BrokenData, allowed: number): string {
  const looserBudget = formatLooserBudget(data);
  const budget = looserBudget === undefined ? '' : `loosen the budget to ${looserBudget}`;
  if (allowed > 0) return `Write maxUnavailable: ${allowed}, which counts groups${budget === '' ? '' : `, or ${budget}`}.`;
  return `Write maxUnavailable: 0 with maxSurge: 1, so that a new group is created before an old one is deleted${budget === '' ? '' : `, or ${budget}`}.`;
}

function formatSlowerRollout(data: BrokenData): string {
  const allowed = Math.floor((data.pods - data.desiredHealthy) / (data.perGroup ?? 1));
  if (data.perGroup !== undefined) return formatSlowerGroups(data, allowed);
  const update = data.limit ? '' : 'a rolling update that waits for readiness probes, with maxSurge: 0 and ';
  if (allowed <= 0) return `Write ${update}maxUnavailable: 1, and let the budget allow one pod to be unavailable.`;
  const budget = formatLooserBudget(data);
  return `Write ${update}maxUnavailable: ${allowed}${budget === undefined ? '' : `, or loosen the budget to ${budget}`}.`;
}

/** Returns the edits for a slower rollout if it can be slowed down, otherwise for a looser budget. */
function buildEdits(data: BrokenData, path: FieldPath): Edit[] {
  const { pods, desiredHealthy, limit } = data;
  if (!limit || pods <= desiredHealthy) return buildLooserBudgetEdits(data, path);
  const { path: limitPath, ...target } = limit;
  return [setField(limitPath, pods - desiredHealthy, target)];
}

function buildLooserBudgetEdits({ budget, field, pods, lowestAvailable }: BrokenData, path: FieldPath): Edit[] {
  if (lowestAvailable === 0) return [];
  return [
    setField(path, field === 'minAvailable' ? lowestAvailable : pods - lowestAvailable, { kind: 'PodDisruptionBudget', name: budget }),
  ];
}

function formatSeparateBudgets(data: BrokenData): string {
  const budget = formatLooserBudget(data);
  return `Give each workload a budget of its own${budget === undefined ? '' : `, or loosen this one to ${budget}`}.`;
}

function formatMessage({ budget, field, value, desiredHealthy, lowestAvailable, ...data }: BrokenData, cause: string): string {
  return (
    `PodDisruptionBudget "${budget}" (${field} ${formatDisplayValue(value)}) requires ${pluralize(desiredHealthy, 'healthy pod')}, but ${cause} leaves ${lowestAvailable}: ` +
    `rollouts do not check budgets, and nodes with these pods cannot be drained meanwhile${formatOtherUnitsCaveat(data)}`
  );
}

const SAMPLE: BrokenData = {
  budget: 'web',
  field: 'minAvailable',
  value: 3,
  desiredHealthy: 3,
  pods: 4,
  lowestAvailable: 2,
  limit: { kind: 'Deployment', name: 'web', path: toFieldPath`spec.strategy.rollingUpdate.maxUnavailable` },
};

/** Sample data of a workload that deletes all of its pods at once. */
const ALL_AT_ONCE_SAMPLE: BrokenData = { budget: 'web', field: 'minAvailable', value: 3, desiredHealthy: 3, pods: 4, lowestAvailable: 0 };

/** A rollout that leaves fewer pods than a budget requires. */
export const pdbBrokenByRollout = defineRule({
  code: 'kubernetes/pdb-broken-by-rollout',
  since: '0.1.0',
  severity: ['warning', 'info'],
  fires: 'A rollout leaves fewer pods available than a PodDisruptionBudget requires.',
  why:
    'Controllers delete pods directly and never check budgets (k/k#34776), ' +
    'so a budget protects pods from drains but not from rollouts. While a rollout is below the budget, ' +
    'nodes cannot be drained either. Pods of several workloads under one budget add up. ' +
    'The severity is info if the result depends on pods of other units (folders, charts or kustomizations that are planned in the same run), ' +
    'because they may or may not run in the same cluster.',
  fix: 'Lower maxUnavailable of the rollout to what the budget allows, or loosen the budget.',
  example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 4
  strategy:
    rollingUpdate: { maxSurge: 0, maxUnavailable: 2 }
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels: { app: web }
    spec:
      containers:
        - name: web
          image: web:1
          readinessProbe: { tcpSocket: { port: 8080 } }
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: web
spec:
  minAvailable: 3
  selector: { matchLabels: { app: web } }
`,
  fixedExample: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 4
  strategy:
    rollingUpdate: { maxSurge: 0, maxUnavailable: 1 }
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels: { app: web }
    spec:
      containers:
        - name: web
          image: web:1
          readinessProbe: { tcpSocket: { port: 8080 } }
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
    singleWorkload: defineMessage<BrokenData>({
      text: (data) => formatMessage(data, 'this rollout'),
      help: formatSlowerRollout,
      suggestedFix: (data, path) => suggestManualFix(...buildEdits(data, path)),
      sample: SAMPLE,
      variants: [
        { ...SAMPLE, field: 'maxUnavailable', value: 1, lowestAvailable: 0 },
        ALL_AT_ONCE_SAMPLE,
        { ...ALL_AT_ONCE_SAMPLE, desiredHealthy: 4 },
        { ...ALL_AT_ONCE_SAMPLE, desiredHealthy: 5 },
        { ...SAMPLE, limit: undefined, perGroup: 4 },
        { ...SAMPLE, limit: undefined, perGroup: 1 },
        { ...SAMPLE, podsInOtherUnits: 4 },
      ],
    }),
    severalWorkloads: defineMessage<SeveralWorkloadsData>({
      text: (data) =>
        formatMessage(
          data,
          `a simultaneous rollout of this workload and ${data.otherWorkload ?? `the ${data.otherWorkloads} other workloads that the budget covers`}`,
        ),
      help: formatSeparateBudgets,
      suggestedFix: (data, path) => suggestManualFix(...buildLooserBudgetEdits(data, path)),
      sample: { ...SAMPLE, otherWorkloads: 1, otherWorkload: 'Deployment "api"' },
      variants: [{ ...SAMPLE, field: 'maxUnavailable', value: '25%', otherWorkloads: 2 }],
    }),
  },
});

/** Returns the location of the limit of a rolling update. Returns nothing for Recreate, or if the user of the object cannot write it. */
function limitOf(workload: BudgetedPods) {
  const { kind, name, rollout, strategyOwner, perGroup } = workload;
  if (perGroup !== undefined) return { perGroup };
  const isRolling = rollout && (rollout.leastAvailable > 0 || rollout.surge > 0);
  return isRolling && !strategyOwner ? { limit: { kind, name, path: getMaxUnavailablePath(workload) } } : {};
}

/** Reports the rollouts that leave fewer pods than a budget requires, one by one or together. */
export function checkPdbBrokenByRollout(
  budget: Manifest,
  covered: readonly CoveredWorkload[],
  demand: BudgetDemand,
  context: PlanContext,
  countPodsInOtherUnits: (budget: Manifest) => number,
): [SystemRollout, Finding][] {
  const pods = countCoveredPods(covered);
  const first = covered[0]!;
  const location = budgetLocationOf(budget, demand.field, context);
  const known = { ...toBudgetData(budget, demand), desiredHealthy: demand.desiredHealthy, pods };
  const describe = (lowestAvailable: number) => {
    const podsInOtherUnits = countPodsInOtherUnits(budget);
    const isMetWithOtherUnits = lowestAvailable + podsInOtherUnits >= resolveBudgetDemand(budget, pods + podsInOtherUnits)!.desiredHealthy;
    return {
      severity: isMetWithOtherUnits ? 'info' : 'warning',
      data: { ...known, lowestAvailable, ...(isMetWithOtherUnits && { podsInOtherUnits }) },
    } as const;
  };
  const single = covered.flatMap((item): [SystemRollout, Finding][] => {
    const lowestAvailable = pods - item.workload.replicas + minAvailableOf(item);
    if (lowestAvailable >= demand.desiredHealthy) return [];
    const { severity, data } = describe(lowestAvailable);
    return [
      [
        item.rollout,
        pdbBrokenByRollout.createFinding('singleWorkload', { ...location, severity, data: { ...data, ...limitOf(item.workload) } }),
      ],
    ];
  });
  if (single.length > 0) return single;
  const lowestAvailable = sumMinAvailable(covered);
  if (lowestAvailable >= demand.desiredHealthy) return [];
  const otherWorkloads = covered.length - 1;
  const { kind, name } = covered.at(-1)!.workload;
  const onlyOther = otherWorkloads === 1 ? { otherWorkload: `${kind} "${name}"` } : {};
  const { severity, data } = describe(lowestAvailable);
  return [
    [
      first.rollout,
      pdbBrokenByRollout.createFinding('severalWorkloads', { ...location, severity, data: { ...data, otherWorkloads, ...onlyOther } }),
    ],
  ];
}

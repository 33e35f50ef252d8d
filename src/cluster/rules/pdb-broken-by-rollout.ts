import { suggestManualFix, setField } from '../../core/suggested-fix';
import type { Edit, EditTarget } from '../../core/suggested-fix';
import { toFieldPath } from '../../core/field-path';
import type { FieldPath } from '../../core/field-path';
import { defineMessage, defineRule } from '../../core/finding';
import type { Finding } from '../../core/finding';
import type { Manifest } from '../../core/manifest';
import { formatDisplayValue } from '../../core/display-value';
import type { DisplayValue } from '../../core/display-value';
import { pluralize } from '../../core/text-format';
import type { PlanContext } from '../context';
import {
  toBudgetData,
  resolveBudgetDemand,
  sumMinAvailable,
  minAvailableOf,
  budgetLocationOf,
  countCoveredPods,
  formatOtherUnitsCaveat,
} from '../disruption-budget';
import type { BudgetDemand, CoveredWorkload } from '../disruption-budget';
import { getMaxUnavailablePath } from '../strategy-field-names';
import type { BudgetedPods, SystemRollout } from '../workload';

interface BrokenData {
  readonly budget: string;
  readonly field: 'minAvailable' | 'maxUnavailable';
  readonly value: DisplayValue;
  readonly desiredHealthy: number;
  /** Pods that it covers at full strength. */
  readonly pods: number;
  /** Pods that the rollout leaves. */
  readonly lowestAvailable: number;
  /** Where the rolling update has its maxUnavailable, in the workload's own object; absent where there is none to lower. */
  readonly limit?: EditTarget & { readonly path: FieldPath };
  /** Pods of other units that it selects too, in view of which it is kept. @default - none */
  readonly podsInOtherUnits?: number;
  /** Pods of the budget that go together, where maxUnavailable counts groups of them. @default 1 */
  readonly perGroup?: number;
}

interface SeveralWorkloadsData extends BrokenData {
  /** Workloads that it covers besides this one. */
  readonly otherWorkloads: number;
  /** The only other one: `Deployment "api"`. */
  readonly otherWorkload?: string;
}

/** The budget that the rollout keeps to; undefined where it leaves no pod. */
function formatLooserBudget({ field, pods, lowestAvailable: lowest }: BrokenData): string | undefined {
  if (lowest === 0) return undefined;
  return field === 'minAvailable' ? `minAvailable: ${lowest}` : `maxUnavailable: ${pods - lowest}`;
}

/** Of pods that are replaced group by group. */
function formatSlowerGroups(data: BrokenData, allowed: number): string {
  const looserBudget = formatLooserBudget(data);
  const budget = looserBudget === undefined ? '' : `loosen the budget to ${looserBudget}`;
  if (allowed > 0) return `Write maxUnavailable: ${allowed}, which counts groups${budget === '' ? '' : `, or ${budget}`}.`;
  return `Write maxUnavailable: 0 with maxSurge: 1, so that a new group comes before an old one goes${budget === '' ? '' : `, or ${budget}`}.`;
}

function formatSlowerRollout(data: BrokenData): string {
  const allowed = Math.floor((data.pods - data.desiredHealthy) / (data.perGroup ?? 1));
  if (data.perGroup !== undefined) return formatSlowerGroups(data, allowed);
  const update = data.limit ? '' : 'a rolling update that waits for readiness probes, with maxSurge: 0 and ';
  if (allowed === 0) return `Write ${update}maxUnavailable: 1, once the budget lets one pod be missing.`;
  const budget = formatLooserBudget(data);
  return `Write ${update}maxUnavailable: ${allowed}${budget === undefined ? '' : `, or loosen the budget to ${budget}`}.`;
}

/** A slower rollout where it is one that can be slowed down, else a looser budget. */
function buildEdits(data: BrokenData, path: FieldPath): Edit[] {
  const { pods, desiredHealthy, limit } = data;
  if (!limit || pods === desiredHealthy) return buildLooserBudgetEdits(data, path);
  const { path: limitPath, ...target } = limit;
  return [setField(limitPath, pods - desiredHealthy, target)];
}

function buildLooserBudgetEdits({ budget, field, pods, lowestAvailable: lowest }: BrokenData, path: FieldPath): Edit[] {
  if (lowest === 0) return [];
  return [setField(path, field === 'minAvailable' ? lowest : pods - lowest, { kind: 'PodDisruptionBudget', name: budget })];
}

function formatSeparateBudgets(data: BrokenData): string {
  const budget = formatLooserBudget(data);
  return `Give each workload a budget of its own${budget === undefined ? '' : `, or loosen this one to ${budget}`}.`;
}

function formatMessage({ budget, field, value, desiredHealthy, lowestAvailable: lowest, ...data }: BrokenData, cause: string): string {
  return (
    `PodDisruptionBudget "${budget}" (${field} ${formatDisplayValue(value)}) wants ${pluralize(desiredHealthy, 'pod')} healthy, but ${cause} leaves ${lowest}: ` +
    `a rollout does not ask the budget, and no node can be drained meanwhile${formatOtherUnitsCaveat(data)}`
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

/** The same of a workload that takes all of its pods down at once. */
const ALL_AT_ONCE_SAMPLE: BrokenData = { budget: 'web', field: 'minAvailable', value: 3, desiredHealthy: 3, pods: 4, lowestAvailable: 0 };

/** A rollout that goes below a budget. */
export const pdbBrokenByRollout = defineRule({
  code: 'kubernetes/pdb-broken-by-rollout',
  since: '0.1.0',
  severity: ['warning', 'info'],
  fires:
    'A rollout leaves fewer pods available than a PodDisruptionBudget asks for. ' +
    'An info where pods of other units decide that, for nobody knows whether they run in the same cluster.',
  why:
    'Controllers delete pods directly and never ask a budget (k/k#34776), ' +
    'so the promise that it makes holds for drains and not for rollouts. While a rollout is below the budget, ' +
    'nodes cannot be drained either. Pods of several workloads under one budget add up.',
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
        { ...SAMPLE, limit: undefined, perGroup: 4 },
        { ...SAMPLE, limit: undefined, perGroup: 1 },
        { ...SAMPLE, podsInOtherUnits: 4 },
      ],
    }),
    severalWorkloads: defineMessage<SeveralWorkloadsData>({
      text: (data) =>
        formatMessage(
          data,
          `a rollout of this workload together with ${data.otherWorkload ?? `the ${data.otherWorkloads} other workloads that it covers`}`,
        ),
      help: formatSeparateBudgets,
      suggestedFix: (data, path) => suggestManualFix(...buildLooserBudgetEdits(data, path)),
      sample: { ...SAMPLE, otherWorkloads: 1, otherWorkload: 'Deployment "api"' },
      variants: [{ ...SAMPLE, field: 'maxUnavailable', value: '25%', otherWorkloads: 2 }],
    }),
  },
});

/** Where a rolling update has its limit; nothing for Recreate, and where the user of the object can't write it. */
function limitOf(workload: BudgetedPods) {
  const { kind, name, rollout, strategyOwner, perGroup } = workload;
  if (perGroup !== undefined) return { perGroup };
  const isRolling = rollout && (rollout.leastAvailable > 0 || rollout.surge > 0);
  return isRolling && !strategyOwner ? { limit: { kind, name, path: getMaxUnavailablePath(workload) } } : {};
}

/** The rollouts that go below a budget, alone or together. */
export function checkPdbBrokenByRollout(
  budget: Manifest,
  covered: readonly CoveredWorkload[],
  demand: BudgetDemand,
  context: PlanContext,
  podsInOtherUnits: (budget: Manifest) => number,
): [SystemRollout, Finding][] {
  const pods = countCoveredPods(covered);
  const first = covered[0]!;
  const location = budgetLocationOf(budget, demand.field, context);
  const known = { ...toBudgetData(budget, demand), desiredHealthy: demand.desiredHealthy, pods };
  const broken = (lowest: number) => {
    const more = podsInOtherUnits(budget);
    const isMetWithOtherUnits = lowest + more >= resolveBudgetDemand(budget, pods + more)!.desiredHealthy;
    return {
      severity: isMetWithOtherUnits ? 'info' : 'warning',
      data: { ...known, lowestAvailable: lowest, ...(isMetWithOtherUnits && { podsInOtherUnits: more }) },
    } as const;
  };
  const alone = covered.flatMap((item): [SystemRollout, Finding][] => {
    const lowest = pods - item.workload.replicas + minAvailableOf(item);
    if (lowest >= demand.desiredHealthy) return [];
    const { severity, data } = broken(lowest);
    return [
      [
        item.rollout,
        pdbBrokenByRollout.createFinding('singleWorkload', { ...location, severity, data: { ...data, ...limitOf(item.workload) } }),
      ],
    ];
  });
  if (alone.length > 0) return alone;
  const lowest = sumMinAvailable(covered);
  if (lowest >= demand.desiredHealthy) return [];
  const others = covered.length - 1;
  const { kind, name } = covered.at(-1)!.workload;
  const other = others === 1 ? { otherWorkload: `${kind} "${name}"` } : {};
  const { severity, data } = broken(lowest);
  return [
    [
      first.rollout,
      pdbBrokenByRollout.createFinding('severalWorkloads', { ...location, severity, data: { ...data, otherWorkloads: others, ...other } }),
    ],
  ];
}

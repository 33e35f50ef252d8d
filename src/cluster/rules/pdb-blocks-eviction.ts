import { addToGroup } from '../../core/collections/group-by';
import { suggestManualFix, removeField, setField, getSiblingPath } from '../../core/findings/suggested-fix';
import type { Edit } from '../../core/findings/suggested-fix';
import type { FieldPath } from '../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../core/findings/finding';
import type { Finding } from '../../core/findings/finding';
import { nameOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { formatDisplayValue } from '../../core/text/display-value';
import type { DisplayValue } from '../../core/text/display-value';
import { pluralize, truncateNames, joinTruncatedNames } from '../../core/text/text-format';
import type { PlanContext } from '../context/context';
import {
  toBudgetData,
  resolveBudgetDemand,
  sumMinAvailable,
  budgetLocationOf,
  countCoveredPods,
  formatOtherUnitsCaveat,
} from '../disruption-budgets/disruption-budget';
import type { BudgetDemand, BudgetCoverage, CoveredWorkload } from '../disruption-budgets/disruption-budget';
import type { BudgetedPods } from '../rollout/pod-groups';
import type { ReplicaRange } from '../rollout/workload';
import type { SystemRollout } from '../rollout/system-rollout';

interface BlockedData {
  readonly budget: string;
  readonly field: 'minAvailable' | 'maxUnavailable';
  readonly value: DisplayValue;
  /** Pods that it covers while nothing rolls out. */
  readonly pods: number;
  /** A maxUnavailable of the budget that the rollouts also respect, if possible. */
  readonly maxUnavailable: number;
  /** The equivalent minAvailable. Unset if it would require no pod. */
  readonly minAvailable?: number;
  /** Replicas needed to keep the budget as it is, if it covers a single pod. Unset if no number up to 10 is enough. */
  readonly replicas?: number;
  /** Autoscalers of the covered pods. Unset if there are none. */
  readonly autoscaled?: Autoscaled;
  /** Pods of other units that it also selects. Set if the budget would allow an eviction with them. @default - none */
  readonly podsInOtherUnits?: number;
}

/** Autoscalers of the pods that a budget covers. */
interface Autoscaled {
  readonly by: readonly string[];
  /** Number of further autoscalers. @default 0 */
  readonly omitted?: number;
  /** Minimum number of covered pods in total. */
  readonly minimum: number;
  /** Maximum number of covered pods in total. */
  readonly maximum: number;
  /** Whether the budget allows no eviction at any number of pods in that range. */
  readonly always: boolean;
}

interface OverlapData {
  /** The first budgets. */
  readonly budgets: readonly string[];
  /** Number of further budgets. @default 0 */
  readonly omitted?: number;
  readonly kind: string;
  readonly name: string;
}

function formatLooserBudget({ field, maxUnavailable, minAvailable, replicas, autoscaled }: BlockedData): string {
  if (field === 'maxUnavailable') return `Write maxUnavailable: ${maxUnavailable}.`;
  const alternative = `maxUnavailable: ${maxUnavailable} instead${minAvailable === undefined ? '' : `, or minAvailable: ${minAvailable}`}`;
  if (replicas === undefined) return `Write ${alternative}.`;
  const moreReplicas = autoscaled
    ? `Let ${joinTruncatedNames({ names: autoscaled.by, omitted: autoscaled.omitted })} keep at least ${replicas} replicas`
    : `Run ${replicas} replicas`;
  return `${moreReplicas}, or write ${alternative}.`;
}

function buildBudgetEdits({ budget, field, maxUnavailable }: BlockedData, path: FieldPath): Edit[] {
  const target = { kind: 'PodDisruptionBudget', name: budget };
  if (field === 'maxUnavailable') return [setField(path, maxUnavailable, target)];
  return [removeField(path, target), setField(getSiblingPath(path, 'maxUnavailable'), maxUnavailable, target)];
}

/** Formats how long a drain waits: forever unless an autoscaler changes the number of pods. */
function formatWait({ autoscaled }: BlockedData): string {
  if (!autoscaled) return 'it never allows an eviction, so draining a node never finishes';
  const { by, omitted, minimum, maximum, always } = autoscaled;
  const range = `${minimum} to ${maximum}, set by ${joinTruncatedNames({ names: by, omitted })}`;
  return always
    ? `it allows no eviction at any number of pods (${range}), so draining a node waits`
    : `it allows no eviction until there are more (${range}), so draining a node waits`;
}

const AUTOSCALED_SAMPLE = { by: ['HorizontalPodAutoscaler "web"'], minimum: 1, maximum: 10 };

/** A budget that allows no eviction. */
export const pdbBlocksEviction = defineRule({
  code: 'kubernetes/pdb-blocks-eviction',
  since: '0.1.0',
  severity: ['warning', 'info'],
  fires: 'A PodDisruptionBudget allows no eviction even while all of its pods are healthy, or several budgets select the same pods.',
  why:
    'A drain evicts pods and retries while the budget refuses. A budget that requires all of its pods always refuses, ' +
    'so nodes can be neither drained nor upgraded. minAvailable and maxUnavailable are both rounded up: 50% of 1 is 1. ' +
    'Evicting a pod that two budgets select fails whatever they allow. ' +
    'Rollouts delete pods without checking budgets, so a budget does not stop them. ' +
    'The severity is info if the result depends on pods of other units (folders, charts or kustomizations that are planned in the same run), ' +
    'because they may or may not run in the same cluster.',
  fix: 'Write `maxUnavailable: 1`, which works for any number of replicas. Run enough replicas for one to be unavailable, and use a single budget for them.',
  example: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
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
  replicas: 3
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
  maxUnavailable: 1
  selector: { matchLabels: { app: web } }
`,
  messages: {
    blocked: defineMessage<BlockedData>({
      text: (data) =>
        `PodDisruptionBudget "${data.budget}" has ${data.field} ${formatDisplayValue(data.value)} and covers ${pluralize(data.pods, 'pod')}: ` +
        formatWait(data) +
        formatOtherUnitsCaveat(data),
      help: formatLooserBudget,
      suggestedFix: (data, path) => suggestManualFix(...buildBudgetEdits(data, path)),
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
          autoscaled: { ...AUTOSCALED_SAMPLE, always: true },
        },
        {
          budget: 'web',
          field: 'minAvailable',
          value: 1,
          pods: 1,
          maxUnavailable: 1,
          replicas: 2,
          autoscaled: { ...AUTOSCALED_SAMPLE, always: false },
        },
        { budget: 'all', field: 'minAvailable', value: 6, pods: 4, maxUnavailable: 1, minAvailable: 3, podsInOtherUnits: 4 },
      ],
    }),
    overlap: defineMessage<OverlapData>({
      text: ({ budgets, omitted = 0, kind, name }) =>
        `${budgets.length + omitted} PodDisruptionBudgets (${joinTruncatedNames({ names: budgets.map((budget) => `"${budget}"`), omitted })}) select the pods of ${kind} "${name}": ` +
        'every eviction of a pod under more than one budget fails with error 500, so draining a node never succeeds.',
      help: () => 'Keep only one of them, or narrow their selectors so that no pod matches two.',
      sample: { budgets: ['web', 'all'], kind: 'Deployment', name: 'web' },
      variants: [
        { budgets: ['a', 'b', 'c'], kind: 'StatefulSet', name: 'db' },
        { budgets: ['a', 'b', 'c'], omitted: 1_347, kind: 'StatefulSet', name: 'db' },
      ],
    }),
  },
});

/** Maximum number of replicas that the help suggests. */
const MAX_ADVISED_REPLICAS = 10;

/**
 * Returns how many replicas a single-replica workload needs for the budget as it is, also during a rollout. Returns undefined if no number
 * up to 10 is enough.
 */
function findReplicasFor(budget: Manifest, workload: BudgetedPods): number | undefined {
  for (let replicas = 2; replicas <= MAX_ADVISED_REPLICAS; replicas++) {
    const { desiredHealthy } = resolveBudgetDemand(budget, replicas)!;
    const minAvailablePods = workload.rollout ? (workload.controller?.rolloutAt(replicas).leastAvailable ?? 0) : replicas;
    if (desiredHealthy < replicas && desiredHealthy <= minAvailablePods) return replicas;
  }
  return undefined;
}

/** Returns the replica range of a workload. Returns undefined if its number of pods is fixed. */
function rangeOf({ replicaRange }: BudgetedPods): ReplicaRange | undefined {
  return replicaRange && replicaRange.minimum < replicaRange.maximum ? replicaRange : undefined;
}

function computeMinPods(covered: readonly CoveredWorkload[]): number {
  return covered.reduce((sum, { workload }) => sum + (rangeOf(workload)?.minimum ?? workload.replicas), 0);
}

/** Returns the limits of a budget that allows evictions. The rollouts also respect it, if they leave any pod. */
function proposeLooserBudget(budget: Manifest, covered: readonly CoveredWorkload[], pods: number) {
  const minAvailablePods = sumMinAvailable(covered);
  const maxUnavailable = minAvailablePods === 0 ? 1 : Math.max(1, pods - minAvailablePods);
  const minAvailable = Math.min(pods - maxUnavailable, computeMinPods(covered) - 1);
  const onlyPod = pods === 1 ? covered.find(({ workload }) => workload.replicas === 1) : undefined;
  const replicas = onlyPod && findReplicasFor(budget, onlyPod.workload);
  return { maxUnavailable, ...(minAvailable > 0 && { minAvailable }), ...(replicas !== undefined && { replicas }) };
}

/** Returns the autoscalers of the covered pods, and whether the budget blocks evictions at any number of pods. */
function buildAutoscaledData(budget: Manifest, covered: readonly CoveredWorkload[]) {
  const ranges = covered.flatMap(({ workload }) => rangeOf(workload) ?? []);
  if (ranges.length === 0) return {};
  const maximum = covered.reduce((sum, { workload }) => sum + (rangeOf(workload)?.maximum ?? workload.replicas), 0);
  const always = resolveBudgetDemand(budget, maximum)!.desiredHealthy >= maximum;
  const { names, omitted } = truncateNames(ranges.map(({ by }) => by));
  return { autoscaled: { by: names, ...(omitted !== undefined && { omitted }), minimum: computeMinPods(covered), maximum, always } };
}

/** Builds the finding for a budget that allows no eviction while nothing rolls out. It is reported for the first rollout under it. */
export function checkPdbBlocksEviction(
  budget: Manifest,
  covered: readonly CoveredWorkload[],
  demand: BudgetDemand,
  context: PlanContext,
  podsInOtherUnits: number,
): Finding {
  const pods = countCoveredPods(covered);
  const location = budgetLocationOf(budget, demand.field, context);
  const blocked = {
    ...toBudgetData(budget, demand),
    pods,
    ...proposeLooserBudget(budget, covered, pods),
    ...buildAutoscaledData(budget, covered),
  };
  if (resolveBudgetDemand(budget, pods + podsInOtherUnits)!.desiredHealthy >= pods + podsInOtherUnits) {
    return pdbBlocksEviction.createFinding('blocked', { ...location, data: blocked });
  }
  return pdbBlocksEviction.createFinding('blocked', { ...location, severity: 'info', data: { ...blocked, podsInOtherUnits } });
}

function buildOverlapFinding({ kind, name }: BudgetedPods, budgets: readonly Manifest[], context: PlanContext): Finding {
  const { names, omitted } = truncateNames(budgets.map(nameOf));
  const data = { budgets: names, ...(omitted !== undefined && { omitted }), kind, name };
  return pdbBlocksEviction.createFinding('overlap', { ...budgetLocationOf(budgets[1]!, 'selector', context), data });
}

/**
 * Returns one finding for each set of budgets that select the same pods, reported for the first workload under them.
 *
 * Source: k/k pkg/registry/core/pod/storage/eviction.go.
 */
export function checkOverlappingBudgets(coverages: readonly BudgetCoverage[], context: PlanContext): [SystemRollout, Finding][] {
  const budgetsByWorkload = new Map<CoveredWorkload, number[]>();
  coverages.forEach(({ covered }, position) => {
    for (const item of covered) {
      addToGroup(budgetsByWorkload, item, position);
    }
  });
  const firstByBudgets = new Map<string, [CoveredWorkload, readonly number[]]>();
  for (const [item, positions] of budgetsByWorkload) {
    const key = positions.join();
    if (item.workload.replicas > 0 && !firstByBudgets.has(key)) firstByBudgets.set(key, [item, positions]);
  }
  return [...firstByBudgets.values()].flatMap(([{ rollout, workload }, positions]): [SystemRollout, Finding][] => {
    const budgets = positions.flatMap((position) => coverages[position]!.budgets.map((budget) => budget));
    if (budgets.length < 2) return [];
    const inOrder = budgets.toSorted((a, b) => a.position - b.position).map(({ budget }) => budget);
    return [[rollout, buildOverlapFinding(workload, inOrder, context)]];
  });
}

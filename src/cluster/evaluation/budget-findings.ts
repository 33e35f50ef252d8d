import type { RolloutBudget } from '../../core/budget/budget';
import type { Finding } from '../../core/findings/finding';
import { matchesLabelSelector } from '../../core/values/label-selector';
import { isFields, nameOf, namespaceOf, getValueAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { createOwnTest } from '../context/context';
import type { PlanContext } from '../context/context';
import { CONTEXT_KINDS } from '../kinds/context-kinds';
import {
  resolveBudgetDemand,
  hasBothLimits,
  sumMinAvailable,
  minAvailableOf,
  countCoveredPods,
} from '../disruption-budgets/disruption-budget';
import type { BudgetDemand, BudgetCoverage, CoveredWorkload, OrderedBudget } from '../disruption-budgets/disruption-budget';
import { groupByNamespace } from '../context/group-by-namespace';
import { buildLabelIndex } from '../context/label-index';
import { checkPdbBlocksEviction, checkOverlappingBudgets } from '../rules/pdb-blocks-eviction';
import { checkPdbBrokenByRollout } from '../rules/pdb-broken-by-rollout';
import { checkPdbRefusesEviction } from '../rules/pdb-refuses-eviction';
import { getBudgetedPods } from '../rollout/system-rollout';
import type { BudgetedPods } from '../rollout/pod-groups';
import type { SystemRollout } from '../rollout/system-rollout';

/**
 * Returns the selector of a budget. In policy/v1beta1 an empty selector matches no pods. Source: k/k pkg/apis/policy/v1beta1/conversion.go.
 */
function selectorOf(budget: Manifest): unknown {
  const selector = getValueAt(budget, 'spec', 'selector');
  const isEmpty = isFields(selector) && Object.values(selector).every((part) => Object.keys(part ?? {}).length === 0);
  return isEmpty && budget.apiVersion === 'policy/v1beta1' ? undefined : selector;
}

/** Reports whether a budget only covers pods of DaemonSets, which a drain skips. */
function hasOnlyDaemonSetPods(covered: readonly CoveredWorkload[]): boolean {
  return covered.every(({ workload }) => workload.onePerNode);
}

/**
 * Reports whether a budget requires a fixed number of pods. The controller cannot resolve a percentage for a DaemonSet, which has no scale
 * subresource. Source: `getExpectedScale`.
 */
function hasAbsoluteMinAvailable(budget: Manifest): boolean {
  return typeof getValueAt(budget, 'spec', 'minAvailable') === 'number';
}

/** The results for one budget, each with its rollout. */
interface BudgetEvaluation {
  readonly findings: readonly [SystemRollout, Finding][];
  readonly budgets: readonly [SystemRollout, RolloutBudget][];
}

function evaluateBudget(
  budget: Manifest,
  covered: readonly CoveredWorkload[],
  context: PlanContext,
  countPodsInOtherUnits: (budget: Manifest) => number,
): BudgetEvaluation {
  if (hasOnlyDaemonSetPods(covered) && !hasAbsoluteMinAvailable(budget)) return { findings: [], budgets: [] };
  const pods = countCoveredPods(covered);
  const demand = resolveBudgetDemand(budget, pods);
  if (!demand || pods === 0) return { findings: [], budgets: [] };
  const { desiredHealthy } = demand;
  const budgets = covered.map((item): [SystemRollout, RolloutBudget] => {
    const others = pods - item.workload.replicas;
    const ownDesiredHealthy = Math.max(0, desiredHealthy - others);
    // Evictions stop at the budget.
    const lowestAvailable =
      others + (item.workload.rollout?.evicts ? Math.max(minAvailableOf(item), ownDesiredHealthy) : minAvailableOf(item));
    return [item.rollout, { name: nameOf(budget), pods, desiredHealthy, lowest: lowestAvailable, ownDesiredHealthy }];
  });
  return { findings: collectBudgetFindings(budget, covered, demand, context, countPodsInOtherUnits), budgets };
}

/** Removes the rollout of a workload that evicts its pods, because evictions leave as many pods as the budget requires. */
function dropEvictions(item: CoveredWorkload): CoveredWorkload {
  const { rollout, workload } = item;
  return workload.rollout?.evicts ? { rollout, workload: { ...workload, rollout: undefined } } : item;
}

function collectBudgetFindings(
  budget: Manifest,
  covered: readonly CoveredWorkload[],
  demand: BudgetDemand,
  context: PlanContext,
  countPodsInOtherUnits: (budget: Manifest) => number,
): [SystemRollout, Finding][] {
  const pods = countCoveredPods(covered);
  const first = covered[0]!;
  const evictionFindings = checkPdbRefusesEviction(budget, covered, demand, context, countPodsInOtherUnits);
  const coveredWithoutEvictions = covered.map(dropEvictions);
  // Every rollout also breaks a budget that allows no eviction, and the same fix repairs both, unless a rollout leaves no pod.
  if (demand.desiredHealthy >= pods && !hasOnlyDaemonSetPods(covered)) {
    const finding = checkPdbBlocksEviction(budget, covered, demand, context, countPodsInOtherUnits(budget));
    const brokenFindings = checkPdbBrokenByRollout(budget, coveredWithoutEvictions, demand, context, countPodsInOtherUnits);
    // A warning that is certain is not covered by an info that depends on other units.
    const extraFindings =
      sumMinAvailable(coveredWithoutEvictions) > 0 || pods === 1
        ? brokenFindings.filter(([, { severity }]) => finding.severity === 'info' && severity === 'warning')
        : brokenFindings;
    return [[first.rollout, finding], ...evictionFindings, ...extraFindings];
  }
  return [...evictionFindings, ...checkPdbBrokenByRollout(budget, coveredWithoutEvictions, demand, context, countPodsInOtherUnits)];
}

function podLabelsOf({ workload }: CoveredWorkload): unknown {
  return getValueAt(workload.template, 'metadata', 'labels');
}

/**
 * Creates a filter that accepts the first object of each name, so that duplicates count once. Objects without a name are always accepted.
 */
function createFirstOfNameFilter<T>(nameParts: (object: T) => readonly [...scope: string[], name: string]): (object: T) => boolean {
  const known = new Set<string>();
  return (object) => {
    const parts = nameParts(object);
    const before = known.size;
    return parts.at(-1) === '' || known.add(JSON.stringify(parts)).size > before;
  };
}

/** Merges the pod sets of each rollout. */
function mergePerRollout(covered: readonly CoveredWorkload[]): readonly CoveredWorkload[] {
  const byRollout = new Map<SystemRollout, CoveredWorkload>();
  for (const item of covered) {
    const known = byRollout.get(item.rollout);
    byRollout.set(item.rollout, known ? { rollout: item.rollout, workload: mergeBudgetedPods(known.workload, item.workload) } : item);
  }
  return byRollout.size === covered.length ? covered : [...byRollout.values()];
}

function mergeBudgetedPods(a: BudgetedPods, b: BudgetedPods): BudgetedPods {
  const leastAvailable = (a.rollout?.leastAvailable ?? a.replicas) + (b.rollout?.leastAvailable ?? b.replicas);
  return {
    ...a,
    replicas: a.replicas + b.replicas,
    ...(a.rollout && { rollout: { ...a.rollout, leastAvailable } }),
    ...(a.perGroup !== undefined && b.perGroup !== undefined && { perGroup: a.perGroup + b.perGroup }),
  };
}

/** Maximum number of budgets with the same selector to evaluate one by one. Further ones are reported as overlapping. */
const MAX_EVALUATED_BUDGETS = 3;

/**
 * Creates a function that counts the pods of other units that a budget outside the unit selects. They may or may not run in the same
 * cluster, so a result is only certain if it also holds with them.
 */
function createOtherUnitPodCounter(
  planned: readonly SystemRollout[],
  otherUnits: readonly SystemRollout[],
  context: PlanContext,
): (budget: Manifest) => number {
  if (otherUnits.length === 0) return () => 0;
  const isOwn = createOwnTest(context, CONTEXT_KINDS.podDisruptionBudget);
  return (budget) => {
    if (isOwn(budget)) return 0;
    const isFirst = createFirstOfNameFilter(({ namespace = '', kind, name }: BudgetedPods) => [namespace, kind, name]);
    for (const pods of planned.flatMap(getBudgetedPods)) isFirst(pods);
    const selector = selectorOf(budget);
    const selected = otherUnits
      .flatMap(getBudgetedPods)
      .filter((pods) => !pods.countOnly && (pods.namespace ?? '') === (namespaceOf(budget) ?? ''))
      .filter((pods) => matchesLabelSelector(selector, getValueAt(pods.template, 'metadata', 'labels')) && isFirst(pods));
    return selected.reduce((sum, { replicas }) => sum + replicas, 0);
  };
}

/** Finds the workloads in a namespace whose pods a selector may select. */
type CandidateFinder = (namespace: string, selector: unknown) => readonly CoveredWorkload[];

/** Indexes the workloads of rollouts by the labels of their pods. The first of several with one name counts. */
function createCandidateFinder(planned: readonly SystemRollout[]): CandidateFinder {
  const byWorkload = new Map<BudgetedPods, CoveredWorkload>();
  const isFirst = createFirstOfNameFilter(({ pods, set }: { pods: BudgetedPods; set: number }) => [
    pods.namespace ?? '',
    pods.kind,
    `${set}`,
    pods.name,
  ]);
  for (const rollout of planned) {
    for (const [set, pods] of getBudgetedPods(rollout).entries()) {
      if (!pods.countOnly && isFirst({ pods, set })) byWorkload.set(pods, { rollout, workload: pods });
    }
  }
  const candidatesOf = new Map<string, (selector: unknown) => readonly CoveredWorkload[]>();
  for (const [namespace, workloads] of groupByNamespace([...byWorkload.keys()])) {
    const covered = workloads.map((workload) => byWorkload.get(workload)!);
    candidatesOf.set(namespace, buildLabelIndex(covered, podLabelsOf));
  }
  return (namespace, selector) => candidatesOf.get(namespace)?.(selector) ?? [];
}

/** Groups budgets that select the same pods, with the workloads of these. */
function groupBySelector(budgets: readonly Manifest[], findCandidates: CandidateFinder): readonly BudgetCoverage[] {
  const coverages = new Map<string, { readonly budgets: OrderedBudget[]; readonly covered: readonly CoveredWorkload[] }>();
  budgets.forEach((budget, position) => {
    const namespace = namespaceOf(budget) ?? '';
    const selector = selectorOf(budget);
    const key = JSON.stringify([namespace, selector ?? null]);
    const known = coverages.get(key);
    if (known) {
      known.budgets.push({ budget, position });
      return;
    }
    const covered = findCandidates(namespace, selector).filter((item) => matchesLabelSelector(selector, podLabelsOf(item)));
    coverages.set(key, { budgets: [{ budget, position }], covered: mergePerRollout(covered) });
  });
  return [...coverages.values()];
}

/**
 * Evaluates what the PodDisruptionBudgets of the input mean for the rollouts whose pods they select.
 *
 * @param otherUnits - rollouts of other units, which may be in the same cluster
 */
export function evaluateDisruptionBudgets(
  planned: readonly SystemRollout[],
  context: PlanContext,
  otherUnits: readonly SystemRollout[],
): BudgetEvaluation {
  const isFirstBudget = createFirstOfNameFilter((budget: Manifest) => [namespaceOf(budget) ?? '', nameOf(budget)]);
  const budgets = context.all(CONTEXT_KINDS.podDisruptionBudget).filter((budget) => !hasBothLimits(budget) && isFirstBudget(budget));
  if (budgets.length === 0) return { findings: [], budgets: [] };
  const all = groupBySelector(budgets, createCandidateFinder(planned));
  const orderedBudgets = all.flatMap(({ budgets: sameSelectorBudgets, covered }) =>
    sameSelectorBudgets.slice(0, MAX_EVALUATED_BUDGETS).map((item) => ({ ...item, covered })),
  );
  const countPodsInOtherUnits = createOtherUnitPodCounter(planned, otherUnits, context);
  orderedBudgets.sort((a, b) => a.position - b.position);
  const evaluations = orderedBudgets.map(({ budget, covered }) => evaluateBudget(budget, covered, context, countPodsInOtherUnits));
  return {
    findings: [...evaluations.flatMap(({ findings }) => findings), ...checkOverlappingBudgets(all, context)],
    budgets: evaluations.flatMap(({ budgets: rolloutBudgets }) => rolloutBudgets),
  };
}

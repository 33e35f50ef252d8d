import type { RolloutBudget } from '../core/budget';
import type { Finding } from '../core/finding';
import { matchLabelsOf, selects } from '../core/label-selector';
import { isFields, listAt, nameOf, namespaceOf, valueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import type { PlanContext } from './context';
import { CONTEXT_KINDS } from './context-kinds';
import { budgetDemand, hasBothLimits, leastTogether, lowestOf, podsOf } from './disruption-budget';
import type { BudgetDemand, Coverage, Covered, PlacedBudget } from './disruption-budget';
import { byNamespace } from './namespaces';
import { blockedFinding, overlapFindings } from './rules/pdb-blocks-eviction';
import { brokenFindings } from './rules/pdb-broken-by-rollout';
import { refusedEvictions } from './rules/pdb-refuses-eviction';
import { budgetedPodsOf } from './workload';
import type { BudgetedPods, SystemRollout } from './workload';

/** What a budget selects pods by; in policy/v1beta1 an empty selector selects none. Source: k/k pkg/apis/policy/v1beta1/conversion.go. */
function selectorOf(budget: Manifest): unknown {
  const selector = valueAt(budget, 'spec', 'selector');
  const isEmpty = isFields(selector) && Object.values(selector).every((part) => Object.keys(part ?? {}).length === 0);
  return isEmpty && budget.apiVersion === 'policy/v1beta1' ? undefined : selector;
}

/** Are the pods that a budget covers all of DaemonSets? A drain passes them over. */
function isOfDaemons(covered: readonly Covered[]): boolean {
  return covered.every(({ workload }) => workload.onePerNode);
}

/** Does a budget ask for a number of pods? A share of a DaemonSet's the controller can't tell: it has no scale. Source: `getExpectedScale`. */
function isCount(budget: Manifest): boolean {
  return typeof valueAt(budget, 'spec', 'minAvailable') === 'number';
}

/** What one budget means for the rollouts that it covers, each with the rollout that it belongs to. */
interface Judged {
  readonly findings: readonly [SystemRollout, Finding][];
  readonly budgets: readonly [SystemRollout, RolloutBudget][];
}

function judged(budget: Manifest, covered: readonly Covered[], context: PlanContext, podsElsewhere: (budget: Manifest) => number): Judged {
  if (isOfDaemons(covered) && !isCount(budget)) return { findings: [], budgets: [] };
  const pods = podsOf(covered);
  const demand = budgetDemand(budget, pods);
  if (!demand || pods === 0) return { findings: [], budgets: [] };
  const { desiredHealthy } = demand;
  const budgets = covered.map((one): [SystemRollout, RolloutBudget] => {
    const others = pods - one.workload.replicas;
    const ownDesiredHealthy = Math.max(0, desiredHealthy - others);
    // What is evicted stops at the budget.
    const lowest = others + (one.workload.rollout?.evicts ? Math.max(lowestOf(one), ownDesiredHealthy) : lowestOf(one));
    return [one.rollout, { name: nameOf(budget), pods, desiredHealthy, lowest, ownDesiredHealthy }];
  });
  return { findings: budgetFindings(budget, covered, demand, context, podsElsewhere), budgets };
}

/** A rollout that evicts its pods leaves as many as the budget wants. */
function withoutEvictions(one: Covered): Covered {
  const { rollout, workload } = one;
  return workload.rollout?.evicts ? { rollout, workload: { ...workload, rollout: undefined } } : one;
}

function budgetFindings(
  budget: Manifest,
  covered: readonly Covered[],
  demand: BudgetDemand,
  context: PlanContext,
  podsElsewhere: (budget: Manifest) => number,
): [SystemRollout, Finding][] {
  const pods = podsOf(covered);
  const first = covered[0]!;
  const refused = refusedEvictions(budget, covered, demand, context, podsElsewhere);
  const deleting = covered.map(withoutEvictions);
  // A budget that is too tight at full strength is broken by every rollout too, and its fix repairs both, unless a rollout leaves no pod.
  if (demand.desiredHealthy >= pods && !isOfDaemons(covered)) {
    const finding = blockedFinding(budget, covered, demand, context, podsElsewhere(budget));
    const broken = brokenFindings(budget, deleting, demand, context, podsElsewhere);
    // What holds beside other units as well is no part of what may not.
    const further =
      leastTogether(deleting) > 0 || pods === 1
        ? broken.filter(([, { severity }]) => finding.severity === 'info' && severity === 'warning')
        : broken;
    return [[first.rollout, finding], ...refused, ...further];
  }
  return [...refused, ...brokenFindings(budget, deleting, demand, context, podsElsewhere)];
}

/** Adds to what is known under a key. */
function addUnder<T>(known: Map<string, T[]>, key: string, value: T): void {
  const values = known.get(key);
  if (values) values.push(value);
  else known.set(key, [value]);
}

/** Each once, in the order given. */
function inOrder(all: readonly Covered[], some: Iterable<Covered>): readonly Covered[] {
  const wanted = new Set(some);
  return wanted.size < 2 ? [...wanted] : all.filter((one) => wanted.has(one));
}

/** Workloads of a namespace by each of their labels, so that a budget looks at those alone that have one of the labels it asks for. */
function labelIndex(all: readonly Covered[]): (selector: unknown) => readonly Covered[] {
  const byLabel = new Map<string, Covered[]>();
  const byKey = new Map<string, Covered[]>();
  for (const one of all) {
    const labels = valueAt(one.workload.template, 'metadata', 'labels');
    for (const [key, value] of Object.entries(labels ?? {})) {
      addUnder(byLabel, JSON.stringify([key, value]), one);
      addUnder(byKey, key, one);
    }
  }
  const withLabel = (key: string, value: unknown) => byLabel.get(JSON.stringify([key, value])) ?? [];
  return (selector) => {
    const named = Object.entries(matchLabelsOf(selector))[0];
    if (named) return withLabel(...named);
    for (const expression of listAt(selector, 'matchExpressions')) {
      const { key, operator } = isFields(expression) ? expression : {};
      if (typeof key !== 'string') continue;
      if (operator === 'In')
        return inOrder(
          all,
          listAt(expression, 'values').flatMap((value) => withLabel(key, value)),
        );
      if (operator === 'Exists') return byKey.get(key) ?? [];
    }
    return all;
  };
}

/** Tells the first object of each name from those that stand for it again: one object counts once. Those without a name are each their own. */
function firstOfItsName<T>(nameParts: (object: T) => readonly [...place: string[], name: string]): (object: T) => boolean {
  const known = new Set<string>();
  return (object) => {
    const parts = nameParts(object);
    const before = known.size;
    return parts.at(-1) === '' || known.add(JSON.stringify(parts)).size > before;
  };
}

/** Sets of pods of one rollout as one. */
function oncePerRollout(covered: readonly Covered[]): readonly Covered[] {
  const byRollout = new Map<SystemRollout, Covered>();
  for (const one of covered) {
    const known = byRollout.get(one.rollout);
    byRollout.set(one.rollout, known ? { rollout: one.rollout, workload: together(known.workload, one.workload) } : one);
  }
  return byRollout.size === covered.length ? covered : [...byRollout.values()];
}

function together(a: BudgetedPods, b: BudgetedPods): BudgetedPods {
  const leastAvailable = (a.rollout?.leastAvailable ?? a.replicas) + (b.rollout?.leastAvailable ?? b.replicas);
  return {
    ...a,
    replicas: a.replicas + b.replicas,
    ...(a.rollout && { rollout: { ...a.rollout, leastAvailable } }),
    ...(a.perGroup !== undefined && b.perGroup !== undefined && { perGroup: a.perGroup + b.perGroup }),
  };
}

/** Budgets of one selector that are judged one by one; that there are more of them is what their overlap says. */
const MOST_JUDGED = 3;

/**
 * How many pods of other units a budget that stands outside of the unit selects. Nobody knows whether they run in the same cluster,
 * so what is said without them holds for sure only where it holds beside them too.
 */
function podsInOtherUnits(
  planned: readonly SystemRollout[],
  elsewhere: readonly SystemRollout[],
  { objects }: PlanContext,
): (budget: Manifest) => number {
  if (elsewhere.length === 0) return () => 0;
  const own = new Set(objects);
  return (budget) => {
    if (own.has(budget)) return 0;
    const isFirst = firstOfItsName(({ namespace = '', kind, name }: BudgetedPods) => [namespace, kind, name]);
    for (const pods of planned.flatMap(budgetedPodsOf)) isFirst(pods);
    const selector = selectorOf(budget);
    const selected = elsewhere
      .flatMap(budgetedPodsOf)
      .filter((pods) => !pods.countOnly && (pods.namespace ?? '') === (namespaceOf(budget) ?? ''))
      .filter((pods) => selects(selector, valueAt(pods.template, 'metadata', 'labels')) && isFirst(pods));
    return selected.reduce((sum, { replicas }) => sum + replicas, 0);
  };
}

/**
 * What PodDisruptionBudgets of the input mean for the rollouts whose pods they select.
 *
 * @param elsewhere - rollouts of other units, which may be in the same cluster
 */
export function disruptionBudgets(planned: readonly SystemRollout[], context: PlanContext, elsewhere: readonly SystemRollout[]): Judged {
  const isFirstBudget = firstOfItsName((budget: Manifest) => [namespaceOf(budget) ?? '', nameOf(budget)]);
  const budgets = context.all(CONTEXT_KINDS.podDisruptionBudget).filter((budget) => !hasBothLimits(budget) && isFirstBudget(budget));
  if (budgets.length === 0) return { findings: [], budgets: [] };
  const byWorkload = new Map<BudgetedPods, Covered>();
  const isFirst = firstOfItsName(({ pods, set }: { pods: BudgetedPods; set: number }) => [
    pods.namespace ?? '',
    pods.kind,
    `${set}`,
    pods.name,
  ]);
  for (const rollout of planned) {
    for (const [set, pods] of budgetedPodsOf(rollout).entries()) {
      if (!pods.countOnly && isFirst({ pods, set })) byWorkload.set(pods, { rollout, workload: pods });
    }
  }
  const candidatesOf = new Map<string, (selector: unknown) => readonly Covered[]>();
  for (const [namespace, workloads] of byNamespace([...byWorkload.keys()])) {
    candidatesOf.set(namespace, labelIndex(workloads.map((workload) => byWorkload.get(workload)!)));
  }
  const coverages = new Map<string, { readonly budgets: PlacedBudget[]; readonly covered: readonly Covered[] }>();
  budgets.forEach((budget, position) => {
    const namespace = namespaceOf(budget) ?? '';
    const selector = selectorOf(budget);
    const key = JSON.stringify([namespace, selector ?? null]);
    const known = coverages.get(key);
    if (known) {
      known.budgets.push({ budget, position });
      return;
    }
    const candidates = candidatesOf.get(namespace)?.(selector) ?? [];
    const covered = candidates.filter(({ workload }) => selects(selector, valueAt(workload.template, 'metadata', 'labels')));
    coverages.set(key, { budgets: [{ budget, position }], covered: oncePerRollout(covered) });
  });
  const all: readonly Coverage[] = [...coverages.values()];
  const placed = all.flatMap(({ budgets: same, covered }) => same.slice(0, MOST_JUDGED).map((one) => ({ ...one, covered })));
  const podsElsewhere = podsInOtherUnits(planned, elsewhere, context);
  placed.sort((a, b) => a.position - b.position);
  const each = placed.map(({ budget, covered }) => judged(budget, covered, context, podsElsewhere));
  return {
    findings: [...each.flatMap(({ findings }) => findings), ...overlapFindings(all, context)],
    budgets: each.flatMap(({ budgets: ofBudget }) => ofBudget),
  };
}

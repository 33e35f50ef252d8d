import { at } from '../core/field-path';
import type { Finding } from '../core/finding';
import { isIntOrPercent, scaledUp } from '../core/int-or-percent';
import { matchLabelsOf, selects } from '../core/label-selector';
import { fieldsAt, isFields, nameOf, namespaceOf, valueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { seen } from '../core/seen';
import type { PlanContext } from './context';
import { CONTEXT_KINDS } from './context-kinds';
import { workloadIn } from './workload';
import type { ReplicaRange, SystemRollout, Workload } from './workload';
import { byNamespace } from './namespaces';
import { invalidStrategy } from './rules/invalid-strategy';
import { pdbBlocksEviction } from './rules/pdb-blocks-eviction';
import { pdbBrokenByRollout } from './rules/pdb-broken-by-rollout';

/** What a budget asks for among the pods that it covers. */
export interface BudgetDemand {
  readonly field: 'minAvailable' | 'maxUnavailable';
  readonly value: number | `${number}%`;
  /** Pods that have to be healthy, from 0. */
  readonly desiredHealthy: number;
}

/**
 * How many pods a PodDisruptionBudget wants healthy of so many; undefined where it asks for nothing that can be read.
 *
 *     minAvailable   as it is; N% is rounded up
 *     maxUnavailable pods - value, at least 0; N% is rounded up too
 *
 * minAvailable 50% of 7 is 4; maxUnavailable 50% of 7 is 4 that may be missing, so 3.
 *
 * Source: k/k pkg/controller/disruption/disruption.go, `getExpectedPodCount`.
 */
export function budgetDemand(budget: Manifest, pods: number): BudgetDemand | undefined {
  const minAvailable = valueAt(budget, 'spec', 'minAvailable');
  const maxUnavailable = valueAt(budget, 'spec', 'maxUnavailable');
  if (isIntOrPercent(maxUnavailable)) {
    return { field: 'maxUnavailable', value: maxUnavailable, desiredHealthy: Math.max(0, pods - scaledUp(maxUnavailable, pods)) };
  }
  if (!isIntOrPercent(minAvailable)) return undefined;
  return { field: 'minAvailable', value: minAvailable, desiredHealthy: scaledUp(minAvailable, pods) };
}

function hasBothLimits(budget: Manifest): boolean {
  const limits = [valueAt(budget, 'spec', 'minAvailable'), valueAt(budget, 'spec', 'maxUnavailable')];
  return limits.every((limit) => limit !== undefined && limit !== null);
}

/** The API server refuses a budget with both limits. Source: k/k pkg/apis/policy/validation/validation.go. */
export function bothLimitsFindings(budget: Manifest): Finding[] {
  if (!hasBothLimits(budget)) return [];
  const { minAvailable, maxUnavailable } = fieldsAt(budget, 'spec');
  return [
    invalidStrategy.finding('bothLimits', {
      path: at`spec`,
      data: { minAvailable: seen(minAvailable), maxUnavailable: seen(maxUnavailable) },
    }),
  ];
}

/** What a budget selects pods by; in policy/v1beta1 an empty selector selects none. Source: k/k pkg/apis/policy/v1beta1/conversion.go. */
function selectorOf(budget: Manifest): unknown {
  const selector = valueAt(budget, 'spec', 'selector');
  const isEmpty = isFields(selector) && Object.values(selector).every((part) => Object.keys(part ?? {}).length === 0);
  return isEmpty && budget.apiVersion === 'policy/v1beta1' ? undefined : selector;
}

/** A rollout whose pods a budget may select. */
interface Covered {
  readonly rollout: SystemRollout;
  readonly workload: Workload;
}

/** The least pods of a rollout that are available at any time; all of them where nothing rolls out. */
function lowestOf({ workload }: Covered): number {
  return workload.rollout?.leastAvailable ?? workload.replicas;
}

function podsOf(covered: readonly Covered[]): number {
  return covered.reduce((sum, { workload }) => sum + workload.replicas, 0);
}

/** The least pods that are available while all of them roll out at once. */
function leastTogether(covered: readonly Covered[]): number {
  return covered.reduce((sum, one) => sum + lowestOf(one), 0);
}

/** The most replicas that an advice names. */
const MOST_ADVISED = 10;

/** How many replicas a workload of one has to have for the budget as it is, in a rollout too; undefined where no number of up to ten will do. */
function replicasFor(budget: Manifest, workload: Workload): number | undefined {
  for (let replicas = 2; replicas <= MOST_ADVISED; replicas++) {
    const { desiredHealthy } = budgetDemand(budget, replicas)!;
    const least = workload.rollout ? workload.rolloutAt(replicas).leastAvailable : replicas;
    if (desiredHealthy < replicas && desiredHealthy <= least) return replicas;
  }
  return undefined;
}

/** The range of an autoscaler that changes the number of pods. */
function rangeOf({ replicaRange }: Workload): ReplicaRange | undefined {
  return replicaRange && replicaRange.minimum < replicaRange.maximum ? replicaRange : undefined;
}

function fewestPods(covered: readonly Covered[]): number {
  return covered.reduce((sum, { workload }) => sum + (rangeOf(workload)?.minimum ?? workload.replicas), 0);
}

/** What to write instead of a budget that allows no eviction: what the rollouts keep to as well, if they leave any pod at all. */
function looserBudget(budget: Manifest, covered: readonly Covered[], pods: number) {
  const least = leastTogether(covered);
  const maxUnavailable = least === 0 ? 1 : Math.max(1, pods - least);
  const minAvailable = Math.min(pods - maxUnavailable, fewestPods(covered) - 1);
  const only = pods === 1 ? covered.find(({ workload }) => workload.replicas === 1) : undefined;
  const replicas = only && replicasFor(budget, only.workload);
  return { maxUnavailable, ...(minAvailable > 0 && { minAvailable }), ...(replicas !== undefined && { replicas }) };
}

/** Who changes the number of pods that a budget covers, and whether it blocks at any number. */
function autoscaledData(budget: Manifest, covered: readonly Covered[]) {
  const ranges = covered.flatMap(({ workload }) => rangeOf(workload) ?? []);
  if (ranges.length === 0) return {};
  const maximum = covered.reduce((sum, { workload }) => sum + (rangeOf(workload)?.maximum ?? workload.replicas), 0);
  const always = budgetDemand(budget, maximum)!.desiredHealthy >= maximum;
  return { autoscaled: { by: ranges.map(({ by }) => by), minimum: fewestPods(covered), maximum, always } };
}

function budgetData(budget: Manifest, { field, value }: BudgetDemand) {
  return { budget: nameOf(budget), field, value: seen(value) };
}

/** Where a finding about a limit of a budget stands. */
function placeOf(budget: Manifest, field: string, context: PlanContext) {
  const path = at`spec.${field}`;
  return { path, source: context.locate(budget, path) };
}

/** Are the pods that a budget covers all of DaemonSets? A drain passes them over. */
function isOfDaemons(covered: readonly Covered[]): boolean {
  return covered.every(({ workload }) => workload.onePerNode);
}

/** Does a budget ask for a number of pods? A share of a DaemonSet's the controller can't tell: it has no scale. Source: `getExpectedScale`. */
function isCount(budget: Manifest): boolean {
  return typeof valueAt(budget, 'spec', 'minAvailable') === 'number';
}

/** The findings of one budget, each with the rollout that it belongs to. */
function budgetFindings(budget: Manifest, covered: readonly Covered[], context: PlanContext): [SystemRollout, Finding][] {
  if (isOfDaemons(covered) && !isCount(budget)) return [];
  const pods = podsOf(covered);
  const demand = budgetDemand(budget, pods);
  const first = covered[0];
  if (!demand || !first || pods === 0) return [];
  const place = placeOf(budget, demand.field, context);
  const data = budgetData(budget, demand);
  // A budget that is too tight at full strength is broken by every rollout too, and its fix repairs both, unless a rollout leaves no pod.
  if (demand.desiredHealthy >= pods && !isOfDaemons(covered)) {
    const blocked = { ...data, pods, ...looserBudget(budget, covered, pods), ...autoscaledData(budget, covered) };
    const finding: [SystemRollout, Finding] = [first.rollout, pdbBlocksEviction.finding('blocked', { ...place, data: blocked })];
    return leastTogether(covered) > 0 || pods === 1 ? [finding] : [finding, ...brokenFindings(budget, covered, demand, context)];
  }
  return brokenFindings(budget, covered, demand, context);
}

/** The rollouts that go below a budget, alone or together. */
function brokenFindings(
  budget: Manifest,
  covered: readonly Covered[],
  demand: BudgetDemand,
  context: PlanContext,
): [SystemRollout, Finding][] {
  const pods = podsOf(covered);
  const first = covered[0]!;
  const place = placeOf(budget, demand.field, context);
  const broken = { ...budgetData(budget, demand), desiredHealthy: demand.desiredHealthy, pods };
  const alone = covered.flatMap((one): [SystemRollout, Finding][] => {
    const lowest = pods - one.workload.replicas + lowestOf(one);
    if (lowest >= demand.desiredHealthy) return [];
    return [[one.rollout, pdbBrokenByRollout.finding('alone', { ...place, data: { ...broken, lowest } })]];
  });
  if (alone.length > 0) return alone;
  const lowest = leastTogether(covered);
  if (lowest >= demand.desiredHealthy) return [];
  const others = covered.length - 1;
  const { kind, name } = covered.at(-1)!.workload;
  const other = others === 1 ? { other: `${kind} "${name}"` } : {};
  return [[first.rollout, pdbBrokenByRollout.finding('together', { ...place, data: { ...broken, lowest, others, ...other } })]];
}

/** A budget, and the rollouts whose pods it selects. */
interface Coverage {
  readonly budget: Manifest;
  readonly covered: readonly Covered[];
}

function overlapFinding({ kind, name }: Workload, budgets: readonly Manifest[], context: PlanContext): Finding {
  const data = { budgets: budgets.map(nameOf), kind, name };
  return pdbBlocksEviction.finding('overlap', { ...placeOf(budgets[1]!, 'selector', context), data });
}

/**
 * One finding for each set of budgets that select the same pods, with the first workload under them.
 *
 * Source: k/k pkg/registry/core/pod/storage/eviction.go.
 */
function overlapFindings(coverages: readonly Coverage[], context: PlanContext): [SystemRollout, Finding][] {
  const budgetsOf = new Map<Covered, Manifest[]>();
  for (const { budget, covered } of coverages) {
    for (const one of covered) budgetsOf.set(one, [...(budgetsOf.get(one) ?? []), budget]);
  }
  const firstUnder = new Map<string, [Covered, readonly Manifest[]]>();
  for (const [one, budgets] of budgetsOf) {
    if (budgets.length < 2 || one.workload.replicas === 0) continue;
    const key = JSON.stringify([one.workload.namespace, ...budgets.map(nameOf)]);
    if (!firstUnder.has(key)) firstUnder.set(key, [one, budgets]);
  }
  return [...firstUnder.values()].map(([{ rollout, workload }, budgets]) => [rollout, overlapFinding(workload, budgets, context)]);
}

/** Workloads of a namespace by each of their labels, so that a budget looks at those alone that have one of its labels. */
function labelIndex(all: readonly Covered[]): (selector: unknown) => readonly Covered[] {
  const byLabel = new Map<string, Covered[]>();
  for (const one of all) {
    const labels = valueAt(one.workload.template, 'metadata', 'labels');
    for (const [key, value] of Object.entries(labels ?? {})) {
      const label = JSON.stringify([key, value]);
      const known = byLabel.get(label);
      if (known) known.push(one);
      else byLabel.set(label, [one]);
    }
  }
  return (selector) => {
    const named = Object.entries(matchLabelsOf(selector))[0];
    return named ? (byLabel.get(JSON.stringify(named)) ?? []) : all;
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

/** What PodDisruptionBudgets of the input mean for the rollouts whose pods they select, each finding with its rollout. */
export function disruptionBudgetFindings(planned: readonly SystemRollout[], context: PlanContext): [SystemRollout, Finding][] {
  const byWorkload = new Map<Workload, Covered>();
  const isFirst = firstOfItsName((workload: Workload) => [workload.namespace ?? '', workload.kind, workload.name]);
  const isFirstBudget = firstOfItsName((budget: Manifest) => [namespaceOf(budget) ?? '', nameOf(budget)]);
  for (const rollout of planned) {
    const workload = workloadIn(rollout);
    if (workload && !workload.countOnly && isFirst(workload)) byWorkload.set(workload, { rollout, workload });
  }
  const candidatesOf = new Map<string, (selector: unknown) => readonly Covered[]>();
  for (const [namespace, workloads] of byNamespace([...byWorkload.keys()])) {
    candidatesOf.set(namespace, labelIndex(workloads.map((workload) => byWorkload.get(workload)!)));
  }
  const budgets = context.all(CONTEXT_KINDS.podDisruptionBudget).filter((budget) => !hasBothLimits(budget) && isFirstBudget(budget));
  const coverages = budgets.map((budget): Coverage => {
    const selector = selectorOf(budget);
    const candidates = candidatesOf.get(namespaceOf(budget) ?? '')?.(selector) ?? [];
    const covered = candidates.filter(({ workload }) => selects(selector, valueAt(workload.template, 'metadata', 'labels')));
    return { budget, covered };
  });
  return [...coverages.flatMap(({ budget, covered }) => budgetFindings(budget, covered, context)), ...overlapFindings(coverages, context)];
}

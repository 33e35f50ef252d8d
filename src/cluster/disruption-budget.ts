import { at } from '../core/field-path';
import { isIntOrPercent, scaledUp } from '../core/int-or-percent';
import { nameOf, valueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { seen } from '../core/seen';
import type { PlanContext } from './context';
import type { BudgetedPods, SystemRollout } from './workload';

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
 *     minAvailable   as it is, at least 0; N% is rounded up
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
  return { field: 'minAvailable', value: minAvailable, desiredHealthy: Math.max(0, scaledUp(minAvailable, pods)) };
}

/** Does a budget have both limits, which the API server refuses? */
export function hasBothLimits(budget: Manifest): boolean {
  const limits = [valueAt(budget, 'spec', 'minAvailable'), valueAt(budget, 'spec', 'maxUnavailable')];
  return limits.every((limit) => limit !== undefined && limit !== null);
}

/** A rollout whose pods a budget may select. */
export interface Covered {
  readonly rollout: SystemRollout;
  readonly workload: BudgetedPods;
}

/** A budget, and its place among all of them. */
export interface PlacedBudget {
  readonly budget: Manifest;
  readonly position: number;
}

/** Budgets of one namespace with the same selector, and the rollouts whose pods they select. */
export interface Coverage {
  readonly budgets: readonly PlacedBudget[];
  readonly covered: readonly Covered[];
}

/** The least pods of a rollout that are available at any time; all of them where nothing rolls out. */
export function lowestOf({ workload }: Covered): number {
  return workload.rollout?.leastAvailable ?? workload.replicas;
}

/** The pods that run while nothing rolls out. */
export function podsOf(covered: readonly Covered[]): number {
  return covered.reduce((sum, { workload }) => sum + workload.replicas, 0);
}

/** The least pods that are available while all of them roll out at once. */
export function leastTogether(covered: readonly Covered[]): number {
  return covered.reduce((sum, one) => sum + lowestOf(one), 0);
}

/** The end of a sentence that does not hold where pods of other units are in the same cluster. */
export function unlessElsewhere({ podsElsewhere }: { readonly podsElsewhere?: number }): string {
  if (podsElsewhere === undefined) return '.';
  const [pods, run] = podsElsewhere === 1 ? ['pod', 'runs'] : ['pods', 'run'];
  return `, unless the ${podsElsewhere} ${pods} of other units that it selects too ${run} in the same cluster.`;
}

/** A budget as a finding has it. */
export function budgetData(budget: Manifest, { field, value }: BudgetDemand) {
  return { budget: nameOf(budget), field, value: seen(value) };
}

/** Where a finding about a limit of a budget stands. */
export function placeOf(budget: Manifest, field: string, context: PlanContext) {
  const path = at`spec.${field}`;
  return { path, source: context.locate(budget, path) };
}

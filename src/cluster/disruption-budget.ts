import { toFieldPath } from '../core/field-path';
import { isIntOrPercent, scaleRoundedUp } from '../core/int-or-percent';
import { nameOf, getValueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import { toDisplayValue } from '../core/display-value';
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
export function resolveBudgetDemand(budget: Manifest, pods: number): BudgetDemand | undefined {
  const minAvailable = getValueAt(budget, 'spec', 'minAvailable');
  const maxUnavailable = getValueAt(budget, 'spec', 'maxUnavailable');
  if (isIntOrPercent(maxUnavailable)) {
    return { field: 'maxUnavailable', value: maxUnavailable, desiredHealthy: Math.max(0, pods - scaleRoundedUp(maxUnavailable, pods)) };
  }
  if (!isIntOrPercent(minAvailable)) return undefined;
  return { field: 'minAvailable', value: minAvailable, desiredHealthy: Math.max(0, scaleRoundedUp(minAvailable, pods)) };
}

/** Does a budget have both limits, which the API server refuses? */
export function hasBothLimits(budget: Manifest): boolean {
  const limits = [getValueAt(budget, 'spec', 'minAvailable'), getValueAt(budget, 'spec', 'maxUnavailable')];
  return limits.every((limit) => limit !== undefined && limit !== null);
}

/** A rollout whose pods a budget may select. */
export interface CoveredWorkload {
  readonly rollout: SystemRollout;
  readonly workload: BudgetedPods;
}

/** A budget, and its place among all of them. */
export interface OrderedBudget {
  readonly budget: Manifest;
  readonly position: number;
}

/** Budgets of one namespace with the same selector, and the rollouts whose pods they select. */
export interface BudgetCoverage {
  readonly budgets: readonly OrderedBudget[];
  readonly covered: readonly CoveredWorkload[];
}

/** The least pods of a rollout that are available at any time; all of them where nothing rolls out. */
export function minAvailableOf({ workload }: CoveredWorkload): number {
  return workload.rollout?.leastAvailable ?? workload.replicas;
}

/** The pods that run while nothing rolls out. */
export function countCoveredPods(covered: readonly CoveredWorkload[]): number {
  return covered.reduce((sum, { workload }) => sum + workload.replicas, 0);
}

/** The least pods that are available while all of them roll out at once. */
export function sumMinAvailable(covered: readonly CoveredWorkload[]): number {
  return covered.reduce((sum, item) => sum + minAvailableOf(item), 0);
}

/** The end of a sentence that does not hold where pods of other units are in the same cluster. */
export function formatOtherUnitsCaveat({ podsInOtherUnits }: { readonly podsInOtherUnits?: number }): string {
  if (podsInOtherUnits === undefined) return '.';
  const [pods, run] = podsInOtherUnits === 1 ? ['pod', 'runs'] : ['pods', 'run'];
  return `, unless the ${podsInOtherUnits} ${pods} of other units that it selects too ${run} in the same cluster.`;
}

/** A budget as a finding has it. */
export function toBudgetData(budget: Manifest, { field, value }: BudgetDemand) {
  return { budget: nameOf(budget), field, value: toDisplayValue(value) };
}

/** Where a finding about a limit of a budget stands. */
export function budgetLocationOf(budget: Manifest, field: string, context: PlanContext) {
  const path = toFieldPath`spec.${field}`;
  return { path, source: context.locate(budget, path) };
}

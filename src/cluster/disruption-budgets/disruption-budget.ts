import { toFieldPath } from '../../core/manifest/field-path';
import { isIntOrPercent, scaleRoundedUp } from '../../core/values/int-or-percent';
import { objectReferenceOf, nameOf, getValueAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { toDisplayValue } from '../../core/text/display-value';
import type { PlanContext } from '../context/context';
import type { BudgetedPods } from '../rollout/pod-groups';
import type { SystemRollout } from '../rollout/system-rollout';

/** What a budget requires of the pods that it covers. */
export interface BudgetDemand {
  readonly field: 'minAvailable' | 'maxUnavailable';
  readonly value: number | `${number}%`;
  /** Pods that must be healthy, from 0. */
  readonly desiredHealthy: number;
}

/**
 * Returns how many of a number of pods a PodDisruptionBudget requires to be healthy. Returns undefined if it has no readable limit.
 *
 *     minAvailable   the value, at least 0; N% is rounded up
 *     maxUnavailable pods - value, at least 0; N% is rounded up too
 *
 * For 7 pods, minAvailable 50% requires 4. maxUnavailable 50% allows 4 to be unavailable, and requires 3.
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

/** Reports whether a budget has both limits, which the API server refuses. */
export function hasBothLimits(budget: Manifest): boolean {
  const limits = [getValueAt(budget, 'spec', 'minAvailable'), getValueAt(budget, 'spec', 'maxUnavailable')];
  return limits.every((limit) => limit !== undefined && limit !== null);
}

/** A rollout whose pods a budget may select. */
export interface CoveredWorkload {
  readonly rollout: SystemRollout;
  readonly workload: BudgetedPods;
}

/** A budget, and its position among all budgets. */
export interface OrderedBudget {
  readonly budget: Manifest;
  readonly position: number;
}

/** Budgets of one namespace with the same selector, and the rollouts whose pods they select. */
export interface BudgetCoverage {
  readonly budgets: readonly OrderedBudget[];
  readonly covered: readonly CoveredWorkload[];
}

/** Returns the minimum number of available pods of a rollout at any time. Returns all pods if nothing rolls out. */
export function minAvailableOf({ workload }: CoveredWorkload): number {
  return workload.rollout?.leastAvailable ?? workload.replicas;
}

/** Returns the number of pods that run while nothing rolls out. */
export function countCoveredPods(covered: readonly CoveredWorkload[]): number {
  return covered.reduce((sum, { workload }) => sum + workload.replicas, 0);
}

/** Returns the minimum number of available pods while all rollouts run at once. */
export function sumMinAvailable(covered: readonly CoveredWorkload[]): number {
  return covered.reduce((sum, item) => sum + minAvailableOf(item), 0);
}

/** Formats the end of a sentence that does not apply if pods of other units are in the same cluster. */
export function formatOtherUnitsCaveat({ podsInOtherUnits }: { readonly podsInOtherUnits?: number }): string {
  if (podsInOtherUnits === undefined) return '.';
  const [pods, run] = podsInOtherUnits === 1 ? ['pod', 'runs'] : ['pods', 'run'];
  return `, unless the ${podsInOtherUnits} ${pods} of other units that the budget also selects ${run} in the same cluster.`;
}

/** Converts a budget to the data of a finding. */
export function toBudgetData(budget: Manifest, { field, value }: BudgetDemand) {
  return { budget: nameOf(budget), field, value: toDisplayValue(value) };
}

/** Returns the location of a finding about a field of a budget. */
export function budgetLocationOf(budget: Manifest, field: string, context: PlanContext) {
  const path = toFieldPath`spec.${field}`;
  return { path, object: objectReferenceOf(budget), source: context.locate(budget, path) };
}

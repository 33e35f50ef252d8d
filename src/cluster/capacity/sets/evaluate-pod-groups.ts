import { pluralize } from '../../../core/text/text-format';
import type { ClusterPods, GroupPods, GroupTrial } from '../../rollout/pod-groups';
import type { CapacityOutcome } from '../../rollout/pod-rollout';
import type { CapacityEvaluation } from '../capacity-evaluation';
import type { PlanLimits } from '../plan-limits';
import { formatRow } from '../shortage';
import { evaluateSets } from './evaluate-sets';
import { hasRoomForRow } from './row-shortages';
import type { SetRow } from './set-rollout';

/**
 * Splits the pods of each row into those that run before the rollout and created ones. A surge group below the partition is created of the old
 * template, and counts with the requests of the new one.
 */
function splitRows({ rows, oldRows }: Pick<GroupPods, 'rows' | 'oldRows'>): SetRow[] {
  return rows.map((row, index) => {
    const old = oldRows[index]!.map((pods, set) => Math.min(pods, oldRows[0]![set]!));
    return { old, next: row.map((pods, set) => pods - old[set]!) };
  });
}

/**
 * Evaluates a rollout that creates a second cluster. Returns undefined if it creates none, or if nothing limits it.
 *
 * A row whose pods do not fit deadlocks, because no pod of the first cluster is deleted before they are ready. If the rollout does not wait
 * for the pods of a row, it continues, and they start once the first cluster frees capacity.
 */
export function evaluateClusters(clusters: ClusterPods, limits: PlanLimits): CapacityEvaluation | undefined {
  const { podSets, rowsWithDeleted, capacities, waitsBelowRow } = clusters;
  const rows = splitRows(clusters);
  if (rows.length <= 1) return undefined;
  const outcomeAt = (row: number): CapacityOutcome =>
    row < waitsBelowRow ? { verdict: 'deadlocks', deadlockWave: row + 1 } : { verdict: 'slower' };
  const describeOutcome = ({ deadlockWave }: CapacityOutcome, row: number) => {
    const atRow = formatRow(row + 1, capacities[row]!);
    return deadlockWave === undefined
      ? `continues at ${atRow} without all of its pods, which start once the old cluster frees capacity`
      : `deadlocks at ${atRow}`;
  };
  return evaluateSets({ podSets, rows, rowsWithDeleted, outcomeAt, describeOutcome }, limits);
}

/** Reports whether the option of a second cluster that needs the least capacity fits. */
export function canFitSmallestCluster({ podSets, minimal }: ClusterPods, limits: PlanLimits): boolean {
  return hasRoomForRow(podSets, minimal.row, limits);
}

/** The parts of a rollout of groups that its capacity depends on. */
export type EvaluatedGroups = Pick<GroupPods, 'podSets' | 'rows' | 'oldRows' | 'fewer' | 'positionOf'>;

/**
 * Evaluates a rollout of groups. Returns undefined if nothing rolls out, or if nothing limits it.
 *
 * A group runs once all of its pods fit. A group with capacity for only some of its pods uses that capacity and waits. If groups differ,
 * nothing continues before the pods of a row run. The first row is the state before any change.
 */
export function evaluateGroups(
  { podSets, fewer, positionOf, ...rowsOf }: EvaluatedGroups,
  limits: PlanLimits,
): CapacityEvaluation | undefined {
  const rows = splitRows(rowsOf);
  if (rows.length === 0) return undefined;
  const outcomeAt = (row: number): CapacityOutcome => ({ verdict: 'deadlocks', deadlockWave: Math.max(1, row) });
  const describeOutcome = ({ verdict, deadlockWave, iterations = rows.length }: CapacityOutcome) =>
    verdict === 'deadlocks' ? `deadlocks at wave ${deadlockWave}` : `takes ${pluralize(iterations, 'wave')}, with fewer groups at once`;
  return evaluateSets(
    { podSets, rows, ...(positionOf && { positionOf }), ...(fewer && { groups: fewer }), outcomeAt, describeOutcome },
    limits,
  );
}

/** Returns the parts of a trial that its capacity depends on. The limits refer to the pod sets of the rollout as written, so it keeps those. */
export function withTrial({ podSets, positionOf }: GroupPods, trial: GroupTrial): EvaluatedGroups {
  return { ...trial, podSets, ...(positionOf && { positionOf }) };
}

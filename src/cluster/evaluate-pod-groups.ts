import type { ClusterPods, GroupPods, GroupTrial } from './workload';
import { evaluateSecondClusterCapacity } from './capacity/second-cluster-capacity';
import { evaluateGroupCapacity } from './capacity/group-capacity';
import { evaluateSetsExactly } from './capacity/exact/evaluate-sets';
import type { SetRollout } from './capacity/exact/evaluate-sets';
import type { SetRow } from './capacity/exact/set-rows';
import { formatRow } from './capacity/shortage';
import type { CapacityEvaluation, PlanLimits } from './capacity/rollout-capacity';

/** Splits the pods of each row into old and new ones. */
function splitRows({ rows, oldRows }: Pick<GroupPods, 'rows' | 'oldRows'>): SetRow[] {
  return rows.map((row, index) => {
    const old = oldRows[index]!;
    return { old, next: row.map((pods, set) => pods - old[set]!) };
  });
}

/** Evaluates a rollout that creates a second cluster, whose old pods keep their own requests. */
export function evaluateClusters(clusters: ClusterPods, limits: PlanLimits): CapacityEvaluation | undefined {
  const evaluation = evaluateSecondClusterCapacity(clusters, limits);
  if (!evaluation) return undefined;
  const { podSets, capacities, waitsBelowRow } = clusters;
  const rollout: SetRollout = {
    podSets,
    rows: splitRows(clusters),
    outcomeAt: (row) => (row < waitsBelowRow ? { verdict: 'deadlocks', deadlockWave: row + 1 } : { verdict: 'slower' }),
    formatDeadlock: (wave) => `deadlocks at ${formatRow(wave, capacities[wave - 1]!)}`,
  };
  return evaluateSetsExactly(rollout, evaluation, limits);
}

/** The parts of a rollout of groups that its capacity depends on. */
export type EvaluatedGroups = Pick<GroupPods, 'podSets' | 'rows' | 'oldRows' | 'fewer' | 'positionOf'>;

/** Evaluates a rollout of groups, whose old pods keep their own requests. */
export function evaluateGroups(groups: EvaluatedGroups, limits: PlanLimits): CapacityEvaluation | undefined {
  const evaluation = evaluateGroupCapacity(groups, limits);
  if (!evaluation) return undefined;
  const { podSets, fewer } = groups;
  const rollout: SetRollout = {
    podSets,
    rows: splitRows(groups),
    ...(groups.positionOf && { positionOf: groups.positionOf }),
    outcomeAt: (row) => ({ verdict: 'deadlocks', deadlockWave: Math.max(1, row) }),
    ...(fewer && { groups: fewer }),
    formatDeadlock: (wave) => `deadlocks at wave ${wave}`,
  };
  return evaluateSetsExactly(rollout, evaluation, limits);
}

/** Returns the parts of a trial that its capacity depends on. The limits refer to the pod sets of the rollout as written, so it keeps those. */
export function withTrial({ podSets, positionOf }: GroupPods, trial: GroupTrial): EvaluatedGroups {
  return { ...trial, podSets, ...(positionOf && { positionOf }) };
}

import { findMin } from '../../core/min-max';
import { pluralize } from '../../core/text-format';
import type { CapacityVerdict } from '../../core/capacity-result';
import type { FewerGroups, GroupPods, CapacityOutcome } from '../workload';
import { findFirstShortRow, findRowShortages } from './second-cluster-capacity';
import { computeAdditionalNodes } from './additional-nodes';
import type { CapacityEvaluation, PlanLimits } from './rollout-capacity';
import { formatOutcome, buildFittingResult } from './shortage';
import { findUnmodelledConstraints } from './unmodelled-constraints';

type Groups = Pick<GroupPods, 'podSets' | 'rows' | 'fewer'>;
type Row = readonly number[];

function countPods(row: Row): number {
  return row.reduce((sum, pods) => sum + pods, 0);
}

function findPeak(rows: readonly Row[]): Row {
  return rows.reduce((peak, row) => (countPods(row) > countPods(peak) ? row : peak));
}

/** Returns the maximum number of groups, below the peak, whose pods all fit at once. */
function countFittingGroups({ podSets }: Groups, { perGroup }: FewerGroups, peak: Row, limits: PlanLimits): number {
  let [fits, shortages] = [0, countPods(peak) / countPods(perGroup)];
  while (shortages - fits > 1) {
    const candidate = Math.floor((fits + shortages) / 2);
    const row = perGroup.map((pods) => candidate * pods);
    if (findRowShortages(podSets, row, limits).length > 0) shortages = candidate;
    else fits = candidate;
  }
  return fits;
}

interface GroupOutcome {
  readonly outcome: CapacityOutcome;
  readonly podsWithRoom: number;
  /** The row with the shortage. */
  readonly row: Row;
}

/**
 * Computes the outcome of a rollout of groups. If groups differ, nothing continues before the pods of a row run. The first row is the state
 * before any change.
 */
function computeGroupOutcome(groups: Groups, shortRow: number, limits: PlanLimits): GroupOutcome {
  const { podSets, rows, fewer } = groups;
  const peak = findPeak(rows);
  if (fewer) {
    const fittingGroups = countFittingGroups(groups, fewer, peak, limits);
    return { outcome: fewer.outcome(fittingGroups), podsWithRoom: fittingGroups * countPods(fewer.perGroup), row: peak };
  }
  const row = rows[shortRow]!;
  const podsWithRoom = findMin(findRowShortages(podSets, row, limits).map(({ pods }) => pods));
  const verdict: CapacityVerdict = 'deadlocks';
  return { outcome: { verdict, deadlockWave: Math.max(1, shortRow) }, podsWithRoom, row };
}

/**
 * Evaluates a rollout of groups while the pods of other workloads stay as they are. Returns undefined if nothing limits it.
 *
 * A group runs once all of its pods fit. A group with capacity for only some of its pods uses that capacity and waits.
 */
export function evaluateGroupCapacity(groups: Groups, limits: PlanLimits): CapacityEvaluation | undefined {
  const { podSets, rows } = groups;
  if (rows.length === 0 || (!limits.steady && podSets.every((podSet) => limits.resourcesOf(podSet).length === 0))) return undefined;
  const peakPods = countPods(findPeak(rows));
  if (peakPods === 0) return undefined;
  const shortRow = findFirstShortRow(podSets, rows, limits);
  if (shortRow < 0) {
    return {
      verdict: buildFittingResult(peakPods, peakPods, findUnmodelledConstraints(podSets)),
      delay: { deadlocks: false, podsWithRoom: peakPods },
    };
  }
  const { outcome, podsWithRoom, row } = computeGroupOutcome(groups, shortRow, limits);
  const shortages = findRowShortages(podSets, row, limits);
  const { shortage, rejection } = shortages.reduce((fewest, next) => (next.pods < fewest.pods ? next : fewest));
  const unplacedDemands = shortages.length === 1 ? shortages[0]!.unplaced : undefined;
  const moreNodes = unplacedDemands && computeAdditionalNodes(limits.nodePools, unplacedDemands, limits.cache);
  const deadlocks = outcome.verdict === 'deadlocks';
  const { iterations } = outcome;
  const outcomeText = deadlocks
    ? `deadlocks at wave ${outcome.deadlockWave}`
    : `takes ${pluralize(iterations ?? rows.length, 'wave')}, with fewer groups at once`;
  return {
    verdict: {
      ...outcome,
      peakPods,
      podsThatFit: podsWithRoom,
      shortage,
      ...(moreNodes && { moreNodes }),
      message: formatOutcome(outcomeText, shortage, moreNodes),
    },
    delay: { deadlocks, podsWithRoom, ...(iterations !== undefined && { iterations }) },
    ...(rejection && { rejection }),
  };
}

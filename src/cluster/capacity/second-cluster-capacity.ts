import type { CapacityVerdict, Shortage } from '../../core/capacity-result';
import type { ClusterPods, PodSet } from '../workload';
import { computeRemaining, computeSteadyUse, computeUse } from './limits';
import type { ResourceLimit } from './limits';
import type { AdmissionRejection } from './admission-rejection';
import { schedulePods } from './placement';
import { sortLargestFirst } from './placement-order';
import { computeAdditionalNodes } from './additional-nodes';
import type { Demand } from './placement';
import { findSingleNodeShortage, buildPodSlotShortage, buildResourceShortage } from './rollout-capacity';
import type { CapacityEvaluation, PlanLimits } from './rollout-capacity';
import type { SteadyPods } from './steady-pods';
import { formatOutcome, buildFittingResult, formatRow } from './shortage';
import { findUnmodelledConstraints } from './unmodelled-constraints';

/** Number of pods of each set. */
type Row = readonly number[];

function countPods(row: Row): number {
  return row.reduce((sum, pods) => sum + pods, 0);
}

/** Returns the row with the most pods, or the first of several. */
export function findPeakRow({ rows }: Pick<ClusterPods, 'rows'>): Row {
  return rows.reduce((peak, row) => (countPods(row) > countPods(peak) ? row : peak));
}

/** A shortage that keeps some pods of a row from running. */
interface RowShortage {
  readonly shortage: Shortage;
  /** Pods of the row that still run. */
  readonly pods: number;
  /** Pods that need more nodes, if nodes are lacking. */
  readonly unplaced?: readonly Demand[];
  /** Why a quota refuses the pods, if it refuses all of them. */
  readonly rejection?: AdmissionRejection;
}

/** Returns how many pods of a row a limit allows, one set after another. */
function countPodsWithin(podSets: readonly PodSet[], row: Row, left: bigint, { perPod }: ResourceLimit): number {
  let rest = left;
  return podSets.reduce((sum, podSet, index) => {
    const use = perPod.get(podSet) ?? 0n;
    const pods = use === 0n ? row[index]! : Math.min(row[index]!, Number(rest / use));
    rest -= use * BigInt(pods);
    return sum + pods;
  }, 0);
}

function findResourceShortage(podSets: readonly PodSet[], row: Row, limit: ResourceLimit): RowShortage | undefined {
  // A quota that refuses every new pod does not affect running ones.
  const left = limit.rejection ? computeSteadyUse(podSets, limit) : computeRemaining(podSets, limit);
  const needed = computeUse(podSets, row, limit);
  if (needed <= left) return undefined;
  const { rejection } = limit;
  return {
    shortage: buildResourceShortage(limit, needed, left),
    pods: countPodsWithin(podSets, row, left, limit),
    ...(rejection && { rejection }),
  };
}

function findNodeShortage(podSets: readonly PodSet[], row: Row, limits: PlanLimits, steady: SteadyPods): RowShortage | undefined {
  const { nodePools, cache } = limits;
  const extra = podSets.map((podSet, index) => ({ podSet, pods: Math.max(0, row[index]! - podSet.replicas) }));
  const { nodes, unplaced } = schedulePods(steady.nodes, sortLargestFirst(nodePools, extra, cache), cache);
  const unplacedBefore = podSets.map((podSet) => ({ podSet, pods: steady.unplacedBySet.get(podSet) ?? 0 })).filter(({ pods }) => pods > 0);
  const unplacedDemands = [...unplacedBefore, ...unplaced];
  const [first] = unplacedDemands;
  if (!first) return undefined;
  const pods = countPods(row) - unplacedDemands.reduce((sum, demand) => sum + demand.pods, 0);
  const singleNodeShortage = findSingleNodeShortage(first.podSet, nodes, limits);
  return { shortage: singleNodeShortage ?? buildPodSlotShortage(countPods(row), pods), pods, unplaced: unplacedDemands };
}

/** Returns all shortages of a row, with nodes last. */
export function findRowShortages(podSets: readonly PodSet[], row: Row, limits: PlanLimits): RowShortage[] {
  const resources = new Set(podSets.flatMap((podSet) => limits.resourcesOf(podSet)));
  const shortages = [...resources].flatMap((limit) => findResourceShortage(podSets, row, limit) ?? []);
  const nodes = limits.steady && findNodeShortage(podSets, row, limits, limits.steady);
  return nodes ? [...shortages, nodes] : shortages;
}

/** Returns the index of the first row with a shortage, from 0, or -1 if there is none. Equal rows are only checked once. */
export function findFirstShortRow(podSets: readonly PodSet[], rows: readonly Row[], limits: PlanLimits): number {
  const fitting = new Set<string>();
  return rows.findIndex((row) => {
    const key = row.join();
    if (fitting.has(key)) return false;
    if (findRowShortages(podSets, row, limits).length > 0) return true;
    fitting.add(key);
    return false;
  });
}

/** Reports whether the option that needs the least capacity fits. */
export function canFitSmallestCluster({ podSets, minimal }: ClusterPods, limits: PlanLimits): boolean {
  return findRowShortages(podSets, minimal.row, limits).length === 0;
}

/**
 * Evaluates a rollout that creates a second cluster while the pods of other workloads stay as they are. Returns undefined if nothing limits
 * it.
 *
 * A row whose pods do not fit deadlocks, because no pod of the first cluster is deleted before they are ready. If the rollout does not wait
 * for the pods of a row, it continues, and they start once the first cluster frees capacity.
 */
export function evaluateSecondClusterCapacity(cluster: ClusterPods, limits: PlanLimits): CapacityEvaluation | undefined {
  const { podSets, rows, rowsWithDeleted, waitsBelowRow } = cluster;
  // With a single row, no second cluster is created.
  if (rows.length <= 1 || (!limits.steady && podSets.every((podSet) => limits.resourcesOf(podSet).length === 0))) return undefined;
  const peak = findPeakRow(cluster);
  const peakPods = countPods(peak);
  const shortRow = findFirstShortRow(podSets, rows, limits);
  if (shortRow < 0) {
    const verdict = buildFittingResult(peakPods, peakPods, findUnmodelledConstraints(podSets));
    const waitsForOldPods = findFirstShortRow(podSets, rowsWithDeleted, limits) >= 0;
    return { verdict, delay: { deadlocks: false, waitsForOldPods, podsWithRoom: peakPods } };
  }

  const deadlocks = shortRow < waitsBelowRow;
  const shortagesAtPeak = findRowShortages(podSets, peak, limits);
  // With several pod sets, a row other than the one with the most pods can be the one with a shortage.
  const shortages = shortagesAtPeak.length > 0 ? shortagesAtPeak : findRowShortages(podSets, rows[shortRow]!, limits);
  const { shortage, pods, rejection } = shortages.reduce((smallest, next) => (next.pods < smallest.pods ? next : smallest));
  const unplacedDemands = shortages.length === 1 ? shortages[0]!.unplaced : undefined;
  const moreNodes = unplacedDemands && computeAdditionalNodes(limits.nodePools, unplacedDemands, limits.cache);
  const verdict: CapacityVerdict = deadlocks ? 'deadlocks' : 'slower';
  const deadlockRow = formatRow(shortRow + 1, cluster.capacities[shortRow]!);
  const outcome = deadlocks
    ? `deadlocks at ${deadlockRow}`
    : `continues at ${deadlockRow} without all of its pods, which start once the old cluster frees capacity`;
  return {
    verdict: {
      verdict,
      peakPods,
      podsThatFit: pods,
      shortage,
      ...(deadlocks && { deadlockWave: shortRow + 1 }),
      ...(moreNodes && { moreNodes }),
      message: formatOutcome(outcome, shortage, moreNodes),
    },
    delay: { deadlocks, waitsForOldPods: true, podsWithRoom: pods },
    ...(rejection && { rejection }),
  };
}

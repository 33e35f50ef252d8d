import type { CapacityVerdict, Shortage } from '../../core/capacity-result';
import type { ClusterPods, PodSet } from '../workload';
import { computeRemaining, computeSteadyUse, computeUse } from './limits';
import type { ResourceLimit } from './limits';
import type { AdmissionRejection } from './admission-rejection';
import { sortLargestFirst, computeAdditionalNodes, schedulePods } from './placement';
import type { Demand } from './placement';
import { findSingleNodeShortage, buildPodSlotShortage, buildResourceShortage } from './rollout-capacity';
import type { CapacityEvaluation, PlanLimits, SteadyPods } from './rollout-capacity';
import { formatOutcome, buildFittingResult, formatRow } from './shortage';
import { findUnmodelledConstraints } from './unmodelled-constraints';

/** Pods of each set. */
type Row = readonly number[];

function countPods(row: Row): number {
  return row.reduce((sum, pods) => sum + pods, 0);
}

/** The row with most pods; of several the first. */
export function findPeakRow({ rows }: Pick<ClusterPods, 'rows'>): Row {
  return rows.reduce((peak, row) => (countPods(row) > countPods(peak) ? row : peak));
}

/** What keeps some of the pods of a row from running. */
interface RowShortage {
  readonly shortage: Shortage;
  /** Pods of the row that run all the same. */
  readonly pods: number;
  /** Where nodes are what is lacking: the pods that would need them. */
  readonly unplaced?: readonly Demand[];
  /** Where a quota refuses the pods outright: why. */
  readonly rejection?: AdmissionRejection;
}

/** Pods of a row that a limit lets run, one set after another. */
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
  // A quota that refuses every new pod leaves those that run.
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

/** What a row lacks, the nodes last. */
export function findRowShortages(podSets: readonly PodSet[], row: Row, limits: PlanLimits): RowShortage[] {
  const resources = new Set(podSets.flatMap((podSet) => limits.resourcesOf(podSet)));
  const shortages = [...resources].flatMap((limit) => findResourceShortage(podSets, row, limit) ?? []);
  const nodes = limits.steady && findNodeShortage(podSets, row, limits, limits.steady);
  return nodes ? [...shortages, nodes] : shortages;
}

/** The number of the first row that lacks something, counted from 0; -1 where none does. Equal rows are looked at once. */
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

/** Would there be room with what needs least of it? */
export function canFitSmallestCluster({ podSets, minimal: smallest }: ClusterPods, limits: PlanLimits): boolean {
  return findRowShortages(podSets, smallest.row, limits).length === 0;
}

/**
 * Judges a rollout that brings up a second cluster while the pods of the others stay as they are; undefined where nothing limits it.
 *
 * A row whose pods find no room waits for ever, for nothing of the first cluster goes before they are ready;
 * where the rollout does not wait for the pods of a row, it goes on, and they come when the first cluster gives its places back.
 */
export function evaluateSecondClusterCapacity(cluster: ClusterPods, limits: PlanLimits): CapacityEvaluation | undefined {
  const { podSets, rows, rowsWithDeleted, waitsBelowRow } = cluster;
  // With a single row nothing comes up beside what runs.
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
  // With several sets of pods another row than the one with most pods can be the one that lacks something.
  const shortages = shortagesAtPeak.length > 0 ? shortagesAtPeak : findRowShortages(podSets, rows[shortRow]!, limits);
  const { shortage, pods, rejection } = shortages.reduce((smallest, next) => (next.pods < smallest.pods ? next : smallest));
  const unplacedDemands = shortages.length === 1 ? shortages[0]!.unplaced : undefined;
  const moreNodes = unplacedDemands && computeAdditionalNodes(limits.nodePools, unplacedDemands, limits.cache);
  const verdict: CapacityVerdict = deadlocks ? 'deadlocks' : 'slower';
  const deadlockRow = formatRow(shortRow + 1, cluster.capacities[shortRow]!);
  const outcome = deadlocks
    ? `deadlocks at ${deadlockRow}`
    : `goes on at ${deadlockRow} without all of its pods, which come when the old cluster gives room back`;
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

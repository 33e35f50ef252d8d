import type { Shortage } from '../../../core/document/capacity-result';
import type { PodSet } from '../../rollout/pod-set';
import type { AdmissionRejection } from '../../rejections/admission-rejection';
import { computeRemaining, computeSteadyUse, computeUse } from '../limits';
import type { ResourceLimit } from '../limits';
import { buildPodSlotShortage, findSingleNodeShortage } from '../nodes/node-shortage';
import { schedulePods } from '../nodes/placement';
import type { Demand } from '../nodes/placement';
import { sortLargestFirst } from '../nodes/placement-order';
import type { SteadyPods } from '../nodes/steady-pods';
import { countPlacedPods } from '../plan-limits';
import type { PlanLimits } from '../plan-limits';
import { buildResourceShortage } from '../shortage';
import { sum } from './set-rollout';
import type { RowCounts } from './set-rollout';

/** Returns the row with the most pods, or the first of several. */
export function findPeakRow(rows: readonly RowCounts[]): RowCounts {
  return rows.reduce((peak, row) => (sum(row) > sum(peak) ? row : peak));
}

/** A shortage that keeps some pods of a row from running. */
export interface RowShortage {
  readonly shortage: Shortage;
  /** Pods of the row that still run. */
  readonly pods: number;
  /** Pods that need more nodes, if nodes are lacking. */
  readonly unplaced?: readonly Demand[];
  /** Why a quota refuses the pods, if it refuses all of them. */
  readonly rejection?: AdmissionRejection;
}

/** Returns how many pods of a row what is left of a limit allows, one set after another. */
export function countPodsWithin(podSets: readonly PodSet[], row: RowCounts, left: bigint, { perPod }: ResourceLimit): number {
  let rest = left > 0n ? left : 0n;
  return podSets.reduce((total, podSet, index) => {
    const use = perPod.get(podSet) ?? 0n;
    const pods = use === 0n ? row[index]! : Math.min(row[index]!, Number(rest / use));
    rest -= use * BigInt(pods);
    return total + pods;
  }, 0);
}

function findResourceShortage(podSets: readonly PodSet[], row: RowCounts, limit: ResourceLimit): RowShortage | undefined {
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

function findShortageOnNodes(podSets: readonly PodSet[], row: RowCounts, limits: PlanLimits, steady: SteadyPods): RowShortage | undefined {
  const { nodePools, cache } = limits;
  const extra = podSets.map((podSet, index) => ({ podSet, pods: Math.max(0, row[index]! - countPlacedPods(podSet, limits)) }));
  const { nodes, unplaced } = schedulePods(steady.nodes, sortLargestFirst(nodePools, extra, cache), cache);
  const unplacedBefore = podSets.map((podSet) => ({ podSet, pods: steady.unplacedBySet.get(podSet) ?? 0 })).filter(({ pods }) => pods > 0);
  const unplacedDemands = [...unplacedBefore, ...unplaced];
  const [first] = unplacedDemands;
  if (!first) return undefined;
  const pods = sum(row) - sum(unplacedDemands.map((demand) => demand.pods));
  // Pods of different sets may share nodes even if those of one set do not.
  const shortage = findSingleNodeShortage(first.podSet, nodes, limits) ?? buildPodSlotShortage(sum(row), pods);
  return { shortage, pods, unplaced: unplacedDemands };
}

/** Returns all shortages of a row, with nodes last. Old pods count like new ones. */
export function findRowShortages(podSets: readonly PodSet[], row: RowCounts, limits: PlanLimits): RowShortage[] {
  const resources = new Set(podSets.flatMap((podSet) => limits.resourcesOf(podSet)));
  const shortages = [...resources].flatMap((limit) => findResourceShortage(podSets, row, limit) ?? []);
  const nodes = limits.steady && findShortageOnNodes(podSets, row, limits, limits.steady);
  return nodes ? [...shortages, nodes] : shortages;
}

/** Reports whether all pods of a row fit at once. */
export function hasRoomForRow(podSets: readonly PodSet[], row: RowCounts, limits: PlanLimits): boolean {
  return findRowShortages(podSets, row, limits).length === 0;
}

/** Returns the index of the first row with a shortage, from 0, or -1 if there is none. Equal rows are only checked once. */
export function findFirstShortRow(podSets: readonly PodSet[], rows: readonly RowCounts[], limits: PlanLimits): number {
  const fitting = new Set<string>();
  return rows.findIndex((row) => {
    const key = row.join();
    if (fitting.has(key)) return false;
    if (!hasRoomForRow(podSets, row, limits)) return true;
    fitting.add(key);
    return false;
  });
}

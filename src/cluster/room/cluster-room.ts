import type { RoomVerdict, Shortage } from '../../core/room';
import type { ClusterPods, PodSet } from '../workload';
import { leftFor, steadyUseOf, useOf } from './limits';
import type { ResourceLimit } from './limits';
import type { Refusal } from './refusal';
import { largestFirst, moreNodesFor, place } from './placement';
import type { Demand } from './placement';
import { lackingOnAnyNode, placesShortage, resourceShortage } from './rollout-room';
import type { JudgedRoom, Limits, SteadyPods } from './rollout-room';
import { courseText, roomFound, rowText } from './shortage';
import { unmodelledConstraints } from './unmodelled';

/** Pods of each set. */
type Row = readonly number[];

function countOf(row: Row): number {
  return row.reduce((sum, pods) => sum + pods, 0);
}

/** The row with most pods; of several the first. */
export function peakRow({ rows }: Pick<ClusterPods, 'rows'>): Row {
  return rows.reduce((peak, row) => (countOf(row) > countOf(peak) ? row : peak));
}

/** What keeps some of the pods of a row from running. */
interface Lack {
  readonly shortage: Shortage;
  /** Pods of the row that run all the same. */
  readonly pods: number;
  /** Where nodes are what is lacking: the pods that would need them. */
  readonly homeless?: readonly Demand[];
  /** Where a quota refuses the pods outright: why. */
  readonly refusal?: Refusal;
}

/** Pods of a row that a limit lets run, one set after another. */
function podsWithin(podSets: readonly PodSet[], row: Row, left: bigint, { perPod }: ResourceLimit): number {
  let rest = left;
  return podSets.reduce((sum, podSet, index) => {
    const use = perPod.get(podSet) ?? 0n;
    const pods = use === 0n ? row[index]! : Math.min(row[index]!, Number(rest / use));
    rest -= use * BigInt(pods);
    return sum + pods;
  }, 0);
}

function lackOfResource(podSets: readonly PodSet[], row: Row, limit: ResourceLimit): Lack | undefined {
  // A quota that refuses every new pod leaves those that run.
  const left = limit.refusal ? steadyUseOf(podSets, limit) : leftFor(podSets, limit);
  const needed = useOf(podSets, row, limit);
  if (needed <= left) return undefined;
  const { refusal } = limit;
  return {
    shortage: resourceShortage(limit, needed, left),
    pods: podsWithin(podSets, row, left, limit),
    ...(refusal && { refusal }),
  };
}

function lackOfNodes(podSets: readonly PodSet[], row: Row, limits: Limits, steady: SteadyPods): Lack | undefined {
  const { nodePools, memory } = limits;
  const extra = podSets.map((podSet, index) => ({ podSet, pods: Math.max(0, row[index]! - podSet.replicas) }));
  const { nodes, unplaced } = place(steady.nodes, largestFirst(nodePools, extra, memory), memory);
  const already = podSets.map((podSet) => ({ podSet, pods: steady.homeless.get(podSet) ?? 0 })).filter(({ pods }) => pods > 0);
  const homeless = [...already, ...unplaced];
  const [first] = homeless;
  if (!first) return undefined;
  const pods = countOf(row) - homeless.reduce((sum, demand) => sum + demand.pods, 0);
  const lacking = lackingOnAnyNode(first.podSet, nodes, limits);
  return { shortage: lacking ?? placesShortage(countOf(row), pods), pods, homeless };
}

/** What a row lacks, the nodes last. */
export function lacksOf(podSets: readonly PodSet[], row: Row, limits: Limits): Lack[] {
  const resources = new Set(podSets.flatMap((podSet) => limits.resourcesOf(podSet)));
  const lacks = [...resources].flatMap((limit) => lackOfResource(podSets, row, limit) ?? []);
  const nodes = limits.steady && lackOfNodes(podSets, row, limits, limits.steady);
  return nodes ? [...lacks, nodes] : lacks;
}

/** The number of the first row that lacks something, counted from 0; -1 where none does. Equal rows are looked at once. */
export function firstShortRow(podSets: readonly PodSet[], rows: readonly Row[], limits: Limits): number {
  const fitting = new Set<string>();
  return rows.findIndex((row) => {
    const key = row.join();
    if (fitting.has(key)) return false;
    if (lacksOf(podSets, row, limits).length > 0) return true;
    fitting.add(key);
    return false;
  });
}

/** Would there be room with what needs least of it? */
export function leastFits({ podSets, least }: ClusterPods, limits: Limits): boolean {
  return lacksOf(podSets, least.row, limits).length === 0;
}

/**
 * Judges a rollout that brings up a second cluster while the pods of the others stay as they are; undefined where nothing limits it.
 *
 * A row whose pods find no room waits for ever, for nothing of the first cluster goes before they are ready;
 * where the rollout does not wait for the pods of a row, it goes on, and they come when the first cluster gives its places back.
 */
export function clusterRoom(cluster: ClusterPods, limits: Limits): JudgedRoom | undefined {
  const { podSets, rows, rowsWithDeleted, waitsBelowRow } = cluster;
  // With a single row nothing comes up beside what runs.
  if (rows.length <= 1 || (!limits.steady && podSets.every((podSet) => limits.resourcesOf(podSet).length === 0))) return undefined;
  const peak = peakRow(cluster);
  const peakPods = countOf(peak);
  const shortRow = firstShortRow(podSets, rows, limits);
  if (shortRow < 0) {
    const verdict = roomFound(peakPods, peakPods, unmodelledConstraints(podSets));
    const waitsForOldPods = firstShortRow(podSets, rowsWithDeleted, limits) >= 0;
    return { verdict, delay: { deadlocks: false, waitsForOldPods, podsWithRoom: peakPods } };
  }

  const deadlocks = shortRow < waitsBelowRow;
  const lacksAtPeak = lacksOf(podSets, peak, limits);
  // With several sets of pods another row than the one with most pods can be the one that lacks something.
  const lacks = lacksAtPeak.length > 0 ? lacksAtPeak : lacksOf(podSets, rows[shortRow]!, limits);
  const { shortage, pods, refusal } = lacks.reduce((least, next) => (next.pods < least.pods ? next : least));
  const homeless = lacks.length === 1 ? lacks[0]!.homeless : undefined;
  const moreNodes = homeless && moreNodesFor(limits.nodePools, homeless, limits.memory);
  const verdict: RoomVerdict = deadlocks ? 'deadlocks' : 'slower';
  const stuckAt = rowText(shortRow + 1, cluster.capacities[shortRow]!);
  const course = deadlocks
    ? `deadlocks at ${stuckAt}`
    : `goes on at ${stuckAt} without all of its pods, which come when the old cluster gives room back`;
  return {
    verdict: {
      verdict,
      peakPods,
      podsWithRoom: pods,
      shortage,
      ...(deadlocks && { deadlockWave: shortRow + 1 }),
      ...(moreNodes && { moreNodes }),
      message: courseText(course, shortage, moreNodes),
    },
    delay: { deadlocks, waitsForOldPods: true, podsWithRoom: pods },
    ...(refusal && { refusal }),
  };
}

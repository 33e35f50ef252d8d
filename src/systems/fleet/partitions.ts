import type { FleetBehaviour } from './behaviour';
import type { VisibleClusters } from './clusters';
import { resolveLimit } from './limit';
import { compileLookup } from './lookup';
import { compileCriteria, matchesCluster } from './matching';
import type { Partition, RolloutStrategy } from './types';

/** Clusters from which on Fleet forms partitions by itself. */
export const DEFAULT_AUTO_PARTITION_THRESHOLD = 200;
export const DEFAULT_AUTO_PARTITION_SIZE = '25%';

/** A partition of the targets; they are known by their position in name order. */
export interface TargetPartition {
  readonly name: string;
  readonly maxUnavailable: number;
  /** Ascending, so in name order. */
  readonly members: readonly number[];
}

/**
 * Does Fleet form partitions of that many targets by itself? A size given as a whole number of 0 or less, or a threshold of 0 or less,
 * turns it off.
 */
export function hasAutomaticPartitions(strategy: RolloutStrategy, targets: number): boolean {
  const { autoPartitionSize } = strategy;
  if (typeof autoPartitionSize === 'number' && autoPartitionSize <= 0) return false;
  const threshold = strategy.autoPartitionThreshold ?? DEFAULT_AUTO_PARTITION_THRESHOLD;
  return threshold > 0 && targets >= threshold;
}

/** Are the partitions written by hand? An empty list leaves them to Fleet. */
export function hasManualPartitions(strategy: RolloutStrategy): boolean {
  return (strategy.partitions?.length ?? 0) > 0;
}

/**
 * Divides the targets into partitions as the controller does.
 *
 * By hand: in the order written, each with all targets that match, so that a target may be in several or in none. By itself:
 * one partition `All`, or from 200 targets on slices of `autoPartitionSize` in name order, the last one the rest:
 * 230 targets at 25 % are four of 57 and one of 2.
 *
 * Source: rancher/fleet v0.16.1 internal/cmd/controller/target/rollout.go.
 *
 * @param targets the clusters that the bundle is deployed to
 * @throws FleetLimitError for a limit that the controller refuses.
 */
export function splitTargets(strategy: RolloutStrategy, targets: VisibleClusters, behaviour: FleetBehaviour): TargetPartition[] {
  // Without targets the controller has no bundle to take a strategy from.
  if (targets.clusters.length === 0) return [{ name: 'All', maxUnavailable: 1, members: [] }];
  return hasManualPartitions(strategy)
    ? buildManualPartitions(strategy, targets, behaviour)
    : buildAutomaticPartitions(strategy, targets.clusters.length, behaviour);
}

/** The members of every partition that is written, in the order written. */
export function collectManualMembers(partitions: readonly Partition[], targets: VisibleClusters, behaviour: FleetBehaviour): number[][] {
  const matchers = partitions.map((partition) => compileCriteria(partition, behaviour));
  const members = partitions.map((): number[] => []);
  const candidates = compileLookup(matchers);
  targets.clusters.forEach((cluster, position) => {
    const groups = targets.groupsOf(cluster);
    if (groups.length === 0 && !behaviour.partitionsUngrouped) return;
    for (const index of candidates(cluster)) {
      if (matchesCluster(matchers[index]!, cluster, groups)) members[index]!.push(position);
    }
  });
  return members;
}

function buildManualPartitions(strategy: RolloutStrategy, targets: VisibleClusters, behaviour: FleetBehaviour): TargetPartition[] {
  const partitions = strategy.partitions ?? [];
  return collectManualMembers(partitions, targets, behaviour).map((members, index) => ({
    name: partitions[index]!.name ?? '',
    maxUnavailable: resolveLimit(members.length, [partitions[index]!.maxUnavailable, strategy.maxUnavailable], behaviour),
    members,
  }));
}

function buildAutomaticPartitions(strategy: RolloutStrategy, targets: number, behaviour: FleetBehaviour): TargetPartition[] {
  const buildSlice = (name: string, from: number, to: number): TargetPartition => ({
    name,
    maxUnavailable: resolveLimit(to - from, [strategy.maxUnavailable], behaviour),
    members: Array.from({ length: to - from }, (_, offset) => from + offset),
  });
  if (!hasAutomaticPartitions(strategy, targets)) return [buildSlice('All', 0, targets)];

  const size = resolveLimit(targets, [strategy.autoPartitionSize, DEFAULT_AUTO_PARTITION_SIZE], behaviour);
  const partitions: TargetPartition[] = [];
  for (let from = 0; from < targets; from += size) {
    const to = Math.min(from + size, targets);
    partitions.push(buildSlice(`Partition ${from} - ${to}`, from, to));
  }
  return partitions;
}

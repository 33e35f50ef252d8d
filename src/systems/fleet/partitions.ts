import type { FleetBehaviour } from './behaviour';
import type { VisibleClusters } from './clusters';
import { resolveLimit } from './limit';
import { compileLookup } from './lookup';
import { compileCriteria, matchesCluster } from './matching';
import type { Partition, RolloutStrategy } from './types';

/** Default number of clusters from which Fleet forms partitions automatically. */
export const DEFAULT_AUTO_PARTITION_THRESHOLD = 200;
export const DEFAULT_AUTO_PARTITION_SIZE = '25%';

/** A partition of the targets. Targets are identified by their position in name order. */
export interface TargetPartition {
  readonly name: string;
  readonly maxUnavailable: number;
  /** Positions of the members, ascending, so in name order. */
  readonly members: readonly number[];
}

/**
 * Reports whether Fleet forms partitions automatically for this number of targets.
 *
 * A size that is an integer of 0 or less, or a threshold of 0 or less, turns automatic partitions off.
 */
export function hasAutomaticPartitions(strategy: RolloutStrategy, targets: number): boolean {
  const { autoPartitionSize } = strategy;
  if (typeof autoPartitionSize === 'number' && autoPartitionSize <= 0) return false;
  const threshold = strategy.autoPartitionThreshold ?? DEFAULT_AUTO_PARTITION_THRESHOLD;
  return threshold > 0 && targets >= threshold;
}

/** Reports whether the strategy sets its own partitions. With an empty list, Fleet forms them. */
export function hasManualPartitions(strategy: RolloutStrategy): boolean {
  return (strategy.partitions?.length ?? 0) > 0;
}

/**
 * Splits the targets into partitions as the controller does.
 *
 * Manual partitions keep their order, each with all matching targets, so a target can be in several partitions or in none.
 * Automatic partitions are one partition `All`, or, from 200 targets, slices of `autoPartitionSize` in name order.
 * The last slice has the rest: 230 targets at 25% are four slices of 57 and one of 2.
 *
 * Source: rancher/fleet v0.16.1 internal/cmd/controller/target/rollout.go.
 *
 * @param targets the clusters that the bundle is deployed to
 * @throws FleetLimitError for a limit that the controller refuses.
 */
export function splitTargets(strategy: RolloutStrategy, targets: VisibleClusters, behaviour: FleetBehaviour): TargetPartition[] {
  // The controller reads the strategy from the first target's bundle, so without targets there is none.
  if (targets.clusters.length === 0) return [{ name: 'All', maxUnavailable: 1, members: [] }];
  return hasManualPartitions(strategy)
    ? buildManualPartitions(strategy, targets, behaviour)
    : buildAutomaticPartitions(strategy, targets.clusters.length, behaviour);
}

/** Collects the members of every manual partition, in order. */
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

import { isDeepEqual } from '../../core/collections/deep-equal';
import type { ClusterCriteria, Partition } from './types';

/**
 * Creates a gate: a partition with the same clusters and maxUnavailable 0, which is inserted after the given one.
 *
 * Fleet counts a cluster in every partition that it is in, and releases it with the first one.
 * So the gate releases nothing. While one of its clusters is not ready on the new version, it counts as unavailable
 * and later partitions wait, in an install and in an update.
 * A limit of 0 on the partition itself would keep an update from ever starting.
 */
export function createPartitionGate(partition: Partition): Partition {
  return { ...partition, name: `${partition.name ?? 'partition'}-ready`, maxUnavailable: 0 };
}

function pickCriteria({ clusterName, clusterSelector, clusterGroup, clusterGroupSelector }: Partition): ClusterCriteria {
  return { clusterName, clusterSelector, clusterGroup, clusterGroupSelector };
}

/** Reports whether a partition is a gate: maxUnavailable 0, and the criteria of an earlier partition with another limit. */
export function isPartitionGate(partitions: readonly Partition[], index: number): boolean {
  const partition = partitions[index]!;
  if (partition.maxUnavailable !== 0) return false;
  return partitions
    .slice(0, index)
    .some((earlier) => earlier.maxUnavailable !== 0 && isDeepEqual(pickCriteria(earlier), pickCriteria(partition)));
}

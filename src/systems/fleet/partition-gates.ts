import { isDeepEqual } from '../../core/deep-equal';
import type { ClusterCriteria, Partition } from './types';

/**
 * A partition with the same clusters and maxUnavailable 0, to stand behind it.
 *
 * Fleet counts a cluster in every partition that it is in, and releases it with the first.
 * So the gate releases nothing, and as long as one of its clusters is not ready on the new version it counts as unavailable
 * and holds back what comes after: in an install and in an update.
 * A limit of 0 on the partition itself would keep an update from ever starting.
 */
export function createPartitionGate(partition: Partition): Partition {
  return { ...partition, name: `${partition.name ?? 'partition'}-ready`, maxUnavailable: 0 };
}

function pickCriteria({ clusterName, clusterSelector, clusterGroup, clusterGroupSelector }: Partition): ClusterCriteria {
  return { clusterName, clusterSelector, clusterGroup, clusterGroupSelector };
}

/** Is a partition a gate: maxUnavailable 0, and the criteria of one before it that has another limit? */
export function isPartitionGate(partitions: readonly Partition[], index: number): boolean {
  const partition = partitions[index]!;
  if (partition.maxUnavailable !== 0) return false;
  return partitions
    .slice(0, index)
    .some((earlier) => earlier.maxUnavailable !== 0 && isDeepEqual(pickCriteria(earlier), pickCriteria(partition)));
}

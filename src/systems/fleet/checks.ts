import type { Finding } from '../../core/finding';
import type { ParsedBundle } from './bundle';
import { hasManualPartitions } from './partitions';
import { checkBatchesNotChecked } from './rules/batches-not-checked';
import { checkCriteriaLessPartition } from './rules/criteria-less-partition';
import { checkEmptyPartition } from './rules/empty-partition';
import { checkMaxNewZero } from './rules/max-new-zero';
import { checkNeverPauses } from './rules/never-pauses';
import { checkOverlappingPartitions } from './rules/overlapping-partitions';
import { checkPartitionAboveBundleLimit } from './rules/partition-above-bundle-limit';
import { checkUnmatchedClusters } from './rules/unmatched-clusters';
import { checkZeroMaxUnavailable } from './rules/zero-max-unavailable';
import { checkZeroPercentIsOne } from './rules/zero-percent-is-one';
import type { FleetRollout } from './simulate';

/**
 * What a strategy says whatever the clusters are.
 *
 * @param isEmpty whether a partition has no member, as far as that is known
 */
export function checkFleetStrategy(bundle: ParsedBundle, isEmpty: (partition: number) => boolean): Finding[] {
  return [
    ...checkZeroMaxUnavailable(bundle, isEmpty),
    ...checkZeroPercentIsOne(bundle),
    ...checkCriteriaLessPartition(bundle),
    ...checkMaxNewZero(bundle),
  ];
}

const MANUAL_PARTITION_CHECKS = [checkUnmatchedClusters, checkOverlappingPartitions, checkEmptyPartition, checkPartitionAboveBundleLimit];

/** What a strategy comes to with the clusters that it is about. */
export function checkFleetRollout(bundle: ParsedBundle, rollout: FleetRollout): Finding[] {
  if (rollout.targets.length === 0) return [];
  const checks = [checkNeverPauses, checkBatchesNotChecked, ...(hasManualPartitions(bundle.strategy) ? MANUAL_PARTITION_CHECKS : [])];
  return checks.flatMap((check) => check(bundle, rollout));
}

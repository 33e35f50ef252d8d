import type { Finding } from '../../core/findings/finding';
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
 * Checks a strategy independently of the clusters.
 *
 * @param isEmpty reports whether a partition is known to have no members
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

/** Checks a rollout with its clusters. */
export function checkFleetRollout(bundle: ParsedBundle, rollout: FleetRollout): Finding[] {
  if (rollout.targets.length === 0) return [];
  const checks = [checkNeverPauses, checkBatchesNotChecked, ...(hasManualPartitions(bundle.strategy) ? MANUAL_PARTITION_CHECKS : [])];
  return checks.flatMap((check) => check(bundle, rollout));
}

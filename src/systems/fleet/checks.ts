import type { Finding } from '../../core/finding';
import type { ReadBundle } from './bundle';
import { hasManualPartitions } from './partitions';
import { batchFindings } from './rules/batches-not-checked';
import { criteriaLessFindings } from './rules/criteria-less-partition';
import { emptyPartitionFindings } from './rules/empty-partition';
import { maxNewFindings } from './rules/max-new-zero';
import { neverPausesFindings } from './rules/never-pauses';
import { overlapFindings } from './rules/overlapping-partitions';
import { throttledFindings } from './rules/partition-above-bundle-limit';
import { unmatchedFindings } from './rules/unmatched-clusters';
import { zeroLimitFindings } from './rules/zero-max-unavailable';
import { zeroPercentFindings } from './rules/zero-percent-is-one';
import type { FleetRollout } from './simulate';

/**
 * What a strategy says whatever the clusters are.
 *
 * @param isEmpty whether a partition has no member, as far as that is known
 */
export function strategyFindings(bundle: ReadBundle, isEmpty: (partition: number) => boolean): Finding[] {
  return [
    ...zeroLimitFindings(bundle, isEmpty),
    ...zeroPercentFindings(bundle),
    ...criteriaLessFindings(bundle),
    ...maxNewFindings(bundle),
  ];
}

const ABOUT_WRITTEN_PARTITIONS = [unmatchedFindings, overlapFindings, emptyPartitionFindings, throttledFindings];

/** What a strategy comes to with the clusters that it is about. */
export function rolloutFindings(bundle: ReadBundle, rollout: FleetRollout): Finding[] {
  if (rollout.targets.length === 0) return [];
  const checks = [neverPausesFindings, batchFindings, ...(hasManualPartitions(bundle.strategy) ? ABOUT_WRITTEN_PARTITIONS : [])];
  return checks.flatMap((check) => check(bundle, rollout));
}

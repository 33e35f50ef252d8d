import { suggestManualFix, setField } from '../../../core/suggested-fix';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { toDisplayValue, formatDisplayValue } from '../../../core/display-value';
import type { DisplayValue } from '../../../core/display-value';
import { capitalize, pluralize } from '../../../core/text-format';
import { buildFleetStrategyPath } from '../bundle';
import type { ParsedBundle } from '../bundle';
import type { FleetRollout } from '../simulate';
import { EXAMPLE_CLUSTERS, formatBundleExample, formatPartitionExample } from './example-bundle';
import { toNamedPartition, formatPartitionName } from './named-partition';
import type { NamedPartition } from './named-partition';

interface ThrottledData {
  readonly partition: NamedPartition;
  /** The partition's maxUnavailable as it is written. */
  readonly value: DisplayValue;
  /** Clusters of the partition. */
  readonly clusters: number;
  /** Clusters that it comes to. */
  readonly partitionLimit: number;
  /** Clusters of the whole bundle that may be unavailable. */
  readonly bundleLimit: number;
}

/** A partition's limit that the bundle-wide one throttles. */
export const partitionAboveBundleLimit = defineRule({
  code: 'fleet/partition-above-bundle-limit',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A partition’s own maxUnavailable lets more clusters update at once than the bundle-wide one.',
  why:
    'Both limits hold for an update: a cluster is released only while its partition and the whole bundle have room. ' +
    'The bundle-wide limit throttles the partition below what is written there, and failures in other partitions take from it.',
  fix: 'Raise rolloutStrategy.maxUnavailable to the largest limit of a partition, or lower the partition’s.',
  example:
    formatBundleExample(
      'maxUnavailable: 1',
      'partitions:',
      ...formatPartitionExample('staging', 'staging'),
      ...formatPartitionExample('prod', 'prod', 'maxUnavailable: 2'),
    ) + EXAMPLE_CLUSTERS,
  fixedExample:
    formatBundleExample(
      'maxUnavailable: 2',
      'partitions:',
      ...formatPartitionExample('staging', 'staging'),
      ...formatPartitionExample('prod', 'prod', 'maxUnavailable: 2'),
    ) + EXAMPLE_CLUSTERS,
  messages: {
    throttled: defineMessage<ThrottledData>({
      text: ({ partition: throttled, value, clusters, partitionLimit, bundleLimit }) =>
        `${capitalize(formatPartitionName(throttled))} lets ${pluralize(partitionLimit, 'cluster')} update at once (${formatDisplayValue(value)} of ${clusters}), ` +
        `but the whole bundle lets only ${bundleLimit}: an update takes ${bundleLimit} at a time.`,
      help: ({ partitionLimit, bundleLimit }) =>
        `Raise the rolloutStrategy's maxUnavailable to ${partitionLimit} at least, or write ${bundleLimit} here.`,
      suggestedFix: ({ bundleLimit }, path) => suggestManualFix(setField(path, bundleLimit)),
      sample: { partition: { name: 'prod', index: 1 }, value: 2, clusters: 2, partitionLimit: 2, bundleLimit: 1 },
    }),
  },
});

/** The written partitions whose own limit is above the bundle's. */
export function checkPartitionAboveBundleLimit(bundle: ParsedBundle, { partitions, maxUnavailable: bundleLimit }: FleetRollout): Finding[] {
  // A bundle-wide limit of 0 is a finding of its own.
  if (bundleLimit <= 0) return [];
  return (bundle.strategy.partitions ?? []).flatMap((definition, index) => {
    const { maxUnavailable, members } = partitions[index]!;
    const partitionLimit = Math.min(maxUnavailable, members.length);
    if (definition.maxUnavailable === undefined || partitionLimit <= bundleLimit) return [];
    const data = {
      partition: toNamedPartition(definition, index),
      value: toDisplayValue(definition.maxUnavailable),
      clusters: members.length,
      partitionLimit,
      bundleLimit,
    };
    return partitionAboveBundleLimit.createFinding('throttled', {
      path: buildFleetStrategyPath(bundle, 'partitions', index, 'maxUnavailable'),
      data,
    });
  });
}

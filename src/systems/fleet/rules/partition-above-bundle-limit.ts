import { suggestManualFix, setField } from '../../../core/findings/suggested-fix';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import { capitalize, pluralize } from '../../../core/text/text-format';
import { buildFleetStrategyPath } from '../bundle';
import type { ParsedBundle } from '../bundle';
import type { FleetRollout } from '../simulate';
import { EXAMPLE_CLUSTERS, formatBundleExample, formatPartitionExample } from './example-bundle';
import { toNamedPartition, formatPartitionName } from './named-partition';
import type { NamedPartition } from './named-partition';

interface ThrottledData {
  readonly partition: NamedPartition;
  /** The partition's maxUnavailable as written. */
  readonly value: DisplayValue;
  /** Number of clusters in the partition. */
  readonly clusters: number;
  /** Number of clusters that the value resolves to. */
  readonly partitionLimit: number;
  /** Number of clusters in the entire bundle that may be unavailable. */
  readonly bundleLimit: number;
}

/** Rule about a partition's limit that is above the bundle-wide limit. */
export const partitionAboveBundleLimit = defineRule({
  code: 'fleet/partition-above-bundle-limit',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A partition’s own maxUnavailable allows more clusters to update at once than the bundle-wide one.',
  why:
    'An update must respect both limits: a cluster is released only while its partition and the bundle are both below their limit. ' +
    'The bundle-wide limit throttles the partition below its own limit, and failures in other partitions count against it.',
  fix: 'Raise rolloutStrategy.maxUnavailable to the largest limit of a partition, or lower the partition’s limit.',
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
        `${capitalize(formatPartitionName(throttled))} allows ${pluralize(partitionLimit, 'cluster')} to update at once (${formatDisplayValue(value)} of ${clusters}), ` +
        `but the bundle-wide limit is ${bundleLimit}: an update changes ${bundleLimit} at a time.`,
      help: ({ partitionLimit, bundleLimit }) =>
        `Raise the rolloutStrategy's maxUnavailable to at least ${partitionLimit}, or set ${bundleLimit} here.`,
      suggestedFix: ({ bundleLimit }, path) => suggestManualFix(setField(path, bundleLimit)),
      sample: { partition: { name: 'prod', index: 1 }, value: 2, clusters: 2, partitionLimit: 2, bundleLimit: 1 },
    }),
  },
});

/** Reports the partitions of the strategy with a limit above the bundle's. */
export function checkPartitionAboveBundleLimit(bundle: ParsedBundle, { partitions, maxUnavailable: bundleLimit }: FleetRollout): Finding[] {
  // zero-max-unavailable reports a bundle-wide limit of 0.
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

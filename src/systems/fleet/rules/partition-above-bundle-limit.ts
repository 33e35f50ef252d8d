import { byChoice, set } from '../../../core/advice';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { seen, show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import { capitalised, counted } from '../../../core/words';
import { strategyPath } from '../bundle';
import type { ReadBundle } from '../bundle';
import type { FleetRollout } from '../simulate';
import { CLUSTERS, bundleWith, partition } from './example-bundle';
import { namedPartition, partitionText } from './named-partition';
import type { NamedPartition } from './named-partition';

interface ThrottledData {
  readonly partition: NamedPartition;
  /** The partition's maxUnavailable as it is written. */
  readonly value: Seen;
  /** Clusters of the partition. */
  readonly clusters: number;
  /** Clusters that it comes to. */
  readonly most: number;
  /** Clusters of the whole bundle that may be unavailable. */
  readonly bundleLimit: number;
}

/** A partition's limit that the bundle-wide one throttles. */
export const partitionAboveBundleLimit = rule({
  code: 'fleet/partition-above-bundle-limit',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A partition’s own maxUnavailable lets more clusters update at once than the bundle-wide one.',
  why:
    'Both limits hold for an update: a cluster is released only while its partition and the whole bundle have room. ' +
    'The bundle-wide limit throttles the partition below what is written there, and failures in other partitions take from it.',
  fix: 'Raise rolloutStrategy.maxUnavailable to the largest limit of a partition, or lower the partition’s.',
  example:
    bundleWith('maxUnavailable: 1', 'partitions:', ...partition('staging', 'staging'), ...partition('prod', 'prod', 'maxUnavailable: 2')) +
    CLUSTERS,
  fixed:
    bundleWith('maxUnavailable: 2', 'partitions:', ...partition('staging', 'staging'), ...partition('prod', 'prod', 'maxUnavailable: 2')) +
    CLUSTERS,
  messages: {
    throttled: message<ThrottledData>({
      text: ({ partition: throttled, value, clusters, most, bundleLimit }) =>
        `${capitalised(partitionText(throttled))} lets ${counted(most, 'cluster')} update at once (${show(value)} of ${clusters}), ` +
        `but the whole bundle lets only ${bundleLimit}: an update takes ${bundleLimit} at a time.`,
      help: ({ most, bundleLimit }) => `Raise the rolloutStrategy's maxUnavailable to ${most} at least, or write ${bundleLimit} here.`,
      advice: ({ bundleLimit }, path) => byChoice(set(path, bundleLimit)),
      sample: { partition: { name: 'prod', index: 1 }, value: 2, clusters: 2, most: 2, bundleLimit: 1 },
    }),
  },
});

/** The written partitions whose own limit is above the bundle's. */
export function throttledFindings(bundle: ReadBundle, { partitions, maxUnavailable: bundleLimit }: FleetRollout): Finding[] {
  // A bundle-wide limit of 0 is a finding of its own.
  if (bundleLimit <= 0) return [];
  return (bundle.strategy.partitions ?? []).flatMap((definition, index) => {
    const { maxUnavailable, members } = partitions[index]!;
    const most = Math.min(maxUnavailable, members.length);
    if (definition.maxUnavailable === undefined || most <= bundleLimit) return [];
    const data = {
      partition: namedPartition(definition, index),
      value: seen(definition.maxUnavailable),
      clusters: members.length,
      most,
      bundleLimit,
    };
    return partitionAboveBundleLimit.finding('throttled', { path: strategyPath(bundle, 'partitions', index, 'maxUnavailable'), data });
  });
}

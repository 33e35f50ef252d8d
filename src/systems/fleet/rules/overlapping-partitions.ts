import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { pluralize } from '../../../core/text/text-format';
import { buildFleetStrategyPath } from '../bundle';
import type { ParsedBundle } from '../bundle';
import { isPartitionGate } from '../partition-gates';
import { isDeclaredCatchAll } from '../partition-intents';
import type { FleetRollout } from '../simulate';
import { EXAMPLE_CLUSTERS, formatBundleExample, formatPartitionExample } from './example-bundle';
import { toNamedClusters, formatClusterNames } from './named-clusters';
import type { NamedClusters } from './named-clusters';
import { toNamedPartition, formatPartitionName } from './named-partition';
import type { NamedPartition } from './named-partition';

interface OverlapData {
  readonly partition: NamedPartition;
  /** The first partition of the first of these clusters. */
  readonly earlier: NamedPartition;
  readonly clusters: NamedClusters;
}

/** Rule about clusters that are in two partitions. */
export const overlappingPartitions = defineRule({
  code: 'fleet/overlapping-partitions',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A cluster is in two partitions.',
  why:
    'Fleet does not remove duplicates. The cluster counts in each partition, so percentage limits grow and its failure counts twice. ' +
    'It is released with the first partition that is reached. ' +
    'A gate (maxUnavailable: 0 and the criteria of an earlier partition) and a last partition with the name `rest` overlap on purpose and are not reported.',
  fix: 'Narrow one of the two criteria so that each cluster is in one partition.',
  example:
    formatBundleExample(
      'maxUnavailable: 1',
      'partitions:',
      ...formatPartitionExample('staging', 'staging'),
      '  - name: all',
      '    clusterSelector: {}',
    ) + EXAMPLE_CLUSTERS,
  fixedExample:
    formatBundleExample(
      'maxUnavailable: 1',
      'partitions:',
      ...formatPartitionExample('staging', 'staging'),
      ...formatPartitionExample('prod', 'prod'),
    ) + EXAMPLE_CLUSTERS,
  messages: {
    overlap: defineMessage<OverlapData>({
      text: ({ partition: later, earlier, clusters }) =>
        `${pluralize(clusters.count, 'cluster')} of ${formatPartitionName(later)} ${clusters.count === 1 ? 'is' : 'are'} also in an earlier partition ` +
        `(${formatPartitionName(earlier)} first): ${formatClusterNames(clusters)}. ` +
        `${clusters.count === 1 ? 'It counts' : 'They count'} in both and ${clusters.count === 1 ? 'is' : 'are'} released with the first one that is reached.`,
      help: () => 'Narrow one of the two criteria, for example with operator NotIn, so that each cluster is in one partition.',
      sample: {
        partition: { name: 'all', index: 1 },
        earlier: { name: 'staging', index: 0 },
        clusters: { count: 1, names: ['staging-1'] },
      },
    }),
  },
});

/** Reports the partitions of the strategy, other than gates and the last one for the rest, that contain clusters of an earlier partition. */
export function checkOverlappingPartitions(bundle: ParsedBundle, rollout: FleetRollout): Finding[] {
  const definitions = bundle.strategy.partitions ?? [];
  const firstOf = new Int32Array(rollout.targets.length).fill(-1);
  return rollout.partitions.flatMap(({ members }, index) => {
    const shared: number[] = [];
    for (const position of members) {
      if (firstOf[position] === -1) firstOf[position] = index;
      else shared.push(position);
    }
    if (shared.length === 0 || isPartitionGate(definitions, index) || isDeclaredCatchAll(definitions, index)) return [];
    const earlier = firstOf[shared[0]!]!;
    const data = {
      partition: toNamedPartition(definitions[index]!, index),
      earlier: toNamedPartition(definitions[earlier]!, earlier),
      clusters: toNamedClusters(rollout, shared),
    };
    return overlappingPartitions.createFinding('overlap', { path: buildFleetStrategyPath(bundle, 'partitions', index), data });
  });
}

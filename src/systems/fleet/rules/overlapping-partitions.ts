import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { counted } from '../../../core/words';
import { strategyPath } from '../bundle';
import type { ReadBundle } from '../bundle';
import { isGate } from '../gates';
import type { FleetRollout } from '../simulate';
import { CLUSTERS, bundleWith, partition } from './example-bundle';
import { namedClusters, namesText } from './named-clusters';
import type { NamedClusters } from './named-clusters';
import { namedPartition, partitionText } from './named-partition';
import type { NamedPartition } from './named-partition';

interface OverlapData {
  readonly partition: NamedPartition;
  /** The first partition of the first of these clusters. */
  readonly earlier: NamedPartition;
  readonly clusters: NamedClusters;
}

/** Clusters that are in two partitions. */
export const overlappingPartitions = rule({
  code: 'fleet/overlapping-partitions',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A cluster is in two partitions.',
  why:
    'Fleet does not take duplicates out. The cluster is counted in each partition, so limits in percent grow and its failure counts twice, ' +
    'and it is released with the first one that is reached. ' +
    'A gate (maxUnavailable 0 and the criteria of a partition before it) is meant so, and is not reported.',
  fix: 'Narrow one of the two criteria so that each cluster is in one partition.',
  example:
    bundleWith('maxUnavailable: 1', 'partitions:', ...partition('staging', 'staging'), '  - name: all', '    clusterSelector: {}') +
    CLUSTERS,
  fixed: bundleWith('maxUnavailable: 1', 'partitions:', ...partition('staging', 'staging'), ...partition('prod', 'prod')) + CLUSTERS,
  messages: {
    overlap: message<OverlapData>({
      text: ({ partition: later, earlier, clusters }) =>
        `${counted(clusters.count, 'cluster')} of ${partitionText(later)} ${clusters.count === 1 ? 'is' : 'are'} in an earlier one too ` +
        `(${partitionText(earlier)} first), counted in both and released by the first that is reached: ${namesText(clusters)}.`,
      help: () => 'Narrow one of the two, for example with operator NotIn, so that each cluster is in one partition.',
      sample: {
        partition: { name: 'all', index: 1 },
        earlier: { name: 'staging', index: 0 },
        clusters: { count: 1, names: ['staging-1'] },
      },
    }),
  },
});

/** The written partitions, gates apart, that hold clusters of an earlier one. */
export function overlapFindings(bundle: ReadBundle, rollout: FleetRollout): Finding[] {
  const definitions = bundle.strategy.partitions ?? [];
  const firstOf = new Int32Array(rollout.targets.length).fill(-1);
  return rollout.partitions.flatMap(({ members }, index) => {
    const shared: number[] = [];
    for (const position of members) {
      if (firstOf[position] === -1) firstOf[position] = index;
      else shared.push(position);
    }
    if (shared.length === 0 || isGate(definitions, index)) return [];
    const earlier = firstOf[shared[0]!]!;
    const data = {
      partition: namedPartition(definitions[index]!, index),
      earlier: namedPartition(definitions[earlier]!, earlier),
      clusters: namedClusters(rollout, shared),
    };
    return overlappingPartitions.finding('overlap', { path: strategyPath(bundle, 'partitions', index), data });
  });
}

import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { counted } from '../../../core/words';
import { strategyPath } from '../bundle';
import type { ReadBundle } from '../bundle';
import type { FleetRollout } from '../simulate';
import { CLUSTERS, bundleWith, partition } from './example-bundle';
import { namedClusters, namesText } from './named-clusters';
import type { NamedClusters } from './named-clusters';

interface UnmatchedData {
  readonly clusters: NamedClusters;
  /** Clusters that the bundle targets. */
  readonly targets: number;
}

/** Targeted clusters that none of the partitions matches. */
export const unmatchedClusters = rule({
  code: 'fleet/unmatched-clusters',
  since: '0.1.0',
  severity: 'warning',
  fires: 'Clusters that the bundle targets are in none of the partitions.',
  why:
    'With partitions written by hand, a cluster that none of them matches never gets a BundleDeployment; one that has it already stays on the old version for ever. ' +
    'Fleet reports no error and no status. (The CRD says that such clusters are added at the end; they are not.) Source: rollout.go `manualPartition`.',
  fix: 'Add a last partition for the rest: the labels of the others with operator NotIn, which a missing label satisfies too.',
  example: bundleWith('maxUnavailable: 1', 'partitions:', ...partition('staging', 'staging')) + CLUSTERS,
  fixed:
    bundleWith(
      'maxUnavailable: 1',
      'partitions:',
      ...partition('staging', 'staging'),
      '  - name: rest',
      '    clusterSelector:',
      '      matchExpressions:',
      '        - key: env',
      '          operator: NotIn',
      '          values: [staging]',
    ) + CLUSTERS,
  messages: {
    unmatched: message<UnmatchedData>({
      text: ({ clusters, targets }) =>
        `${clusters.count} of ${counted(targets, 'targeted cluster')} ${clusters.count === 1 ? 'is' : 'are'} in no partition, ` +
        `and so never installed and never updated: ${namesText(clusters)}.`,
      help: () => 'Add a last partition that matches the rest, for example with operator NotIn for the labels above it.',
      sample: { clusters: { count: 2, names: ['prod-1', 'prod-2'] }, targets: 3 },
    }),
  },
});

/** The targets in none of the partitions that are written. */
export function unmatchedFindings(bundle: ReadBundle, rollout: FleetRollout): Finding[] {
  const { unpartitioned, targets } = rollout;
  if (unpartitioned.length === 0) return [];
  const data = { clusters: namedClusters(rollout, unpartitioned), targets: targets.length };
  return [unmatchedClusters.finding('unmatched', { path: strategyPath(bundle, 'partitions'), data })];
}

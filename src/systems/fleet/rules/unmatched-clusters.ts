import { suggestManualFix, setField } from '../../../core/suggested-fix';
import { toFieldPath } from '../../../core/field-path';
import { mergeLabelValues, buildNotInRequirements, formatNotIn } from '../../../core/complement-labels';
import type { LabelValues } from '../../../core/complement-labels';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { pluralize } from '../../../core/text-format';
import { buildFleetStrategyPath } from '../bundle';
import type { ParsedBundle } from '../bundle';
import type { FleetRollout } from '../simulate';
import type { Partition } from '../types';
import { EXAMPLE_CLUSTERS, formatBundleExample, formatPartitionExample } from './example-bundle';
import { toNamedClusters, formatClusterNames } from './named-clusters';
import type { NamedClusters } from './named-clusters';

interface UnmatchedData {
  readonly clusters: NamedClusters;
  /** Clusters that the bundle targets. */
  readonly targets: number;
  /** The partitions that are written. */
  readonly partitions: number;
  /** What selects all that no partition does; absent where no selector can say it. */
  readonly rest?: readonly LabelValues[];
}

/** Targeted clusters that none of the partitions matches. */
export const unmatchedClusters = defineRule({
  code: 'fleet/unmatched-clusters',
  since: '0.1.0',
  severity: 'warning',
  fires: 'Clusters that the bundle targets are in none of the partitions.',
  why:
    'With partitions written by hand, a cluster that none of them matches never gets a BundleDeployment; one that has it already stays on the old version for ever. ' +
    'Fleet reports no error and no status. (The CRD says that such clusters are added at the end; they are not.) Source: rollout.go `manualPartition`.',
  fix: 'Add a last partition for the rest: the labels of the others with operator NotIn, which a missing label satisfies too.',
  example: formatBundleExample('maxUnavailable: 1', 'partitions:', ...formatPartitionExample('staging', 'staging')) + EXAMPLE_CLUSTERS,
  fixedExample:
    formatBundleExample(
      'maxUnavailable: 1',
      'partitions:',
      ...formatPartitionExample('staging', 'staging'),
      '  - name: rest',
      '    clusterSelector:',
      '      matchExpressions:',
      '        - key: env',
      '          operator: NotIn',
      '          values: [staging]',
    ) + EXAMPLE_CLUSTERS,
  messages: {
    unmatched: defineMessage<UnmatchedData>({
      text: ({ clusters, targets }) =>
        `${clusters.count} of ${pluralize(targets, 'targeted cluster')} ${clusters.count === 1 ? 'is' : 'are'} in no partition, ` +
        `and so never installed and never updated: ${formatClusterNames(clusters)}.`,
      help: ({ rest }) =>
        rest
          ? `Add a last partition for the rest, whose clusterSelector has the matchExpressions ${formatNotIn(rest)}.`
          : 'Add a last partition that matches the rest, and nothing that a partition above it does.',
      suggestedFix: ({ rest, partitions }, path) => {
        if (!rest) return undefined;
        return suggestManualFix(
          setField(toFieldPath`${path}[${partitions}]`, {
            name: 'rest',
            clusterSelector: { matchExpressions: buildNotInRequirements(rest) },
          }),
        );
      },
      sample: {
        clusters: { count: 2, names: ['prod-1', 'prod-2'] },
        targets: 3,
        partitions: 1,
        rest: [{ key: 'env', values: ['staging'] }],
      },
      variants: [{ clusters: { count: 1, names: ['prod-1'] }, targets: 3, partitions: 2 }],
    }),
  },
});

/** The one label that a partition looks for, and nothing else; undefined for any other criteria. */
function findOnlyLabel({ clusterName, clusterGroup, clusterGroupSelector, clusterSelector }: Partition): LabelValues | undefined {
  if (clusterName || clusterGroup || clusterGroupSelector || clusterSelector?.matchExpressions?.length) return undefined;
  const [label, ...more] = Object.entries(clusterSelector?.matchLabels ?? {});
  if (label === undefined || more.length > 0) return undefined;
  const [key, value] = label;
  return typeof value === 'string' ? { key, values: [value] } : undefined;
}

/** The complement of partitions that each look for one label: all of these have other values, or are missing. */
function computeRest(partitions: readonly Partition[]): readonly LabelValues[] | undefined {
  const labels = partitions.flatMap((partition) => findOnlyLabel(partition) ?? []);
  return labels.length === partitions.length ? mergeLabelValues(labels) : undefined;
}

/** The targets in none of the partitions that are written. */
export function checkUnmatchedClusters(bundle: ParsedBundle, rollout: FleetRollout): Finding[] {
  const { unpartitioned, targets } = rollout;
  if (unpartitioned.length === 0) return [];
  const { partitions = [] } = bundle.strategy;
  const rest = computeRest(partitions);
  const data = {
    clusters: toNamedClusters(rollout, unpartitioned),
    targets: targets.length,
    partitions: partitions.length,
    ...(rest && { rest }),
  };
  return [unmatchedClusters.createFinding('unmatched', { path: buildFleetStrategyPath(bundle, 'partitions'), data })];
}

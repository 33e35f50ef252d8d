import { suggestManualFix, setField } from '../../../core/findings/suggested-fix';
import { toFieldPath } from '../../../core/manifest/field-path';
import { mergeLabelValues, buildNotInRequirements, formatNotIn } from '../../../core/values/complement-labels';
import type { LabelValues } from '../../../core/values/complement-labels';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { pluralize } from '../../../core/text/text-format';
import { buildFleetStrategyPath } from '../bundle';
import type { ParsedBundle } from '../bundle';
import type { FleetRollout } from '../simulate';
import type { Partition } from '../types';
import { EXAMPLE_CLUSTERS, formatBundleExample, formatPartitionExample } from './example-bundle';
import { toNamedClusters, formatClusterNames } from './named-clusters';
import type { NamedClusters } from './named-clusters';

interface UnmatchedData {
  readonly clusters: NamedClusters;
  /** Number of clusters that the bundle targets. */
  readonly targets: number;
  /** Number of partitions in the strategy. */
  readonly partitions: number;
  /** Labels that select every cluster that no partition selects; unset if no selector can express this. */
  readonly rest?: readonly LabelValues[];
}

/** Rule about targeted clusters that no partition matches. */
export const unmatchedClusters = defineRule({
  code: 'fleet/unmatched-clusters',
  since: '0.1.0',
  severity: 'warning',
  fires: 'The strategy sets partitions, but clusters that the bundle targets are in none of them.',
  why:
    'With manual partitions, a cluster that no partition matches never gets a BundleDeployment. If it already has one, it stays on the old version permanently. ' +
    'Fleet reports no error and no status. (The CRD says that such clusters are added at the end, but they are not.) Source: rollout.go `manualPartition`.',
  fix: 'Add a last partition for the rest: use the labels of the others with operator NotIn, which also matches a missing label.',
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
        `so the bundle is never installed or updated there: ${formatClusterNames(clusters)}.`,
      help: ({ rest }) =>
        rest
          ? `Add a last partition for the rest, with the matchExpressions ${formatNotIn(rest)} in its clusterSelector.`
          : 'Add a last partition that matches only the remaining clusters.',
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

/** Returns the label of a partition that matches exactly one label; undefined for any other criteria. */
function findOnlyLabel({ clusterName, clusterGroup, clusterGroupSelector, clusterSelector }: Partition): LabelValues | undefined {
  if (clusterName || clusterGroup || clusterGroupSelector || clusterSelector?.matchExpressions?.length) return undefined;
  const [label, ...more] = Object.entries(clusterSelector?.matchLabels ?? {});
  if (label === undefined || more.length > 0) return undefined;
  const [key, value] = label;
  return typeof value === 'string' ? { key, values: [value] } : undefined;
}

/** Computes the complement of partitions that each match exactly one label: all these labels have other values or are missing. */
function computeRest(partitions: readonly Partition[]): readonly LabelValues[] | undefined {
  const labels = partitions.flatMap((partition) => findOnlyLabel(partition) ?? []);
  return labels.length === partitions.length ? mergeLabelValues(labels) : undefined;
}

/** Reports the targets that are in no partition of the strategy. */
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

import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { capitalize } from '../../../core/text/text-format';
import { buildFleetStrategyPath } from '../bundle';
import type { ParsedBundle } from '../bundle';
import { isPartitionGate } from '../partition-gates';
import { hasCriteria } from '../matching';
import type { FleetRollout } from '../simulate';
import type { Partition } from '../types';
import { EXAMPLE_CLUSTERS, formatBundleExample, formatPartitionExample } from './example-bundle';
import { toNamedPartition, formatPartitionName } from './named-partition';
import type { NamedPartition } from './named-partition';

interface EmptyData {
  readonly partition: NamedPartition;
  /** Number of clusters that the bundle targets. */
  readonly targets: number;
}

/** Rule about a partition without clusters. */
export const emptyPartition = defineRule({
  code: 'fleet/empty-partition',
  since: '0.1.0',
  severity: 'warning',
  fires: 'A partition matches none of the targeted clusters.',
  why:
    'Fleet silently skips an empty partition, so a typo in a label looks like a finished partition, ' +
    'while its clusters wait in another partition or in none. ' +
    'A last partition that only excludes labels, with NotIn or DoesNotExist, is for future clusters and may be empty.',
  fix: 'Compare the criteria with the labels of the clusters (`kubectl get clusters.fleet.cattle.io --show-labels`), or delete the partition.',
  example:
    formatBundleExample(
      'maxUnavailable: 1',
      'partitions:',
      ...formatPartitionExample('canary', 'canary'),
      ...formatPartitionExample('staging', 'staging'),
      ...formatPartitionExample('prod', 'prod'),
    ) + EXAMPLE_CLUSTERS,
  fixedExample:
    formatBundleExample(
      'maxUnavailable: 1',
      'partitions:',
      ...formatPartitionExample('staging', 'staging'),
      ...formatPartitionExample('prod', 'prod'),
    ) + EXAMPLE_CLUSTERS,
  messages: {
    empty: defineMessage<EmptyData>({
      text: ({ partition: empty, targets }) => {
        const none = targets === 1 ? 'does not match the only targeted cluster' : `matches none of the ${targets} targeted clusters`;
        return `${capitalize(formatPartitionName(empty))} ${none}.`;
      },
      help: () => 'Compare its criteria with the labels of the clusters and the names of the cluster groups, or delete it.',
      sample: { partition: { name: 'canary', index: 0 }, targets: 3 },
    }),
  },
});

/** Reports whether this is a last partition that only excludes labels. It is for the remaining clusters, so it may be empty. */
function isCatchAllPartition({ clusterSelector }: Partition, isLast: boolean): boolean {
  const { matchLabels = {}, matchExpressions = [] } = clusterSelector ?? {};
  const excludes = matchExpressions.every(({ operator }) => operator === 'NotIn' || operator === 'DoesNotExist');
  return isLast && matchExpressions.length > 0 && excludes && Object.keys(matchLabels).length === 0;
}

/** Reports the partitions of the strategy that have criteria but no clusters. */
export function checkEmptyPartition(bundle: ParsedBundle, rollout: FleetRollout): Finding[] {
  const definitions = bundle.strategy.partitions ?? [];
  return definitions.flatMap((definition, index) => {
    if (!hasCriteria(definition) || rollout.partitions[index]!.members.length > 0) return [];
    if (isPartitionGate(definitions, index) || isCatchAllPartition(definition, index === definitions.length - 1)) return [];
    const data = { partition: toNamedPartition(definition, index), targets: rollout.targets.length };
    return emptyPartition.createFinding('empty', { path: buildFleetStrategyPath(bundle, 'partitions', index), data });
  });
}

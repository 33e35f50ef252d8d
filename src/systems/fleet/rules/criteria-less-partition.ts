import { suggestManualFix, removeField } from '../../../core/findings/suggested-fix';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { capitalize } from '../../../core/text/text-format';
import { buildFleetStrategyPath } from '../bundle';
import type { ParsedBundle } from '../bundle';
import { hasCriteria } from '../matching';
import { EXAMPLE_CLUSTERS, formatBundleExample, formatPartitionExample } from './example-bundle';
import { toNamedPartition, formatPartitionName } from './named-partition';
import type { NamedPartition } from './named-partition';

interface CriteriaLessData {
  readonly partition: NamedPartition;
}

/** Rule about a partition that can match no cluster. */
export const criteriaLessPartition = defineRule({
  code: 'fleet/criteria-less-partition',
  since: '0.1.0',
  severity: 'error',
  fires: 'A partition has none of clusterName, clusterSelector, clusterGroup and clusterGroupSelector.',
  why:
    'A partition without criteria matches no cluster, not every cluster. ' +
    'An empty name does not count as a criterion; `clusterSelector: {}` is a criterion and matches every cluster.',
  fix: 'Add a criterion, or delete the partition.',
  example:
    formatBundleExample(
      'maxUnavailable: 1',
      'partitions:',
      ...formatPartitionExample('staging', 'staging'),
      ...formatPartitionExample('prod', 'prod'),
      '  - name: rest',
    ) + EXAMPLE_CLUSTERS,
  fixedExample:
    formatBundleExample(
      'maxUnavailable: 1',
      'partitions:',
      ...formatPartitionExample('staging', 'staging'),
      ...formatPartitionExample('prod', 'prod'),
    ) + EXAMPLE_CLUSTERS,
  messages: {
    noCriterion: defineMessage<CriteriaLessData>({
      text: ({ partition: bare }) => `${capitalize(formatPartitionName(bare))} has no criterion, so it never matches a cluster.`,
      help: () => 'Delete the partition, or add the intended clusterSelector, clusterGroup, clusterGroupSelector or clusterName.',
      suggestedFix: (_data, path) => suggestManualFix(removeField(path)),
      sample: { partition: { name: 'rest', index: 2 } },
    }),
  },
});

/** Reports the partitions of the strategy without a criterion. */
export function checkCriteriaLessPartition(bundle: ParsedBundle): Finding[] {
  return (bundle.strategy.partitions ?? []).flatMap((definition, index) => {
    if (hasCriteria(definition)) return [];
    const data = { partition: toNamedPartition(definition, index) };
    return criteriaLessPartition.createFinding('noCriterion', { path: buildFleetStrategyPath(bundle, 'partitions', index), data });
  });
}

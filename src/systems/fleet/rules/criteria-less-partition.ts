import { byChoice, remove } from '../../../core/advice';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { capitalised } from '../../../core/words';
import { strategyPath } from '../bundle';
import type { ReadBundle } from '../bundle';
import { hasCriteria } from '../matching';
import { CLUSTERS, bundleWith, partition } from './example-bundle';
import { namedPartition, partitionText } from './named-partition';
import type { NamedPartition } from './named-partition';

interface CriteriaLessData {
  readonly partition: NamedPartition;
}

/** A partition that can match nothing. */
export const criteriaLessPartition = rule({
  code: 'fleet/criteria-less-partition',
  since: '0.1.0',
  severity: 'error',
  fires: 'A partition has none of clusterName, clusterSelector, clusterGroup and clusterGroupSelector.',
  why:
    'Without a criterion a partition matches nothing, though one might expect everything: it can never hold a cluster. ' +
    'An empty name counts as absent; `clusterSelector: {}` is a criterion and matches everything.',
  fix: 'Write a criterion, or delete the partition.',
  example:
    bundleWith('maxUnavailable: 1', 'partitions:', ...partition('staging', 'staging'), ...partition('prod', 'prod'), '  - name: rest') +
    CLUSTERS,
  fixed: bundleWith('maxUnavailable: 1', 'partitions:', ...partition('staging', 'staging'), ...partition('prod', 'prod')) + CLUSTERS,
  messages: {
    noCriterion: message<CriteriaLessData>({
      text: ({ partition: bare }) => `${capitalised(partitionText(bare))} has no criterion, and so matches no cluster, now or later.`,
      help: () => 'Delete the partition, or write the clusterSelector, clusterGroup, clusterGroupSelector or clusterName that was meant.',
      advice: (_data, path) => byChoice(remove(path)),
      sample: { partition: { name: 'rest', index: 2 } },
    }),
  },
});

/** The written partitions without a criterion. */
export function criteriaLessFindings(bundle: ReadBundle): Finding[] {
  return (bundle.strategy.partitions ?? []).flatMap((definition, index) => {
    if (hasCriteria(definition)) return [];
    const data = { partition: namedPartition(definition, index) };
    return criteriaLessPartition.finding('noCriterion', { path: strategyPath(bundle, 'partitions', index), data });
  });
}

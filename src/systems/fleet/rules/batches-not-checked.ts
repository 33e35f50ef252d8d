import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { capitalize } from '../../../core/text/text-format';
import { buildFleetStrategyPath } from '../bundle';
import type { ParsedBundle } from '../bundle';
import { isPartitionGate } from '../partition-gates';
import type { FleetRollout } from '../simulate';
import { EXAMPLE_CLUSTERS, formatBundleExample, formatPartitionExample } from './example-bundle';
import { toNamedPartition, formatPartitionName } from './named-partition';
import type { NamedPartition } from './named-partition';

/** Number of clusters after which, according to the guide, Fleet checks maxUnavailable before it continues. */
const GUIDE_BATCH_SIZE = 50;

interface BatchData {
  /** Number of clusters in the partition; more than its limit. */
  readonly clusters: number;
  /** Number of clusters in the partition that may be unavailable; 2 or more. */
  readonly maxUnavailable: number;
  /** Number of BundleDeployments that one reconcile creates, if the partition has more clusters. */
  readonly maxNew?: number;
}

interface ManualPartitionData extends BatchData {
  readonly partition: NamedPartition;
}

interface AutomaticPartitionData extends BatchData {
  /** Fleet's name of the partition: `All`. */
  readonly partition: string;
}

function formatBatch(subject: string, { clusters, maxUnavailable, maxNew }: BatchData): string {
  const reconciles = maxNew === undefined ? '' : ` (in reconciles of ${maxNew}, without waiting in between)`;
  return (
    `${subject} has ${clusters} clusters. An install deploys to all ${clusters} at once${reconciles}, however many fail, ` +
    `and an update changes ${maxUnavailable} at a time. ` +
    `Fleet does not check maxUnavailable after every ${GUIDE_BATCH_SIZE} clusters, although the guide says so.`
  );
}

const HELP =
  'Make each batch a partition. After each one, add a second partition with the same criteria and maxUnavailable: 0, which waits for it.';

/** Rule about a limit that looks like the guide's threshold for a batch. */
export const batchesNotChecked = defineRule({
  code: 'fleet/batches-not-checked',
  since: '0.1.0',
  severity: 'info',
  fires:
    'A partition’s maxUnavailable is 2 or more, below the number of its clusters, and not above the bundle’s, ' +
    'and the strategy has no gate.',
  why:
    'The guide says that Fleet deploys a partition in batches of up to 50 and checks maxUnavailable after each batch. There are no such batches. ' +
    'An install deploys to the entire partition at once, regardless of readiness: maxNew (50) only ends a reconcile, and the next one follows at once. ' +
    'An update has no batches either: it continues while fewer than maxUnavailable clusters of the partition, and of the bundle, are unavailable. ' +
    'An install waits only between partitions. Only the first such partition of a bundle is reported. Source: partition.go `UpdatePartitions`.',
  fix:
    'If this is intended, change nothing. ' +
    'For batches with a check, make each batch a partition and add a gate after it: a second partition with the same criteria and maxUnavailable: 0.',
  example: formatBundleExample('maxUnavailable: 2') + EXAMPLE_CLUSTERS,
  fixedExample:
    formatBundleExample(
      'maxUnavailable: 2',
      'partitions:',
      ...formatPartitionExample('staging', 'staging'),
      ...formatPartitionExample('staging-ready', 'staging', 'maxUnavailable: 0'),
      ...formatPartitionExample('prod', 'prod'),
    ) + EXAMPLE_CLUSTERS,
  messages: {
    manual: defineMessage<ManualPartitionData>({
      text: ({ partition: manual, ...data }) => formatBatch(capitalize(formatPartitionName(manual)), data),
      help: () => HELP,
      sample: { partition: { name: 'prod', index: 1 }, clusters: 100, maxUnavailable: 10, maxNew: 50 },
    }),
    automatic: defineMessage<AutomaticPartitionData>({
      text: ({ partition: formed, ...data }) => formatBatch(`Partition "${formed}"`, data),
      help: () => HELP,
      sample: { partition: 'All', clusters: 3, maxUnavailable: 2 },
    }),
  },
});

/**
 * Reports the first partition with a limit that looks like the guide's threshold for a batch.
 *
 * A limit of 1 clearly means one cluster at a time. partition-above-bundle-limit reports a limit above the bundle's.
 * A strategy with gates is not reported, because its author knows that Fleet has no other check.
 */
export function checkBatchesNotChecked(bundle: ParsedBundle, { partitions, maxUnavailable, maxNew }: FleetRollout): Finding[] {
  const definitions = bundle.strategy.partitions ?? [];
  if (maxNew <= 0 || definitions.some((_, index) => isPartitionGate(definitions, index))) return [];
  const index = partitions.findIndex(
    ({ maxUnavailable: limit, members }) => limit > 1 && limit < members.length && limit <= maxUnavailable,
  );
  if (index < 0) return [];

  const { name, members, maxUnavailable: limit } = partitions[index]!;
  const definition = definitions[index];
  const batch = { clusters: members.length, maxUnavailable: limit, ...(members.length > maxNew && { maxNew }) };
  if (!definition) {
    return [
      batchesNotChecked.createFinding('automatic', {
        path: buildFleetStrategyPath(bundle, 'maxUnavailable'),
        data: { partition: name, ...batch },
      }),
    ];
  }
  const path =
    definition.maxUnavailable === undefined
      ? buildFleetStrategyPath(bundle, 'maxUnavailable')
      : buildFleetStrategyPath(bundle, 'partitions', index, 'maxUnavailable');
  return [batchesNotChecked.createFinding('manual', { path, data: { partition: toNamedPartition(definition, index), ...batch } })];
}

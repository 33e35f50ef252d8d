import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { capitalize } from '../../../core/text-format';
import { buildFleetStrategyPath } from '../bundle';
import type { ParsedBundle } from '../bundle';
import { isPartitionGate } from '../partition-gates';
import type { FleetRollout } from '../simulate';
import { EXAMPLE_CLUSTERS, formatBundleExample, formatPartitionExample } from './example-bundle';
import { toNamedPartition, formatPartitionName } from './named-partition';
import type { NamedPartition } from './named-partition';

/** Clusters after which the guide says that Fleet checks maxUnavailable before it goes on. */
const GUIDE_BATCH_SIZE = 50;

interface BatchData {
  /** Clusters of the partition, more than its limit. */
  readonly clusters: number;
  /** Clusters of the partition that may be unavailable, 2 or more. */
  readonly maxUnavailable: number;
  /** Clusters that one reconcile creates, where the partition has more. */
  readonly maxNew?: number;
}

interface ManualPartitionData extends BatchData {
  readonly partition: NamedPartition;
}

interface AutomaticPartitionData extends BatchData {
  /** What Fleet calls the partition: `All`. */
  readonly partition: string;
}

function formatBatch(subject: string, { clusters, maxUnavailable, maxNew }: BatchData): string {
  const reconciles = maxNew === undefined ? '' : ` (in reconciles of ${maxNew} that wait for nothing)`;
  return (
    `${subject} has ${clusters} clusters: an install takes all ${clusters} at once${reconciles}, however many fail, ` +
    `and an update ${maxUnavailable} at a time. ` +
    `The guide's check of maxUnavailable after every ${GUIDE_BATCH_SIZE} does not happen.`
  );
}

const HELP = 'Make each batch a partition, and put a second one with the same criteria and maxUnavailable 0 behind it, to wait for it.';

/** A limit that reads like the guide's threshold for a batch. */
export const batchesNotChecked = defineRule({
  code: 'fleet/batches-not-checked',
  since: '0.1.0',
  severity: 'info',
  fires:
    'A partition’s maxUnavailable is 2 or more, but below the number of its clusters and not above the bundle’s. ' +
    'Only the first such partition of a bundle is reported, and none where a gate is among the partitions.',
  why:
    'The guide says that a partition goes in batches of up to 50, and that maxUnavailable is checked after each. There are no such batches. ' +
    'An install takes the whole partition at once, whatever is ready: maxNew (50) only ends a reconcile, and the next one follows at once. ' +
    'An update has none either: it goes on while fewer than maxUnavailable clusters of the partition, and of the bundle, are unavailable. ' +
    'An install waits between partitions alone. Source: partition.go `UpdatePartitions`.',
  fix:
    'If that is what you want, leave it. ' +
    'For batches with a check, make each one a partition, and put a gate behind it: a second one with the same criteria and maxUnavailable 0.',
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
 * What a partition whose limit reads like the guide's threshold for a batch really does: the first such partition tells for all.
 *
 * A limit of 1 is one cluster at a time on the face of it, and one above the bundle's has a finding of its own.
 * Gates are written only by those who know that nothing else checks.
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

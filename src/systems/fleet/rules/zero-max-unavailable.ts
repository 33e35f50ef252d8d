import { suggestAutomaticFix, setField } from '../../../core/findings/suggested-fix';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import { buildFleetStrategyPath } from '../bundle';
import type { ParsedBundle } from '../bundle';
import { isPartitionGate } from '../partition-gates';
import { hasCriteria } from '../matching';
import { EXAMPLE_CLUSTERS, formatBundleExample, formatPartitionExample } from './example-bundle';
import { toNamedPartition, formatPartitionName } from './named-partition';
import type { NamedPartition } from './named-partition';

interface BundleData {
  /** The limit, 0 or less. */
  readonly value: DisplayValue;
}

interface PartitionData extends BundleData {
  readonly partition: NamedPartition;
}

const CONSEQUENCE = 'an update of ready clusters never starts, because no cluster may be unavailable';
const HELP = 'Set maxUnavailable: 1, the smallest value that allows updates; it updates one cluster at a time.';

/** Rule about a limit that keeps every update from starting. */
export const zeroMaxUnavailable = defineRule({
  code: 'fleet/zero-max-unavailable',
  since: '0.1.0',
  severity: 'error',
  fires: 'maxUnavailable is the integer 0, for the entire bundle or in a partition.',
  why:
    'Fleet updates a ready cluster only while fewer than maxUnavailable clusters are unavailable, which is impossible with 0: ' +
    'an install works, but then no update ever starts. ' +
    'The guide suggests 0 for strict readiness. With 1, an update changes one cluster at a time, and one failing cluster stops it. ' +
    'A gate is not reported: a partition with 0 and the criteria of an earlier partition. ' +
    'It releases nothing, and later partitions wait until all of its clusters are ready. ' +
    'Source: partition.go `updateDeploymentFromStaged`.',
  fix: 'Set it to 1. To wait for every cluster of a partition, add a second partition after it with the same criteria and maxUnavailable: 0.',
  example:
    formatBundleExample(
      'maxUnavailable: 0',
      'maxUnavailablePartitions: 0',
      'partitions:',
      ...formatPartitionExample('staging', 'staging'),
      ...formatPartitionExample('prod', 'prod'),
    ) + EXAMPLE_CLUSTERS,
  fixedExample:
    formatBundleExample(
      'maxUnavailable: 1',
      'maxUnavailablePartitions: 0',
      'partitions:',
      ...formatPartitionExample('staging', 'staging'),
      ...formatPartitionExample('prod', 'prod'),
    ) + EXAMPLE_CLUSTERS,
  messages: {
    bundle: defineMessage<BundleData>({
      text: ({ value }) => `maxUnavailable is ${formatDisplayValue(value)} for the entire bundle: ${CONSEQUENCE}.`,
      help: () => HELP,
      suggestedFix: (_data, path) => suggestAutomaticFix(setField(path, 1)),
      sample: { value: 0 },
    }),
    partition: defineMessage<PartitionData>({
      text: ({ value, partition: stuck }) =>
        `maxUnavailable is ${formatDisplayValue(value)} in ${formatPartitionName(stuck)}: ${CONSEQUENCE}.`,
      help: () => HELP,
      suggestedFix: (_data, path) => suggestAutomaticFix(setField(path, 1)),
      sample: { value: 0, partition: { name: 'staging', index: 0 } },
    }),
  },
});

/** Reports whether the limit is 0. Only an integer can be, because 0 percent counts as 1. */
function isZero(value: unknown): value is number {
  return typeof value === 'number' && value <= 0;
}

/**
 * Reports limits of 0: the bundle's, and those of partitions other than gates.
 *
 * @param isEmpty reports whether a partition is known to have no members; its limit is then 1
 */
export function checkZeroMaxUnavailable(bundle: ParsedBundle, isEmpty: (partition: number) => boolean): Finding[] {
  const { maxUnavailable, partitions = [] } = bundle.strategy;
  const bundleWide = isZero(maxUnavailable)
    ? [
        zeroMaxUnavailable.createFinding('bundle', {
          path: buildFleetStrategyPath(bundle, 'maxUnavailable'),
          data: { value: maxUnavailable },
        }),
      ]
    : [];
  const own = partitions.flatMap((definition, index) => {
    const value = definition.maxUnavailable;
    if (!isZero(value) || !hasCriteria(definition) || isPartitionGate(partitions, index) || isEmpty(index)) return [];
    const path = buildFleetStrategyPath(bundle, 'partitions', index, 'maxUnavailable');
    return zeroMaxUnavailable.createFinding('partition', { path, data: { value, partition: toNamedPartition(definition, index) } });
  });
  return [...bundleWide, ...own];
}

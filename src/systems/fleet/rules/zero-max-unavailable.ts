import { plainly, set } from '../../../core/advice';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import { strategyPath } from '../bundle';
import type { ReadBundle } from '../bundle';
import { isGate } from '../gates';
import { hasCriteria } from '../matching';
import { CLUSTERS, bundleWith, partition } from './example-bundle';
import { namedPartition, partitionText } from './named-partition';
import type { NamedPartition } from './named-partition';

interface BundleData {
  /** 0 or less. */
  readonly value: Seen;
}

interface PartitionData extends BundleData {
  readonly partition: NamedPartition;
}

const CONSEQUENCE = 'an update of ready clusters never starts, since none may be unavailable';
const HELP = 'Write maxUnavailable: 1, the smallest that lets an update go on; it takes one cluster at a time.';

/** A limit that keeps every update from starting. */
export const zeroMaxUnavailable = rule({
  code: 'fleet/zero-max-unavailable',
  since: '0.1.0',
  severity: 'error',
  fires: 'maxUnavailable is the whole number 0, for the whole bundle or in a partition.',
  why:
    'Fleet updates a ready cluster only while fewer than maxUnavailable clusters are unavailable, and none is fewer than 0: ' +
    'an install works, and then no update ever starts. ' +
    'The guide proposes 0 for strict readiness. With 1, an update goes cluster by cluster and one failing cluster stops it. ' +
    'A gate is not reported: a partition with 0 and the criteria of one before it, ' +
    'which releases nothing and makes later partitions wait until all of its clusters are ready. ' +
    'Source: partition.go `updateDeploymentFromStaged`.',
  fix: 'Write 1. To wait for every cluster of a partition, put a second one with the same criteria and maxUnavailable 0 behind it.',
  example:
    bundleWith(
      'maxUnavailable: 0',
      'maxUnavailablePartitions: 0',
      'partitions:',
      ...partition('staging', 'staging'),
      ...partition('prod', 'prod'),
    ) + CLUSTERS,
  fixed:
    bundleWith(
      'maxUnavailable: 1',
      'maxUnavailablePartitions: 0',
      'partitions:',
      ...partition('staging', 'staging'),
      ...partition('prod', 'prod'),
    ) + CLUSTERS,
  messages: {
    bundle: message<BundleData>({
      text: ({ value }) => `maxUnavailable is ${show(value)} for the whole bundle: ${CONSEQUENCE}.`,
      help: () => HELP,
      advice: (_data, path) => plainly(set(path, 1)),
      sample: { value: 0 },
    }),
    partition: message<PartitionData>({
      text: ({ value, partition: stuck }) => `maxUnavailable is ${show(value)} in ${partitionText(stuck)}: ${CONSEQUENCE}.`,
      help: () => HELP,
      advice: (_data, path) => plainly(set(path, 1)),
      sample: { value: 0, partition: { name: 'staging', index: 0 } },
    }),
  },
});

/** Is this a limit of 0? A whole number, for 0 percent is 1. */
function isZero(value: unknown): value is number {
  return typeof value === 'number' && value <= 0;
}

/**
 * Limits of 0: the bundle's, and those of partitions, gates apart.
 *
 * @param isEmpty whether a partition has no member, as far as that is known: its limit is 1 then
 */
export function zeroLimitFindings(bundle: ReadBundle, isEmpty: (partition: number) => boolean): Finding[] {
  const { maxUnavailable, partitions = [] } = bundle.strategy;
  const bundleWide = isZero(maxUnavailable)
    ? [zeroMaxUnavailable.finding('bundle', { path: strategyPath(bundle, 'maxUnavailable'), data: { value: maxUnavailable } })]
    : [];
  const own = partitions.flatMap((definition, index) => {
    const value = definition.maxUnavailable;
    if (!isZero(value) || !hasCriteria(definition) || isGate(partitions, index) || isEmpty(index)) return [];
    const path = strategyPath(bundle, 'partitions', index, 'maxUnavailable');
    return zeroMaxUnavailable.finding('partition', { path, data: { value, partition: namedPartition(definition, index) } });
  });
  return [...bundleWide, ...own];
}

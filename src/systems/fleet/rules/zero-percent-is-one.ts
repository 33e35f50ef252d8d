import { plainly, set } from '../../../core/advice';
import type { FieldPath } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { strategyPath } from '../bundle';
import type { ReadBundle } from '../bundle';
import { isZeroPercent } from '../limit';
import { hasManualPartitions } from '../partitions';
import { CLUSTERS, bundleWith } from './example-bundle';

interface ZeroPercentData {
  /** `"0%"`, or less. */
  readonly value: string;
}

/** A percentage of 0, which comes to 1. */
export const zeroPercentIsOne = rule({
  code: 'fleet/zero-percent-is-one',
  since: '0.1.0',
  severity: 'info',
  fires: 'A limit is 0 percent or less.',
  why:
    'Fleet rounds percentages down, and then makes everything below 1 a 1: ' +
    '"0%" tolerates one unavailable cluster or partition, and as autoPartitionSize makes partitions of one cluster. Source: status.go `limit`.',
  fix: 'Write the whole number that is meant.',
  example: bundleWith('maxUnavailable: 1', 'maxUnavailablePartitions: 0%') + CLUSTERS,
  fixed: bundleWith('maxUnavailable: 1', 'maxUnavailablePartitions: 0') + CLUSTERS,
  messages: {
    maxUnavailable: message<ZeroPercentData>({
      text: ({ value }) => `maxUnavailable is "${value}", which Fleet makes 1: one cluster may be unavailable.`,
      help: () => 'Write 1, which says the same; 0 would keep an update from ever starting.',
      advice: (_data, path) => plainly(set(path, 1)),
      sample: { value: '0%' },
    }),
    maxUnavailablePartitions: message<ZeroPercentData>({
      text: ({ value }) => `maxUnavailablePartitions is "${value}", which Fleet makes 1: one partition may be unavailable.`,
      help: () => 'Write 0 to wait for every partition, or 1, which says what happens now.',
      advice: (_data, path) => plainly(set(path, 1)),
      sample: { value: '0%' },
    }),
    autoPartitionSize: message<ZeroPercentData>({
      text: ({ value }) => `autoPartitionSize is "${value}", which Fleet makes 1: every partition holds one cluster.`,
      help: () => 'Write 1, which says the same, or 0 for one partition of all clusters.',
      advice: (_data, path) => plainly(set(path, 1)),
      sample: { value: '0%' },
    }),
  },
});

type Limit = keyof typeof zeroPercentIsOne.messages;

/** Percentages of 0 or less among the limits that Fleet reads. */
export function zeroPercentFindings(bundle: ReadBundle): Finding[] {
  const { strategy } = bundle;
  const judged = (limit: Limit, value: unknown, path: FieldPath) =>
    isZeroPercent(value) ? [zeroPercentIsOne.finding(limit, { path, data: { value } })] : [];
  const limits: readonly Limit[] = ['maxUnavailable', 'maxUnavailablePartitions', 'autoPartitionSize'];
  const read = hasManualPartitions(strategy) ? limits.filter((limit) => limit !== 'autoPartitionSize') : limits;
  return [
    ...read.flatMap((limit) => judged(limit, strategy[limit], strategyPath(bundle, limit))),
    ...(strategy.partitions ?? []).flatMap(({ maxUnavailable }, index) =>
      judged('maxUnavailable', maxUnavailable, strategyPath(bundle, 'partitions', index, 'maxUnavailable')),
    ),
  ];
}

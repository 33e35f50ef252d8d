import { suggestAutomaticFix, setField } from '../../../core/suggested-fix';
import type { FieldPath } from '../../../core/field-path';
import { defineMessage, defineRule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { buildFleetStrategyPath } from '../bundle';
import type { ParsedBundle } from '../bundle';
import { isZeroPercent } from '../limit';
import { hasManualPartitions } from '../partitions';
import { EXAMPLE_CLUSTERS, formatBundleExample } from './example-bundle';

interface ZeroPercentData {
  /** `"0%"`, or less. */
  readonly value: string;
}

/** A percentage of 0, which comes to 1. */
export const zeroPercentIsOne = defineRule({
  code: 'fleet/zero-percent-is-one',
  since: '0.1.0',
  severity: 'info',
  fires: 'A limit is 0 percent or less.',
  why:
    'Fleet rounds percentages down, and then makes everything below 1 a 1: ' +
    '"0%" tolerates one unavailable cluster or partition, and as autoPartitionSize makes partitions of one cluster. Source: status.go `limit`.',
  fix: 'Write the whole number that is meant.',
  example: formatBundleExample('maxUnavailable: 1', 'maxUnavailablePartitions: 0%') + EXAMPLE_CLUSTERS,
  fixedExample: formatBundleExample('maxUnavailable: 1', 'maxUnavailablePartitions: 0') + EXAMPLE_CLUSTERS,
  messages: {
    maxUnavailable: defineMessage<ZeroPercentData>({
      text: ({ value }) => `maxUnavailable is "${value}", which Fleet makes 1: one cluster may be unavailable.`,
      help: () => 'Write 1, which says the same; 0 would keep an update from ever starting.',
      suggestedFix: (_data, path) => suggestAutomaticFix(setField(path, 1)),
      sample: { value: '0%' },
    }),
    maxUnavailablePartitions: defineMessage<ZeroPercentData>({
      text: ({ value }) => `maxUnavailablePartitions is "${value}", which Fleet makes 1: one partition may be unavailable.`,
      help: () => 'Write 0 to wait for every partition, or 1, which says what happens now.',
      suggestedFix: (_data, path) => suggestAutomaticFix(setField(path, 1)),
      sample: { value: '0%' },
    }),
    autoPartitionSize: defineMessage<ZeroPercentData>({
      text: ({ value }) => `autoPartitionSize is "${value}", which Fleet makes 1: every partition holds one cluster.`,
      help: () => 'Write 1, which says the same, or 0 for one partition of all clusters.',
      suggestedFix: (_data, path) => suggestAutomaticFix(setField(path, 1)),
      sample: { value: '0%' },
    }),
  },
});

type Limit = keyof typeof zeroPercentIsOne.messages;

/** Percentages of 0 or less among the limits that Fleet reads. */
export function checkZeroPercentIsOne(bundle: ParsedBundle): Finding[] {
  const { strategy } = bundle;
  const checkLimit = (limit: Limit, value: unknown, path: FieldPath) =>
    isZeroPercent(value) ? [zeroPercentIsOne.createFinding(limit, { path, data: { value } })] : [];
  const limits: readonly Limit[] = ['maxUnavailable', 'maxUnavailablePartitions', 'autoPartitionSize'];
  const readLimits = hasManualPartitions(strategy) ? limits.filter((limit) => limit !== 'autoPartitionSize') : limits;
  return [
    ...readLimits.flatMap((limit) => checkLimit(limit, strategy[limit], buildFleetStrategyPath(bundle, limit))),
    ...(strategy.partitions ?? []).flatMap(({ maxUnavailable }, index) =>
      checkLimit('maxUnavailable', maxUnavailable, buildFleetStrategyPath(bundle, 'partitions', index, 'maxUnavailable')),
    ),
  ];
}

import { suggestAutomaticFix, setField } from '../../../core/findings/suggested-fix';
import type { FieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { buildFleetStrategyPath } from '../bundle';
import type { ParsedBundle } from '../bundle';
import { isZeroPercent } from '../limit';
import { hasManualPartitions } from '../partitions';
import { EXAMPLE_CLUSTERS, formatBundleExample } from './example-bundle';

interface ZeroPercentData {
  /** The limit: `"0%"`, or a negative percentage. */
  readonly value: string;
}

/** Rule about a percentage of 0, which resolves to 1. */
export const zeroPercentIsOne = defineRule({
  code: 'fleet/zero-percent-is-one',
  since: '0.1.0',
  severity: 'info',
  fires: 'A limit is 0 percent or less.',
  why:
    'Fleet rounds percentages down and then raises everything below 1 to 1. ' +
    '"0%" tolerates one unavailable cluster or partition. As autoPartitionSize it creates partitions of one cluster. Source: status.go `limit`.',
  fix: 'Set the intended integer.',
  example: formatBundleExample('maxUnavailable: 1', 'maxUnavailablePartitions: 0%') + EXAMPLE_CLUSTERS,
  fixedExample: formatBundleExample('maxUnavailable: 1', 'maxUnavailablePartitions: 0') + EXAMPLE_CLUSTERS,
  messages: {
    maxUnavailable: defineMessage<ZeroPercentData>({
      text: ({ value }) => `maxUnavailable is "${value}", which Fleet resolves to 1: one cluster may be unavailable.`,
      help: () => 'Set it to 1, which means the same. With 0 no update would ever start.',
      suggestedFix: (_data, path) => suggestAutomaticFix(setField(path, 1)),
      sample: { value: '0%' },
    }),
    maxUnavailablePartitions: defineMessage<ZeroPercentData>({
      text: ({ value }) => `maxUnavailablePartitions is "${value}", which Fleet resolves to 1: one partition may be unavailable.`,
      help: () => 'Set it to 0 to wait for every partition, or to 1 to keep the current behaviour.',
      suggestedFix: (_data, path) => suggestAutomaticFix(setField(path, 1)),
      sample: { value: '0%' },
    }),
    autoPartitionSize: defineMessage<ZeroPercentData>({
      text: ({ value }) => `autoPartitionSize is "${value}", which Fleet resolves to 1: every partition has one cluster.`,
      help: () => 'Set it to 1, which means the same, or to 0 for one partition with all clusters.',
      suggestedFix: (_data, path) => suggestAutomaticFix(setField(path, 1)),
      sample: { value: '0%' },
    }),
  },
});

type Limit = keyof typeof zeroPercentIsOne.messages;

/** Reports percentages of 0 or less among the limits that Fleet reads. */
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

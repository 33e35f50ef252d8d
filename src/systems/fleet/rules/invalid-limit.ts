import { getFieldName } from '../../../core/manifest/field-path';
import type { FieldPath } from '../../../core/manifest/field-path';
import { defineMessage, defineRule } from '../../../core/findings/finding';
import type { Finding } from '../../../core/findings/finding';
import { toDisplayValue, formatDisplayValue } from '../../../core/text/display-value';
import type { DisplayValue } from '../../../core/text/display-value';
import { buildFleetStrategyPath } from '../bundle';
import type { ParsedBundle } from '../bundle';
import { isLimit } from '../limit';
import { hasAutomaticPartitions, hasManualPartitions } from '../partitions';
import { EXAMPLE_CLUSTERS, formatBundleExample } from './example-bundle';

/** Reasons why the controller does not read a limit. */
const UNREAD_REASONS = {
  'no-targets': 'the bundle targets no cluster',
  'partitions-by-hand': 'the strategy sets its own partitions',
  'too-few-clusters': 'Fleet forms no partitions for so few clusters',
  'empty-partition': 'the partition matches no cluster',
} as const;

type UnreadReason = keyof typeof UNREAD_REASONS;

interface LimitData {
  readonly field: string;
  readonly value: DisplayValue;
}

interface UnreadData extends LimitData {
  readonly reason: UnreadReason;
}

function formatInvalidLimit({ field, value }: LimitData, effect: string): string {
  return `${field} is ${formatDisplayValue(value)}, which is neither a number above 0 nor a percentage: ${effect}.`;
}

const HELP = 'Use an integer such as 1, or a percentage such as "10%" without spaces.';

/** Rule about a limit that the controller refuses. */
export const invalidLimit = defineRule({
  code: 'fleet/invalid-limit',
  since: '0.1.0',
  severity: ['error', 'warning'],
  fires: 'A limit is text that is neither an integer above 0 nor a percentage: "abc", "0", "10 %".',
  why:
    'The API server accepts any text. The controller fails to reconcile the bundle, sets Ready=False and does not retry: ' +
    'nothing is rolled out to any cluster. ' +
    'A value that the controller does not read (in an empty partition, or autoPartitionSize next to partitions) has no effect yet, so it is a warning. ' +
    'Source: status.go `limit`.',
  fix: 'Use an integer, or a percentage with its sign and without spaces.',
  example: formatBundleExample('maxUnavailable: 10 %') + EXAMPLE_CLUSTERS,
  fixedExample: formatBundleExample('maxUnavailable: 10%') + EXAMPLE_CLUSTERS,
  messages: {
    refused: defineMessage<LimitData>({
      text: (data) => formatInvalidLimit(data, 'the controller refuses it, and the entire bundle stops with Ready=False'),
      help: () => HELP,
      sample: { field: 'maxUnavailable', value: '10 %' },
    }),
    unread: defineMessage<UnreadData>({
      text: ({ reason, ...data }) =>
        formatInvalidLimit(
          data,
          `it has no effect now because ${UNREAD_REASONS[reason]}, but the controller will refuse it once that changes`,
        ),
      help: () => HELP,
      sample: { field: 'autoPartitionSize', value: 'abc', reason: 'partitions-by-hand' },
    }),
  },
});

/** The known number of clusters that each limit applies to. The controller refuses only a limit that it evaluates. */
export interface EvaluatedCounts {
  /** Number of targeted clusters; undefined without an inventory, which is treated as more than none. */
  readonly targets: number | undefined;
  /** Returns the number of members of a partition in the strategy; undefined without an inventory. */
  members(partition: number): number | undefined;
}

interface LocatedLimit {
  readonly path: FieldPath;
  readonly value: unknown;
  /** Returns why the controller does not read the limit; undefined if it does. */
  readonly unread: () => UnreadReason | undefined;
}

function listLimits(bundle: ParsedBundle, evaluated: EvaluatedCounts): LocatedLimit[] {
  const { strategy } = bundle;
  const noTargets = evaluated.targets === 0 ? 'no-targets' : undefined;
  const sizeUnread = (): UnreadReason | undefined => {
    if (noTargets) return noTargets;
    if (hasManualPartitions(strategy)) return 'partitions-by-hand';
    return hasAutomaticPartitions(strategy, evaluated.targets ?? Infinity) ? undefined : 'too-few-clusters';
  };
  const locateLimit = (
    field: 'maxUnavailable' | 'maxUnavailablePartitions' | 'autoPartitionSize',
    unread: LocatedLimit['unread'],
  ): LocatedLimit => ({
    path: buildFleetStrategyPath(bundle, field),
    value: strategy[field],
    unread,
  });
  return [
    locateLimit('maxUnavailable', () => noTargets),
    locateLimit('maxUnavailablePartitions', () => noTargets),
    locateLimit('autoPartitionSize', sizeUnread),
    ...(strategy.partitions ?? []).map(({ maxUnavailable }, index) => ({
      path: buildFleetStrategyPath(bundle, 'partitions', index, 'maxUnavailable'),
      value: maxUnavailable,
      unread: () => noTargets ?? (evaluated.members(index) === 0 ? ('empty-partition' as const) : undefined),
    })),
  ];
}

/** Reports invalid limits: as errors if the controller refuses them, as warnings if it does not read them. */
export function checkInvalidLimit(bundle: ParsedBundle, evaluated: EvaluatedCounts): Finding[] {
  return listLimits(bundle, evaluated).flatMap(({ path, value, unread }) => {
    if (value === undefined || isLimit(value)) return [];
    const data = { field: getFieldName(path), value: toDisplayValue(value) };
    const reason = unread();
    return reason === undefined
      ? invalidLimit.createFinding('refused', { path, data })
      : invalidLimit.createFinding('unread', { path, data: { ...data, reason }, severity: 'warning' });
  });
}

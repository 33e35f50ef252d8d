import { fieldName } from '../../../core/field-path';
import type { FieldPath } from '../../../core/field-path';
import { message, rule } from '../../../core/finding';
import type { Finding } from '../../../core/finding';
import { seen, show } from '../../../core/seen';
import type { Seen } from '../../../core/seen';
import { strategyPath } from '../bundle';
import type { ReadBundle } from '../bundle';
import { isLimit } from '../limit';
import { formsPartitions, hasManualPartitions } from '../partitions';
import { CLUSTERS, bundleWith } from './example-bundle';

/** Why the controller never looks at a limit. */
const UNREAD = {
  'no-targets': 'the bundle targets no cluster',
  'partitions-by-hand': 'partitions are written by hand',
  'too-few-clusters': 'Fleet forms no partitions of so few clusters',
  'empty-partition': 'the partition matches no cluster',
} as const;

type Unread = keyof typeof UNREAD;

interface LimitData {
  readonly field: string;
  readonly value: Seen;
}

interface UnreadData extends LimitData {
  readonly because: Unread;
}

function invalidText({ field, value }: LimitData, effect: string): string {
  return `${field} is ${show(value)}, neither a number above 0 nor a percentage: ${effect}.`;
}

const HELP = 'Write a whole number such as 1, or a percentage such as "10%" without spaces.';

/** A limit that the controller refuses. */
export const invalidLimit = rule({
  code: 'fleet/invalid-limit',
  since: '0.1.0',
  severity: ['error', 'warning'],
  fires: 'A limit is text that is neither a whole number above 0 nor a percentage: "abc", "0", "10 %".',
  why:
    'The API server takes any text. The controller fails to reconcile the bundle, sets Ready=False and does not try again: ' +
    'nothing is rolled out to any cluster. ' +
    'A value that it never reads (of an empty partition, or autoPartitionSize beside partitions) does no harm yet, and is a warning. ' +
    'Source: status.go `limit`.',
  fix: 'Write a whole number, or a percentage with its sign and without spaces.',
  example: bundleWith('maxUnavailable: 10 %') + CLUSTERS,
  fixed: bundleWith('maxUnavailable: 10%') + CLUSTERS,
  messages: {
    refused: message<LimitData>({
      text: (data) => invalidText(data, 'the controller refuses it, and the whole bundle stops with Ready=False'),
      help: () => HELP,
      sample: { field: 'maxUnavailable', value: '10 %' },
    }),
    unread: message<UnreadData>({
      text: ({ because, ...data }) =>
        invalidText(data, `it does no harm now, since ${UNREAD[because]}, but the controller refuses it once it is read`),
      help: () => HELP,
      sample: { field: 'autoPartitionSize', value: 'abc', because: 'partitions-by-hand' },
    }),
  },
});

/** How many clusters a limit is about, as far as it is known: what the controller does not evaluate, it does not refuse. */
export interface Evaluated {
  /** Targeted clusters; undefined without an inventory, when some are taken for granted. */
  readonly targets: number | undefined;
  /** Members of each partition that is written. */
  members(partition: number): number | undefined;
}

interface LimitPlace {
  readonly path: FieldPath;
  readonly value: unknown;
  /** Why the controller never looks at it, where it does not. */
  readonly unread: () => Unread | undefined;
}

function limitPlaces(bundle: ReadBundle, evaluated: Evaluated): LimitPlace[] {
  const { strategy } = bundle;
  const noTargets = evaluated.targets === 0 ? 'no-targets' : undefined;
  const sizeUnread = (): Unread | undefined => {
    if (noTargets) return noTargets;
    if (hasManualPartitions(strategy)) return 'partitions-by-hand';
    return formsPartitions(strategy, evaluated.targets ?? Infinity) ? undefined : 'too-few-clusters';
  };
  const place = (field: 'maxUnavailable' | 'maxUnavailablePartitions' | 'autoPartitionSize', unread: LimitPlace['unread']): LimitPlace => ({
    path: strategyPath(bundle, field),
    value: strategy[field],
    unread,
  });
  return [
    place('maxUnavailable', () => noTargets),
    place('maxUnavailablePartitions', () => noTargets),
    place('autoPartitionSize', sizeUnread),
    ...(strategy.partitions ?? []).map(({ maxUnavailable }, index) => ({
      path: strategyPath(bundle, 'partitions', index, 'maxUnavailable'),
      value: maxUnavailable,
      unread: () => noTargets ?? (evaluated.members(index) === 0 ? ('empty-partition' as const) : undefined),
    })),
  ];
}

/** Limits that the controller cannot read: errors where it refuses them, warnings where it never looks at them. */
export function invalidLimitFindings(bundle: ReadBundle, evaluated: Evaluated): Finding[] {
  return limitPlaces(bundle, evaluated).flatMap(({ path, value, unread }) => {
    if (value === undefined || isLimit(value)) return [];
    const data = { field: fieldName(path), value: seen(value) };
    const because = unread();
    return because === undefined
      ? invalidLimit.finding('refused', { path, data })
      : invalidLimit.finding('unread', { path, data: { ...data, because }, severity: 'warning' });
  });
}

import type { Finding } from '../../core/finding';
import { describeValue } from '../../core/shape';
import { strategyPath } from './bundle';
import type { ReadBundle } from './bundle';
import { fleetFinding } from './catalogue';
import { isGate } from './gates';
import { isZeroPercent } from './limit';
import { hasCriteria } from './matching';
import { hasManualPartitions } from './partitions';
import { partitionLabel } from './provenance';
import type { FleetRollout } from './simulate';
import type { Partition, RolloutStrategy } from './types';

/** Names that a message spells out. */
const NAMED = 5;

function someNames(names: readonly string[], count: number): string {
  const rest = count - names.length;
  return rest > 0 ? `${names.join(', ')} and ${rest} more` : names.join(', ');
}

function clusters(count: number): string {
  return count === 1 ? '1 cluster' : `${count} clusters`;
}

/** A partition as a message names it: `partition staging`, or by its place where it has no name. */
function partitionText(partition: Partition, index: number): string {
  return partition.name ? `partition ${partition.name}` : `the partition at ${partitionLabel(partition, index)}`;
}

function sentence(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1);
}

/** Is this a limit of 0: a whole number, for 0 percent is 1? */
function isZero(value: unknown): boolean {
  return typeof value === 'number' && value <= 0;
}

/**
 * What a strategy says whatever the clusters are.
 *
 * @param isEmpty whether a partition has no member, as far as that is known: its limit is 1 then
 */
export function strategyFindings(bundle: ReadBundle, isEmpty: (partition: number) => boolean): Finding[] {
  return [...zeroLimitFindings(bundle, isEmpty), ...zeroPercentFindings(bundle), ...criteriaFindings(bundle), ...maxNewFindings(bundle)];
}

function zeroLimitFindings(bundle: ReadBundle, isEmpty: (partition: number) => boolean): Finding[] {
  const { strategy } = bundle;
  const zero = (field: string, value: unknown, whose: string) =>
    fleetFinding('fleet/zero-max-unavailable', {
      path: strategyPath(bundle, field),
      message: `maxUnavailable is ${describeValue(value)} ${whose}: an update of ready clusters never starts, since none may be unavailable.`,
      help: 'Write maxUnavailable: 1, the smallest that lets an update go on; it takes one cluster at a time.',
    });
  const bundleWide = isZero(strategy.maxUnavailable) ? [zero('maxUnavailable', strategy.maxUnavailable, 'for the whole bundle')] : [];
  const partitions = strategy.partitions ?? [];
  const own = partitions.flatMap((partition, index) =>
    isZero(partition.maxUnavailable) && hasCriteria(partition) && !isGate(partitions, index) && !isEmpty(index)
      ? [zero(`partitions[${index}].maxUnavailable`, partition.maxUnavailable, `in ${partitionText(partition, index)}`)]
      : [],
  );
  return [...bundleWide, ...own];
}

/** What a percentage of 0 comes to, and what to write instead, by field. */
const ZERO_PERCENT: Readonly<Record<string, readonly [effect: string, help: string]>> = {
  maxUnavailable: ['one cluster may be unavailable', 'Write 1, which says the same; 0 would keep an update from ever starting.'],
  maxUnavailablePartitions: ['one partition may be unavailable', 'Write 0 to wait for every partition, or 1, which says what happens now.'],
  autoPartitionSize: ['every partition holds one cluster', 'Write 1, which says the same, or 0 for one partition of all clusters.'],
};

function zeroPercentFindings(bundle: ReadBundle): Finding[] {
  const { strategy } = bundle;
  const fields = hasManualPartitions(strategy)
    ? (['maxUnavailable', 'maxUnavailablePartitions'] as const)
    : (['maxUnavailable', 'maxUnavailablePartitions', 'autoPartitionSize'] as const);
  const places = [
    ...fields.map((field) => ({ field, place: field as string, value: strategy[field] })),
    ...(strategy.partitions ?? []).map(({ maxUnavailable }, index) => ({
      field: 'maxUnavailable' as const,
      place: `partitions[${index}].maxUnavailable`,
      value: maxUnavailable,
    })),
  ];
  return places.flatMap(({ field, place, value }) => {
    if (!isZeroPercent(value)) return [];
    const [effect, help] = ZERO_PERCENT[field]!;
    return fleetFinding('fleet/zero-percent-is-one', {
      path: strategyPath(bundle, place),
      message: `${field} is ${describeValue(value)}, which Fleet makes 1: ${effect}.`,
      help,
    });
  });
}

function criteriaFindings(bundle: ReadBundle): Finding[] {
  return (bundle.strategy.partitions ?? []).flatMap((partition, index) =>
    hasCriteria(partition)
      ? []
      : fleetFinding('fleet/criteria-less-partition', {
          path: strategyPath(bundle, `partitions[${index}]`),
          message: `${sentence(partitionText(partition, index))} has no criterion, and so matches no cluster, now or later.`,
          help: 'Write clusterSelector, clusterGroup, clusterGroupSelector or clusterName; clusterSelector: {} matches every cluster.',
        }),
  );
}

function maxNewFindings(bundle: ReadBundle): Finding[] {
  const { maxNew } = bundle.strategy;
  if (maxNew === undefined || maxNew > 0) return [];
  return [
    fleetFinding('fleet/max-new-zero', {
      path: strategyPath(bundle, 'maxNew'),
      message: `maxNew is ${maxNew}: the bundle is never installed on any cluster, without an error.`,
      help: 'Delete maxNew, or write at least 1. To hold clusters back, set paused: true.',
    }),
  ];
}

/** Partitions that nothing can pause: the limits that are written have no effect. */
const PACING_FIELDS = ['maxUnavailablePartitions', 'partitions', 'autoPartitionSize'] as const;

function writtenPacing(strategy: RolloutStrategy): (typeof PACING_FIELDS)[number] | undefined {
  return PACING_FIELDS.find((field) => (field === 'partitions' ? hasManualPartitions(strategy) : strategy[field] !== undefined));
}

function neverPauses(bundle: ReadBundle, why: string): Finding[] {
  const field = writtenPacing(bundle.strategy);
  if (field === undefined) return [];
  return [
    fleetFinding('fleet/never-pauses', {
      path: strategyPath(bundle, field),
      message:
        `${field} is written, but nothing ever pauses: ${why}. An install and an update reach every cluster at once, however many ` +
        `fail.`,
      help: 'Write maxUnavailable, for example "10%": the share of clusters that may fail or be updating at once.',
    }),
  ];
}

function isEveryCluster(limit: unknown): boolean {
  return limit === undefined || (typeof limit === 'string' && limit.endsWith('%') && Number.parseFloat(limit) >= 100);
}

/** `fleet/never-pauses` where no inventory is in view: certain if every limit is 100 %. */
export function neverPausesAnywhere(bundle: ReadBundle): Finding[] {
  const { strategy } = bundle;
  const limits = [
    strategy.maxUnavailable,
    ...(strategy.partitions ?? []).map((partition) => partition.maxUnavailable ?? strategy.maxUnavailable),
  ];
  return limits.every(isEveryCluster) ? neverPauses(bundle, 'maxUnavailable is 100%') : [];
}

/** What a strategy comes to with the clusters that it is about. */
export function rolloutFindings(bundle: ReadBundle, rollout: FleetRollout): Finding[] {
  if (rollout.targets.length === 0) return [];
  const { partitions, maxUnavailable, targets } = rollout;
  const nothingPauses =
    maxUnavailable >= targets.length && partitions.every((partition) => partition.maxUnavailable >= partition.members.length);
  const limits = `up to ${maxUnavailable} of ${clusters(targets.length)} may be unavailable`;
  return [
    ...(nothingPauses ? neverPauses(bundle, limits) : []),
    ...batchFindings(bundle, rollout),
    ...(hasManualPartitions(bundle.strategy) ? manualPartitionFindings(bundle, rollout) : []),
  ];
}

/** Clusters after which the guide says that Fleet checks maxUnavailable before it goes on. */
const GUIDE_BATCH = 50;

/**
 * What a partition whose limit reads like the guide's threshold for a batch really does: the first such partition tells for all.
 *
 * A limit of 1 is one cluster at a time on the face of it, and one above the bundle's has a finding of its own. Gates are written only
 * by those who know that nothing else checks.
 */
function batchFindings(bundle: ReadBundle, rollout: FleetRollout): Finding[] {
  const { partitions, maxUnavailable, maxNew } = rollout;
  const definitions = bundle.strategy.partitions ?? [];
  if (maxNew <= 0 || definitions.some((_, index) => isGate(definitions, index))) return [];
  const index = partitions.findIndex(
    ({ maxUnavailable: limit, members }) => limit > 1 && limit < members.length && limit <= maxUnavailable,
  );
  if (index < 0) return [];

  const partition = partitions[index]!;
  const definition = definitions[index];
  const count = partition.members.length;
  const reconciles = count > maxNew ? ` (in reconciles of ${maxNew} that wait for nothing)` : '';
  return [
    fleetFinding('fleet/batches-not-checked', {
      path: strategyPath(bundle, definition?.maxUnavailable === undefined ? 'maxUnavailable' : `partitions[${index}].maxUnavailable`),
      message:
        `${sentence(definition ? partitionText(definition, index) : `partition "${partition.name}"`)} has ${clusters(count)}: an install ` +
        `takes all ${count} at once${reconciles}, however many fail, and an update ${partition.maxUnavailable} at a time. ` +
        `The guide's check of maxUnavailable after every ${GUIDE_BATCH} does not happen.`,
      help: 'Make each batch a partition, and put a second one with the same criteria and maxUnavailable 0 behind it, to wait for it.',
    }),
  ];
}

function manualPartitionFindings(bundle: ReadBundle, rollout: FleetRollout): Finding[] {
  return [
    ...unmatchedFindings(bundle, rollout),
    ...overlapFindings(bundle, rollout),
    ...emptyFindings(bundle, rollout),
    ...throttleFindings(bundle, rollout),
  ];
}

function namesAt(rollout: FleetRollout, positions: readonly number[]): string[] {
  return positions.map((position) => rollout.targets[position]!.name);
}

function unmatchedFindings(bundle: ReadBundle, rollout: FleetRollout): Finding[] {
  const { unpartitioned, targets } = rollout;
  if (unpartitioned.length === 0) return [];
  const names = someNames(namesAt(rollout, unpartitioned.slice(0, NAMED)), unpartitioned.length);
  return [
    fleetFinding('fleet/unmatched-clusters', {
      path: strategyPath(bundle, 'partitions'),
      message:
        `${unpartitioned.length} of ${clusters(targets.length)} targeted are in no partition, and so never installed and never ` +
        `updated: ${names}.`,
      help: 'Add a last partition that matches the rest, for example with operator NotIn for the labels above it.',
    }),
  ];
}

function overlapFindings(bundle: ReadBundle, rollout: FleetRollout): Finding[] {
  const { partitions, targets } = rollout;
  const firstOf = new Int32Array(targets.length).fill(-1);
  return partitions.flatMap(({ members }, index) => {
    const shared: number[] = [];
    for (const position of members) {
      if (firstOf[position] === -1) firstOf[position] = index;
      else shared.push(position);
    }
    const definitions = bundle.strategy.partitions!;
    if (shared.length === 0 || isGate(definitions, index)) return [];
    const names = someNames(namesAt(rollout, shared.slice(0, NAMED)), shared.length);
    const earlier = firstOf[shared[0]!]!;
    return fleetFinding('fleet/overlapping-partitions', {
      path: strategyPath(bundle, `partitions[${index}]`),
      message:
        `${clusters(shared.length)} of ${partitionText(definitions[index]!, index)} ${shared.length === 1 ? 'is' : 'are'} in an ` +
        `earlier one too ` +
        `(${partitionText(definitions[earlier]!, earlier)} first), counted in both and released by the first that is reached: ${names}.`,
      help: 'Narrow one of the two, for example with operator NotIn, so that each cluster is in one partition.',
    });
  });
}

/** Is this what is left over: a last partition that says which labels its clusters do not have? Nothing being left is no mistake. */
function isForTheRest({ clusterSelector }: Partition, isLast: boolean): boolean {
  const { matchLabels = {}, matchExpressions = [] } = clusterSelector ?? {};
  const excludes = matchExpressions.every(({ operator }) => operator === 'NotIn' || operator === 'DoesNotExist');
  return isLast && matchExpressions.length > 0 && excludes && Object.keys(matchLabels).length === 0;
}

function emptyFindings(bundle: ReadBundle, rollout: FleetRollout): Finding[] {
  return bundle.strategy.partitions!.flatMap((partition, index, partitions) => {
    if (!hasCriteria(partition) || rollout.partitions[index]!.members.length > 0) return [];
    if (isGate(partitions, index) || isForTheRest(partition, index === partitions.length - 1)) return [];
    return fleetFinding('fleet/empty-partition', {
      path: strategyPath(bundle, `partitions[${index}]`),
      message: `${sentence(partitionText(partition, index))} matches none of the ${clusters(rollout.targets.length)} targeted.`,
      help: 'Compare its criteria with the labels of the clusters and the names of the cluster groups, or delete it.',
    });
  });
}

function throttleFindings(bundle: ReadBundle, rollout: FleetRollout): Finding[] {
  const { maxUnavailable } = rollout;
  if (maxUnavailable <= 0) return [];
  return bundle.strategy.partitions!.flatMap((definition, index) => {
    const partition = rollout.partitions[index]!;
    const most = Math.min(partition.maxUnavailable, partition.members.length);
    if (definition.maxUnavailable === undefined || most <= maxUnavailable) return [];
    return fleetFinding('fleet/partition-above-bundle-limit', {
      path: strategyPath(bundle, `partitions[${index}].maxUnavailable`),
      message:
        `${sentence(partitionText(definition, index))} lets ${clusters(most)} update at once ` +
        `(${describeValue(definition.maxUnavailable)} of ${partition.members.length}), ` +
        `but the whole bundle lets only ${maxUnavailable}: an update takes ${maxUnavailable} at a time.`,
      help: `Raise the rolloutStrategy's maxUnavailable to ${most} at least, or write ${maxUnavailable} here.`,
    });
  });
}

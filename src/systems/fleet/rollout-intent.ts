import { buildFieldPath } from '../../core/field-path';
import type { IntOrPercent } from '../../core/int-or-percent';
import type { FleetBehaviour } from './behaviour';
import { buildCanaryPartitions, excludeCanary } from './canary';
import type { VisibleClusters } from './clusters';
import { createPartitionGate } from './partition-gates';
import { FleetIntentError, withCatchAll } from './partition-intents';
import type { CanaryPartitions, ClusterGroupProps, PartitionProps, PartitionsIntent } from './partition-intents';
import { collectManualMembers } from './partitions';
import type { Partition, RolloutStrategy } from './types';

/** How a bundle may be rolled out over its clusters. */
export interface FleetRolloutProps {
  /** How many clusters may be updating or not ready at once. @default - 1 with `fullReadiness`, else Fleet's 100% */
  readonly maxUnavailable?: IntOrPercent;
  /** How many partitions may have more clusters not ready than their limit before later ones have to wait. @default 0 */
  readonly maxUnavailablePartitions?: IntOrPercent;
  /** BundleDeployments that one reconcile creates; it holds nothing back. From Fleet 0.16. @default 50 */
  readonly maxNew?: number;
  /** Which clusters roll out together, and in which order. @default - one partition, from 200 clusters on four, formed by Fleet */
  readonly partitions?: PartitionsIntent;
  /** A last partition for the clusters that no other matches, which Fleet would never install nor update. @default true */
  readonly catchAll?: boolean;
  /**
   * Every cluster of a partition must be ready on the new version before the next partition begins, in an install and in an update.
   *
   * Written as a gate behind each partition: the same clusters again, with maxUnavailable 0. It needs partitions by hand.
   *
   * @default false
   */
  readonly fullReadiness?: boolean;
  /**
   * How many clusters may pull images at once at most, in an install and in an update; at least 2, or 1 with `fullReadiness`.
   *
   * A tenth of it, 1 at least, is maxUnavailable: so many stragglers a partition may leave behind when the next begins,
   * and so many clusters an update takes at once. The rest is the size of automatic partitions, which an install takes whole;
   * partitions by hand are held to it, for which they need an inventory.
   *
   * @default - no limit
   */
  readonly maxConcurrentPulls?: number;
}

/** The ClusterGroups that partitions bring along. */
export function listPartitionGroups({ partitions = [] }: FleetRolloutProps): readonly ClusterGroupProps[] {
  const list = isManual(partitions) ? partitions : partitions.kind === 'canary' ? (partitions.then ?? []) : [];
  return list.flatMap(({ group }) => group ?? []);
}

/** A partition, and the partitions whose gates stand behind it: the next one waits until all of those are wholly ready. */
interface RolloutStage {
  readonly partition: PartitionProps;
  readonly waitsFor: readonly PartitionProps[];
}

/** What a limit on concurrent pulls comes to: an install takes a partition of `size` while `stragglers` of the one before still pull. */
interface PullLimits {
  readonly size: number;
  readonly stragglers: number;
}

/** 40 pulls: 4 stragglers, partitions of 36. A partition must hold more than its stragglers, or it could never hold back the next. */
function computePullLimits(pulls: number): PullLimits {
  const stragglers = Math.max(1, Math.floor(pulls / 10));
  return { stragglers, size: Math.max(stragglers + 1, pulls - stragglers) };
}

function isCanary(partitions: PartitionsIntent | undefined): partitions is CanaryPartitions {
  return partitions !== undefined && 'kind' in partitions && partitions.kind === 'canary';
}

function isManual(partitions: PartitionsIntent): partitions is readonly PartitionProps[] {
  return Array.isArray(partitions);
}

/**
 * The rolloutStrategy that an intent means.
 *
 * @param targets the clusters that the bundle is deployed to, where an inventory is given
 * @throws FleetIntentError for an intent that no strategy can carry out.
 */
export function resolveFleetStrategy(
  props: FleetRolloutProps,
  targets: VisibleClusters | undefined,
  behaviour: FleetBehaviour,
): RolloutStrategy {
  rejectContradictions(props);
  const stages = buildStages(props, targets);
  const limits = stages ? resolveManualLimits(props, stages, targets, behaviour) : resolveAutomaticLimits(props);
  const partitions = stages && buildPartitions(stages, limits);
  const { maxUnavailable = limits.maxUnavailable, maxUnavailablePartitions = limits.maxUnavailablePartitions, maxNew } = props;
  return {
    ...(maxUnavailable !== undefined && { maxUnavailable }),
    ...(maxUnavailablePartitions !== undefined && { maxUnavailablePartitions }),
    ...(limits.autoPartitionSize !== undefined && { autoPartitionSize: limits.autoPartitionSize }),
    ...(limits.autoPartitionThreshold !== undefined && { autoPartitionThreshold: limits.autoPartitionThreshold }),
    ...(maxNew !== undefined && { maxNew }),
    ...(partitions && { partitions }),
  };
}

function rejectContradictions({
  maxUnavailable,
  maxUnavailablePartitions,
  fullReadiness,
  maxConcurrentPulls,
  partitions,
}: FleetRolloutProps): void {
  const isGated = fullReadiness === true || isCanary(partitions);
  const subject = fullReadiness === true ? 'fullReadiness' : 'a canary';
  if (isGated && maxUnavailablePartitions !== undefined && maxUnavailablePartitions !== 0) {
    throw new FleetIntentError(
      `${subject} waits for every cluster of a partition, but maxUnavailablePartitions is ${maxUnavailablePartitions}; write 0, or leave it out`,
    );
  }
  if (fullReadiness === true && !(partitions && (isManual(partitions) || isCanary(partitions)))) {
    throw new FleetIntentError(
      'fullReadiness needs partitions by hand: behind those that Fleet forms by itself nothing can wait; ' +
        'write partitionsByLabel, canary or partitions',
    );
  }
  if (maxConcurrentPulls === undefined) return;
  if (maxUnavailable !== undefined || maxUnavailablePartitions !== undefined) {
    throw new FleetIntentError('maxConcurrentPulls sets maxUnavailable and maxUnavailablePartitions; leave those out');
  }
  const minPulls = fullReadiness === true ? 1 : 2;
  if (!Number.isInteger(maxConcurrentPulls) || maxConcurrentPulls < minPulls) {
    throw new FleetIntentError(
      `maxConcurrentPulls is ${maxConcurrentPulls}; write a whole number of at least ${minPulls}` +
        (minPulls === 2 ? ': a partition of one cluster can never hold back the next, unless fullReadiness is set' : ''),
    );
  }
}

/** The partitions by hand, the last one for the rest included; undefined where Fleet forms them. */
function buildStages(
  { partitions, catchAll = true, fullReadiness = false }: FleetRolloutProps,
  targets: VisibleClusters | undefined,
): readonly RolloutStage[] | undefined {
  if (!partitions) return undefined;
  const complete = catchAll ? withCatchAll : (list: readonly PartitionProps[]) => list;
  if (isManual(partitions)) return complete(partitions).map((partition) => ({ partition, waitsFor: fullReadiness ? [partition] : [] }));
  if (!isCanary(partitions)) return undefined;

  const canaries = buildCanaryPartitions(partitions, targets?.clusters);
  const then = partitions.then ?? [];
  const all = complete([...canaries, ...then]);
  return all.map((partition, index) => {
    // Canaries that only their names can tell are released together, and waited for together.
    if (index < canaries.length) return { partition, waitsFor: index === canaries.length - 1 ? canaries : [] };
    // The last partition for the rest leaves the canary out already.
    const isUserDefined = index < canaries.length + then.length;
    const others = isUserDefined ? excludeCanary(partition, canaries[0]!) : partition;
    return { partition: others, waitsFor: fullReadiness ? [others] : [] };
  });
}

type ResolvedLimits = Pick<
  RolloutStrategy,
  'maxUnavailable' | 'maxUnavailablePartitions' | 'autoPartitionSize' | 'autoPartitionThreshold'
> & {
  /** Partitions of no more clusters can't hold back the next by themselves. */
  readonly stragglers?: number;
  /** How many clusters each stage holds, where that matters. */
  readonly counts?: readonly number[];
};

function resolveAutomaticLimits({ partitions, maxConcurrentPulls }: FleetRolloutProps): ResolvedLimits {
  const automatic = partitions && 'kind' in partitions && partitions.kind === 'automatic' ? partitions : undefined;
  if (maxConcurrentPulls === undefined) return { autoPartitionSize: automatic?.size, autoPartitionThreshold: automatic?.from };
  if (automatic?.size !== undefined) throw new FleetIntentError('maxConcurrentPulls sets the size of automatic partitions; leave size out');
  const { size, stragglers } = computePullLimits(maxConcurrentPulls);
  // Fewer clusters than the threshold would be one partition, which an install takes whole.
  return { maxUnavailable: stragglers, maxUnavailablePartitions: 0, autoPartitionSize: size, autoPartitionThreshold: automatic?.from ?? 1 };
}

function resolveManualLimits(
  props: FleetRolloutProps,
  stages: readonly RolloutStage[],
  targets: VisibleClusters | undefined,
  behaviour: FleetBehaviour,
): ResolvedLimits {
  const { maxConcurrentPulls, fullReadiness = false } = props;
  if (maxConcurrentPulls === undefined) return fullReadiness ? { maxUnavailable: 1 } : {};
  if (!targets)
    throw new FleetIntentError(
      'maxConcurrentPulls with partitions by hand needs an inventory, to count their clusters; give one, or use automaticPartitions()',
    );
  const { size, stragglers } = computePullLimits(maxConcurrentPulls);
  const maxClusters = fullReadiness ? maxConcurrentPulls : size;
  const counts = collectManualMembers(
    stages.map(({ partition }) => toPartition(partition)),
    targets,
    behaviour,
  ).map((members) => members.length);
  counts.forEach((count, index) => {
    if (count <= maxClusters) return;
    const name = stages[index]!.partition.name ?? buildFieldPath('partitions', index);
    throw new FleetIntentError(
      `partition ${name} holds ${count} clusters, which an install takes at once, ` +
        `and maxConcurrentPulls ${maxConcurrentPulls} allows ${maxClusters}; split it by another label, or use automaticPartitions()`,
    );
  });
  return { maxUnavailable: stragglers, maxUnavailablePartitions: 0, stragglers, counts };
}

function toPartition({ group, ...partition }: PartitionProps): Partition {
  return group ? { ...partition, clusterGroup: group.name } : partition;
}

/** The partitions as Fleet reads them, gates included; nothing waits for the last one. */
function buildPartitions(stages: readonly RolloutStage[], { stragglers = 0, counts = [] }: ResolvedLimits): Partition[] {
  return stages.flatMap(({ partition, waitsFor }, index) => {
    const count = counts[index] ?? 0;
    const isTooSmall = count > 0 && count <= stragglers && waitsFor.length === 0;
    const waitedFor = index === stages.length - 1 ? [] : isTooSmall ? [partition] : waitsFor;
    return [toPartition(partition), ...waitedFor.map((other) => createPartitionGate(toPartition(other)))];
  });
}

import { buildFieldPath } from '../../core/manifest/field-path';
import type { IntOrPercent } from '../../core/values/int-or-percent';
import type { FleetBehaviour } from './behaviour';
import { buildCanaryPartitions, excludeCanary } from './canary';
import type { VisibleClusters } from './clusters';
import { createPartitionGate } from './partition-gates';
import { FleetIntentError, withCatchAll } from './partition-intents';
import type { CanaryPartitions, ClusterGroupProps, PartitionProps, PartitionsIntent } from './partition-intents';
import { collectManualMembers } from './partitions';
import type { Partition, RolloutStrategy } from './types';

/** Props for how a bundle is rolled out to its clusters. */
export interface FleetRolloutProps {
  /**
   * Maximum number of clusters that may be updating or not ready at once.
   *
   * @default - 1 with `fullReadiness`, otherwise Fleet's default of 100%
   */
  readonly maxUnavailable?: IntOrPercent;
  /** Maximum number of partitions that may exceed their limit of clusters that are not ready before later partitions wait. @default 0 */
  readonly maxUnavailablePartitions?: IntOrPercent;
  /** Number of BundleDeployments that one reconcile creates. It does not delay the rollout. Since Fleet 0.16. @default 50 */
  readonly maxNew?: number;
  /** Partitions of clusters that roll out together, in order. @default - Fleet forms one partition, or four from 200 clusters */
  readonly partitions?: PartitionsIntent;
  /**
   * Whether to add a last partition for clusters that no other partition matches.
   *
   * Fleet would never install or update them.
   *
   * @default true
   */
  readonly catchAll?: boolean;
  /**
   * Whether every cluster of a partition must be ready on the new version before the next partition begins, in an install and in an update.
   *
   * It adds a gate after each partition: the same clusters again, with maxUnavailable 0. It needs manual partitions.
   *
   * @default false
   */
  readonly fullReadiness?: boolean;
  /**
   * Maximum number of clusters that pull images at once, in an install and in an update; at least 2, or 1 with `fullReadiness`.
   *
   * A tenth of it, at least 1, becomes maxUnavailable: the number of stragglers in a partition when the next one begins,
   * and the number of clusters that an update changes at once. The rest becomes the size of automatic partitions, because an
   * install deploys to an entire partition at once. Manual partitions must not be larger, which needs an inventory to check.
   * For 40 pulls, maxUnavailable is 4 and the size is 36.
   *
   * @default - no limit
   */
  readonly maxConcurrentPulls?: number;
  readonly goal?: never;
}

/** What a user wants of an update of a bundle. A limit that is not set is not asked for. */
export interface FleetGoal {
  /** Most clusters that an update changes at once. An install deploys to all clusters of a wave at once. @default - any number */
  readonly atMostClustersAtOnce?: number;
  /** Number of broken clusters after which an update reaches no further cluster. @default - it does not stop */
  readonly stopAfterBroken?: number;
  /** Number of waves: the clusters by name, in partitions of the same size, one after the other. @default - one wave */
  readonly waves?: number;
}

/** A rollout over clusters as a goal. It is resolved at synth for the clusters of the inventory, to partitions and limits. */
export interface FleetGoalIntent {
  /** The goal: `{ atMostClustersAtOnce: 5, stopAfterBroken: 2, waves: 3 }`. */
  readonly goal: FleetGoal;
}

/** Lists the ClusterGroups that partitions define. */
export function listPartitionGroups({ partitions = [] }: FleetRolloutProps): readonly ClusterGroupProps[] {
  const list = isManual(partitions) ? partitions : partitions.kind === 'canary' ? (partitions.then ?? []) : [];
  return list.flatMap(({ group }) => group ?? []);
}

/** A partition, and the partitions whose gates follow it. The next stage waits until all clusters of those are ready. */
interface RolloutStage {
  readonly partition: PartitionProps;
  readonly waitsFor: readonly PartitionProps[];
}

/** Limits for concurrent pulls: an install starts a partition of `size` while `stragglers` of the previous one still pull. */
interface PullLimits {
  readonly size: number;
  readonly stragglers: number;
}

/**
 * Computes the limits: 40 pulls give 4 stragglers and partitions of 36.
 *
 * A partition must be larger than its stragglers, or the next one would never wait.
 */
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
 * Resolves an intent to a rolloutStrategy.
 *
 * @param targets the clusters that the bundle is deployed to, if there is an inventory
 * @throws FleetIntentError for an intent that no strategy can implement.
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
      `${subject} waits for every cluster of a partition, but maxUnavailablePartitions is ${maxUnavailablePartitions}; set it to 0, or remove it`,
    );
  }
  if (fullReadiness === true && !(partitions && (isManual(partitions) || isCanary(partitions)))) {
    throw new FleetIntentError(
      'fullReadiness needs manual partitions, because no partition can wait for one that Fleet forms; ' +
        'use partitionsByLabel, canary or partitions',
    );
  }
  if (maxConcurrentPulls === undefined) return;
  if (maxUnavailable !== undefined || maxUnavailablePartitions !== undefined) {
    throw new FleetIntentError('maxConcurrentPulls sets maxUnavailable and maxUnavailablePartitions; remove those');
  }
  const minPulls = fullReadiness === true ? 1 : 2;
  if (!Number.isInteger(maxConcurrentPulls) || maxConcurrentPulls < minPulls) {
    throw new FleetIntentError(
      `maxConcurrentPulls is ${maxConcurrentPulls}; set an integer of at least ${minPulls}` +
        (minPulls === 2 ? ', because nothing waits for a partition of one cluster unless fullReadiness is set' : ''),
    );
  }
}

/** Builds the manual partitions, including the last one for the rest; undefined if Fleet forms them. */
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
    // Canaries that only their names distinguish are released together, and the next partition waits for all of them.
    if (index < canaries.length) return { partition, waitsFor: index === canaries.length - 1 ? canaries : [] };
    // The last partition for the rest already excludes the canary.
    const isUserDefined = index < canaries.length + then.length;
    const others = isUserDefined ? excludeCanary(partition, canaries[0]!) : partition;
    return { partition: others, waitsFor: fullReadiness ? [others] : [] };
  });
}

type ResolvedLimits = Pick<
  RolloutStrategy,
  'maxUnavailable' | 'maxUnavailablePartitions' | 'autoPartitionSize' | 'autoPartitionThreshold'
> & {
  /** Number of stragglers. Nothing waits for a partition that is not larger, unless it has a gate. */
  readonly stragglers?: number;
  /** Number of clusters in each stage, if needed. */
  readonly counts?: readonly number[];
};

function resolveAutomaticLimits({ partitions, maxConcurrentPulls }: FleetRolloutProps): ResolvedLimits {
  const automatic = partitions && 'kind' in partitions && partitions.kind === 'automatic' ? partitions : undefined;
  if (maxConcurrentPulls === undefined) return { autoPartitionSize: automatic?.size, autoPartitionThreshold: automatic?.from };
  if (automatic?.size !== undefined) throw new FleetIntentError('maxConcurrentPulls sets the size of automatic partitions; remove size');
  const { size, stragglers } = computePullLimits(maxConcurrentPulls);
  // Below the threshold all clusters would be one partition, and an install would deploy to all of them at once.
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
      'maxConcurrentPulls with manual partitions needs an inventory to count their clusters; pass one, or use automaticPartitions()',
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
      `partition ${name} has ${count} clusters, and an install deploys to all of them at once, ` +
        `but maxConcurrentPulls ${maxConcurrentPulls} allows ${maxClusters}; split it by another label, or use automaticPartitions()`,
    );
  });
  return { maxUnavailable: stragglers, maxUnavailablePartitions: 0, stragglers, counts };
}

function toPartition({ group, ...partition }: PartitionProps): Partition {
  return group ? { ...partition, clusterGroup: group.name } : partition;
}

/** Builds the partitions as Fleet reads them, with their gates. The last one needs no gate. */
function buildPartitions(stages: readonly RolloutStage[], { stragglers = 0, counts = [] }: ResolvedLimits): Partition[] {
  return stages.flatMap(({ partition, waitsFor }, index) => {
    const count = counts[index] ?? 0;
    const isTooSmall = count > 0 && count <= stragglers && waitsFor.length === 0;
    const waitedFor = index === stages.length - 1 ? [] : isTooSmall ? [partition] : waitsFor;
    return [toPartition(partition), ...waitedFor.map((other) => createPartitionGate(toPartition(other)))];
  });
}

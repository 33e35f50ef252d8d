import { MAX_ROWS, shownRows } from '../../core/simulations/shown-rows';
import type { FleetSimulation, FleetWaves } from '../../core/simulations/fleet';
import type { ReachedClusters } from '../../cluster/starting-point';
import type { FleetBehaviour } from './behaviour';
import type { FleetCluster, VisibleClusters } from './clusters';
import { resolveLimit } from './limit';
import { partitionTargets } from './partitions';
import type { TargetPartition } from './partitions';
import { rollOut } from './rollout-loop';
import type { RolloutOutcome, RolloutSetting } from './rollout-loop';
import type { RolloutStrategy } from './types';

/** BundleDeployments that one reconcile creates unless the strategy says otherwise. */
export const DEFAULT_MAX_NEW = 50;

/** What holds clusters back besides the limits. */
export interface Holds {
  /** The bundle is paused. */
  readonly paused: boolean;
  /** Is this a cluster that never gets ready once it is released? */
  isNeverReady(cluster: FleetCluster): boolean;
  /** Is this a cluster that is not ready now, and stays so? It holds a place from the start. */
  isNotReadyNow(cluster: FleetCluster): boolean;
  /** The clusters that a change reaches. @default - all of them, be it an install or an update */
  readonly reached?: ReachedClusters;
}

/** A bundle's rollout: its targets in partitions, with every limit as the number that the controller uses. */
export interface FleetRollout {
  /** By name. */
  readonly targets: readonly FleetCluster[];
  readonly partitions: readonly TargetPartition[];
  /** Positions of the targets in no partition. */
  readonly unpartitioned: readonly number[];
  readonly maxUnavailable: number;
  readonly maxUnavailablePartitions: number;
  readonly maxNew: number;
}

/**
 * Resolves a strategy for the targets that it is about.
 *
 * @param targets the clusters that the bundle is deployed to
 * @throws FleetLimitError for a limit that the controller refuses.
 */
export function resolveRollout(written: RolloutStrategy, targets: VisibleClusters, behaviour: FleetBehaviour): FleetRollout {
  // The controller takes the strategy from the bundle of the first target: no target, no strategy.
  const count = targets.clusters.length;
  const strategy = count === 0 ? {} : written;
  const partitions = partitionTargets(strategy, targets, behaviour);
  return {
    targets: targets.clusters,
    partitions,
    unpartitioned: positionsInNone(partitions, count),
    maxUnavailable: resolveLimit(count, [strategy.maxUnavailable], behaviour),
    maxUnavailablePartitions: resolveLimit(partitions.length, [strategy.maxUnavailablePartitions, 0], behaviour),
    maxNew: strategy.maxNew ?? DEFAULT_MAX_NEW,
  };
}

function positionsInNone(partitions: readonly TargetPartition[], targets: number): number[] {
  const inSome = new Uint8Array(targets);
  for (const { members } of partitions) for (const member of members) inSome[member] = 1;
  const inNone: number[] = [];
  inSome.forEach((is, position) => {
    if (is === 0) inNone.push(position);
  });
  return inNone;
}

/**
 * What Fleet's controller does with a bundle that is new on every cluster, and with a change to one that is ready everywhere,
 * but for the clusters that are down now.
 *
 * Source: rancher/fleet v0.16.1 internal/cmd/controller/target/partition.go `UpdatePartitions`, reconcile by reconcile.
 */
export function simulateFleet(rollout: FleetRollout, holds: Holds): FleetSimulation {
  const { targets, partitions, unpartitioned } = rollout;
  const listed = namesOf(targets);
  const setting = settingOf(rollout, holds);
  const { updates, installs } = holds.reached ?? {};
  const shown = shownRows(partitions.length);
  return {
    kind: 'fleet',
    partitions: shown.rows.map((row) => {
      const { name, members, maxUnavailable } = partitions[row]!;
      return { name, count: members.length, maxUnavailable: Math.max(0, maxUnavailable), ...(listed && { clusters: listed(members) }) };
    }),
    unpartitionedCount: unpartitioned.length,
    ...(listed && { unpartitioned: listed(unpartitioned) }),
    // Limits below 0, which Fleet holds to 0 only since v0.13, let as little through as 0.
    maxUnavailable: Math.max(0, rollout.maxUnavailable),
    maxUnavailablePartitions: Math.max(0, rollout.maxUnavailablePartitions),
    maxNew: Math.max(0, rollout.maxNew),
    install: wavesOf(rollOut('install', reaching(setting, targets, installs)), unpartitioned.length, listed),
    update: wavesOf(rollOut('update', reaching(setting, targets, updates)), unpartitioned.length, listed),
    ...(shown.elided > 0 && { elided: shown.elided }),
  };
}

/** How many clusters an update reaches if none of them ever gets ready with it. */
export function reachOfBrokenUpdate(rollout: FleetRollout, holds: Holds): number {
  const setting = { ...settingOf(rollout, { ...holds, isNeverReady: () => true }), listsTargets: false };
  const { waves } = rollOut('update', reaching(setting, rollout.targets, holds.reached?.updates));
  return waves.reduce((sum, { count }) => sum + count, 0);
}

/** 1 where something is so. `Uint8Array.from` would make a list first, of what may be a million. */
function flagsOf(targets: readonly FleetCluster[], isSo: (cluster: FleetCluster) => boolean): Uint8Array {
  const flags = new Uint8Array(targets.length);
  targets.forEach((cluster, position) => {
    if (isSo(cluster)) flags[position] = 1;
  });
  return flags;
}

function settingOf(rollout: FleetRollout, holds: Holds): RolloutSetting {
  const { targets } = rollout;
  const down = flagsOf(targets, (cluster) => holds.isNotReadyNow(cluster));
  const paused = flagsOf(targets, (cluster) => holds.paused || cluster.paused === true);
  return {
    ...rollout,
    targets: targets.length,
    listsTargets: targets.length <= MAX_ROWS,
    isPaused: (position) => paused[position] === 1,
    isNeverReady: (position) => holds.isNeverReady(targets[position]!),
    isDown: (position) => down[position] === 1,
  };
}

/** The setting where only some clusters are reached: all others have what they are to have. */
function reaching(setting: RolloutSetting, targets: readonly FleetCluster[], names: readonly string[] | undefined): RolloutSetting {
  if (!names) return setting;
  const reached = new Set(names);
  return { ...setting, isUpToDate: (position) => !reached.has(targets[position]!.name) };
}

/** Names of targets by position; undefined where there are too many to list. */
function namesOf(targets: readonly FleetCluster[]): ((positions: readonly number[]) => string[]) | undefined {
  return targets.length <= MAX_ROWS ? (positions) => positions.map((position) => targets[position]!.name) : undefined;
}

function wavesOf(outcome: RolloutOutcome, unpartitioned: number, listed: ReturnType<typeof namesOf>): FleetWaves {
  const { waves, notReleased } = outcome;
  const shown = shownRows(waves.length);
  return {
    waves: shown.rows.map((row) => {
      const { count, released } = waves[row]!;
      return { count, ...(listed && { clusters: listed(released) }) };
    }),
    done: notReleased.length === 0,
    halted: notReleased.length === unpartitioned ? null : outcome.end,
    notReleasedCount: notReleased.length,
    ...(listed && { notReleased: listed(notReleased) }),
    ...(shown.elided > 0 && { elided: shown.elided }),
  };
}

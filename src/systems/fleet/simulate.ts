import { MAX_LISTED_ROWS, selectVisibleRows } from '../../core/simulations/row-limit';
import type { FleetSimulation, FleetWaves } from '../../core/simulations/fleet';
import type { ReachedClusters } from '../../cluster/rollout/initial-state';
import type { FleetBehaviour } from './behaviour';
import type { FleetCluster, VisibleClusters } from './clusters';
import { resolveLimit } from './limit';
import { splitTargets } from './partitions';
import type { TargetPartition } from './partitions';
import { runRollout } from './rollout-loop';
import type { RolloutLoopResult, RolloutSettings } from './rollout-loop';
import type { RolloutStrategy } from './types';

/** Default number of BundleDeployments that one reconcile creates. */
export const DEFAULT_MAX_NEW = 50;

/** Conditions other than the limits that delay clusters. */
export interface BlockedClusters {
  /** Whether the bundle is paused. */
  readonly paused: boolean;
  /** Reports whether a cluster never becomes ready once it is released. */
  isNeverReady(cluster: FleetCluster): boolean;
  /** Reports whether a cluster is not ready now and stays so. It counts as unavailable from the start. */
  isNotReadyNow(cluster: FleetCluster): boolean;
  /** Names of the clusters to which the bundle is released, but where it waits for another one. They do not become ready. */
  readonly waiting: { readonly install: ReadonlySet<string>; readonly update: ReadonlySet<string> };
  /** The clusters that a change reaches. @default - all of them, for an install and for an update */
  readonly changedClusters?: ReachedClusters;
}

/** A bundle's rollout: its targets in partitions, with every limit resolved to a number. */
export interface FleetRollout {
  /** Targets, sorted by name. */
  readonly targets: readonly FleetCluster[];
  readonly partitions: readonly TargetPartition[];
  /** Positions of the targets in no partition. */
  readonly unpartitioned: readonly number[];
  readonly maxUnavailable: number;
  readonly maxUnavailablePartitions: number;
  readonly maxNew: number;
}

/**
 * Resolves a strategy for its targets.
 *
 * @param targets the clusters that the bundle is deployed to
 * @throws FleetLimitError for a limit that the controller refuses.
 */
export function resolveFleetRollout(configured: RolloutStrategy, targets: VisibleClusters, behaviour: FleetBehaviour): FleetRollout {
  // The controller reads the strategy from the first target's bundle, so without targets there is none.
  const count = targets.clusters.length;
  const strategy = count === 0 ? {} : configured;
  const partitions = splitTargets(strategy, targets, behaviour);
  return {
    targets: targets.clusters,
    partitions,
    unpartitioned: findUnpartitioned(partitions, count),
    maxUnavailable: resolveLimit(count, [strategy.maxUnavailable], behaviour),
    maxUnavailablePartitions: resolveLimit(partitions.length, [strategy.maxUnavailablePartitions, 0], behaviour),
    maxNew: strategy.maxNew ?? DEFAULT_MAX_NEW,
  };
}

function findUnpartitioned(partitions: readonly TargetPartition[], targets: number): number[] {
  const isPartitioned = new Uint8Array(targets);
  for (const { members } of partitions) for (const member of members) isPartitioned[member] = 1;
  const unassigned: number[] = [];
  isPartitioned.forEach((flag, position) => {
    if (flag === 0) unassigned.push(position);
  });
  return unassigned;
}

/**
 * Simulates what Fleet's controller does with a bundle that is new on every cluster, and with a change to a bundle that is ready
 * everywhere except on clusters that are down now.
 *
 * Source: rancher/fleet v0.16.1 internal/cmd/controller/target/partition.go `UpdatePartitions`, reconcile by reconcile.
 */
export function simulateFleet(rollout: FleetRollout, blockers: BlockedClusters): FleetSimulation {
  const { targets, partitions, unpartitioned } = rollout;
  const listNames = createNameLister(targets);
  const settings = buildSettings(rollout, blockers);
  const { updates, installs } = blockers.changedClusters ?? {};
  const simulateWaves = (time: 'install' | 'update', changed: readonly string[] | undefined) => {
    const isWaiting = (position: number) => blockers.waiting[time].has(targets[position]!.name);
    const isNeverReady = (position: number) => isWaiting(position) || settings.isNeverReady(position);
    const outcome = runRollout(time, limitToClusters({ ...settings, isNeverReady }, targets, changed));
    return buildWaves(blockers.waiting[time].size === 0 ? outcome : withoutWaiting(outcome, isWaiting), unpartitioned.length, listNames);
  };
  const shown = selectVisibleRows(partitions.length);
  const members = shown.rows.reduce((sum, row) => sum + partitions[row]!.members.length, 0);
  const listMembers = members <= MAX_LISTED_MEMBERS ? listNames : undefined;
  return {
    kind: 'fleet',
    partitions: shown.rows.map((row) => {
      const { name, members: own, maxUnavailable } = partitions[row]!;
      return {
        name,
        count: own.length,
        maxUnavailable: Math.max(0, maxUnavailable),
        ...(listMembers && { clusters: listMembers(own) }),
      };
    }),
    unpartitionedCount: unpartitioned.length,
    ...(listNames && { unpartitioned: listNames(unpartitioned) }),
    // Fleet clamps negative limits to 0 only since v0.13, but they release as little as 0.
    maxUnavailable: Math.max(0, rollout.maxUnavailable),
    maxUnavailablePartitions: Math.max(0, rollout.maxUnavailablePartitions),
    maxNew: Math.max(0, rollout.maxNew),
    install: simulateWaves('install', installs),
    update: simulateWaves('update', updates),
    ...(shown.elided > 0 && { elided: shown.elided }),
  };
}

/** Computes how many clusters an update reaches if none of them ever becomes ready. */
export function computeFleetBlastRadius(rollout: FleetRollout, blockers: BlockedClusters): number {
  const settings = { ...buildSettings(rollout, { ...blockers, isNeverReady: () => true }), listsTargets: false };
  const { waves } = runRollout('update', limitToClusters(settings, rollout.targets, blockers.changedClusters?.updates));
  return waves.reduce((sum, { count }) => sum + count, 0);
}

/** Returns 1 for each cluster that meets the predicate. `Uint8Array.from` would first create a list of up to a million entries. */
function buildFlags(targets: readonly FleetCluster[], predicate: (cluster: FleetCluster) => boolean): Uint8Array {
  const flags = new Uint8Array(targets.length);
  targets.forEach((cluster, position) => {
    if (predicate(cluster)) flags[position] = 1;
  });
  return flags;
}

function buildSettings(rollout: FleetRollout, blockers: BlockedClusters): RolloutSettings {
  const { targets } = rollout;
  const down = buildFlags(targets, (cluster) => blockers.isNotReadyNow(cluster));
  const paused = buildFlags(targets, (cluster) => blockers.paused || cluster.paused === true);
  return {
    ...rollout,
    targets: targets.length,
    listsTargets: targets.length <= MAX_LISTED_ROWS || blockers.waiting.install.size > 0 || blockers.waiting.update.size > 0,
    isPaused: (position) => paused[position] === 1,
    isNeverReady: (position) => blockers.isNeverReady(targets[position]!),
    isDown: (position) => down[position] === 1,
  };
}

/** Limits the settings to some clusters. All others count as up to date. */
function limitToClusters(
  settings: RolloutSettings,
  targets: readonly FleetCluster[],
  names: readonly string[] | undefined,
): RolloutSettings {
  if (!names) return settings;
  const changed = new Set(names);
  return { ...settings, isUpToDate: (position) => !changed.has(targets[position]!.name) };
}

/** Creates a function that returns target names by position; undefined if there are too many targets to list. */
function createNameLister(targets: readonly FleetCluster[]): ((positions: readonly number[]) => string[]) | undefined {
  return targets.length <= MAX_LISTED_ROWS ? (positions) => positions.map((position) => targets[position]!.name) : undefined;
}

/** Moves the targets that wait for another bundle from the waves to those without the change: their agents do not deploy it. */
function withoutWaiting({ waves, notReleased, end }: RolloutLoopResult, isWaiting: (position: number) => boolean): RolloutLoopResult {
  const deployed = waves.map(({ released }) => released.filter((position) => !isWaiting(position)));
  const waiting = waves.flatMap(({ released }) => released.filter(isWaiting));
  return {
    waves: deployed.filter((released) => released.length > 0).map((released) => ({ count: released.length, released })),
    notReleased: [...notReleased, ...waiting].toSorted((a, b) => a - b),
    end,
  };
}

/** Maximum number of names that the partitions of a bundle list together. Each partition may match every cluster. */
const MAX_LISTED_MEMBERS = 2 * MAX_LISTED_ROWS;

function buildWaves(outcome: RolloutLoopResult, unpartitioned: number, listNames: ReturnType<typeof createNameLister>): FleetWaves {
  const { waves, notReleased } = outcome;
  const shown = selectVisibleRows(waves.length);
  return {
    waves: shown.rows.map((row) => {
      const { count, released } = waves[row]!;
      return { count, ...(listNames && { clusters: listNames(released) }) };
    }),
    done: notReleased.length === 0,
    halted: notReleased.length === unpartitioned ? null : outcome.end,
    notReleasedCount: notReleased.length,
    ...(listNames && { notReleased: listNames(notReleased) }),
    ...(shown.elided > 0 && { elided: shown.elided }),
  };
}

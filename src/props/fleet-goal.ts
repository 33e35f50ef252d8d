import { GoalError, requireKnownGoalFields } from '../advise/goal';
import type { UnmetLimit } from '../core/document/advice';
import { describeValue } from '../core/text/display-value';
import { IntentError } from '../core/errors/intent-error';
import { isInt32 } from '../core/values/int-or-percent';
import { findMax } from '../core/values/min-max';
import type { PlannedRollout } from '../core/document/rollout';
import type { FleetSimulation } from '../core/simulations/fleet';
import { pluralize } from '../core/text/text-format';
import type { FleetGoal, FleetGoalIntent, FleetRolloutProps } from '../systems/fleet/rollout-intent';
import { automaticPartitions } from './partitions';
import { createUnmetGoalError, runGoalResolution } from './unmet-goal';

const GOAL_FIELDS = ['atMostClustersAtOnce', 'stopAfterBroken', 'waves'] as const satisfies readonly (keyof FleetGoal)[];

/** Reads a goal. @throws GoalError for a value that is not a number of clusters or waves */
function readGoal(goal: FleetGoal): FleetGoal {
  requireKnownGoalFields(goal, GOAL_FIELDS);
  for (const field of GOAL_FIELDS) {
    const value = goal[field];
    if (value === undefined || (isInt32(value) && value >= 0)) continue;
    throw new GoalError(field, `${describeValue(value)} is not a number of ${field === 'waves' ? 'waves' : 'clusters'}; write 3`);
  }
  return goal;
}

/** Formats a goal: `at most 5 clusters at once, stop after 2 broken clusters, 3 waves`. */
function formatFleetGoal({ atMostClustersAtOnce, stopAfterBroken, waves }: FleetGoal): string {
  return [
    ...(atMostClustersAtOnce === undefined ? [] : [`at most ${pluralize(atMostClustersAtOnce, 'cluster')} at once`]),
    ...(stopAfterBroken === undefined ? [] : [`stop after ${pluralize(stopAfterBroken, 'broken cluster')}`]),
    ...(waves === undefined ? [] : [pluralize(waves, 'wave')]),
  ].join(', ');
}

/** Plans the bundle with a rollout in numbers. Clusters break with the update if `isBroken`. */
export type BundlePlanner = (rollout: FleetRolloutProps, isBroken: boolean) => PlannedRollout | undefined;

/** What the simulations of an update show. */
interface UpdateFigures {
  /** Number of targeted clusters. */
  readonly clusters: number;
  /** Number of partitions. */
  readonly waves: number;
  /** Most clusters that are updated at once. */
  readonly atOnce: number;
  /** Clusters that have the new version when the update stops, if it breaks all of them. */
  readonly broken: number;
  /** Whether it finishes if it breaks none. */
  readonly isDone: boolean;
}

function simulationOf(rollout: PlannedRollout | undefined): FleetSimulation | undefined {
  return rollout?.simulation?.kind === 'fleet' ? rollout.simulation : undefined;
}

/** Simulates an update twice: without broken clusters, and with only broken ones. Returns undefined if the bundle is refused. */
function evaluate(rollout: FleetRolloutProps, plan: BundlePlanner): UpdateFigures | undefined {
  const healthy = simulationOf(plan(rollout, false));
  const broken = simulationOf(plan(rollout, true));
  if (!healthy || !broken) return undefined;
  const { partitions, unpartitionedCount, update } = healthy;
  return {
    clusters: partitions.reduce((sum, { count }) => sum + count, unpartitionedCount),
    waves: partitions.length,
    atOnce: findMax(
      update.waves.map(({ count }) => count),
      0,
    ),
    broken: broken.update.waves.reduce((sum, { count }) => sum + count, 0),
    isDone: update.done,
  };
}

/** Builds the rollout in numbers: partitions of the same size, and at most `maxUnavailable` clusters that are updated or broken at once. */
function buildRollout(maxUnavailable: number, size: number | undefined): FleetRolloutProps {
  return { maxUnavailable, ...(size !== undefined && { maxUnavailablePartitions: 0, partitions: automaticPartitions({ size, from: 1 }) }) };
}

/** Returns the number of partitions of a size. */
function countPartitions(clusters: number, size: number): number {
  return Math.ceil(clusters / size);
}

/** Returns the numbers of partitions closest to a wanted one that an equal size can give: 10 clusters have no 6 partitions, but 5 and 10. */
function findClosestWaves(clusters: number, waves: number): number {
  const possible = [...new Set(Array.from({ length: clusters }, (_, index) => countPartitions(clusters, index + 1)))];
  return possible.reduce((closest, count) => (Math.abs(count - waves) < Math.abs(closest - waves) ? count : closest));
}

function unmetLimit(limit: keyof FleetGoal, wanted: number, closest: number | null, because?: string): UnmetLimit {
  return { limit, wanted, closest, ...(because !== undefined && { because }) };
}

/** A goal in numbers. */
export interface ResolvedFleetGoal {
  readonly limits: FleetRolloutProps;
  /** `goal: at most 5 clusters at once, 3 waves` */
  readonly reason: string;
}

/**
 * Resolves a goal for the clusters of an inventory.
 *
 * Fleet releases no further cluster of an update while `maxUnavailable` clusters are being updated or broken. The smaller one of
 * `atMostClustersAtOnce` and `stopAfterBroken` is therefore the limit. It stays below the size of a wave, so that the next wave waits.
 * Two simulations confirm it: one without broken clusters, and one in which every cluster breaks.
 *
 * @param hasInventory - whether the clusters are known
 * @throws IntentError for a goal that cannot be read, or that no rollout meets
 */
export function resolveFleetGoal({ goal, ...others }: FleetGoalIntent, hasInventory: boolean, plan: BundlePlanner): ResolvedFleetGoal {
  const prop = 'rollout.goal';
  const [beside] = Object.keys(others);
  if (beside !== undefined) throw new IntentError(`rollout.${beside} is set next to ${prop}, which decides it: delete one of them`);
  runGoalResolution(prop, () => readGoal(goal));
  const text = formatFleetGoal(goal);
  if (text === '') throw new IntentError(`${prop} has no limit: write atMostClustersAtOnce, stopAfterBroken or waves`);
  if (!hasInventory) throw new IntentError(`${prop} needs the clusters: set inventory, such as Inventory.fromFile('clusters.yaml')`);
  const { atMostClustersAtOnce = Infinity, stopAfterBroken = Infinity, waves } = goal;
  const clusters = evaluate(buildRollout(1, undefined), plan)?.clusters;
  // The findings of the plan say why it is refused.
  if (clusters === undefined) return { limits: buildRollout(1, undefined), reason: `goal: ${text}` };
  if (clusters === 0)
    throw new IntentError(
      `${prop} cannot be resolved: the targets match none of the clusters of the inventory in the namespace of the bundle; write targets that match, or the namespace of the clusters`,
    );
  const refuse = (unmet: readonly UnmetLimit[]) =>
    createUnmetGoalError({ prop, tried: 'rollout', goal: text, subject: pluralize(clusters, 'cluster'), unmet });
  const tooSmall = (['atMostClustersAtOnce', 'stopAfterBroken', 'waves'] as const).filter((field) => goal[field] === 0);
  if (tooSmall.length > 0)
    throw refuse(tooSmall.map((field) => unmetLimit(field, 0, 1, 'Fleet updates no cluster at all with a limit of 0.')));

  const size = waves === undefined ? undefined : Math.ceil(clusters / waves);
  if (waves !== undefined && size !== undefined && countPartitions(clusters, size) !== waves) {
    const because = 'All waves of a goal have the same number of clusters, except for the last one.';
    throw refuse([unmetLimit('waves', waves, findClosestWaves(clusters, waves), because)]);
  }
  const largest = Math.min(atMostClustersAtOnce, stopAfterBroken, clusters, size !== undefined && size > 1 ? size - 1 : Infinity);
  // Waves of one cluster follow from the limit alone, and nothing would wait for such partitions.
  const isOneByOne = size === 1;
  const limits = buildRollout(isOneByOne ? 1 : largest, isOneByOne ? undefined : size);
  const found = evaluate(limits, plan);
  const resolved = { limits, reason: `goal: ${text}` };
  if (!found) return resolved;
  if (!found.isDone || found.broken > stopAfterBroken || found.atOnce > atMostClustersAtOnce) {
    const limit = stopAfterBroken <= atMostClustersAtOnce ? 'stopAfterBroken' : 'atMostClustersAtOnce';
    const because = 'Clusters that are down or paused now hold the update back.';
    throw refuse([unmetLimit(limit, goal[limit] ?? largest, findEnough(clusters, size, plan), because)]);
  }
  if (waves !== undefined && !isOneByOne && found.waves !== waves) {
    throw refuse([unmetLimit('waves', waves, found.waves, 'This version of Fleet forms no partitions for so few clusters.')]);
  }
  return resolved;
}

/** Returns the smallest limit with which the update finishes, although clusters are down. Returns null if none. */
function findEnough(clusters: number, size: number | undefined, plan: BundlePlanner): number | null {
  for (let limit = 1; limit <= clusters; limit++) if (evaluate(buildRollout(limit, size), plan)?.isDone) return limit;
  return null;
}

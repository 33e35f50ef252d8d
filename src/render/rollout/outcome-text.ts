import { formatSeconds } from '../../core/document/goal-text';
import { findMax } from '../../core/values/min-max';
import type { PlannedRollout } from '../../core/document/rollout';
import type { ArgoRolloutSimulation } from '../../core/simulations/argo-rollout';
import type { DaemonSetSimulation } from '../../core/simulations/daemonset';
import type { DeploymentSimulation } from '../../core/simulations/deployment';
import type { FleetSimulation } from '../../core/simulations/fleet';
import type { DisaggregatedSetSimulation } from '../../core/simulations/disaggregatedset';
import type { LeaderWorkerSetSimulation } from '../../core/simulations/leaderworkerset';
import type { RayServiceSimulation } from '../../core/simulations/rayservice';
import type { RevisionSimulation } from '../../core/simulations/revision';
import type { Simulation } from '../../core/simulations/simulation';
import type { RollingSyncSimulation } from '../../core/simulations/rolling-sync';
import type { StatefulSetSimulation } from '../../core/simulations/statefulset';
import { pluralize } from '../../core/text/text-format';
import { formatRolesHalt } from './disaggregatedset';
import { isRefused, isRunByOther, REFUSED_TEXT } from './strategy';
import { escapeForTerminal } from '../../core/text/escape-output';

/** Outcome of a rollout, in one line. */
export interface RolloutOutcomeText {
  readonly text: string;
  /** Whether the rollout never finishes. */
  readonly isStuck: boolean;
}

const toFinished = (text: string): RolloutOutcomeText => ({ text, isStuck: false });
const toStuck = (text: string): RolloutOutcomeText => ({ text, isStuck: true });

function formatAvailability(minAvailable: number): string {
  return minAvailable === 0 ? 'none available at the worst moment' : `at least ${minAvailable} available`;
}

function formatWaveCount(waves: readonly unknown[], elided = 0): string {
  return pluralize(waves.length + elided, 'wave');
}

function describeDeploymentOutcome({ replicas, waves, elided, peakPods, minAvailable }: DeploymentSimulation): RolloutOutcomeText {
  if (replicas === 0) return toFinished('no replicas: nothing to replace');
  return toFinished(
    `${pluralize(replicas, 'pod')}: ${formatWaveCount(waves, elided)}, peak ${peakPods}, ${formatAvailability(minAvailable)}`,
  );
}

function describeStatefulSetOutcome({
  replicas,
  maxUnavailable,
  batches,
  untouched,
  minAvailable,
  blocked,
}: StatefulSetSimulation): RolloutOutcomeText {
  if (replicas === 0) return toFinished('no replicas: nothing to replace');
  if (blocked) {
    const where = batches.length === 0 ? 'before the first batch' : `after batch ${batches.length}`;
    return toStuck(`deadlocks ${where}: waits for pod ${blocked.ordinal}, which is not ready`);
  }
  if (batches.length === 0) return toFinished(`${pluralize(replicas, 'pod')}: none is replaced`);
  const pace = maxUnavailable === 1 ? 'one by one' : `${maxUnavailable} at a time`;
  const remainder = untouched.length > 0 ? `, ${pluralize(untouched.length, 'pod')} on the old revision` : '';
  return toFinished(`${pluralize(replicas, 'pod')}: ${pace}, ${formatAvailability(minAvailable)}${remainder}`);
}

function describeDaemonSetOutcome({ nodes, waves, elided, peakPods, minAvailable, halted }: DaemonSetSimulation): RolloutOutcomeText {
  if (nodes === 0) return toFinished('no nodes: nothing to replace');
  if (halted?.reason === 'nodes-down')
    return toStuck(
      `halts ${halted.wave === 0 ? 'before the first wave' : `after wave ${halted.wave}`}: nodes that are down use up the limit`,
    );
  if (waves.length === 0) return toFinished(`${pluralize(nodes, 'node')}: none is updated`);
  return toFinished(
    `${pluralize(nodes, 'node')}: ${formatWaveCount(waves, elided)}, peak ${peakPods}, ${formatAvailability(minAvailable)}`,
  );
}

function describeRevisionOutcome({
  replicas,
  waves,
  elided,
  peakPods,
  minAvailable,
  latestTrafficPercent,
  halted,
}: RevisionSimulation): RolloutOutcomeText {
  if (halted) return toStuck(`halts at wave ${halted.wave}: the new Revision does not fit`);
  const traffic = latestTrafficPercent < 100 ? `, ${latestTrafficPercent}% of the requests to the new Revision` : '';
  return toFinished(
    `${pluralize(replicas, 'pod')}: ${formatWaveCount(waves, elided)}, peak ${peakPods}, ${formatAvailability(minAvailable)}${traffic}`,
  );
}

function describeRayServiceOutcome({ outcome, steps, durationSeconds, peakCapacityPercent }: RayServiceSimulation): RolloutOutcomeText {
  if (outcome === 'none') return toFinished('changes are not rolled out');
  if (outcome === 'stalled') return toStuck(`stalls after ${formatSeconds(durationSeconds)}, at row ${steps.length}`);
  return toFinished(`promoted after ${formatSeconds(durationSeconds)}, peak capacity ${peakCapacityPercent}%`);
}

function describeFleetOutcome({ partitions, update }: FleetSimulation): RolloutOutcomeText {
  const { waves, elided = 0, done, halted, notReleasedCount } = update;
  if (halted) {
    const where = halted.partition === null ? '' : ` after partition ${escapeForTerminal(halted.partition)}`;
    return toStuck(`the update halts${where}: ${pluralize(notReleasedCount, 'cluster')} not released`);
  }
  if (waves.length === 0) return toFinished('no cluster is updated');
  const maxClusters = findMax(waves.map(({ count }) => count));
  const remainder = done ? '' : `, ${pluralize(notReleasedCount, 'cluster')} not released`;
  const over = pluralize(partitions.length, 'partition');
  return toFinished(
    `${pluralize(waves.length + elided, 'wave')} over ${over}, up to ${pluralize(maxClusters, 'cluster')} at once${remainder}`,
  );
}

function describeLeaderWorkerSetOutcome({
  replicas,
  waves,
  elided,
  peakGroups,
  minAvailable,
  halted,
}: LeaderWorkerSetSimulation): RolloutOutcomeText {
  if (halted && halted.reason !== 'insufficient-capacity')
    return toStuck(
      `halts ${halted.wave === 0 ? 'before the first wave' : `after wave ${halted.wave}`}: ${pluralize(halted.groups, 'group')} never updated`,
    );
  if (waves.length === 0) return toFinished(`${pluralize(replicas, 'group')}: none is replaced`);
  return toFinished(
    `${pluralize(replicas, 'group')}: ${formatWaveCount(waves, elided)}, peak ${peakGroups}, ${formatAvailability(minAvailable)}`,
  );
}

function describeDisaggregatedSetOutcome(simulation: DisaggregatedSetSimulation): RolloutOutcomeText {
  const { roles, waves, elided, peakPods, minAvailable } = simulation;
  const halt = formatRolesHalt(simulation);
  if (halt !== undefined) return toStuck(halt);
  if (waves.length === 0) return toFinished(`${pluralize(roles.length, 'role')}: no group is replaced`);
  const least = `${formatAvailability(minAvailable)} in each role`;
  return toFinished(`${pluralize(roles.length, 'role')}: ${formatWaveCount(waves, elided)}, peak ${peakPods}, ${least}`);
}

function describeArgoRolloutOutcome({
  replicas,
  waves,
  elided,
  peakPods,
  minAvailable,
  halted,
}: ArgoRolloutSimulation): RolloutOutcomeText {
  if (replicas === 0) return toFinished('no replicas: nothing to replace');
  if (halted?.reason === 'never-promoted') return toStuck(`deadlocks at wave ${halted.wave}: it is never promoted`);
  const waits = halted?.reason === 'promotion' ? `, waits at wave ${halted.wave} until a user promotes it` : '';
  return toFinished(
    `${pluralize(replicas, 'pod')}: ${formatWaveCount(waves, elided)}, peak ${peakPods}, ${formatAvailability(minAvailable)}${waits}`,
  );
}

function describeRollingSyncOutcome({
  applications,
  isStepwise,
  steps,
  waves,
  elided,
  halted,
  unmatchedCount,
}: RollingSyncSimulation): RolloutOutcomeText {
  const size = pluralize(applications, 'Application');
  if (!isStepwise) return toFinished(`${size}: all sync at once`);
  if (halted) return toStuck(`deadlocks at step ${halted.step}`);
  if (unmatchedCount > 0) return toStuck(`${unmatchedCount} of ${size} never synced`);
  return toFinished(`${size} in ${pluralize(steps.length, 'step')}: ${formatWaveCount(waves, elided)}`);
}

type OutcomeDescriber<S extends Simulation> = (simulation: S) => RolloutOutcomeText;

const OUTCOME_DESCRIBERS: { readonly [K in Simulation['kind']]: OutcomeDescriber<Extract<Simulation, { kind: K }>> } = {
  deployment: describeDeploymentOutcome,
  statefulset: describeStatefulSetOutcome,
  daemonset: describeDaemonSetOutcome,
  revision: describeRevisionOutcome,
  rayservice: describeRayServiceOutcome,
  fleet: describeFleetOutcome,
  argorollout: describeArgoRolloutOutcome,
  rollingsync: describeRollingSyncOutcome,
  leaderworkerset: describeLeaderWorkerSetOutcome,
  disaggregatedset: describeDisaggregatedSetOutcome,
};

/** Returns the row, counted from 1, at which a rollout deadlocks for lack of capacity, or undefined if it does not. */
export function findDeadlockRow({ capacity }: PlannedRollout): number | undefined {
  return capacity?.verdict === 'deadlocks' ? capacity.deadlockWave : undefined;
}

/** Mark of a rollout that follows from a map in the configuration. */
export const MAPPED_MARK = 'mapped, not verified';

/** Formats the system of a rollout, and marks the system whose rollouts are mapped: `operator: mapped, not verified`. */
export function formatSystem(system: PlannedRollout['system']): string {
  return system === 'operator' ? `${system}: ${MAPPED_MARK}` : system;
}

/**
 * Describes the outcome of a rollout, and marks it if it is mapped: `3 pods: one by one, at least 2 available; mapped, not verified`.
 */
export function describeRolloutOutcome(rollout: PlannedRollout): RolloutOutcomeText {
  const outcome = describePlannedOutcome(rollout);
  return rollout.mapped ? { ...outcome, text: `${outcome.text}; ${MAPPED_MARK}` } : outcome;
}

/**
 * Describes the outcome of a rollout: `12 pods: 3 waves, peak 15, at least 9 available`.
 *
 * If it never finishes, the text says where it stops. If lack of capacity slows it down, the text says so.
 */
function describePlannedOutcome(rollout: PlannedRollout): RolloutOutcomeText {
  const { simulation, initialState, findings, capacity } = rollout;
  if (!simulation) {
    if (isRefused(rollout)) return toFinished(REFUSED_TEXT);
    if (findings.some(({ severity, suppressed }) => severity === 'error' && !suppressed)) return toFinished('no simulation: see the error');
    return toFinished(initialState && !isRunByOther(rollout) ? 'no pod is replaced' : 'no simulation: see the findings');
  }
  const deadlockRow = findDeadlockRow(rollout);
  if (deadlockRow !== undefined) return toStuck(`deadlocks at ${ROW_NOUNS[simulation.kind]} ${deadlockRow}: its pods do not fit`);
  const outcome = (OUTCOME_DESCRIBERS[simulation.kind] as OutcomeDescriber<Simulation>)(simulation);
  // The figures are those of the rollout with enough capacity.
  return capacity?.verdict === 'slower' && !outcome.isStuck
    ? toFinished(`${outcome.text}; slower, because fewer pods fit at once`)
    : outcome;
}

/** Noun for a row of each simulation. */
const ROW_NOUNS: Readonly<Record<Simulation['kind'], string>> = {
  deployment: 'wave',
  statefulset: 'batch',
  daemonset: 'wave',
  revision: 'wave',
  rayservice: 'row',
  fleet: 'wave',
  argorollout: 'wave',
  rollingsync: 'wave',
  leaderworkerset: 'wave',
  disaggregatedset: 'wave',
};

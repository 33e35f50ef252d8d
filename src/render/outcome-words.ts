import { greatest } from '../core/extremes';
import type { PlannedRollout } from '../core/rollout';
import type { ArgoRolloutSimulation } from '../core/simulations/argo-rollout';
import type { DaemonSetSimulation } from '../core/simulations/daemonset';
import type { DeploymentSimulation } from '../core/simulations/deployment';
import type { FleetSimulation } from '../core/simulations/fleet';
import type { DisaggregatedSetSimulation } from '../core/simulations/disaggregatedset';
import type { LeaderWorkerSetSimulation } from '../core/simulations/leaderworkerset';
import type { RayServiceSimulation } from '../core/simulations/rayservice';
import type { RevisionSimulation } from '../core/simulations/revision';
import type { Simulation } from '../core/simulations/simulation';
import type { RollingSyncSimulation } from '../core/simulations/rolling-sync';
import type { StatefulSetSimulation } from '../core/simulations/statefulset';
import { counted } from '../core/words';
import { rolesHaltText } from './text-disaggregatedset';
import { visible } from '../core/visible';

/** What becomes of a rollout, in the words of one line. */
export interface Outcome {
  readonly text: string;
  /** Does it never end? */
  readonly isStuck: boolean;
}

const ends = (text: string): Outcome => ({ text, isStuck: false });
const stuck = (text: string): Outcome => ({ text, isStuck: true });

function availableText(minAvailable: number): string {
  return minAvailable === 0 ? 'none available at the worst moment' : `at least ${minAvailable} available`;
}

function wavesText(waves: readonly unknown[], elided = 0): string {
  return counted(waves.length + elided, 'wave');
}

function deploymentOutcome({ replicas, waves, elided, peakPods, minAvailable }: DeploymentSimulation): Outcome {
  if (replicas === 0) return ends('no replicas: nothing to replace');
  return ends(`${counted(replicas, 'pod')}: ${wavesText(waves, elided)}, peak ${peakPods}, ${availableText(minAvailable)}`);
}

function statefulSetOutcome({ replicas, maxUnavailable, batches, untouched, minAvailable, blocked }: StatefulSetSimulation): Outcome {
  if (replicas === 0) return ends('no replicas: nothing to replace');
  if (blocked) {
    const where = batches.length === 0 ? 'before anything moves' : `after batch ${batches.length}`;
    return stuck(`stands still ${where}: waits for pod ${blocked.ordinal}, which is not ready`);
  }
  if (batches.length === 0) return ends(`${counted(replicas, 'pod')}: none is replaced`);
  const pace = maxUnavailable === 1 ? 'one by one' : `${maxUnavailable} at a time`;
  const left = untouched.length > 0 ? `, ${counted(untouched.length, 'pod')} on the old revision` : '';
  return ends(`${counted(replicas, 'pod')}: ${pace}, ${availableText(minAvailable)}${left}`);
}

function daemonSetOutcome({ nodes, waves, elided, peakPods, minAvailable, halted }: DaemonSetSimulation): Outcome {
  if (nodes === 0) return ends('no nodes: nothing to replace');
  if (halted?.reason === 'nodes-down')
    return stuck(
      `halts ${halted.wave === 0 ? 'before anything moves' : `after wave ${halted.wave}`}: nodes that are down use up the limit`,
    );
  if (waves.length === 0) return ends(`${counted(nodes, 'node')}: none is updated`);
  return ends(`${counted(nodes, 'node')}: ${wavesText(waves, elided)}, peak ${peakPods}, ${availableText(minAvailable)}`);
}

function revisionOutcome({ replicas, waves, elided, peakPods, minAvailable, latestTrafficPercent, halted }: RevisionSimulation): Outcome {
  if (halted) return stuck(`halts at wave ${halted.wave}: the new Revision finds no room`);
  const traffic = latestTrafficPercent < 100 ? `, ${latestTrafficPercent}% of the requests to the new Revision` : '';
  return ends(`${counted(replicas, 'pod')}: ${wavesText(waves, elided)}, peak ${peakPods}, ${availableText(minAvailable)}${traffic}`);
}

function rayServiceOutcome({ outcome, steps, durationSeconds, peakCapacityPercent }: RayServiceSimulation): Outcome {
  if (outcome === 'none') return ends('changes are not rolled out');
  if (outcome === 'stalled') return stuck(`stalls after ${durationSeconds} s, at row ${steps.length}`);
  return ends(`promoted after ${durationSeconds} s, peak capacity ${peakCapacityPercent}%`);
}

function fleetOutcome({ partitions, update }: FleetSimulation): Outcome {
  const { waves, elided = 0, done, halted, notReleasedCount } = update;
  if (halted) {
    const where = halted.partition === null ? '' : ` after partition ${visible(halted.partition)}`;
    return stuck(`the update halts${where}: ${counted(notReleasedCount, 'cluster')} not released`);
  }
  if (waves.length === 0) return ends('no cluster is updated');
  const most = greatest(waves.map(({ count }) => count));
  const left = done ? '' : `, ${counted(notReleasedCount, 'cluster')} not released`;
  const over = counted(partitions.length, 'partition');
  return ends(`${counted(waves.length + elided, 'wave')} over ${over}, up to ${counted(most, 'cluster')} at once${left}`);
}

function leaderWorkerSetOutcome({ replicas, waves, elided, peakGroups, minAvailable, halted }: LeaderWorkerSetSimulation): Outcome {
  if (halted && halted.reason !== 'no-room')
    return stuck(
      `halts ${halted.wave === 0 ? 'before anything moves' : `after wave ${halted.wave}`}: ${counted(halted.groups, 'group')} never updated`,
    );
  if (waves.length === 0) return ends(`${counted(replicas, 'group')}: none is replaced`);
  return ends(`${counted(replicas, 'group')}: ${wavesText(waves, elided)}, peak ${peakGroups}, ${availableText(minAvailable)}`);
}

function disaggregatedSetOutcome(simulation: DisaggregatedSetSimulation): Outcome {
  const { roles, waves, elided, peakPods, minAvailable } = simulation;
  const halt = rolesHaltText(simulation);
  if (halt !== undefined) return stuck(halt);
  if (waves.length === 0) return ends(`${counted(roles.length, 'role')}: no group is replaced`);
  const least = `${availableText(minAvailable)} of each role`;
  return ends(`${counted(roles.length, 'role')}: ${wavesText(waves, elided)}, peak ${peakPods}, ${least}`);
}

function argoRolloutOutcome({ replicas, waves, elided, peakPods, minAvailable, halted }: ArgoRolloutSimulation): Outcome {
  if (replicas === 0) return ends('no replicas: nothing to replace');
  if (halted?.reason === 'never-promoted') return stuck(`stands at wave ${halted.wave} for good: it is never promoted`);
  const waits = halted?.reason === 'promotion' ? `, stands at wave ${halted.wave} until somebody promotes it` : '';
  return ends(`${counted(replicas, 'pod')}: ${wavesText(waves, elided)}, peak ${peakPods}, ${availableText(minAvailable)}${waits}`);
}

function rollingSyncOutcome({ applications, isStepwise, steps, waves, elided, halted, unmatchedCount }: RollingSyncSimulation): Outcome {
  const size = counted(applications, 'Application');
  if (!isStepwise) return ends(`${size}: all sync at once`);
  if (halted) return stuck(`stands still at step ${halted.step} for good`);
  if (unmatchedCount > 0) return stuck(`${unmatchedCount} of ${size} never synced`);
  return ends(`${size} in ${counted(steps.length, 'step')}: ${wavesText(waves, elided)}`);
}

type OutcomeOf<S extends Simulation> = (simulation: S) => Outcome;

const OUTCOMES: { readonly [K in Simulation['kind']]: OutcomeOf<Extract<Simulation, { kind: K }>> } = {
  deployment: deploymentOutcome,
  statefulset: statefulSetOutcome,
  daemonset: daemonSetOutcome,
  revision: revisionOutcome,
  rayservice: rayServiceOutcome,
  fleet: fleetOutcome,
  argorollout: argoRolloutOutcome,
  rollingsync: rollingSyncOutcome,
  leaderworkerset: leaderWorkerSetOutcome,
  disaggregatedset: disaggregatedSetOutcome,
};

/** The row, counted from 1, at which a rollout stands still for want of room; undefined where it ends. */
export function standstill({ room }: PlannedRollout): number | undefined {
  return room?.verdict === 'deadlocks' ? room.deadlockWave : undefined;
}

/** `12 pods: 3 waves, peak 15, at least 9 available`; of one that never ends where it stands still, and of one that is slower for want of room that it is. */
export function outcomeOf(rollout: PlannedRollout): Outcome {
  const { simulation, start, findings, room } = rollout;
  if (!simulation) {
    if (findings.some(({ severity, suppressed }) => severity === 'error' && !suppressed)) return ends('no simulation: see the error');
    return ends(start ? 'no pod is replaced' : 'no simulation: see the findings');
  }
  const standsAt = standstill(rollout);
  if (standsAt !== undefined) return stuck(`stands still at ${ROW_NAMES[simulation.kind]} ${standsAt}: its pods find no room`);
  const outcome = (OUTCOMES[simulation.kind] as OutcomeOf<Simulation>)(simulation);
  // Its figures are those that it has with room.
  return room?.verdict === 'slower' && !outcome.isStuck ? ends(`${outcome.text}; slower, with room for fewer at once`) : outcome;
}

/** What a row of a simulation is called. */
const ROW_NAMES: Readonly<Record<Simulation['kind'], string>> = {
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

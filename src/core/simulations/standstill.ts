import { greatest, least } from '../extremes';
import type { DaemonSetSimulation } from './daemonset';
import type { DeploymentSimulation } from './deployment';
import type { NoRoomHalt } from './halt';
import type { RayServiceSimulation } from './rayservice';
import type { Simulation } from './simulation';
import type { StatefulSetSimulation } from './statefulset';

type HaltedAt<S extends Simulation> = (simulation: S, wave: number) => S;

function halt(wave: number): NoRoomHalt {
  return { wave, reason: 'no-room' };
}

/** The rows up to one, and how many of those before it are left out. */
function rowsUntil<Row extends { readonly wave: number }>(rows: readonly Row[], wave: number) {
  const waves = rows.filter((row) => row.wave <= wave);
  const elided = wave - waves.length;
  return { waves, ...(elided > 0 && { elided }) };
}

function deployment({ elided: _elided, ...simulation }: DeploymentSimulation, wave: number): DeploymentSimulation {
  const until = rowsUntil(simulation.waves, wave);
  const creating = until.waves.filter(({ newReplicas }, index) => newReplicas > (until.waves[index - 1]?.newReplicas ?? 0));
  const totals = until.waves.map(({ total }) => total);
  const available = until.waves.map((row) => row.available);
  return {
    ...simulation,
    ...until,
    ...(until.elided === undefined && {
      iterations: creating.length,
      peakPods: greatest(totals, simulation.replicas),
      minAvailable: least(available, simulation.replicas),
    }),
    halted: halt(wave),
  };
}

function daemonset({ elided: _elided, ...simulation }: DaemonSetSimulation, wave: number): DaemonSetSimulation {
  return { ...simulation, ...rowsUntil(simulation.waves, wave), halted: halt(wave) };
}

/** What is not reached keeps the old revision. Lists of which ordinals are left out stay as they are. */
function statefulset(simulation: StatefulSetSimulation, wave: number): StatefulSetSimulation {
  if (simulation.elided !== undefined) return { ...simulation, halted: halt(wave) };
  const batches = simulation.batches.slice(0, wave);
  const order = batches.flat();
  const left = simulation.order.slice(order.length);
  return { ...simulation, order, batches, untouched: [...simulation.untouched, ...left.toReversed()], halted: halt(wave) };
}

function rayservice({ rollback: _rollback, ...simulation }: RayServiceSimulation, row: number): RayServiceSimulation {
  const steps = simulation.steps.slice(0, row);
  const changes = (parts: readonly ('activeTargetCapacity' | 'pendingTargetCapacity' | 'activeTraffic' | 'pendingTraffic')[]) =>
    steps.filter((step, index) => index > 0 && parts.some((part) => step[part] !== steps[index - 1]![part])).length;
  return {
    ...simulation,
    outcome: 'stalled',
    steps,
    durationSeconds: steps.at(-1)?.elapsedSeconds ?? 0,
    capacityChanges: changes(['activeTargetCapacity', 'pendingTargetCapacity']),
    trafficShifts: changes(['activeTraffic', 'pendingTraffic']),
    peakCapacityPercent: greatest(
      steps.map(({ activeTargetCapacity, pendingTargetCapacity }) => activeTargetCapacity + pendingTargetCapacity),
      simulation.steps.length === 0 ? simulation.peakCapacityPercent : 0,
    ),
  };
}

/** A kind that is not here has rows that tell it themselves, or pods that nothing is known of. */
const HALTED: { readonly [K in Simulation['kind']]?: HaltedAt<Extract<Simulation, { kind: K }>> } = {
  deployment,
  statefulset,
  daemonset,
  rayservice,
};

/**
 * A rollout that stands still for want of room: its rows up to there, and no happy end.
 *
 * @param wave the row, of a StatefulSet the batch, at which nothing moves any more; counted from 1
 */
export function standingStill<S extends Simulation>(simulation: S, wave: number): S {
  const haltedAt = HALTED[simulation.kind] as HaltedAt<S> | undefined;
  return haltedAt ? haltedAt(simulation, wave) : simulation;
}

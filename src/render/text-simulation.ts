import type { DeploymentSimulation, RayServiceSimulation, Simulation, StatefulSetSimulation } from '../core/rollout';
import type { Palette } from './palette';
import { fleetLines } from './text-fleet';
import { moreText, rowTable } from './text-rows';
import { counted } from './words';

function deploymentLines(simulation: DeploymentSimulation, palette: Palette): string[] {
  const { replicas, waves, iterations, peakPods, minAvailable, elided } = simulation;
  if (replicas === 0) return ['no replicas: nothing to replace'];
  const waveCount = counted(waves.length + (elided ?? 0), 'wave');
  const rows = waves.map(({ wave, newReplicas, oldReplicas, total, available }) =>
    [wave, newReplicas, oldReplicas, total, available].map(String),
  );
  return [
    `${counted(replicas, 'replica')}: ${counted(iterations, 'iteration')} in ${waveCount}, peak ${counted(peakPods, 'pod')}, at least ${minAvailable} available`,
    '',
    ...rowTable(
      ['wave', 'new', 'old', 'total', 'available'],
      rows,
      ['right', 'right', 'right', 'right', 'right'],
      palette,
      moreText(elided, 'wave'),
    ),
  ];
}

/** `7 to 5, 2`: runs of neighbours by their ends. */
function ordinalsText(ordinals: readonly number[]): string {
  const runs: number[][] = [];
  for (const ordinal of ordinals) {
    const run = runs.at(-1);
    const step = run && run.length > 1 ? run[1]! - run[0]! : undefined;
    const last = run?.at(-1);
    if (last !== undefined && Math.abs(ordinal - last) === 1 && (step === undefined || ordinal - last === step)) run!.push(ordinal);
    else runs.push([ordinal]);
  }
  return runs.map((run) => (run.length < 3 ? run.join(', ') : `${run[0]} to ${run.at(-1)}`)).join(', ');
}

function statefulSetLines(simulation: StatefulSetSimulation): string[] {
  const { replicas, partition, maxUnavailable, batches, untouched, minAvailable, elided } = simulation;
  if (replicas === 0) return ['no replicas: nothing to replace'];
  const singly = batches.every((batch) => batch.length === 1);
  const groups = singly ? ordinalsText(batches.flat()) : batches.map((batch) => `[${batch.join(' ')}]`).join(' ');
  return [
    `${counted(replicas, 'replica')}, partition ${partition}, ${maxUnavailable} down at once: at least ${minAvailable} available`,
    ...(batches.length > 0 ? [`replaced in this order${singly ? ', one by one' : ', batch by batch'}: ${groups}`] : []),
    ...(untouched.length > 0 ? [`left on the old revision: ${ordinalsText(untouched)}`] : []),
    ...(elided === undefined ? [] : [moreText(elided, 'ordinal')]),
  ];
}

function rayServiceLines(simulation: RayServiceSimulation, palette: Palette): string[] {
  const { type, outcome, steps, durationSeconds, capacityChanges, trafficShifts, peakCapacityPercent, rollback } = simulation;
  if (outcome === 'none') return [`${type}: changes are not rolled out`];
  const rows = steps.map((step) =>
    [step.elapsedSeconds, step.activeTargetCapacity, step.pendingTargetCapacity, step.activeTraffic, step.pendingTraffic].map(String),
  );
  return [
    `${type}: ${outcome} after ${durationSeconds} s with ${counted(capacityChanges, 'capacity change')} and ${counted(trafficShifts, 'traffic shift')}, peak capacity ${peakCapacityPercent}%`,
    ...(rollback ? [`a rollback from half of the traffic takes ${rollback.durationSeconds} s`] : []),
    '',
    ...rowTable(
      ['seconds', 'old capacity', 'new capacity', 'old traffic', 'new traffic'],
      rows,
      ['right', 'right', 'right', 'right', 'right'],
      palette,
    ),
  ];
}

/** What will happen, as lines: the figures first, then the rows. */
export function simulationLines(simulation: Simulation, palette: Palette): string[] {
  if (simulation.kind === 'deployment') return deploymentLines(simulation, palette);
  if (simulation.kind === 'statefulset') return statefulSetLines(simulation);
  if (simulation.kind === 'rayservice') return rayServiceLines(simulation, palette);
  return fleetLines(simulation, palette);
}

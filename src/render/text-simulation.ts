import type {
  DeploymentSimulation,
  FleetSimulation,
  FleetWaves,
  RayServiceSimulation,
  Simulation,
  StatefulSetSimulation,
} from '../core/rollout';
import { SHOWN_AT_EACH_END } from '../core/rollout';
import type { Palette } from './palette';
import { alignRows } from './table';
import type { Align } from './table';
import { visible } from './visible';
import { counted } from './words';

/** A table with a quiet head; rows that the document leaves out are one line in the middle. */
function table(head: readonly string[], rows: readonly (readonly string[])[], align: readonly Align[], palette: Palette, more = ''): string[] {
  const [headLine, ...lines] = alignRows([head, ...rows], align);
  if (more !== '') lines.splice(SHOWN_AT_EACH_END, 0, palette.quiet(`  ${more}`));
  return [palette.quiet(headLine!), ...lines];
}

function moreText(elided: number | undefined, noun: string): string {
  return elided === undefined ? '' : `… ${elided} more ${elided === 1 ? noun : `${noun}s`} …`;
}

function deploymentLines(simulation: DeploymentSimulation, palette: Palette): string[] {
  const { replicas, waves, iterations, peakPods, minAvailable, elided } = simulation;
  if (replicas === 0) return ['no replicas: nothing to replace'];
  const waveCount = counted(waves.length + (elided ?? 0), 'wave');
  const rows = waves.map(({ wave, newReplicas, oldReplicas, total, available }) => [wave, newReplicas, oldReplicas, total, available].map(String));
  return [
    `${counted(replicas, 'replica')}: ${counted(iterations, 'iteration')} in ${waveCount}, peak ${counted(peakPods, 'pod')}, at least ${minAvailable} available`,
    '',
    ...table(['wave', 'new', 'old', 'total', 'available'], rows, ['right', 'right', 'right', 'right', 'right'], palette, moreText(elided, 'wave')),
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
    ...table(['seconds', 'old capacity', 'new capacity', 'old traffic', 'new traffic'], rows, ['right', 'right', 'right', 'right', 'right'], palette),
  ];
}

function fleetWaveLines(name: string, { waves, done, halted, notReleasedCount, elided }: FleetWaves): string[] {
  const sizes = waves.map(({ count }) => String(count));
  const noun = waves.length === 1 && waves[0]!.count === 1 ? 'cluster' : 'clusters';
  if (elided !== undefined) sizes.splice(SHOWN_AT_EACH_END, 0, moreText(elided, 'wave'));
  const where = halted?.partition == null ? '' : ` after partition ${visible(halted.partition)}`;
  const end = done ? 'done' : halted ? `halts${where}` : 'ends';
  const left = notReleasedCount === 0 ? '' : `, ${counted(notReleasedCount, 'cluster')} not released`;
  return [`${name}: ${sizes.length === 0 ? 'nothing is released' : `${sizes.join(' + ')} ${noun}`}, ${end}${left}`];
}

function fleetLines(simulation: FleetSimulation, palette: Palette): string[] {
  const { partitions, unpartitionedCount, maxUnavailable, maxUnavailablePartitions, install, update, elided } = simulation;
  const rows = partitions.map((partition) => [visible(partition.name), String(partition.count), String(partition.maxUnavailable)]);
  return [
    `at most ${counted(maxUnavailable, 'cluster')} unavailable, and ${counted(maxUnavailablePartitions, 'partition')} over the limit`,
    ...fleetWaveLines('install', install),
    ...fleetWaveLines('update', update),
    ...(unpartitionedCount === 0 ? [] : [`in no partition: ${counted(unpartitionedCount, 'cluster')}`]),
    '',
    ...table(['partition', 'clusters', 'max unavailable'], rows, ['left', 'right', 'right'], palette, moreText(elided, 'partition')),
  ];
}

/** What will happen, as lines: the figures first, then the rows. */
export function simulationLines(simulation: Simulation, palette: Palette): string[] {
  if (simulation.kind === 'deployment') return deploymentLines(simulation, palette);
  if (simulation.kind === 'statefulset') return statefulSetLines(simulation);
  if (simulation.kind === 'rayservice') return rayServiceLines(simulation, palette);
  return fleetLines(simulation, palette);
}

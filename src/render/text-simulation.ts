import type { DaemonSetSimulation, NodesDownHalt } from '../core/simulations/daemonset';
import type { DeploymentSimulation } from '../core/simulations/deployment';
import type { RayServiceSimulation } from '../core/simulations/rayservice';
import type { RevisionSimulation } from '../core/simulations/revision';
import type { Simulation } from '../core/simulations/simulation';
import type { StatefulSetSimulation } from '../core/simulations/statefulset';
import type { Palette } from './palette';
import type { Align } from './table';
import { argoRolloutLines } from './text-argo-rollout';
import { disaggregatedSetLines } from './text-disaggregatedset';
import { fleetLines } from './text-fleet';
import { leaderWorkerSetLines } from './text-leaderworkerset';
import { rollingSyncLines } from './text-rolling-sync';
import { moreText, rowTable } from './text-rows';
import { countedOrNo } from '../core/words';

/** The columns of waves of pods. */
const WAVE_HEAD = ['wave', 'new', 'old', 'total', 'available'];
const WAVE_ALIGN: readonly Align[] = ['right', 'right', 'right', 'right', 'right'];

/** The rows of a rollout that stands still for want of room, up to there; all of any other. */
function rowsUntil<Row extends { readonly wave: number }>(waves: readonly Row[], standsAt: number | undefined): readonly Row[] {
  return standsAt === undefined ? waves : waves.filter(({ wave }) => wave <= standsAt);
}

function standsStill(unit: string, standsAt: number): string {
  return `stands still at ${unit} ${standsAt}, for its pods find no room`;
}

function deploymentLines(simulation: DeploymentSimulation, palette: Palette, standsAt?: number): string[] {
  const { replicas, waves, iterations, peakPods, minAvailable, elided } = simulation;
  if (replicas === 0) return ['no replicas: nothing to replace'];
  if (standsAt !== undefined)
    return standingLines(countedOrNo(replicas, 'replica'), deploymentRows(rowsUntil(waves, standsAt)), palette, standsAt);
  const waveCount = countedOrNo(waves.length + (elided ?? 0), 'wave');
  return [
    `${countedOrNo(replicas, 'replica')}: ${waveCount}${startsText(iterations, waves.length + (elided ?? 0))}, peak ${countedOrNo(peakPods, 'pod')}, at least ${minAvailable} available`,
    '',
    ...rowTable(WAVE_HEAD, deploymentRows(waves), WAVE_ALIGN, palette, { elided, noun: 'wave' }),
  ];
}

/** How many of the waves start pods, where some only wait for old ones to go. */
function startsText(iterations: number, waves: number): string {
  return iterations === waves ? '' : `, ${iterations} of which ${iterations === 1 ? 'starts' : 'start'} pods`;
}

function deploymentRows(waves: DeploymentSimulation['waves']): string[][] {
  return waves.map(({ wave, newReplicas, oldReplicas, total, available }) =>
    [wave, newReplicas, oldReplicas, total, available].map(String),
  );
}

/** What its controller wants at each row up to where it stands still: the last one is never reached. */
function standingLines(size: string, rows: readonly (readonly string[])[], palette: Palette, standsAt: number): string[] {
  return [
    `${size}: ${standsStill('wave', standsAt)}`,
    ...(rows.length === 0 ? [] : ['', ...rowTable(WAVE_HEAD, rows, WAVE_ALIGN, palette, { noun: 'wave' })]),
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

function statefulSetLines(simulation: StatefulSetSimulation, _palette: Palette, standsAt?: number): string[] {
  const { replicas, partition, maxUnavailable, batches, untouched, minAvailable, blocked, elided } = simulation;
  if (replicas === 0) return ['no replicas: nothing to replace'];
  if (standsAt !== undefined) {
    const tried = batches.slice(0, standsAt).flat();
    return [
      `${countedOrNo(replicas, 'replica')}: ${standsStill('batch', standsAt)}`,
      `deleted until then: ${tried.length === 0 ? 'none' : ordinalsText(tried)}`,
    ];
  }
  const singly = batches.every((batch) => batch.length === 1);
  const groups = singly ? ordinalsText(batches.flat()) : batches.map((batch) => `[${batch.join(' ')}]`).join(' ');
  return [
    `${countedOrNo(replicas, 'replica')}, partition ${partition}, ${maxUnavailable} down at once: at least ${minAvailable} available`,
    ...(batches.length > 0 ? [`replaced in this order${singly ? ', one by one' : ', batch by batch'}: ${groups}`] : []),
    ...(untouched.length > 0 ? [`left on the old revision: ${ordinalsText(untouched)}`] : []),
    ...(blocked ? [`stands still: waits for pod ${blocked.ordinal}, which is not ready`] : []),
    ...(elided === undefined ? [] : [moreText(elided, 'ordinal')]),
  ];
}

type Halt = NodesDownHalt;

const HALTS: Readonly<Record<Halt['reason'], (nodes: number) => string>> = {
  'nodes-down': (nodes) =>
    `${countedOrNo(nodes, 'node')} that ${nodes === 1 ? 'is' : 'are'} down ${nodes === 1 ? 'uses' : 'use'} up the limit`,
};

function haltText({ wave, nodes, reason }: Halt): string {
  return `halts ${wave === 0 ? 'before anything moves' : `after wave ${wave}`}: ${HALTS[reason](nodes)}`;
}

function daemonSetLimit({ surge, unavailable }: DaemonSetSimulation): string {
  return surge > 0 ? `${countedOrNo(surge, 'node')} with two pods` : `${countedOrNo(unavailable, 'node')} without an available pod`;
}

/** Of the nodes that the controller does not count any more, those with a pod, which peak and rows count: `2 nodes and 1 more that is down`. */
function nodesText({ nodes, downBeside = 0 }: DaemonSetSimulation): string {
  return `${countedOrNo(nodes, 'node')}${downBeside > 0 ? ` and ${downBeside} more that ${downBeside === 1 ? 'is' : 'are'} down` : ''}`;
}

function daemonSetLines(simulation: DaemonSetSimulation, palette: Palette, standsAt?: number): string[] {
  const { nodes, waves, peakPods, minAvailable, halted, elided } = simulation;
  if (nodes === 0) return ['no nodes: nothing to replace'];
  if (standsAt !== undefined) return standingLines(nodesText(simulation), daemonSetRows(rowsUntil(waves, standsAt)), palette, standsAt);
  const halt = halted?.reason === 'nodes-down' ? [haltText(halted)] : [];
  if (waves.length === 0) {
    return [`${nodesText(simulation)}: no waves, at least ${minAvailable} available`, ...halt];
  }
  const waveCount = countedOrNo(waves.length + (elided ?? 0), 'wave');
  return [
    `${nodesText(simulation)}, at most ${daemonSetLimit(simulation)}: ${waveCount}, peak ${countedOrNo(peakPods, 'pod')}, at least ${minAvailable} available`,
    '',
    ...rowTable(WAVE_HEAD, daemonSetRows(waves), WAVE_ALIGN, palette, { elided, noun: 'wave' }),
    ...(halt.length > 0 ? ['', ...halt] : []),
  ];
}

function daemonSetRows(waves: DaemonSetSimulation['waves']): string[][] {
  return waves.map(({ wave, newPods, oldPods, total, available }) => [wave, newPods, oldPods, total, available].map(String));
}

function revisionHaltText({ wave, afterSeconds }: NonNullable<RevisionSimulation['halted']>): string {
  const course = afterSeconds === undefined ? 'the new pods that run hold theirs for good' : `Knative gives up after ${afterSeconds} s`;
  return `halts at wave ${wave}: the new Revision finds no room, and ${course}; the old one keeps all requests`;
}

function revisionLines(simulation: RevisionSimulation, palette: Palette): string[] {
  const { replicas, waves, peakPods, minAvailable, latestTrafficPercent, halted, elided } = simulation;
  const waveCount = countedOrNo(waves.length + (elided ?? 0), 'wave');
  const rows = waves.map(({ wave, newPods, oldPods, total, available, latestTrafficPercent: percent }) =>
    [wave, newPods, oldPods, total, available, `${percent}%`].map(String),
  );
  const stays = `the new Revision gets ${latestTrafficPercent}% of the requests and both stay until canaryTrafficPercent changes`;
  return [
    `${countedOrNo(replicas, 'replica')} and a new Revision beside them: ${waveCount}, peak ${countedOrNo(peakPods, 'pod')}, at least ${minAvailable} available`,
    ...(latestTrafficPercent < 100 && !halted ? [stays] : []),
    '',
    ...rowTable([...WAVE_HEAD, 'to new'], rows, [...WAVE_ALIGN, 'right'], palette, { elided, noun: 'wave' }),
    ...(halted ? ['', revisionHaltText(halted)] : []),
  ];
}

function rayServiceLines(simulation: RayServiceSimulation, palette: Palette, standsAt?: number): string[] {
  const { type, outcome, steps, durationSeconds, capacityChanges, trafficShifts, peakCapacityPercent, rollback } = simulation;
  if (outcome === 'none') return [`${type}: changes are not rolled out`];
  const rows = steps
    .slice(0, standsAt)
    .map((step) =>
      [step.elapsedSeconds, step.activeTargetCapacity, step.pendingTargetCapacity, step.activeTraffic, step.pendingTraffic].map(String),
    );
  const changes = `${countedOrNo(capacityChanges, 'capacity change')} and ${countedOrNo(trafficShifts, 'traffic shift')}`;
  const ends = `${outcome} after ${durationSeconds} s with ${changes}, peak capacity ${peakCapacityPercent}%`;
  return [
    `${type}: ${standsAt === undefined ? ends : standsStill('row', standsAt)}`,
    ...(rollback && standsAt === undefined ? [`a rollback from half of the traffic takes ${rollback.durationSeconds} s`] : []),
    '',
    ...rowTable(['seconds', 'capacity old', 'new', 'traffic old', 'new'], rows, ['right', 'right', 'right', 'right', 'right'], palette),
  ];
}

type LinesOf<S extends Simulation> = (simulation: S, palette: Palette, standsAt?: number) => string[];

const LINES: { readonly [K in Simulation['kind']]: LinesOf<Extract<Simulation, { kind: K }>> } = {
  deployment: deploymentLines,
  statefulset: statefulSetLines,
  daemonset: daemonSetLines,
  revision: revisionLines,
  leaderworkerset: leaderWorkerSetLines,
  disaggregatedset: disaggregatedSetLines,
  rayservice: rayServiceLines,
  fleet: fleetLines,
  argorollout: argoRolloutLines,
  rollingsync: rollingSyncLines,
};

/**
 * What will happen, as lines: the figures first, then the rows.
 *
 * @param standsAt the row, from 1, at which it stands still for want of room
 */
export function simulationLines(simulation: Simulation, palette: Palette, standsAt?: number): string[] {
  return (LINES[simulation.kind] as LinesOf<Simulation>)(simulation, palette, standsAt);
}

import { formatSeconds } from '../../core/document/goal-text';
import type { DaemonSetSimulation, DaemonSetHalt } from '../../core/simulations/daemonset';
import { listShownWaves } from '../../core/simulations/deployment';
import type { DeploymentSimulation } from '../../core/simulations/deployment';
import type { RayServiceSimulation } from '../../core/simulations/rayservice';
import type { RevisionSimulation } from '../../core/simulations/revision';
import type { Simulation } from '../../core/simulations/simulation';
import type { StatefulSetSimulation } from '../../core/simulations/statefulset';
import type { Palette } from '../layout/palette';
import type { ColumnAlign } from '../layout/table';
import { renderArgoRolloutLines } from './argo-rollout';
import { renderDisaggregatedSetLines } from './disaggregatedset';
import { renderFleetLines } from './fleet';
import { renderLeaderWorkerSetLines } from './leaderworkerset';
import { renderRollingSyncLines } from './rolling-sync';
import { formatElision, renderRowTable } from '../layout/row-table';
import { pluralizeOrNo } from '../../core/text/text-format';

/** Columns of a table of pod waves. */
const WAVE_HEAD = ['wave', 'new', 'old', 'total', 'available'];
const WAVE_ALIGN: readonly ColumnAlign[] = ['right', 'right', 'right', 'right', 'right'];

/** Returns the rows up to the one at which the rollout deadlocks, or all rows if it does not. */
function filterRowsUntil<Row extends { readonly wave: number }>(waves: readonly Row[], deadlockRow: number | undefined): readonly Row[] {
  return deadlockRow === undefined ? waves : waves.filter(({ wave }) => wave <= deadlockRow);
}

function formatDeadlock(unit: string, deadlockRow: number): string {
  return `deadlocks at ${unit} ${deadlockRow}: its pods do not fit`;
}

function renderDeploymentLines(simulation: DeploymentSimulation, palette: Palette, deadlockRow?: number): string[] {
  const { replicas, waves, iterations, peakPods, minAvailable, elided } = simulation;
  if (replicas === 0) return ['no replicas: nothing to replace'];
  if (deadlockRow !== undefined)
    return renderDeadlockLines(
      pluralizeOrNo(replicas, 'replica'),
      buildDeploymentRows(filterRowsUntil(listShownWaves(simulation), deadlockRow)),
      palette,
      deadlockRow,
    );
  const waveCount = pluralizeOrNo(waves.length + (elided ?? 0), 'wave');
  return [
    `${pluralizeOrNo(replicas, 'replica')}: ${waveCount}${formatStartCount(iterations, waves.length + (elided ?? 0))}, peak ${pluralizeOrNo(peakPods, 'pod')}, at least ${minAvailable} available`,
    '',
    ...renderRowTable(WAVE_HEAD, buildDeploymentRows(waves), WAVE_ALIGN, palette, { elided, noun: 'wave' }),
  ];
}

/** Formats how many waves create pods, if some only wait for old pods to be deleted. */
function formatStartCount(iterations: number, waves: number): string {
  return iterations === waves ? '' : ` (${iterations} ${iterations === 1 ? 'creates' : 'create'} pods)`;
}

function buildDeploymentRows(waves: DeploymentSimulation['waves']): string[][] {
  return waves.map(({ wave, newReplicas, oldReplicas, total, available }) =>
    [wave, newReplicas, oldReplicas, total, available].map(String),
  );
}

/** Renders the state that the controller aims at in each row up to the deadlock. The last row is never reached. */
function renderDeadlockLines(size: string, rows: readonly (readonly string[])[], palette: Palette, deadlockRow: number): string[] {
  return [
    `${size}: ${formatDeadlock('wave', deadlockRow)}`,
    ...(rows.length === 0 ? [] : ['', ...renderRowTable(WAVE_HEAD, rows, WAVE_ALIGN, palette, { noun: 'wave' })]),
  ];
}

/** Formats ordinals with consecutive ones as a range: `7 to 5, 2`. */
function formatOrdinals(ordinals: readonly number[]): string {
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

function renderStatefulSetLines(simulation: StatefulSetSimulation, _palette: Palette, deadlockRow?: number): string[] {
  const { replicas, partition, maxUnavailable, batches, untouched, minAvailable, blocked, elided } = simulation;
  if (replicas === 0) return ['no replicas: nothing to replace'];
  if (deadlockRow !== undefined) {
    const deleted = batches.slice(0, deadlockRow).flat();
    return [
      `${pluralizeOrNo(replicas, 'replica')}: ${formatDeadlock('batch', deadlockRow)}`,
      `deleted before that: ${deleted.length === 0 ? 'none' : formatOrdinals(deleted)}`,
    ];
  }
  const singly = batches.every((batch) => batch.length === 1);
  const groups = singly ? formatOrdinals(batches.flat()) : batches.map((batch) => `[${batch.join(' ')}]`).join(' ');
  return [
    `${pluralizeOrNo(replicas, 'replica')}, partition ${partition}, ${maxUnavailable} down at once: at least ${minAvailable} available`,
    ...(batches.length > 0 ? [`replaced in this order${singly ? ', one by one' : ', batch by batch'}: ${groups}`] : []),
    ...(untouched.length > 0 ? [`left on the old revision: ${formatOrdinals(untouched)}`] : []),
    ...(blocked ? [`deadlocks: waits for pod ${blocked.ordinal}, which is not ready`] : []),
    ...(elided === undefined ? [] : [formatElision(elided, 'ordinal')]),
  ];
}

type HaltedNodes = DaemonSetHalt;

const HALT_TEXTS: Readonly<Record<HaltedNodes['reason'], (nodes: number) => string>> = {
  'nodes-down': (nodes) =>
    `${pluralizeOrNo(nodes, 'node')} that ${nodes === 1 ? 'is' : 'are'} down ${nodes === 1 ? 'uses' : 'use'} up the limit`,
};

function formatHalt({ wave, nodes, reason }: HaltedNodes): string {
  return `halts ${wave === 0 ? 'before the first wave' : `after wave ${wave}`}: ${HALT_TEXTS[reason](nodes)}`;
}

function formatDaemonSetLimit({ surge, unavailable }: DaemonSetSimulation): string {
  return surge > 0 ? `${pluralizeOrNo(surge, 'node')} with two pods` : `${pluralizeOrNo(unavailable, 'node')} without an available pod`;
}

/** Formats nodes: `2 nodes and 1 more that is down`. The controller no longer counts the latter, but their pods are part of peak and rows. */
function formatNodes({ nodes, otherNodesDown = 0 }: DaemonSetSimulation): string {
  return `${pluralizeOrNo(nodes, 'node')}${otherNodesDown > 0 ? ` and ${otherNodesDown} more that ${otherNodesDown === 1 ? 'is' : 'are'} down` : ''}`;
}

function renderDaemonSetLines(simulation: DaemonSetSimulation, palette: Palette, deadlockRow?: number): string[] {
  const { nodes, waves, peakPods, minAvailable, halted, elided } = simulation;
  if (nodes === 0) return ['no nodes: nothing to replace'];
  if (deadlockRow !== undefined)
    return renderDeadlockLines(formatNodes(simulation), buildDaemonSetRows(filterRowsUntil(waves, deadlockRow)), palette, deadlockRow);
  const halt = halted?.reason === 'nodes-down' ? [formatHalt(halted)] : [];
  if (waves.length === 0) {
    return [`${formatNodes(simulation)}: no waves, at least ${minAvailable} available`, ...halt];
  }
  const waveCount = pluralizeOrNo(waves.length + (elided ?? 0), 'wave');
  return [
    `${formatNodes(simulation)}, at most ${formatDaemonSetLimit(simulation)}: ${waveCount}, peak ${pluralizeOrNo(peakPods, 'pod')}, at least ${minAvailable} available`,
    '',
    ...renderRowTable(WAVE_HEAD, buildDaemonSetRows(waves), WAVE_ALIGN, palette, { elided, noun: 'wave' }),
    ...(halt.length > 0 ? ['', ...halt] : []),
  ];
}

function buildDaemonSetRows(waves: DaemonSetSimulation['waves']): string[][] {
  return waves.map(({ wave, newPods, oldPods, total, available }) => [wave, newPods, oldPods, total, available].map(String));
}

function formatRevisionHalt({ wave, afterSeconds }: NonNullable<RevisionSimulation['halted']>): string {
  const course =
    afterSeconds === undefined
      ? 'its running pods keep their capacity permanently'
      : `Knative gives up after ${formatSeconds(afterSeconds)}`;
  return `halts at wave ${wave}: the new Revision does not fit, and ${course}; the old one keeps all requests`;
}

function renderRevisionLines(simulation: RevisionSimulation, palette: Palette): string[] {
  const { replicas, waves, peakPods, minAvailable, latestTrafficPercent, halted, elided } = simulation;
  const waveCount = pluralizeOrNo(waves.length + (elided ?? 0), 'wave');
  const rows = waves.map(({ wave, newPods, oldPods, total, available, latestTrafficPercent: percent }) =>
    [wave, newPods, oldPods, total, available, `${percent}%`].map(String),
  );
  const stays = `the new Revision gets ${latestTrafficPercent}% of the requests and both stay until canaryTrafficPercent changes`;
  return [
    `${pluralizeOrNo(replicas, 'replica')} plus a new Revision: ${waveCount}, peak ${pluralizeOrNo(peakPods, 'pod')}, at least ${minAvailable} available`,
    ...(latestTrafficPercent < 100 && !halted ? [stays] : []),
    '',
    ...renderRowTable([...WAVE_HEAD, 'to new'], rows, [...WAVE_ALIGN, 'right'], palette, { elided, noun: 'wave' }),
    ...(halted ? ['', formatRevisionHalt(halted)] : []),
  ];
}

function renderRayServiceLines(simulation: RayServiceSimulation, palette: Palette, deadlockRow?: number): string[] {
  const { type, outcome, steps, durationSeconds, capacityChanges, trafficShifts, peakCapacityPercent, rollback } = simulation;
  if (outcome === 'none') return [`${type}: changes are not rolled out`];
  const rows = steps
    .slice(0, deadlockRow)
    .map((step) =>
      [step.elapsedSeconds, step.activeTargetCapacity, step.pendingTargetCapacity, step.activeTraffic, step.pendingTraffic].map(String),
    );
  const changes = `${pluralizeOrNo(capacityChanges, 'capacity change')} and ${pluralizeOrNo(trafficShifts, 'traffic shift')}`;
  const ends = `${outcome} after ${formatSeconds(durationSeconds)} with ${changes}, peak capacity ${peakCapacityPercent}%`;
  return [
    `${type}: ${deadlockRow === undefined ? ends : formatDeadlock('row', deadlockRow)}`,
    ...(rollback && deadlockRow === undefined
      ? [`a rollback from half of the traffic takes ${formatSeconds(rollback.durationSeconds)}`]
      : []),
    '',
    ...renderRowTable(
      ['seconds', 'capacity old', 'new', 'traffic old', 'new'],
      rows,
      ['right', 'right', 'right', 'right', 'right'],
      palette,
    ),
  ];
}

type LineRenderer<S extends Simulation> = (simulation: S, palette: Palette, deadlockRow?: number) => string[];

const LINE_RENDERERS: { readonly [K in Simulation['kind']]: LineRenderer<Extract<Simulation, { kind: K }>> } = {
  deployment: renderDeploymentLines,
  statefulset: renderStatefulSetLines,
  daemonset: renderDaemonSetLines,
  revision: renderRevisionLines,
  leaderworkerset: renderLeaderWorkerSetLines,
  disaggregatedset: renderDisaggregatedSetLines,
  rayservice: renderRayServiceLines,
  fleet: renderFleetLines,
  argorollout: renderArgoRolloutLines,
  rollingsync: renderRollingSyncLines,
};

/**
 * Renders a simulation as lines: the figures first, then the rows.
 *
 * @param deadlockRow the row, from 1, at which it deadlocks for lack of capacity
 */
export function renderSimulationLines(simulation: Simulation, palette: Palette, deadlockRow?: number): string[] {
  return (LINE_RENDERERS[simulation.kind] as LineRenderer<Simulation>)(simulation, palette, deadlockRow);
}

import type { FleetSimulation, FleetWave, FleetWaves } from '../../core/simulations/fleet';
import { ROWS_AT_EACH_END } from '../../core/simulations/row-limit';
import type { Palette } from '../layout/palette';
import { formatElision, renderRowTable } from '../layout/row-table';
import { escapeForTerminal } from '../../core/text/escape-output';
import { formatNumber, pluralizeOrNo } from '../../core/text/text-format';
import { findMax } from '../../core/values/min-max';

/** Largest number of names in a row. */
const MAX_LISTED_NAMES = 3;

/** Consecutive waves of the same size, counted from 1. */
interface WaveRun {
  readonly from: number;
  to: number;
  readonly first: FleetWave;
  last: FleetWave;
}

/** Groups consecutive waves of the same size. `elided` waves are left out after the first 50; a run does not span that gap. */
function groupWaveRuns(waves: readonly FleetWave[], elided: number): WaveRun[] {
  const runs: WaveRun[] = [];
  waves.forEach((wave, index) => {
    const isAfterGap = elided > 0 && index >= ROWS_AT_EACH_END;
    const number = index + 1 + (isAfterGap ? elided : 0);
    const run = runs.at(-1);
    if (run?.to === number - 1 && run.first.count === wave.count) {
      run.to = number;
      run.last = wave;
    } else runs.push({ from: number, to: number, first: wave, last: wave });
  });
  return runs;
}

/** Formats names: `a, b, c and 4 more`. */
function formatNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_LISTED_NAMES).map(escapeForTerminal).join(', ');
  return names.length > MAX_LISTED_NAMES ? `${shown} and ${names.length - MAX_LISTED_NAMES} more` : shown;
}

function buildRunCells({ from, to, first, last }: WaveRun): string[] {
  if (from === to) return [String(from), String(first.count), ...(first.clusters ? [formatNames(first.clusters)] : [])];
  const names =
    first.clusters && last.clusters ? [`${escapeForTerminal(first.clusters[0]!)} … ${escapeForTerminal(last.clusters.at(-1)!)}`] : [];
  return [`${from} to ${to}`, `${first.count} each`, ...names];
}

function formatEnd({ done, halted, notReleasedCount, notReleased }: FleetWaves): string {
  if (done) return 'done';
  const names = notReleased ? ` (${formatNames(notReleased)})` : '';
  const unreleased = `${pluralizeOrNo(notReleasedCount, 'cluster')} not released${names}`;
  if (!halted) return unreleased;
  const where = halted.partition === null ? '' : ` after partition ${escapeForTerminal(halted.partition)}`;
  return `halts${where} with ${pluralizeOrNo(halted.unavailablePartitions, 'partition')} over the limit, ${unreleased}`;
}

/** Formats the image pulls: the clusters of a wave pull together. The document has no sizes for waves that are left out. */
function formatPulls({ waves, elided = 0 }: FleetWaves): string {
  if (waves.length === 0) return 'nothing is released';
  const maxClusters = findMax(waves.map(({ count }) => count));
  const scope = elided > 0 ? ' in the waves shown' : '';
  const pulls = `up to ${pluralizeOrNo(maxClusters, 'cluster')} ${maxClusters === 1 ? 'pulls' : 'pull'} images at once${scope}`;
  return `${pluralizeOrNo(waves.length + elided, 'wave')}, ${pulls}`;
}

function renderWaveLines(name: string, outcome: FleetWaves, palette: Palette): string[] {
  const { waves, elided = 0 } = outcome;
  const heading = `${name}: ${formatPulls(outcome)}; ${formatEnd(outcome)}`;
  if (waves.length === 0) return [heading];
  const runs = groupWaveRuns(waves, elided);
  const gap = elided > 0 ? runs.findIndex(({ from }) => from > ROWS_AT_EACH_END) : runs.length;
  const rows = runs.map(buildRunCells);
  const elisionRow = elided > 0 ? [['', formatElision(elided, 'wave')]] : [];
  const shown = [...rows.slice(0, gap), ...elisionRow, ...rows.slice(gap)];
  return [heading, ...renderRowTable(['wave', 'clusters'], shown, ['left', 'right', 'left'], palette, { noun: 'wave' })];
}

/** Renders the rollout of a Fleet bundle: its partitions, then the waves of an install and of an update with their image pulls. */
export function renderFleetLines(simulation: FleetSimulation, palette: Palette): string[] {
  const { partitions, unpartitionedCount, unpartitioned, maxUnavailable, maxUnavailablePartitions, install, update, elided } = simulation;
  const rows = partitions.map((partition) => [
    escapeForTerminal(partition.name),
    String(partition.count),
    formatNumber(partition.maxUnavailable),
  ]);
  const names = unpartitioned ? `: ${formatNames(unpartitioned)}` : '';
  return [
    `at most ${pluralizeOrNo(maxUnavailable, 'cluster')} unavailable, and ${pluralizeOrNo(maxUnavailablePartitions, 'partition')} over the limit`,
    ...(unpartitionedCount === 0
      ? []
      : [`in no partition, so never installed and never updated: ${pluralizeOrNo(unpartitionedCount, 'cluster')}${names}`]),
    '',
    ...renderRowTable(['partition', 'clusters', 'max unavailable'], rows, ['left', 'right', 'right'], palette, {
      elided,
      noun: 'partition',
    }),
    '',
    ...renderWaveLines('install', install, palette),
    '',
    ...renderWaveLines('update', update, palette),
  ];
}

import type { FleetSimulation, FleetWave, FleetWaves } from '../core/simulations/fleet';
import { SHOWN_AT_EACH_END } from '../core/simulations/shown-rows';
import type { Palette } from './palette';
import { moreText, rowTable } from './text-rows';
import { visible } from '../core/visible';
import { countedOrNo } from '../core/words';
import { greatest } from '../core/extremes';

/** Names that a row spells out. */
const NAMED = 3;

/** Waves of the same size that follow each other, counted from 1. */
interface WaveRun {
  readonly from: number;
  to: number;
  readonly first: FleetWave;
  last: FleetWave;
}

/** `elided` waves are left out behind the first 50; a run does not reach over the gap. */
function runsOf(waves: readonly FleetWave[], elided: number): WaveRun[] {
  const runs: WaveRun[] = [];
  waves.forEach((wave, index) => {
    const isBehindGap = elided > 0 && index >= SHOWN_AT_EACH_END;
    const number = index + 1 + (isBehindGap ? elided : 0);
    const run = runs.at(-1);
    if (run?.to === number - 1 && run.first.count === wave.count) {
      run.to = number;
      run.last = wave;
    } else runs.push({ from: number, to: number, first: wave, last: wave });
  });
  return runs;
}

/** `a, b, c and 4 more`. */
function namesText(names: readonly string[]): string {
  const shown = names.slice(0, NAMED).map(visible).join(', ');
  return names.length > NAMED ? `${shown} and ${names.length - NAMED} more` : shown;
}

function runCells({ from, to, first, last }: WaveRun): string[] {
  if (from === to) return [String(from), String(first.count), ...(first.clusters ? [namesText(first.clusters)] : [])];
  const names = first.clusters && last.clusters ? [`${visible(first.clusters[0]!)} … ${visible(last.clusters.at(-1)!)}`] : [];
  return [`${from} to ${to}`, `${first.count} each`, ...names];
}

function endText({ done, halted, notReleasedCount, notReleased }: FleetWaves): string {
  if (done) return 'done';
  const names = notReleased ? ` (${namesText(notReleased)})` : '';
  const left = `${countedOrNo(notReleasedCount, 'cluster')} not released${names}`;
  if (!halted) return left;
  const where = halted.partition === null ? '' : ` after partition ${visible(halted.partition)}`;
  return `halts${where} with ${countedOrNo(halted.unavailablePartitions, 'partition')} over the limit, ${left}`;
}

/** Clusters of a wave begin to pull images together. Of waves that are left out the document tells no sizes. */
function pullsText({ waves, elided = 0 }: FleetWaves): string {
  if (waves.length === 0) return 'nothing is released';
  const most = greatest(waves.map(({ count }) => count));
  const among = elided > 0 ? ' in those shown' : '';
  const pulls = `up to ${countedOrNo(most, 'cluster')} ${most === 1 ? 'pulls' : 'pull'} images at once${among}`;
  return `${countedOrNo(waves.length + elided, 'wave')}, ${pulls}`;
}

function waveLines(name: string, outcome: FleetWaves, palette: Palette): string[] {
  const { waves, elided = 0 } = outcome;
  const heading = `${name}: ${pullsText(outcome)}; ${endText(outcome)}`;
  if (waves.length === 0) return [heading];
  const runs = runsOf(waves, elided);
  const gap = elided > 0 ? runs.findIndex(({ from }) => from > SHOWN_AT_EACH_END) : runs.length;
  const rows = runs.map(runCells);
  const more = elided > 0 ? [['', moreText(elided, 'wave')]] : [];
  const shown = [...rows.slice(0, gap), ...more, ...rows.slice(gap)];
  return [heading, ...rowTable(['wave', 'clusters'], shown, ['left', 'right', 'left'], palette, { noun: 'wave' })];
}

/** What becomes of a Fleet bundle: its partitions, then the waves of an install and of an update with the image pulls of each. */
export function fleetLines(simulation: FleetSimulation, palette: Palette): string[] {
  const { partitions, unpartitionedCount, unpartitioned, maxUnavailable, maxUnavailablePartitions, install, update, elided } = simulation;
  const rows = partitions.map((partition) => [visible(partition.name), String(partition.count), String(partition.maxUnavailable)]);
  const names = unpartitioned ? `: ${namesText(unpartitioned)}` : '';
  return [
    `at most ${countedOrNo(maxUnavailable, 'cluster')} unavailable, and ${countedOrNo(maxUnavailablePartitions, 'partition')} over the limit`,
    ...(unpartitionedCount === 0
      ? []
      : [`in no partition, so never installed and never updated: ${countedOrNo(unpartitionedCount, 'cluster')}${names}`]),
    '',
    ...rowTable(['partition', 'clusters', 'max unavailable'], rows, ['left', 'right', 'right'], palette, { elided, noun: 'partition' }),
    '',
    ...waveLines('install', install, palette),
    '',
    ...waveLines('update', update, palette),
  ];
}

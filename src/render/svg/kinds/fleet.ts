import type { FleetSimulation, FleetWaves } from '../../../core/simulations/fleet';
import { ROWS_AT_EACH_END } from '../../../core/simulations/row-limit';
import { pluralize } from '../../../core/text/text-format';
import type { Chart, ChartLayer, ChartStop, TimeAxis, Track, TrackPanel } from '../chart';
import { buildGroupTracks } from './tracks';
import type { TrackGroup } from './tracks';

const FLEET_LAYERS: readonly ChartLayer[] = [
  { name: 'has the change', role: 'new' },
  { name: 'does not have it yet', role: 'left' },
];

/** Lists the numbers of the waves in the document. If there are very many waves, those in the middle are left out. */
function listWaveNumbers({ waves, elided = 0 }: FleetWaves): number[] {
  return waves.map((_, index) => index + 1 + (elided > 0 && index >= ROWS_AT_EACH_END ? elided : 0));
}

function buildFleetTracks(
  { partitions, unpartitioned, unpartitionedCount }: FleetSimulation,
  waves: FleetWaves,
  numbers: readonly number[],
): Track[] {
  const unpartitionedGroup: readonly TrackGroup[] =
    unpartitionedCount === 0 ? [] : [{ name: 'in no partition', size: unpartitionedCount, members: unpartitioned ?? [] }];
  const sets = [
    ...partitions.map(({ name, count, clusters }): TrackGroup => ({ name, size: count, members: clusters })),
    ...unpartitionedGroup,
  ];
  const size = sets.reduce((sum, set) => sum + set.size, 0);
  const isComplete = (waves.elided ?? 0) === 0;
  const progress = {
    noun: 'cluster',
    numbers,
    waves: waves.waves.map(({ count, clusters }) => ({ count, ...(isComplete && clusters && { names: clusters }) })),
  };
  return buildGroupTracks(sets, progress, { name: 'all clusters', size, done: size - waves.notReleasedCount }, 'partitions');
}

function buildPart(heading: string, simulation: FleetSimulation, waves: FleetWaves): Chart['parts'][number] {
  const numbers = listWaveNumbers(waves);
  const last = numbers.at(-1) ?? 0;
  const where = waves.halted?.partition ? ` after ${waves.halted.partition}` : '';
  const stop: ChartStop | undefined = waves.halted
    ? { at: last + 1, text: `halts${where}: ${pluralize(waves.notReleasedCount, 'cluster')} left` }
    : undefined;
  const axis: TimeAxis = {
    name: 'wave',
    from: 0,
    to: last + (stop ? 1.6 : 1),
    ticks: [{ at: 0.5, text: 'before' }, ...numbers.map((wave) => ({ at: wave + 0.5, text: String(wave) }))],
  };
  const panel: TrackPanel = {
    kind: 'tracks',
    heading,
    tracks: buildFleetTracks(simulation, waves, numbers),
    layers: FLEET_LAYERS,
    ...(stop && { stop }),
  };
  return { axis, panels: [panel] };
}

/** Builds the progress of an update and an install over the partitions, by wave. */
export function buildFleetParts(simulation: FleetSimulation): Chart['parts'] {
  return [buildPart('update', simulation, simulation.update), buildPart('first install', simulation, simulation.install)];
}

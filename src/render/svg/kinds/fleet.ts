import type { FleetSimulation, FleetWaves } from '../../../core/simulations/fleet';
import { SHOWN_AT_EACH_END } from '../../../core/simulations/shown-rows';
import { counted } from '../../../core/words';
import type { Chart, Layer, Stop, TimeAxis, Track, TrackPanel } from '../chart';

/** Partitions that have a bar of their own at each end of a longer list. */
const MOST_TRACKS = 16;
const AT_EACH_END = 8;

const LAYERS: readonly Layer[] = [
  { name: 'has the change', role: 'new' },
  { name: 'does not have it yet', role: 'left' },
];

/** The number of each wave that is there: of very many those in the middle are not. */
function waveNumbers({ waves, elided = 0 }: FleetWaves): number[] {
  return waves.map((_, index) => index + 1 + (elided > 0 && index >= SHOWN_AT_EACH_END ? elided : 0));
}

/** How many clusters of a set have the change once each wave is released. */
function filled(waves: FleetWaves, numbers: readonly number[], isOf: (cluster: string) => boolean): Track['rows'] {
  let value = 0;
  return waves.waves.map(({ clusters = [] }, index) => ({ at: numbers[index]!, value: (value += clusters.filter(isOf).length) }));
}

function countedTrack(name: string, size: number, waves: FleetWaves, numbers: readonly number[]): Track {
  let value = 0;
  const rows = waves.waves.map(({ count }, index) => ({ at: numbers[index]!, value: (value += count) }));
  const done = size - waves.notReleasedCount;
  const last = rows.at(-1);
  return { name, size, note: `${done} of ${counted(size, 'cluster')}`, rows: last ? [...rows.slice(0, -1), { ...last, value: done }] : [] };
}

function tracksOf(
  { partitions, unpartitioned = [], unpartitionedCount }: FleetSimulation,
  waves: FleetWaves,
  numbers: readonly number[],
): Track[] {
  const size = partitions.reduce((sum, { count }) => sum + count, 0) + unpartitionedCount;
  const hasNames =
    waves.waves.every(({ clusters }) => clusters !== undefined) && partitions.every(({ clusters }) => clusters !== undefined);
  const isWhole = (waves.elided ?? 0) === 0;
  if (!hasNames || !isWhole) return [countedTrack('all clusters', size, waves, numbers)];
  const tracks = partitions.map(({ name, count, clusters = [] }): Track => {
    const own = new Set(clusters);
    const rows = filled(waves, numbers, (cluster) => own.has(cluster));
    return { name, size: count, note: `${rows.at(-1)?.value ?? 0} of ${counted(count, 'cluster')}`, rows };
  });
  const left: Track[] =
    unpartitionedCount === 0
      ? []
      : [
          {
            name: 'in no partition',
            size: unpartitionedCount,
            note: `0 of ${counted(unpartitioned.length || unpartitionedCount, 'cluster')}`,
            rows: [],
          },
        ];
  const all = [...tracks, ...left];
  if (all.length <= MOST_TRACKS) return all;
  const between = all.slice(AT_EACH_END, -AT_EACH_END);
  const middle: Track = {
    name: `${between.length} more partitions`,
    size: between.reduce((sum, track) => sum + track.size, 0),
    note: `${between.reduce((sum, { rows }) => sum + (rows.at(-1)?.value ?? 0), 0)} of ${counted(
      between.reduce((sum, track) => sum + track.size, 0),
      'cluster',
    )}`,
    rows: numbers.map((at, index) => ({ at, value: between.reduce((sum, { rows }) => sum + (rows[index]?.value ?? 0), 0) })),
  };
  return [...all.slice(0, AT_EACH_END), middle, ...all.slice(-AT_EACH_END)];
}

function partOf(heading: string, simulation: FleetSimulation, waves: FleetWaves): Chart['parts'][number] {
  const numbers = waveNumbers(waves);
  const last = numbers.at(-1) ?? 0;
  const where = waves.halted?.partition ? ` after ${waves.halted.partition}` : '';
  const stop: Stop | undefined = waves.halted
    ? { at: last + 1, text: `halts${where}: ${counted(waves.notReleasedCount, 'cluster')} left` }
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
    tracks: tracksOf(simulation, waves, numbers),
    layers: LAYERS,
    ...(stop && { stop }),
  };
  return { axis, panels: [panel] };
}

/** How far an update and an install get over the partitions, wave by wave. */
export function fleetParts(simulation: FleetSimulation): Chart['parts'] {
  return [partOf('update', simulation, simulation.update), partOf('install, where nothing is yet', simulation, simulation.install)];
}

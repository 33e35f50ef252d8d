import type { FleetSimulation, FleetWaves } from '../../../core/simulations/fleet';
import { SHOWN_AT_EACH_END } from '../../../core/simulations/shown-rows';
import { counted } from '../../../core/words';
import type { Chart, Layer, Stop, TimeAxis, Track, TrackPanel } from '../chart';
import { tracksOf } from './tracks';
import type { ThingSet } from './tracks';

const LAYERS: readonly Layer[] = [
  { name: 'has the change', role: 'new' },
  { name: 'does not have it yet', role: 'left' },
];

/** The number of each wave that is there: of very many those in the middle are not. */
function waveNumbers({ waves, elided = 0 }: FleetWaves): number[] {
  return waves.map((_, index) => index + 1 + (elided > 0 && index >= SHOWN_AT_EACH_END ? elided : 0));
}

function tracks(
  { partitions, unpartitioned, unpartitionedCount }: FleetSimulation,
  waves: FleetWaves,
  numbers: readonly number[],
): Track[] {
  const left: readonly ThingSet[] =
    unpartitionedCount === 0 ? [] : [{ name: 'in no partition', size: unpartitionedCount, members: unpartitioned ?? [] }];
  const sets = [...partitions.map(({ name, count, clusters }): ThingSet => ({ name, size: count, members: clusters })), ...left];
  const size = sets.reduce((sum, set) => sum + set.size, 0);
  const isWhole = (waves.elided ?? 0) === 0;
  const things = {
    noun: 'cluster',
    numbers,
    waves: waves.waves.map(({ count, clusters }) => ({ count, ...(isWhole && clusters && { names: clusters }) })),
  };
  return tracksOf(sets, things, { name: 'all clusters', size, done: size - waves.notReleasedCount }, 'partitions');
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
    tracks: tracks(simulation, waves, numbers),
    layers: LAYERS,
    ...(stop && { stop }),
  };
  return { axis, panels: [panel] };
}

/** How far an update and an install get over the partitions, wave by wave. */
export function fleetParts(simulation: FleetSimulation): Chart['parts'] {
  return [partOf('update', simulation, simulation.update), partOf('install, where nothing is yet', simulation, simulation.install)];
}

import type { RollingSyncSimulation } from '../../../core/simulations/rolling-sync';
import { pluralize } from '../../../core/text/text-format';
import type { Chart, ChartLayer, ChartStop, TimeAxis } from '../chart';
import { buildGroupTracks } from './tracks';
import type { TrackGroup } from './tracks';

const ROLLING_SYNC_LAYERS: readonly ChartLayer[] = [
  { name: 'synced', role: 'new' },
  { name: 'not synced yet', role: 'left' },
];

/** Builds a group for each step, of the Applications that no earlier step has, and one for those in no step. */
function buildStepGroups({ steps, unmatched, unmatchedCount }: RollingSyncSimulation): TrackGroup[] {
  const taken = new Set<string>();
  const sets = steps.map(({ step, count, applications, maxUpdate }): TrackGroup => {
    const members = applications?.filter((name) => !taken.has(name));
    for (const name of members ?? []) taken.add(name);
    const limit = maxUpdate === undefined ? '' : `, at most ${maxUpdate} at once`;
    return { name: `step ${step}${limit}`, size: members?.length ?? count, members };
  });
  return unmatchedCount === 0 ? sets : [...sets, { name: 'in no step', size: unmatchedCount, members: unmatched }];
}

/** Builds the progress of a RollingSync over the Applications of its steps, by wave. */
export function buildRollingSyncParts(simulation: RollingSyncSimulation): Chart['parts'] {
  const { applications, waves, done, halted, elided = 0, isStepwise } = simulation;
  if (!isStepwise) return [];
  const numbers = waves.map(({ wave }) => wave);
  const last = numbers.at(-1) ?? 0;
  const synced = waves.reduce((sum, { count }) => sum + count, 0);
  const remaining = applications - synced;
  const where = halted ? `deadlocks at step ${halted.step}` : 'deadlocks';
  const stop: ChartStop | undefined =
    done || elided > 0 ? undefined : { at: last + 1, text: `${where}: ${pluralize(remaining, 'Application')} left` };
  const axis: TimeAxis = {
    name: 'wave',
    from: 0,
    to: last + (stop ? 1.6 : 1),
    ticks: [{ at: 0.5, text: 'before' }, ...numbers.map((wave) => ({ at: wave + 0.5, text: String(wave) }))],
  };
  const progress = {
    noun: 'Application',
    numbers,
    waves: waves.map(({ count, applications: names }) => ({ count, ...(elided === 0 && names && { names }) })),
  };
  const tracks = buildGroupTracks(
    buildStepGroups(simulation),
    progress,
    { name: 'all Applications', size: applications, done: done ? applications : synced },
    'steps',
  );
  return [{ axis, panels: [{ kind: 'tracks', heading: 'sync', tracks, layers: ROLLING_SYNC_LAYERS, ...(stop && { stop }) }] }];
}

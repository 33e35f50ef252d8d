import type { PlannedRollout } from '../../../core/rollout';
import type { StatefulSetSimulation } from '../../../core/simulations/statefulset';
import { standstill } from '../../outcome-words';
import { budgetLevels } from './pod-waves';
import type { Chart, GridPanel, Layer, StackPanel, Stop, TimeAxis } from '../chart';

/** Ordinals that have a line of their own below their numbers; more have none. */
const MOST_LINES = 24;

const LAYERS: readonly Layer[] = [
  { name: 'old', role: 'old' },
  { name: 'being replaced', role: 'starting' },
  { name: 'new', role: 'new' },
];

/** A line for each ordinal, the highest first, which is replaced first; a cell for each batch. */
function ordinalGrid(simulation: StatefulSetSimulation, batches: StatefulSetSimulation['batches'], stop: Stop | undefined): GridPanel {
  const { untouched } = simulation;
  const replacedIn = new Map(simulation.batches.flatMap((batch, index) => batch.map((ordinal) => [ordinal, index] as const)));
  const ordinals = [...new Set([...simulation.order, ...untouched])].toSorted((a, b) => b - a);
  const columns = batches.length + (stop ? 1 : 2);
  const lines = ordinals.map((ordinal) => {
    const at = replacedIn.get(ordinal);
    const cells = Array.from({ length: columns }, (_, column) => {
      if (at === undefined || column <= at) return 'old' as const;
      return column === at + 1 ? ('starting' as const) : ('new' as const);
    });
    return { name: String(ordinal), cells };
  });
  return { kind: 'grid', unit: 'ordinal', lines, layers: LAYERS, ...(stop && { stop }) };
}

/** How many pods are old, new and down. */
function countStack(
  simulation: StatefulSetSimulation,
  rollout: PlannedRollout,
  batches: StatefulSetSimulation['batches'],
  stop: Stop | undefined,
): StackPanel {
  const { replicas, maxUnavailable } = simulation;
  const least = Math.max(0, replicas - maxUnavailable);
  let done = 0;
  const rows = [
    { at: 0, values: [replicas, 0, 0] },
    ...batches.map((batch, index) => {
      const row = { at: index + 1, values: [replicas - done - batch.length, done, batch.length] };
      done += batch.length;
      return row;
    }),
  ];
  if (!stop) rows.push({ at: batches.length + 1, values: [replicas - done, done, 0] });
  return {
    kind: 'stack',
    unit: 'pods',
    rows,
    layers: [
      { name: 'old', role: 'old' },
      { name: 'new', role: 'new' },
      { name: 'being replaced', role: 'starting' },
    ],
    levels: [{ name: `floor ${least}`, role: 'floor', at: least }, ...budgetLevels(rollout)],
    bands: [],
    most: replicas,
    ...(stop && { stop }),
  };
}

/** Which ordinals are replaced in which batch. */
export function statefulSetParts(simulation: StatefulSetSimulation, rollout: PlannedRollout): Chart['parts'] {
  const standsAt = standstill(rollout);
  const batches = standsAt === undefined ? simulation.batches : simulation.batches.slice(0, standsAt);
  const stop: Stop | undefined = standsAt === undefined ? undefined : { at: batches.length + 1, text: `stands still at batch ${standsAt}` };
  const to = batches.length + (stop ? 1.6 : 2);
  const axis: TimeAxis = {
    name: 'batch',
    from: 0,
    to,
    ticks: [
      { at: 0.5, text: 'before' },
      ...batches.map((_, index) => ({ at: index + 1.5, text: String(index + 1) })),
      ...(stop ? [] : [{ at: batches.length + 1.5, text: 'after' }]),
    ],
  };
  const fits = simulation.elided === undefined && simulation.order.length + simulation.untouched.length <= MOST_LINES;
  const counts = countStack(simulation, rollout, batches, stop);
  // The words about where it stands still are said once.
  const grid = fits && ordinalGrid(simulation, batches, stop && { ...stop, text: '' });
  return [{ axis, panels: grid ? [counts, grid] : [counts] }];
}

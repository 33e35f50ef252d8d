import type { PlannedRollout } from '../../../core/document/rollout';
import type { StatefulSetSimulation } from '../../../core/simulations/statefulset';
import { findDeadlockRow } from '../../rollout/outcome-text';
import { buildBudgetLevels } from './pod-waves';
import type { Chart, GridPanel, ChartLayer, StackPanel, ChartStop, TimeAxis } from '../chart';

/** Largest number of ordinals that each have a line. */
const MAX_GRID_LINES = 24;

/** Builds the layers. The last one is the pods being replaced, or the pod that blocks the rollout. */
function buildLayers({ blocked }: StatefulSetSimulation): readonly ChartLayer[] {
  return [
    { name: 'old', role: 'old' },
    { name: 'new', role: 'new' },
    { name: blocked ? 'not ready' : 'being replaced', role: 'starting' },
  ];
}

/** Starts of the columns of a picture: the state before, each batch, and the state after. */
interface BatchColumns {
  /** Starts of the state before and of each batch. */
  readonly starts: readonly number[];
  /** Start of the state after the last batch. Undefined if the rollout deadlocks. */
  readonly after?: number;
}

/** Builds a line for each ordinal with a cell for each batch. The highest ordinal comes first, because it is replaced first. */
function buildOrdinalGrid(simulation: StatefulSetSimulation, { starts, after }: BatchColumns, stop: ChartStop | undefined): GridPanel {
  const { untouched, blocked } = simulation;
  const batchByOrdinal = new Map(simulation.batches.flatMap((batch, index) => batch.map((ordinal) => [ordinal, index] as const)));
  const ordinals = [...new Set([...simulation.order, ...untouched])].toSorted((a, b) => b - a);
  const columns = [...starts, ...(after === undefined ? [] : [after])];
  const lines = ordinals.map((ordinal) => {
    const at = batchByOrdinal.get(ordinal);
    const cells = columns.map((_, column) => {
      if (ordinal === blocked?.ordinal) return 'starting' as const;
      if (at === undefined || column <= at) return 'old' as const;
      return column === at + 1 ? ('starting' as const) : ('new' as const);
    });
    return { name: String(ordinal), cells };
  });
  return { kind: 'grid', unit: 'ordinal', lines, starts: columns, layers: buildLayers(simulation), ...(stop && { stop }) };
}

/** Builds the number of pods that are old, new and down. */
function buildCountStack(
  simulation: StatefulSetSimulation,
  rollout: PlannedRollout,
  batches: StatefulSetSimulation['batches'],
  { starts, after }: BatchColumns,
  stop: ChartStop | undefined,
): StackPanel {
  const { replicas, maxUnavailable, blocked } = simulation;
  const least = Math.max(0, replicas - maxUnavailable);
  const downPods = blocked ? 1 : 0;
  let done = 0;
  const rows = [
    { at: starts[0]!, values: [replicas - downPods, 0, downPods] },
    ...batches.map((batch, index) => {
      const row = { at: starts[index + 1]!, values: [replicas - downPods - done - batch.length, done, batch.length + downPods] };
      done += batch.length;
      return row;
    }),
  ];
  if (after !== undefined) rows.push({ at: after, values: [replicas - done, done, 0] });
  return {
    kind: 'stack',
    unit: 'pods',
    rows,
    layers: buildLayers(simulation),
    levels: [{ name: `floor ${least}`, role: 'floor', at: least }, ...buildBudgetLevels(rollout)],
    bands: [],
    axisMaximum: replicas,
    ...(stop && { stop }),
  };
}

/**
 * Computes the seconds that each batch takes at least. Undefined if that is not known.
 *
 * A batch takes as long as its pods one after another, or as one pod if they start in parallel.
 * For example, 60 s over batches of 1 and 2 pods are 20 s and 40 s, or 30 s each in parallel.
 */
function computeBatchSeconds({ batches, elided }: StatefulSetSimulation, { duration }: PlannedRollout): readonly number[] | undefined {
  if (!duration || duration.lowerBoundSeconds <= 0 || elided !== undefined || batches.length === 0) return undefined;
  const starts = batches.map(({ length }) => (duration.startsInParallel ? 1 : length));
  const all = starts.reduce((sum, count) => sum + count, 0);
  return starts.map((count) => (count / all) * duration.lowerBoundSeconds);
}

/** Builds columns of batches over seconds. */
function buildTimedColumns(seconds: readonly number[]): { readonly axis: TimeAxis; readonly columns: BatchColumns } {
  let end = 0;
  const begins = seconds.map((each) => {
    const begin = end;
    end += each;
    return begin;
  });
  const lead = Math.max(1, end * 0.06);
  const starts = [-lead, ...begins];
  return { axis: { name: 'seconds, at the earliest', from: -lead, to: end + lead }, columns: { starts, after: end } };
}

/** Builds columns of batches of equal width, up to a deadlock. */
function buildCountedColumns(count: number, isStuck: boolean): { readonly axis: TimeAxis; readonly columns: BatchColumns } {
  const starts = Array.from({ length: count + 1 }, (_, index) => index);
  const ticks = [
    { at: 0.5, text: 'before' },
    ...starts.slice(1).map((at) => ({ at: at + 0.5, text: String(at) })),
    ...(isStuck ? [] : [{ at: count + 1.5, text: 'after' }]),
  ];
  const to = count + (isStuck ? 1.6 : 2);
  return { axis: { name: 'batch', from: 0, to, ticks }, columns: { starts, ...(!isStuck && { after: count + 1 }) } };
}

/** Builds the number of pods over batches, and which ordinals each batch replaces. */
export function buildStatefulSetParts(simulation: StatefulSetSimulation, rollout: PlannedRollout): Chart['parts'] {
  const { blocked } = simulation;
  const deadlockRow = findDeadlockRow(rollout);
  const batches = deadlockRow === undefined ? simulation.batches : simulation.batches.slice(0, deadlockRow);
  const why = deadlockRow === undefined ? blocked && `waits for pod ${blocked.ordinal}` : `deadlocks at batch ${deadlockRow}`;
  const stop: ChartStop | undefined = why === undefined ? undefined : { at: batches.length + 1, text: why };
  const seconds = stop ? undefined : computeBatchSeconds(simulation, rollout);
  const { axis, columns } = seconds === undefined ? buildCountedColumns(batches.length, stop !== undefined) : buildTimedColumns(seconds);
  const fits = simulation.elided === undefined && simulation.order.length + simulation.untouched.length <= MAX_GRID_LINES;
  const counts = buildCountStack(simulation, rollout, batches, columns, stop);
  // Only the first panel has the text of the stop.
  const grid = fits && buildOrdinalGrid(simulation, columns, stop && { ...stop, text: '' });
  return [{ axis, panels: grid ? [counts, grid] : [counts] }];
}

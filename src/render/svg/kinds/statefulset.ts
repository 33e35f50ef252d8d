import type { PlannedRollout } from '../../../core/rollout';
import type { StatefulSetSimulation } from '../../../core/simulations/statefulset';
import { findDeadlockRow } from '../../outcome-text';
import { buildBudgetLevels } from './pod-waves';
import type { Chart, GridPanel, ChartLayer, StackPanel, ChartStop, TimeAxis } from '../chart';

/** Ordinals that have a line of their own below their numbers; more have none. */
const MAX_GRID_LINES = 24;

/** What the pods of a batch are while it goes on, and what the pod is that it all waits for. */
function buildLayers({ blocked }: StatefulSetSimulation): readonly ChartLayer[] {
  return [
    { name: 'old', role: 'old' },
    { name: 'new', role: 'new' },
    { name: blocked ? 'not ready' : 'being replaced', role: 'starting' },
  ];
}

/** Where the columns of a picture begin: what is there before, each batch, and what is there after it. */
interface BatchColumns {
  /** One more than there are batches. */
  readonly starts: readonly number[];
  /** Where what is there after the last batch begins; undefined where it stands still. */
  readonly after?: number;
}

/** A line for each ordinal, the highest first, which is replaced first; a cell for each batch. */
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

/** How many pods are old, new and down. */
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

/** Seconds that each batch takes at least, as long as its pods one after another or, started together, as one; undefined where that is not known. */
function computeBatchSeconds({ batches, elided }: StatefulSetSimulation, { duration }: PlannedRollout): readonly number[] | undefined {
  if (!duration || duration.lowerBoundSeconds <= 0 || elided !== undefined || batches.length === 0) return undefined;
  const starts = batches.map(({ length }) => (duration.startsInParallel ? 1 : length));
  const all = starts.reduce((sum, count) => sum + count, 0);
  return starts.map((count) => (count / all) * duration.lowerBoundSeconds);
}

/** Batches over seconds. */
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

/** Batches one beside the other, up to where it stands still. */
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

/** Which ordinals are replaced in which batch. */
export function buildStatefulSetParts(simulation: StatefulSetSimulation, rollout: PlannedRollout): Chart['parts'] {
  const { blocked } = simulation;
  const deadlockRow = findDeadlockRow(rollout);
  const batches = deadlockRow === undefined ? simulation.batches : simulation.batches.slice(0, deadlockRow);
  const why = deadlockRow === undefined ? blocked && `waits for pod ${blocked.ordinal}` : `stands still at batch ${deadlockRow}`;
  const stop: ChartStop | undefined = why === undefined ? undefined : { at: batches.length + 1, text: why };
  const seconds = stop ? undefined : computeBatchSeconds(simulation, rollout);
  const { axis, columns } = seconds === undefined ? buildCountedColumns(batches.length, stop !== undefined) : buildTimedColumns(seconds);
  const fits = simulation.elided === undefined && simulation.order.length + simulation.untouched.length <= MAX_GRID_LINES;
  const counts = buildCountStack(simulation, rollout, batches, columns, stop);
  // The words about where it stands still are said once.
  const grid = fits && buildOrdinalGrid(simulation, columns, stop && { ...stop, text: '' });
  return [{ axis, panels: grid ? [counts, grid] : [counts] }];
}

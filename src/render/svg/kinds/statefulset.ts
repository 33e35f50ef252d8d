import type { PlannedRollout } from '../../../core/rollout';
import type { StatefulSetSimulation } from '../../../core/simulations/statefulset';
import { standstill } from '../../outcome-words';
import { budgetLevels } from './pod-waves';
import type { Chart, GridPanel, Layer, StackPanel, Stop, TimeAxis } from '../chart';

/** Ordinals that have a line of their own below their numbers; more have none. */
const MOST_LINES = 24;

/** What the pods of a batch are while it goes on, and what the pod is that it all waits for. */
function layersOf({ blocked }: StatefulSetSimulation): readonly Layer[] {
  return [
    { name: 'old', role: 'old' },
    { name: 'new', role: 'new' },
    { name: blocked ? 'not ready' : 'being replaced', role: 'starting' },
  ];
}

/** Where the columns of a picture begin: what is there before, each batch, and what is there after it. */
interface Columns {
  /** One more than there are batches. */
  readonly starts: readonly number[];
  /** Where what is there after the last batch begins; undefined where it stands still. */
  readonly after?: number;
}

/** A line for each ordinal, the highest first, which is replaced first; a cell for each batch. */
function ordinalGrid(simulation: StatefulSetSimulation, { starts, after }: Columns, stop: Stop | undefined): GridPanel {
  const { untouched, blocked } = simulation;
  const replacedIn = new Map(simulation.batches.flatMap((batch, index) => batch.map((ordinal) => [ordinal, index] as const)));
  const ordinals = [...new Set([...simulation.order, ...untouched])].toSorted((a, b) => b - a);
  const columns = [...starts, ...(after === undefined ? [] : [after])];
  const lines = ordinals.map((ordinal) => {
    const at = replacedIn.get(ordinal);
    const cells = columns.map((_, column) => {
      if (ordinal === blocked?.ordinal) return 'starting' as const;
      if (at === undefined || column <= at) return 'old' as const;
      return column === at + 1 ? ('starting' as const) : ('new' as const);
    });
    return { name: String(ordinal), cells };
  });
  return { kind: 'grid', unit: 'ordinal', lines, starts: columns, layers: layersOf(simulation), ...(stop && { stop }) };
}

/** How many pods are old, new and down. */
function countStack(
  simulation: StatefulSetSimulation,
  rollout: PlannedRollout,
  batches: StatefulSetSimulation['batches'],
  { starts, after }: Columns,
  stop: Stop | undefined,
): StackPanel {
  const { replicas, maxUnavailable, blocked } = simulation;
  const least = Math.max(0, replicas - maxUnavailable);
  const down = blocked ? 1 : 0;
  let done = 0;
  const rows = [
    { at: starts[0]!, values: [replicas - down, 0, down] },
    ...batches.map((batch, index) => {
      const row = { at: starts[index + 1]!, values: [replicas - down - done - batch.length, done, batch.length + down] };
      done += batch.length;
      return row;
    }),
  ];
  if (after !== undefined) rows.push({ at: after, values: [replicas - done, done, 0] });
  return {
    kind: 'stack',
    unit: 'pods',
    rows,
    layers: layersOf(simulation),
    levels: [{ name: `floor ${least}`, role: 'floor', at: least }, ...budgetLevels(rollout)],
    bands: [],
    most: replicas,
    ...(stop && { stop }),
  };
}

/** Seconds that each batch takes at least, as long as its pods one after another or, started together, as one; undefined where that is not known. */
function secondsOfBatches({ batches, elided }: StatefulSetSimulation, { duration }: PlannedRollout): readonly number[] | undefined {
  if (!duration || duration.lowerBoundSeconds <= 0 || elided !== undefined || batches.length === 0) return undefined;
  const starts = batches.map(({ length }) => (duration.startsTogether ? 1 : length));
  const all = starts.reduce((sum, count) => sum + count, 0);
  return starts.map((count) => (count / all) * duration.lowerBoundSeconds);
}

/** Batches over seconds. */
function timed(seconds: readonly number[]): { readonly axis: TimeAxis; readonly columns: Columns } {
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
function counted(count: number, isStuck: boolean): { readonly axis: TimeAxis; readonly columns: Columns } {
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
export function statefulSetParts(simulation: StatefulSetSimulation, rollout: PlannedRollout): Chart['parts'] {
  const { blocked } = simulation;
  const standsAt = standstill(rollout);
  const batches = standsAt === undefined ? simulation.batches : simulation.batches.slice(0, standsAt);
  const why = standsAt === undefined ? blocked && `waits for pod ${blocked.ordinal}` : `stands still at batch ${standsAt}`;
  const stop: Stop | undefined = why === undefined ? undefined : { at: batches.length + 1, text: why };
  const seconds = stop ? undefined : secondsOfBatches(simulation, rollout);
  const { axis, columns } = seconds === undefined ? counted(batches.length, stop !== undefined) : timed(seconds);
  const fits = simulation.elided === undefined && simulation.order.length + simulation.untouched.length <= MOST_LINES;
  const counts = countStack(simulation, rollout, batches, columns, stop);
  // The words about where it stands still are said once.
  const grid = fits && ordinalGrid(simulation, columns, stop && { ...stop, text: '' });
  return [{ axis, panels: grid ? [counts, grid] : [counts] }];
}

import type { DaemonSetSimulation } from '../../../core/simulations/daemonset';
import type { Chart, GridPanel, StackPanel, StackRow } from '../chart';
import { POD_LAYERS } from './pod-waves';

/** Nodes that have a line of their own below their numbers; more have none. */
const MOST_LINES = 24;

type Cell = GridPanel['lines'][number]['cells'][number];

/** What the pod of a node is at a moment: new ones that are ready come first, then those that are not, since nothing tells nodes apart. */
function cellOf(node: number, { values }: StackRow, down: number): Cell {
  const [old = 0, fresh = 0, waiting = 0] = values;
  if (node <= fresh) return 'new';
  return node <= fresh + waiting - down || node > fresh + waiting + old ? 'starting' : 'old';
}

/** The pod of a node that is down is there until the controller deletes it, and no other comes. */
function cellOfDown(row: StackRow, pods: number): Cell {
  return row.values.reduce((sum, value) => sum + value, 0) < pods ? 'gone' : 'starting';
}

/** A line for each node, a cell for each wave. The controller goes through them in no order that is known before. */
function nodeGrid({ nodes, halted }: DaemonSetSimulation, { rows, stop }: StackPanel): GridPanel {
  const down = halted?.reason === 'nodes-down' ? halted.nodes : 0;
  const isGone = (row: StackRow) => cellOfDown(row, nodes + down) === 'gone';
  const lines = [
    ...Array.from({ length: nodes }, (_, index) => ({
      name: String(index + 1),
      cells: rows.map((row) => cellOf(index + 1, row, isGone(row) ? 0 : down)),
    })),
    ...Array.from({ length: down }, () => ({ name: 'down', cells: rows.map((row) => cellOfDown(row, nodes + down)) })),
  ];
  return {
    kind: 'grid',
    unit: 'nodes, as they are reached',
    lines,
    starts: rows.map(({ at }) => at),
    layers: [...POD_LAYERS, { name: 'no pod', role: 'gone' }],
    ...(stop && { stop: { at: stop.at, text: '' } }),
  };
}

/** The picture of a DaemonSet, with a line for each of its nodes where they are few. */
export function withNodes(
  simulation: DaemonSetSimulation,
  rollout: Omit<Chart['parts'][number], 'panels'> & { readonly panels: StackPanel[] },
) {
  const [counts] = rollout.panels;
  if (!counts || simulation.nodes > MOST_LINES || simulation.elided !== undefined) return rollout;
  return { ...rollout, panels: [...rollout.panels, nodeGrid(simulation, counts)] };
}

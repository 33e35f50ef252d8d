import type { DaemonSetSimulation } from '../../../core/simulations/daemonset';
import type { Chart, GridPanel, StackPanel, StackRow } from '../chart';
import { POD_LAYERS } from './pod-waves';

/** Nodes that have a line of their own below their numbers; more have none. */
const MAX_GRID_LINES = 24;

type NodeCell = GridPanel['lines'][number]['cells'][number];

/** What the pod of a node is at a moment: new ones that are ready come first, then those that are not, since nothing tells nodes apart. */
function computeCell(node: number, { values }: StackRow, downNodes: number): NodeCell {
  const [old = 0, newReady = 0, waiting = 0] = values;
  if (node <= newReady) return 'new';
  return node <= newReady + waiting - downNodes || node > newReady + waiting + old ? 'starting' : 'old';
}

/** The pod of a node that is down is there until the controller deletes it, and no other comes. */
function computeDownNodeCell(row: StackRow, pods: number): NodeCell {
  return row.values.reduce((sum, value) => sum + value, 0) < pods ? 'gone' : 'starting';
}

/** A line for each node, a cell for each wave. The controller goes through them in no order that is known before. */
function buildNodeGrid({ nodes, halted }: DaemonSetSimulation, { rows, stop }: StackPanel): GridPanel {
  const downNodes = halted?.reason === 'nodes-down' ? halted.nodes : 0;
  const isGone = (row: StackRow) => computeDownNodeCell(row, nodes + downNodes) === 'gone';
  const lines = [
    ...Array.from({ length: nodes }, (_, index) => ({
      name: String(index + 1),
      cells: rows.map((row) => computeCell(index + 1, row, isGone(row) ? 0 : downNodes)),
    })),
    ...Array.from({ length: downNodes }, () => ({ name: 'down', cells: rows.map((row) => computeDownNodeCell(row, nodes + downNodes)) })),
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
export function appendNodeGrid(
  simulation: DaemonSetSimulation,
  rollout: Omit<Chart['parts'][number], 'panels'> & { readonly panels: StackPanel[] },
) {
  const [counts] = rollout.panels;
  if (!counts || simulation.nodes > MAX_GRID_LINES || simulation.elided !== undefined) return rollout;
  return { ...rollout, panels: [...rollout.panels, buildNodeGrid(simulation, counts)] };
}

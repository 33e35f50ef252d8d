import type { DaemonSetSimulation } from '../../../core/simulations/daemonset';
import type { Chart, GridPanel, StackPanel, StackRow } from '../chart';
import { POD_LAYERS } from './pod-waves';

/** Largest number of nodes that each have a line. */
const MAX_GRID_LINES = 24;

type NodeCell = GridPanel['lines'][number]['cells'][number];

/** Returns the state of a node's pod at a moment. New ready pods come first, then those not ready, because nodes are interchangeable. */
function computeCell(node: number, { values }: StackRow, downNodes: number): NodeCell {
  const [old = 0, newReady = 0, waiting = 0] = values;
  if (node <= newReady) return 'new';
  return node <= newReady + waiting - downNodes || node > newReady + waiting + old ? 'starting' : 'old';
}

/** Returns the state of the pod of a node that is down. It exists until the controller deletes it, and is not replaced. */
function computeDownNodeCell(row: StackRow, pods: number): NodeCell {
  return row.values.reduce((sum, value) => sum + value, 0) < pods ? 'gone' : 'starting';
}

/** Builds a line for each node with a cell for each wave. The order in which the controller updates nodes is not known in advance. */
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
    unit: 'nodes, in update order',
    lines,
    starts: rows.map(({ at }) => at),
    layers: [...POD_LAYERS, { name: 'no pod', role: 'gone' }],
    ...(stop && { stop: { at: stop.at, text: '' } }),
  };
}

/** Appends a line for each node to the picture of a DaemonSet, if it has few nodes. */
export function appendNodeGrid(
  simulation: DaemonSetSimulation,
  rollout: Omit<Chart['parts'][number], 'panels'> & { readonly panels: StackPanel[] },
) {
  const [counts] = rollout.panels;
  if (!counts || simulation.nodes > MAX_GRID_LINES || simulation.elided !== undefined) return rollout;
  return { ...rollout, panels: [...rollout.panels, buildNodeGrid(simulation, counts)] };
}

import { shownRows } from '../../core/rollout';
import type { DaemonSetSimulation, DaemonSetWave } from '../../core/rollout';
import type { StartingPoint } from '../rollout-kind';
import { nodeLimits } from './strategy';
import type { NodeLimits } from './strategy';
import type { DaemonSetUpdateStrategy } from './types';

/** The nodes of a DaemonSet at the start. */
interface Nodes {
  /** With an available old pod. */
  readonly ready: number;
  /** Down: their old pods are not available, and nothing on them ever becomes it. */
  readonly down: number;
}

/** Rows by their number, counted from 1, and how many there are. */
interface Rows {
  readonly count: number;
  row(wave: number): Omit<DaemonSetWave, 'wave' | 'total'>;
}

/**
 * Old pods first: with r ready nodes, d nodes down and u unavailable ones allowed,
 *
 *     taken_k     = min(r, first + (k - 1) × left)     left = max(0, u - d); first = left, before 1.31 u
 *     new_k       = taken_k
 *     old_k       = r - taken_k
 *     available_k = r - (taken_k - taken_(k-1))
 *
 * Old pods on nodes that are down are deleted at once and stay terminating: they count as unavailable for good. Where d >= u nothing else
 * moves. 5 nodes, u 2: new 2 4 5, old 3 1 0. 5 nodes of which 1 is down, u 2: new 1 2 3 4.
 */
function unavailableRows({ ready, down }: Nodes, unavailable: number, countsUnreadyOldPods: boolean): Rows {
  const left = Math.max(0, unavailable - down);
  const first = countsUnreadyOldPods ? left : unavailable;
  const taken = (wave: number) => (wave === 0 ? 0 : Math.min(ready, first + (wave - 1) * left));
  const further = left === 0 ? 0 : Math.max(0, Math.ceil((ready - first) / left));
  const changesFirst = down > 0 || taken(1) > 0;
  return {
    count: changesFirst ? 1 + further : 0,
    row: (wave) => ({
      newPods: taken(wave),
      oldPods: ready - taken(wave),
      available: ready - (taken(wave) - taken(wave - 1)),
    }),
  };
}

/**
 * New pods first: with s nodes that may surge,
 *
 *     new_k = d + min(r, k × s)
 *     old_k = r - min(r, (k - 1) × s)
 *
 * and every ready node keeps an available pod. A node that is down has its new pod at once, loses its old one and takes up nothing. The last
 * wave only deletes. 3 nodes, s 2: new 2 3 3, old 3 1 0.
 */
function surgeRows({ ready, down }: Nodes, surge: number): Rows {
  const made = (wave: number) => Math.min(ready, wave * surge);
  const last = ready > 0 ? Math.ceil(ready / surge) + 1 : Math.min(1, down);
  return { count: last, row: (wave) => ({ newPods: down + made(wave), oldPods: ready - made(wave - 1), available: ready }) };
}

function rowsOf(nodes: Nodes, { surge, unavailable }: NodeLimits, countsUnreadyOldPods: boolean): Rows {
  return surge > 0 ? surgeRows(nodes, surge) : unavailableRows(nodes, unavailable, countsUnreadyOldPods);
}

/**
 * How the DaemonSet controller replaces its pods, wave by wave, as for a Deployment; constant work per row shown, whatever the nodes.
 *
 * Which nodes come first is not defined: the controller goes through a Go map. With OnDelete nothing happens until someone deletes a pod.
 *
 * Source: k/k pkg/controller/daemon/update.go, `rollingUpdate`. Held to recordings of the real controller
 * (`test/upstream/daemonset-waves.test.ts`).
 *
 * @param start `replicas` are the nodes that the pods may go to; of these `down` are down, and `downBeside` are others with an old pod
 * @param countsUnreadyOldPods does an old pod that is not available take up maxUnavailable from the first round on?
 */
export function simulateDaemonSet(
  strategy: DaemonSetUpdateStrategy,
  { replicas, down = 0, downBeside = 0 }: StartingPoint,
  countsUnreadyOldPods: boolean,
): DaemonSetSimulation {
  const nodes = { ready: replicas - down, down: down + downBeside };
  const limits = nodeLimits(strategy, replicas);
  const { count, row } =
    strategy.type === 'OnDelete'
      ? { count: 0, row: () => ({ newPods: 0, oldPods: 0, available: 0 }) }
      : rowsOf(nodes, limits, countsUnreadyOldPods);
  const { rows, elided } = shownRows(count);
  const waves = rows.map((index): DaemonSetWave => {
    const { newPods, oldPods, available } = row(index + 1);
    return { wave: index + 1, newPods, oldPods, total: newPods + oldPods, available };
  });
  const last = waves.at(-1);
  // Every wave takes at most as many as the first two, and has at most as many pods.
  const extremes = [1, 2].filter((wave) => wave <= count).map((wave) => row(wave));
  return {
    kind: 'daemonset',
    nodes: replicas,
    ...limits,
    waves,
    peakPods: Math.max(nodes.ready + nodes.down, ...extremes.map(({ newPods, oldPods }) => newPods + oldPods)),
    minAvailable: Math.min(nodes.ready, ...extremes.map(({ available }) => available)),
    ...(last && last.oldPods > 0 && { halted: { wave: last.wave, nodes: nodes.down, reason: 'nodes-down' } as const }),
    ...(elided > 0 && { elided }),
  };
}

import { selectVisibleRows } from '../../core/simulations/row-limit';
import type { DaemonSetSimulation, DaemonSetWave } from '../../core/simulations/daemonset';
import type { InitialState } from '../../cluster/initial-state';
import { resolveNodeLimits } from './strategy';
import type { NodeLimits } from './strategy';
import type { DaemonSetUpdateStrategy } from './types';
import { findMax, findMin } from '../../core/min-max';

/** The nodes of a DaemonSet at the start, by what becomes of their pods. */
interface NodesByPodState {
  /** With an available old pod. */
  readonly ready: number;
  /** Whose pod is not available or not there, and whose new one becomes it. */
  readonly recovering: number;
  /** Whose pod is not available, and whose new one never is. */
  readonly failing: number;
  /** Down: a deleted pod stays there, terminating, and nothing becomes available. */
  readonly down: number;
  /** Of those that are down, how many the controller makes new pods for. */
  readonly downWanted: number;
  /** Without any pod. */
  readonly missing: number;
  /** With an available new pod. */
  readonly upToDate: number;
  /** With a new pod that will be available. */
  readonly starting: number;
  /** With an available old pod and a new one that will be. */
  readonly surging: number;
}

/** Rows by their number, counted from 1, and how many there are. */
interface RowSequence {
  readonly count: number;
  readonly row: (wave: number) => Omit<DaemonSetWave, 'wave' | 'total'>;
}

const NO_ROWS: RowSequence = { count: 0, row: () => ({ newPods: 0, oldPods: 0, available: 0 }) };

/**
 * Old pods first. Of r ready nodes, with d down, b recovering, f failing, n that are new already, g that are about to be and u allowed to be unavailable,
 *
 *     taken_k     = min(r, first + (k - 1) × left)     first = max(0, u - d - b - f - g), left = max(0, u - d - f)
 *     new_k       = n + g + b + f + taken_k
 *     old_k       = r - taken_k
 *     available_k = n + r - (taken_k - taken_(k-1)), from the second wave on b + g more
 *
 * Pods that are not available are replaced at once, whatever the limit. Those on nodes that are down stay terminating,
 * and count as unavailable for good: where d + f >= u nothing else moves.
 * Versions that do not count unavailable old pods take first = u - g less the nodes without a pod.
 * Where nothing changes in the first wave, it is none: the pods that are about to be available become it.
 *
 * 5 nodes, u 2: new 2 4 5, old 3 1 0. 5 nodes of which 1 is down, u 2: new 1 2 3 4.
 */
function buildInPlaceRows(nodes: NodesByPodState, unavailable: number, countsUnreadyOldPods: boolean): RowSequence {
  const { ready, recovering, failing, down, missing, upToDate, starting } = nodes;
  const replacedPerWave = Math.max(0, unavailable - down - failing);
  const first = Math.max(0, unavailable - starting - (countsUnreadyOldPods ? down + failing + recovering : missing));
  const taken = (wave: number) => (wave === 0 ? 0 : Math.min(ready, first + (wave - 1) * replacedPerWave));
  const laterWaves = replacedPerWave === 0 ? 0 : Math.max(0, Math.ceil((ready - first) / replacedPerWave));
  const rows: RowSequence = {
    count: 1 + laterWaves,
    row: (wave) => ({
      newPods: upToDate + starting + recovering + failing + taken(wave),
      oldPods: ready - taken(wave),
      available: upToDate + (wave > 1 ? recovering + starting : 0) + ready - (taken(wave) - taken(wave - 1)),
    }),
  };
  return down + failing + recovering > 0 || taken(1) > 0 ? rows : dropFirstRow(rows);
}

function dropFirstRow({ count, row }: RowSequence): RowSequence {
  return { count: count - 1, row: (wave) => row(wave + 1) };
}

/**
 * New pods first. With s nodes that may surge, t that do, and i nodes that are down for which the controller makes pods,
 *
 *     made_k      = min(r, max(0, s - t) + (k - 1) × s)
 *     new_k       = n + g + t + b + f + i + made_k
 *     old_k       = r - made_(k-1), in the first wave t more
 *     available_k = n + t + r, from the second wave on b + g more
 *
 * Nodes whose old pod is not available have a new one at once and take up no surge. The last wave only deletes. 3 nodes, s 2: new 2 3 3,
 * old 3 1 0.
 */
function buildSurgeRows(nodes: NodesByPodState, surge: number): RowSequence {
  const { ready, recovering, failing, down, downWanted, upToDate, starting, surging } = nodes;
  const first = Math.max(0, surge - surging);
  const created = (wave: number) => (wave === 0 ? 0 : Math.min(ready, first + (wave - 1) * surge));
  const creating = 1 + Math.ceil(Math.max(0, ready - first) / surge);
  const rows: RowSequence = {
    count: ready + surging > 0 ? creating + 1 : 1,
    row: (wave) => ({
      newPods: upToDate + starting + surging + recovering + failing + downWanted + created(wave),
      oldPods: ready - created(wave - 1) + (wave === 1 ? surging : 0),
      available: upToDate + surging + ready + (wave > 1 ? recovering + starting : 0),
    }),
  };
  return down + failing + recovering > 0 || created(1) > 0 ? rows : dropFirstRow(rows);
}

function buildRows(
  type: DaemonSetUpdateStrategy['type'],
  nodes: NodesByPodState,
  { surge, unavailable }: NodeLimits,
  countsUnreadyOldPods: boolean,
): RowSequence {
  if (type === 'OnDelete') return NO_ROWS;
  return surge > 0 ? buildSurgeRows(nodes, surge) : buildInPlaceRows(nodes, unavailable, countsUnreadyOldPods);
}

/** What is said of nodes one by one never comes to more than there are: a dump may be older than the nodes that are given. */
function countInitialNodes(initialState: InitialState): NodesByPodState {
  let ready = initialState.replicas;
  const take = (nodes = 0) => {
    const taken = Math.min(ready, nodes);
    ready -= taken;
    return taken;
  };
  const downWanted = take(initialState.down);
  const failing = take(initialState.failing);
  const starting = take(initialState.starting);
  const surging = take(initialState.surging);
  const unready = take(initialState.unready);
  const missing = take(initialState.missing);
  const upToDate = take(initialState.upToDate);
  const { otherNodesDown = 0 } = initialState;
  return {
    ready,
    recovering: unready + missing,
    failing,
    down: downWanted + otherNodesDown,
    downWanted,
    missing,
    upToDate,
    starting,
    surging,
  };
}

/**
 * How the DaemonSet controller replaces its pods, wave by wave, as for a Deployment; constant work per row shown, whatever the nodes.
 *
 * Which nodes come first is not defined: the controller goes through a Go map. With OnDelete nothing happens until someone deletes a pod.
 *
 * Source: k/k pkg/controller/daemon/update.go, `rollingUpdate`.
 * Held to recordings of the real controller (`test/upstream/daemonset-waves.test.ts`).
 *
 * @param start `replicas` are the nodes that the pods may go to
 * @param countsUnreadyOldPods does an old pod that is not available take up maxUnavailable from the first round on?
 */
export function simulateDaemonSet(
  strategy: DaemonSetUpdateStrategy,
  initialState: InitialState,
  countsUnreadyOldPods: boolean,
): DaemonSetSimulation {
  const nodes = countInitialNodes(initialState);
  const limits = resolveNodeLimits(strategy, initialState.replicas);
  const { count, row } = buildRows(strategy.type, nodes, limits, countsUnreadyOldPods);
  const { rows, elided } = selectVisibleRows(count);
  const waves = rows.map((index): DaemonSetWave => {
    const { newPods, oldPods, available } = row(index + 1);
    return { wave: index + 1, newPods, oldPods, total: newPods + oldPods, available };
  });
  const last = waves.at(-1);
  // Every wave takes at most as many as the first two, and has at most as many pods.
  const extremes = [1, 2].filter((wave) => wave <= count).map((wave) => row(wave));
  const { ready, upToDate, starting, surging } = nodes;
  const initialPods = ready + nodes.recovering - nodes.missing + nodes.failing + nodes.down + upToDate + starting + 2 * surging;
  return {
    kind: 'daemonset',
    nodes: initialState.replicas,
    ...(initialState.otherNodesDown !== undefined && initialState.otherNodesDown > 0 && { otherNodesDown: initialState.otherNodesDown }),
    ...limits,
    waves,
    peakPods: findMax(
      extremes.map((wave) => wave.newPods + wave.oldPods),
      initialPods,
    ),
    minAvailable: findMin(
      extremes.map(({ available }) => available),
      ready + upToDate + surging,
    ),
    ...(last && last.oldPods > 0 && { halted: { wave: last.wave, nodes: nodes.down + nodes.failing, reason: 'nodes-down' } as const }),
    ...(elided > 0 && { elided }),
  };
}

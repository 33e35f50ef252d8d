import { selectVisibleRows } from '../../core/simulations/row-limit';
import type { DaemonSetSimulation, DaemonSetWave } from '../../core/simulations/daemonset';
import type { InitialState } from '../../cluster/rollout/initial-state';
import { resolveNodeLimits } from './strategy';
import type { NodeLimits } from './strategy';
import type { DaemonSetUpdateStrategy } from './types';
import { findMax, findMin } from '../../core/values/min-max';

/** The number of nodes of a DaemonSet at the start, by the state of their pods. */
interface NodesByPodState {
  /** Nodes with an available old pod. */
  readonly ready: number;
  /** Nodes whose pod is unavailable or missing, and whose new pod becomes available. */
  readonly recovering: number;
  /** Nodes whose pod is unavailable, and whose new pod never becomes available. */
  readonly failing: number;
  /** Nodes that are down: a deleted pod stays terminating, and no pod becomes available. */
  readonly down: number;
  /** Nodes that are down and that the controller creates new pods for. */
  readonly downWanted: number;
  /** Nodes without a pod. */
  readonly missing: number;
  /** Nodes with an available new pod. */
  readonly upToDate: number;
  /** Nodes with a new pod that will become available. */
  readonly starting: number;
  /** Nodes with an available old pod and a new pod that will become available. */
  readonly surging: number;
}

/** A number of rows, and a function that returns a row by its wave, counted from 1. */
interface RowSequence {
  readonly count: number;
  readonly row: (wave: number) => Omit<DaemonSetWave, 'wave' | 'total'>;
}

const NO_ROWS: RowSequence = { count: 0, row: () => ({ newPods: 0, oldPods: 0, available: 0 }) };

/**
 * Builds the rows of a rollout that deletes old pods first. Let r nodes be ready, d down, b recovering, f failing, n up to date,
 * g starting, and u allowed to be unavailable:
 *
 *     taken_k     = min(r, first + (k - 1) × left)     first = max(0, u - d - b - f - g), left = max(0, u - d - f)
 *     new_k       = n + g + b + f + taken_k
 *     old_k       = r - taken_k
 *     available_k = n + r - (taken_k - taken_(k-1)), plus b + g from the second wave on
 *
 * Unavailable pods are replaced at once, regardless of the limit. Pods on nodes that are down stay terminating
 * and count as unavailable permanently: if d + f >= u, no other pod is replaced.
 * Versions that do not count unavailable old pods use first = u - g less the nodes without a pod.
 * If nothing changes in the first wave, it is dropped: the starting pods become available before the next one.
 *
 * 5 nodes, u 2: new 2 4 5, old 3 1 0. 5 nodes with 1 down, u 2: new 1 2 3 4.
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
 * Builds the rows of a rollout that creates new pods first. With the letters of `buildInPlaceRows`, let s nodes be allowed to surge,
 * t nodes be surging, and i nodes be down that the controller creates pods for:
 *
 *     made_k      = min(r, max(0, s - t) + (k - 1) × s)
 *     new_k       = n + g + t + b + f + i + made_k
 *     old_k       = r - made_(k-1), plus t in the first wave
 *     available_k = n + t + r, plus b + g from the second wave on
 *
 * Nodes whose old pod is unavailable get a new one at once and do not count as surging. The last wave only deletes pods.
 *
 * 3 nodes, s 2: new 2 3 3, old 3 1 0.
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

/** Counts nodes by state, never more than there are: a dump of the pods may be older than the nodes in the input. */
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
 * Simulates how the DaemonSet controller replaces its pods, wave by wave. The work per row shown is constant, regardless of the number of
 * nodes.
 *
 * The order of the nodes is undefined, since the controller iterates over a Go map. With OnDelete nothing happens until a pod is deleted.
 *
 * Source: k/k pkg/controller/daemon/update.go, `rollingUpdate`.
 * Verified against recordings of the real controller (`test/upstream/daemonset-waves.test.ts`).
 *
 * @param initialState `replicas` is the number of nodes that the pods may run on
 * @param countsUnreadyOldPods whether an unavailable old pod counts against maxUnavailable from the first round on
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
  // One of the first two waves has the most pods, and one has the fewest available ones.
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

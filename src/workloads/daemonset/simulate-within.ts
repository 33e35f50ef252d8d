import type { InitialState } from '../../cluster/rollout/initial-state';
import { UNLIMITED } from '../../cluster/rollout/limited-run';
import type { LimitedRun, RunLimits } from '../../cluster/rollout/limited-run';
import { findMax, findMin } from '../../core/values/min-max';
import type { DaemonSetSimulation } from '../../core/simulations/daemonset';
import { createCapacityHalt } from '../../core/simulations/halt';
import { selectVisibleRows } from '../../core/simulations/row-limit';
import { runRollingUpdate } from '../../cluster/rollout/rolling-run';

/** Maximum number of nodes of a rollout that is simulated row by row. */
const MAX_NODES = 20_000;

/** Reports whether each node has an available old pod. */
function isSteadyState({ before, down, otherNodesDown, unready, missing, failing, upToDate, starting, surging }: InitialState): boolean {
  const others = [down, otherNodesDown, unready, missing, failing, upToDate, starting, surging];
  return before === undefined && others.every((nodes = 0) => nodes === 0);
}

/**
 * Simulates a rollout from a steady state under its limits. Returns undefined if some nodes have no available old pod.
 *
 * @param ideal the rollout without limits
 */
export function simulateDaemonSetWithin(
  ideal: DaemonSetSimulation,
  initialState: InitialState,
  limits: RunLimits,
): LimitedRun<DaemonSetSimulation> | undefined {
  const { nodes, surge, unavailable, waves, elided } = ideal;
  if (waves.length === 0 || nodes > MAX_NODES || !isSteadyState({ ...initialState, missing: 0 })) return undefined;
  if ((initialState.missing ?? 0) > 0) {
    // Without limits, nodes without a pod get one at once, as the rows already show.
    const run = { isFinished: true, isUnlimited: true, ready: nodes, old: 0, peakPods: ideal.peakPods, startingRows: waves.length };
    return limits === UNLIMITED ? { simulation: ideal, ...run } : undefined;
  }
  // A surge is only used without unavailable nodes.
  const run = runRollingUpdate({ replicas: nodes, surge, unavailable: surge > 0 ? 0 : unavailable, waitsForRefused: surge === 0 }, limits);
  const { isFinished, ready, old, hasWaitingPods, startingRows } = run;
  // A rollout whose new pods are all refused stops at the first row as it was.
  const rows = run.rows.length > 0 ? run.rows : [{ newPods: 0, oldPods: nodes, available: nodes }];
  const shown = selectVisibleRows(rows.length);
  const peakPods = findMax(
    rows.map(({ newPods, oldPods }) => newPods + oldPods),
    nodes,
  );
  const { halted: _halted, elided: _elided, ...figures } = ideal;
  const simulation: DaemonSetSimulation = {
    ...figures,
    waves: shown.rows.map((index) => {
      const { newPods, oldPods, available } = rows[index]!;
      return { wave: index + 1, newPods, oldPods, total: newPods + oldPods, available };
    }),
    peakPods,
    minAvailable: findMin(
      rows.map(({ available }) => available),
      nodes,
    ),
    ...(!isFinished && { halted: createCapacityHalt(rows.length) }),
    ...(shown.elided > 0 && { elided: shown.elided }),
  };
  const isUnlimited = !hasWaitingPods && peakPods === ideal.peakPods && rows.length === waves.length + (elided ?? 0);
  return { simulation, isFinished, isUnlimited, ready, old, peakPods, startingRows };
}

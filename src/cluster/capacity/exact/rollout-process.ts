import type { Simulation } from '../../../core/simulations/simulation';
import { findMax } from '../../../core/values/min-max';
import { UNLIMITED } from '../../rollout/limited-run';
import type { LimitedRollout } from '../../rollout/workload';
import type { RolloutSizes } from './rollout-model';

/** Maximum number of replicas of a rollout that is evaluated exactly. */
const MAX_REPLICAS = 1_000;

/** Old and new pods at one row of a rollout. */
export interface RevisionCounts {
  readonly old: number;
  readonly next: number;
}

/** How a controller replaces pods of one set, from a steady state. */
export type RolloutProcess = RolloutSizes &
  (
    | { readonly kind: 'rolling' | 'recreate' }
    /** One after another by ordinal, each at the name of the old pod. */
    | { readonly kind: 'ordered'; readonly ordinals: readonly number[] }
    /** Through given rows. Each waits for its new pods. */
    | { readonly kind: 'rows'; readonly rows: readonly RevisionCounts[]; readonly waitsForAllNew: boolean }
  );

type ProcessReader<S extends Simulation> = (simulation: S, limited: LimitedRollout) => RolloutProcess | undefined;

/** Reads the sizes of a Deployment that starts from a steady state. */
const readDeployment: ProcessReader<Extract<Simulation, { kind: 'deployment' }>> = (simulation, { rollout: { runningBefore } }) => {
  const { replicas, surge, unavailable, waves, peakPods, minAvailable, elided } = simulation;
  const [first] = waves;
  const running = Math.min(replicas, runningBefore ?? replicas);
  if (first === undefined || elided !== undefined || minAvailable !== Math.min(running, replicas - unavailable)) return undefined;
  const isRecreate = surge === 0 && unavailable === replicas && first.newReplicas === 0;
  const isSteady =
    first.oldReplicas === replicas - unavailable &&
    (isRecreate ||
      (first.newReplicas === Math.min(replicas, surge + unavailable) &&
        (runningBefore !== undefined || peakPods === replicas + Math.min(surge, replicas - unavailable))));
  return isSteady ? { kind: isRecreate ? 'recreate' : 'rolling', replicas, surge, unavailable, running } : undefined;
};

/**
 * Reads the ordinals of a StatefulSet whose pods are all ready at the start. Pods that the same apply adds are created first. Pending ones
 * count as unavailable, so that some controllers replace others next to them if they may replace several at once.
 */
const readStatefulSet: ProcessReader<Extract<Simulation, { kind: 'statefulset' }>> = (simulation, { rollout: { runningBefore } }) => {
  const { replicas, maxUnavailable, order, batches, minAvailable, blocked, elided } = simulation;
  const together = Math.min(maxUnavailable, order.length);
  const added = Math.max(0, replicas - (runningBefore ?? replicas));
  const isSteady =
    batches.length === Math.ceil(order.length / Math.max(1, together)) &&
    minAvailable === Math.min(replicas - added, replicas - together) &&
    (added === 0 || together === 1);
  if (order.length === 0 || blocked || elided !== undefined || !isSteady) return undefined;
  const sizes = { replicas: order.length + added, surge: 0, unavailable: together };
  return { kind: 'ordered', ...sizes, ...(added > 0 && { running: order.length, addsNewPods: true }), ordinals: order };
};

/** Reads rows of old and new pods. */
function readRows(
  replicas: number,
  waves: readonly { readonly newPods: number; readonly oldPods: number }[],
  waitsForAllNew: boolean,
): RolloutProcess {
  const rows = waves.map(({ newPods, oldPods }) => ({ old: oldPods, next: newPods }));
  return { kind: 'rows', replicas, surge: 0, unavailable: 0, rows, waitsForAllNew };
}

const PROCESS_READERS: { readonly [K in Simulation['kind']]?: ProcessReader<Extract<Simulation, { kind: K }>> } = {
  deployment: readDeployment,
  statefulset: readStatefulSet,
  daemonset: ({ nodes, surge, unavailable, waves, elided }, { rollout }) => {
    const isSteady = elided === undefined && waves.length > 0 && rollout.runWithin?.(UNLIMITED)?.isUnlimited === true;
    // Pods are only created before old ones are deleted if no node may be without a pod.
    return isSteady ? { kind: 'rolling', replicas: nodes, surge, unavailable: surge > 0 ? 0 : unavailable } : undefined;
  },
  argorollout: ({ type, replicas, waves, elided }, { rollout }) => {
    const isSteady = elided === undefined && type !== 'restart' && waves.length > 0 && waves.every(({ oldPods }) => oldPods <= replicas);
    return isSteady ? readRows(replicas, waves, rollout.waitsForAllNew ?? false) : undefined;
  },
  revision: ({ replicas, waves, elided }) => {
    const isSteady = elided === undefined && waves.length > 0 && waves.every(({ oldPods }) => oldPods <= replicas);
    // A Revision may start with more pods than the old one has.
    const mostPods = findMax(
      waves.map(({ newPods }) => newPods),
      replicas,
    );
    return isSteady ? readRows(mostPods, waves, true) : undefined;
  },
};

/** Returns how the pods of a rollout are replaced. Returns undefined if it does not start from a steady state, or is not known by rows. */
export function readProcess(limited: LimitedRollout): RolloutProcess | undefined {
  const { simulation } = limited.rollout;
  const read = PROCESS_READERS[simulation.kind] as ProcessReader<Simulation> | undefined;
  const process = read?.(simulation, limited);
  return process && process.replicas > 0 && process.replicas <= MAX_REPLICAS ? process : undefined;
}

/** Lists the old and new pods of the rows of a rollout without limits. */
export function listIdealRows({ rollout: { simulation } }: LimitedRollout, process: RolloutProcess): readonly RevisionCounts[] {
  if (process.kind === 'rows') return process.rows;
  if (simulation.kind === 'deployment')
    return simulation.waves.map(({ newReplicas, oldReplicas }) => ({ old: oldReplicas, next: newReplicas }));
  if (simulation.kind === 'daemonset') return simulation.waves.map(({ newPods, oldPods }) => ({ old: oldPods, next: newPods }));
  const { replicas, unavailable, running = replicas } = process;
  const old = Math.min(running, replicas - unavailable);
  return [
    { old, next: replicas - old },
    { old: 0, next: replicas },
  ];
}

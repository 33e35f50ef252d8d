import { resized } from './state';
import type { RolloutState } from './state';
import type { BlueGreen } from './strategy';

/* One turn of the controller over a blue-green rollout. Source: Argo Rollouts v1.9.1, rollout/bluegreen.go, rollout/pause.go, rollout/replicaset.go. */

/** How many new pods are wanted: at first those of the preview, where there are fewer. */
function newPods({ previewReplicas }: BlueGreen, replicas: number, state: RolloutState): number {
  if (previewReplicas === undefined || state.isActive) return replicas;
  return !state.isPaused && state.checkPoint ? replicas : previewReplicas;
}

/** Has it waited for whoever decides that it goes on? */
function hasPassedPause({ promotes }: BlueGreen, state: RolloutState): boolean {
  if (state.checkPoint || promotes === 'at once') return true;
  if (promotes === 'by hand') return state.wasPaused && !state.isPaused;
  return state.isPaused && state.waitIsOver;
}

function scaled(strategy: BlueGreen, replicas: number, state: RolloutState): RolloutState {
  if (!state.isPromoted) {
    const { abortDelay } = strategy;
    if (state.isAborted && abortDelay.seconds !== undefined) {
      if (state.deadline === 'set')
        return state.waitIsOver ? { ...state, next: resized(state.next, 0), deadline: 'over', waitIsOver: false } : state;
      return state.deadline === 'none' && state.old.ready === replicas ? { ...state, deadline: 'set' } : state;
    }
    return { ...state, next: resized(state.next, newPods(strategy, replicas, state)) };
  }
  const { scaleDownDelay } = strategy;
  if (state.old.size === 0 || scaleDownDelay === 'for good') return state;
  if (scaleDownDelay === 0) return { ...state, old: resized(state.old, 0) };
  if (state.deadline === 'none') return { ...state, deadline: 'set' };
  return state.waitIsOver ? { ...state, old: resized(state.old, 0), deadline: 'over', waitIsOver: false } : state;
}

/** One turn. */
export function blueGreenTurn(strategy: BlueGreen, replicas: number, state: RolloutState): RolloutState {
  const after = scaled(strategy, replicas, state);
  if (state.isPromoted) return { ...after, isPaused: false, wasPaused: false };
  const wanted = newPods(strategy, replicas, state);
  const isReady = after.next.size === wanted && state.next.ready === wanted;
  const hasPreAnalysis = !strategy.hasPreAnalysis || state.analyses > 0;
  if (state.isAborted) {
    // Pods that an abort leaves in place still go from those of the preview to all.
    const isPreviewed = strategy.previewReplicas === state.next.ready && hasPreAnalysis && hasPassedPause(strategy, state);
    return { ...after, checkPoint: state.checkPoint || isPreviewed, isPaused: false, wasPaused: false };
  }
  if (state.isActive) {
    if (strategy.hasPostAnalysis && state.analyses < 2) return after;
    return { ...after, isPromoted: true, checkPoint: false, isPaused: false, wasPaused: false };
  }
  if (!isReady || !hasPreAnalysis) return after;
  const passed = hasPassedPause(strategy, state);
  if (!passed) return state.wasPaused ? after : { ...after, isPaused: true, wasPaused: true };
  const checkPoint = state.checkPoint || strategy.previewReplicas !== undefined;
  const isSaturated = after.next.size === replicas && state.next.ready === replicas;
  return { ...after, checkPoint, isActive: isSaturated, isPaused: false, wasPaused: false, waitIsOver: false };
}

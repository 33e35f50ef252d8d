import { setPodGroupSize } from './state';
import type { RolloutState } from './state';
import type { BlueGreenStrategy } from './strategy';

/* One reconcile of a blue-green rollout. Source: Argo Rollouts v1.9.1, rollout/bluegreen.go, rollout/pause.go, rollout/replicaset.go. */

/** Returns the desired number of new pods: the preview pods at first, if there are fewer of them. */
function computeNewPods({ previewReplicas }: BlueGreenStrategy, replicas: number, state: RolloutState): number {
  if (previewReplicas === undefined || state.isActive) return replicas;
  return !state.isPaused && state.checkPoint ? replicas : previewReplicas;
}

/** Reports whether the pause before the promotion is over. */
function hasPassedPause({ promotion }: BlueGreenStrategy, state: RolloutState): boolean {
  if (state.checkPoint || promotion === 'immediate') return true;
  if (promotion === 'manual') return state.wasPaused && !state.isPaused;
  return state.isPaused && state.isWaitOver;
}

function scalePods(strategy: BlueGreenStrategy, replicas: number, state: RolloutState): RolloutState {
  if (!state.isPromoted) {
    const { abortDelay } = strategy;
    if (state.isAborted && abortDelay.seconds !== undefined) {
      if (state.deadline === 'set')
        return state.isWaitOver ? { ...state, next: setPodGroupSize(state.next, 0), deadline: 'over', isWaitOver: false } : state;
      return state.deadline === 'none' && state.old.ready === replicas ? { ...state, deadline: 'set' } : state;
    }
    return { ...state, next: setPodGroupSize(state.next, computeNewPods(strategy, replicas, state)) };
  }
  const { scaleDownDelay } = strategy;
  if (state.old.size === 0 || scaleDownDelay === 'never') return state;
  if (scaleDownDelay === 0) return { ...state, old: setPodGroupSize(state.old, 0) };
  if (state.deadline === 'none') return { ...state, deadline: 'set' };
  return state.isWaitOver ? { ...state, old: setPodGroupSize(state.old, 0), deadline: 'over', isWaitOver: false } : state;
}

/** Runs one reconcile. */
export function reconcileBlueGreen(strategy: BlueGreenStrategy, replicas: number, state: RolloutState): RolloutState {
  const after = scalePods(strategy, replicas, state);
  if (state.isPromoted) return { ...after, isPaused: false, wasPaused: false };
  const desired = computeNewPods(strategy, replicas, state);
  const isReady = after.next.size === desired && state.next.ready === desired;
  const hasPreAnalysis = !strategy.hasPreAnalysis || state.analyses > 0;
  if (state.isAborted) {
    // Pods that stay after an abort still grow from the preview count to all replicas.
    const isPreviewed = strategy.previewReplicas === state.next.ready && hasPreAnalysis && hasPassedPause(strategy, state);
    return { ...after, checkPoint: state.checkPoint || isPreviewed, isPaused: false, wasPaused: false };
  }
  if (state.isActive) {
    if (strategy.hasPostAnalysis && state.analyses < 2) return after;
    return { ...after, isPromoted: true, checkPoint: false, isPaused: false, wasPaused: false };
  }
  if (!isReady || !hasPreAnalysis) return after;
  const isPauseOver = hasPassedPause(strategy, state);
  if (!isPauseOver) return state.wasPaused ? after : { ...after, isPaused: true, wasPaused: true };
  const checkPoint = state.checkPoint || strategy.previewReplicas !== undefined;
  const isSaturated = after.next.size === replicas && state.next.ready === replicas;
  return { ...after, checkPoint, isActive: isSaturated, isPaused: false, wasPaused: false, isWaitOver: false };
}

import { computeCanaryCounts, computeDesiredWeight, isAtThreshold, findSetWeight } from './canary-pod-counts';
import type { CountQuery, PodCounts } from './canary-pod-counts';
import { NO_PODS, setPodGroupSize, mergePodGroups } from './state';
import type { RolloutState, Weights } from './state';
import { resolveCanaryLimits } from './strategy';

/* One reconcile of a canary. Source: Argo Rollouts v1.9.1, rollout/canary.go, rollout/trafficrouting.go, rollout/replicaset.go. */

/** Reports whether the pods match the current step, so the next one may start. */
function hasDesiredCounts(query: CountQuery, weights: Weights | undefined): boolean {
  const { canary, state } = query;
  const counts = computeCanaryCounts(query, weights);
  if (!isAtThreshold(canary, state.next, counts.next)) return false;
  // Without a router, pods of a superseded rollout get requests too.
  if (!canary.isRouted && state.older.ready > 0) return false;
  return (canary.isRouted && canary.dynamicStableScale) || state.old.size === counts.old;
}

/**
 * Returns the canary weight of an aborted rollout: 0, or with dynamicStableScale the share that the ready pods of stable cannot take yet.
 */
function computeAbortWeight(query: CountQuery): number {
  const { canary, replicas, state, behaviour } = query;
  if (!canary.dynamicStableScale || replicas === 0) return 0;
  const maxWeight = canary.maxWeight;
  const byStable = Math.max(0, maxWeight - Math.floor((maxWeight * state.old.ready) / replicas));
  const current = state.weights?.canary;
  if (!behaviour.abortsThroughSteps) return current === undefined ? byStable : Math.min(byStable, current);
  const desired = computeDesiredWeight(query);
  if (current === undefined) return Math.max(byStable, desired);
  if (desired <= 0) return Math.min(byStable, current);
  const canTake = Math.floor((maxWeight * state.old.ready) / replicas);
  return canTake < maxWeight - desired ? current : Math.min(desired, current);
}

function computeRoutedWeight(query: CountQuery): number {
  const { canary, state } = query;
  if (state.isAborted) return computeAbortWeight(query);
  // Without steps, only the promotion changes the router.
  if (state.next.ready === 0 || canary.steps.length === 0) return 0;
  if (hasDesiredCounts(query, undefined)) return findSetWeight(query);
  const before = canary.steps.slice(0, state.step).findLast((step) => step.does === 'setWeight');
  return before?.does === 'setWeight' ? before.weight : 0;
}

/** Returns the router weights after this reconcile. They stay unchanged while stable has too few ready pods for its share. */
function computeNextWeights(query: CountQuery): Weights | undefined {
  const { canary, replicas, state, behaviour } = query;
  if (!canary.isRouted) return undefined;
  // After the promotion, both Services select the new version.
  const weight = state.isPromoted ? 0 : computeRoutedWeight(query);
  const stable = state.isPromoted ? state.next : state.old;
  const share = canary.maxWeight - weight;
  const needed = Math.floor((share * replicas) / (behaviour.sharesOfMaxWeight ? canary.maxWeight : 100));
  if (stable.ready < needed && !(canary.threshold && isAtThreshold(canary, stable, needed))) return state.weights;
  return { canary: weight, stable: share };
}

/** Reports whether an aborted canary keeps its pods for a while. */
function isKeptAfterAbort({ canary, state }: CountQuery): boolean {
  const { seconds, isWritten } = canary.abortDelay;
  if (!state.isAborted || !canary.isRouted || seconds === undefined) return false;
  return !canary.dynamicStableScale || isWritten;
}

/** Returns the sizes after this reconcile. Each reconcile scales one side, stable first. */
function scalePods(query: CountQuery, weights: Weights | undefined): RolloutState {
  const { replicas, state } = query;
  const stable = computeCanaryCounts(query, state.weights).old;
  if (!state.isPromoted && stable !== state.old.size) return { ...state, old: setPodGroupSize(state.old, stable) };
  if (isKeptAfterAbort(query)) {
    if (state.deadline === 'set' && state.isWaitOver)
      return { ...state, next: setPodGroupSize(state.next, 0), deadline: 'over', isWaitOver: false };
    const isFirst = state.deadline === 'none' && state.old.ready === replicas;
    return removeOlderPods({ ...query, state: isFirst ? { ...state, deadline: 'set' } : state });
  }
  const { next }: PodCounts = computeCanaryCounts(query, weights);
  if (next !== state.next.size) return { ...state, next: setPodGroupSize(state.next, next) };
  if (!state.isPromoted) return removeOlderPods(query);
  return state.old.size > 0 ? removeOldPods(query) : state;
}

/**
 * Removes pods of a superseded rollout. With a router, the Service of the canary selects them until a new pod is ready, or after an abort
 * until all stable pods are.
 */
function removeOlderPods({ canary, replicas, state }: CountQuery): RolloutState {
  if (state.older.size === 0) return state;
  const older = setPodGroupSize(state.older, state.older.ready);
  const spare = state.next.ready + state.old.ready + older.ready - (replicas - resolveCanaryLimits(canary, replicas).unavailable);
  if (spare <= 0) return { ...state, older };
  if (canary.isRouted) {
    const isSelected = state.isAborted ? state.old.ready < state.old.size : state.next.ready === 0;
    return { ...state, older: isSelected ? older : NO_PODS };
  }
  return { ...state, older: setPodGroupSize(older, Math.max(0, older.size - spare)) };
}

/** Removes old pods after the promotion. */
function removeOldPods({ canary, replicas, state }: CountQuery): RolloutState {
  const { old, next } = state;
  if (old.ready < old.size) return { ...state, old: setPodGroupSize(old, old.ready) };
  if (canary.isRouted) {
    // They are kept until the router no longer sends requests to them, and while the Service of the canary waits for a ready pod of the new
    // version.
    if (state.weights && state.weights.canary !== 0) return state;
    if (replicas === 0) return state;
    if (canary.dynamicStableScale || canary.scaleDownDelay === 0) return { ...state, old: setPodGroupSize(old, 0) };
    if (canary.scaleDownDelay === 'never') return state;
    if (state.deadline === 'none') return { ...state, deadline: 'set' };
    return state.isWaitOver ? { ...state, old: setPodGroupSize(old, 0), deadline: 'over', isWaitOver: false } : state;
  }
  const spare = next.ready + old.ready - (replicas - resolveCanaryLimits(canary, replicas).unavailable);
  return spare > 0 ? { ...state, old: setPodGroupSize(old, Math.max(0, old.size - spare)) } : state;
}

/** Reports whether the current step is done. */
function isStepDone(query: CountQuery, weights: Weights | undefined): boolean {
  const { canary, state } = query;
  const step = canary.steps[state.step];
  switch (step?.does) {
    case undefined:
      return false;
    case 'pause':
      return (state.wasPaused && !state.isPaused) || (step.seconds !== undefined && state.isPaused && state.isWaitOver);
    case 'gate':
      return state.isWaitOver;
    case 'nothing':
      return true;
    default:
      return hasDesiredCounts(query, weights);
  }
}

/**
 * Runs the reconcile in which the controller sees new replicas together with a new template. It scales before its status records the
 * template, one side per reconcile. The controller assumes that the rollout is complete: stable shrinks as if the canary had all the
 * weight, or the canary grows to the available headroom.
 *
 * 9 replicas instead of 4, surge 5: the canary gets 9 pods at once, and the next reconciles remove the pods that the first step does not
 * allow.
 * Source: rollout/sync.go `syncReplicasOnly`; utils/replicaset/canary.go `GetCanaryReplicasOrWeight`.
 */
export function reconcileScaling(query: CountQuery): RolloutState {
  const { canary, state } = query;
  return { ...scalePods({ ...query, state: { ...state, step: canary.steps.length } }, state.weights), step: state.step };
}

/**
 * Runs one scaling reconcile for a canary in progress. Its status still describes the version in progress, so that version's step and abort
 * apply.
 */
function reconcileScalingOnce(query: CountQuery, { step, isAborted }: Pick<RolloutState, 'step' | 'isAborted'>): RolloutState {
  const { canary, state } = query;
  if (state.isPromoted && canary.isRouted) {
    // With a router, the returning stable version gets the canary pods of the current step until the status records that it is stable.
    const { next } = computeCanaryCounts({ ...query, state: { ...state, step, isAborted, isPromoted: false } }, state.weights);
    if (next !== state.next.size) return { ...state, next: setPodGroupSize(state.next, next) };
  }
  const after = scalePods({ ...query, state: { ...state, step, isAborted } }, state.weights);
  return { ...after, step: state.step, isAborted: state.isAborted };
}

/**
 * Repeats scaling reconciles until the ReplicaSets of the applied version and of stable are both updated with the new replicas. The first
 * reconcile updates stable. The other one is updated in the first reconcile that leaves the size of stable unchanged, or never if it has no
 * pods. A rollback to stable needs only one.
 *
 * Source: rollout/sync.go `isScalingEvent`, `syncReplicasOnly`.
 */
export function reconcileScalingInProgress(query: CountQuery, status: Pick<RolloutState, 'step' | 'isAborted'>): RolloutState {
  const after = reconcileScalingOnce(query, status);
  const isLast = after.isPromoted || after.old.size === query.state.old.size || after.next.size === 0;
  return isLast ? after : reconcileScalingInProgress({ ...query, state: after }, status);
}

/** Runs one reconcile. */
export function reconcileCanary(query: CountQuery): RolloutState {
  const { canary, replicas, state, behaviour } = query;
  const weights = computeNextWeights(query);
  const scaled = scalePods(query, weights);
  const after: RolloutState = weights ? { ...scaled, weights } : scaled;
  if (state.isPromoted) return after;
  const isScaled = scaled.next.size !== state.next.size || scaled.old.size !== state.old.size;
  const isComplete = canary.steps.length === 0 || state.step >= canary.steps.length;
  const hasAll = behaviour.promotesAboveReplicas ? state.next.ready >= replicas : state.next.ready === replicas;
  const isReady = hasAll || (canary.threshold !== undefined && isAtThreshold(canary, state.next, replicas));
  if (!state.isAborted && isComplete && isReady) {
    const old = mergePodGroups(after.old, after.older);
    return { ...after, old, older: NO_PODS, isPromoted: true, isPaused: false, wasPaused: false };
  }
  if (state.isAborted) return { ...after, step: 0, isPaused: false, wasPaused: false };
  if (isStepDone(query, weights)) return { ...after, step: state.step + 1, isPaused: false, wasPaused: false, isWaitOver: false };
  const pauses = !isScaled && canary.steps[state.step]?.does === 'pause';
  return pauses && !state.wasPaused ? { ...after, isPaused: true, wasPaused: true } : after;
}

import type { CanaryState } from '../../cluster/rollout/initial-state';
import { applyMinPods } from './canary-pod-counts';
import { reconcileScaling, reconcileScalingInProgress } from './reconcile-canary';
import { createSteadyState, setPodGroupSize } from './state';
import type { RolloutState } from './state';
import type { CanaryStrategy } from './strategy';
import type { RolloutQuery } from './walk-rollout';

/** Builds the state at rest, including router weights. */
function buildSteadyState({ strategy, behaviour }: RolloutQuery, replicas: number): RolloutState {
  if (strategy.type === 'blueGreen' || !strategy.isRouted) return createSteadyState(replicas, undefined);
  const { maxWeight } = strategy;
  const pods = applyMinPods(replicas, { canary: strategy, replicas, behaviour });
  // If the controller computes shares of 100, stable has too few pods for a larger maxTrafficWeight, and no weight is ever set at rest.
  const isSet = behaviour.sharesOfMaxWeight || pods >= Math.floor((maxWeight * replicas) / 100);
  return createSteadyState(pods, isSet ? { canary: 0, stable: maxWeight } : undefined);
}

/** Returns the number of pods of a Rollout at rest with these replicas. */
export function countSteadyPods(query: RolloutQuery, replicas: number): number {
  return buildSteadyState({ ...query, replicas }, replicas).old.size;
}

/**
 * Builds the state of a canary in progress. A rollback to the stable version passes no step; any other version passes all steps from the
 * first.
 */
function buildCanaryState({ stable, canary, applied, weight }: CanaryState, strategy: CanaryStrategy): RolloutState {
  const state = createSteadyState(0, weight === undefined ? undefined : { canary: weight, stable: strategy.maxWeight - weight });
  if (applied === 'stable') return { ...state, next: stable, old: canary, isPromoted: true, step: strategy.steps.length };
  return applied === 'same' ? { ...state, next: canary, old: stable } : { ...state, old: stable, older: canary };
}

export function buildInitialState(query: RolloutQuery): RolloutState {
  const { strategy, replicas, before = replicas, behaviour, currentCanary } = query;
  if (currentCanary && strategy.type === 'canary') {
    const state = buildCanaryState(currentCanary, strategy);
    // The previous replicas are recorded at the ReplicaSets that have pods: of stable and of the applied version.
    const isWritten = currentCanary.stable.size > 0 || (currentCanary.applied === 'same' && currentCanary.canary.size > 0);
    if (before === replicas || !isWritten) return state;
    const { step = 0, isAborted = false } = currentCanary;
    return reconcileScalingInProgress({ canary: strategy, replicas, state, behaviour }, { step, isAborted });
  }
  const state = buildSteadyState(query, before);
  if (before === replicas) return state;
  if (strategy.type === 'blueGreen') return { ...state, old: setPodGroupSize(state.old, replicas) };
  return reconcileScaling({ canary: strategy, replicas, state, behaviour });
}

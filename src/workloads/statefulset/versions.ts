/**
 * The versions in which the gate `MaxUnavailableStatefulSet` is on by default (KEP-961).
 *
 * 1.35.4 turned it off again after k/k#137409: an old pod that was already unavailable used up the budget, and the update deadlocked.
 * Source: kube_features.go of each version; k/k#133153, #137904, #137926, #139466.
 */
export const MAX_UNAVAILABLE_GATE = [
  ['0', false],
  ['1.35', true],
  ['1.35.4', false],
  ['1.37', true],
] as const;

/**
 * The versions in which the rolling update of a Parallel StatefulSet waits for each pod to be available.
 * Older versions continue as soon as one is ready (k/k#112307, #119234; fixed by #130909).
 *
 * Source: k/k CHANGELOG-1.34 (alpha.3); pkg/controller/statefulset/stateful_set_control.go before and after that change.
 */
export const PARALLEL_AWAITS_MIN_READY = [
  ['0', false],
  ['1.34', true],
] as const;

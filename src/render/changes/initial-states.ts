import type { InitialRolloutState, RolloutHealth } from '../../core/document/initial-state';
import type { PlannedRollout } from '../../core/document/rollout';
import { formatResourceLabel } from '../findings/text-findings';

const HEALTH_LABELS: Readonly<Record<RolloutHealth, string>> = {
  progressing: 'in progress',
  'deadline-exceeded': 'deadline exceeded',
  paused: 'paused',
  unavailable: 'too few pods are available',
};

/**
 * Formats an initial state that is unhealthy or has several revisions: `the last rollout has not finished: 5 of 9 updated, deadline exceeded`,
 * or `before the apply: 1 of 3 updated` if a partition holds the others. Returns undefined for any other one.
 */
export function formatInitialState({ replicas, revisions, underWay, health }: InitialRolloutState): string | undefined {
  const healthLabels = health ? [HEALTH_LABELS[health]] : [];
  const updated = revisions.length > 1 ? [`${revisions.at(-1)?.replicas ?? 0} of ${replicas} updated`] : [];
  if (!underWay) {
    const states = [...updated, ...healthLabels];
    return states.length === 0 ? undefined : `before the apply: ${states.join(', ')}`;
  }
  const available = revisions.reduce((sum, revision) => sum + revision.available, 0);
  const [state = `${available} of ${replicas} available`] = updated;
  return `the last rollout has not finished: ${[state, ...healthLabels].join(', ')}`;
}

/** Formats the initial state of every rollout that was unhealthy before the apply. */
export function formatInitialStates(rollouts: readonly PlannedRollout[]): string[] {
  return rollouts.flatMap(({ resource, initialState }) => {
    const text = initialState && formatInitialState(initialState);
    return text === undefined ? [] : [`${formatResourceLabel(resource)}: ${text}`];
  });
}

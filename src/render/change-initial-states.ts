import type { InitialRolloutState, RolloutHealth } from '../core/initial-state';
import type { PlannedRollout } from '../core/rollout';
import { formatResourceLabel } from './text-findings';

const HEALTH_LABELS: Readonly<Record<RolloutHealth, string>> = {
  progressing: 'in progress',
  'deadline-exceeded': 'deadline exceeded',
  paused: 'paused',
  unavailable: 'too few pods are available',
};

/** Formats an unhealthy initial state: `the last rollout has not finished: 5 of 9 updated, deadline exceeded`. Returns undefined for a healthy one. */
export function formatInitialState({ replicas, revisions, underWay, health }: InitialRolloutState): string | undefined {
  if (!underWay) return health ? `before the apply: ${HEALTH_LABELS[health]}` : undefined;
  const updated = revisions.length > 1 ? (revisions.at(-1)?.replicas ?? 0) : replicas;
  const available = revisions.reduce((sum, revision) => sum + revision.available, 0);
  const state = revisions.length > 1 ? `${updated} of ${replicas} updated` : `${available} of ${replicas} available`;
  return `the last rollout has not finished: ${[state, ...(health ? [HEALTH_LABELS[health]] : [])].join(', ')}`;
}

/** Formats the initial state of every rollout that was unhealthy before the apply. */
export function formatInitialStates(rollouts: readonly PlannedRollout[]): string[] {
  return rollouts.flatMap(({ resource, initialState }) => {
    const text = initialState && formatInitialState(initialState);
    return text === undefined ? [] : [`${formatResourceLabel(resource)}: ${text}`];
  });
}

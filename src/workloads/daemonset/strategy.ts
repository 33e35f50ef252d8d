import { scaleRoundedUp } from '../../core/values/int-or-percent';
import { applyLimitDefaults } from '../default-limits';
import type { DaemonSetUpdateStrategy, DaemonSetUpdateStrategySpec } from './types';

/** The default of each limit in apps/v1. */
export const DEFAULT_DAEMON_SET_ROLLING_UPDATE = { maxSurge: 0, maxUnavailable: 1 } as const;

/** Returns the limits of OnDelete as they are stored: they are not validated, and a limit that is not set is stored as 0. */
function keepUnusedLimits({ rollingUpdate }: DaemonSetUpdateStrategySpec): DaemonSetUpdateStrategy {
  if (!rollingUpdate) return { type: 'OnDelete' };
  const { maxSurge, maxUnavailable } = rollingUpdate;
  return { type: 'OnDelete', rollingUpdate: { maxSurge: maxSurge ?? 0, maxUnavailable: maxUnavailable ?? 0 } };
}

/**
 * Returns the update strategy that the API server stores for the strategy of a user. The strategy must have passed `validateDaemonSet`.
 *
 * Source: k/k pkg/apis/apps/v1/defaults.go, `SetDefaults_DaemonSet`.
 */
export function defaultDaemonSetStrategy(spec: DaemonSetUpdateStrategySpec | null | undefined): DaemonSetUpdateStrategy {
  if (spec?.type === 'OnDelete') return keepUnusedLimits(spec);
  return { type: 'RollingUpdate', rollingUpdate: applyLimitDefaults(spec?.rollingUpdate, DEFAULT_DAEMON_SET_ROLLING_UPDATE) };
}

/** The limits of a rolling update as numbers of nodes. */
export interface NodeLimits {
  readonly surge: number;
  readonly unavailable: number;
}

/**
 * Resolves the limits of a rolling update to numbers of nodes, both rounded up. If both are 0 and there are nodes, unavailable is 1.
 * The API server refuses such a DaemonSet.
 *
 * maxUnavailable 10% of 5 nodes is 1, of 11 nodes 2; maxSurge 25% of 4 nodes is 1.
 *
 * Source: k/k pkg/controller/daemon/update.go, `updatedDesiredNodeCounts`.
 */
export function resolveNodeLimits(strategy: DaemonSetUpdateStrategy, nodes: number): NodeLimits {
  if (strategy.type === 'OnDelete') return { surge: 0, unavailable: 0 };
  const surge = scaleRoundedUp(strategy.rollingUpdate.maxSurge, nodes);
  const unavailable = scaleRoundedUp(strategy.rollingUpdate.maxUnavailable, nodes);
  return { surge, unavailable: nodes > 0 && surge === 0 && unavailable === 0 ? 1 : unavailable };
}

import { scaleRoundedUp } from '../../core/int-or-percent';
import { applyLimitDefaults } from '../default-limits';
import type { DaemonSetUpdateStrategy, DaemonSetUpdateStrategySpec } from './types';

/** What apps/v1 fills in for each limit that is left out. */
export const DEFAULT_DAEMON_SET_ROLLING_UPDATE = { maxSurge: 0, maxUnavailable: 1 } as const;

/** Beside OnDelete limits are neither judged nor given their defaults: one that is left out is stored as 0. */
function keepUnusedLimits({ rollingUpdate }: DaemonSetUpdateStrategySpec): DaemonSetUpdateStrategy {
  if (!rollingUpdate) return { type: 'OnDelete' };
  const { maxSurge, maxUnavailable } = rollingUpdate;
  return { type: 'OnDelete', rollingUpdate: { maxSurge: maxSurge ?? 0, maxUnavailable: maxUnavailable ?? 0 } };
}

/**
 * The update strategy that the API server stores for what a user wrote. The strategy must have passed `daemonSetFindings`.
 *
 * Source: k/k pkg/apis/apps/v1/defaults.go, `SetDefaults_DaemonSet`.
 */
export function defaultDaemonSetStrategy(spec: DaemonSetUpdateStrategySpec | null | undefined): DaemonSetUpdateStrategy {
  if (spec?.type === 'OnDelete') return keepUnusedLimits(spec);
  return { type: 'RollingUpdate', rollingUpdate: applyLimitDefaults(spec?.rollingUpdate, DEFAULT_DAEMON_SET_ROLLING_UPDATE) };
}

/** A rolling update's limits as numbers of nodes. */
export interface NodeLimits {
  readonly surge: number;
  readonly unavailable: number;
}

/**
 * A rolling update's limits as numbers of nodes, both rounded up. Where both come to 0 though there are nodes, unavailable is 1;
 * the API server lets no such DaemonSet in.
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

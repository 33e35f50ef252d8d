import { getValueAtVersion } from '../../core/versions';

/** What a version of LeaderWorkerSet does otherwise than another. */
export interface LwsBehaviour {
  /**
   * Surge groups that are kept while so many of the wanted groups, no more than the surge, are not done.
   *
   * The controller up to 0.8 gives one back as soon as there is one too many, whatever may be unavailable: with one group,
   * maxSurge 1 and maxUnavailable 0 it never makes the surge group, and the rollout stands still (PR 779).
   */
  readonly retainedSurge: (notDone: number, unavailable: number) => number;
  /** Are groups that are missing made before anything is replaced? */
  readonly scalesUpFirst: boolean;
  /** What its StatefulSet gets as maxUnavailable: both limits together, at least 1, or maxUnavailable as it is written, 0 included. */
  readonly leaderLimit: 'both-limits' | 'max-unavailable';
  /** Are the workers of a group ready once they are there, or once they are available? */
  readonly workersCount: 'there' | 'available';
  /** Does the webhook look at the partition? */
  readonly validatesPartition: boolean;
  /** Are there claims of its own? The API server drops them before. */
  readonly hasClaims: boolean;
}

const V0_7: LwsBehaviour = {
  retainedSurge: (notDone) => Math.max(0, notDone - 1),
  scalesUpFirst: false,
  leaderLimit: 'max-unavailable',
  workersCount: 'there',
  validatesPartition: false,
  hasClaims: false,
};
const V0_8: LwsBehaviour = { ...V0_7, validatesPartition: true, hasClaims: true };
const V0_9: LwsBehaviour = {
  ...V0_8,
  retainedSurge: (notDone, unavailable) => Math.max(0, notDone - unavailable),
  scalesUpFirst: true,
  leaderLimit: 'both-limits',
  workersCount: 'available',
};

/**
 * Source: lws pkg/controllers/leaderworkerset_controller.go and pkg/webhooks/leaderworkerset_webhook.go, of 0.7.0, 0.8.0 and 0.9.0 run;
 * 0.10 leaves them as they are in 0.9, which was read and not run.
 */
const BEHAVIOURS: readonly (readonly [since: string, LwsBehaviour])[] = [
  ['0', V0_7],
  ['0.8', V0_8],
  ['0.9', V0_9],
];

/** What a version of LeaderWorkerSet does. */
export function getLwsBehaviour(version: string): LwsBehaviour {
  return getValueAtVersion(BEHAVIOURS, version);
}

import { getValueAtVersion } from '../../core/values/versions';

/** The behaviour of LeaderWorkerSet that depends on its version. */
export interface LwsBehaviour {
  /**
   * The number of surge groups that are kept while `notDone` of the desired groups, at most the surge, are not done.
   *
   * Up to 0.8 the controller removes a surge group as soon as there is one too many, regardless of maxUnavailable: with one group,
   * maxSurge 1 and maxUnavailable 0, it never creates the surge group, and the rollout deadlocks (PR 779).
   */
  readonly retainedSurge: (notDone: number, unavailable: number) => number;
  /** Whether missing groups are created before any group is replaced. */
  readonly scalesUpFirst: boolean;
  /** The maxUnavailable of its StatefulSet: the sum of both limits, at least 1, or the written maxUnavailable, including 0. */
  readonly leaderLimit: 'both-limits' | 'max-unavailable';
  /** Whether the workers of a group count as ready once they exist, or once they are available. */
  readonly workersCount: 'there' | 'available';
  /** Whether the webhook validates the partition. */
  readonly validatesPartition: boolean;
  /** Whether the set has claim templates. In versions without them the API server drops the field. */
  readonly hasClaims: boolean;
  /** The restart policies that the CRD allows. */
  readonly restartPolicies: readonly string[];
}

const V0_7: LwsBehaviour = {
  retainedSurge: (notDone) => Math.max(0, notDone - 1),
  scalesUpFirst: false,
  leaderLimit: 'max-unavailable',
  workersCount: 'there',
  validatesPartition: false,
  hasClaims: false,
  restartPolicies: ['RecreateGroupOnPodRestart', 'None', 'Default'],
};
const V0_8: LwsBehaviour = { ...V0_7, validatesPartition: true, hasClaims: true };
const V0_9: LwsBehaviour = {
  ...V0_8,
  retainedSurge: (notDone, unavailable) => Math.max(0, notDone - unavailable),
  scalesUpFirst: true,
  leaderLimit: 'both-limits',
  workersCount: 'available',
  restartPolicies: ['RecreateGroupOnPodRestart', 'RecreateGroupAfterStart', 'None', 'Default'],
};

/**
 * Source: lws pkg/controllers/leaderworkerset_controller.go and pkg/webhooks/leaderworkerset_webhook.go. 0.7.0, 0.8.0 and 0.9.0 were run.
 * 0.10 does not change them since 0.9, according to its source. Only its `rollingUpdateParameters` was run: it answers as that of 0.9.
 */
const BEHAVIOURS: readonly (readonly [since: string, LwsBehaviour])[] = [
  ['0', V0_7],
  ['0.8', V0_8],
  ['0.9', V0_9],
];

/** Returns the behaviour of a version of LeaderWorkerSet. */
export function getLwsBehaviour(version: string): LwsBehaviour {
  return getValueAtVersion(BEHAVIOURS, version);
}

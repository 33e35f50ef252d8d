import { getValueAtVersion } from '../../core/values/versions';

type History<T> = readonly (readonly [since: string, value: T])[];

/** The behaviour that differs between controller versions. */
export interface RolloutsBehaviour {
  /** Whether `minPodsPerReplicaSet` is capped at `replicas`. */
  readonly capsMinPods: boolean;
  /** Whether an aborted canary with dynamicStableScale goes back through its steps, instead of following the ready pods of stable. */
  readonly abortsThroughSteps: boolean;
  /** Whether `replicaProgressThreshold` is supported. Earlier versions drop the field. */
  readonly knowsThreshold: boolean;
  /** Whether the minimum of stable is a share of maxTrafficWeight instead of 100. */
  readonly sharesOfMaxWeight: boolean;
  /**
   * Whether a canary is promoted if it has more ready pods than replicas because of minPodsPerReplicaSet. Otherwise it is never promoted.
   */
  readonly promotesAboveReplicas: boolean;
  /** Whether plugins support mirrored requests and ping-pong Services. */
  readonly pluginsMirror: boolean;
}

/* Source: utils/replicaset/canary.go, rollout/trafficrouting.go and pkg/apis/rollouts/validation/validation.go at v1.8.3, v1.9.1 and v1.10.2. */
const CAPS_MIN_PODS: History<boolean> = [
  ['0', false],
  ['1.10', true],
];
const SINCE_1_9: History<boolean> = [
  ['0', false],
  ['1.9', true],
];

/** Returns the behaviour of a version of the Argo Rollouts controller. */
export function resolveRolloutsBehaviour(version: string): RolloutsBehaviour {
  const since19 = getValueAtVersion(SINCE_1_9, version);
  return {
    capsMinPods: getValueAtVersion(CAPS_MIN_PODS, version),
    abortsThroughSteps: since19,
    knowsThreshold: since19,
    sharesOfMaxWeight: since19,
    promotesAboveReplicas: since19,
    pluginsMirror: getValueAtVersion(CAPS_MIN_PODS, version),
  };
}

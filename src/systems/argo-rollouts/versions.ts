import { getValueAtVersion } from '../../core/versions';

type History<T> = readonly (readonly [since: string, value: T])[];

/** What the controller of a version does otherwise. */
export interface RolloutsBehaviour {
  /** Does `minPodsPerReplicaSet` ask for no more than `replicas`? */
  readonly capsMinPods: boolean;
  /** Does an aborted canary with dynamicStableScale go back through its steps, and not by what stable pods are ready? */
  readonly abortsThroughSteps: boolean;
  /** Is there a `replicaProgressThreshold`? Earlier versions drop the field. */
  readonly knowsThreshold: boolean;
  /** Is what stable has to keep a share of maxTrafficWeight, and not of 100? */
  readonly sharesOfMaxWeight: boolean;
  /** Is a canary promoted that has more ready pods than replicas, by minPodsPerReplicaSet? Else it never is. */
  readonly promotesAboveReplicas: boolean;
  /** May plugins mirror requests, and ping-pong services go through them? */
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

/** What the controller of a version of Argo Rollouts does. */
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

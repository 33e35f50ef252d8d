import { getValueAtVersion, isAtLeast } from '../../core/values/versions';

/** Behaviour that differs between versions of KServe and affects rollouts. */
export interface KServeBehaviour {
  /** Whether the `deploy` key of the ConfigMap supports rollout defaults. (kserve/kserve#4623) */
  readonly readsRolloutDefaults: boolean;
  /** Whether the webhook rewrites the old names RawDeployment and Serverless in the annotation. 0.16.0 treated them as Knative. */
  readonly rewritesOldModes: boolean;
  /** Whether RawDeployment and Serverless are the only names of these modes, in annotations and in the status. */
  readonly recordsOldModes: boolean;
  /**
   * Whether the webhook treats an old name in the status like the new one. Up to 0.17 any other text counted as another mode; the source of
   * 0.18 was not read.
   */
  readonly readsOldStatus: boolean;
  /** Whether `spec.canary` and `spec.predictor.name` exist. In earlier versions the API server drops them. */
  readonly hasCanaries: boolean;
  /** Whether routes of the Gateway API send canaries their share. It came after 0.20.0 and is planned for as 0.21. (kserve/kserve#5912, #5984) */
  readonly splitsCanaryTraffic: boolean;
}

const INITIAL_BEHAVIOUR: KServeBehaviour = {
  readsRolloutDefaults: false,
  rewritesOldModes: false,
  recordsOldModes: true,
  readsOldStatus: false,
  hasCanaries: false,
  splitsCanaryTraffic: false,
};

const WITH_ROLLOUT_DEFAULTS: KServeBehaviour = { ...INITIAL_BEHAVIOUR, readsRolloutDefaults: true, recordsOldModes: false };

const WITH_OLD_MODES: KServeBehaviour = { ...WITH_ROLLOUT_DEFAULTS, rewritesOldModes: true };

const WITH_READ_STATUS: KServeBehaviour = { ...WITH_OLD_MODES, readsOldStatus: true };

const WITH_CANARIES: KServeBehaviour = { ...WITH_READ_STATUS, hasCanaries: true };

const WITH_CANARY_TRAFFIC: KServeBehaviour = { ...WITH_CANARIES, splitsCanaryTraffic: true };

const HISTORY: readonly (readonly [since: string, behaviour: KServeBehaviour])[] = [
  ['0', INITIAL_BEHAVIOUR],
  ['0.16', WITH_ROLLOUT_DEFAULTS],
  ['0.17', WITH_OLD_MODES],
  ['0.19', WITH_READ_STATUS],
  ['0.20', WITH_CANARIES],
  ['0.21', WITH_CANARY_TRAFFIC],
];

/**
 * Returns the behaviour of a KServe version. Source: kserve/kserve v0.15 to v0.20, `configmap.go`, `inference_service_defaults.go`,
 * `inference_service_validation.go` and the CRD.
 */
export function kserveBehaviourOf(version: string): KServeBehaviour {
  return getValueAtVersion(HISTORY, version);
}

/** Returns the first version with a behaviour, as shown in messages. */
export function findFirstKserveVersion(behaves: (behaviour: KServeBehaviour) => boolean): string {
  return HISTORY.find(([, behaviour]) => behaves(behaviour))![0];
}

/** First version that keeps a HorizontalPodAutoscaler of the user. Source: kserve/kserve#4363. */
const KEEPS_EXTERNAL_AUTOSCALER_SINCE = '0.15.1';

/** Reports whether KServe deletes a HorizontalPodAutoscaler with the name of a Deployment of class external. */
export function isDeletingExternalAutoscaler(kserveVersion: string): boolean {
  return !isAtLeast(kserveVersion, KEEPS_EXTERNAL_AUTOSCALER_SINCE);
}

import { getValueAtVersion } from '../../core/versions';

/** What differs between the versions of KServe, as far as a rollout can tell. */
export interface KServeBehaviour {
  /** Does the ConfigMap's `deploy` key hold rollout defaults? (kserve/kserve#4623) */
  readonly readsRolloutDefaults: boolean;
  /** Does the webhook rewrite the old names RawDeployment and Serverless in the annotation? 0.16.0 took them for Knative's. */
  readonly rewritesOldModes: boolean;
  /** Are RawDeployment and Serverless the only names of those modes, in annotations and in the status? */
  readonly recordsOldModes: boolean;
  /** Does the webhook read an old name in the status as the new one? Up to 0.17 it took any other text for another mode; 0.18 was not read. */
  readonly readsOldStatus: boolean;
  /** Are there `spec.canary` and `spec.predictor.name`? The API server drops them before. */
  readonly hasCanaries: boolean;
}

const INITIAL_BEHAVIOUR: KServeBehaviour = {
  readsRolloutDefaults: false,
  rewritesOldModes: false,
  recordsOldModes: true,
  readsOldStatus: false,
  hasCanaries: false,
};

const WITH_ROLLOUT_DEFAULTS: KServeBehaviour = { ...INITIAL_BEHAVIOUR, readsRolloutDefaults: true, recordsOldModes: false };

const WITH_OLD_MODES: KServeBehaviour = { ...WITH_ROLLOUT_DEFAULTS, rewritesOldModes: true };

const WITH_READ_STATUS: KServeBehaviour = { ...WITH_OLD_MODES, readsOldStatus: true };

const WITH_CANARIES: KServeBehaviour = { ...WITH_READ_STATUS, hasCanaries: true };

const HISTORY: readonly (readonly [since: string, behaviour: KServeBehaviour])[] = [
  ['0', INITIAL_BEHAVIOUR],
  ['0.16', WITH_ROLLOUT_DEFAULTS],
  ['0.17', WITH_OLD_MODES],
  ['0.19', WITH_READ_STATUS],
  ['0.20', WITH_CANARIES],
];

/** How a KServe version behaves. Source: kserve/kserve v0.15 to v0.20, `configmap.go`, `inference_service_defaults.go`, `inference_service_validation.go` and the CRD. */
export function kserveBehaviourOf(version: string): KServeBehaviour {
  return getValueAtVersion(HISTORY, version);
}

/** The first version that behaves so, as messages name it. */
export function findFirstKserveVersion(behaves: (behaviour: KServeBehaviour) => boolean): string {
  return HISTORY.find(([, behaviour]) => behaves(behaviour))![0];
}

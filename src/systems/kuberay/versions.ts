import { getValueAtVersion } from '../../core/versions';

/**
 * What becomes of a spec that the operator refuses. In either case nothing changes.
 *
 * - `retries`: it logs the error and tries again for ever
 * - `condition`: it sets the condition Ready=False with reason ValidationFailed
 */
export type RejectionHandling = 'retries' | 'condition';

/** Fields of a cluster that are no part of the hash by which the operator tells a new one. Source: utils/util.go of each version. */
export type UnhashedFields = 'replicas' | 'replicas-and-scheduling' | 'replicas-scheduling-and-suspend';

/** What differs between KubeRay versions, as far as an upgrade shows it; the fields of each version stand in `served-fields.ts`. */
export interface KubeRayBehaviour {
  /** Feature gate RayServiceIncrementalUpgrade as released. */
  readonly gate: 'off' | 'on';
  /** A stepSizePercent above maxSurgePercent moves no more than maxSurgePercent, or is refused (V:736, #4663). */
  readonly stepAboveSurge: 'capped' | 'refused';
  /** Can the operator go back to the old cluster in the middle of an upgrade? (#4109) */
  readonly canRollBack: boolean;
  readonly onRefusal: RejectionHandling;
  /** Without the gate, an upgradeStrategy without type makes no difference; with it, the operator crashes at every reconcile (#5044). */
  readonly crashesWithoutType: boolean;
  /** A change of these fields makes no new cluster. */
  readonly unhashedFields: UnhashedFields;
  /** What rayClusterConfig.suspend that becomes true or false does: by the hash, or the whole spec goes into the cluster (#4686). */
  readonly suspend: 'hashed' | 'in-place';
  /** In the middle of an upgrade the operator asks first whether the cluster is the active one's again, or the pending one's (#4989). */
  readonly checksFirst: 'active' | 'pending';
  /** Does the operator judge the numbers of worker groups: minReplicas, maxReplicas, idleTimeoutSeconds? */
  readonly validatesNumbers: boolean;
  /** Gate RayJobDeletionPolicy, without which no worker group may be suspended. */
  readonly allowsGroupSuspend: boolean;
  /** Does it judge the priority of worker groups, and refuse what its gates leave off (networkPolicy, tlsOptions, historyServerOptions)? */
  readonly validatesGatedFields: boolean;
}

const INITIAL_BEHAVIOUR: KubeRayBehaviour = {
  gate: 'off',
  stepAboveSurge: 'capped',
  canRollBack: false,
  onRefusal: 'retries',
  crashesWithoutType: true,
  unhashedFields: 'replicas',
  suspend: 'hashed',
  checksFirst: 'pending',
  validatesNumbers: false,
  allowsGroupSuspend: false,
  validatesGatedFields: false,
};

const WITH_UNHASHED_SCHEDULING: KubeRayBehaviour = { ...INITIAL_BEHAVIOUR, unhashedFields: 'replicas-and-scheduling' };

const WITH_ROLLBACK: KubeRayBehaviour = {
  ...WITH_UNHASHED_SCHEDULING,
  canRollBack: true,
  onRefusal: 'condition',
  validatesNumbers: true,
  allowsGroupSuspend: true,
};

const WITH_SUSPEND_IN_PLACE: KubeRayBehaviour = { ...WITH_ROLLBACK, suspend: 'in-place' };

const BETA: KubeRayBehaviour = {
  ...WITH_SUSPEND_IN_PLACE,
  gate: 'on',
  stepAboveSurge: 'refused',
  crashesWithoutType: false,
  unhashedFields: 'replicas-scheduling-and-suspend',
  suspend: 'hashed',
  checksFirst: 'active',
  validatesGatedFields: true,
};

const BEHAVIOUR_HISTORY: readonly (readonly [since: string, behaviour: KubeRayBehaviour])[] = [
  ['0', INITIAL_BEHAVIOUR],
  ['1.5.2', WITH_UNHASHED_SCHEDULING],
  ['1.6', WITH_ROLLBACK],
  ['1.6.1', WITH_SUSPEND_IN_PLACE],
  ['1.7', BETA],
];

/** How a KubeRay version behaves. Source: ray-project/kuberay v1.5.1, v1.6.2 and v1.7.0, `rayservice_controller.go`, `util.go`, `validation.go`. */
export function kubeRayBehaviourOf(version: string): KubeRayBehaviour {
  return getValueAtVersion(BEHAVIOUR_HISTORY, version);
}

/** The first version that behaves so, as messages name it. */
export function findFirstVersion(predicate: (behaviour: KubeRayBehaviour) => boolean): string {
  return BEHAVIOUR_HISTORY.find(([, behaviour]) => predicate(behaviour))![0];
}

import { getValueAtVersion } from '../../core/values/versions';

/**
 * How the operator handles a spec that it refuses. In both cases nothing changes.
 *
 * - `retries`: the operator logs the error and retries forever
 * - `condition`: the operator sets the condition Ready=False with reason ValidationFailed
 */
export type RejectionHandling = 'retries' | 'condition';

/** Fields of a cluster that are not part of the hash that identifies it. Source: utils/util.go of each version. */
export type UnhashedFields = 'replicas' | 'replicas-and-scheduling' | 'replicas-scheduling-and-suspend';

/** Behaviour that differs between KubeRay versions and affects an upgrade. The fields of each version are in `crd-fields.ts`. */
export interface KubeRayBehaviour {
  /** Default of the feature gate RayServiceIncrementalUpgrade. */
  readonly gate: 'off' | 'on';
  /** Whether a stepSizePercent above maxSurgePercent is capped at maxSurgePercent or refused (V:736, #4663). */
  readonly stepAboveSurge: 'capped' | 'refused';
  /** Whether the operator can roll back to the old cluster during an upgrade (#4109). */
  readonly canRollBack: boolean;
  readonly onRefusal: RejectionHandling;
  /** Whether the operator crashes at every reconcile if upgradeStrategy has no type and the gate is on (#5044). */
  readonly crashesWithoutType: boolean;
  /** Fields whose change creates no new cluster. */
  readonly unhashedFields: UnhashedFields;
  /** Effect of toggling rayClusterConfig.suspend: the hash changes, or the full spec is written to the running cluster (#4686). */
  readonly suspend: 'hashed' | 'in-place';
  /** The cluster that the operator compares with first during an upgrade: the active or the pending one (#4989). */
  readonly checksFirst: 'active' | 'pending';
  /** Whether the operator validates the numbers of worker groups: minReplicas, maxReplicas, idleTimeoutSeconds. */
  readonly validatesNumbers: boolean;
  /** Whether worker groups may be suspended: the default of the gate RayJobDeletionPolicy. */
  readonly allowsGroupSuspend: boolean;
  /**
   * Whether the operator validates the priority of worker groups and refuses fields of gates that are off (networkPolicy, tlsOptions,
   * historyServerOptions).
   */
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

/**
 * Returns the behaviour of a KubeRay version.
 *
 * Source: ray-project/kuberay v1.5.1, v1.6.2 and v1.7.0, `rayservice_controller.go`, `util.go`, `validation.go`.
 */
export function kubeRayBehaviourOf(version: string): KubeRayBehaviour {
  return getValueAtVersion(BEHAVIOUR_HISTORY, version);
}

/** Returns the first version with this behaviour, as messages name it. */
export function findFirstVersion(predicate: (behaviour: KubeRayBehaviour) => boolean): string {
  return BEHAVIOUR_HISTORY.find(([, behaviour]) => predicate(behaviour))![0];
}

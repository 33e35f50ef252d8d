import type { SystemEffect } from '../../cluster/context/context';
import { withOptionErrors } from '../../core/errors/option-error';
import { readPropsMapOf } from '../../input/read-props';
import { toFieldPath, appendToPath, isMetadataPath } from '../../core/manifest/field-path';
import type { FieldPath, PathPart } from '../../core/manifest/field-path';
import { getFieldsAt, getValueAt, getOwnValue } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { DEFAULT_VERSIONS } from '../../core/values/versions';
import { computeClusterIdentity, findFieldDifferences, isUnhashedField, isWorkerGroupAppend } from './cluster-identity';
import type { FieldDifference } from './cluster-identity';
import { dropUnsupportedFields } from './crd-fields';
import { isRayServiceSuspended, readRayService } from './ray-service';
import { INCREMENTAL_UPGRADE, upgradeTypeOf } from './strategy';
import { kubeRayBehaviourOf } from './versions';

/**
 * The effect of applying a changed field of a RayService.
 *
 * - `new-cluster`: the operator creates a new RayCluster and moves the service to it
 * - `in-place`: running objects change
 * - `none`: nothing changes now
 */
export type Trigger = 'new-cluster' | 'in-place' | 'none';

/** One changed field of a RayService. */
export interface RayServiceChange {
  /** Field path as the API server writes it. */
  readonly path: string;
  /** Old value; undefined if the field is added. */
  readonly old: unknown;
  /** New value; undefined if the field is removed. */
  readonly new: unknown;
  /** Effect of applying the change. */
  readonly triggers: Trigger;
  /** One sentence that explains what happens, and when. */
  readonly reason: string;
}

/** The effect of applying one RayService over another. */
export interface RayServiceDiff {
  /** The strongest effect of all changes. */
  readonly triggers: Trigger;
  /** Every changed field: first metadata, then rayClusterConfig, then the rest of the spec. */
  readonly changes: readonly RayServiceChange[];
}

/** The effect of a change, with a reason. */
interface ChangeEffect {
  readonly triggers: Trigger;
  readonly reason: string;
}

/** Effects of the `spec` fields other than the cluster, its strategy and the Serve config. They include everything below the field. */
const SPEC_FIELD_EFFECTS: Readonly<Record<string, ChangeEffect>> = {
  rayClusterDeletionDelaySeconds: { triggers: 'none', reason: 'Takes effect the next time an old cluster is deleted.' },
  excludeHeadPodFromServeSvc: { triggers: 'in-place', reason: 'The operator changes the label ray.io/serve of the head pod.' },
  suspend: { triggers: 'in-place', reason: 'The operator deletes the clusters, the Gateway and the HTTPRoute, or creates them again.' },
  managedBy: { triggers: 'none', reason: 'The field is immutable: the API server refuses the change.' },
};

const GATEWAY_CLASS_EFFECT: ChangeEffect = { triggers: 'in-place', reason: 'The operator updates the class of its Gateway.' };
const PACE_EFFECT: ChangeEffect = { triggers: 'none', reason: 'Takes effect at the next reconcile, even during an upgrade.' };
const UNREAD_OPTIONS_EFFECT: ChangeEffect = {
  triggers: 'none',
  reason: 'The operator reads the options only with an incremental upgrade.',
};
const TYPE_EFFECT: ChangeEffect = { triggers: 'none', reason: 'Decides how the next change of the cluster is rolled out.' };
const TO_INCREMENTAL_EFFECT: ChangeEffect = {
  triggers: 'in-place',
  reason:
    'The operator creates a Gateway, an HTTPRoute and a Service for the running cluster. ' +
    'The next change of the cluster is an incremental upgrade.',
};
const FROM_INCREMENTAL_EFFECT: ChangeEffect = {
  triggers: 'in-place',
  reason: 'The operator creates the Service for the RayService itself, and does not delete the Gateway and the HTTPRoute.',
};

/** Two stored states of a RayService, and the KubeRay version. */
interface Edit {
  readonly current: Manifest;
  readonly next: Manifest;
  readonly version: string;
}

/**
 * Returns the effect of applying an object over the running one, field by field, using the operator's hash rules.
 *
 * It assumes that no upgrade is in progress and that the cluster matches the running object.
 * `rollsBack` reports the effect of a change during an upgrade.
 * An upgrade of the operator itself writes the full spec over the running cluster, with any type. Source: KubeRay v1.5.1,
 * v1.6.2 and v1.7.0 `utils/util.go` (GenerateHashWithoutReplicasAndWorkersToDelete),
 * `rayservice_controller.go` (shouldUpdateCluster, shouldPrepareNewCluster, reconcileServe).
 *
 * @param version KubeRay version @default 1.7
 */
export function diffRayServices(running: Manifest, applied: Manifest, version: string = DEFAULT_VERSIONS.kuberay): RayServiceDiff {
  return withOptionErrors('diffRayServices', 'RayServices', () => computeServiceDiff(running, applied, version));
}

function computeServiceDiff(running: Manifest, applied: Manifest, version: string): RayServiceDiff {
  const [before, after] = [running, applied].map((object) => readPropsMapOf('diffRayServices', object)) as [Manifest, Manifest];
  const edit: Edit = { current: dropUnsupportedFields(before, version), next: dropUnsupportedFields(after, version), version };
  const { current, next } = edit;
  const cluster = determineClusterEffect(edit);
  const changes = [
    ...findMetadataChanges(current, next),
    ...buildChanges(toFieldPath`spec.rayClusterConfig`, findFieldDifferences(clusterConfigOf(current), clusterConfigOf(next)), (parts) =>
      determineFieldEffect(parts, cluster, edit),
    ),
    ...findSpecChanges(edit, cluster),
  ];
  const effects = changes.map(({ triggers }) => triggers);
  return { triggers: (['new-cluster', 'in-place'] as const).find((effect) => effects.includes(effect)) ?? 'none', changes };
}

const SERVE_CONFIG_PATH = 'spec.serveConfigV2';
const CLUSTER_CONFIG_PATH = 'spec.rayClusterConfig';

/**
 * Summarizes the diff as one effect.
 *
 * A new cluster is `roll`, an added worker group is `scale`, and a change that waits for the next cluster is `held`.
 * A change of only the Serve config is `settings`, because the operator sends it to the running cluster.
 */
export function computeRayServiceEffect(running: Manifest, applied: Manifest, version?: string): SystemEffect {
  const { triggers, changes } = diffRayServices(running, applied, version);
  if (changes.some(({ path }) => path === 'spec.managedBy')) {
    return { effect: 'refused', refusal: { path: 'spec.managedBy', message: 'the managedBy field is immutable' } };
  }
  const pods = [running, applied].map((object) => countPods(object, version)) as [number, number];
  if (pods.includes(0)) return computeSuspendEffect(pods, changes.length > 0);
  if (triggers === 'new-cluster') return { effect: 'roll', start: { former: running } };
  // A change of the cluster that the type None held back rolls now. No object shows whether there is one.
  if (upgradeTypeOf(running) === 'None' && upgradeTypeOf(applied) !== 'None')
    return { effect: 'unknown', replicas: { old: pods[0], next: pods[1] } };
  const inCluster = changes.filter(({ path }) => path.startsWith(CLUSTER_CONFIG_PATH));
  const toggled = isSuspendToggled({ current: running, next: applied, version: version ?? DEFAULT_VERSIONS.kuberay });
  if (toggled)
    return {
      effect: 'scale',
      replicas: { old: isClusterSuspended(running) ? 0 : pods[0], next: isClusterSuspended(applied) ? 0 : pods[1] },
    };
  if (inCluster.some((change) => change.triggers === 'in-place')) return { effect: 'scale' };
  if (inCluster.length > 0) return { effect: 'held', heldUntil: 'another change creates a new cluster' };
  if (changes.some(({ path }) => path === SERVE_CONFIG_PATH)) return { effect: 'settings' };
  return { effect: changes.some(({ path }) => !isMetadataPath(path)) ? 'settings' : changes.length > 0 ? 'metadata' : 'none' };
}

/** Counts the pods of a service: its head and its workers, none while it is suspended. */
function countPods(object: Manifest, version: string | undefined): number {
  const service = readRayService(object, version ?? DEFAULT_VERSIONS.kuberay);
  return isRayServiceSuspended(service) ? 0 : service.groups.reduce((sum, { pods }) => sum + pods, 1);
}

/** Returns the effect on a service that is suspended before or after an apply. */
function computeSuspendEffect([old, next]: readonly [number, number], isChanged: boolean): SystemEffect {
  if (old === next) return { effect: isChanged ? 'settings' : 'none', replicas: { old, next } };
  return { effect: 'scale', replicas: { old, next } };
}

/**
 * Reports whether applying `desired` during an upgrade rolls back.
 *
 * It rolls back if the cluster matches the active one again, or neither of the two. In the second case a new upgrade follows.
 * A worker group that is appended to the pending cluster is added to it, without a rollback.
 * KubeRay before 1.6 never rolls back: it replaces the pending cluster.
 * Source: KubeRay v1.6.2 and v1.7.0 `rayservice_controller.go`, reconcileRayCluster and then reconcileRollbackState.
 *
 * @param version KubeRay version @default 1.7
 */
export function rollsBack(desired: Manifest, active: Manifest, pending: Manifest, version: string = DEFAULT_VERSIONS.kuberay): boolean {
  return withOptionErrors('rollsBack', 'RayServices', () => isRollback(desired, active, pending, version));
}

function isRollback(desired: Manifest, active: Manifest, pending: Manifest, version: string): boolean {
  const [desiredConfig, activeConfig, pendingConfig] = [desired, active, pending].map((state) =>
    clusterConfigOf(dropUnsupportedFields(readPropsMapOf('rollsBack', state), version)),
  );
  const identity = computeClusterIdentity(desiredConfig, version);
  const isActive = identity === computeClusterIdentity(activeConfig, version);
  const isPending =
    identity === computeClusterIdentity(pendingConfig, version) || isWorkerGroupAppend(pendingConfig, desiredConfig, version);
  const { canRollBack, checksFirst } = kubeRayBehaviourOf(version);
  if (!canRollBack) return false;
  return checksFirst === 'active' ? isActive || !isPending : !isPending;
}

function clusterConfigOf(rayService: Manifest): unknown {
  return getValueAt(rayService, 'spec', 'rayClusterConfig');
}

/** Reports whether the operator writes the full spec over the running cluster because rayClusterConfig.suspend was toggled. */
function isSuspendToggled({ current, next, version }: Edit): boolean {
  if (kubeRayBehaviourOf(version).suspend !== 'in-place') return false;
  return isClusterSuspended(current) !== isClusterSuspended(next);
}

/** Reports whether the operator deletes all pods of the cluster, and creates none. */
function isClusterSuspended(rayService: Manifest): boolean {
  return getValueAt(clusterConfigOf(rayService), 'suspend') === true;
}

/** Returns the effect on the cluster as a whole. An appended worker group is added to the running cluster with any type. */
function determineClusterEffect(edit: Edit): Trigger {
  const { current, next, version } = edit;
  if (isSuspendToggled(edit)) return 'in-place';
  if (computeClusterIdentity(clusterConfigOf(current), version) === computeClusterIdentity(clusterConfigOf(next), version)) return 'none';
  if (isWorkerGroupAppend(clusterConfigOf(current), clusterConfigOf(next), version)) return 'in-place';
  return upgradeTypeOf(next) === 'None' ? 'none' : 'new-cluster';
}

/** Builds the changes below a path, each with its effect. */
function buildChanges(
  path: FieldPath,
  differences: readonly FieldDifference[],
  effectOf: (parts: readonly PathPart[]) => ChangeEffect,
): RayServiceChange[] {
  return differences.map((difference) => {
    const { triggers, reason } = effectOf(difference.parts);
    return { path: appendToPath(path, ...difference.parts), old: difference.old, new: difference.new, triggers, reason };
  });
}

const UNHASHED_FIELD_REASONS: Readonly<Record<Trigger, string>> = {
  'new-cluster': 'The operator does not compare this field, but the new cluster gets the new value.',
  'in-place': 'The operator does not compare this field, but writes the new value to the running cluster together with the other changes.',
  none:
    'The operator does not compare this field and does not copy it to the running cluster. ' +
    'The new value takes effect with the next change of another field, or with the next upgrade of the operator.',
};

const SUSPEND_EFFECT: ChangeEffect = {
  triggers: 'in-place',
  reason: 'The operator applies suspend to the running cluster, together with all other changes of the cluster.',
};
const NEVER_ROLLED_OUT_EFFECT: ChangeEffect = {
  triggers: 'none',
  reason:
    'upgradeStrategy.type is None, so the change is not rolled out. ' +
    'The next upgrade of the operator, or a worker group that is appended later, writes it to the running cluster.',
};
const APPENDED_GROUP_EFFECT: ChangeEffect = {
  triggers: 'in-place',
  reason: 'A worker group is appended and nothing else changes, so the operator adds it to the running cluster.',
};

/**
 * Returns the effect of a changed field of rayClusterConfig.
 *
 * @param cluster effect on the cluster as a whole
 */
function determineFieldEffect(parts: readonly PathPart[], cluster: Trigger, edit: Edit): ChangeEffect {
  if (isUnhashedField(parts, edit.version)) return { triggers: 'none', reason: UNHASHED_FIELD_REASONS[cluster] };
  if (isSuspendToggled(edit)) return SUSPEND_EFFECT;
  if (cluster === 'none') return NEVER_ROLLED_OUT_EFFECT;
  return cluster === 'in-place' ? APPENDED_GROUP_EFFECT : { triggers: 'new-cluster', reason: 'The hash of the cluster changes.' };
}

const COPIED_LATER_EFFECT: ChangeEffect = {
  triggers: 'none',
  reason: 'The operator copies it to a RayCluster the next time it creates or updates one.',
};

function findMetadataChanges(current: Manifest, next: Manifest): RayServiceChange[] {
  return buildChanges(
    toFieldPath`metadata`,
    findFieldDifferences(pickCopiedMetadata(current), pickCopiedMetadata(next)),
    () => COPIED_LATER_EFFECT,
  );
}

/** Returns the metadata that the operator copies from a RayService to its RayClusters. */
function pickCopiedMetadata(object: Manifest): Fields {
  return { labels: getValueAt(object, 'metadata', 'labels'), annotations: getValueAt(object, 'metadata', 'annotations') };
}

function findSpecChanges(edit: Edit, cluster: Trigger): RayServiceChange[] {
  const differences = findFieldDifferences(excludeClusterConfig(edit.current), excludeClusterConfig(edit.next));
  return buildChanges(toFieldPath`spec`, differences, (parts) => determineSpecEffect(parts, cluster, edit));
}

/** Returns the spec without rayClusterConfig. `spec.suspend: false` equals a missing field, but in rayClusterConfig it does not. */
function excludeClusterConfig(object: Manifest): Fields {
  const spec = getFieldsAt(object, 'spec');
  return { ...spec, rayClusterConfig: undefined, ...(spec.suspend === false && { suspend: undefined }) };
}

function determineSpecEffect(parts: readonly PathPart[], cluster: Trigger, { current, next }: Edit): ChangeEffect {
  const [first = '', ...below] = parts;
  if (first === 'upgradeStrategy')
    return determineStrategyEffect(below, upgradeTypeOf(current) === INCREMENTAL_UPGRADE, upgradeTypeOf(next) === INCREMENTAL_UPGRADE);
  if (first === 'serveConfigV2') {
    return cluster === 'new-cluster'
      ? { triggers: 'new-cluster', reason: 'The new cluster gets the new Serve config, and the old one keeps its own.' }
      : { triggers: 'in-place', reason: 'The operator sends the new Serve config to the running cluster.' };
  }
  if (first === 'serveService') {
    return upgradeTypeOf(next) === INCREMENTAL_UPGRADE
      ? { triggers: 'none', reason: 'An incremental upgrade never reads serveService.' }
      : { triggers: 'none', reason: 'The operator reads it when it switches the Service to another cluster.' };
  }
  return getOwnValue(SPEC_FIELD_EFFECTS, String(first)) ?? { triggers: 'none', reason: 'The operator does not read this field.' };
}

/** Returns the effect of a changed field of upgradeStrategy. */
function determineStrategyEffect([field, option]: readonly PathPart[], wasIncremental: boolean, isIncremental: boolean): ChangeEffect {
  if (field === 'type') {
    if (wasIncremental === isIncremental) return TYPE_EFFECT;
    return isIncremental ? TO_INCREMENTAL_EFFECT : FROM_INCREMENTAL_EFFECT;
  }
  if (field !== 'clusterUpgradeOptions') return { triggers: 'none', reason: 'The operator does not read this field.' };
  if (!isIncremental) return UNREAD_OPTIONS_EFFECT;
  return option === 'gatewayClassName' ? GATEWAY_CLASS_EFFECT : PACE_EFFECT;
}

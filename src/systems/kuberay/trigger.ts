import type { SystemEffect } from '../../cluster/context';
import { withOptionErrors } from '../../core/option-error';
import { readPropsMapOf } from '../../input/read-props';
import { toFieldPath, appendToPath } from '../../core/field-path';
import type { FieldPath, PathPart } from '../../core/field-path';
import { getFieldsAt, getValueAt, getOwnValue } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { DEFAULT_VERSIONS } from '../../core/versions';
import { computeClusterIdentity, findFieldDifferences, isUnhashedField, isWorkerGroupAppend } from './cluster-identity';
import type { FieldDifference } from './cluster-identity';
import { dropUnsupportedFields } from './crd-fields';
import { INCREMENTAL_UPGRADE, upgradeTypeOf } from './strategy';
import { kubeRayBehaviourOf } from './versions';

/**
 * What applying the change of a RayService's field does.
 *
 * - `new-cluster`: the operator makes a new RayCluster and moves the service to it
 * - `in-place`: something that runs is changed
 * - `none`: nothing now
 */
export type Trigger = 'new-cluster' | 'in-place' | 'none';

/** One changed field of a RayService. */
export interface RayServiceChange {
  /** Field path as the API server writes it. */
  readonly path: string;
  /** Undefined where there was none. */
  readonly old: unknown;
  /** Undefined where there is none any more. */
  readonly new: unknown;
  /** What applying it triggers. */
  readonly triggers: Trigger;
  /** One sentence: what happens, or when it will. */
  readonly reason: string;
}

/** What applying one RayService over another does. */
export interface RayServiceDiff {
  /** What the strongest of the changes triggers. */
  readonly triggers: Trigger;
  /** Every changed field, in the order metadata, rayClusterConfig, the rest of the spec. */
  readonly changes: readonly RayServiceChange[];
}

/** What a change does, and why. */
interface ChangeEffect {
  readonly triggers: Trigger;
  readonly reason: string;
}

/** The effect of the fields of `spec` besides the cluster, its strategy and the Serve config, with all below them. */
const SPEC_FIELD_EFFECTS: Readonly<Record<string, ChangeEffect>> = {
  rayClusterDeletionDelaySeconds: { triggers: 'none', reason: 'Holds the next time that an old cluster is to be deleted.' },
  excludeHeadPodFromServeSvc: { triggers: 'in-place', reason: 'The operator flips the label ray.io/serve of the head pod.' },
  suspend: { triggers: 'in-place', reason: 'The operator deletes the clusters, the Gateway and the HTTPRoute, or makes them anew.' },
  managedBy: { triggers: 'none', reason: 'The field is immutable: the API server refuses the change.' },
};

const GATEWAY_CLASS_EFFECT: ChangeEffect = { triggers: 'in-place', reason: 'The operator writes the class into its Gateway.' };
const PACE_EFFECT: ChangeEffect = { triggers: 'none', reason: 'Holds from the next reconcile on, in a running upgrade too.' };
const UNREAD_OPTIONS_EFFECT: ChangeEffect = { triggers: 'none', reason: 'The operator reads the options of an incremental upgrade alone.' };
const TYPE_EFFECT: ChangeEffect = { triggers: 'none', reason: 'Decides how the next change of the cluster is rolled out.' };
const TO_INCREMENTAL_EFFECT: ChangeEffect = {
  triggers: 'in-place',
  reason: 'The operator makes a Gateway, an HTTPRoute and a Service of the running cluster; the next change of the cluster is incremental.',
};
const FROM_INCREMENTAL_EFFECT: ChangeEffect = {
  triggers: 'in-place',
  reason: 'The operator makes the Service of the RayService itself, and leaves the Gateway and the HTTPRoute behind.',
};

/** Two states of a RayService as they are stored, and for which KubeRay. */
interface Edit {
  readonly current: Manifest;
  readonly next: Manifest;
  readonly version: string;
}

/**
 * What applying an object over the running one does, field by field, by the operator's hash rules.
 *
 * The running service is taken to be at rest, and its cluster to be as the running object says;
 * `rollsBack` tells what a change in the middle of an upgrade does.
 * An upgrade of the operator itself writes the whole spec over the running cluster, whatever the type is. Source: KubeRay v1.5.1,
 * v1.6.2 and v1.7.0 `utils/util.go` (GenerateHashWithoutReplicasAndWorkersToDelete),
 * `rayservice_controller.go` (shouldUpdateCluster, shouldPrepareNewCluster, reconcileServe).
 *
 * @param version of KubeRay @default 1.7
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
 * The same in one word: a new cluster is a roll, a worker group that is added a scale, what waits for the next cluster is held.
 *
 * The Serve application alone is sent to the running cluster.
 */
export function computeRayServiceEffect(running: Manifest, applied: Manifest, version?: string): SystemEffect {
  const { triggers, changes } = diffRayServices(running, applied, version);
  if (changes.some(({ path }) => path === 'spec.managedBy')) {
    return { effect: 'refused', refusal: { path: 'spec.managedBy', message: 'the managedBy field is immutable' } };
  }
  if (triggers === 'new-cluster') return { effect: 'roll' };
  const inCluster = changes.filter(({ path }) => path.startsWith(CLUSTER_CONFIG_PATH));
  if (inCluster.some((change) => change.triggers === 'in-place')) return { effect: 'scale' };
  if (inCluster.length > 0) return { effect: 'held', heldUntil: 'another change makes a new cluster' };
  if (changes.some(({ path }) => path === SERVE_CONFIG_PATH)) return { effect: 'settings' };
  return { effect: changes.some(({ path }) => !path.startsWith('metadata')) ? 'settings' : changes.length > 0 ? 'metadata' : 'none' };
}

/**
 * Does applying `desired` in the middle of an upgrade roll back? It does when the cluster is the active one's again, or neither one's.
 *
 * In the second case a fresh upgrade follows. A worker group that is appended to the pending cluster goes into it, and rolls nothing back.
 * KubeRay before 1.6 never rolls back: it replaces the pending cluster.
 * Source: KubeRay v1.6.2 and v1.7.0 `rayservice_controller.go`, reconcileRayCluster and then reconcileRollbackState.
 *
 * @param version of KubeRay @default 1.7
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

/** Does the operator write the whole spec over the running cluster, since it is suspended now, or no longer? */
function isSuspendToggled({ current, next, version }: Edit): boolean {
  if (kubeRayBehaviourOf(version).suspend !== 'in-place') return false;
  const [before, after] = [current, next].map((object) => getValueAt(clusterConfigOf(object), 'suspend') === true);
  return before !== after;
}

/** What becomes of the cluster as a whole. A worker group that is appended goes into it whatever the type is. */
function determineClusterEffect(edit: Edit): Trigger {
  const { current, next, version } = edit;
  if (isSuspendToggled(edit)) return 'in-place';
  if (computeClusterIdentity(clusterConfigOf(current), version) === computeClusterIdentity(clusterConfigOf(next), version)) return 'none';
  if (isWorkerGroupAppend(clusterConfigOf(current), clusterConfigOf(next), version)) return 'in-place';
  return upgradeTypeOf(next) === 'None' ? 'none' : 'new-cluster';
}

/** Differences of what stands at a path, each with what it does. */
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
  'new-cluster': 'The operator does not look at it; it goes along into the new cluster.',
  'in-place': 'The operator does not look at it; it goes along with what it writes over the running cluster.',
  none:
    'The operator does not look at it, and does not copy it to the running cluster either: ' +
    'it arrives with the next change of another field, or with the next upgrade of the operator.',
};

const SUSPEND_EFFECT: ChangeEffect = {
  triggers: 'in-place',
  reason: 'The operator applies suspend to the running cluster, and writes all other changes of the cluster over it as well.',
};
const NEVER_ROLLED_OUT_EFFECT: ChangeEffect = {
  triggers: 'none',
  reason:
    'upgradeStrategy.type is None: it is not rolled out. ' +
    'The next upgrade of the operator writes it over the running cluster, and so does a worker group that is appended later.',
};
const APPENDED_GROUP_EFFECT: ChangeEffect = {
  triggers: 'in-place',
  reason: 'A worker group is appended and the rest is the same: the running cluster gets it.',
};

/** What a change of a field of rayClusterConfig does, where the cluster as a whole gets this effect. */
function determineFieldEffect(parts: readonly PathPart[], cluster: Trigger, edit: Edit): ChangeEffect {
  if (isUnhashedField(parts, edit.version)) return { triggers: 'none', reason: UNHASHED_FIELD_REASONS[cluster] };
  if (isSuspendToggled(edit)) return SUSPEND_EFFECT;
  if (cluster === 'none') return NEVER_ROLLED_OUT_EFFECT;
  return cluster === 'in-place' ? APPENDED_GROUP_EFFECT : { triggers: 'new-cluster', reason: 'The hash of the cluster changes.' };
}

const COPIED_LATER_EFFECT: ChangeEffect = {
  triggers: 'none',
  reason: 'Copied to a RayCluster the next time that one is created or updated.',
};

function findMetadataChanges(current: Manifest, next: Manifest): RayServiceChange[] {
  return buildChanges(
    toFieldPath`metadata`,
    findFieldDifferences(pickCopiedMetadata(current), pickCopiedMetadata(next)),
    () => COPIED_LATER_EFFECT,
  );
}

/** What the operator copies from a RayService to its RayClusters. */
function pickCopiedMetadata(object: Manifest): Fields {
  return { labels: getValueAt(object, 'metadata', 'labels'), annotations: getValueAt(object, 'metadata', 'annotations') };
}

function findSpecChanges(edit: Edit, cluster: Trigger): RayServiceChange[] {
  const differences = findFieldDifferences(excludeClusterConfig(edit.current), excludeClusterConfig(edit.next));
  return buildChanges(toFieldPath`spec`, differences, (parts) => determineSpecEffect(parts, cluster, edit));
}

/** `suspend: false` is as good as none, though inside of rayClusterConfig it is not. */
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
      ? { triggers: 'new-cluster', reason: 'The new cluster gets the new Serve config, the old one keeps its own.' }
      : { triggers: 'in-place', reason: 'The operator sends the new Serve config to the running cluster.' };
  }
  if (first === 'serveService') {
    return upgradeTypeOf(next) === INCREMENTAL_UPGRADE
      ? { triggers: 'none', reason: 'An incremental upgrade never reads serveService.' }
      : { triggers: 'none', reason: 'Read when the Service is switched to another cluster.' };
  }
  return getOwnValue(SPEC_FIELD_EFFECTS, String(first)) ?? { triggers: 'none', reason: 'The operator does not read this field.' };
}

/** What a change of a field of upgradeStrategy does. */
function determineStrategyEffect([field, option]: readonly PathPart[], wasIncremental: boolean, isIncremental: boolean): ChangeEffect {
  if (field === 'type') {
    if (wasIncremental === isIncremental) return TYPE_EFFECT;
    return isIncremental ? TO_INCREMENTAL_EFFECT : FROM_INCREMENTAL_EFFECT;
  }
  if (field !== 'clusterUpgradeOptions') return { triggers: 'none', reason: 'The operator does not read this field.' };
  if (!isIncremental) return UNREAD_OPTIONS_EFFECT;
  return option === 'gatewayClassName' ? GATEWAY_CLASS_EFFECT : PACE_EFFECT;
}

import type { SystemEffect } from '../../cluster/context';
import { madeOf } from '../../core/option-error';
import { readMapBy } from '../../input/given-value';
import { at, childPath } from '../../core/field-path';
import type { FieldPath, PathPart } from '../../core/field-path';
import { fieldsAt, valueAt, ownValue } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { DEFAULT_VERSIONS } from '../../core/versions';
import { clusterIdentity, fieldDifferences, isMutedField, onlyAppendsGroups } from './cluster-identity';
import type { FieldDifference } from './cluster-identity';
import { storedObject } from './served-fields';
import { INCREMENTAL, typeOf } from './strategy';
import { behaviourOf } from './versions';

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
interface Triggered {
  readonly triggers: Trigger;
  readonly reason: string;
}

/** The effect of the fields of `spec` besides the cluster, its strategy and the Serve config, with all below them. */
const SPEC_FIELDS: Readonly<Record<string, Triggered>> = {
  rayClusterDeletionDelaySeconds: { triggers: 'none', reason: 'Holds the next time that an old cluster is to be deleted.' },
  excludeHeadPodFromServeSvc: { triggers: 'in-place', reason: 'The operator flips the label ray.io/serve of the head pod.' },
  suspend: { triggers: 'in-place', reason: 'The operator deletes the clusters, the Gateway and the HTTPRoute, or makes them anew.' },
  managedBy: { triggers: 'none', reason: 'The field is immutable: the API server refuses the change.' },
};

const GATEWAY_CLASS: Triggered = { triggers: 'in-place', reason: 'The operator writes the class into its Gateway.' };
const PACE: Triggered = { triggers: 'none', reason: 'Holds from the next reconcile on, in a running upgrade too.' };
const UNREAD_OPTIONS: Triggered = { triggers: 'none', reason: 'The operator reads the options of an incremental upgrade alone.' };
const TYPE: Triggered = { triggers: 'none', reason: 'Decides how the next change of the cluster is rolled out.' };
const TO_INCREMENTAL: Triggered = {
  triggers: 'in-place',
  reason: 'The operator makes a Gateway, an HTTPRoute and a Service of the running cluster; the next change of the cluster is incremental.',
};
const FROM_INCREMENTAL: Triggered = {
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
  return madeOf('diffRayServices', 'RayServices', () => serviceDiff(running, applied, version));
}

function serviceDiff(running: Manifest, applied: Manifest, version: string): RayServiceDiff {
  const [before, after] = [running, applied].map((object) => readMapBy('diffRayServices', object)) as [Manifest, Manifest];
  const edit: Edit = { current: storedObject(before, version), next: storedObject(after, version), version };
  const { current, next } = edit;
  const cluster = clusterEffect(edit);
  const changes = [
    ...metadataChanges(current, next),
    ...changesAt(at`spec.rayClusterConfig`, fieldDifferences(configOf(current), configOf(next)), (parts) =>
      fieldEffect(parts, cluster, edit),
    ),
    ...specChanges(edit, cluster),
  ];
  const effects = changes.map(({ triggers }) => triggers);
  return { triggers: (['new-cluster', 'in-place'] as const).find((effect) => effects.includes(effect)) ?? 'none', changes };
}

const SERVE_CONFIG = 'spec.serveConfigV2';
const CLUSTER_CONFIG = 'spec.rayClusterConfig';

/**
 * The same in one word: a new cluster is a roll, a worker group that is added a scale, what waits for the next cluster is held.
 *
 * The Serve application alone is sent to the running cluster.
 */
export function rayServiceEffect(running: Manifest, applied: Manifest, version?: string): SystemEffect {
  const { triggers, changes } = diffRayServices(running, applied, version);
  if (changes.some(({ path }) => path === 'spec.managedBy')) {
    return { effect: 'refused', refusal: { path: 'spec.managedBy', message: 'the managedBy field is immutable' } };
  }
  if (triggers === 'new-cluster') return { effect: 'roll' };
  const inCluster = changes.filter(({ path }) => path.startsWith(CLUSTER_CONFIG));
  if (inCluster.some((change) => change.triggers === 'in-place')) return { effect: 'scale' };
  if (inCluster.length > 0) return { effect: 'held', heldUntil: 'another change makes a new cluster' };
  if (changes.some(({ path }) => path === SERVE_CONFIG)) return { effect: 'settings' };
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
  return madeOf('rollsBack', 'RayServices', () => goesBack(desired, active, pending, version));
}

function goesBack(desired: Manifest, active: Manifest, pending: Manifest, version: string): boolean {
  const [wanted, old, young] = [desired, active, pending].map((state) => configOf(storedObject(readMapBy('rollsBack', state), version)));
  const identity = clusterIdentity(wanted, version);
  const isActive = identity === clusterIdentity(old, version);
  const isPending = identity === clusterIdentity(young, version) || onlyAppendsGroups(young, wanted, version);
  const { rollsBack: canRollBack, asksFirst } = behaviourOf(version);
  if (!canRollBack) return false;
  return asksFirst === 'active' ? isActive || !isPending : !isPending;
}

function configOf(rayService: Manifest): unknown {
  return valueAt(rayService, 'spec', 'rayClusterConfig');
}

/** Does the operator write the whole spec over the running cluster, since it is suspended now, or no longer? */
function isSuspendToggled({ current, next, version }: Edit): boolean {
  if (behaviourOf(version).suspend !== 'in-place') return false;
  const [before, after] = [current, next].map((object) => valueAt(configOf(object), 'suspend') === true);
  return before !== after;
}

/** What becomes of the cluster as a whole. A worker group that is appended goes into it whatever the type is. */
function clusterEffect(edit: Edit): Trigger {
  const { current, next, version } = edit;
  if (isSuspendToggled(edit)) return 'in-place';
  if (clusterIdentity(configOf(current), version) === clusterIdentity(configOf(next), version)) return 'none';
  if (onlyAppendsGroups(configOf(current), configOf(next), version)) return 'in-place';
  return typeOf(next) === 'None' ? 'none' : 'new-cluster';
}

/** Differences of what stands at a path, each with what it does. */
function changesAt(
  path: FieldPath,
  differences: readonly FieldDifference[],
  effectOf: (parts: readonly PathPart[]) => Triggered,
): RayServiceChange[] {
  return differences.map((difference) => {
    const { triggers, reason } = effectOf(difference.parts);
    return { path: childPath(path, ...difference.parts), old: difference.old, new: difference.new, triggers, reason };
  });
}

const ARRIVES: Readonly<Record<Trigger, string>> = {
  'new-cluster': 'The operator does not look at it; it goes along into the new cluster.',
  'in-place': 'The operator does not look at it; it goes along with what it writes over the running cluster.',
  none:
    'The operator does not look at it, and does not copy it to the running cluster either: ' +
    'it arrives with the next change of another field, or with the next upgrade of the operator.',
};

const SUSPENDED: Triggered = {
  triggers: 'in-place',
  reason: 'The operator applies suspend to the running cluster, and writes all other changes of the cluster over it as well.',
};
const NEVER_ROLLED_OUT: Triggered = {
  triggers: 'none',
  reason:
    'upgradeStrategy.type is None: it is not rolled out. ' +
    'The next upgrade of the operator writes it over the running cluster, and so does a worker group that is appended later.',
};
const APPENDED: Triggered = {
  triggers: 'in-place',
  reason: 'A worker group is appended and the rest is the same: the running cluster gets it.',
};

/** What a change of a field of rayClusterConfig does, where the cluster as a whole gets this effect. */
function fieldEffect(parts: readonly PathPart[], cluster: Trigger, edit: Edit): Triggered {
  if (isMutedField(parts, edit.version)) return { triggers: 'none', reason: ARRIVES[cluster] };
  if (isSuspendToggled(edit)) return SUSPENDED;
  if (cluster === 'none') return NEVER_ROLLED_OUT;
  return cluster === 'in-place' ? APPENDED : { triggers: 'new-cluster', reason: 'The hash of the cluster changes.' };
}

const COPIED_LATER: Triggered = { triggers: 'none', reason: 'Copied to a RayCluster the next time that one is created or updated.' };

function metadataChanges(current: Manifest, next: Manifest): RayServiceChange[] {
  return changesAt(at`metadata`, fieldDifferences(copiedMetadata(current), copiedMetadata(next)), () => COPIED_LATER);
}

/** What the operator copies from a RayService to its RayClusters. */
function copiedMetadata(object: Manifest): Fields {
  return { labels: valueAt(object, 'metadata', 'labels'), annotations: valueAt(object, 'metadata', 'annotations') };
}

function specChanges(edit: Edit, cluster: Trigger): RayServiceChange[] {
  const differences = fieldDifferences(specBesidesCluster(edit.current), specBesidesCluster(edit.next));
  return changesAt(at`spec`, differences, (parts) => specEffect(parts, cluster, edit));
}

/** `suspend: false` is as good as none, though inside of rayClusterConfig it is not. */
function specBesidesCluster(object: Manifest): Fields {
  const spec = fieldsAt(object, 'spec');
  return { ...spec, rayClusterConfig: undefined, ...(spec.suspend === false && { suspend: undefined }) };
}

function specEffect(parts: readonly PathPart[], cluster: Trigger, { current, next }: Edit): Triggered {
  const [first = '', ...below] = parts;
  if (first === 'upgradeStrategy') return strategyEffect(below, typeOf(current) === INCREMENTAL, typeOf(next) === INCREMENTAL);
  if (first === 'serveConfigV2') {
    return cluster === 'new-cluster'
      ? { triggers: 'new-cluster', reason: 'The new cluster gets the new Serve config, the old one keeps its own.' }
      : { triggers: 'in-place', reason: 'The operator sends the new Serve config to the running cluster.' };
  }
  if (first === 'serveService') {
    return typeOf(next) === INCREMENTAL
      ? { triggers: 'none', reason: 'An incremental upgrade never reads serveService.' }
      : { triggers: 'none', reason: 'Read when the Service is switched to another cluster.' };
  }
  return ownValue(SPEC_FIELDS, String(first)) ?? { triggers: 'none', reason: 'The operator does not read this field.' };
}

/** What a change of a field of upgradeStrategy does. */
function strategyEffect([field, option]: readonly PathPart[], wasIncremental: boolean, isIncremental: boolean): Triggered {
  if (field === 'type') {
    if (wasIncremental === isIncremental) return TYPE;
    return isIncremental ? TO_INCREMENTAL : FROM_INCREMENTAL;
  }
  if (field !== 'clusterUpgradeOptions') return { triggers: 'none', reason: 'The operator does not read this field.' };
  if (!isIncremental) return UNREAD_OPTIONS;
  return option === 'gatewayClassName' ? GATEWAY_CLASS : PACE;
}

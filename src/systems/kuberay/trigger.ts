import { at, childPath, fieldPathParts } from '../../core/field-path';
import type { FieldPath, PathPart } from '../../core/field-path';
import { fieldsAt, valueAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import type { ObjectChange, Trigger } from '../../core/plan-diff';
import { clusterIdentity, fieldDifferences, isMutedField, onlyAppendsGroups } from './cluster-identity';
import type { FieldDifference } from './cluster-identity';
import { storedObject } from './served-fields';
import { INCREMENTAL, typeOf } from './strategy';

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

/** The effect of the fields of `spec` besides the cluster and the Serve config, with all below them; the first that fits counts. */
const SPEC_FIELDS: readonly (Triggered & { readonly field: readonly string[] })[] = [
  { field: ['upgradeStrategy', 'type'], triggers: 'none', reason: 'Decides how the next change of the cluster is rolled out.' },
  {
    field: ['upgradeStrategy', 'clusterUpgradeOptions', 'gatewayClassName'],
    triggers: 'in-place',
    reason: 'The operator writes the class into its Gateway.',
  },
  {
    field: ['upgradeStrategy', 'clusterUpgradeOptions'],
    triggers: 'none',
    reason: 'Holds from the next reconcile on, in a running upgrade too.',
  },
  { field: ['rayClusterDeletionDelaySeconds'], triggers: 'none', reason: 'Holds the next time that an old cluster is to be deleted.' },
  { field: ['excludeHeadPodFromServeSvc'], triggers: 'in-place', reason: 'The operator flips the label ray.io/serve of the head pod.' },
  {
    field: ['suspend'],
    triggers: 'in-place',
    reason: 'The operator deletes the clusters, the Gateway and the HTTPRoute, or makes them anew.',
  },
  { field: ['managedBy'], triggers: 'none', reason: 'The field is immutable: the API server refuses the change.' },
];

/**
 * What applying an object over the running one does, field by field, by the operator's hash rules.
 *
 * The running service is taken to be at rest; `rollsBack` tells what a change in the middle of an upgrade does.
 * Source: KubeRay v1.7.0 `utils/util.go` (GenerateHashWithoutReplicasAndWorkersToDelete), `rayservice_controller.go` (shouldUpdateCluster,
 * reconcileServe).
 */
export function diffRayServices(running: Manifest, applied: Manifest): RayServiceDiff {
  const [current, next] = [storedObject(running), storedObject(applied)];
  const cluster = clusterEffect(current, next);
  const changes = [
    ...metadataChanges(current, next),
    ...changesAt(at`spec.rayClusterConfig`, fieldDifferences(configOf(current), configOf(next)), (parts) =>
      fieldEffect(parts, cluster, next),
    ),
    ...specChanges(current, next, cluster),
  ];
  const effects = changes.map(({ triggers }) => triggers);
  return { triggers: (['new-cluster', 'in-place'] as const).find((effect) => effects.includes(effect)) ?? 'none', changes };
}

/** The short name of a field of the upgrade strategy; undefined for any other field. */
function strategyFieldOf(path: string): string | undefined {
  const [spec, strategy, ...parts] = fieldPathParts(path);
  if (spec !== 'spec' || strategy !== 'upgradeStrategy') return undefined;
  return (parts.length > 1 && parts[0] === 'clusterUpgradeOptions' ? parts.slice(1) : parts).join('.');
}

/** The same as a diff of plans tells it, with the short names of the strategy's fields. */
export function rayServiceChanges(current: Manifest, next: Manifest): ObjectChange[] {
  return diffRayServices(current, next).changes.map((change) => ({ ...change, strategyField: strategyFieldOf(change.path) }));
}

/**
 * Does applying `desired` in the middle of an upgrade roll back? It does when the cluster is the active one's again, or neither one's.
 *
 * In the second case a fresh upgrade follows. KubeRay before 1.6 never rolls back: it replaces the pending cluster.
 * Source: KubeRay v1.7.0 `rayservice_controller.go`, reconcileRollbackState.
 */
export function rollsBack(desired: Manifest, active: Manifest, pending: Manifest): boolean {
  const identity = clusterIdentity(configOf(desired));
  return identity === clusterIdentity(configOf(active)) || identity !== clusterIdentity(configOf(pending));
}

function configOf(rayService: Manifest): unknown {
  return valueAt(rayService, 'spec', 'rayClusterConfig');
}

/** What becomes of the cluster as a whole. */
function clusterEffect(current: Manifest, next: Manifest): Trigger {
  if (typeOf(next) === 'None' || clusterIdentity(configOf(current)) === clusterIdentity(configOf(next))) return 'none';
  return onlyAppendsGroups(configOf(current), configOf(next)) ? 'in-place' : 'new-cluster';
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
  'in-place': 'The operator does not look at it; it goes along with the worker group that is added.',
  none:
    'The operator does not look at it, and does not copy it to the running cluster either: ' +
    'it arrives with the next change of another field.',
};

/** What a change of a field of rayClusterConfig does, where the cluster as a whole gets this effect. */
function fieldEffect(parts: readonly PathPart[], cluster: Trigger, next: Manifest): Triggered {
  if (isMutedField(parts)) return { triggers: 'none', reason: ARRIVES[cluster] };
  if (typeOf(next) === 'None') {
    return { triggers: 'none', reason: 'upgradeStrategy.type is None: changes of the cluster are never rolled out.' };
  }
  return cluster === 'in-place'
    ? { triggers: 'in-place', reason: 'A worker group is appended and the rest is the same: the running cluster gets it.' }
    : { triggers: 'new-cluster', reason: 'The hash of the cluster changes.' };
}

const COPIED_LATER: Triggered = { triggers: 'none', reason: 'Copied to a RayCluster the next time that one is created or updated.' };

function metadataChanges(current: Manifest, next: Manifest): RayServiceChange[] {
  return changesAt(at`metadata`, fieldDifferences(copiedMetadata(current), copiedMetadata(next)), () => COPIED_LATER);
}

/** What the operator copies from a RayService to its RayClusters. */
function copiedMetadata(object: Manifest): Fields {
  return { labels: valueAt(object, 'metadata', 'labels'), annotations: valueAt(object, 'metadata', 'annotations') };
}

function specChanges(current: Manifest, next: Manifest, cluster: Trigger): RayServiceChange[] {
  const differences = fieldDifferences(specBesidesCluster(current), specBesidesCluster(next));
  return changesAt(at`spec`, differences, (parts) => specEffect(parts, cluster, next));
}

function specBesidesCluster(object: Manifest): Fields {
  return { ...fieldsAt(object, 'spec'), rayClusterConfig: undefined };
}

function specEffect(parts: readonly PathPart[], cluster: Trigger, next: Manifest): Triggered {
  const [first] = parts;
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
  const known = SPEC_FIELDS.find(({ field }) => field.every((part, index) => part === parts[index]));
  return known ?? { triggers: 'none', reason: 'The operator does not read this field.' };
}

import type { LiveObjects } from '../../cluster/context/context';
import type { LeaderWorkerSetState, GroupRun, GroupState } from '../../cluster/rollout/initial-state';
import { isDeepEqual } from '../../core/collections/deep-equal';
import { isInt32 } from '../../core/values/int-or-percent';
import { getFieldsAt, isFields, getListAt, nameOf, namespaceOf, getValueAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { InitialRolloutState, InitialRevision } from '../../core/document/initial-state';
import { mergeRuns } from '../../workloads/leader-worker-set/groups';
import type { LeaderWorkerSet } from '../../workloads/leader-worker-set/leader-worker-set';
import { normalizePodFields } from '../../workloads/pod/normalize-pods';

/** Label with the revision of leaders, workers and ControllerRevisions. */
const REVISION_LABEL = 'leaderworkerset.sigs.k8s.io/template-revision-hash';
const GROUP_LABEL = 'leaderworkerset.sigs.k8s.io/group-index';

/** A live set with its objects in the cluster. */
interface LiveSet {
  readonly object: Manifest;
  readonly set: LeaderWorkerSet;
  readonly live: LiveObjects;
}

/** A live group. */
interface LiveGroup {
  readonly ready: boolean;
  /** Revision of its leader and workers; undefined if they differ or the group does not exist. */
  readonly revision?: string;
}

/** The state of a live set. */
export interface LiveSetState {
  readonly start: InitialRolloutState;
  readonly groups: LeaderWorkerSetState;
}

function labelOf(object: Manifest | undefined, label: string): string | undefined {
  const value = getValueAt(object, 'metadata', 'labels', label);
  return typeof value === 'string' ? value : undefined;
}

function hasCondition(object: Manifest, type: string, status: 'True' | 'False'): boolean {
  return getListAt(object, 'status', 'conditions').some(
    (condition) => getValueAt(condition, 'type') === type && getValueAt(condition, 'status') === status,
  );
}

function readCount(object: Manifest, ...path: readonly string[]): number | undefined {
  const value = getValueAt(object, ...path);
  return isInt32(value) && value >= 0 ? value : undefined;
}

/** Returns the StatefulSet of the leaders, or a stub with its name if it is not in the input. */
function leaderSetOf({ object, live }: LiveSet): Manifest {
  const [name, namespace] = [nameOf(object), namespaceOf(object)];
  const named = { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name, ...(namespace !== undefined && { namespace }) } };
  return live.ownedBy(object, 'StatefulSet')[0] ?? named;
}

/** Reports whether all of its workers exist and have their newest revision. Source: lws pkg/utils/statefulset, `StatefulsetReady`. */
function hasWorkers(workers: Manifest, { behaviour }: LeaderWorkerSet): boolean {
  const { replicas, availableReplicas, currentRevision, updateRevision } = getFieldsAt(workers, 'status');
  const workerCount = behaviour.workersCount === 'available' ? availableReplicas : replicas;
  return (workerCount ?? 0) === (getValueAt(workers, 'spec', 'replicas') ?? 1) && currentRevision === updateRevision;
}

function readGroup(leader: Manifest, { set, live }: LiveSet, isWorkerSetKnown: boolean): LiveGroup {
  const isReady = getValueAt(leader, 'status', 'phase') === 'Running' && hasCondition(leader, 'Ready', 'True');
  const revision = labelOf(leader, REVISION_LABEL);
  const own = revision === undefined ? {} : { revision };
  if (set.size === 1 || !isWorkerSetKnown) return { ready: isReady, ...own };
  const [workers] = live.ownedBy(leader, 'StatefulSet');
  if (!workers) return { ready: false };
  const isSameRevision = labelOf(workers, REVISION_LABEL) === revision;
  return { ready: isReady && hasWorkers(workers, set), ...(isSameRevision && own) };
}

/** Reads the groups from ordinal 0 up; undefined if the input contains no leader. Source: lws pkg/controllers, `getReplicaStates`. */
function readGroups(liveSet: LiveSet, leaderSet: Manifest): LiveGroup[] | undefined {
  const { set, live } = liveSet;
  const leaders = live.ownedBy(leaderSet, 'Pod');
  if (leaders.length === 0) return undefined;
  const isWorkerSetKnown = leaders.some((leader) => live.ownedBy(leader, 'StatefulSet').length > 0);
  const groups: LiveGroup[] = Array.from(
    { length: readCount(leaderSet, 'spec', 'replicas') ?? Math.max(set.replicas, leaders.length) },
    () => ({
      ready: false,
    }),
  );
  for (const leader of leaders) {
    const index = Number(labelOf(leader, GROUP_LABEL) ?? nameOf(leader).slice(nameOf(leader).lastIndexOf('-') + 1));
    if (index in groups) groups[index] = readGroup(leader, liveSet, isWorkerSetKnown);
  }
  return groups;
}

/** Returns the value without empty maps and `$patch`, because a ControllerRevision has more of them than a manifest. */
function dropEmptyValues(value: unknown): unknown {
  if (!isFields(value)) return Array.isArray(value) ? value.map(dropEmptyValues) : value;
  const fields = Object.entries(value).map(([key, inner]) => [key, dropEmptyValues(inner)] as const);
  return Object.fromEntries(fields.filter(([key, inner]) => key !== '$patch' && !(isFields(inner) && Object.keys(inner).length === 0)));
}

/**
 * Returns the label of the ControllerRevision that equals the desired revision; undefined if the desired revision is new.
 *
 * @param revisionOf returns the fields of an object that form its revision
 */
function findRevisionKey({ object, live }: LiveSet, desired: unknown, revisionOf: (object: Manifest) => unknown): string | undefined {
  const storedRevision = live.ownedBy(object, 'ControllerRevision').find((revision) => {
    const { leaderWorkerTemplate, networkConfig } = getFieldsAt(revision, 'data', 'spec');
    const spec = normalizePodFields({ ...getFieldsAt(object, 'spec'), leaderWorkerTemplate, networkConfig });
    return isDeepEqual(dropEmptyValues(revisionOf({ ...object, spec })), dropEmptyValues(desired));
  });
  return labelOf(storedRevision, REVISION_LABEL);
}

function buildRuns(groups: readonly GroupState[]): readonly GroupRun[] {
  return mergeRuns(groups.map(({ ready, updated }) => ({ ready, updated, length: 1 })));
}

/** Reads the counts in the status. */
function readStatusCounts({ object, set }: LiveSet) {
  const total = readCount(object, 'status', 'replicas') ?? set.replicas;
  const updated = Math.min(total, readCount(object, 'status', 'updatedReplicas') ?? total);
  // A status omits a number that is 0.
  const omitted = readCount(object, 'status', 'replicas') === undefined ? total : 0;
  const ready = Math.min(total, readCount(object, 'status', 'readyReplicas') ?? omitted);
  return { total, updated, ready };
}

/** Builds runs of old groups from the status alone. Groups that are not ready are assumed to be the last ones that were replaced. */
function buildRunsFromStatus(liveSet: LiveSet): readonly GroupRun[] {
  const { total, updated, ready } = readStatusCounts(liveSet);
  const below = Math.min(total - updated, ready);
  return mergeRuns([
    { ready: true, updated: false, length: below },
    { ready: false, updated: false, length: total - ready },
    { ready: true, updated: false, length: ready - below },
  ]);
}

function summarizeRevisions(groups: readonly LiveGroup[], current: string | undefined): InitialRevision[] {
  const keys = [...new Set(groups.map(({ revision }) => revision))];
  const oldestFirst = keys.toSorted((a, b) => Number(a === current) - Number(b === current));
  return oldestFirst.map((revision) => {
    const own = groups.filter((group) => group.revision === revision);
    return { ...(revision !== undefined && { revision }), replicas: own.length, available: own.filter(({ ready }) => ready).length };
  });
}

function summarizeRevisionsFromStatus(liveSet: LiveSet): InitialRevision[] {
  const { total, updated, ready } = readStatusCounts(liveSet);
  const oldReady = Math.min(total - updated, ready);
  const revisions = [
    { replicas: total - updated, available: oldReady },
    { replicas: updated, available: ready - oldReady },
  ];
  return revisions.filter(({ replicas }) => replicas > 0);
}

/**
 * Reads the state of a live set: each group from its leader, its workers' StatefulSet and their revision.
 *
 * If the input contains no leader, the counts in the status are used.
 *
 * @param desired the fields that form the revision after the apply
 * @param isSame whether it is the current revision of the set
 */
export function readLiveSetState(
  liveSet: LiveSet,
  desired: unknown,
  isSame: boolean,
  revisionOf: (object: Manifest) => unknown,
): LiveSetState {
  const { object, set } = liveSet;
  const leaderSet = leaderSetOf(liveSet);
  const groups = readGroups(liveSet, leaderSet);
  const current = labelOf(leaderSet, REVISION_LABEL) ?? findRevisionKey(liveSet, revisionOf(object), revisionOf);
  const key = isSame ? current : findRevisionKey(liveSet, desired, revisionOf);
  const underWay = hasCondition(object, 'UpdateInProgress', 'True');
  const isDown = hasCondition(object, 'Available', 'False');
  return {
    start: {
      replicas: set.replicas,
      revisions: groups ? summarizeRevisions(groups, current) : summarizeRevisionsFromStatus(liveSet),
      underWay,
      ...(underWay ? { health: 'progressing' } : isDown && { health: 'unavailable' }),
    },
    groups: {
      size: set.size,
      runs: groups
        ? buildRuns(groups.map(({ ready, revision }) => ({ ready, updated: key !== undefined && revision === key })))
        : buildRunsFromStatus(liveSet),
    },
  };
}

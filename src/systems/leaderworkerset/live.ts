import type { LiveObjects } from '../../cluster/context';
import type { GroupPoint, GroupRun, GroupState } from '../../cluster/starting-point';
import { deepEqual } from '../../core/deep-equal';
import { isInt32 } from '../../core/int-or-percent';
import { fieldsAt, isFields, listAt, nameOf, namespaceOf, valueAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import type { RolloutStart, StartingRevision } from '../../core/rollout-start';
import { joined } from '../../workloads/leader-worker-set/groups';
import type { LeaderWorkerSet } from '../../workloads/leader-worker-set/leader-worker-set';
import { spelledPods } from '../../workloads/pod/spelled-pods';

/** The label by which the controller tells the revisions of leaders, of workers and of what it keeps of each revision. */
const REVISION_LABEL = 'leaderworkerset.sigs.k8s.io/template-revision-hash';
const GROUP_LABEL = 'leaderworkerset.sigs.k8s.io/group-index';

/** A set as it was read from a cluster. */
interface LiveSet {
  readonly object: Manifest;
  readonly set: LeaderWorkerSet;
  readonly live: LiveObjects;
}

/** A group in a cluster. */
interface LiveGroup {
  readonly ready: boolean;
  /** Its leader's, where the workers are of the same; undefined where they are not, or the group is not there. */
  readonly revision?: string;
}

/** Where a live set stands. */
export interface LiveStanding {
  readonly start: RolloutStart;
  readonly groups: GroupPoint;
}

function labelOf(object: Manifest | undefined, label: string): string | undefined {
  const value = valueAt(object, 'metadata', 'labels', label);
  return typeof value === 'string' ? value : undefined;
}

function isCondition(object: Manifest, type: string, status: 'True' | 'False'): boolean {
  return listAt(object, 'status', 'conditions').some(
    (condition) => valueAt(condition, 'type') === type && valueAt(condition, 'status') === status,
  );
}

function countAt(object: Manifest, ...path: readonly string[]): number | undefined {
  const value = valueAt(object, ...path);
  return isInt32(value) && value >= 0 ? value : undefined;
}

/** The StatefulSet of the leaders: as it is, or by its name where it is not in view. */
function leaderSetOf({ object, live }: LiveSet): Manifest {
  const [name, namespace] = [nameOf(object), namespaceOf(object)];
  const named = { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name, ...(namespace !== undefined && { namespace }) } };
  return live.of(object, 'StatefulSet')[0] ?? named;
}

/** Are all of its workers there, and of their newest revision? Source: lws pkg/utils/statefulset, `StatefulsetReady`. */
function hasWorkers(workers: Manifest, { behaviour }: LeaderWorkerSet): boolean {
  const { replicas, availableReplicas, currentRevision, updateRevision } = fieldsAt(workers, 'status');
  const there = behaviour.workersCount === 'available' ? availableReplicas : replicas;
  return (there ?? 0) === (valueAt(workers, 'spec', 'replicas') ?? 1) && currentRevision === updateRevision;
}

function groupOf(leader: Manifest, { set, live }: LiveSet, seesWorkers: boolean): LiveGroup {
  const isReady = valueAt(leader, 'status', 'phase') === 'Running' && isCondition(leader, 'Ready', 'True');
  const revision = labelOf(leader, REVISION_LABEL);
  const own = revision === undefined ? {} : { revision };
  if (set.size === 1 || !seesWorkers) return { ready: isReady, ...own };
  const [workers] = live.of(leader, 'StatefulSet');
  if (!workers) return { ready: false };
  const isWhole = labelOf(workers, REVISION_LABEL) === revision;
  return { ready: isReady && hasWorkers(workers, set), ...(isWhole && own) };
}

/** The groups from ordinal 0 up; undefined where no leader is in view. Source: lws pkg/controllers, `getReplicaStates`. */
function groupsOf(known: LiveSet, leaderSet: Manifest): LiveGroup[] | undefined {
  const { set, live } = known;
  const leaders = live.of(leaderSet, 'Pod');
  if (leaders.length === 0) return undefined;
  const seesWorkers = leaders.some((leader) => live.of(leader, 'StatefulSet').length > 0);
  const groups: LiveGroup[] = Array.from(
    { length: countAt(leaderSet, 'spec', 'replicas') ?? Math.max(set.replicas, leaders.length) },
    () => ({
      ready: false,
    }),
  );
  for (const leader of leaders) {
    const index = Number(labelOf(leader, GROUP_LABEL) ?? nameOf(leader).slice(nameOf(leader).lastIndexOf('-') + 1));
    if (index in groups) groups[index] = groupOf(leader, known, seesWorkers);
  }
  return groups;
}

/** A value without what says nothing, as a revision is kept with more of it than a manifest. */
function said(value: unknown): unknown {
  if (!isFields(value)) return Array.isArray(value) ? value.map(said) : value;
  const fields = Object.entries(value).map(([key, inner]) => [key, said(inner)] as const);
  return Object.fromEntries(fields.filter(([key, inner]) => key !== '$patch' && !(isFields(inner) && Object.keys(inner).length === 0)));
}

/**
 * The label of the kept revision that is the one wanted; undefined where it is a new one.
 *
 * @param revisionOf what a revision is made of
 */
function keyOf({ object, live }: LiveSet, wanted: unknown, revisionOf: (object: Manifest) => unknown): string | undefined {
  const kept = live.of(object, 'ControllerRevision').find((revision) => {
    const { leaderWorkerTemplate, networkConfig } = fieldsAt(revision, 'data', 'spec');
    const spec = spelledPods({ ...fieldsAt(object, 'spec'), leaderWorkerTemplate, networkConfig });
    return deepEqual(said(revisionOf({ ...object, spec })), said(wanted));
  });
  return labelOf(kept, REVISION_LABEL);
}

function runsOf(groups: readonly GroupState[]): readonly GroupRun[] {
  return joined(groups.map(({ ready, updated }) => ({ ready, updated, length: 1 })));
}

/** What the status counts. */
function statusOf({ object, set }: LiveSet) {
  const total = countAt(object, 'status', 'replicas') ?? set.replicas;
  const updated = Math.min(total, countAt(object, 'status', 'updatedReplicas') ?? total);
  const ready = Math.min(total, countAt(object, 'status', 'readyReplicas') ?? total);
  return { total, updated, ready };
}

/** All groups as old ones, where the status alone counts them: those that are not ready are taken to be the last that were replaced. */
function runsByStatus(known: LiveSet): readonly GroupRun[] {
  const { total, updated, ready } = statusOf(known);
  const below = Math.min(total - updated, ready);
  return joined([
    { ready: true, updated: false, length: below },
    { ready: false, updated: false, length: total - ready },
    { ready: true, updated: false, length: ready - below },
  ]);
}

function revisionsOf(groups: readonly LiveGroup[], current: string | undefined): StartingRevision[] {
  const keys = [...new Set(groups.map(({ revision }) => revision))];
  const oldestFirst = keys.toSorted((a, b) => Number(a === current) - Number(b === current));
  return oldestFirst.map((revision) => {
    const own = groups.filter((group) => group.revision === revision);
    return { ...(revision !== undefined && { revision }), replicas: own.length, available: own.filter(({ ready }) => ready).length };
  });
}

function revisionsByStatus(known: LiveSet): StartingRevision[] {
  const { total, updated, ready } = statusOf(known);
  const oldReady = Math.min(total - updated, ready);
  const revisions = [
    { replicas: total - updated, available: oldReady },
    { replicas: updated, available: ready - oldReady },
  ];
  return revisions.filter(({ replicas }) => replicas > 0);
}

/**
 * Where a live set stands: each group by its leader, its workers' StatefulSet and their revision, or by what the status counts where no leader is in view.
 *
 * @param wanted what the revision after the apply is made of
 * @param isSame is it the one that the set has?
 */
export function liveStanding(known: LiveSet, wanted: unknown, isSame: boolean, revisionOf: (object: Manifest) => unknown): LiveStanding {
  const { object, set } = known;
  const leaderSet = leaderSetOf(known);
  const groups = groupsOf(known, leaderSet);
  const current = labelOf(leaderSet, REVISION_LABEL) ?? keyOf(known, revisionOf(object), revisionOf);
  const key = isSame ? current : keyOf(known, wanted, revisionOf);
  const underWay = isCondition(object, 'UpdateInProgress', 'True');
  const isDown = isCondition(object, 'Available', 'False');
  return {
    start: {
      replicas: set.replicas,
      revisions: groups ? revisionsOf(groups, current) : revisionsByStatus(known),
      underWay,
      ...(underWay ? { health: 'progressing' } : isDown && { health: 'unavailable' }),
    },
    groups: {
      size: set.size,
      runs: groups
        ? runsOf(groups.map(({ ready, revision }) => ({ ready, updated: key !== undefined && revision === key })))
        : runsByStatus(known),
    },
  };
}

import type { InContext } from '../../cluster/context';
import type { RunningRevision, RunningRole, WrittenLimits } from '../../cluster/starting-point';
import { deepEqual } from '../../core/deep-equal';
import { greatest } from '../../core/extremes';
import { isInt32 } from '../../core/int-or-percent';
import { annotationOf, fieldsAt, isFields, listAt, valueAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import type { RolloutStart, StartingRevision } from '../../core/rollout-start';
import { LWS_DEFAULTS } from '../../workloads/leader-worker-set/strategy';
import { spelledPods } from '../../workloads/pod/spelled-pods';
import { storedLimits } from './disaggregated-set';
import type { DisaggregatedSet } from './disaggregated-set';

const ROLE_LABEL = 'disaggregatedset.x-k8s.io/role';
const REVISION_LABEL = 'disaggregatedset.x-k8s.io/revision';
const INITIAL_ANNOTATION = 'disaggregatedset.x-k8s.io/initial-replicas';

/** What a revision is made of: names and pods of the roles. Source: lws pkg/utils/disaggregatedset, `ComputeRevision`. */
export function revisionOf(object: Manifest): unknown {
  return listAt(object, 'spec', 'roles').map((role) => ({
    name: fieldsAt({ role }, 'role').name,
    template: fieldsAt(role, 'spec', 'leaderWorkerTemplate'),
  }));
}

/** Where a live set stands. */
export interface LiveRoles {
  readonly start: RolloutStart;
  /** The versions that are there, the newest first. */
  readonly revisions: readonly RunningRevision[];
}

function labelOf(object: Manifest, label: string): string {
  const value = valueAt(object, 'metadata', 'labels', label);
  return typeof value === 'string' ? value : '';
}

function countOf(value: unknown): number {
  return isInt32(value) && value >= 0 ? value : 0;
}

function groupsOf(set: Manifest): number {
  return countOf(fieldsAt(set, 'spec').replicas ?? LWS_DEFAULTS.replicas);
}

function readyOf(set: Manifest): number {
  return Math.min(groupsOf(set), countOf(fieldsAt(set, 'status').readyReplicas));
}

function limitsOf(set: Manifest): WrittenLimits | undefined {
  const { rollingUpdateConfiguration } = fieldsAt(set, 'spec', 'rolloutStrategy');
  return isFields(rollingUpdateConfiguration) ? storedLimits(rollingUpdateConfiguration) : undefined;
}

/** Groups that it had when it was first replaced. Source: lws pkg/utils/disaggregatedset/utils.go, `GetInitialReplicas`. */
function initialOf(set: Manifest): number | undefined {
  const written = annotationOf(set, INITIAL_ANNOTATION);
  const initial = written !== undefined && /^[+-]?[0-9]+$/.test(written) ? Number(written) : undefined;
  return isInt32(initial) ? initial : undefined;
}

function runningRole(set: Manifest): RunningRole {
  const [initial, limits] = [initialOf(set), limitsOf(set)];
  const { size } = fieldsAt(set, 'spec', 'leaderWorkerTemplate');
  return {
    name: labelOf(set, ROLE_LABEL),
    groups: groupsOf(set),
    ready: readyOf(set),
    size: isInt32(size) ? size : LWS_DEFAULTS.size,
    ...(initial !== undefined && { initial }),
    ...(limits && { limits }),
  };
}

/** A template of pods without the labels that the controller gives them. */
function ownPods(pods: Fields): Fields {
  const { metadata } = pods;
  const { labels, ...others } = fieldsAt({ metadata }, 'metadata');
  const own = Object.entries(fieldsAt({ labels }, 'labels')).filter(
    ([key]) => key !== 'app' && !key.startsWith('disaggregatedset.x-k8s.io/'),
  );
  return { ...pods, metadata: { ...others, ...(own.length > 0 && { labels: Object.fromEntries(own) }) } };
}

/** What of a role makes its revision, in one spelling: with the defaults, and without what the controller adds. */
function spelledTemplate(template: Fields): unknown {
  const { size = LWS_DEFAULTS.size, restartPolicy = 'RecreateGroupOnPodRestart', workerTemplate, leaderTemplate, ...others } = template;
  const pods = {
    worker: ownPods(fieldsAt({ workerTemplate }, 'workerTemplate')),
    ...(isFields(leaderTemplate) && { leader: ownPods(leaderTemplate) }),
  };
  return spelledPods({ ...others, size, restartPolicy, ...pods });
}

/** Do the LeaderWorkerSets of a revision have the pods of these roles, and no other roles? */
function isRevisionOf(sets: readonly Manifest[], object: Manifest): boolean {
  const roles = listAt(object, 'spec', 'roles');
  const named = new Map(sets.map((set) => [labelOf(set, ROLE_LABEL), set]));
  return (
    roles.length === named.size &&
    roles.every((role) => {
      const made = named.get(String(valueAt(role, 'name')));
      if (!made) return false;
      const [was, is] = [fieldsAt(made, 'spec', 'leaderWorkerTemplate'), fieldsAt(role, 'spec', 'leaderWorkerTemplate')];
      return deepEqual(spelledTemplate(was), spelledTemplate(is));
    })
  );
}

function createdAt(set: Manifest): number {
  return Date.parse(String(valueAt(set, 'metadata', 'creationTimestamp'))) || 0;
}

/** The LeaderWorkerSets of a live set by revision, the newest first. */
function setsByRevision({ object, live }: InContext): readonly (readonly Manifest[])[] {
  const byRevision = new Map<string, Manifest[]>();
  for (const set of live?.of(object, 'LeaderWorkerSet') ?? []) {
    const revision = labelOf(set, REVISION_LABEL);
    byRevision.set(revision, [...(byRevision.get(revision) ?? []), set]);
  }
  const newest = (sets: readonly Manifest[]) => greatest(sets.map(createdAt), 0);
  return [...byRevision.values()].toReversed().toSorted((a, b) => newest(b) - newest(a));
}

function startingRevision(sets: readonly Manifest[]): StartingRevision {
  const sum = (count: (set: Manifest) => number) => sets.reduce((total, set) => total + count(set), 0);
  return { revision: labelOf(sets[0]!, REVISION_LABEL), replicas: sum(groupsOf), available: sum(readyOf) };
}

/**
 * Where a live set stands, by the LeaderWorkerSets of each version, in groups; undefined where none is in view.
 *
 * @param next the set as it will be
 */
export function liveStanding(known: InContext, { roles }: DisaggregatedSet, next: Manifest): LiveRoles | undefined {
  const revisions = setsByRevision(known);
  if (revisions.length === 0) return undefined;
  const running = revisions.map(startingRevision).filter(({ replicas }) => replicas > 0);
  const underWay = running.length > 1;
  const wanted = roles.reduce((sum, { replicas }) => sum + replicas, 0);
  return {
    start: { replicas: wanted, revisions: running.toReversed(), underWay, ...(underWay && { health: 'progressing' }) },
    revisions: revisions.map((sets) => ({ isWanted: isRevisionOf(sets, next), roles: sets.map(runningRole) })),
  };
}

import { parseTime } from '../../core/values/time';
import { addToGroup } from '../../core/collections/group-by';
import type { ObjectInContext } from '../../cluster/context/context';
import type { RunningRevision, RunningRole, StoredLimits } from '../../cluster/rollout/initial-state';
import { isDeepEqual } from '../../core/collections/deep-equal';
import { findMax } from '../../core/values/min-max';
import { isInt32 } from '../../core/values/int-or-percent';
import { annotationOf, getFieldsAt, isFields, getListAt, getValueAt } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import type { InitialRolloutState, InitialRevision } from '../../core/document/initial-state';
import { LWS_DEFAULTS } from '../../workloads/leader-worker-set/strategy';
import { normalizePodFields } from '../../workloads/pod/normalize-pods';
import { applyRoleLimitDefaults } from './disaggregated-set';
import type { DisaggregatedSet } from './disaggregated-set';
import { toSafeText } from '../../core/text/value-text';

const ROLE_LABEL = 'disaggregatedset.x-k8s.io/role';
const REVISION_LABEL = 'disaggregatedset.x-k8s.io/revision';
const INITIAL_ANNOTATION = 'disaggregatedset.x-k8s.io/initial-replicas';

/** Returns the fields that form a revision: names and pods of the roles. Source: lws pkg/utils/disaggregatedset, `ComputeRevision`. */
export function roleRevisionOf(object: Manifest): unknown {
  return getListAt(object, 'spec', 'roles').map((role) => ({
    name: getFieldsAt({ role }, 'role').name,
    template: getFieldsAt(role, 'spec', 'leaderWorkerTemplate'),
  }));
}

/** The state of a live set. */
export interface LiveRoleState {
  readonly start: InitialRolloutState;
  /** The existing versions, newest first. */
  readonly revisions: readonly RunningRevision[];
}

function labelOf(object: Manifest, label: string): string {
  const value = getValueAt(object, 'metadata', 'labels', label);
  return typeof value === 'string' ? value : '';
}

function toCount(value: unknown): number {
  return isInt32(value) && value >= 0 ? value : 0;
}

function groupCountOf(set: Manifest): number {
  return toCount(getFieldsAt(set, 'spec').replicas ?? LWS_DEFAULTS.replicas);
}

function readyCountOf(set: Manifest): number {
  return Math.min(groupCountOf(set), toCount(getFieldsAt(set, 'status').readyReplicas));
}

function limitsOf(set: Manifest): StoredLimits | undefined {
  const { rollingUpdateConfiguration } = getFieldsAt(set, 'spec', 'rolloutStrategy');
  return isFields(rollingUpdateConfiguration) ? applyRoleLimitDefaults(rollingUpdateConfiguration) : undefined;
}

/** Returns the number of groups when its replacement started. Source: lws pkg/utils/disaggregatedset/utils.go, `GetInitialReplicas`. */
function initialReplicasOf(set: Manifest): number | undefined {
  const annotation = annotationOf(set, INITIAL_ANNOTATION);
  const initial = annotation !== undefined && /^[+-]?[0-9]+$/.test(annotation) ? Number(annotation) : undefined;
  return isInt32(initial) ? initial : undefined;
}

function readRunningRole(set: Manifest): RunningRole {
  const [initial, limits] = [initialReplicasOf(set), limitsOf(set)];
  const { size } = getFieldsAt(set, 'spec', 'leaderWorkerTemplate');
  return {
    name: labelOf(set, ROLE_LABEL),
    groups: groupCountOf(set),
    ready: readyCountOf(set),
    size: isInt32(size) ? size : LWS_DEFAULTS.size,
    ...(initial !== undefined && { initial }),
    ...(limits && { limits }),
  };
}

/** Returns a pod template without the labels that the controller adds. */
function stripControllerLabels(pods: Fields): Fields {
  const { metadata } = pods;
  const { labels, ...others } = getFieldsAt({ metadata }, 'metadata');
  const ownLabels = Object.entries(getFieldsAt({ labels }, 'labels')).filter(
    ([key]) => key !== 'app' && !key.startsWith('disaggregatedset.x-k8s.io/'),
  );
  return { ...pods, metadata: { ...others, ...(ownLabels.length > 0 && { labels: Object.fromEntries(ownLabels) }) } };
}

/** Normalizes the template of a role for comparison: with defaults, and without what the controller adds. */
function normalizeTemplate(template: Fields): unknown {
  const { size = LWS_DEFAULTS.size, restartPolicy = 'RecreateGroupOnPodRestart', workerTemplate, leaderTemplate, ...others } = template;
  const pods = {
    worker: stripControllerLabels(getFieldsAt({ workerTemplate }, 'workerTemplate')),
    ...(isFields(leaderTemplate) && { leader: stripControllerLabels(leaderTemplate) }),
  };
  return normalizePodFields({ ...others, size, restartPolicy, ...pods });
}

/** Reports whether the LeaderWorkerSets of a revision have exactly these roles with these pods. */
function isRevisionOf(sets: readonly Manifest[], object: Manifest): boolean {
  const roles = getListAt(object, 'spec', 'roles');
  const named = new Map(sets.map((set) => [labelOf(set, ROLE_LABEL), set]));
  return (
    roles.length === named.size &&
    roles.every((role) => {
      const set = named.get(toSafeText(getValueAt(role, 'name')));
      if (!set) return false;
      const [oldTemplate, nextTemplate] = [
        getFieldsAt(set, 'spec', 'leaderWorkerTemplate'),
        getFieldsAt(role, 'spec', 'leaderWorkerTemplate'),
      ];
      return isDeepEqual(normalizeTemplate(oldTemplate), normalizeTemplate(nextTemplate));
    })
  );
}

function creationTimeOf(set: Manifest): number {
  return parseTime(getValueAt(set, 'metadata', 'creationTimestamp')) ?? 0;
}

/** Groups the LeaderWorkerSets of a live set by revision, newest first. */
function groupSetsByRevision({ object, live }: ObjectInContext): readonly (readonly Manifest[])[] {
  const byRevision = new Map<string, Manifest[]>();
  for (const set of live?.ownedBy(object, 'LeaderWorkerSet') ?? []) {
    const revision = labelOf(set, REVISION_LABEL);
    addToGroup(byRevision, revision, set);
  }
  const newest = (sets: readonly Manifest[]) => findMax(sets.map(creationTimeOf), 0);
  return [...byRevision.values()].toReversed().toSorted((a, b) => newest(b) - newest(a));
}

function summarizeRevision(sets: readonly Manifest[]): InitialRevision {
  const sum = (count: (set: Manifest) => number) => sets.reduce((total, set) => total + count(set), 0);
  return { revision: labelOf(sets[0]!, REVISION_LABEL), replicas: sum(groupCountOf), available: sum(readyCountOf) };
}

/**
 * Reads the state of a live set from the LeaderWorkerSets of each version; undefined if the input contains none.
 *
 * @param next the set after the apply
 */
export function readLiveRoleState(source: ObjectInContext, { roles }: DisaggregatedSet, next: Manifest): LiveRoleState | undefined {
  const revisions = groupSetsByRevision(source);
  if (revisions.length === 0) return undefined;
  const running = revisions.map(summarizeRevision).filter(({ replicas }) => replicas > 0);
  const underWay = running.length > 1;
  const desired = roles.reduce((sum, { replicas }) => sum + replicas, 0);
  return {
    start: { replicas: desired, revisions: running.toReversed(), underWay, ...(underWay && { health: 'progressing' }) },
    revisions: revisions.map((sets) => ({ isWanted: isRevisionOf(sets, next), roles: sets.map(readRunningRole) })),
  };
}

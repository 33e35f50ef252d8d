import type { StoredLimits } from '../../cluster/rollout/initial-state';
import { scaleRoundedDown, scaleRoundedUp } from '../../core/values/int-or-percent';
import type { RoleState } from './planner';

/** The groups of a LeaderWorkerSet that the controller created. */
export interface RoleGroups {
  /** Number of groups. */
  readonly groups: number;
  /** Number of ready groups. */
  readonly ready: number;
  /** Number of groups when its replacement started, from its annotation. @default - the current number */
  readonly initial?: number;
  /** Limits it was created with. Later changes do not update them. @default - none, which its webhook always accepts */
  readonly limits?: StoredLimits;
}

/** The LeaderWorkerSets of one version, by role index; undefined if a role has none. */
export type RoleRevision = readonly (RoleGroups | undefined)[];

/** The groups of all roles, by version. */
export interface RevisionState {
  /** The versions that are replaced, newest first. */
  readonly olds: readonly RoleRevision[];
  /** The groups of the desired version. */
  readonly next: readonly RoleGroups[];
}

/** A number of groups that is refused for a role. */
export interface RejectedGroups {
  /** Index of the role. */
  readonly role: number;
  readonly version: 'next' | 'old';
  readonly groups: number;
  readonly limits: StoredLimits;
}

/** The result of a step. A refused number of groups ends the reconcile. */
export interface AppliedStep {
  readonly state: RevisionState;
  readonly rejected?: RejectedGroups;
}

function sumGroups(olds: readonly RoleRevision[], role: number, count: (groups: RoleGroups) => number): number {
  return olds.reduce((sum, revision) => sum + (revision[role] ? count(revision[role]) : 0), 0);
}

/** Returns the number of old and new groups of each role. */
export function roleStatesOf({ olds, next }: RevisionState): RoleState[] {
  return next.map((roleGroups, role) => ({ old: sumGroups(olds, role, ({ groups }) => groups), next: roleGroups.groups }));
}

/** Counts the ready groups of each role. */
export function countReadyGroups({ olds, next }: RevisionState): number[] {
  return next.map((roleGroups, role) => sumGroups(olds, role, ({ ready }) => ready) + roleGroups.ready);
}

/** Counts the groups of each role that the controller considers initial. */
export function countInitialGroups({ olds, next }: RevisionState): number[] {
  return next.map((_, role) => sumGroups(olds, role, ({ groups, initial = groups }) => initial));
}

/** Drops the versions without groups, which the controller deletes. */
export function dropDrainedRevisions({ olds, next }: RevisionState): RevisionState {
  return { olds: olds.filter((revision) => revision.some((roleGroups) => roleGroups && roleGroups.groups > 0)), next };
}

/** Returns the state once every group of the desired version is ready. */
export function withReadyGroups({ olds, next }: RevisionState): RevisionState {
  return { olds, next: next.map((roleGroups) => ({ ...roleGroups, ready: roleGroups.groups })) };
}

/** Sets the number of groups. If it shrinks, groups that are not ready are deleted first. */
function scaleGroups(roleGroups: RoleGroups, groups: number): RoleGroups {
  return { ...roleGroups, groups, ready: Math.min(roleGroups.ready, groups) };
}

/**
 * Reports whether the webhook refuses a LeaderWorkerSet with this number of groups because of its limits.
 *
 * Source: lws pkg/webhooks/leaderworkerset_webhook.go.
 */
function isRejectedAt({ limits }: RoleGroups, groups: number): boolean {
  return (
    limits !== undefined &&
    groups !== 0 &&
    scaleRoundedUp(limits.maxSurge, groups) === 0 &&
    scaleRoundedDown(limits.maxUnavailable, groups) === 0
  );
}

/** Scales the roles of the desired version, role by role. */
function scaleNextRevision(state: RevisionState, targets: readonly number[]): AppliedStep {
  const next = [...state.next];
  for (const [role, roleGroups] of next.entries()) {
    const groups = targets[role]!;
    if (groups === roleGroups.groups) continue;
    if (isRejectedAt(roleGroups, groups))
      return { state: { ...state, next }, rejected: { role, version: 'next', groups, limits: roleGroups.limits! } };
    next[role] = scaleGroups(roleGroups, groups);
  }
  return { state: { ...state, next } };
}

/** Computes the groups that a version keeps of each role. If one role has no group left, all roles are reduced to 0. */
function computeRemainingGroups(revision: RoleRevision, budget: readonly number[]): (number | undefined)[] {
  const remaining = revision.map((roleGroups, role) => roleGroups && roleGroups.groups - Math.min(budget[role]!, roleGroups.groups));
  return remaining.includes(0) ? remaining.map((groups) => groups && 0) : remaining;
}

/**
 * Removes groups of the old versions, newest version first.
 *
 * Source: lws pkg/controllers/disaggregatedset/executor.go, `scaleDownOld`.
 */
function drainOldRevisions(state: RevisionState, targets: readonly number[]): AppliedStep {
  const budget = roleStatesOf(state).map(({ old }, role) => old - targets[role]!);
  const olds = [...state.olds];
  for (const [index, revision] of state.olds.entries()) {
    if (budget.every((groups) => groups <= 0)) break;
    const planned = revision.map((roleGroups, role) => (roleGroups ? Math.min(budget[role]!, roleGroups.groups) : 0));
    const isEmptied = revision.some((roleGroups, role) => roleGroups && roleGroups.groups === planned[role]);
    const remaining = computeRemainingGroups(revision, budget);
    const scaled = [...revision];
    for (const [role, roleGroups] of revision.entries()) {
      const groups = remaining[role]!;
      if (!roleGroups || roleGroups.groups <= groups) continue;
      if (isRejectedAt(roleGroups, groups))
        return {
          state: { ...state, olds: olds.with(index, scaled) },
          rejected: { role, version: 'old', groups, limits: roleGroups.limits! },
        };
      scaled[role] = scaleGroups(roleGroups, groups);
      // Groups that are removed only because another role is empty do not count against the budget.
      if (!isEmptied || roleGroups.groups === planned[role]) budget[role]! -= planned[role]!;
    }
    olds[index] = scaled;
  }
  return { state: { ...state, olds } };
}

/** Applies a step of all roles: first it adds new groups, then it removes old ones. */
export function applyStep(state: RevisionState, to: readonly RoleState[]): AppliedStep {
  const up = scaleNextRevision(
    state,
    to.map(({ next }) => next),
  );
  if (up.rejected) return up;
  return drainOldRevisions(
    up.state,
    to.map(({ old }) => old),
  );
}

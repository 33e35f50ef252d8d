import type { StoredLimits } from '../../cluster/initial-state';
import { scaleRoundedDown, scaleRoundedUp } from '../../core/int-or-percent';
import type { RoleState } from './planner';

/** The groups of a LeaderWorkerSet that the controller made. */
export interface RoleGroups {
  readonly groups: number;
  /** Of these, ready. */
  readonly ready: number;
  /** Groups that it had when it was first replaced, as it is annotated. @default - as many as it has */
  readonly initial?: number;
  /** With which it was made: no later change reaches it. @default - none, which its webhook always takes */
  readonly limits?: StoredLimits;
}

/** The LeaderWorkerSets of one version, by the index of their role; undefined where there is none. */
export type RoleRevision = readonly (RoleGroups | undefined)[];

/** Where the groups of all roles stand. */
export interface RevisionState {
  /** The versions that are replaced, the newest first. */
  readonly olds: readonly RoleRevision[];
  /** The groups of the version wanted. */
  readonly next: readonly RoleGroups[];
}

/** The number of groups of a role that is refused. */
export interface RejectedGroups {
  /** The index of the role. */
  readonly role: number;
  readonly version: 'next' | 'old';
  readonly groups: number;
  readonly limits: StoredLimits;
}

/** How far the controller gets with a step. What is refused ends its turn. */
export interface AppliedStep {
  readonly state: RevisionState;
  readonly rejected?: RejectedGroups;
}

function sumGroups(olds: readonly RoleRevision[], role: number, count: (groups: RoleGroups) => number): number {
  return olds.reduce((sum, revision) => sum + (revision[role] ? count(revision[role]) : 0), 0);
}

/** Groups of both versions of each role. */
export function roleStatesOf({ olds, next }: RevisionState): RoleState[] {
  return next.map((roleGroups, role) => ({ old: sumGroups(olds, role, ({ groups }) => groups), next: roleGroups.groups }));
}

/** Groups of each role that are ready. */
export function countReadyGroups({ olds, next }: RevisionState): number[] {
  return next.map((roleGroups, role) => sumGroups(olds, role, ({ ready }) => ready) + roleGroups.ready);
}

/** Groups of each role that the controller takes for those that it began with. */
export function countInitialGroups({ olds, next }: RevisionState): number[] {
  return next.map((_, role) => sumGroups(olds, role, ({ groups, initial = groups }) => initial));
}

/** Without the versions of which nothing is left, which the controller deletes. */
export function dropDrainedRevisions({ olds, next }: RevisionState): RevisionState {
  return { olds: olds.filter((revision) => revision.some((roleGroups) => roleGroups && roleGroups.groups > 0)), next };
}

/** Once every group of the version wanted is ready. */
export function withReadyGroups({ olds, next }: RevisionState): RevisionState {
  return { olds, next: next.map((roleGroups) => ({ ...roleGroups, ready: roleGroups.groups })) };
}

/** Another number of groups: of fewer those that are not ready go first. */
function scaleGroups(roleGroups: RoleGroups, groups: number): RoleGroups {
  return { ...roleGroups, groups, ready: Math.min(roleGroups.ready, groups) };
}

/** Does the webhook refuse a LeaderWorkerSet of so many groups for its limits? Source: lws pkg/webhooks/leaderworkerset_webhook.go. */
function isRejectedAt({ limits }: RoleGroups, groups: number): boolean {
  return (
    limits !== undefined &&
    groups !== 0 &&
    scaleRoundedUp(limits.maxSurge, groups) === 0 &&
    scaleRoundedDown(limits.maxUnavailable, groups) === 0
  );
}

/** Gives the roles of the version wanted so many groups, role by role. */
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

/** What a version keeps of each role: none of any where one loses its last group, or has none. */
function computeRemainingGroups(revision: RoleRevision, budget: readonly number[]): (number | undefined)[] {
  const remaining = revision.map((roleGroups, role) => roleGroups && roleGroups.groups - Math.min(budget[role]!, roleGroups.groups));
  return remaining.includes(0) ? remaining.map((groups) => groups && 0) : remaining;
}

/**
 * Takes so many groups of the old versions away, the newest version first.
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
      // Groups that go for the sake of another role are not counted.
      if (!isEmptied || roleGroups.groups === planned[role]) budget[role]! -= planned[role]!;
    }
    olds[index] = scaled;
  }
  return { state: { ...state, olds } };
}

/** A step of all roles: up first, then down. */
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

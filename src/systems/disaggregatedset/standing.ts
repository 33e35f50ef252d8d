import type { WrittenLimits } from '../../cluster/starting-point';
import { scaledDown, scaledUp } from '../../core/int-or-percent';
import type { RoleState } from './planner';

/** The groups of a LeaderWorkerSet that the controller made. */
export interface RoleGroups {
  readonly groups: number;
  /** Of these, ready. */
  readonly ready: number;
  /** Groups that it had when it was first replaced, as it is annotated. @default - as many as it has */
  readonly initial?: number;
  /** With which it was made: no later change reaches it. @default - none, which its webhook always takes */
  readonly limits?: WrittenLimits;
}

/** The LeaderWorkerSets of one version, by the index of their role; undefined where there is none. */
export type Revision = readonly (RoleGroups | undefined)[];

/** Where the groups of all roles stand. */
export interface Standing {
  /** The versions that are replaced, the newest first. */
  readonly olds: readonly Revision[];
  /** The groups of the version wanted. */
  readonly next: readonly RoleGroups[];
}

/** The number of groups of a role that is refused. */
export interface RefusedGroups {
  /** The index of the role. */
  readonly role: number;
  readonly version: 'next' | 'old';
  readonly groups: number;
  readonly limits: WrittenLimits;
}

/** How far the controller gets with a step. What is refused ends its turn. */
export interface CarriedOut {
  readonly standing: Standing;
  readonly refused?: RefusedGroups;
}

function sumOf(olds: readonly Revision[], role: number, count: (groups: RoleGroups) => number): number {
  return olds.reduce((sum, revision) => sum + (revision[role] ? count(revision[role]) : 0), 0);
}

/** Groups of both versions of each role. */
export function statesOf({ olds, next }: Standing): RoleState[] {
  return next.map((made, role) => ({ old: sumOf(olds, role, ({ groups }) => groups), next: made.groups }));
}

/** Groups of each role that are ready. */
export function readyIn({ olds, next }: Standing): number[] {
  return next.map((made, role) => sumOf(olds, role, ({ ready }) => ready) + made.ready);
}

/** Groups of each role that the controller takes for those that it began with. */
export function initialIn({ olds, next }: Standing): number[] {
  return next.map((_, role) => sumOf(olds, role, ({ groups, initial = groups }) => initial));
}

/** Without the versions of which nothing is left, which the controller deletes. */
export function withoutDrained({ olds, next }: Standing): Standing {
  return { olds: olds.filter((revision) => revision.some((made) => made && made.groups > 0)), next };
}

/** Once every group of the version wanted is ready. */
export function withReadyGroups({ olds, next }: Standing): Standing {
  return { olds, next: next.map((made) => ({ ...made, ready: made.groups })) };
}

/** Another number of groups: of fewer those that are not ready go first. */
function resized(made: RoleGroups, groups: number): RoleGroups {
  return { ...made, groups, ready: Math.min(made.ready, groups) };
}

/** Does the webhook refuse a LeaderWorkerSet of so many groups for its limits? Source: lws pkg/webhooks/leaderworkerset_webhook.go. */
function isRefusedAt({ limits }: RoleGroups, groups: number): boolean {
  return limits !== undefined && groups !== 0 && scaledUp(limits.maxSurge, groups) === 0 && scaledDown(limits.maxUnavailable, groups) === 0;
}

/** Gives the roles of the version wanted so many groups, role by role. */
function scaledNext(standing: Standing, wanted: readonly number[]): CarriedOut {
  const next = [...standing.next];
  for (const [role, made] of next.entries()) {
    const groups = wanted[role]!;
    if (groups === made.groups) continue;
    if (isRefusedAt(made, groups))
      return { standing: { ...standing, next }, refused: { role, version: 'next', groups, limits: made.limits! } };
    next[role] = resized(made, groups);
  }
  return { standing: { ...standing, next } };
}

/** What a version keeps of each role: none of any where one loses its last group, or has none. */
function keptOf(revision: Revision, budget: readonly number[]): (number | undefined)[] {
  const kept = revision.map((made, role) => made && made.groups - Math.min(budget[role]!, made.groups));
  return kept.includes(0) ? kept.map((groups) => groups && 0) : kept;
}

/**
 * Takes so many groups of the old versions away, the newest version first.
 *
 * Source: lws pkg/controllers/disaggregatedset/executor.go, `scaleDownOld`.
 */
function drained(standing: Standing, targets: readonly number[]): CarriedOut {
  const budget = statesOf(standing).map(({ old }, role) => old - targets[role]!);
  const olds = [...standing.olds];
  for (const [index, revision] of standing.olds.entries()) {
    if (budget.every((groups) => groups <= 0)) break;
    const planned = revision.map((made, role) => (made ? Math.min(budget[role]!, made.groups) : 0));
    const isEmptied = revision.some((made, role) => made && made.groups === planned[role]);
    const kept = keptOf(revision, budget);
    const left = [...revision];
    for (const [role, made] of revision.entries()) {
      const groups = kept[role]!;
      if (!made || made.groups <= groups) continue;
      if (isRefusedAt(made, groups))
        return { standing: { ...standing, olds: olds.with(index, left) }, refused: { role, version: 'old', groups, limits: made.limits! } };
      left[role] = resized(made, groups);
      // Groups that go for the sake of another role are not counted.
      if (!isEmptied || made.groups === planned[role]) budget[role]! -= planned[role]!;
    }
    olds[index] = left;
  }
  return { standing: { ...standing, olds } };
}

/** A step of all roles: up first, then down. */
export function carriedOut(standing: Standing, to: readonly RoleState[]): CarriedOut {
  const up = scaledNext(
    standing,
    to.map(({ next }) => next),
  );
  if (up.refused) return up;
  return drained(
    up.standing,
    to.map(({ old }) => old),
  );
}

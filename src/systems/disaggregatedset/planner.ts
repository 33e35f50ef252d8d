import { findMax, findMin } from '../../core/values/min-max';

/** The sizes and limits of a role's rollout, in groups. */
export interface RoleLimits {
  /** Number of desired groups. */
  readonly target: number;
  /** Number of groups when the rollout started. */
  readonly initial: number;
  readonly surge: number;
  readonly unavailable: number;
}

/** The number of old and new groups of a role. */
export interface RoleState {
  readonly old: number;
  readonly next: number;
}

/** Counts the steps that a role would take on its own: 4 groups with a surge of 3 take 2 steps. */
export function countRoleSteps({ target, initial, surge, unavailable }: RoleLimits): number {
  return Math.ceil(Math.max(initial, target) / (surge > 0 ? surge : Math.max(1, unavailable)));
}

/**
 * Computes the new groups of each role at the step after the slowest role's step: `ceil(step × target / total)`.
 *
 * At step 1 of 4, targets 4 and 2 have 1 and 1 new groups.
 */
function computeNextNew(roles: readonly RoleLimits[], states: readonly RoleState[], total: number): number[] {
  const reached = roles.map(({ target }, role) => (target === 0 ? total : Math.trunc((states[role]!.next * total) / target)));
  const step = findMin(reached, total) + 1;
  return roles.map(({ target }, role) => Math.max(Math.min(Math.ceil((step * target) / total), target), states[role]!.next));
}

/**
 * Computes the old groups of each role at the step after the fastest role's step: `initial - floor(step × initial / total)`.
 *
 * At step 1 of 4, initial sizes 4 and 2 leave 3 and 2 old groups.
 */
function computeNextOld(roles: readonly RoleLimits[], states: readonly RoleState[], total: number): number[] {
  const reached = roles.map(({ initial }, role) => (initial === 0 ? 0 : Math.trunc(((initial - states[role]!.old) * total) / initial)));
  const step = findMax(reached, 0) + 1;
  return roles.map(({ initial }, role) => Math.min(Math.max(0, initial - Math.floor((step * initial) / total)), states[role]!.old));
}

/** Computes the minimum of old groups with this number of new ones. A role that grows has no such minimum. */
function computeMinOld({ target, initial, unavailable }: RoleLimits, next: number): number {
  return initial >= target ? Math.max(0, target - unavailable - next) : 0;
}

/**
 * Keeps a role from losing its last old group while another keeps some.
 *
 * All go to 0 if enough new groups remain; otherwise each keeps one.
 */
function drainTogether(old: readonly number[], next: readonly number[], roles: readonly RoleLimits[]): number[] {
  const remaining = roles.flatMap(({ initial }, role) => (initial === 0 ? [] : [old[role]!]));
  if (remaining.every((groups) => groups > 0) || remaining.every((groups) => groups === 0)) return [...old];
  const isEnough = roles.every(({ target, initial, unavailable }, role) => initial < target || next[role]! >= target - unavailable);
  return old.map((groups, role) => (isEnough ? 0 : groups === 0 && roles[role]!.initial > 0 ? 1 : groups));
}

function buildRoleStates(old: readonly number[], next: readonly number[]): RoleState[] {
  return old.map((groups, role) => ({ old: groups, next: next[role]! }));
}

/**
 * Computes the next step of all roles, which the controller takes once every new group is ready; undefined if there is none.
 *
 *     up     the new groups of the next step, if old + new <= target + surge holds for every role
 *     drain  otherwise the old groups of the next step, never below target - unavailable - new
 *     force  otherwise both, within the limits
 *
 * For targets 4 and 2 with a surge of 1: from (old|new) 4,2|0,0 `up` gives 4,2|1,1, then `drain` gives 3,2|1,1.
 *
 * Source: lws pkg/controllers/disaggregatedset/planner.go, `ComputeNextStep`.
 */
export function computeNextStep(roles: readonly RoleLimits[], states: readonly RoleState[]): RoleState[] | undefined {
  const total = findMax(roles.map(countRoleSteps), 0);
  const old = states.map((state) => state.old);
  const current = states.map(({ next }) => next);
  const isNewDone = roles.every(({ target }, role) => current[role]! >= target);
  if (total === 0 || (isNewDone && old.every((groups) => groups === 0))) return undefined;
  if (roles.some(({ initial }, role) => old[role]! > initial))
    return buildRoleStates(
      old.map((groups, role) => Math.min(groups, roles[role]!.initial)),
      current,
    );
  if (isNewDone)
    return buildRoleStates(
      old.map(() => 0),
      current,
    );

  const next = computeNextNew(roles, states, total);
  const rises = next.some((groups, role) => groups > current[role]!);
  const hasSurgeCapacity = roles.every(({ target, surge }, role) => target === 0 || old[role]! + next[role]! <= target + surge);
  if (rises && hasSurgeCapacity) return buildRoleStates(old, next);

  const targetOld = computeNextOld(roles, states, total).map((groups, role) =>
    Math.max(groups, computeMinOld(roles[role]!, current[role]!)),
  );
  const drained = drainTogether(targetOld, current, roles);
  if (drained.some((groups, role) => groups < old[role]!)) return buildRoleStates(drained, current);

  const forcedOld = roles.map((role, index) => {
    const maxOld = role.target + role.surge - next[index]!;
    return Math.max(Math.max(0, Math.min(old[index]!, maxOld)), computeMinOld(role, next[index]!));
  });
  if (!forcedOld.some((groups, role) => groups < old[role]!)) return undefined;
  return buildRoleStates(drainTogether(forcedOld, next, roles), next);
}

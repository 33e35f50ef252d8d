import type { RunningRevision, RunningRole } from '../../cluster/rollout/initial-state';
import { ROLE_DEFAULTS } from './disaggregated-set';
import type { ParsedRole } from './disaggregated-set';
import type { RolesRollout, SteppedRole } from './simulate';
import type { RoleRevision, RoleGroups } from './revision-state';
import type { RoleValidation } from './validation';

function buildRemovedRole({ name, size }: RunningRole): SteppedRole {
  return { name, replicas: 0, size, ...ROLE_DEFAULTS, isRemoved: true };
}

/** Lists the roles of old versions that the set no longer has, each once. */
function listRemovedRoles(roles: readonly ParsedRole[], revisions: readonly RunningRevision[]): SteppedRole[] {
  const names = new Set(roles.map(({ name }) => name));
  const removed = new Map<string, SteppedRole>();
  for (const role of revisions.flatMap((revision) => revision.roles)) {
    if (!names.has(role.name) && !removed.has(role.name)) removed.set(role.name, buildRemovedRole(role));
  }
  return [...removed.values()];
}

function toRoleGroups({ groups, ready = groups, initial, limits }: RunningRole, keepsInitial: boolean): RoleGroups {
  return { groups, ready, ...(keepsInitial ? initial !== undefined && { initial } : { initial: groups }), ...(limits && { limits }) };
}

/**
 * Builds the rollout of all roles: first the desired roles, then the removed roles, which the controller drains together with them.
 *
 * If no LeaderWorkerSet of the desired version exists yet, the running groups count as the initial ones.
 *
 * @param revisions revisions before an apply, newest first @default - one revision with the desired groups
 * @param validations results of the validation, in the order of the roles
 */
export function buildRolesRollout(
  roles: readonly ParsedRole[],
  revisions: readonly RunningRevision[] = [{ roles: roles.map((role) => ({ ...role, groups: role.replicas })) }],
  validations: readonly Pick<RoleValidation, 'isBroken'>[],
): RolesRollout {
  const currentRevision = revisions.find(({ isWanted }) => isWanted);
  const others = revisions.filter(({ isWanted }) => !isWanted);
  const currentRoles = roles.map(({ name, replicas, size, surge, unavailable }, index): SteppedRole => {
    return { name, replicas, size, surge, unavailable, isBroken: validations[index]?.isBroken ?? false };
  });
  const all = [...currentRoles, ...listRemovedRoles(roles, others)];
  const findRole = (revision: RunningRevision | undefined, name: string) => revision?.roles.find((role) => role.name === name);
  const toRevision = (revision: RunningRevision): RoleRevision =>
    all.map(({ name }) => {
      const role = findRole(revision, name);
      return role && toRoleGroups(role, currentRevision !== undefined);
    });
  const next = all.map(({ name }): RoleGroups => {
    const running = findRole(currentRevision, name);
    const { groups = 0, ready = groups } = running ?? {};
    const { limits } = running ?? roles.find((role) => role.name === name) ?? {};
    return { groups, ready, ...(limits && { limits }) };
  });
  return { roles: all, state: { olds: others.map(toRevision), next } };
}

import type { RunningRevision, RunningRole } from '../../cluster/starting-point';
import { ROLE_DEFAULTS } from './disaggregated-set';
import type { Role } from './disaggregated-set';
import type { RolesRollout, SteppedRole } from './simulate';
import type { Revision, RoleGroups } from './standing';
import type { RoleVerdict } from './validation';

function goneRole({ name, size }: RunningRole): SteppedRole {
  return { name, replicas: 0, size, ...ROLE_DEFAULTS, isGone: true };
}

/** The roles of old versions that the set does not have any more, each once. */
function goneRoles(roles: readonly Role[], revisions: readonly RunningRevision[]): SteppedRole[] {
  const names = new Set(roles.map(({ name }) => name));
  const gone = new Map<string, SteppedRole>();
  for (const role of revisions.flatMap((revision) => revision.roles)) {
    if (!names.has(role.name) && !gone.has(role.name)) gone.set(role.name, goneRole(role));
  }
  return [...gone.values()];
}

function groupsOf({ groups, ready = groups, initial, limits }: RunningRole, keepsInitial: boolean): RoleGroups {
  return { groups, ready, ...(keepsInitial ? initial !== undefined && { initial } : { initial: groups }), ...(limits && { limits }) };
}

/**
 * The roles as the controller steps them, those that are wanted, then those that are gone, which it drains with them, and the groups that there are.
 *
 * Where no LeaderWorkerSet of the version wanted is there yet, what runs is what it began with.
 *
 * @param revisions before an apply, the newest first. @default - one that is as they are wanted
 * @param verdicts in the order of the roles
 */
export function rolesRollout(
  roles: readonly Role[],
  revisions: readonly RunningRevision[] = [{ roles: roles.map((role) => ({ ...role, groups: role.replicas })) }],
  verdicts: readonly Pick<RoleVerdict, 'isBroken'>[],
): RolesRollout {
  const own = revisions.find(({ isWanted }) => isWanted);
  const others = revisions.filter(({ isWanted }) => !isWanted);
  const wanted = roles.map(({ name, replicas, size, surge, unavailable }, index): SteppedRole => {
    return { name, replicas, size, surge, unavailable, isBroken: verdicts[index]?.isBroken ?? false };
  });
  const all = [...wanted, ...goneRoles(roles, others)];
  const roleIn = (revision: RunningRevision | undefined, name: string) => revision?.roles.find((role) => role.name === name);
  const madeOf = (revision: RunningRevision): Revision =>
    all.map(({ name }) => {
      const role = roleIn(revision, name);
      return role && groupsOf(role, own !== undefined);
    });
  const next = all.map(({ name }): RoleGroups => {
    const running = roleIn(own, name);
    const { groups = 0, ready = groups } = running ?? {};
    const { limits } = running ?? roles.find((role) => role.name === name) ?? {};
    return { groups, ready, ...(limits && { limits }) };
  });
  return { roles: all, standing: { olds: others.map(madeOf), next } };
}

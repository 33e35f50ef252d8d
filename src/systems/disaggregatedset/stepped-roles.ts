import type { RunningRole } from '../../cluster/starting-point';
import { ROLE_DEFAULTS } from './disaggregated-set';
import type { Role } from './disaggregated-set';
import type { SteppedRole } from './simulate';
import type { RoleVerdict } from './validation';

function goneRole({ name, groups, size, limits }: RunningRole): SteppedRole {
  return { name, replicas: 0, size, ...ROLE_DEFAULTS, before: groups, isGone: true, ...(limits && { oldLimits: limits }) };
}

/**
 * The roles as the controller steps them: those that are wanted, then those that are gone, which it drains with them.
 *
 * @param before an apply. @default - as they are wanted
 * @param verdicts in the order of the roles
 */
export function steppedRoles(
  roles: readonly Role[],
  before: readonly RunningRole[] | undefined,
  verdicts: readonly Pick<RoleVerdict, 'isBroken'>[],
): readonly SteppedRole[] {
  const names = new Set(roles.map(({ name }) => name));
  const wanted = roles.map(({ name, replicas, size, surge, unavailable, limits }, index): SteppedRole => {
    const { isBroken = false } = verdicts[index] ?? {};
    const running = before ? before.find((one) => one.name === name) : { groups: replicas, limits };
    return {
      name,
      replicas,
      size,
      surge,
      unavailable,
      before: running?.groups ?? 0,
      isBroken,
      ...(limits && { newLimits: limits }),
      ...(running?.limits && { oldLimits: running.limits }),
    };
  });
  return [...wanted, ...(before ?? []).filter(({ name }) => !names.has(name)).map(goneRole)];
}

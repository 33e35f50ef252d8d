import type { InContext, SystemEffect } from '../../cluster/context';
import type { RunningRevision } from '../../cluster/starting-point';
import { deepEqual } from '../../core/deep-equal';
import { readDisaggregatedSet } from './disaggregated-set';
import type { DisaggregatedSet } from './disaggregated-set';
import { liveStanding, revisionOf } from './live';
import { disaggregatedSetFindings, roleVerdicts } from './validation';

function podsOf({ roles }: DisaggregatedSet): number {
  return roles.reduce((sum, { replicas, size }) => sum + replicas * size, 0);
}

/** The only version of a set at rest. */
function revisionAtRest({ roles }: DisaggregatedSet): RunningRevision {
  return { roles: roles.map(({ name, replicas, size, limits }) => ({ name, groups: replicas, size, ...(limits && { limits }) })) };
}

/** What a change of a set does: a role's pods replace the groups of all roles, replicas alone add or take away groups. */
export function disaggregatedSetEffect(old: InContext, next: InContext): SystemEffect {
  const refused = disaggregatedSetFindings(next.object, next.context).find(({ severity }) => severity === 'error');
  if (refused) return { effect: 'refused', refusal: { path: refused.path, message: refused.message } };
  const isHeld = roleVerdicts(next.object, next.context).some((verdict) => verdict.isRefused);
  const [before, after] = [readDisaggregatedSet(old.object), readDisaggregatedSet(next.object)];
  const replicas = { old: podsOf(before), next: podsOf(after) };
  const scales = after.roles.some(({ name, replicas: wanted }) => wanted !== before.roles.find((role) => role.name === name)?.replicas);
  const live = liveStanding(old, before, next.object);
  const told = live && { standing: live.start };
  const start = { byRevision: live?.revisions ?? [revisionAtRest(before)] };
  if (!deepEqual(revisionOf(old.object), revisionOf(next.object))) {
    if (isHeld) return { ...told, effect: 'held', heldUntil: 'the pods of its roles are no longer refused', replicas, start };
    return { ...told, effect: scales ? 'roll-and-scale' : 'roll', replicas, start };
  }
  if (scales) return { ...told, effect: 'scale', replicas };
  return { ...told, effect: deepEqual(old.object.spec, next.object.spec) ? 'metadata' : 'settings', replicas };
}

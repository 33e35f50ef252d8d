import type { InContext, SystemEffect } from '../../cluster/context';
import type { RunningRole } from '../../cluster/starting-point';
import { deepEqual } from '../../core/deep-equal';
import { fieldsAt, listAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import { readDisaggregatedSet } from './disaggregated-set';
import type { DisaggregatedSet, Role } from './disaggregated-set';
import { disaggregatedSetFindings, roleVerdicts } from './validation';

/** What a revision is made of: names and pods of the roles. Source: lws pkg/utils/disaggregatedset, `ComputeRevision`. */
function revisionOf(object: Manifest): unknown {
  return listAt(object, 'spec', 'roles').map((role) => ({
    name: fieldsAt({ role }, 'role').name,
    template: fieldsAt(role, 'spec', 'leaderWorkerTemplate'),
  }));
}

function podsOf({ roles }: DisaggregatedSet): number {
  return roles.reduce((sum, { replicas, size }) => sum + replicas * size, 0);
}

function runningRole({ name, replicas, size, limits }: Role): RunningRole {
  return { name, groups: replicas, size, ...(limits && { limits }) };
}

/** What a change of a set does: a role's pods replace the groups of all roles, replicas alone add or take away groups. */
export function disaggregatedSetEffect(old: InContext, next: InContext): SystemEffect {
  const refused = disaggregatedSetFindings(next.object, next.context).find(({ severity }) => severity === 'error');
  if (refused) return { effect: 'refused', refusal: { path: refused.path, message: refused.message } };
  const isHeld = roleVerdicts(next.object, next.context).some((verdict) => verdict.isRefused);
  const [before, after] = [readDisaggregatedSet(old.object), readDisaggregatedSet(next.object)];
  const replicas = { old: podsOf(before), next: podsOf(after) };
  const byRole = before.roles.map(runningRole);
  const scales = after.roles.some(({ name, replicas: wanted }) => wanted !== byRole.find((role) => role.name === name)?.groups);
  if (!deepEqual(revisionOf(old.object), revisionOf(next.object))) {
    return { effect: isHeld ? 'held' : scales ? 'roll-and-scale' : 'roll', replicas, start: { byRole } };
  }
  if (scales) return { effect: 'scale', replicas };
  return { effect: deepEqual(old.object.spec, next.object.spec) ? 'metadata' : 'settings', replicas };
}

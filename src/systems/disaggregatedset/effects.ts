import type { ObjectInContext, SystemEffect } from '../../cluster/context/context';
import type { RunningRevision } from '../../cluster/rollout/initial-state';
import { isDeepEqual } from '../../core/collections/deep-equal';
import { readDisaggregatedSet } from './disaggregated-set';
import type { DisaggregatedSet } from './disaggregated-set';
import { readLiveRoleState, roleRevisionOf } from './live-state';
import { countSlices } from './rules/slices-not-planned';
import { checkDisaggregatedSet, pruneDisaggregatedSet, validateRoles } from './validation';

function countPods({ roles }: DisaggregatedSet): number {
  return roles.reduce((sum, { replicas, size }) => sum + replicas * size, 0);
}

/** Builds the only revision of a set without a rollout in progress. */
function buildSteadyRevision({ roles }: DisaggregatedSet): RunningRevision {
  return { roles: roles.map(({ name, replicas, size, limits }) => ({ name, groups: replicas, size, ...(limits && { limits }) })) };
}

/**
 * Computes the effect of a change of a set.
 *
 * A change of one role's pods replaces the groups of all roles; changed replicas only add or remove groups.
 */
export function computeDisaggregatedSetEffect(old: ObjectInContext, next: ObjectInContext): SystemEffect {
  const error = checkDisaggregatedSet(next.object, next.context).find(({ severity }) => severity === 'error');
  if (error) return { effect: 'refused', refusal: { path: error.path, message: error.message } };
  // The cluster then has another set than OLD shows.
  if (checkDisaggregatedSet(old.object, old.context).some(({ severity }) => severity === 'error')) return { effect: 'unknown' };
  const isHeld = validateRoles(next.object, next.context).some(({ isRefused }) => isRefused);
  const [before, after] = [readDisaggregatedSet(old.object), readDisaggregatedSet(next.object)];
  const replicas = { old: countPods(before), next: countPods(after) };
  const isScaled = after.roles.some(({ name, replicas: desired }) => desired !== before.roles.find((role) => role.name === name)?.replicas);
  const live = readLiveRoleState(old, before, next.object);
  const liveFields = live && { standing: live.start };
  const start = { byRevision: live?.revisions ?? [buildSteadyRevision(before)] };
  if (!isDeepEqual(roleRevisionOf(old.object), roleRevisionOf(next.object))) {
    if (isHeld) return { ...liveFields, effect: 'held', heldUntil: 'the pods of its roles are no longer refused', replicas, start };
    return { ...liveFields, effect: isScaled ? 'roll-and-scale' : 'roll', replicas, start };
  }
  if (isScaled) return { ...liveFields, effect: 'scale', replicas };
  // Slices are added or removed without a rollout.
  const [slicesBefore, slicesAfter] = [old, next].map(({ object, context }) => countSlices(pruneDisaggregatedSet(object, context)));
  if (slicesBefore !== slicesAfter) return { effect: 'unknown' };
  return { ...liveFields, effect: isDeepEqual(old.object.spec, next.object.spec) ? 'metadata' : 'settings', replicas };
}

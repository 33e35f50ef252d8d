import type { InContext, SystemEffect } from '../../cluster/context';
import type { RunningRole } from '../../cluster/starting-point';
import { deepEqual } from '../../core/deep-equal';
import { isInt32 } from '../../core/int-or-percent';
import { fieldsAt, listAt, valueAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import type { RolloutStart, StartingRevision } from '../../core/rollout-start';
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

const REVISION_LABEL = 'disaggregatedset.x-k8s.io/revision';

function countOf(value: unknown): number {
  return isInt32(value) && value >= 0 ? value : 0;
}

/** Where a live set stands, by the LeaderWorkerSets of each version, in groups; undefined where none is in view. */
function liveStart({ object, live }: InContext, { roles }: DisaggregatedSet): RolloutStart | undefined {
  const sets = live?.of(object, 'LeaderWorkerSet') ?? [];
  if (sets.length === 0) return undefined;
  const byRevision = new Map<string, StartingRevision>();
  for (const set of sets) {
    const label = valueAt(set, 'metadata', 'labels', REVISION_LABEL);
    const revision = typeof label === 'string' ? label : '';
    const { replicas, available } = byRevision.get(revision) ?? { replicas: 0, available: 0 };
    const [more, ready] = [fieldsAt(set, 'spec').replicas, fieldsAt(set, 'status').readyReplicas].map(countOf) as [number, number];
    byRevision.set(revision, { revision, replicas: replicas + more, available: available + ready });
  }
  const revisions = [...byRevision.values()].filter(({ replicas }) => replicas > 0);
  const underWay = revisions.length > 1;
  const wanted = roles.reduce((sum, { replicas }) => sum + replicas, 0);
  return { replicas: wanted, revisions, underWay, ...(underWay && { health: 'progressing' }) };
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
  const standing = liveStart(old, before);
  const told = standing && { standing };
  if (!deepEqual(revisionOf(old.object), revisionOf(next.object))) {
    return { ...told, effect: isHeld ? 'held' : scales ? 'roll-and-scale' : 'roll', replicas, start: { byRole } };
  }
  if (scales) return { ...told, effect: 'scale', replicas };
  return { ...told, effect: deepEqual(old.object.spec, next.object.spec) ? 'metadata' : 'settings', replicas };
}

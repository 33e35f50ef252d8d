import type { InContext, PlanContext, SystemEffect } from '../../cluster/context';
import type { Refusal } from '../../core/change';
import { deepEqual } from '../../core/deep-equal';
import { at } from '../../core/field-path';
import { fieldsAt, isFields, valueAt } from '../../core/manifest';
import type { Fields, Manifest } from '../../core/manifest';
import { readLeaderWorkerSet } from './leader-worker-set';
import { liveStanding } from './live';
import type { LeaderWorkerSet } from '../../workloads/leader-worker-set/leader-worker-set';
import { LWS_DEFAULTS } from '../../workloads/leader-worker-set/strategy';
import { lwsBehaviour } from '../../workloads/leader-worker-set/versions';
import { hasOtherClaims } from './claims';
import { claimsDeletedFindings } from './rules/claims-deleted';
import { claimsHeldFinding } from './rules/claims-held';
import { isLeaderRefused, refusalsOf } from './validation';

/** What a revision of a set is made of: a change of anything else replaces no group. Source: lws pkg/utils/revision/revision_utils.go, `getPatch`. */
function revisionOf({ object, context }: InContext): Fields {
  const { leaderWorkerTemplate, networkConfig } = fieldsAt(object, 'spec');
  const { volumeClaimTemplates, ...others } = fieldsAt({ leaderWorkerTemplate }, 'leaderWorkerTemplate');
  const template: Fields = lwsBehaviour(context.versions.lws).hasClaims ? { ...others, volumeClaimTemplates } : others;
  return {
    template: { restartPolicy: 'RecreateGroupOnPodRestart', ...template, size: template.size ?? LWS_DEFAULTS.size },
    network: fieldsAt({ networkConfig }, 'networkConfig').subdomainPolicy ?? 'Shared',
  };
}

function specBesides(object: Manifest): Fields {
  const { leaderWorkerTemplate: _, networkConfig: __, replicas: ___, ...others } = fieldsAt(object, 'spec');
  return others;
}

/** Is the StatefulSet of the leaders refused as the set would have it, whatever its claims? It stays as it was then, its replicas too. */
function isStuck({ leaderLimit }: LeaderWorkerSet, { object, context }: InContext): boolean {
  return leaderLimit.isRefused || isLeaderRefused(object, context);
}

/** Is it refused for its claims? */
function isHeldByClaims(old: InContext, { object, context }: InContext): boolean {
  return lwsBehaviour(context.versions.lws).hasClaims && hasOtherClaims(old.object, object);
}

/** The size of subgroups stays as it was made, and so does whether there are any. Source: lws pkg/webhooks, `ValidateUpdate`. */
function subGroupRefusal(old: Manifest, next: Manifest): Refusal | undefined {
  const [before, after] = [old, next].map((object) => valueAt(object, 'spec', 'leaderWorkerTemplate', 'subGroupPolicy'));
  if (!isFields(before) && !isFields(after)) return undefined;
  const path = at`spec.leaderWorkerTemplate.SubGroupPolicy.subGroupSize`;
  if (!isFields(before)) return { path, message: 'cannot enable subGroupSize after the lws is already created' };
  if (!isFields(after)) return { path, message: 'cannot remove subGroupSize after enabled' };
  return before.subGroupSize === after.subGroupSize ? undefined : { path, message: 'field is immutable' };
}

/** What is refused of the object as it will be. */
function ownRefusal(object: Manifest, context: PlanContext): Refusal | undefined {
  const refused = refusalsOf(object, context).find(({ severity }) => severity === 'error');
  return refused && { path: refused.path, message: refused.message };
}

/** What a change of a set does: a new revision replaces groups, replicas add or take away groups, anything else touches none. */
export function leaderWorkerSetEffect(old: InContext, next: InContext): SystemEffect {
  const refusal = ownRefusal(next.object, next.context) ?? subGroupRefusal(old.object, next.object);
  if (refusal) return { effect: 'refused', refusal };
  const [before, after] = [readLeaderWorkerSet(old.object, old.context), readLeaderWorkerSet(next.object, next.context)];
  const replicas = { old: before.replicas * before.size, next: after.replicas * after.size };
  const isNew = !deepEqual(revisionOf(old), revisionOf(next));
  const scales = before.replicas !== after.replicas;
  const standing =
    old.live &&
    liveStanding({ object: old.object, set: before, live: old.live }, revisionOf(next), !isNew, (object) => revisionOf({ ...old, object }));
  const told = standing && { standing: standing.start };
  const start = { before: before.replicas, ...(standing && { groups: standing.groups }) };
  // Groups that have the wanted version already are not replaced.
  const rolls = isNew && (standing?.groups.runs.some(({ updated }) => !updated) ?? true);
  const stays = { ...replicas, next: replicas.old };
  if (isHeldByClaims(old, next))
    return {
      ...told,
      effect: 'held',
      heldUntil: 'its claims are as before, or it is made anew',
      replicas: stays,
      findings: [claimsHeldFinding()],
    };
  if ((rolls || scales) && isStuck(after, next))
    return { ...told, effect: 'held', heldUntil: 'its pods are no longer refused', replicas: stays };
  if (rolls && after.limits.partition >= after.replicas)
    return { ...told, effect: 'held', heldUntil: after.replicas === 0 ? 'it has groups' : 'its partition is lowered', replicas, start };
  // Groups below the partition stay as they are.
  const replaced = rolls ? Math.max(0, Math.min(before.replicas, after.replicas) - after.limits.partition) : 0;
  const findings = lwsBehaviour(next.context.versions.lws).hasClaims
    ? claimsDeletedFindings(old.object, next.object, { before, after, replaced })
    : [];
  if (rolls) return { ...told, effect: scales ? 'roll-and-scale' : 'roll', replicas, start, findings };
  if (scales) return { ...told, effect: 'scale', replicas, findings };
  const isSame = !isNew && deepEqual(specBesides(old.object), specBesides(next.object));
  return { ...told, effect: isSame ? 'metadata' : 'settings', replicas };
}

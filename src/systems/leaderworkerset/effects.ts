import type { ObjectInContext, PlanContext, SystemEffect } from '../../cluster/context/context';
import type { ApplyRejection } from '../../core/document/change';
import { isDeepEqual } from '../../core/collections/deep-equal';
import { toFieldPath } from '../../core/manifest/field-path';
import { isInt32 } from '../../core/values/int-or-percent';
import { getFieldsAt, isFields, getValueAt } from '../../core/manifest/manifest';
import type { Fields, Manifest } from '../../core/manifest/manifest';
import { readLeaderWorkerSet } from './leader-worker-set';
import { readLiveSetState } from './live-state';
import type { LeaderWorkerSet } from '../../workloads/leader-worker-set/leader-worker-set';
import { clampReplicas, clampToChangedAutoscaler } from '../../workloads/replicas';
import { readGroupPlacement } from '../../workloads/leader-worker-set/placement';
import type { GroupPlacement } from '../../workloads/leader-worker-set/placement';
import { LWS_DEFAULTS } from '../../workloads/leader-worker-set/strategy';
import { getLwsBehaviour } from '../../workloads/leader-worker-set/versions';
import { hasChangedClaims } from './claims';
import { checkClaimsDeleted } from './rules/claims-deleted';
import { createPvcInUseFinding } from './rules/pvc-in-use';
import { isLeaderRejected, validateLeaderWorkerSet } from './validation';

/**
 * Returns the fields of a set that form its revision. A change of other fields replaces no group.
 *
 * Source: lws pkg/utils/revision/revision_utils.go, `getPatch`.
 *
 * @param hasClaims - whether the stored set has its claims: a version that does not know them drops them
 */
function revisionOf(object: Manifest, hasClaims: boolean): Fields {
  const { leaderWorkerTemplate, networkConfig } = getFieldsAt(object, 'spec');
  const { volumeClaimTemplates, ...others } = getFieldsAt({ leaderWorkerTemplate }, 'leaderWorkerTemplate');
  const template: Fields = hasClaims && volumeClaimTemplates !== undefined ? { ...others, volumeClaimTemplates } : others;
  return {
    template: { restartPolicy: 'RecreateGroupOnPodRestart', ...template, size: template.size ?? LWS_DEFAULTS.size },
    network: getFieldsAt({ networkConfig }, 'networkConfig').subdomainPolicy ?? 'Shared',
  };
}

/**
 * Returns the placement of the groups of a set. It is in no revision of the set, but the StatefulSet of the leaders replaces them, and with
 * each its group.
 */
function placementOf(object: Manifest): GroupPlacement {
  return readGroupPlacement(object, getFieldsAt(object, 'spec', 'leaderWorkerTemplate'));
}

function stripRevisionFields(object: Manifest): Fields {
  const { leaderWorkerTemplate: _, networkConfig: __, replicas: ___, ...others } = getFieldsAt(object, 'spec');
  return others;
}

/**
 * Reports whether the StatefulSet of the leaders is refused for a reason other than its claims.
 *
 * It then stays unchanged, including its replicas.
 */
function isLeaderStuck({ leaderLimit }: LeaderWorkerSet, { object, context }: ObjectInContext): boolean {
  return leaderLimit.isRejected || isLeaderRejected(object, context);
}

/** Reports whether the StatefulSet of the leaders is refused because of its claims. */
function isBlockedByClaims(old: ObjectInContext, { object, context }: ObjectInContext): boolean {
  return getLwsBehaviour(context.versions.lws).hasClaims && hasChangedClaims(old.object, object);
}

/**
 * Returns the refusal of a changed subgroup size, or of subgroups that are added or removed.
 *
 * Source: lws pkg/webhooks, `ValidateUpdate`.
 */
function findSubGroupError(old: Manifest, next: Manifest): ApplyRejection | undefined {
  const [before, after] = [old, next].map((object) => getValueAt(object, 'spec', 'leaderWorkerTemplate', 'subGroupPolicy'));
  if (!isFields(before) && !isFields(after)) return undefined;
  const path = toFieldPath`spec.leaderWorkerTemplate.SubGroupPolicy.subGroupSize`;
  if (!isFields(before)) return { path, message: 'cannot enable subGroupSize after the lws is already created' };
  if (!isFields(after)) return { path, message: 'cannot remove subGroupSize after enabled' };
  return before.subGroupSize === after.subGroupSize ? undefined : { path, message: 'field is immutable' };
}

/** Returns why the new object is refused; undefined if it is accepted. */
function findSetError(object: Manifest, context: PlanContext): ApplyRejection | undefined {
  const finding = validateLeaderWorkerSet(object, context).find(({ severity }) => severity === 'error');
  return finding && { path: finding.path, message: finding.message };
}

/** Reads both sets. An autoscaler that changes decides about the groups if their number would stay the same without it. */
function readSets(old: ObjectInContext, next: ObjectInContext): [LeaderWorkerSet, LeaderWorkerSet] {
  const [before, after] = [readLeaderWorkerSet(old.object, old.context), readLeaderWorkerSet(next.object, next.context)];
  if (before.replicas !== after.replicas) return [before, after];
  // Without the autoscaler, the apply brings back the number of the manifest.
  if (!old.live && before.autoscaler && !after.autoscaler && isInt32(getValueAt(next.object, 'spec', 'replicas')))
    return [{ ...before, replicas: clampReplicas(before.replicas, before.autoscaler) }, after];
  const replicas = clampToChangedAutoscaler(before.replicas, { old: before.autoscaler, next: after.autoscaler });
  return [before, { ...after, replicas }];
}

/** What a change does to a set unless something holds it. */
interface SetChange {
  readonly before: LeaderWorkerSet;
  readonly after: LeaderWorkerSet;
  readonly isRolled: boolean;
  readonly isScaled: boolean;
  readonly replicas: { readonly old: number; readonly next: number };
}

/** Returns the effect on a set whose change waits; undefined if nothing holds it. */
function findHold(old: ObjectInContext, next: ObjectInContext, change: SetChange): SystemEffect | undefined {
  const { before, after, isRolled, isScaled, replicas } = change;
  const unchanged = { ...replicas, next: replicas.old };
  if (isBlockedByClaims(old, next)) {
    const heldUntil = 'its previous claims are restored or it is recreated';
    return { effect: 'held', heldUntil, replicas: unchanged, findings: [createPvcInUseFinding()] };
  }
  if ((isRolled || isScaled) && isLeaderStuck(after, next))
    return { effect: 'held', heldUntil: 'its pods are no longer refused', replicas: unchanged };
  // A surge group starts although the partition keeps all others.
  if (!isRolled || after.limits.partition < after.replicas || after.limits.surge > 0) return undefined;
  const heldUntil = after.replicas === 0 ? 'it has groups' : 'its partition is lowered';
  // Groups below the partition keep their size, also added ones.
  return { effect: 'held', heldUntil, replicas: { ...replicas, next: after.replicas * before.size } };
}

/**
 * Computes the effect of a change of a set.
 *
 * A new revision replaces groups, replicas add or remove groups, and other changes affect no group.
 */
export function computeLeaderWorkerSetEffect(old: ObjectInContext, next: ObjectInContext): SystemEffect {
  const refusal = findSetError(next.object, next.context) ?? findSubGroupError(old.object, next.object);
  if (refusal) return { effect: 'refused', refusal };
  // The cluster then has another set than OLD shows.
  if (findSetError(old.object, old.context)) return { effect: 'unknown' };
  const [before, after] = readSets(old, next);
  const replicas = { old: before.replicas * before.size, next: after.replicas * after.size };
  const hasClaims = [old, next].every(({ context }) => getLwsBehaviour(context.versions.lws).hasClaims);
  const isNew = !isDeepEqual(revisionOf(old.object, hasClaims), revisionOf(next.object, hasClaims));
  const isMoved = !isDeepEqual(placementOf(old.object), placementOf(next.object));
  const isScaled = before.replicas !== after.replicas;
  const liveState =
    old.live &&
    readLiveSetState({ object: old.object, set: before, live: old.live }, revisionOf(next.object, hasClaims), !isNew, (object) =>
      revisionOf(object, hasClaims),
    );
  const liveFields = liveState && { standing: liveState.start };
  const start = { before: before.replicas, ...(liveState && !isMoved && { groups: liveState.groups }) };
  // Groups that already have the desired version are not replaced.
  const hasOldGroups = liveState?.groups.runs.some(({ updated }) => !updated);
  const isReleased = Math.min(after.limits.partition, after.replicas) < Math.min(before.limits.partition, before.replicas, after.replicas);
  const isRolled = isMoved || (isNew && (hasOldGroups ?? true)) || (isReleased && hasOldGroups === true);
  const hold = findHold(old, next, { before, after, isRolled, isScaled, replicas });
  if (hold) return { ...liveFields, start, ...hold };
  // Groups below the partition are not replaced.
  const replaced = isRolled ? Math.max(0, Math.min(before.replicas, after.replicas) - after.limits.partition) : 0;
  const findings = getLwsBehaviour(next.context.versions.lws).hasClaims
    ? checkClaimsDeleted(old.object, next.object, { before, after, replaced })
    : [];
  if (isRolled) return { ...liveFields, effect: isScaled ? 'roll-and-scale' : 'roll', replicas, start, findings };
  // A manifest with a partition does not show which groups have an older revision.
  if (isReleased && !liveState) return { effect: 'unknown', replicas, findings };
  if (isScaled) return { ...liveFields, effect: 'scale', replicas, findings };
  const isSame = !isNew && isDeepEqual(stripRevisionFields(old.object), stripRevisionFields(next.object));
  return { ...liveFields, effect: isSame ? 'metadata' : 'settings', replicas };
}

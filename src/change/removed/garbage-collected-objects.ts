import { getValueAt } from '../../core/manifest';
import type { Manifest } from '../../core/manifest';
import type { PlanInput } from '../../plan/plan-input';
import type { Finding } from '../../core/finding';
import { isLive } from '../../appliers/live-object';
import { determineHiddenSeverity } from './hidden-change-severity';
import { objectKeyOf } from '../match/match-objects';
import type { ObjectEffect } from '../effects/object-effect';
import { checkDeletedByCluster, checkGarbageCollected, OWNERS_PATH } from '../rules/garbage-collected';
import type { LiveOwners, OwnedObject } from '../rules/garbage-collected';

/** What the apply deletes and keeps. */
interface ObjectsOfOld {
  /** Objects of OLD, also those that controllers created. */
  readonly oldOnce: readonly Manifest[];
  readonly deleted: ReadonlySet<Manifest>;
  /** Objects of OLD that NEW does not name and that the apply leaves. */
  readonly kept: readonly Manifest[];
}

/**
 * Reports objects that the cluster deletes, because the apply deletes their owners, because they get owners that are no live objects of OLD, or
 * because they are being deleted already. It is an error for workloads, their data, and objects that plans read.
 */
export function collectGarbageCollected(
  objectEffects: readonly ObjectEffect[],
  { oldOnce, deleted, kept }: ObjectsOfOld,
  next: PlanInput,
): Finding[] {
  const recreated = new Set(
    objectEffects.flatMap(({ effect, comparison: { old } }) => (effect === 'replace' && old ? [old.manifest] : [])),
  );
  const live = oldOnce.filter(isLive);
  const inNew = new Set(objectEffects.flatMap(({ comparison: { old } }) => (old ? [objectKeyOf(old.manifest)] : [])));
  const owners: LiveOwners = {
    byUid: new Map(live.map((object) => [getValueAt(object, 'metadata', 'uid'), object])),
    isDeleted: (owner) => deleted.has(owner) || recreated.has(owner),
  };
  const check = (owned: OwnedObject, written?: Manifest) => {
    const severity = determineHiddenSeverity(owned.object) === 'info' ? 'warning' : 'error';
    return checkGarbageCollected(owned, owners, severity, written && next.locate?.(written, OWNERS_PATH));
  };
  return [
    ...objectEffects.flatMap(({ comparison: { next: written, result, old } }) =>
      check({ object: result, ...(old && { old: old.manifest }) }, written),
    ),
    ...kept.flatMap((object) => check({ object, old: object })),
    ...oldOnce.flatMap((object) => checkDeletedByCluster(object, inNew.has(objectKeyOf(object)), next.objects)),
  ];
}

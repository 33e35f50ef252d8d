import { groupBy } from '../../core/collections/group-by';
import { getValueAt, groupOf, nameOf, namespaceOf } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import { toSafeText } from '../../core/text/value-text';
import type { PlanInput } from '../../plan/plan-input';
import type { Finding } from '../../core/findings/finding';
import { isLive } from '../../appliers/live-object';
import { determineHiddenSeverity } from '../effects/hidden-change-severity';
import { objectKeyOf } from '../match/match-objects';
import { listRecreations } from '../effects/object-effect';
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

/** Reports whether an object whose uid is not known has the kind of a reference, whose name it has, and may own the object with it. */
function isOwner(object: Manifest, reference: unknown, dependent: Manifest): boolean {
  const [uid, namespace] = [getValueAt(object, 'metadata', 'uid'), namespaceOf(object)];
  const isOfKind =
    object.kind === getValueAt(reference, 'kind') &&
    groupOf(object) === groupOf({ apiVersion: toSafeText(getValueAt(reference, 'apiVersion')) });
  return (
    isOfKind &&
    (namespace ?? namespaceOf(dependent)) === namespaceOf(dependent) &&
    (uid ?? getValueAt(reference, 'uid')) === getValueAt(reference, 'uid')
  );
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
  const recreated = new Set(listRecreations(objectEffects).map(({ comparison: { old } }) => old!.manifest));
  const live = oldOnce.filter(isLive);
  const inNew = new Set(objectEffects.flatMap(({ comparison: { old } }) => (old ? [objectKeyOf(old.manifest)] : [])));
  const goneManifests = groupBy(
    [...deleted, ...recreated].filter((object) => !isLive(object)),
    nameOf,
  );
  const owners: LiveOwners = {
    findDeleted: (reference, dependent) =>
      goneManifests.get(toSafeText(getValueAt(reference, 'name')))?.find((object) => isOwner(object, reference, dependent)),
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

import { getFieldsAt, groupOf, kindKeyOf, nameOf, namespaceOf } from '../core/manifest/manifest';
import type { Fields, Manifest } from '../core/manifest/manifest';
import type { UnplannedKind } from '../core/document/plan-document';
import { hasKnownController, isKeptByOwner, mayCreate } from '../cluster/kinds/created-kinds';
import { findControllingOwner } from '../cluster/kinds/ownership';
import { explainNotPlanned } from '../cluster/kinds/unplanned-kinds';

function toNameKey(namespace: string | undefined, group: string, kind: unknown, name: unknown): string {
  return JSON.stringify([namespace, group, kind, name]);
}

/** Kinds that run their pods once, so nothing is planned or counted for them. Their controllers delete pods that are too many. */
const RUN_ONCE_KINDS: ReadonlySet<string> = new Set(['batch/Job', 'batch/CronJob']);

/** Largest number of owners above an object: a Pod of a RayCluster of a RayJob of a RayCronJob has three. */
const MAX_OWNERS = 5;

function toReferenceKey(namespace: string | undefined, { apiVersion, kind, name }: Fields): string {
  return toNameKey(namespace, groupOf({ apiVersion: typeof apiVersion === 'string' ? apiVersion : '' }), kind, name);
}

/**
 * Creates a function that reports whether the owner of an object is in the input, creates such objects, and is planned or counted itself. As
 * for the garbage collector, an owner is the object with the uid of the reference. Another object with its name is none.
 */
function createOwnerCheck(objects: readonly Manifest[], planned: ReadonlySet<Manifest>): (object: Manifest, owner: Fields) => boolean {
  let byName: ReadonlyMap<string, Manifest> | undefined;
  const getByName = () =>
    (byName ??= new Map(objects.map((one) => [toNameKey(namespaceOf(one), groupOf(one), one.kind, nameOf(one)), one])));
  const isCounted = (object: Manifest, reference: Fields, level: number): boolean => {
    const { uid } = reference;
    if (level > MAX_OWNERS || typeof uid !== 'string' || !mayCreate(reference, object)) return false;
    // What an object names is in its namespace, or in none.
    const find = (named: Fields) =>
      getByName().get(toReferenceKey(namespaceOf(object), named)) ?? getByName().get(toReferenceKey(undefined, named));
    const found = find(reference);
    if (!found || uid !== getFieldsAt(found, 'metadata').uid || !isKeptByOwner(found, object, find)) return false;
    // What the controller of a planned custom resource creates is in its plan. If that is not known, it counts itself.
    if (planned.has(found)) return hasKnownController(reference);
    const owner = findControllingOwner(found);
    if (owner && isCounted(found, owner, level + 1)) return true;
    return RUN_ONCE_KINDS.has(kindKeyOf(found)) || explainNotPlanned(found, () => false) !== undefined;
  };
  return (object, owner) => isCounted(object, owner, 1);
}

/** Adds the counts of two lists of kinds. */
export function mergeUnplannedKinds(kinds: readonly UnplannedKind[], others: readonly UnplannedKind[]): UnplannedKind[] {
  const byKind = new Map<string, UnplannedKind>();
  for (const each of [...kinds, ...others]) {
    const key = JSON.stringify([each.apiVersion, each.kind]);
    const known = byKind.get(key);
    byKind.set(key, known ? { ...known, count: known.count + each.count } : each);
  }
  return [...byKind.values()];
}

/**
 * Counts the objects that roll out pods, or control that, and that no system plans. Kinds are listed in the order in which they appear.
 *
 * @param reasons - why the pods of an object are not planned although its system is known
 */
export function countUnplannedKinds(
  objects: readonly Manifest[],
  planned: ReadonlySet<Manifest>,
  reasons: ReadonlyMap<Manifest, string> = new Map(),
): UnplannedKind[] {
  const byKind = new Map<string, UnplannedKind>();
  const isOwnerCounted = createOwnerCheck(objects, planned);
  for (const object of objects) {
    const reason =
      reasons.get(object) ?? (planned.has(object) ? undefined : explainNotPlanned(object, (owner) => isOwnerCounted(object, owner)));
    if (reason === undefined) continue;
    const { apiVersion, kind } = object;
    const key = JSON.stringify([apiVersion, kind]);
    byKind.set(key, { apiVersion, kind, count: (byKind.get(key)?.count ?? 0) + 1, reason });
  }
  return [...byKind.values()];
}

import type { Manifest } from '../core/manifest';
import type { UnplannedKind } from '../core/plan-document';
import { explainNotPlanned } from '../cluster/unplanned-kinds';

/**
 * The objects that roll pods out, or decide about it, and that no system plans: counted by kind, in the order in which the kinds appear.
 *
 * @param planned - those that one does: lists of which none is copied, for there may be thousands that nothing here is asked about
 */
export function countUnplannedKinds(objects: readonly Manifest[], planned: readonly Iterable<Manifest>[]): UnplannedKind[] {
  const reasons = new Map<Manifest, string>();
  for (const object of objects) {
    const reason = explainNotPlanned(object);
    if (reason !== undefined) reasons.set(object, reason);
  }
  for (const some of planned) for (const object of some) reasons.delete(object);
  const byKind = new Map<string, UnplannedKind>();
  for (const object of objects) {
    const reason = reasons.get(object);
    if (reason === undefined) continue;
    const { apiVersion, kind } = object;
    const key = JSON.stringify([apiVersion, kind]);
    byKind.set(key, { apiVersion, kind, count: (byKind.get(key)?.count ?? 0) + 1, reason });
  }
  return [...byKind.values()];
}

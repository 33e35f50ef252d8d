import type { Manifest } from '../core/manifest';
import type { NotPlanned } from '../core/plan-document';
import { reasonNotPlanned } from '../cluster/unplanned-kinds';

/** The objects that roll pods out, or decide about it, and that no system plans: counted by kind, in the order in which the kinds appear. */
export function notPlannedOf(objects: readonly Manifest[], isPlanned: (object: Manifest) => boolean): NotPlanned[] {
  const byKind = new Map<string, NotPlanned>();
  for (const object of objects) {
    const reason = reasonNotPlanned(object);
    if (reason === undefined || isPlanned(object)) continue;
    const { apiVersion, kind } = object;
    const key = JSON.stringify([apiVersion, kind]);
    byKind.set(key, { apiVersion, kind, count: (byKind.get(key)?.count ?? 0) + 1, reason });
  }
  return [...byKind.values()];
}

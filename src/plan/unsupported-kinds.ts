import type { Manifest } from '../core/manifest';
import type { UnplannedKind } from '../core/plan-document';
import { explainNotPlanned } from '../cluster/unplanned-kinds';

/** Counts the objects that roll out pods, or control that, and that no system plans. Kinds are listed in the order in which they appear. */
export function countUnplannedKinds(objects: readonly Manifest[], planned: ReadonlySet<Manifest>): UnplannedKind[] {
  const byKind = new Map<string, UnplannedKind>();
  for (const object of objects) {
    const reason = planned.has(object) ? undefined : explainNotPlanned(object);
    if (reason === undefined) continue;
    const { apiVersion, kind } = object;
    const key = JSON.stringify([apiVersion, kind]);
    byKind.set(key, { apiVersion, kind, count: (byKind.get(key)?.count ?? 0) + 1, reason });
  }
  return [...byKind.values()];
}

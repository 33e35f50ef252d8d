import type { ObjectEffect } from './object-effect';
import { getValueAt } from '../core/manifest';
import type { Manifest } from '../core/manifest';
import type { PlanInput } from '../plan/plan-input';
import type { Finding } from '../core/finding';
import { isLive } from '../appliers/live-object';
import { determineHiddenSeverity } from './hidden-change-severity';
import { checkGarbageCollected } from './rules/garbage-collected';

/**
 * Reports objects that the garbage collector deletes, because they get owners that are no live objects of OLD. It is an error for workloads,
 * their data, and objects that plans read.
 */
export function collectGarbageCollected(objectEffects: readonly ObjectEffect[], old: readonly Manifest[], next: PlanInput): Finding[] {
  const liveUids = new Set(old.filter(isLive).map((object) => getValueAt(object, 'metadata', 'uid')));
  return objectEffects.flatMap(({ comparison }) => {
    const severity = determineHiddenSeverity(comparison.next) === 'info' ? 'warning' : 'error';
    return checkGarbageCollected(comparison, liveUids, severity, next.locate);
  });
}

import { isInt32 } from '../../core/values/int-or-percent';
import { mayHaveOlderRevision } from './rules/canary-traffic';
import type { KserveService } from './service';

/** Reports whether a component shares its requests between two Revisions. */
function isSplit({ components }: KserveService, component: string): boolean {
  const percent = components.find(({ name }) => name === component)?.spec.canaryTrafficPercent;
  return isInt32(percent) && percent >= 0 && percent < 100;
}

/**
 * Reports whether an older Revision gets requests only before or only after the change. Knative removes its pods with its requests, and no object in
 * view shows them.
 */
export function routesOtherRevisions(component: string, old: KserveService, next: KserveService, status: unknown): boolean {
  return isSplit(old, component) !== isSplit(next, component) && mayHaveOlderRevision(component, status);
}

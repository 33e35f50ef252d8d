import { isInt32 } from '../core/values/int-or-percent';
import { getValueAt } from '../core/manifest/manifest';
import type { Fields } from '../core/manifest/manifest';

/** The default terminationGracePeriodSeconds. */
const DEFAULT_GRACE_SECONDS = 30;

/** The seconds until a pod is ready, then until it is available, and until it is gone after its deletion. */
export interface PodTimings {
  readonly startup: number;
  readonly minReady: number;
  readonly grace: number;
}

/** Returns the timings of the pods of a template. All pods are assumed to start and stop equally fast. */
export function getPodTimings(template: Fields, startup: number, minReadySeconds: unknown): PodTimings {
  const grace = getValueAt(template, 'spec', 'terminationGracePeriodSeconds');
  return {
    startup,
    minReady: isInt32(minReadySeconds) ? minReadySeconds : 0,
    grace: typeof grace === 'number' && grace >= 0 ? grace : DEFAULT_GRACE_SECONDS,
  };
}

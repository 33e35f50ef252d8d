import { isInt32 } from '../core/int-or-percent';
import { getValueAt } from '../core/manifest';
import type { Fields } from '../core/manifest';

/** What the API server fills in for a pod. */
const DEFAULT_GRACE_SECONDS = 30;

/** Seconds that a pod needs: to be ready, then to be available, and to be gone once it is deleted. */
export interface PodTimings {
  readonly startup: number;
  readonly minReady: number;
  readonly grace: number;
}

/** The seconds of the pods of a template. Every pod is taken to start and to stop in the same seconds. */
export function getPodTimings(template: Fields, startup: number, minReadySeconds: unknown): PodTimings {
  const grace = getValueAt(template, 'spec', 'terminationGracePeriodSeconds');
  return {
    startup,
    minReady: isInt32(minReadySeconds) ? minReadySeconds : 0,
    grace: typeof grace === 'number' && grace >= 0 ? grace : DEFAULT_GRACE_SECONDS,
  };
}

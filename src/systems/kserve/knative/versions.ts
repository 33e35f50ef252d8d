import { getValueAtVersion } from '../../../core/values/versions';

/** Whether KServe writes minReplicas as the initial scale if no annotation sets one. (removed again by kserve/kserve#4471) */
const STARTS_AT_MIN_SCALE: readonly (readonly [since: string, value: boolean])[] = [
  ['0', false],
  ['0.15.1', true],
  ['0.15.2', false],
];

/**
 * Reports whether KServe writes minReplicas as the initial scale.
 *
 * @param version - of KServe
 */
export function hasMinScaleAsInitialScale(version: string): boolean {
  return getValueAtVersion(STARTS_AT_MIN_SCALE, version);
}

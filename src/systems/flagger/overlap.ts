import { getFieldsAt } from '../../core/manifest/manifest';
import type { Manifest } from '../../core/manifest/manifest';
import type { Versions } from '../../core/values/versions';
import { DEPLOYMENT } from '../../workloads/deployment/kind';
import { resolveFenceposts } from '../../workloads/deployment/strategy';
import type { FlaggerPods } from './canary';

/**
 * Counts the pods of the target that exist in addition to those of the rolling update of the primary. Without an analysis the target is scaled
 * to 0 when that update begins, so only those beyond its surge count: next to 4 pods of the primary with a surge of 1, 4 pods are 3 more.
 */
export function countPodsNextToRollout(target: Manifest, canary: Manifest, pods: FlaggerPods, versions: Versions): number {
  if (getFieldsAt(canary, 'spec').skipAnalysis !== true) return pods.canary;
  const { strategy } = DEPLOYMENT.resolveStrategy(target, versions);
  const surge = strategy.type === 'Recreate' ? 0 : resolveFenceposts(strategy.rollingUpdate, pods.primary).surge;
  return Math.max(0, pods.canary - surge);
}

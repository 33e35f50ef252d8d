import { getFieldsAt, getListAt } from '../../../core/manifest/manifest';
import type { Workload } from '../../rollout/workload';
import { hasConditionTaint } from '../nodes/node-affinity';
import { findOwnNodeReason } from '../nodes/scheduling';
import { canMoveVolume, findUnmodelledConstraints } from '../nodes/unmodelled-constraints';
import type { PlanLimits } from '../plan-limits';
import { computeOldUse } from './admitted-pods';
import { formatFootprint, formatNodeRules } from './old-pods';

/** Reports whether each node alone decides how many pods of the workload it takes. */
export function isPlacedByNode(workload: Workload): boolean {
  const antiAffinity = getListAt(workload.template.spec, 'affinity', 'podAntiAffinity', 'requiredDuringSchedulingIgnoredDuringExecution');
  if (antiAffinity.length > 0 && findOwnNodeReason(workload) === undefined) return false;
  return findUnmodelledConstraints([workload]).length === 0 && !canMoveVolume(workload, 1);
}

/**
 * Reports whether each old pod that is deleted makes room for exactly one new pod, wherever it runs. Then a rollout under its limits has the
 * same number of pods in total in each of its waves, and a larger surge changes nothing.
 */
export function hasInterchangeablePods(workload: Workload, limits: PlanLimits): boolean {
  const { template, oldTemplate } = workload;
  const { surroundings } = limits;
  const spec = getFieldsAt(template, 'spec');
  const live = surroundings?.allOwnPods.get(workload) ?? [];
  const old = [...(oldTemplate ? [getFieldsAt(oldTemplate, 'spec')] : []), ...live.map((pod) => pod.spec)];
  if (old.some((each) => formatFootprint(each) !== formatFootprint(spec) || formatNodeRules(each) !== formatNodeRules(spec))) return false;
  const resources = limits.resourcesOf(workload);
  if (resources.some((limit) => old.some((each) => computeOldUse(limit, workload, each) !== limit.perPod.get(workload)))) return false;
  if (surroundings === undefined || surroundings.pools.length === 0) return true;
  return isPlacedByNode(workload) && surroundings.pools.every((pool) => pool.isDown !== true && !hasConditionTaint(pool));
}

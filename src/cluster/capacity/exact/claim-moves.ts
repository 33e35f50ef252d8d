import { getFieldsAt } from '../../../core/manifest/manifest';
import type { Fields } from '../../../core/manifest/manifest';
import type { PlanContext } from '../../context/context';
import type { Workload } from '../../rollout/workload';
import { computePodFootprint } from '../pod-requests';
import { areOwnVolumesKnown } from '../surroundings/volume-nodes';
import { formatConstraints } from './old-pods';
import type { RolloutModel } from './rollout-model';
import type { RolloutProcess } from './rollout-process';

/**
 * Reports whether a new pod of a StatefulSet may need another node than the old one, while the input does not say to which nodes its volume
 * can move.
 */
export function mayMoveClaims(
  workload: Workload,
  process: RolloutProcess,
  oldSpec: Fields | undefined,
  model: RolloutModel,
  context: PlanContext,
): boolean {
  if (process.kind !== 'ordered' || areOwnVolumesKnown(workload, process.ordinals, context)) return false;
  const { nodes, oldByNode, deletionOrder } = model;
  if (oldByNode && deletionOrder) {
    return deletionOrder.some((node) => (nodes[node]!.newPodsBesideOld[oldByNode[node]! - 1] ?? 0) === 0);
  }
  if (oldSpec === undefined) return false;
  const newSpec = getFieldsAt(workload.template, 'spec');
  const oldFootprint = computePodFootprint(oldSpec);
  const grows = [...computePodFootprint(newSpec)].some(([resource, amount]) => amount > (oldFootprint.get(resource) ?? 0n));
  return grows || formatConstraints(oldSpec) !== formatConstraints(newSpec);
}

import type { Fields } from '../../../core/manifest';
import { getFieldsAt } from '../../../core/manifest';
import type { Workload } from '../../workload';
import { computePodFootprint } from '../pod-requests';
import type { RolloutModel } from './rollout-model';
import type { RolloutProcess } from './rollout-process';
import { formatConstraints } from './undecided-old-pods';

/** Reports whether a new pod of a StatefulSet may need another node than the old one, to which its volume may not be able to move. */
export function mayMoveClaims(
  { claims = [], template }: Workload,
  process: RolloutProcess,
  oldSpec: Fields | undefined,
  model: RolloutModel,
): boolean {
  if (process.kind !== 'ordered' || claims.length === 0) return false;
  const { nodes, oldByNode, deletionOrder } = model;
  if (oldByNode && deletionOrder) {
    return deletionOrder.some((node) => (nodes[node]!.newPodsBesideOld[oldByNode[node]! - 1] ?? 0) === 0);
  }
  if (oldSpec === undefined) return false;
  const newSpec = getFieldsAt(template, 'spec');
  const oldFootprint = computePodFootprint(oldSpec);
  const grows = [...computePodFootprint(newSpec)].some(([resource, amount]) => amount > (oldFootprint.get(resource) ?? 0n));
  return grows || formatConstraints(oldSpec) !== formatConstraints(newSpec);
}

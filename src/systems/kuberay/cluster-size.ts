import type { RolloutWorkers, WorkerSize } from '../../core/document/pod-group-size';
import { computeAccelerators, scaleGroupsToMax, determineClusterScale } from './accelerators';
import type { ParsedRayService } from './ray-service';
import type { CapacityRow } from './upgrade-loop';
import { countGpus, countPodsAt, parseWorkerGroups } from './worker-groups';
import type { WorkerGroup } from './worker-groups';

/** Worker pods and their GPUs. */
export interface ClusterSize {
  readonly pods: number;
  readonly gpus: number;
}

/** Computes the worker pods of a Ray cluster at a capacity in percent, with one Serve replica per worker: 1 of 5 at 20%. */
export function computeClusterSize(rayClusterConfig: unknown, percent: number): ClusterSize {
  return sumGroupSizes(parseWorkerGroups(rayClusterConfig), percent);
}

function sumGroupSizes(groups: readonly WorkerGroup[], percent: number): ClusterSize {
  const size = { pods: 0, gpus: 0 };
  for (const group of groups) {
    const pods = countPodsAt(group, percent);
    size.pods += pods;
    size.gpus += pods * countGpus(group.perPod);
  }
  return size;
}

/**
 * Computes the extra worker pods and GPUs that the second cluster of an upgrade needs at the peak of the rows.
 *
 * With 5 pods of one GPU each and a surge of 20%, it needs 1 pod and 1 GPU.
 *
 * @param running the groups of the running cluster; by default those of the new one
 */
export function computeSurgeSize(
  groups: readonly WorkerGroup[],
  rows: readonly CapacityRow[],
  running: readonly WorkerGroup[] = groups,
): WorkerSize {
  const full = sumGroupSizes(groups, 100);
  const before = sumGroupSizes(running, 100);
  const peak = { ...before };
  for (const { activeTargetCapacity, pendingTargetCapacity } of rows) {
    const active = sumGroupSizes(running, activeTargetCapacity);
    const pending = sumGroupSizes(groups, pendingTargetCapacity);
    peak.pods = Math.max(peak.pods, active.pods + pending.pods);
    peak.gpus = Math.max(peak.gpus, active.gpus + pending.gpus);
  }
  return { ...full, surgePods: peak.pods - before.pods, surgeGpus: peak.gpus - before.gpus };
}

function computeSizeWithAccelerators(
  groups: readonly WorkerGroup[],
  rows: readonly CapacityRow[],
  running: readonly WorkerGroup[],
): WorkerSize {
  const accelerators = computeAccelerators(groups, rows, running);
  return { ...computeSurgeSize(groups, rows, running), ...(accelerators.length > 0 && { accelerators }) };
}

/** Computes the worker pods of both clusters, as written and at the autoscaler's maximum; undefined if no group has a known size. */
export function computeRolloutWorkers(
  { cluster, groups }: ParsedRayService,
  rows: readonly CapacityRow[],
  running: readonly WorkerGroup[] = groups,
): RolloutWorkers | undefined {
  if (groups.length === 0) return undefined;
  const scale = determineClusterScale(cluster, groups);
  return {
    ...computeSizeWithAccelerators(groups, rows, running),
    ...(scale !== 'fixed' && { autoscaled: true as const }),
    ...(scale === 'up-to' && { maximum: computeSizeWithAccelerators(scaleGroupsToMax(groups), rows, scaleGroupsToMax(running)) }),
  };
}

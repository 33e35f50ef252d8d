import { isExtendedResource } from '../../cluster/capacity/pod-requests';
import type { WorkerAccelerator } from '../../core/document/pod-group-size';
import { getFieldsAt, getListAt, getOwnValue } from '../../core/manifest/manifest';
import type { Fields } from '../../core/manifest/manifest';
import type { CapacityRow } from './upgrade-loop';
import { sumPodResources, countPodsAt } from './worker-groups';
import type { WorkerGroup } from './worker-groups';
import { findMax } from '../../core/values/min-max';

/**
 * How much the autoscaler can change the size of a cluster.
 *
 * - `fixed`: it cannot change the size
 * - `up-to`: it can scale each group up to its maxReplicas
 * - `open`: it can scale without limit because a group has no maxReplicas
 */
export type ClusterScale = 'fixed' | 'up-to' | 'open';

/** Returns how much the in-tree autoscaler can change the size of a cluster with these groups. */
export function determineClusterScale(cluster: Fields, groups: readonly WorkerGroup[]): ClusterScale {
  if (cluster.enableInTreeAutoscaling !== true) return 'fixed';
  // A group that is missing from `groups` has neither replicas nor a limit.
  if (groups.length < getListAt(cluster, 'workerGroupSpecs').length) return 'open';
  if (groups.some(({ maxReplicas }) => maxReplicas === undefined)) return 'open';
  return groups.every(({ minReplicas, maxReplicas }) => minReplicas === maxReplicas) ? 'fixed' : 'up-to';
}

/** Returns the groups at the largest size that the autoscaler allows. Groups without a limit are unchanged. */
export function scaleGroupsToMax(groups: readonly WorkerGroup[]): WorkerGroup[] {
  return groups.map((group) => {
    const replicas = group.maxReplicas ?? group.replicas;
    return { ...group, replicas, pods: replicas * group.hosts };
  });
}

/** Builds the head of a cluster as a group of one pod. Every cluster has its own head from the start. */
export function buildHeadGroup(cluster: Fields): WorkerGroup {
  const template = getFieldsAt(cluster, 'headGroupSpec', 'template');
  return { name: 'head', index: -1, replicas: 1, minReplicas: 1, hosts: 1, pods: 1, template, perPod: sumPodResources(template) };
}

/** Sums one resource over the pods of the groups at a capacity. */
function sumResource(groups: readonly WorkerGroup[], resource: string, percent: number): number {
  return groups.reduce((sum, group) => sum + countPodsAt(group, percent) * (getOwnValue(group.perPod, resource) ?? 0), 0);
}

/**
 * Computes the accelerators of a full cluster and how many more both clusters have at the peak of the rows, sorted by name.
 *
 * @param running the groups of the running cluster; by default those of the new one
 */
export function computeAccelerators(
  groups: readonly WorkerGroup[],
  rows: readonly CapacityRow[],
  running: readonly WorkerGroup[] = groups,
): WorkerAccelerator[] {
  const requested = groups.flatMap(({ perPod }) => Object.keys(perPod).filter((name) => isExtendedResource(name) && perPod[name]! > 0));
  return [...new Set(requested)].toSorted().map((resource) => {
    const count = sumResource(groups, resource, 100);
    const before = sumResource(running, resource, 100);
    const peaks = rows.map(
      ({ activeTargetCapacity, pendingTargetCapacity }) =>
        sumResource(running, resource, activeTargetCapacity) + sumResource(groups, resource, pendingTargetCapacity),
    );
    return {
      resource,
      count,
      surge: findMax(
        peaks.map((peak) => peak - before),
        0,
      ),
    };
  });
}

import { isExtendedResource } from '../../cluster/capacity/extended-resources';
import type { WorkerAccelerator } from '../../core/pod-group-size';
import { getFieldsAt, getListAt, getOwnValue } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import type { CapacityRow } from './upgrade-loop';
import { sumPodResources, countPodsAt } from './worker-groups';
import type { WorkerGroup } from './worker-groups';
import { findMax } from '../../core/min-max';

/**
 * How far the autoscaler decides the size of a cluster.
 *
 * - `fixed`: not at all
 * - `up-to`: up to the maxReplicas of each group
 * - `open`: a group has no maxReplicas
 */
export type ClusterScale = 'fixed' | 'up-to' | 'open';

/** How far the in-tree autoscaler decides the size of a cluster with these groups. */
export function determineClusterScale(cluster: Fields, groups: readonly WorkerGroup[]): ClusterScale {
  if (cluster.enableInTreeAutoscaling !== true) return 'fixed';
  // A group of whose size nothing is known has neither replicas nor a limit.
  if (groups.length < getListAt(cluster, 'workerGroupSpecs').length) return 'open';
  if (groups.some(({ maxReplicas }) => maxReplicas === undefined)) return 'open';
  return groups.every(({ minReplicas, maxReplicas }) => minReplicas === maxReplicas) ? 'fixed' : 'up-to';
}

/** Groups as large as the autoscaler may make them; those without a limit as they are. */
export function scaleGroupsToMax(groups: readonly WorkerGroup[]): WorkerGroup[] {
  return groups.map((group) => {
    const replicas = group.maxReplicas ?? group.replicas;
    return { ...group, replicas, pods: replicas * group.hosts };
  });
}

/** The head of a cluster as a group of one, of which every cluster has its own from the start. */
export function buildHeadGroup(cluster: Fields): WorkerGroup {
  const template = getFieldsAt(cluster, 'headGroupSpec', 'template');
  return { name: 'head', index: -1, replicas: 1, minReplicas: 1, hosts: 1, pods: 1, template, perPod: sumPodResources(template) };
}

/** Of one accelerator, in the pods of the groups at these capacities. */
function sumResource(groups: readonly WorkerGroup[], resource: string, ...percents: readonly number[]): number {
  let amount = 0;
  for (const group of groups)
    for (const percent of percents) amount += countPodsAt(group, percent) * (getOwnValue(group.perPod, resource) ?? 0);
  return amount;
}

/** The accelerators of a whole cluster, and how many more both clusters have at the worst of the rows; sorted by name. */
export function computeAccelerators(groups: readonly WorkerGroup[], rows: readonly CapacityRow[]): WorkerAccelerator[] {
  const requested = groups.flatMap(({ perPod }) => Object.keys(perPod).filter((name) => isExtendedResource(name) && perPod[name]! > 0));
  return [...new Set(requested)].toSorted().map((resource) => {
    const count = sumResource(groups, resource, 100);
    const peaks = rows.map((row) => sumResource(groups, resource, row.activeTargetCapacity, row.pendingTargetCapacity));
    return {
      resource,
      count,
      surge: findMax(
        peaks.map((peak) => peak - count),
        0,
      ),
    };
  });
}

import { isExtendedResource } from '../../cluster/room/extended-resources';
import type { WorkerAccelerator } from '../../core/workers';
import { fieldsAt, listAt, ownValue } from '../../core/manifest';
import type { Fields } from '../../core/manifest';
import type { CapacityRow } from './upgrade-loop';
import { podResources, podsAt } from './worker-groups';
import type { WorkerGroup } from './worker-groups';
import { greatest } from '../../core/extremes';

/**
 * How far the autoscaler decides the size of a cluster.
 *
 * - `fixed`: not at all
 * - `up-to`: up to the maxReplicas of each group
 * - `open`: a group has no maxReplicas
 */
export type ClusterScale = 'fixed' | 'up-to' | 'open';

/** How far the in-tree autoscaler decides the size of a cluster with these groups. */
export function scaleOf(cluster: Fields, groups: readonly WorkerGroup[]): ClusterScale {
  if (cluster.enableInTreeAutoscaling !== true) return 'fixed';
  // A group of whose size nothing is known has neither replicas nor a limit.
  if (groups.length < listAt(cluster, 'workerGroupSpecs').length) return 'open';
  if (groups.some(({ mostReplicas }) => mostReplicas === undefined)) return 'open';
  return groups.every(({ leastReplicas, mostReplicas }) => leastReplicas === mostReplicas) ? 'fixed' : 'up-to';
}

/** Groups as large as the autoscaler may make them; those without a limit as they are. */
export function largestGroups(groups: readonly WorkerGroup[]): WorkerGroup[] {
  return groups.map((group) => {
    const replicas = group.mostReplicas ?? group.replicas;
    return { ...group, replicas, pods: replicas * group.hosts };
  });
}

/** The head of a cluster as a group of one, of which every cluster has its own from the start. */
export function headGroup(cluster: Fields): WorkerGroup {
  const template = fieldsAt(cluster, 'headGroupSpec', 'template');
  return { name: 'head', index: -1, replicas: 1, leastReplicas: 1, hosts: 1, pods: 1, template, perPod: podResources(template) };
}

/** Of one accelerator, in the pods of the groups at these capacities. */
function amountAt(groups: readonly WorkerGroup[], resource: string, ...percents: readonly number[]): number {
  let amount = 0;
  for (const group of groups) for (const percent of percents) amount += podsAt(group, percent) * (ownValue(group.perPod, resource) ?? 0);
  return amount;
}

/** The accelerators of a whole cluster, and how many more both clusters have at the worst of the rows; sorted by name. */
export function acceleratorsOf(groups: readonly WorkerGroup[], rows: readonly CapacityRow[]): WorkerAccelerator[] {
  const asked = groups.flatMap(({ perPod }) => Object.keys(perPod).filter((name) => isExtendedResource(name) && perPod[name]! > 0));
  return [...new Set(asked)].toSorted().map((resource) => {
    const count = amountAt(groups, resource, 100);
    const peaks = rows.map((row) => amountAt(groups, resource, row.activeTargetCapacity, row.pendingTargetCapacity));
    return {
      resource,
      count,
      surge: greatest(
        peaks.map((peak) => peak - count),
        0,
      ),
    };
  });
}

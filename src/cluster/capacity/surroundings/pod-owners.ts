import { pluralize } from '../../../core/text/text-format';
import type { PodSet } from '../../rollout/pod-set';
import { nodeRulesOf } from '../nodes/node-affinity';
import type { RunningPod } from './running-pods';
import type { Surroundings } from './surroundings';

/** Names the owners of running pods, with the number of pods, most pods first. */
export function listOwners(pods: readonly RunningPod[]): string[] {
  const counts = new Map<string, number>();
  for (const { workloadName } of pods) counts.set(workloadName, (counts.get(workloadName) ?? 0) + 1);
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
  const shown = sorted.slice(0, 3).map(([name, count]) => (name.startsWith('Pod ') ? name : `${pluralize(count, 'pod')} of ${name}`));
  return sorted.length > 3 ? [...shown, `${sorted.length - 3} more`] : shown;
}

function listUnplannedOwners({ unplanned, inventory }: Surroundings, podSet: PodSet): string[] {
  const { indexes } = inventory().eligibleNodes(podSet, 'new');
  const isOnEligibleNode = (nodeName: string) => indexes.has(inventory().indexOf(nodeName) ?? -1);
  return listOwners(unplanned.filter(({ nodeName }) => nodeName !== undefined && isOnEligibleNode(nodeName)));
}

/** Creates the owners of surroundings by the node rules of a set. */
const createOwners = (_surroundings: Surroundings) => new Map<string, readonly string[]>();

/** Names the owners of running pods that are not planned, on the nodes that new pods of a set may use, once per plan and such nodes. */
export function getUnplannedOwners(surroundings: Surroundings, podSet: PodSet): readonly string[] {
  const { cache, unplanned } = surroundings;
  if (unplanned.length === 0) return [];
  const byRules = cache.derive(surroundings, createOwners);
  const { key } = nodeRulesOf(podSet, cache);
  const owners = byRules.get(key) ?? listUnplannedOwners(surroundings, podSet);
  byRules.set(key, owners);
  return owners;
}

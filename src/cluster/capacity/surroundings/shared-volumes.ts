import { addToGroup } from '../../../core/collections/group-by';
import { memoizePerPlan } from '../../context/context';
import type { PodSet } from '../../rollout/pod-set';
import { listRunningPods } from './running-pods';
import type { RunningPod } from './running-pods';
import type { Surroundings } from './surroundings';
import { formatClaimKey, isOnOneNode, isVolumeKnown, listClaimNames, withVolumeNodes } from './volume-nodes';

/** Returns the running pods by the claims that they mount. */
const getRunningUsers = memoizePerPlan((context) => {
  const users = new Map<string, RunningPod[]>();
  for (const pod of listRunningPods(context)) {
    for (const name of new Set(listClaimNames(pod.spec))) addToGroup(users, formatClaimKey(pod.namespace, name), pod);
  }
  return users;
});

/** Returns the sets by the claims of their templates. */
function groupByClaim(sets: readonly PodSet[]): ReadonlyMap<string, readonly PodSet[]> {
  const users = new Map<string, PodSet[]>();
  for (const podSet of sets) {
    if (podSet.replicas === 0) continue;
    for (const name of new Set(listClaimNames(podSet.template.spec))) {
      addToGroup(users, formatClaimKey(podSet.namespace ?? 'default', name), podSet);
    }
  }
  return users;
}

/** Reports whether more than one pod mounts a claim once the new pods of some sets run. */
function hasSeveralUsers(claim: string, podSets: readonly PodSet[], { sets, allOwnPods, context, cache }: Surroundings): boolean {
  const users = cache.derive(sets, groupByClaim).get(claim) ?? [];
  if (users.length > 1 || users.some(({ replicas }) => replicas > 1)) return true;
  const own = new Set(podSets.flatMap((podSet) => allOwnPods.get(podSet) ?? []));
  return (getRunningUsers(context).get(claim) ?? []).some((pod) => !own.has(pod));
}

/**
 * Reports whether new pods of some sets mount a volume that is attached to one node at a time, which other pods mount too, while several nodes
 * accept them. The scheduler does not keep them together: a pod on another node waits in ContainerCreating.
 */
export function maySplitVolumes(podSets: readonly PodSet[], surroundings: Surroundings): boolean {
  const { context, inventory } = surroundings;
  return podSets.some((podSet) => {
    if (podSet.onePerNode) return false;
    const claims = listClaimNames(podSet.template.spec).filter((name) => isOnOneNode(name, podSet, context));
    const isShared = (name: string) => hasSeveralUsers(formatClaimKey(podSet.namespace ?? 'default', name), podSets, surroundings);
    if (!claims.some(isShared)) return false;
    const { indexes } = inventory().eligibleNodes(withVolumeNodes(podSet, context), 'new');
    return [...indexes].reduce((sum, index) => sum + inventory().nodes[index]!.count, 0) > 1;
  });
}

/** Reports whether pods of a set mount a claim whose volume is not in the input, so that it is not known which nodes accept them. */
export function hasUnknownVolume(podSet: PodSet, { context }: Surroundings): boolean {
  return listClaimNames(podSet.template.spec).some((name) => !isVolumeKnown(name, podSet, context));
}

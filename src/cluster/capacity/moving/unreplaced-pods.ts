import type { PodSet } from '../../rollout/pod-set';
import type { Nodes } from '../nodes/placement';
import type { PlanLimits } from '../plan-limits';
import { assumePlaces } from '../surroundings/assumed-places';
import { canShareNodes } from './moving-pods';
import { toRunningPods } from '../surroundings/surroundings';

/** Creates the placements of limits by the sets whose old pods are on the nodes. */
const createPlacements = (_limits: PlanLimits) => new Map<string, Nodes>();

/**
 * Finds the sets with rollouts whose old pods are on unknown nodes, request other amounts than new ones or accept other nodes, and may be on
 * nodes that pods of some sets may use. The nodes count live pods as they are.
 */
export function findUnreplacedSets(podSets: readonly PodSet[], limits: PlanLimits): readonly PodSet[] {
  const { demands = [] } = limits.surroundings ?? {};
  return demands.flatMap(({ podSet, asOld }) => {
    const isShared = asOld && !podSets.includes(podSet) && podSets.some((own) => canShareNodes(own, asOld, limits));
    return isShared ? [podSet] : [];
  });
}

/**
 * Returns the nodes with the old pods of some sets on unknown nodes: all of them, or those that a rollout keeps that does not finish. Its
 * controller deletes pods beyond the desired number whether new ones run or not.
 */
export function placeUnreplacedPods(podSets: readonly PodSet[], which: 'all' | 'kept', limits: PlanLimits): Nodes {
  const { surroundings, cache } = limits;
  const { demands } = surroundings!;
  const bySets = cache.derive(limits, createPlacements);
  const unreplaced = new Set(podSets);
  const key = which + demands.map(({ podSet }) => (unreplaced.has(podSet) ? 'o' : '-')).join('');
  const existing = bySets.get(key);
  if (existing) return existing;
  const before = demands.map((demand) => {
    if (!unreplaced.has(demand.podSet)) return { podSet: demand.podSet, pods: demand.pods };
    const { podSet, pods } = toRunningPods(demand);
    return { podSet, pods: which === 'all' ? pods : Math.min(pods, podSet.replicas) };
  });
  const { nodes } = assumePlaces(surroundings!, before);
  bySets.set(key, nodes);
  return nodes;
}

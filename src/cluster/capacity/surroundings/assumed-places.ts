import type { PodSet } from '../../rollout/pod-set';
import type { Amounts } from '../../../core/values/quantity';
import type { NodePool } from '../../context/capacity';
import { createEmptyNodes, listGroups, schedulePods, removeSets } from '../nodes/placement';
import type { NodeGroup, Nodes, Placement } from '../nodes/placement';
import { sortLargestFirst } from '../nodes/placement-order';
import { toRunningPods } from './surroundings';
import type { Surroundings, UnlocatedPods } from './surroundings';

/**
 * Places old pods on unknown nodes, as they run before an apply, next to the running pods.
 *
 * @param freeOf returns what each node has left. @default - what the running pods leave
 */
export function assumePlaces(
  { pools, free, cache }: Surroundings,
  demands: readonly UnlocatedPods[],
  freeOf: (pool: NodePool) => Amounts = (pool) => free.get(pool)!,
): Placement {
  const nodes = pools.map((pool) => ({ ...pool, allocatable: freeOf(pool) }));
  return schedulePods(createEmptyNodes(nodes), sortLargestFirst(nodes, demands.map(toRunningPods), cache), cache, 'old');
}

/** The nodes with pods on unknown nodes, for which nodes are assumed. */
export class AssumedPlaces {
  readonly nodes: Nodes;
  readonly groups: readonly NodeGroup[];
  private readonly hasUnplacedPods: boolean;

  /**
   * Places the pods.
   *
   * @param freeOf returns what each node has left. @default - what the running pods leave
   */
  constructor(
    private readonly surroundings: Surroundings,
    private readonly demands: readonly UnlocatedPods[],
    private readonly freeOf?: (pool: NodePool) => Amounts,
  ) {
    const { nodes, unplaced } = assumePlaces(surroundings, demands, freeOf);
    this.nodes = nodes;
    this.groups = listGroups(nodes);
    this.hasUnplacedPods = surroundings.hasUnplacedPods || unplaced.length > 0;
  }

  /**
   * Returns the nodes without the pods of some sets. The others stay where they are: to place them for each rollout would take time with the
   * square of the number of rollouts.
   *
   * In a full cluster they are placed again: 5 Deployments of 4 pods, each pod on a node of its own, fill 10 nodes with room for 2, but the first
   * four leave the last one only 2 nodes.
   */
  without(podSets: readonly PodSet[]): readonly NodeGroup[] {
    const { surroundings, demands, freeOf } = this;
    const isOwn = ({ podSet }: UnlocatedPods) => podSets.includes(podSet);
    if (this.hasUnplacedPods) {
      const others = demands.filter((demand) => !isOwn(demand));
      return listGroups(assumePlaces(surroundings, others, freeOf).nodes);
    }
    const own = new Set(demands.filter(isOwn).map((demand) => toRunningPods(demand).podSet));
    return this.groups.map((group) => removeSets(group, own));
  }
}

function assumeAllPlaces(surroundings: Surroundings): AssumedPlaces {
  return new AssumedPlaces(surroundings, surroundings.demands);
}

/** Returns the nodes with the pods of others than some sets on unknown nodes. */
export function assumePlacesOfOthers(podSets: readonly PodSet[], surroundings: Surroundings): readonly NodeGroup[] {
  return surroundings.cache.derive(surroundings, assumeAllPlaces).without(podSets);
}

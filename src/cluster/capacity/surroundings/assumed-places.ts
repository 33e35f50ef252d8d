import type { PodSet } from '../../pod-set';
import type { Amounts } from '../amounts';
import { findEligibleNodes } from '../nodes/eligible-nodes';
import type { NodePool } from '../nodes/node-pools';
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

/** Maximum number of nodes times pod sets on unknown nodes that are placed again. Each rollout may place all of them. */
const MAX_PLACED_AGAIN = 10_000;

/** Whether pods of others on unknown nodes are on nodes that new pods may use, or on the rest, as far as these have capacity. */
export type PlacesOfOthers = 'same nodes' | 'other nodes';

/**
 * Places old pods of other sets on unknown nodes again. Returns undefined if new pods may use every node, or if not all of those pods find a place.
 *
 * @param podSet the new pods
 * @param ownSets all sets of their rollout
 */
export function assumeOthersOn(
  places: PlacesOfOthers,
  podSet: PodSet,
  ownSets: readonly PodSet[],
  surroundings: Surroundings,
): Nodes | undefined {
  const { pools, demands, cache } = surroundings;
  const others = demands.filter((demand) => !ownSets.includes(demand.podSet) && demand.pods > 0);
  if (others.length === 0 || others.length * pools.length > MAX_PLACED_AGAIN) return undefined;
  const eligible = new Set(findEligibleNodes(podSet, pools, 'new', cache));
  if (eligible.size === pools.length) return undefined;
  const rest = pools.filter((pool) => !eligible.has(pool));
  const ordered = places === 'same nodes' ? [...eligible, ...rest] : [...rest, ...eligible];
  const { nodes, unplaced } = assumePlaces({ ...surroundings, pools: ordered }, others);
  return unplaced.length > 0 ? undefined : nodes;
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

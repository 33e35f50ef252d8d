import { addToGroup } from '../../../core/group-by';
import type { PodSet } from '../../pod-set';
import { subtractPods } from '../amounts';
import type { Amounts } from '../amounts';
import type { NodePool } from '../nodes/node-pools';
import { createEmptyNodes, listGroups, schedulePods } from '../nodes/placement';
import type { Demand, NodeGroup, Nodes, PlacedPods, Placement } from '../nodes/placement';
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

function* iteratePlaced({ placed }: NodeGroup): Generator<PlacedPods> {
  for (let each = placed; each !== undefined; each = each.before) yield each;
}

/** Returns equal nodes with fewer pods of a run on each of them. */
function withoutPods(group: NodeGroup, { run, pod, podsOnEach }: PlacedPods, pods: number): NodeGroup {
  const free = subtractPods(group.free, pod.footprint, -pods);
  // Only the marks of host ports are those of other sets too.
  if (pods < podsOnEach || pod.leaves.every((mark) => typeof mark === 'symbol')) return { ...group, free };
  const others = [...iteratePlaced(group)].filter((each) => each.run !== run).toReversed();
  const marks = new Set(others.flatMap((each) => each.pod.leaves));
  const placed = others.reduce<PlacedPods | undefined>((before, each) => ({ ...each, before }), undefined);
  return { ...group, free, marks, placed };
}

/** Returns nodes without some pods of a run, the last ones first: 5 of 6 pods on 3 equal nodes leave 2 nodes with none, and 1 with one. */
function withoutLastPods(group: NodeGroup, placed: PlacedPods, pods: number): NodeGroup[] {
  const { podsOnEach } = placed;
  const emptied = Math.floor(pods / podsOnEach);
  const rest = pods % podsOnEach;
  const untouched = group.count - emptied - (rest > 0 ? 1 : 0);
  return [
    ...(untouched > 0 ? [{ ...group, count: untouched }] : []),
    ...(rest > 0 ? [withoutPods({ ...group, count: 1 }, placed, rest)] : []),
    ...(emptied > 0 ? [withoutPods({ ...group, count: emptied }, placed, podsOnEach)] : []),
  ];
}

/** A place of a run: the position of a group, and the pods of the run on its nodes. */
interface Place {
  readonly position: number;
  readonly placed: PlacedPods;
}

/** The nodes with pods on unknown nodes, for which nodes are assumed. */
export class AssumedPlaces {
  readonly nodes: Nodes;
  readonly groups: readonly NodeGroup[];
  /** The pods of each set, as they run. */
  private readonly runningOf: ReadonlyMap<PodSet, Demand>;
  private readonly runOf = new Map<PodSet, readonly Demand[]>();
  private readonly placesOf = new Map<readonly Demand[], Place[]>();
  /** Pods of each run that found no node. */
  private readonly unplacedOf = new Map<readonly Demand[] | undefined, number>();

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
    this.runningOf = new Map(demands.map((demand) => [demand.podSet, toRunningPods(demand)]));
    for (const [position, group] of this.groups.entries()) {
      for (const placed of iteratePlaced(group)) addToGroup(this.placesOf, placed.run, { position, placed });
    }
    for (const run of this.placesOf.keys()) for (const { podSet } of run) this.runOf.set(podSet, run);
    for (const { podSet, pods } of unplaced) {
      const run = this.runOf.get(podSet);
      this.unplacedOf.set(run, (this.unplacedOf.get(run) ?? 0) + pods);
    }
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
    if (surroundings.hasUnplacedPods) {
      const others = demands.filter(({ podSet }) => !podSets.includes(podSet));
      return listGroups(assumePlaces(surroundings, others, freeOf).nodes);
    }
    const groups = this.groups.map((group) => [group]);
    for (const [run, ownPods] of this.countOwn(podSets)) {
      // Pods of the same run that found no node take the places of others that are gone.
      let left = ownPods - (this.unplacedOf.get(run) ?? 0);
      const removeFrom = (group: NodeGroup, placed: PlacedPods) => {
        const pods = Math.max(0, Math.min(left, placed.podsOnEach * group.count));
        left -= pods;
        return withoutLastPods(group, placed, pods);
      };
      for (const { position, placed } of this.placesOf.get(run)!.toReversed()) {
        if (left <= 0) break;
        groups[position] = groups[position]!.flatMap((group) => removeFrom(group, placed));
      }
    }
    return groups.flat();
  }

  /** Counts the pods of some sets by run. */
  private countOwn(podSets: readonly PodSet[]): ReadonlyMap<readonly Demand[], number> {
    const counts = new Map<readonly Demand[], number>();
    for (const own of podSets) {
      const running = this.runningOf.get(own);
      const run = running && this.runOf.get(running.podSet);
      if (run) counts.set(run, (counts.get(run) ?? 0) + running.pods);
    }
    return counts;
  }
}

function assumeAllPlaces(surroundings: Surroundings): AssumedPlaces {
  return new AssumedPlaces(surroundings, surroundings.demands);
}

/** Returns the nodes with the pods of others than some sets on unknown nodes. */
export function assumePlacesOfOthers(podSets: readonly PodSet[], surroundings: Surroundings): readonly NodeGroup[] {
  return surroundings.cache.derive(surroundings, assumeAllPlaces).without(podSets);
}

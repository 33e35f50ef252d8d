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
function withoutPods(group: NodeGroup, run: readonly Demand[], pods: number): NodeGroup {
  const all = [...iteratePlaced(group)];
  const { pod, podsOnEach } = all.find((each) => each.run === run)!;
  const free = subtractPods(group.free, pod.footprint, -pods);
  if (pods < podsOnEach) return { ...group, free };
  const others = all.filter((each) => each.run !== run).toReversed();
  const marks = new Set(others.flatMap((each) => each.pod.leaves));
  const placed = others.reduce<PlacedPods | undefined>((before, each) => ({ ...each, before }), undefined);
  return { ...group, free, marks: [marks], placed };
}

/** Returns nodes without some pods of a run, the last ones first: 5 of 6 pods on 3 equal nodes leave 2 nodes with none, and 1 with one. */
function withoutLastPods(group: NodeGroup, run: readonly Demand[], podsOnEach: number, pods: number): NodeGroup[] {
  const emptied = Math.floor(pods / podsOnEach);
  const rest = pods % podsOnEach;
  const untouched = group.count - emptied - (rest > 0 ? 1 : 0);
  return [
    ...(untouched > 0 ? [{ ...group, count: untouched }] : []),
    ...(rest > 0 ? [withoutPods({ ...group, count: 1 }, run, rest)] : []),
    ...(emptied > 0 ? [withoutPods({ ...group, count: emptied }, run, podsOnEach)] : []),
  ];
}

/** A place of a run: the position of a group, and the pods of the run on each of its nodes. */
interface Place {
  readonly position: number;
  readonly podsOnEach: number;
}

/** The nodes with pods on unknown nodes, for which nodes are assumed. */
export class AssumedPlaces {
  readonly nodes: Nodes;
  readonly groups: readonly NodeGroup[];
  private readonly runOf = new Map<PodSet, readonly Demand[]>();
  private readonly placesOf = new Map<readonly Demand[], Place[]>();
  private readonly unplaced: ReadonlyMap<PodSet, number>;

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
    this.unplaced = new Map(unplaced.map(({ podSet, pods }) => [podSet, pods]));
    for (const [position, group] of this.groups.entries()) {
      for (const { run, podsOnEach } of iteratePlaced(group)) addToGroup(this.placesOf, run, { position, podsOnEach });
    }
    for (const run of this.placesOf.keys()) for (const { podSet } of run) this.runOf.set(podSet, run);
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
    for (const [run, pods] of this.countOwn(new Set(podSets))) {
      // Pods of the same run that found no node take the places of others that are gone.
      let left = pods - run.reduce((sum, { podSet }) => sum + (this.unplaced.get(podSet) ?? 0), 0);
      for (const { position, podsOnEach } of this.placesOf.get(run)!.toReversed()) {
        if (left <= 0) break;
        const placed = podsOnEach * this.groups[position]!.count;
        groups[position] = groups[position]!.flatMap((group) => withoutLastPods(group, run, podsOnEach, Math.min(left, placed)));
        left -= placed;
      }
    }
    return groups.flat();
  }

  /** Counts the pods of some sets by run. */
  private countOwn(podSets: ReadonlySet<PodSet>): ReadonlyMap<readonly Demand[], number> {
    const counts = new Map<readonly Demand[], number>();
    for (const demand of this.demands) {
      if (!podSets.has(demand.podSet)) continue;
      const { podSet, pods } = toRunningPods(demand);
      const run = this.runOf.get(podSet);
      if (run) counts.set(run, (counts.get(run) ?? 0) + pods);
    }
    return counts;
  }
}

const placesBySurroundings = () => new WeakMap<Surroundings, AssumedPlaces>();

/** Returns the nodes with the pods of others than some sets on unknown nodes. */
export function assumePlacesOfOthers(podSets: readonly PodSet[], surroundings: Surroundings): readonly NodeGroup[] {
  const known = surroundings.cache.getOrCreate(placesBySurroundings);
  const places = known.get(surroundings) ?? new AssumedPlaces(surroundings, surroundings.demands);
  known.set(surroundings, places);
  return places.without(podSets);
}

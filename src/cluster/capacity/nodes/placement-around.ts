import { checkTime } from '../../../core/budget/deadline';
import type { PlanCache } from '../../../core/collections/plan-cache';
import type { PodSet } from '../../rollout/pod-set';
import { formatAmounts } from '../amounts';
import { findEligibleIndexes } from './eligible-nodes';
import { countPodsPerNode, createPod, fillPool, withPods } from './placement';
import type { Demand, NodeGroup, Nodes, Placement, Pod } from './placement';

/** How many places pods leave to new pods of another set. */
export type PlacesLeft = 'fewest' | 'most';

/** The new pods to which others leave places. */
export interface PodsToLeavePlacesTo {
  readonly podSet: PodSet;
  readonly places: PlacesLeft;
}

/** Equal pods to place. */
interface PodsToPlace {
  readonly pod: Pod;
  readonly pods: number;
  readonly places: PlacesLeft;
}

/** A node, and how many pods it has places for next to a number of others. */
interface NodeToFill {
  readonly poolIndex: number;
  readonly groupIndex: number;
  /** Places next to 0 other pods, next to 1, and so on up to the most that fit. */
  readonly placesBeside: readonly number[];
}

/** Pods on one node that together cost a number of places. */
interface Step {
  readonly node: NodeToFill;
  readonly pods: number;
  readonly lost: number;
}

/** Splits groups into single nodes, up to a number of them. */
function splitGroups(groups: readonly NodeGroup[], most: number): NodeGroup[] {
  return groups.flatMap((group) => {
    const singles = Math.min(group.count, most);
    const rest = group.count - singles;
    return [...Array.from({ length: singles }, () => ({ ...group, count: 1 })), ...(rest > 0 ? [{ ...group, count: rest }] : [])];
  });
}

/**
 * Lists the steps in which pods fill a node. To leave the fewest places, each step ends with the pod that costs one. To leave the most, each ends
 * before the next pod that does.
 *
 * A node of 4 CPU has one place of 3 CPU. Pods of 1 CPU leave it next to one of them, and the second one costs it.
 */
function listSteps(node: NodeToFill, places: PlacesLeft): Step[] {
  const { placesBeside } = node;
  const steps: Step[] = [];
  let start = 0;
  let lost = 0;
  const add = (end: number) => {
    if (end > start) steps.push({ node, pods: end - start, lost });
    start = end;
  };
  for (let pods = 1; pods < placesBeside.length; pods++) {
    const cost = placesBeside[pods - 1]! - placesBeside[pods]!;
    if (cost === 0) continue;
    if (places === 'most') add(pods - 1);
    lost = cost;
    if (places === 'fewest') add(pods);
  }
  if (places === 'most') add(placesBeside.length - 1);
  return steps;
}

/** Places pods step by step, those first that cost the most places for each pod, or the fewest. Returns the pods left over. */
function takeSteps(groups: NodeGroup[][], steps: readonly Step[], { pod, pods, places }: PodsToPlace): number {
  const sign = places === 'fewest' ? -1 : 1;
  const sorted = steps.toSorted((a, b) => sign * (a.lost / a.pods - b.lost / b.pods));
  const podsByNode = new Map<NodeToFill, number>();
  let left = pods;
  for (const step of sorted) {
    if (places === 'fewest' && step.pods > left) continue;
    const taken = Math.min(step.pods, left);
    left -= taken;
    podsByNode.set(step.node, (podsByNode.get(step.node) ?? 0) + taken);
  }
  for (const [{ poolIndex, groupIndex }, count] of podsByNode) {
    if (count > 0) groups[poolIndex]![groupIndex] = withPods(groups[poolIndex]![groupIndex]!, 1, pod, count);
  }
  return left;
}

/** Maximum number of pods of a kind on each of its nodes, summed over these. Steps are listed one by one. */
const MAX_STEPS = 1_000_000;

/** Counts the steps in which pods fill nodes, at most: one for each pod on each node. */
function countSteps(groups: readonly (readonly NodeGroup[])[], indexes: readonly number[], pod: Pod, pods: number): number {
  const ofGroup = (group: NodeGroup) => Math.min(group.count, pods) * (1 + Math.min(countPodsPerNode(pod, group), pods));
  return indexes.reduce((total, index) => groups[index]!.reduce((sum, group) => sum + ofGroup(group), total), 0);
}

/** More places than any rollout looks for on a node. */
const MANY_PLACES = 1_000_000;

/** Counts the places for new pods on a node next to 0 others, next to 1, and so on up to a number. */
function countPlacesBeside(group: NodeGroup, own: Pod | undefined, other: Pod, most: number): readonly number[] {
  return Array.from({ length: most + 1 }, (_, pods) =>
    own === undefined ? 0 : Math.min(MANY_PLACES, countPodsPerNode(own, pods > 0 ? withPods(group, 1, other, pods) : group)),
  );
}

/** Lists the steps in which pods fill single nodes. Nodes with the same free resources are counted once. */
function listAllSteps(
  groups: readonly (readonly NodeGroup[])[],
  indexes: readonly number[],
  placesFor: (poolIndex: number) => Pod | undefined,
  { pod, pods, places }: PodsToPlace,
): Step[] {
  const known = new Map<string, readonly number[]>();
  return indexes.flatMap((poolIndex) => {
    checkTime();
    const own = placesFor(poolIndex);
    return groups[poolIndex]!.flatMap((group, groupIndex) => {
      if (group.count > 1) return [];
      const key = `${own !== undefined} ${group.marks.size > 0 ? `${poolIndex} ${groupIndex}` : formatAmounts(group.free)}`;
      const placesBeside = known.get(key) ?? countPlacesBeside(group, own, pod, Math.min(countPodsPerNode(pod, group), pods));
      known.set(key, placesBeside);
      return listSteps({ poolIndex, groupIndex, placesBeside }, places);
    });
  });
}

/**
 * Places pods so that nodes have the fewest or the most places for new pods of another set.
 *
 * The result is one placement that the scheduler may choose. With several sets there may be a worse or a better one. It is undefined if there are
 * too many pods and nodes to try.
 */
export function placeAround(before: Nodes, demands: readonly Demand[], next: PodsToLeavePlacesTo, cache: PlanCache): Placement | undefined {
  const { pools } = before;
  const groups = before.groups.map((pool) => [...pool]);
  const own = createPod(next.podSet, 'new', cache);
  const eligible = new Set(findEligibleIndexes(next.podSet, pools, 'new', cache));
  const unplaced: Demand[] = [];
  for (const { podSet, pods } of demands) {
    const pod = createPod(podSet, 'old', cache);
    const indexes = findEligibleIndexes(podSet, pools, 'old', cache);
    if (countSteps(groups, indexes, pod, pods) > MAX_STEPS) return undefined;
    for (const index of indexes) groups[index] = splitGroups(groups[index]!, pods);
    const toPlace = { pod, pods, places: next.places };
    const steps = listAllSteps(groups, indexes, (index) => (eligible.has(index) ? own : undefined), toPlace);
    let left = takeSteps(groups, steps, toPlace);
    for (const index of indexes) {
      const filled = left > 0 ? fillPool(groups[index]!, pod, left) : undefined;
      if (!filled) continue;
      groups[index] = [...filled.groups];
      left = filled.unplaced;
    }
    if (left > 0) unplaced.push({ podSet, pods: left });
  }
  return { nodes: { pools, groups }, unplaced };
}

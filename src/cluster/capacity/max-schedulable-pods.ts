import type { Manifest } from '../../core/manifest';
import type { PodSet } from '../workload';
import { pickTightestLimits } from './limits';
import type { ResourceLimit } from './limits';
import { sortLargestFirst, schedulePods } from './placement';
import type { PlanLimits, SteadyPods } from './rollout-capacity';

/** The pods that hold their places whoever wants them: those that stay after the apply, or all that run before it. */
export type ReservedPods = 'staying' | 'running';

/** Pods that objects want besides those that hold their places. */
export type PodsByObject = ReadonlyMap<Manifest, number>;

/** How many of the pods find room at once, of several objects that want the last room as many as can. */
export type MaxSchedulablePods = (desired: PodsByObject, reserved: ReservedPods) => PodsByObject;

type SetsByObject = ReadonlyMap<Manifest, readonly PodSet[]>;
type ObjectOf = ReadonlyMap<PodSet, Manifest>;

function computeRemainingUse({ total, minUse: minimum, before, rejection }: ResourceLimit, reserved: ReservedPods): bigint {
  const remaining = total - (reserved === 'staying' ? minimum : before);
  return rejection || remaining < 0n ? 0n : remaining;
}

/** What one pod more of an object uses at least; 0 where some of its pods use nothing. */
function computeMinUse(podSets: readonly PodSet[], { perPod }: ResourceLimit): bigint {
  return podSets.map((podSet) => perPod.get(podSet) ?? 0n).reduce((minimum, use) => (use < minimum ? use : minimum));
}

/** Leaves of the pods those that a limit lets run, those first that use least of it. */
function limitPodsByResource(
  limit: ResourceLimit,
  desired: Map<Manifest, number>,
  sets: SetsByObject,
  objectOf: ObjectOf,
  reserved: ReservedPods,
): void {
  const objects = new Set([...limit.perPod.keys()].flatMap((podSet) => objectOf.get(podSet) ?? []));
  const users = [...objects]
    .filter((object) => desired.has(object))
    .map((object) => ({ object, use: computeMinUse(sets.get(object)!, limit) }));
  let remaining = computeRemainingUse(limit, reserved);
  for (const { object, use } of users.filter((user) => user.use > 0n).toSorted((a, b) => (a.use < b.use ? -1 : Number(a.use > b.use)))) {
    const fittingPods = remaining / use;
    const pods = BigInt(desired.get(object)!);
    const found = fittingPods < pods ? fittingPods : pods;
    remaining -= found * use;
    desired.set(object, Number(found));
  }
}

/** The pods that find nodes, the smallest first. Of an object with several sets of pods it is not known which of them it wants. */
function limitPodsByNodes(
  desired: PodsByObject,
  sets: SetsByObject,
  steady: SteadyPods,
  { nodePools, cache }: PlanLimits,
  reserved: ReservedPods,
): PodsByObject {
  const demands = [...desired].flatMap(([object, pods]) => {
    const [podSet, ...otherSets] = sets.get(object)!;
    const isPlaced = otherSets.length === 0 && !podSet!.countOnly && !podSet!.onePerNode;
    return isPlaced && pods > 0 ? { object, podSet: podSet!, pods } : [];
  });
  const nodes =
    reserved === 'staying' ? steady.nodesBeforeAdding : schedulePods(steady.nodesBeforeAdding, steady.removed, cache, 'old').nodes;
  const { unplaced } = schedulePods(nodes, sortLargestFirst(nodePools, demands, cache).toReversed(), cache);
  const unplacedBySet = new Map(unplaced.map(({ podSet, pods }) => [podSet, pods]));
  return new Map([...desired, ...demands.map(({ object, podSet, pods }) => [object, pods - (unplacedBySet.get(podSet) ?? 0)] as const)]);
}

/** Asks the limits on pods how many of them find room together; objects whose pods nobody knows find all that they want. */
export function createMaxSchedulablePods(sets: SetsByObject, limits: PlanLimits): MaxSchedulablePods {
  const objectOf = new Map([...sets].flatMap(([object, podSets]) => podSets.map((podSet) => [podSet, object] as const)));
  const resources = pickTightestLimits(limits.resources);
  return (desired, reserved) => {
    const known = [...desired].filter(([object, pods]) => pods > 0 && (sets.get(object)?.length ?? 0) > 0);
    if (known.length === 0) return desired;
    const limited = new Map(known);
    for (const limit of resources) limitPodsByResource(limit, limited, sets, objectOf, reserved);
    const found = limits.steady ? limitPodsByNodes(limited, sets, limits.steady, limits, reserved) : limited;
    return new Map([...desired, ...found]);
  };
}

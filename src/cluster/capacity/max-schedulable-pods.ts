import type { Manifest } from '../../core/manifest/manifest';
import type { PodSet } from '../rollout/pod-set';
import { pickTightestLimits } from './limits';
import type { ResourceLimit } from './limits';
import { schedulePods } from './nodes/placement';
import { sortLargestFirst } from './nodes/placement-order';
import type { SteadyPods } from './nodes/steady-pods';
import type { PlanLimits } from './plan-limits';

/** The pods whose capacity is reserved: those that stay after the apply, or all that run before it. */
export type ReservedPods = 'staying' | 'running';

/** Number of pods that objects request in addition to the reserved ones. */
export type PodsByObject = ReadonlyMap<Manifest, number>;

/** Returns how many pods fit at once. If several objects compete for the last capacity, it is as many pods as possible. */
export type MaxSchedulablePods = (desired: PodsByObject, reserved: ReservedPods) => PodsByObject;

type SetsByObject = ReadonlyMap<Manifest, readonly PodSet[]>;
type ObjectOf = ReadonlyMap<PodSet, Manifest>;

function computeRemainingUse(limit: ResourceLimit, reserved: ReservedPods): bigint {
  const remaining = limit.total - (reserved === 'staying' ? limit.minUse : limit.before);
  return limit.rejection || remaining < 0n ? 0n : remaining;
}

/** Returns the minimum use of one more pod of an object. It is 0 if some of its pods use nothing. */
function computeMinUse(podSets: readonly PodSet[], { perPod }: ResourceLimit): bigint {
  return podSets.map((podSet) => perPod.get(podSet) ?? 0n).reduce((minimum, use) => (use < minimum ? use : minimum));
}

/** Limits the pods to what a limit allows. Pods that use the least are admitted first. */
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
    const admitted = fittingPods < pods ? fittingPods : pods;
    remaining -= admitted * use;
    desired.set(object, Number(admitted));
  }
}

/**
 * Returns the pods that fit on nodes, placing the smallest first. Objects with several pod sets are not limited, because it is not known
 * which of them they request.
 */
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

/** Creates a function that returns how many pods fit together. Objects with unknown pods get all that they request. */
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

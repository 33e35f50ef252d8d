import type { Manifest } from '../../core/manifest';
import type { PodSet } from '../workload';
import { tightestOf } from './limits';
import type { ResourceLimit } from './limits';
import { largestFirst, place } from './placement';
import type { Limits, SteadyPods } from './rollout-room';

/** The pods that hold their places whoever wants them: those that stay after the apply, or all that run before it. */
export type Held = 'staying' | 'running';

/** Pods that objects want besides those that hold their places. */
export type PodsByObject = ReadonlyMap<Manifest, number>;

/** How many of the pods find room at once, of several objects that want the last room as many as can. */
export type MostTogether = (wanted: PodsByObject, held: Held) => PodsByObject;

type SetsByObject = ReadonlyMap<Manifest, readonly PodSet[]>;
type ObjectOf = ReadonlyMap<PodSet, Manifest>;

function leftIn({ total, least, before, refusal }: ResourceLimit, held: Held): bigint {
  const left = total - (held === 'staying' ? least : before);
  return refusal || left < 0n ? 0n : left;
}

/** What one pod more of an object uses at least; 0 where some of its pods use nothing. */
function leastUse(podSets: readonly PodSet[], { perPod }: ResourceLimit): bigint {
  return podSets.map((podSet) => perPod.get(podSet) ?? 0n).reduce((least, use) => (use < least ? use : least));
}

/** Leaves of the pods those that a limit lets run, those first that use least of it. */
function keepWithin(limit: ResourceLimit, wanted: Map<Manifest, number>, sets: SetsByObject, objectOf: ObjectOf, held: Held): void {
  const objects = new Set([...limit.perPod.keys()].flatMap((podSet) => objectOf.get(podSet) ?? []));
  const users = [...objects].filter((object) => wanted.has(object)).map((object) => ({ object, use: leastUse(sets.get(object)!, limit) }));
  let left = leftIn(limit, held);
  for (const { object, use } of users.filter((user) => user.use > 0n).toSorted((a, b) => (a.use < b.use ? -1 : Number(a.use > b.use)))) {
    const places = left / use;
    const pods = BigInt(wanted.get(object)!);
    const found = places < pods ? places : pods;
    left -= found * use;
    wanted.set(object, Number(found));
  }
}

/** The pods that find nodes, the smallest first. Of an object with several sets of pods it is not known which of them it wants. */
function onNodes(wanted: PodsByObject, sets: SetsByObject, steady: SteadyPods, { nodePools, memory }: Limits, held: Held): PodsByObject {
  const demands = [...wanted].flatMap(([object, pods]) => {
    const [podSet, ...others] = sets.get(object)!;
    const isPlaced = others.length === 0 && !podSet!.countOnly && !podSet!.onePerNode;
    return isPlaced && pods > 0 ? { object, podSet: podSet!, pods } : [];
  });
  const nodes = held === 'staying' ? steady.before : place(steady.before, steady.leaving, memory, 'old').nodes;
  const { unplaced } = place(nodes, largestFirst(nodePools, demands, memory).toReversed(), memory);
  const without = new Map(unplaced.map(({ podSet, pods }) => [podSet, pods]));
  return new Map([...wanted, ...demands.map(({ object, podSet, pods }) => [object, pods - (without.get(podSet) ?? 0)] as const)]);
}

/** Asks the limits on pods how many of them find room together; objects whose pods nobody knows find all that they want. */
export function mostTogether(sets: SetsByObject, limits: Limits): MostTogether {
  const objectOf = new Map([...sets].flatMap(([object, podSets]) => podSets.map((podSet) => [podSet, object] as const)));
  const resources = tightestOf(limits.resources);
  return (wanted, held) => {
    const known = [...wanted].filter(([object, pods]) => pods > 0 && (sets.get(object)?.length ?? 0) > 0);
    if (known.length === 0) return wanted;
    const within = new Map(known);
    for (const limit of resources) keepWithin(limit, within, sets, objectOf, held);
    const found = limits.steady ? onNodes(within, sets, limits.steady, limits, held) : within;
    return new Map([...wanted, ...found]);
  };
}

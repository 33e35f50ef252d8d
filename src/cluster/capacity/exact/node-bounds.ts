import { countOldPods } from './rollout-model';
import type { RolloutModel } from './rollout-model';

/** Fewest and most new pods that nodes take, by the number of old pods on them. */
export interface NewPodBounds {
  readonly least: readonly number[];
  readonly most: readonly number[];
}

export const NO_OLD_PODS: NewPodBounds = { least: [0], most: [0] };

/** Combines the bounds of two sets of nodes: each number of old pods is split in the worst and in the best way. */
export function combineBounds(a: NewPodBounds, b: NewPodBounds, limit: number): NewPodBounds {
  if (a === NO_OLD_PODS && b.least.length <= limit + 1) return b;
  const length = Math.min(limit, a.least.length + b.least.length - 2) + 1;
  const least = Array.from({ length }, () => Infinity);
  const most = Array.from({ length }, () => -Infinity);
  for (let first = 0; first < a.least.length; first++) {
    for (let second = 0; second < b.least.length && first + second < length; second++) {
      least[first + second] = Math.min(least[first + second]!, a.least[first]! + b.least[second]!);
      most[first + second] = Math.max(most[first + second]!, a.most[first]! + b.most[second]!);
    }
  }
  return { least, most };
}

/** Combines the bounds of a number of equal nodes by doubling. */
export function repeatBounds(bounds: NewPodBounds, times: number, limit: number): NewPodBounds {
  let result = NO_OLD_PODS;
  let power = bounds;
  for (let left = times; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = combineBounds(result, power, limit);
    if (left > 1) power = combineBounds(power, power, limit);
  }
  return result;
}

/** Equal nodes, with the same old pods if those are known. */
interface EqualNodes {
  readonly nodes: number;
  readonly bounds: NewPodBounds;
}

function groupEqualNodes(model: RolloutModel, isIncluded: (node: number) => boolean): EqualNodes[] {
  const { nodes, oldByNode, oldLimitByNode, replicas } = model;
  const oldPods = countOldPods(model);
  const byKey = new Map<string, { nodes: number; readonly bounds: NewPodBounds }>();
  nodes.forEach(({ newPodsBesideOld }, index) => {
    if (!isIncluded(index)) return;
    const limit = oldByNode?.[index] ?? oldLimitByNode[index]!;
    // More than R new pods never run, so the rest of a larger capacity decides nothing.
    const counts = Array.from({ length: Math.min(limit, oldPods) + 1 }, (_, old) => Math.min(replicas, newPodsBesideOld[old] ?? 0));
    const key = counts.join(',');
    const known = byKey.get(key);
    if (known) known.nodes++;
    else byKey.set(key, { nodes: 1, bounds: { least: counts, most: counts } });
  });
  return [...byKey.values()];
}

/** Computes what all nodes take next to each number of old pods, if these are deleted in a known order. */
function countInOrder({ nodes, oldByNode = [], replicas }: RolloutModel, order: readonly number[]): number[] {
  const old = [...oldByNode];
  const countAt = (node: number) => Math.min(replicas, nodes[node]!.newPodsBesideOld[old[node]!] ?? 0);
  let total = nodes.reduce((sum, _, node) => sum + countAt(node), 0);
  const counts = [total];
  for (const node of order) {
    total -= countAt(node);
    old[node]!--;
    total += countAt(node);
    counts.push(total);
  }
  return counts.toReversed();
}

/** Bounds by the nodes of a model, since neither a limit of the strategy nor a quota changes them. */
const BOUNDS_BY_NODES = new WeakMap<RolloutModel['nodes'], NewPodBounds>();

/** Returns what all nodes take next to each number of old pods to be replaced, while other constraints are ignored. */
export function computeNewPodBounds(model: RolloutModel): NewPodBounds {
  const known = BOUNDS_BY_NODES.get(model.nodes);
  if (known) return known;
  const { least, most } = combineNodeBounds(model);
  const { keptOld = 0 } = model;
  const bounds = { least: least.slice(keptOld), most: most.slice(keptOld) };
  BOUNDS_BY_NODES.set(model.nodes, bounds);
  return bounds;
}

function combineNodeBounds(model: RolloutModel): NewPodBounds {
  if (model.deletionOrder) {
    const counts = countInOrder(model, model.deletionOrder);
    return { least: counts, most: counts };
  }
  return combineEqualNodes(model, () => true);
}

/** Computes what some of the nodes take next to each number of old pods on them, in whichever order these are deleted. */
export function combineEqualNodes(model: RolloutModel, isIncluded: (node: number) => boolean): NewPodBounds {
  return groupEqualNodes(model, isIncluded).reduce(
    (total, { nodes, bounds }) => combineBounds(total, repeatBounds(bounds, nodes, countOldPods(model)), countOldPods(model)),
    NO_OLD_PODS,
  );
}

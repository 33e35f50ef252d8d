import { findMin } from '../../../core/min-max';
import type { RevisionCounts } from './rollout-process';
import { countKeptOldPods } from './rollout-model';
import type { ModelSpread, RolloutModel, RolloutOutcomes } from './rollout-model';

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

function groupEqualNodes({ nodes, oldByNode, oldLimitByNode, replicas }: RolloutModel): EqualNodes[] {
  const byKey = new Map<string, { nodes: number; readonly bounds: NewPodBounds }>();
  nodes.forEach(({ newPodsBesideOld }, index) => {
    const limit = oldByNode?.[index] ?? oldLimitByNode[index]!;
    // More than R new pods never run, so the rest of a larger capacity decides nothing.
    const counts = Array.from({ length: Math.min(limit, replicas) + 1 }, (_, old) => Math.min(replicas, newPodsBesideOld[old] ?? 0));
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

const BOUNDS_BY_MODEL = new WeakMap<RolloutModel, NewPodBounds>();

/** Returns what all nodes take next to each number of old pods, while other constraints are ignored. */
export function computeNewPodBounds(model: RolloutModel): NewPodBounds {
  const known = BOUNDS_BY_MODEL.get(model);
  if (known) return known;
  const bounds = combineNodeBounds(model);
  BOUNDS_BY_MODEL.set(model, bounds);
  return bounds;
}

function combineNodeBounds(model: RolloutModel): NewPodBounds {
  if (model.deletionOrder) {
    const counts = countInOrder(model, model.deletionOrder);
    return { least: counts, most: counts };
  }
  return groupEqualNodes(model).reduce(
    (total, { nodes, bounds }) => combineBounds(total, repeatBounds(bounds, nodes, model.replicas), model.replicas),
    NO_OLD_PODS,
  );
}

/** Reports whether the capacity of each node alone decides: no constraint concerns pods of other nodes. */
export function isDecidedByNodes({ spreads, antiAffinities, affinity, nodesByPod }: RolloutModel): boolean {
  return spreads.length === 0 && antiAffinities.length === 0 && affinity === undefined && nodesByPod === undefined;
}

/** The only spread constraint of a rollout that counts its own pods, if nothing else concerns pods of other nodes. */
function findOnlySpread({ spreads, antiAffinities, affinity, nodesByPod }: RolloutModel): ModelSpread | undefined {
  const [spread] = spreads;
  const isAlone = spreads.length === 1 && antiAffinities.length === 0 && affinity === undefined && nodesByPod === undefined;
  return isAlone && spread!.countsNew && spread!.countsItself ? spread : undefined;
}

/** Old pods, and capacity for new ones, of one domain. */
type DomainPair = readonly [old: number, capacity: number];

/** Lists the pairs of old pods and capacity for new pods that the nodes of one domain can have. */
function listDomainPairs(model: RolloutModel, isInDomain: (node: number) => boolean): readonly DomainPair[] {
  let pairs = new Map<string, DomainPair>([['0,0', [0, 0]]]);
  model.nodes.forEach(({ newPodsBesideOld }, node) => {
    if (!isInDomain(node)) return;
    const limit = model.oldByNode?.[node] ?? Math.min(model.replicas, model.oldLimitByNode[node]!);
    const next = new Map<string, DomainPair>();
    for (const [old, capacity] of pairs.values()) {
      for (let own = 0; own <= limit && old + own <= model.replicas; own++) {
        const pair = [old + own, capacity + Math.min(model.replicas, newPodsBesideOld[own] ?? 0)] as const;
        next.set(pair.join(','), pair);
      }
    }
    pairs = next;
  });
  return [...pairs.values()];
}

/**
 * Returns the fewest new pods at a standstill under one spread constraint, by the number of old pods.
 *
 * At a standstill each domain is full, or is at least maxSkew above the domain with the fewest pods:
 *
 *     L = min over domains d of (pods of others and old pods in d + capacity of d for new pods)
 *     P >= sum over d of min(capacity of d, max(0, L + maxSkew - pods of others and old pods in d))
 *
 * Two domains, one without any capacity or pod, maxSkew 1: L is 0, and at most 1 new pod runs in the other.
 */
function computeSpreadBounds(model: RolloutModel, spread: ModelSpread): readonly number[] | undefined {
  const MAX_COMBINATIONS = 50_000;
  const domains = Array.from({ length: spread.domains }, (_, domain) => domain);
  const perDomain = domains.map((domain) => listDomainPairs(model, (node) => spread.domainOf[node] === domain));
  if (perDomain.reduce((product, pairs) => product * pairs.length, 1) > MAX_COMBINATIONS) return undefined;
  const least = Array.from({ length: model.replicas + 1 }, () => Infinity);
  const existing = spread.domainsOutside + spread.exists.filter(Boolean).length;
  const visit = (domain: number, old: number, chosen: readonly DomainPair[]): void => {
    if (old > model.replicas) return;
    if (domain < domains.length) {
      for (const pair of perDomain[domain]!) visit(domain + 1, old + pair[0], [...chosen, pair]);
      return;
    }
    const counts = chosen.map(([own], index) => spread.others[index]! + (spread.countsOld ? own : 0));
    const level = chosen.reduce(
      (fewest, [, capacity], index) => (spread.exists[index] ? Math.min(fewest, counts[index]! + capacity) : fewest),
      existing === 0 || existing < spread.minDomains ? 0 : spread.leastOutside,
    );
    const total = chosen.reduce(
      (sum, [, capacity], index) => sum + Math.min(capacity, Math.max(0, level + spread.maxSkew - counts[index]!)),
      0,
    );
    least[old] = Math.min(least[old]!, total);
  };
  visit(0, 0, []);
  return least;
}

/** Computes the fewest new pods at a standstill, by the number of old pods. Returns undefined if it may be none. */
export function computeFewestNewPods(model: RolloutModel): readonly number[] | undefined {
  if (isDecidedByNodes(model)) return computeNewPodBounds(model).least;
  const spread = findOnlySpread(model);
  return spread && computeSpreadBounds(model, spread);
}

/**
 * Decides a rollout through given rows. Each row waits for its new pods. A row with fewer of them moves on only if more of them run than
 * in the row before, and if the rollout does not wait for all of them. Returns undefined if it may move on so.
 */
export function computeRowOutcomes(
  model: RolloutModel,
  rows: readonly RevisionCounts[],
  waitsForAllNew: boolean,
): (RolloutOutcomes & { readonly row: number }) | undefined {
  const { replicas, newPodsAdmitted } = model;
  const { most } = computeNewPodBounds(model);
  const fewest = computeFewestNewPods(model);
  let newAtLeast: number | undefined;
  for (const [index, { old, next }] of rows.entries()) {
    const before = rows[index - 1]?.next ?? 0;
    if (next <= before) continue;
    const admitted = newPodsAdmitted[old]!;
    const atMost = Math.min(admitted, most[old] ?? 0);
    if (Math.min(admitted, fewest?.[old] ?? 0) < next) newAtLeast ??= before;
    if (atMost >= next) continue;
    if (!waitsForAllNew && atMost > before) return undefined;
    return { outcome: 'none', newAtLeast: newAtLeast ?? 0, newAtMost: atMost, row: index + 1 };
  }
  const outcome = newAtLeast === undefined ? 'every' : 'some';
  return { outcome, newAtLeast: newAtLeast ?? replicas, newAtMost: replicas, row: rows.length };
}

/**
 * Decides a rollout by the fewest and most new pods that nodes take next to each number of old pods.
 *
 * Nothing moves once all P new pods are ready, R - u - P old ones are left and no further pod is admitted or placed:
 *
 *     every placement finishes if, for all P < R, the fewest new pods next to max(0, R - u - P) old ones exceed P
 *     no placement finishes if, for some P < R, the most new pods next to them are at most P
 *
 * Source: k/k pkg/controller/deployment/rolling.go.
 */
export function computeOutcomeBounds(model: RolloutModel): RolloutOutcomes {
  const { replicas, newPodsAdmitted } = model;
  const { most } = computeNewPodBounds(model);
  const fewest = computeFewestNewPods(model);
  let newAtLeast: number | undefined;
  for (let ready = 0; ready < replicas; ready++) {
    const old = countKeptOldPods(model, ready);
    if (old >= most.length) continue;
    const admitted = newPodsAdmitted[old]!;
    if (Math.min(admitted, fewest?.[old] ?? 0) <= ready) newAtLeast ??= ready;
    if (Math.min(admitted, most[old]!) <= ready) return { outcome: 'none', newAtLeast: newAtLeast ?? 0, newAtMost: ready };
  }
  if (newAtLeast === undefined) return { outcome: 'every', newAtLeast: replicas, newAtMost: replicas };
  return { outcome: 'some', newAtLeast, newAtMost: replicas };
}

/** Returns how many pods more than necessary nodes take at every standstill, if each rollout by nodes alone finishes. */
export function computeSlack(model: RolloutModel): number {
  const { replicas, unavailable } = model;
  if (!isDecidedByNodes(model)) return 0;
  const { least } = computeNewPodBounds(model);
  return findMin(
    Array.from({ length: replicas }, (_, ready) => (least[Math.max(0, replicas - unavailable - ready)] ?? replicas) - ready - 1),
    0,
  );
}
